// What a client asks for: the head of a request in HTTP/1.1 [RFC 9112], read strictly.
//
// A head is taken or refused as a whole. Nothing in it is repaired, joined, decoded or guessed, and
// of what HTTP knows only what a page needs is understood: no range, no transfer coding, no
// compression, no form, no address of a proxy.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sarrus::app {

constexpr std::size_t most_head = 16 << 10;  // line and fields [bytes]
constexpr std::size_t most_body = 64 << 10;  // [bytes]
constexpr std::size_t most_fields = 100;

struct HttpRequest {
  std::string method;                                       // GET, POST …
  std::string path;                                         // from its first slash up to ?
  std::string query;                                        // behind it
  std::vector<std::pair<std::string, std::string>> fields;  // names in small letters
  std::size_t body = 0;                                     // that follows the head [bytes]
  bool stays_open = true;                                   // for a further request

  std::size_t count(std::string_view name) const;
  /// The first field of that name; empty where there is none.
  std::string_view field(std::string_view name) const;
  /// The first name=value of the query; empty where there is none.
  std::string_view parameter(std::string_view name) const;
};

/// Why a request is rejected before it is handled.
struct HttpRefusal {
  int status = 400;
  std::string_view words;
};

/// Reads a head: all of it, with the empty line that ends it.
std::variant<HttpRequest, HttpRefusal> read_head(std::string_view head);

}  // namespace sarrus::app
