// Heads of requests to `sarrus view`.
#include "fuzz/target.hpp"
#include "view/http_request.hpp"

void sarrus::fuzz::take(std::string_view bytes) {
  using namespace sarrus::app;
  const auto read = read_head(bytes);
  if (const auto* refusal = std::get_if<HttpRefusal>(&read)) {
    require(refusal->status >= 400 && refusal->status < 600, "a refusal that is none");
    return;
  }
  const HttpRequest& request = std::get<HttpRequest>(read);
  require(bytes.size() <= most_head, "a head that is too long");
  require(request.body <= most_body && request.fields.size() <= most_fields, "more than is taken");
  require(request.path.starts_with('/'), "a path without its slash");
  require(request.path.find_first_of("\r\n\0 ", 0, 4) == std::string::npos, "a path with blanks");
}
