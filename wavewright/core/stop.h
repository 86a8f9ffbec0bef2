// When to stop long work: at a time limit, or on a request from outside (Ctrl-C).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>

namespace wavewright {

class Stop {
 public:
  using Clock = std::chrono::steady_clock;

  Stop() = default;
  explicit Stop(std::optional<std::chrono::nanoseconds> limit, const std::atomic<bool>* request = nullptr)
      : end_(limit ? std::optional(Clock::now() + *limit) : std::nullopt), request_(request) {}

  [[nodiscard]] bool requested() const {
    return request_ != nullptr && request_->load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool now() const { return requested() || (end_ && Clock::now() >= *end_); }

  // Elapsed share of the time since `began`, 0 to 1; 0 without a limit.
  [[nodiscard]] double gone(Clock::time_point began) const {
    if (!end_ || *end_ <= began) return end_ ? 1 : 0;
    const auto whole = std::chrono::duration<double>(*end_ - began);
    return std::min(1.0, std::chrono::duration<double>(Clock::now() - began) / whole);
  }

  // A limit at that share of the remaining time; no limit if there is none.
  [[nodiscard]] Stop share(double part) const {
    Stop own = *this;
    if (end_) {
      const Clock::time_point at = Clock::now();
      own.end_ = at + std::chrono::duration_cast<Clock::duration>((*end_ - at) * part);
    }
    return own;
  }

 private:
  std::optional<Clock::time_point> end_;
  const std::atomic<bool>* request_ = nullptr;
};

}  // namespace wavewright
