// Lets a thread have a processor before others.
#pragma once

namespace wavewright {

// The nice value of the calling thread [setpriority(2)]: a thread with a lower one goes first.
[[nodiscard]] int nice_value();
// Sets it; false if the account may not. Each account may raise its own, few may lower it.
bool set_nice_value(int value);

// Holds for the thread that makes it, and is used by that thread only. A new thread or process inherits the
// nice value of the thread that starts it: give the precedence back before. O(1): a system call each.
class ThreadPrecedence {
 public:
  static constexpr int lowers_by = 10;

  ThreadPrecedence() = default;
  ~ThreadPrecedence() { give_back(); }
  ThreadPrecedence(const ThreadPrecedence&) = delete;
  ThreadPrecedence& operator=(const ThreadPrecedence&) = delete;
  ThreadPrecedence(ThreadPrecedence&&) = delete;
  ThreadPrecedence& operator=(ThreadPrecedence&&) = delete;

  // Does nothing where the account may not: as root, with CAP_SYS_NICE or under `ulimit -e 30` it may.
  void take();
  void give_back();
  [[nodiscard]] bool taken() const { return taken_; }

 private:
  const int otherwise_ = nice_value();
  bool taken_ = false, refused_ = false;
};

}  // namespace wavewright
