#include "view/http_connection.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace sarrus::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds between_glances(100);  // at whether the server ends
constexpr milliseconds farewell(1000);        // for the other side to read a last answer
constexpr size_t most_ignored = 256 << 10;    // that still comes meanwhile [bytes]

// no other site may show, read or keep what is served, nor take it for something else
constexpr std::string_view always =
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cache-Control: no-store\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "X-Frame-Options: DENY\r\n"
    "Content-Security-Policy: frame-ancestors 'none'\r\n"
    "Accept-Ranges: none\r\n";

std::string_view reason(int status) {
  switch (status) {
    case 200: return "OK";
    case 204: return "No Content";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
  }
  return "Error";
}

}  // namespace

HttpConnection::HttpConnection(int socket, const HttpPatience& patience,
                               const std::atomic<bool>& ending)
    : socket_(socket), patience_(patience), ending_(ending), requests_left_(patience.requests) {}

HttpConnection::~HttpConnection() {
  if (!is_broken_ && !ending_) see_out();
  ::close(socket_);
}

// ── reading ──

/// Waits for the socket; false where that takes too long, or the server ends.
bool HttpConnection::is_ready(short events, Clock::time_point until) const {
  pollfd one{socket_, events, 0};
  while (!ending_) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left.count() < 0) return false;
    const int ready = ::poll(&one, 1, static_cast<int>(std::min(left, between_glances).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (left.count() == 0) return false;
  }
  return false;
}

/// Adds what came to the buffer. False where it is full, or nothing comes any more.
bool HttpConnection::read_more(Clock::time_point until) {
  if (held_ == buffer_.size() || !is_ready(POLLIN, until)) return false;
  ssize_t n = 0;
  do n = ::recv(socket_, buffer_.data() + held_, buffer_.size() - held_, MSG_DONTWAIT);
  while (n < 0 && errno == EINTR);
  if (n > 0) held_ += static_cast<size_t>(n);
  return n > 0;
}

/// Bytes up to and with the first empty line; 0 where there is none to be had.
size_t HttpConnection::read_until_empty_line(Clock::time_point until) {
  constexpr std::string_view end = "\r\n\r\n";
  for (size_t seen = 0;;) {
    const size_t at = std::string_view(buffer_.data(), held_).find(end, seen);
    if (at != std::string_view::npos) return at + end.size();
    seen = held_ < end.size() ? 0 : held_ - (end.size() - 1);
    if (!read_more(until)) return 0;
  }
}

bool HttpConnection::drop_body(size_t bytes, Clock::time_point until) {
  for (;;) {
    const size_t now = std::min(bytes, held_);
    std::memmove(buffer_.data(), buffer_.data() + now, held_ - now);
    held_ -= now;
    bytes -= now;
    if (bytes == 0) return true;
    if (!read_more(until)) return false;
  }
}

std::optional<HttpRequest> HttpConnection::refuse(const HttpRefusal& why) {
  close_after();
  begun_ = false;
  say(why.status, why.words);
  return std::nullopt;
}

std::optional<HttpRequest> HttpConnection::next() {
  if (owed_ > 0) is_broken_ = true;  // the answer before was not finished
  if (!stays_open_ || is_broken_ || requests_left_-- == 0) return std::nullopt;
  if (held_ == 0 && !read_more(Clock::now() + patience_.idle)) {
    is_broken_ = true;  // nobody is there, or asks for anything
    return std::nullopt;
  }
  const auto until = Clock::now() + patience_.read;
  const size_t length = read_until_empty_line(until);
  if (length == 0 && held_ == buffer_.size())
    return refuse({431, "the head of a request has 16 kB at most"});
  if (length == 0) return refuse({408, "the request did not end"});

  std::variant<HttpRequest, HttpRefusal> head = read_head(std::string_view(buffer_.data(), length));
  drop_body(length, until);
  if (const auto* refusal = std::get_if<HttpRefusal>(&head)) return refuse(*refusal);
  auto& request = std::get<HttpRequest>(head);
  if (!drop_body(request.body, until)) return refuse({408, "the body did not come"});
  stays_open_ = request.stays_open && requests_left_ > 0;
  begun_ = false;
  return std::move(request);
}

// ── answering ──

void HttpConnection::begin_head(int status, std::string_view type, std::string_view length,
                                std::string_view more) {
  if (begun_) throw std::logic_error("a request is answered twice");
  begun_ = true;
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n{}{}", status, reason(status), always, more);
  if (!type.empty()) head += fmt::format("Content-Type: {}\r\n", type);
  head += length;
  head += stays_open_ ? "\r\n" : "Connection: close\r\n\r\n";
  owed_ = head.size();
  write(head);
}

void HttpConnection::begin(int status, std::string_view type, std::uint64_t length,
                           std::string_view more) {
  begin_head(status, type, fmt::format("Content-Length: {}\r\n", length), more);
  owed_ = length;
}

void HttpConnection::begin_endless(std::string_view type) {
  close_after();
  begin_head(200, type, "", "");
  endless_ = true;
}

void HttpConnection::answer(int status, std::string_view type, std::string_view body,
                            std::string_view more) {
  begin(status, type, body.size(), more);
  write(body);
}

void HttpConnection::say(int status, std::string_view words, std::string_view more) {
  if (status == 204) return begin_head(status, "", "", more);
  answer(status, "text/plain; charset=utf-8", std::string(words) + "\n", more);
}

bool HttpConnection::write(std::string_view piece) {
  if (!endless_ && piece.size() > owed_) throw std::logic_error("more is sent than was promised");
  while (!piece.empty() && !is_broken_) {
    is_broken_ = !is_ready(POLLOUT, Clock::now() + patience_.write);
    if (is_broken_) break;
    const ssize_t n = ::send(socket_, piece.data(), piece.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
    is_broken_ = n <= 0;
    if (is_broken_) break;
    piece.remove_prefix(static_cast<size_t>(n));
    if (!endless_) owed_ -= static_cast<size_t>(n);
  }
  return !is_broken_;
}

bool HttpConnection::is_alive() const {
  if (is_broken_ || ending_) return false;
  pollfd one{socket_, POLLRDHUP, 0};  // seen also where something unread came before
  return ::poll(&one, 1, 0) == 0;
}

/// A socket that is closed with bytes unread takes back its last answer: they are read first.
void HttpConnection::see_out() {
  ::shutdown(socket_, SHUT_WR);
  const auto until = Clock::now() + farewell;
  for (size_t ignored = 0; ignored < most_ignored; ignored += held_) {
    held_ = 0;
    if (!read_more(until)) return;
  }
}

}  // namespace sarrus::app
