#include "view/http_server.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

namespace sarrus::app {
namespace {

using std::chrono::milliseconds;

constexpr size_t most_threads = 256, most_waiting = 512;
constexpr std::chrono::seconds idle_time(2);
constexpr milliseconds until_next_call(100);  // at whether to end
constexpr milliseconds until_files_close(50);

/// Threads as they are needed: connections may rest for a long time, and there may be many. One
/// that had nothing to do for a while ends.
class Threads {
 public:
  using Task = std::function<void()>;

  ~Threads() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    waiting_.notify_all();
    ended_.wait(lock, [&] { return count_ == 0; });
  }
  /// False where too much waits already, or there is nobody to do it.
  bool take(Task task) {
    const std::lock_guard lock(mutex_);
    if (tasks_.size() >= most_waiting) return false;
    tasks_.push_back(std::move(task));
    waiting_.notify_one();
    if (idle_ >= tasks_.size() || count_ >= most_threads) return true;
    try {
      std::thread([this] { work(); }).detach();
      ++count_;
    } catch (const std::system_error&) {  // the machine gives no more threads
      if (count_ > 0) return true;
      tasks_.pop_back();
      return false;
    }
    return true;
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
      {
        const Task task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        task();
      }
      lock.lock();
    }
    --count_;
    ended_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable waiting_, ended_;
  std::deque<Task> tasks_;
  size_t idle_ = 0, count_ = 0;
  bool closed_ = false;
};

sockaddr_in this_machine(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

}  // namespace

HttpServer::HttpServer(Answer answer, const HttpPatience& patience)
    : answer_(std::move(answer)), patience_(patience) {}

HttpServer::~HttpServer() {
  if (socket_ >= 0) ::close(socket_);
}

int HttpServer::listen(int port) {
  const int yes = 1;
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  // a server killed and started again gets its port back; no second one shares it
  ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address = this_machine(port);
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket_, plain, size) == 0 && ::listen(socket_, most_waiting) == 0 &&
      ::getsockname(socket_, plain, &size) == 0)
    return ntohs(address.sin_port);
  ::close(std::exchange(socket_, -1));
  return 0;
}

void HttpServer::serve() {
  Threads threads;
  pollfd called{socket_, POLLIN, 0};
  while (!ending_) {
    if (::poll(&called, 1, until_next_call.count()) <= 0) continue;
    const int client = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) {
      // the client has gone again, or there are no descriptors left until others close
      if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
        std::this_thread::sleep_for(until_files_close);
      continue;
    }
    bool taken = false;
    try {
      taken = threads.take([this, client] { attend(client); });
    } catch (const std::bad_alloc&) {
    }
    if (!taken) ::close(client);
  }
}

void HttpServer::attend(int socket) {
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  HttpConnection connection(socket, patience_, ending_);
  try {
    while (const std::optional<HttpRequest> request = connection.next()) try {
        answer_(*request, connection);
      } catch (const std::exception&) {  // no memory, a file that went: what is not ours to tell
        connection.close_after();
        if (!connection.has_begun()) connection.say(500, "this went wrong here, not there");
      }
  } catch (const std::exception&) {  // no memory even for that: the connection ends
  }
}

}  // namespace sarrus::app
