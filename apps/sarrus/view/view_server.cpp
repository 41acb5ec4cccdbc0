#include "view/view_server.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/random.h>

#include <charconv>
#include <deque>

#include "sarrus/files/text/file.hpp"
#include "view/http_server.hpp"

namespace sarrus::app {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr int most_streams = 128, ports_tried = 50;
constexpr size_t block = 1 << 20;  // of a file that is sent [bytes]
constexpr size_t wrong_keys = 10;  // in a minute before guesses are refused unseen
constexpr milliseconds event_patience(1000), between_events(60), heartbeat(10000);

std::string random_key() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    throw io_error("", "no-random-numbers", "the operating system gives no random numbers");
  std::string key;
  for (const unsigned char b : bytes) key += fmt::format("{:02x}", b);
  return key;
}

/// Takes as long for a wrong key as for the right one.
bool same(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

std::int64_t whole_number(std::string_view text) {
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

}  // namespace

struct ViewServer::Parts {
  explicit Parts(Shown& s) : shown(s) {}

  Shown& shown;
  HttpServer server{[this](const HttpRequest& q, HttpConnection& to) { answer(q, to); }};
  const std::string key = random_key();
  int port = 0;
  std::atomic<int> streams = 0;
  std::mutex guesses_mutex;
  std::deque<Clock::time_point> guesses;

  struct Route {
    std::string_view method, path;
    void (Parts::*act)(const HttpRequest&, HttpConnection&);
  };

  void answer(const HttpRequest& request, HttpConnection& to) {
    static constexpr Route routes[] = {
        {"GET", "/", &Parts::send_page},         {"GET", "/events", &Parts::stream_events},
        {"GET", "/result", &Parts::send_result}, {"POST", "/run", &Parts::run},
        {"POST", "/stop", &Parts::stop},
    };
    if (is_turned_away(request, to)) return;
    std::string allowed;
    for (const Route& route : routes) {
      if (route.path != request.path) continue;
      if (route.method == request.method) return (this->*route.act)(request, to);
      allowed = fmt::format("Allow: {}\r\n", route.method);
    }
    if (allowed.empty()) return to.say(404, "there is nothing of this name");
    to.say(405, "this is not how it is asked for", allowed);
  }

  // ── who may ask ──

  bool is_our_name(std::string_view host) const {
    for (const char* name : {"127.0.0.1", "localhost"})
      if (host == fmt::format("{}:{}", name, port)) return true;
    return false;
  }

  /// Rejects a request before it is handled; true where it was answered.
  bool is_turned_away(const HttpRequest& request, HttpConnection& to) const {
    const std::string_view host = request.field("host");
    if (request.count("host") != 1 || !is_our_name(host))
      return to.say(403, "this name is not served here"), true;
    const std::string_view origin = request.field("origin");
    const std::string_view site = request.field("sec-fetch-site");
    if ((!origin.empty() && origin != fmt::format("http://{}", host)) || site == "cross-site" ||
        site == "same-site")
      return to.say(403, "not for pages of other sites"), true;
    return false;
  }

  /// True where the key fits; otherwise the refusal is written.
  bool has_key(const HttpRequest& request, HttpConnection& to) {
    if (same(request.field("x-sarrus-key"), key)) return true;
    const std::lock_guard lock(guesses_mutex);
    const auto now = Clock::now();
    while (!guesses.empty() && now - guesses.front() > std::chrono::minutes(1)) guesses.pop_front();
    if (guesses.size() >= wrong_keys)
      return to.say(429, "too many wrong keys; wait a minute"), false;
    guesses.push_back(now);
    return to.say(401, "the key is missing or wrong: open the address that sarrus printed"), false;
  }

  // ── what they get ──

  void send_page(const HttpRequest&, HttpConnection& to) {
    const std::shared_ptr<const std::string> page = shown.page();
    to.answer(200, "text/html; charset=utf-8", *page);
  }

  void send_result(const HttpRequest&, HttpConnection& to) {
    const auto [file, bytes] = shown.snapshot();
    if (!file) return to.say(404, "there is no result yet");
    to.begin(200, "application/octet-stream", bytes,
             "Content-Disposition: attachment; filename=\"result.sarrus\"\r\n");
    std::string piece;
    for (std::uint64_t at = 0; at < bytes; at += piece.size()) {
      piece.resize(std::min<std::uint64_t>(bytes - at, block));
      piece.resize(file->read_at(at, piece.data(), piece.size()));
      if (piece.empty() || !to.write(piece)) return;
    }
  }

  void run(const HttpRequest& request, HttpConnection& to) {
    if (!has_key(request, to)) return;
    if (shown.start_run()) return to.say(204, "");
    to.say(409, "there is no model to run, or it runs already");
  }

  void stop(const HttpRequest& request, HttpConnection& to) {
    if (!has_key(request, to)) return;
    if (shown.stop_run()) return to.say(204, "");
    to.say(409, "nothing runs");
  }

  /// One page's stream: rows as they come, until it goes away.
  struct Stream {
    Shown& shown;
    std::int64_t from;
    int edition = shown.edition(), faults = 0;
    bool first = true, end_known = false;
    Clock::time_point last = Clock::now();

    /// What to send next, after some patience; empty where there is nothing to tell.
    std::string next() {
      std::string text = first ? "retry: 1000\n: \n\n" : "";
      first = false;
      const News news = shown.wait(from, edition, faults, end_known,
                                   text.empty() ? event_patience : milliseconds(0));
      if (news.edition != edition) text += event("restart", "another run");
      if (!news.rows.empty()) text += event("rows", news.rows, std::to_string(news.to));
      if (news.fault) text += event("fault", *news.fault);
      if (news.end) text += event("end", *news.end);
      if (!news.rows.empty()) end_known = false;
      end_known = end_known || news.end.has_value();
      from = news.to, edition = news.edition, faults = news.fault_number;
      if (text.empty() && Clock::now() - last > heartbeat) text = ": \n\n";
      if (!text.empty()) last = Clock::now();
      return text;
    }
  };

  /// One of a limited number of viewers; released when the stream ends, however it ends.
  struct Place {
    std::atomic<int>& taken;
    explicit Place(std::atomic<int>& streams) : taken(streams) { ++taken; }
    ~Place() { --taken; }
  };

  void stream_events(const HttpRequest& request, HttpConnection& to) {
    const Place place(streams);
    if (streams > most_streams) return to.say(503, "too many pages are open already");
    const std::string_view known = request.field("last-event-id");
    Stream stream{shown, whole_number(known.empty() ? request.parameter("from") : known)};
    to.begin_endless("text/event-stream");
    while (to.is_alive()) {
      const std::string text = stream.next();
      if (text.empty()) continue;
      if (!to.write(text)) return;
      std::this_thread::sleep_for(between_events);
    }
  }
};

ViewServer::ViewServer(Shown& shown) : parts_(std::make_unique<Parts>(shown)) {
  ::mallopt(M_ARENA_MAX, 2);  // many threads that each keep some memory would keep too much
}

ViewServer::~ViewServer() = default;

const std::string& ViewServer::key() const { return parts_->key; }

int ViewServer::open(int port, bool search) {
  Parts& p = *parts_;
  for (int n = 0; n < (search ? ports_tried : 1) && port + n < 65536 && p.port == 0; ++n)
    p.port = p.server.listen(port + n);
  if (p.port > 0) return p.port;
  throw io_error("", "port-taken",
                 search ? fmt::format("cannot listen on any of the ports {} to {}", port,
                                      port + ports_tried - 1)
                        : fmt::format("cannot listen on port {}: in use, or not allowed", port),
                 "--port 0 takes any free one");
}

void ViewServer::serve() { parts_->server.serve(); }

void ViewServer::stop() {
  parts_->server.stop();
  parts_->shown.wake();
}

}  // namespace sarrus::app
