// cpp-httplib's server with bounds on what it reads: so many bytes and so much time for one
// request, after which the connection is closed. (By itself it takes a header line of any length
// into memory, reads a body that is too large to its end, and waits for each next byte anew.)
#pragma once

#ifdef SARRUS_HAVE_HTTPLIB

#include <httplib.h>

namespace sarrus::app {

struct ServerBounds {
  size_t request = 128 << 10;              // line, headers and body [bytes]
  std::chrono::milliseconds read{8000};    // for all of a request
  std::chrono::milliseconds idle{5000};    // between two requests of one connection
  std::chrono::milliseconds write{30000};  // for the other side to take anything at all
  int requests = 100;                      // of one connection
};

class BoundedServer : public httplib::Server {
 public:
  explicit BoundedServer(const ServerBounds& bounds = {}) : bounds_(bounds) {}

 private:
  bool process_and_close_socket(socket_t socket) override;

  ServerBounds bounds_;
};

}  // namespace sarrus::app

#endif
