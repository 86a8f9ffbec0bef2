// Ends connections whose request does not come to its end: a byte now and then would keep a thread of the
// HTTP server for ever, as its own time limits count from the last byte. Such a client gets the status 408
// with an RFC 9457 problem first, unless an answer is on its way to it or the connection is encrypted (only
// its thread may write there). One whose bytes no thread has taken is not silent: it may wait for the others,
// and gets the status 503 at the limit of the whole request.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace wavewright::app {

class SlowRequests {
 public:
  struct Limits {
    std::chrono::seconds silence, whole;  // without a byte; for the whole request, and for the whole answer
  };

  // Looks at the connections of this process to that local port, about once a second, until it is destroyed.
  // `encrypted`: by TLS. One that passes a limit is closed; an encrypted one has the limit `whole` alone.
  SlowRequests(int port, Limits limits, bool encrypted);
  ~SlowRequests();
  SlowRequests(const SlowRequests&) = delete;
  SlowRequests& operator=(const SlowRequests&) = delete;
  SlowRequests(SlowRequests&&) = delete;
  SlowRequests& operator=(SlowRequests&&) = delete;

  // A whole request of that client has come, and is being answered until `end`. The answer has left with
  // `sent`.
  void begin(const std::string& address, int port);
  void end(const std::string& address, int port);
  void sent(const std::string& address, int port);

  // Takes what that client still sends of a request that has been answered unread, and drops it: until the
  // client ends the connection, 2 s without a byte, 10 s in all, or `ending`. A connection that is closed
  // with bytes unread is reset, and the client may lose the answer [RFC 9112 §9.6].
  void drain(const std::string& address, int port, const std::atomic<bool>& ending) const;

 private:
  using Clock = std::chrono::steady_clock;
  void watch();
  void look();

  int port_;
  Limits limits_;
  bool encrypted_;
  std::mutex mutex_;
  // By client: requests that are being answered, and those whose answer has not left. There may be two: a new
  // connection may have the port of one whose thread has not seen its end.
  std::map<std::string, int> answered_, unsent_;
  std::map<std::string, Clock::time_point> since_;  // that a client has been waited for
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace wavewright::app
