// A small HTTP/1.1 server for this machine only: it listens on 127.0.0.1 and gives every request to
// one function. docs/decisions/0015-own-http-server.md says why it is our own.
#pragma once

#include <atomic>
#include <functional>

#include "view/http_connection.hpp"

namespace sarrus::app {

class HttpServer {
 public:
  /// Answers a request, on any of many threads at once.
  using Answer = std::function<void(const HttpRequest&, HttpConnection&)>;

  explicit HttpServer(Answer answer, const HttpPatience& patience = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Takes a port, 0 for any free one, and returns it; 0 where it cannot be had.
  int listen(int port);
  /// Answers until stop() is called, from whatever thread, and all that was begun has ended.
  void serve();
  void stop() { ending_ = true; }
  bool is_ending() const { return ending_; }

 private:
  void attend(int socket);

  Answer answer_;
  HttpPatience patience_;
  int socket_ = -1;
  std::atomic<bool> ending_ = false;
};

}  // namespace sarrus::app
