#include "view/http_request.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace sarrus::app {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view line_end = "\r\n";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_token(char c) {
  return is_letter(c) || is_digit(c) || "!#$%&'*+-.^_`|~"sv.find(c) != std::string_view::npos;
}
bool is_of_target(char c) { return c > ' ' && c < 0x7f; }
bool is_of_value(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code == '\t' || (code >= ' ' && code != 0x7f);
}
bool all(std::string_view text, bool (*holds)(char)) {
  return std::all_of(text.begin(), text.end(), holds);
}

std::string small(std::string_view text) {
  std::string letters(text);
  for (char& c : letters)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return letters;
}

std::string_view without_blanks(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The next line, without its end; none where it has no end, or holds half of one.
std::optional<std::string_view> take_line(std::string_view& text) {
  const size_t end = text.find(line_end);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + line_end.size());
  if (line.find_first_of("\r\n"sv) != std::string_view::npos) return std::nullopt;
  return line;
}

/// GET /events?from=3 HTTP/1.1
std::optional<HttpRefusal> read_request_line(std::string_view line, HttpRequest& to) {
  const size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last)
    return HttpRefusal{400, "a request begins with a method, a path and HTTP/1.1"};
  const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (!version.starts_with("HTTP/")) return HttpRefusal{400, "this is not HTTP"};
  if (version != "HTTP/1.1" && version != "HTTP/1.0")
    return HttpRefusal{505, "only HTTP/1.1 is spoken here"};
  if (method.empty() || !all(method, is_of_token)) return HttpRefusal{400, "this is no method"};
  if (!target.starts_with('/') || !all(target, is_of_target))
    return HttpRefusal{400, "a path begins with a slash and has no blanks"};
  const size_t mark = target.find('?');
  to.method = method;
  to.path = target.substr(0, mark);
  to.query = mark == std::string_view::npos ? ""sv : target.substr(mark + 1);
  to.stays_open = version == "HTTP/1.1";
  return std::nullopt;
}

std::optional<HttpRefusal> read_field(std::string_view line, HttpRequest& to) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0)
    return HttpRefusal{400, "a field is a name, a colon and a value"};
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = without_blanks(line.substr(colon + 1));
  if (!all(name, is_of_token)) return HttpRefusal{400, "this is no name of a field"};
  if (!all(value, is_of_value)) return HttpRefusal{400, "a field has a control character"};
  if (to.fields.size() == most_fields) return HttpRefusal{431, "too many fields"};
  to.fields.emplace_back(small(name), value);
  return std::nullopt;
}

/// How long the body is: only by one plain number, so that nobody can see its end elsewhere.
std::optional<HttpRefusal> measure_body(HttpRequest& request) {
  if (request.count("transfer-encoding") > 0)
    return HttpRefusal{400, "a body comes whole, with its Content-Length"};
  if (request.count("content-length") == 0) return std::nullopt;
  const std::string_view text = request.field("content-length");
  if (request.count("content-length") > 1 || text.empty() || !all(text, is_digit))
    return HttpRefusal{400, "Content-Length is one whole number"};
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, request.body);
  if (problem != std::errc() || stop != end || request.body > most_body)
    return HttpRefusal{413, "a body has 64 kB at most"};
  return std::nullopt;
}

}  // namespace

std::size_t HttpRequest::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(fields.begin(), fields.end(), [&](const auto& f) { return f.first == name; }));
}

std::string_view HttpRequest::field(std::string_view name) const {
  for (const auto& [one, value] : fields)
    if (one == name) return value;
  return {};
}

std::string_view HttpRequest::parameter(std::string_view name) const {
  std::string_view rest = query;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view one = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
      return one.substr(name.size() + 1);
  }
  return {};
}

std::variant<HttpRequest, HttpRefusal> read_head(std::string_view head) {
  HttpRequest request;
  std::optional<HttpRefusal> refusal;
  for (bool first = true;; first = false) {
    const std::optional<std::string_view> line = take_line(head);
    if (!line) return HttpRefusal{400, "a line ends in the middle, or not at all"};
    if (!first && line->empty()) break;
    refusal = first ? read_request_line(*line, request) : read_field(*line, request);
    if (refusal) return *refusal;
  }
  if (!head.empty()) return HttpRefusal{400, "something follows the end of the head"};
  refusal = measure_body(request);
  if (refusal) return *refusal;
  if (small(request.field("connection")) == "close") request.stays_open = false;
  return request;
}

}  // namespace sarrus::app
