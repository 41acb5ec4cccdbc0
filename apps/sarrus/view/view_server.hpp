// The server of `sarrus view`: one page, its rows as they come, and for a model Run and Stop.
//
//   GET /          the page                      POST /run    } with the key in X-Sarrus-Key
//   GET /events    rows, as server-sent events   POST /stop   }
//   GET /result    the result file as it is now
//
// Nothing else exists: no path, no text and no program that a client names is ever opened,
// evaluated or started. It listens on 127.0.0.1 only and answers only to that name (or localhost)
// in the Host header, so that no other site can be made to look like it.
#pragma once

#include <memory>
#include <string>

#include "view/shown.hpp"

namespace sarrus::app {

class ViewServer {
 public:
  explicit ViewServer(Shown& shown);
  ~ViewServer();

  /// Listens: on `port`, or with `search` on the first free one from there on; 0 is any free port.
  /// Returns the port. Throws Error(Fault::io) naming the port where it cannot.
  int open(int port, bool search);
  /// 32 hexadecimal digits that whoever may run the model has been told.
  const std::string& key() const;

  /// Answers until stop() is called.
  void serve();
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sarrus::app
