#include "wavewright/streaming/worker.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

using Clock = std::chrono::steady_clock;

// Tells every so often which unit is worked at. Writes of both threads do not mix.
class SignsOfLife {
 public:
  SignsOfLife(std::ostream& reports, std::chrono::seconds every)
      : reports_(reports), every_(every), thread_([this] { tell(); }) {}
  ~SignsOfLife() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  SignsOfLife(const SignsOfLife&) = delete;
  SignsOfLife& operator=(const SignsOfLife&) = delete;
  SignsOfLife(SignsOfLife&&) = delete;
  SignsOfLife& operator=(SignsOfLife&&) = delete;

  void begin(const std::string& unit) {
    const std::lock_guard lock(mutex_);
    unit_ = unit;
  }
  void line(const std::string& text) {
    const std::lock_guard lock(mutex_);
    reports_ << text << '\n' << std::flush;
  }

 private:
  void tell() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, every_, [this] { return ended_; }))
      reports_ << "reporter:status:unit " << unit_ << '\n' << std::flush;
  }

  std::ostream& reports_;
  std::chrono::seconds every_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string unit_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace

int run_units(std::istream& in, std::ostream& out, std::ostream& reports, const WorkerOptions& options,
              const UnitWork& work) {
  SignsOfLife life(reports, std::chrono::seconds(options.report_seconds));
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    const Clock::time_point began = Clock::now();
    UnitResult result;
    try {
      const Unit unit = parse_unit(line, "standard input");
      result.id = unit.id;
      life.begin(unit.id);
      result.text = work(unit);
    } catch (const Error& error) {
      const bool outside = error.status() == ExitStatus::outside;
      if (result.id.empty() || (outside && !options.last_attempt)) {
        life.line(fmt::format("wavewright: unit {}: {}", result.id, error.what()));
        return static_cast<int>(error.status());
      }
      result.status = static_cast<int>(error.status());
      result.error = error.what();
    }
    out << line_of(result) << '\n' << std::flush;
    if (!out) return static_cast<int>(ExitStatus::outside);
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began);
    life.line("reporter:counter:wavewright,units,1");
    life.line(fmt::format("reporter:counter:wavewright,microseconds,{}", took.count()));
  }
  return 0;
}

bool is_last_attempt(const char* attempt_id, const char* most_attempts) {
  if (attempt_id == nullptr) return true;  // no task of Hadoop
  const std::string_view id = attempt_id;
  const std::size_t bar = id.rfind('_');
  if (bar == std::string_view::npos) return true;
  constexpr int hadoop_default = 4;
  const int most = most_attempts == nullptr ? hadoop_default : std::atoi(most_attempts);
  return std::atoi(attempt_id + bar + 1) + 1 >= most;
}

}  // namespace wavewright
