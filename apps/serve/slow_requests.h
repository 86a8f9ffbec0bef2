// Ends connections whose request does not come to its end: a byte now and then would keep a thread of the
// HTTP server for ever, as its own time limits count from the last byte.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace wavewright::app {

class SlowRequests {
 public:
  // Looks at the connections of this process to that local port, about once a second, until it is destroyed.
  // One that brings no whole request, or takes no whole answer, in `patience` is closed.
  SlowRequests(int port, std::chrono::seconds patience);
  ~SlowRequests();
  SlowRequests(const SlowRequests&) = delete;
  SlowRequests& operator=(const SlowRequests&) = delete;
  SlowRequests(SlowRequests&&) = delete;
  SlowRequests& operator=(SlowRequests&&) = delete;

  // A whole request of that client has come, and is being answered until `end`.
  void begin(const std::string& address, int port);
  void end(const std::string& address, int port);

 private:
  using Clock = std::chrono::steady_clock;
  void watch();
  void look();

  int port_;
  std::chrono::seconds patience_;
  std::mutex mutex_;
  std::set<std::string> answered_;                  // clients whose requests are being answered
  std::map<std::string, Clock::time_point> since_;  // that a client has been waited for
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace wavewright::app
