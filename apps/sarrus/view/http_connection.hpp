// One client's connection: its requests, one after the other, and an answer to each.
//
// Every wait has an end, every buffer a fixed size. What is sent is counted against the length that
// was promised, so that no answer is longer or shorter than its head says: a connection that
// cannot keep its promise is closed.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "view/http_request.hpp"

namespace sarrus::app {

struct HttpPatience {
  std::chrono::milliseconds read{8000};    // for all of a request
  std::chrono::milliseconds idle{5000};    // between two requests
  std::chrono::milliseconds write{30000};  // for the other side to take anything at all
  int requests = 100;                      // of one connection
};

class HttpConnection {
 public:
  /// Takes over the socket. Gives up where `ending` becomes true.
  HttpConnection(int socket, const HttpPatience& patience, const std::atomic<bool>& ending);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  /// The next request, its body read and dropped. None where there is no further one: the other
  /// side closed, waited too long, or asked what had to be refused, which it has been told.
  std::optional<HttpRequest> next();

  /// A whole answer. `more` are further lines of its head, each with its end.
  void answer(int status, std::string_view type, std::string_view body, std::string_view more = "");
  /// A few words, as plain text.
  void say(int status, std::string_view words, std::string_view more = "");
  /// An answer in pieces: first how many bytes will come, then write() until all have.
  void begin(int status, std::string_view type, std::uint64_t length, std::string_view more = "");
  /// An answer without a known end: it ends with the connection.
  void begin_endless(std::string_view type);
  /// False where nobody takes it any more.
  bool write(std::string_view piece);

  /// Whether the other side is still there, as far as can be seen.
  bool is_alive() const;
  /// Whether the answer to the last request has begun.
  bool has_begun() const { return begun_; }
  /// Ends the connection after the answer; one that is not complete is broken off.
  void close_after() { stays_open_ = false; }

 private:
  using Clock = std::chrono::steady_clock;

  bool is_ready(short events, Clock::time_point until) const;
  std::optional<HttpRequest> refuse(const HttpRefusal& why);
  bool read_more(Clock::time_point until);
  std::size_t read_until_empty_line(Clock::time_point until);
  bool drop_body(std::size_t bytes, Clock::time_point until);
  void begin_head(int status, std::string_view type, std::string_view length,
                  std::string_view more);
  void see_out();

  int socket_;
  const HttpPatience& patience_;
  const std::atomic<bool>& ending_;
  std::array<char, most_head> buffer_{};  // what came and was not read yet
  std::size_t held_ = 0;                  // bytes of it
  int requests_left_;
  bool stays_open_ = true;
  bool is_broken_ = false;  // nothing more can be sent
  bool begun_ = true;       // an answer
  bool endless_ = false;    // whose length is not known
  std::uint64_t owed_ = 0;  // bytes of it that were promised and not sent yet
};

}  // namespace sarrus::app
