#include "sarrus/core/diagnostic.hpp"

#include <fmt/format.h>

#include <utility>

#include "sarrus/core/json.hpp"

namespace sarrus {
namespace {

constexpr int notes_limit = 50;  // notes and warnings kept per load

const char* word(Severity s) {
  switch (s) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "error";
}

std::string joined(const std::vector<Diagnostic>& all) {
  std::string text;
  for (const Diagnostic& d : all) {
    if (!text.empty()) text += '\n';
    text += to_text(d);
  }
  return text;
}

}  // namespace

std::string to_text(const Diagnostic& d) {
  std::string text;
  if (!d.where.file.empty()) {
    text += d.where.file;
    if (d.where.line > 0) text += fmt::format(":{}", d.where.line);
    if (d.where.line > 0 && d.where.column > 0) text += fmt::format(":{}", d.where.column);
    text += ": ";
  }
  text += fmt::format("{}[{}]: ", word(d.severity), d.code);
  if (!d.element.empty()) text += d.element + ": ";
  text += d.message;
  if (!d.hint.empty()) text += "; hint: " + d.hint;
  return text;
}

std::string to_text(const std::vector<Diagnostic>& all) { return joined(all); }

std::string to_json(const Diagnostic& d) {
  const Json object = {{"severity", word(d.severity)},
                       {"code", d.code},
                       {"file", d.where.file},
                       {"line", d.where.line},
                       {"column", d.where.column},
                       {"element", d.element},
                       {"message", d.message},
                       {"hint", d.hint},
                       {"value", d.value},
                       {"limit", d.limit}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Error::Error(Fault fault, std::vector<Diagnostic> found)
    : std::runtime_error(joined(found)), fault_(fault), found_(std::move(found)) {}

Error::Error(Fault fault, Diagnostic single)
    : Error(fault, std::vector<Diagnostic>{std::move(single)}) {}

void Diagnostics::add(Diagnostic d) {
  if (d.severity == Severity::error) {
    if (++errors_ == limit + 1)
      found_.push_back({.code = "too-many",
                        .where = d.where,
                        .message = "further errors are not listed",
                        .hint = "fix the ones above first"});
    if (errors_ > limit) return;
  } else if (++notes_ > notes_limit) {
    return;
  }
  found_.push_back(std::move(d));
}

void Diagnostics::error(std::string code, Place where, std::string element, std::string message,
                        std::string hint) {
  add({.code = std::move(code),
       .where = std::move(where),
       .element = std::move(element),
       .message = std::move(message),
       .hint = std::move(hint)});
}

void Diagnostics::warning(std::string code, Place where, std::string element, std::string message,
                          std::string hint) {
  add({.severity = Severity::warning,
       .code = std::move(code),
       .where = std::move(where),
       .element = std::move(element),
       .message = std::move(message),
       .hint = std::move(hint)});
}

void Diagnostics::note(std::string code, Place where, std::string element, std::string message,
                       std::string hint) {
  add({.severity = Severity::note,
       .code = std::move(code),
       .where = std::move(where),
       .element = std::move(element),
       .message = std::move(message),
       .hint = std::move(hint)});
}

std::vector<Diagnostic> Diagnostics::take() { return std::exchange(found_, {}); }

void Diagnostics::throw_if_errors(Fault fault) const {
  if (has_errors()) throw Error(fault, found_);
}

}  // namespace sarrus
