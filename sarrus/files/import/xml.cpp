#include "sarrus/files/import/xml.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <utility>

#include "sarrus/files/text/document.hpp"
#include "sarrus/files/text/utf8.hpp"

namespace sarrus {
namespace {

[[noreturn]] void refuse_xml(std::string code, Place where, std::string message, std::string hint) {
  throw Error(Fault::model, {.code = std::move(code),
                             .where = std::move(where),
                             .message = std::move(message),
                             .hint = std::move(hint)});
}

/// Where each start tag begins, in the order of the text, which tinyxml2 does not say to the column;
/// refuses on the way what would cost time or hide something.
class TagPlaces {
 public:
  TagPlaces(std::string_view text, const std::string& file) : text_(text), file_(file) { scan(); }
  std::vector<std::pair<int, int>> found;  // line, column

 private:
  void scan() {
    while (at_ < text_.size()) {
      if (text_[at_] != '<')
        step();
      else if (rest().starts_with("<!--"))
        skip_to("-->");
      else if (rest().starts_with("<![CDATA["))
        skip_to("]]>");
      else if (rest().starts_with("<?"))
        skip_to("?>");
      else if (rest().starts_with("<!"))
        refuse_xml("bad-xml", here(),
                   "a document type (<!…>) is not read: nothing it defines is expanded",
                   "remove it, and write out the entities it defines");
      else
        tag();
    }
  }

  void tag() {
    const bool closes = rest().starts_with("</");
    if (!closes) {
      found.push_back({line_, column_});
      if (found.size() > XmlLimits::elements)
        refuse_xml("too-large", here(), fmt::format("more than {} elements", XmlLimits::elements),
                   "split the file");
      if (++depth_ > XmlLimits::depth)
        refuse_xml("too-deep", here(),
                   fmt::format("elements nested deeper than {}", XmlLimits::depth),
                   "attach bodies of a long chain by joints of a Sarrus model instead");
    }
    char quote = 0, last = 0;
    while (at_ < text_.size() && (quote || text_[at_] != '>')) {
      const char c = text_[at_];
      if (quote ? c == quote : (c == '"' || c == '\'')) quote = quote ? 0 : c;
      last = c;
      step();
    }
    if (at_ < text_.size()) step();
    if (closes || last == '/') --depth_;
  }

  void skip_to(std::string_view end) {
    while (at_ < text_.size() && !rest().starts_with(end)) step();
    for (size_t i = 0; i < end.size() && at_ < text_.size(); ++i) step();
  }

  void step() {
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    if (c == '\n') {
      ++line_, column_ = 1, ++at_;
      return;
    }
    int length = 1;
    if (c >= 0x80) {
      char32_t code = 0;
      length = utf8_length(text_.substr(at_), code);
      if (length == 0)
        refuse_xml("bad-utf8", here(), fmt::format("byte 0x{:02x} is not UTF-8", c),
                   "save the file as UTF-8");
    } else if (c == 0) {
      refuse_xml("nul-byte", here(), "zero byte in the text", "save the file as plain UTF-8 text");
    }
    at_ += static_cast<size_t>(length), ++column_;
  }

  std::string_view rest() const { return text_.substr(at_); }
  Place here() const { return {file_, line_, column_}; }

  std::string_view text_;
  const std::string& file_;
  size_t at_ = 0;
  int line_ = 1, column_ = 1, depth_ = 0;
};

class Copier {
 public:
  Copier(const TagPlaces& places, const std::string& file) : places_(places), file_(file) {}

  XmlElement copied(const tinyxml2::XMLElement& from) {
    XmlElement to;
    to.name = from.Name();
    to.file = file_;
    to.line = from.GetLineNum();
    if (next_ < places_.found.size())
      to.line = places_.found[next_].first, to.column = places_.found[next_].second;
    ++next_;
    for (const auto* a = from.FirstAttribute(); a; a = a->Next())
      to.attributes.push_back({a->Name(), a->Value()});
    for (const auto* n = from.FirstChild(); n; n = n->NextSibling()) {
      if (const auto* element = n->ToElement()) to.children.push_back(copied(*element));
      if (const auto* text = n->ToText()) to.text += text->Value();
    }
    constexpr const char* blanks = " \t\r\n";
    to.text.erase(0, std::min(to.text.find_first_not_of(blanks), to.text.size()));
    to.text.erase(to.text.find_last_not_of(blanks) + 1);
    return to;
  }

 private:
  const TagPlaces& places_;
  const std::string& file_;
  size_t next_ = 0;
};

/// "Error=XML_ERROR_MISMATCHED_ELEMENT ErrorID=14 (0xe) Line number=3: XMLElement name=a" in words.
std::string xml_problem(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "a tag is closed by another name, or not at all";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT: return "a tag that cannot be read";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute that cannot be read, or stands twice; its form is name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_TEXT: return "text that cannot be read";
    case tinyxml2::XML_ERROR_PARSING_CDATA: return "a CDATA section without an end";
    case tinyxml2::XML_ERROR_PARSING_COMMENT: return "a comment without an end";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION: return "a declaration <?…?> that cannot be read";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT: return "the file contains no element";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return fmt::format("elements nested deeper than {}", XmlLimits::depth);
    default: return "not XML";
  }
}

}  // namespace

const std::string* XmlElement::attribute(std::string_view key) const {
  for (const XmlAttribute& a : attributes)
    if (a.name == key) {
      a.used = true;
      return &a.value;
    }
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view key) const {
  for (const XmlElement& c : children)
    if (c.name == key) {
      c.used = true;
      return &c;
    }
  return nullptr;
}

std::vector<const XmlElement*> XmlElement::all(std::string_view key) const {
  std::vector<const XmlElement*> found;
  for (const XmlElement& c : children)
    if (c.name == key) {
      c.used = true;
      found.push_back(&c);
    }
  return found;
}

void XmlElement::use_all() const {
  used = true;
  for (const XmlAttribute& a : attributes) a.used = true;
  for (const XmlElement& c : children) c.use_all();
}

std::string XmlElement::title() const {
  for (const XmlAttribute& a : attributes)
    if (a.name == "name" && !a.value.empty())
      return fmt::format("{} '{}'", shown(name), shown(a.value));
  return shown(name);
}

XmlElement read_xml(std::string_view text, const std::string& file) {
  if (text.size() > XmlLimits::file_bytes)
    refuse_xml("too-large", {file, 0, 0},
               fmt::format("{} bytes are more than the limit of {} MB", text.size(),
                           XmlLimits::file_bytes >> 20),
               "");
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    refuse_xml("utf-16", {file, 1, 1}, "the text is UTF-16, not UTF-8", "save the file as UTF-8");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const TagPlaces places(text, file);
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS || !document.RootElement())
    refuse_xml("bad-xml", {file, document.ErrorLineNum(), document.ErrorLineNum() ? 1 : 0},
               xml_problem(document), "mend the XML at or before this line");
  return Copier(places, file).copied(*document.RootElement());
}

}  // namespace sarrus
