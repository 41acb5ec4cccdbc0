#include "view/bounded_server.hpp"

#ifdef SARRUS_HAVE_HTTPLIB

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace sarrus::app {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Waits for a socket to be ready; false where that takes too long.
bool is_ready(int socket, short events, milliseconds most) {
  pollfd one{socket, events, 0};
  const auto until = Clock::now() + most;
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now()).count();
    const int ready = ::poll(&one, 1, static_cast<int>(std::max<long>(left, 0)));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

class BoundedStream : public httplib::Stream {
 public:
  BoundedStream(int socket, const ServerBounds& bounds) : socket_(socket), bounds_(bounds) {}

  void begin_request() {
    left_ = bounds_.request;
    deadline_ = Clock::now() + bounds_.read;
  }
  bool has_more() const { return begin_ < end_; }
  /// A request was not read to its end: what follows cannot be told apart from it.
  bool is_cut() const { return cut_; }

  bool is_readable() const override {
    return has_more() || is_ready(socket_, POLLIN, milliseconds(0));
  }
  bool is_writable() const override {
    return is_ready(socket_, POLLOUT, bounds_.write) && is_alive();
  }

  ssize_t read(char* to, size_t size) override {
    if (left_ == 0 || (!has_more() && !fill())) {
      cut_ = true;
      return -1;
    }
    const size_t n = std::min({size, end_ - begin_, left_});
    std::memcpy(to, buffer_.data() + begin_, n);
    begin_ += n;
    left_ -= n;
    return static_cast<ssize_t>(n);
  }

  ssize_t write(const char* from, size_t size) override {
    if (!is_ready(socket_, POLLOUT, bounds_.write)) return -1;
    ssize_t n = 0;
    do n = ::send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    return n;
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    name(&::getpeername, ip, port);
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    name(&::getsockname, ip, port);
  }
  socket_t socket() const override { return socket_; }

 private:
  bool fill() {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now());
    if (left.count() <= 0 || !is_ready(socket_, POLLIN, left)) return false;
    ssize_t n = 0;
    do n = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
    while (n < 0 && errno == EINTR);
    begin_ = 0;
    end_ = n > 0 ? static_cast<size_t>(n) : 0;
    return n > 0;
  }
  bool is_alive() const {
    char one = 0;
    const ssize_t n = ::recv(socket_, &one, 1, MSG_PEEK | MSG_DONTWAIT);
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
  }
  template <class Ask>
  void name(Ask ask, std::string& ip, int& port) const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    if (ask(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) return;
    std::array<char, INET_ADDRSTRLEN> text{};
    if (::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size()) != nullptr)
      ip = text.data(), port = ntohs(address.sin_port);
  }

  int socket_;
  const ServerBounds& bounds_;
  size_t left_ = 0;
  Clock::time_point deadline_;
  std::array<char, 4096> buffer_{};
  size_t begin_ = 0, end_ = 0;
  bool cut_ = false;
};

}  // namespace

bool BoundedServer::process_and_close_socket(socket_t socket) {
  BoundedStream stream(socket, bounds_);
  bool good = true;
  for (int left = bounds_.requests; good && left > 0 && !stream.is_cut(); --left) {
    const auto until = Clock::now() + bounds_.idle;
    bool called = stream.has_more();
    while (!called && svr_sock_ != INVALID_SOCKET && Clock::now() < until)
      called = is_ready(socket, POLLIN, milliseconds(100));
    if (!called) break;
    stream.begin_request();
    bool closed = false;
    good = process_request(stream, left == 1, closed, [](httplib::Request&) {});
    if (closed) break;
  }
  ::shutdown(socket, SHUT_RDWR);
  ::close(socket);
  return good;
}

}  // namespace sarrus::app

#endif
