#include "wavewright/live/batch/timed_calls.h"

#include <utility>

namespace wavewright {

namespace {

using Clock = std::chrono::steady_clock;

// Adds what passes while it lives, without precedence.
class Span {
 public:
  Span(std::chrono::nanoseconds& sum, ThreadPrecedence* precedence)
      : sum_(sum), precedence_(precedence != nullptr && precedence->taken() ? precedence : nullptr) {
    if (precedence_ != nullptr) precedence_->give_back();
  }
  ~Span() {
    if (precedence_ != nullptr) precedence_->take();
    sum_ += Clock::now() - began_;
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  Span(Span&&) = delete;
  Span& operator=(Span&&) = delete;

 private:
  std::chrono::nanoseconds& sum_;
  ThreadPrecedence* precedence_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace

std::chrono::nanoseconds TimedCalls::take() {
  return std::exchange(spent_, {});
}

LiveBatch TimedCalls::lead() {
  const Span span(spent_, precedence_);
  return journal_.lead();
}

void TimedCalls::write(const JournalEntry& entry) {
  const Span span(spent_, precedence_);
  journal_.write(entry);
}

void TimedCalls::beat() {
  const Span span(spent_, precedence_);
  journal_.beat();
}

std::vector<LiveJob> TimedCalls::added(std::size_t known) {
  const Span span(spent_, precedence_);
  return journal_.added(known);
}

std::vector<JobWish> TimedCalls::wishes() {
  const Span span(spent_, precedence_);
  return journal_.wishes();
}

Applications TimedCalls::applications(const std::string& tag) {
  const Span span(spent_, precedence_);
  return cluster_.applications(tag);
}

std::optional<Application> TimedCalls::ended_application(const std::string& id) {
  const Span span(spent_, precedence_);
  return cluster_.ended_application(id);
}

std::vector<Application> TimedCalls::ended_with(const std::string& tag, Time since) {
  const Span span(spent_, precedence_);
  return cluster_.ended_with(tag, since);
}

void TimedCalls::kill_application(const ClientAttempt& attempt, const std::vector<std::string>& command,
                                  const std::string& id) {
  const Span span(spent_, precedence_);
  cluster_.kill_application(attempt, command, id);
}

std::string TimedCalls::machine() {
  const Span span(spent_, precedence_);
  return cluster_.machine();
}

void TimedCalls::start(const ClientAttempt& attempt, const std::vector<std::string>& command) {
  const Span span(spent_, precedence_);
  cluster_.start(attempt, command);
}

Client TimedCalls::client(const ClientAttempt& attempt) {
  const Span span(spent_, precedence_);
  return cluster_.client(attempt);
}

void TimedCalls::kill_client(const ClientAttempt& attempt) {
  const Span span(spent_, precedence_);
  cluster_.kill_client(attempt);
}

void TimedCalls::forget(const ClientAttempt& attempt) {
  const Span span(spent_, precedence_);
  cluster_.forget(attempt);
}

}  // namespace wavewright
