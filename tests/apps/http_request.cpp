// Heads of requests: what is taken is what was sent, and what could be read in two ways is refused.
#include "view/http_request.hpp"

#include <doctest/doctest.h>

#include "sarrus/core/random.hpp"

namespace sarrus::app {
namespace {

int status_of(std::string_view head) {
  const auto read = read_head(head);
  const auto* refusal = std::get_if<HttpRefusal>(&read);
  return refusal ? refusal->status : 200;
}

HttpRequest taken(std::string_view head) {
  const auto read = read_head(head);
  REQUIRE(std::holds_alternative<HttpRequest>(read));
  return std::get<HttpRequest>(read);
}

const std::string host = "Host: 127.0.0.1:8421\r\n";

TEST_CASE("http: a request is its method, path, query and fields") {
  const HttpRequest r = taken("POST /events?from=3&x=&from=4 HTTP/1.1\r\n" + host +
                              "ACCEPT:\t text/html \t\r\nX: a: b\r\nContent-Length: 17\r\n\r\n");
  CHECK(r.method == "POST");
  CHECK(r.path == "/events");
  CHECK(r.query == "from=3&x=&from=4");
  CHECK(r.parameter("from") == "3");
  CHECK(r.parameter("x").empty());
  CHECK(r.parameter("fro").empty());
  CHECK(r.field("accept") == "text/html");
  CHECK(r.field("x") == "a: b");
  CHECK(r.field("y").empty());
  CHECK(r.body == 17);
  CHECK(r.stays_open);
  CHECK_FALSE(taken("GET / HTTP/1.0\r\n\r\n").stays_open);
  CHECK_FALSE(taken("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n").stays_open);
}

TEST_CASE("http: a body whose end two readers could see in two places is refused") {
  const auto with = [&](const std::string& fields) {
    return status_of("POST /stop HTTP/1.1\r\n" + host + fields + "\r\n");
  };
  CHECK(with("Content-Length: 65536\r\n") == 200);
  CHECK(with("Content-Length: 65537\r\n") == 413);
  CHECK(with("Content-Length: 99999999999999999999\r\n") == 413);
  for (const char* length : {"", "+3", "-1", "0x10", "3, 3", "3 3", "3\t4", "1e3", "٣"}) {
    CAPTURE(length);
    CHECK(with(std::string("Content-Length: ") + length + "\r\n") == 400);
  }
  CHECK(with("Content-Length: 3\r\nContent-Length: 3\r\n") == 400);
  CHECK(with("Content-Length : 3\r\n") == 400);
  CHECK(with("Transfer-Encoding: chunked\r\n") == 400);
  CHECK(with("Transfer-Encoding: \r\nContent-Length: 3\r\n") == 400);
}

TEST_CASE("http: lines end with CR LF, and nothing else ends them") {
  CHECK(status_of("GET / HTTP/1.1\r\nA: b\r\n\r\n") == 200);
  for (const std::string head :
       {"GET / HTTP/1.1\n\n", "GET / HTTP/1.1\r\nA: b\n\r\n",
        "GET / HTTP/1.1\r\nA: b\rC: d\r\n\r\n", "GET / HTTP/1.1\r\n A: b\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", "\r\nGET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nA\r\n\r\n", "GET / HTTP/1.1\r\n: b\r\n\r\n",
        "GET / HTTP/1.1\r\nA b: c\r\n\r\n", "GET / HTTP/1.1\r\n\r\nmore", "GET / HTTP/1.1\r\n",
        ""}) {
    CAPTURE(head);
    CHECK(status_of(head) == 400);
  }
  CHECK(status_of(std::string("GET / HTTP/1.1\r\nA: \0\r\n\r\n", 23)) == 400);
}

TEST_CASE("http: a request line has three words, and the path begins with a slash") {
  for (const char* line :
       {"GET", "GET /", "GET  / HTTP/1.1", "GET http://evil.example/ HTTP/1.1", "GET * HTTP/1.1",
        "GET etc HTTP/1.1", "G(T / HTTP/1.1", "GET /a b HTTP/1.1", "GET /\x7f HTTP/1.1",
        "GET /\xc3\xa4 HTTP/1.1", " / HTTP/1.1", "GET / http/1.1", "GET / FTP/1.1"}) {
    CAPTURE(line);
    CHECK(status_of(std::string(line) + "\r\n\r\n") == 400);
  }
  for (const char* version : {"HTTP/2.0", "HTTP/0.9", "HTTP/1.1x", "HTTP/"})
    CHECK(status_of(std::string("GET / ") + version + "\r\n\r\n") == 505);
}

TEST_CASE("http: there is an end to the number of fields") {
  const auto with = [](size_t count) {
    std::string head = "GET / HTTP/1.1\r\n";
    for (size_t i = 0; i < count; ++i) head += "A: b\r\n";
    return status_of(head + "\r\n");
  };
  CHECK(with(most_fields) == 200);
  CHECK(with(most_fields + 1) == 431);
}

/// Written out again, a request that was taken is what was sent, but for blanks and capitals.
std::string written(const HttpRequest& r, std::string_view version) {
  std::string text = r.method + " " + r.path + (r.query.empty() ? "" : "?" + r.query) + " " +
                     std::string(version) + "\r\n";
  for (const auto& [name, value] : r.fields) text += name + ": " + value + "\r\n";
  return text + "\r\n";
}

TEST_CASE("http: of heads changed at random, each is refused or says the same when written again") {
  const std::string whole = "POST /events?from=12&to=3 HTTP/1.1\r\n" + host +
                            "Content-Length: 12\r\nConnection: close\r\nRange: bytes=0-5\r\n\r\n";
  constexpr std::string_view odd = "\r\n\0 :\t%/?&=-+0179GETHP.\x7f\xff";
  Random random(20);
  int taken_of_them = 0;
  for (int k = 0; k < 200000; ++k) {
    std::string head = whole;
    const int changes = 1 + static_cast<int>(random.uniform(0, 3));
    for (int c = 0; c < changes; ++c) {
      const auto at = static_cast<size_t>(random.uniform(0, static_cast<double>(head.size())));
      const auto letter = static_cast<size_t>(random.uniform(0, static_cast<double>(odd.size())));
      if (random.uniform(0, 1) < 0.3)
        head.erase(at, 1);
      else if (random.uniform(0, 1) < 0.5)
        head.insert(at, 1, odd[letter]);
      else
        head[at] = odd[letter];
    }
    const auto read = read_head(head);
    const auto* request = std::get_if<HttpRequest>(&read);
    if (!request) continue;
    ++taken_of_them;
    const std::string again = written(*request, "HTTP/1.1");
    const HttpRequest second = taken(again);
    CHECK(written(second, "HTTP/1.1") == again);
    CHECK(second.body == request->body);
    CHECK(request->body <= most_body);
    CHECK(request->path.starts_with('/'));
    CHECK(again.find_first_of(std::string_view("\0\x7f", 2)) == std::string::npos);
  }
  CHECK(taken_of_them > 10000);
}

}  // namespace
}  // namespace sarrus::app
