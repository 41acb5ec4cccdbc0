#include "view/view_server.hpp"

#include <fmt/format.h>

#ifdef SARRUS_HAVE_HTTPLIB

#include <malloc.h>
#include <sys/random.h>

#include <charconv>
#include <deque>

#include "sarrus/files/text/file.hpp"
#include "view/bounded_server.hpp"

namespace sarrus::app {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr size_t most_threads = 256;
constexpr std::chrono::seconds idle_time(2);
constexpr int most_streams = 128, most_waiting = 512, ports_tried = 50;
constexpr size_t most_body = 64 << 10;  // of a request [bytes]
constexpr int wrong_keys = 10;          // in a minute before guesses are refused unseen
constexpr milliseconds patience(1000), between_events(60), heartbeat(10000);

std::string random_key() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    throw io_error("", "no-random-numbers", "the operating system gives no random numbers");
  std::string key;
  for (const unsigned char b : bytes) key += fmt::format("{:02x}", b);
  return key;
}

/// Takes as long for a wrong key as for the right one.
bool same(const std::string& a, const std::string& b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

/// Threads as they are needed: connections may rest for a long time, and there may be many. One
/// that had nothing to do for a while ends.
class Threads : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> task) override {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    waiting_.notify_one();
    if (idle_ >= tasks_.size() || count_ >= most_threads) return;
    ++count_;
    std::thread([this] { work(); }).detach();
  }
  void shutdown() override {
    std::unique_lock lock(mutex_);
    closed_ = true;
    waiting_.notify_all();
    ended_.wait(lock, [&] { return count_ == 0; });
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    const auto called = [&] { return closed_ || !tasks_.empty(); };
    for (;;) {
      ++idle_;
      waiting_.wait_for(lock, idle_time, called);
      --idle_;
      if (tasks_.empty()) break;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
    --count_;
    ended_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable waiting_, ended_;
  std::deque<std::function<void()>> tasks_;
  size_t idle_ = 0, count_ = 0;
  bool closed_ = false;
};

std::int64_t whole_number(const std::string& text) {
  std::int64_t n = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
  return problem == std::errc() && stop == text.data() + text.size() && n >= 0 ? n : 0;
}

std::string event(const std::string& name, const std::string& data, const std::string& id = "") {
  std::string text = id.empty() ? "" : "id: " + id + "\n";
  text += "event: " + name + "\n";
  for (size_t at = 0; at <= data.size();) {
    const size_t end = std::min(data.find('\n', at), data.size());
    text += "data: " + data.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text + "\n";
}

void refuse(httplib::Response& answer, int status, const std::string& words) {
  answer.status = status;
  answer.set_content(words + "\n", "text/plain; charset=utf-8");
}

}  // namespace

struct ViewServer::Parts {
  explicit Parts(Shown& s) : shown(s) {}

  Shown& shown;
  BoundedServer server;
  int port = 0, socket = -1;
  std::atomic<bool> closing = false;
  std::atomic<int> streams = 0;
  std::mutex guesses_mutex;
  std::deque<Clock::time_point> guesses;

  bool is_our_name(const std::string& host) const {
    for (const char* name : {"127.0.0.1", "localhost"})
      if (host == fmt::format("{}:{}", name, port)) return true;
    return false;
  }

  /// Where a request may not even be looked at; true where it was answered.
  bool turned_away(const httplib::Request& request, httplib::Response& answer) const {
    const std::string host = request.get_header_value("Host");
    if (request.get_header_value_count("Host") != 1 || !is_our_name(host))
      return refuse(answer, 403, "this name is not served here"), true;
    const std::string origin = request.get_header_value("Origin");
    const std::string site = request.get_header_value("Sec-Fetch-Site");
    if ((!origin.empty() && origin != "http://" + host) || site == "cross-site" ||
        site == "same-site")
      return refuse(answer, 403, "not for pages of other sites"), true;
    return false;
  }

  /// True where the key fits; otherwise the refusal is written.
  bool has_key(const httplib::Request& request, httplib::Response& answer, const std::string& key) {
    if (same(request.get_header_value("X-Sarrus-Key"), key)) return true;
    const std::lock_guard lock(guesses_mutex);
    const auto now = Clock::now();
    while (!guesses.empty() && now - guesses.front() > std::chrono::minutes(1)) guesses.pop_front();
    if (guesses.size() >= wrong_keys)
      return refuse(answer, 429, "too many wrong keys; wait a minute"), false;
    guesses.push_back(now);
    return refuse(answer, 401, "the key is missing or wrong: open the address that sarrus printed"),
           false;
  }

  void send_result(httplib::Response& answer) const {
    const auto [file, bytes] = shown.snapshot();
    if (!file) return refuse(answer, 404, "there is no result yet");
    answer.set_header("Content-Disposition", "attachment; filename=\"result.sarrus\"");
    answer.set_content_provider(
        bytes, "application/octet-stream",
        [file = file](size_t offset, size_t length, httplib::DataSink& sink) {
          std::string block(std::min<size_t>(length, 1 << 20), '\0');
          block.resize(file->read_at(offset, block.data(), block.size()));
          return !block.empty() && sink.write(block.data(), block.size());
        });
  }

  /// One page's stream: rows as they come, until it goes away.
  struct Stream {
    Parts& parts;
    std::int64_t from;
    int edition, faults = 0;
    bool first = true, end_known = false;
    Clock::time_point last = Clock::now();

    explicit Stream(Parts& p, std::int64_t have)
        : parts(p), from(have), edition(p.shown.edition()) {}
    ~Stream() { --parts.streams; }

    bool next(httplib::DataSink& sink) {
      if (parts.closing) return sink.done(), true;
      std::string text = first ? "retry: 1000\n: \n\n" : "";
      first = false;
      const News news = parts.shown.wait(from, edition, faults, end_known,
                                         text.empty() ? patience : milliseconds(0));
      if (news.edition != edition) text += event("restart", "another run");
      if (!news.rows.empty()) text += event("rows", news.rows, std::to_string(news.to));
      if (news.fault) text += event("fault", *news.fault);
      if (news.end) text += event("end", *news.end);
      if (!news.rows.empty()) end_known = false;
      end_known = end_known || news.end.has_value();
      from = news.to, edition = news.edition, faults = news.fault_number;
      if (text.empty() && Clock::now() - last > heartbeat) text = ": \n\n";
      if (text.empty()) return sink.is_writable();
      last = Clock::now();
      if (!sink.write(text.data(), text.size())) return false;
      std::this_thread::sleep_for(between_events);
      return true;
    }
  };

  void stream_events(const httplib::Request& request, httplib::Response& answer) {
    if (++streams > most_streams) {
      --streams;
      return refuse(answer, 503, "too many pages are open already");
    }
    const std::string known = request.get_header_value("Last-Event-ID");
    const std::int64_t from = whole_number(known.empty() ? request.get_param_value("from") : known);
    auto stream = std::make_shared<Stream>(*this, from);
    answer.set_chunked_content_provider(
        "text/event-stream",
        [stream](size_t, httplib::DataSink& sink) { return stream->next(sink); });
  }
};

ViewServer::ViewServer(Shown& shown) : parts_(std::make_unique<Parts>(shown)), key_(random_key()) {
  Parts& p = *parts_;
  httplib::Server& server = p.server;
  ::mallopt(M_ARENA_MAX, 2);  // many threads that each keep some memory would keep too much
  server.new_task_queue = [] { return new Threads; };
  server.set_payload_max_length(most_body);
  // a server killed and started again gets its port back; no second one shares it
  server.set_socket_options([&p](auto socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    p.socket = socket;
  });
  server.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cache-Control", "no-store"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"X-Frame-Options", "DENY"},
                              {"Content-Security-Policy", "frame-ancestors 'none'"}});
  using httplib::Request;
  using httplib::Response;
  server.set_pre_routing_handler([&p](const Request& request, Response& answer) {
    return p.turned_away(request, answer) ? httplib::Server::HandlerResponse::Handled
                                          : httplib::Server::HandlerResponse::Unhandled;
  });
  server.Get("/", [&p](const Request&, Response& answer) {
    const auto page = p.shown.page();
    answer.set_content_provider(page->size(), "text/html; charset=utf-8",
                                [page](size_t offset, size_t length, httplib::DataSink& sink) {
                                  return sink.write(page->data() + offset, length);
                                });
  });
  server.Get("/events", [&p](const Request& q, Response& a) { p.stream_events(q, a); });
  server.Get("/result", [&p](const Request&, Response& a) { p.send_result(a); });
  const auto command = [&](const char* path, bool (Shown::*act)(), const char* otherwise) {
    server.Post(path, [&p, this, act, otherwise](const Request& request, Response& answer) {
      if (!p.has_key(request, answer, key_)) return;
      if ((p.shown.*act)())
        answer.status = 204;
      else
        refuse(answer, 409, otherwise);
    });
  };
  command("/run", &Shown::start_run, "there is no model to run, or it runs already");
  command("/stop", &Shown::stop_run, "nothing runs");
}

ViewServer::~ViewServer() = default;

int ViewServer::open(int port, bool search) {
  Parts& p = *parts_;
  if (port == 0) {
    p.port = p.server.bind_to_any_port("127.0.0.1");
    if (p.port > 0) return p.port;
  }
  for (int n = 0; port > 0 && n < (search ? ports_tried : 1) && port + n < 65536; ++n)
    if (p.server.bind_to_port("127.0.0.1", port + n)) return p.port = port + n;
  throw io_error("", "port-taken",
                 search ? fmt::format("cannot listen on any of the ports {} to {}", port,
                                      port + ports_tried - 1)
                        : fmt::format("cannot listen on port {}: in use, or not allowed", port),
                 "--port 0 takes any free one");
}

void ViewServer::serve() {
  ::listen(parts_->socket, most_waiting);  // the library lets only five wait
  parts_->server.listen_after_bind();
}

void ViewServer::stop() {
  parts_->closing = true;
  parts_->shown.wake();
  parts_->server.stop();
}

bool has_view_server() { return true; }

}  // namespace sarrus::app

#else

namespace sarrus::app {

struct ViewServer::Parts {};
ViewServer::ViewServer(Shown&) {
  throw usage_error("not-built-in", "view",
                    "this Sarrus was built without cpp-httplib, which view needs",
                    "sarrus report writes the same page as a file; or build with "
                    "libcpp-httplib-dev installed");
}
ViewServer::~ViewServer() = default;
int ViewServer::open(int, bool) { return 0; }
void ViewServer::serve() {}
void ViewServer::stop() {}
bool has_view_server() { return false; }

}  // namespace sarrus::app

#endif
