// Questions to the JobHistory server, asked one after the other in a thread of their own. A server that is
// slow, or never answers, holds up who asks for a stated time only.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "wavewright/core/interrupted.h"
#include "wavewright/core/time.h"
#include "wavewright/live/batch/cluster_driver.h"

namespace wavewright {

struct HistoryPatience {
  Duration wait = ms(2'000);    // of a call for its answer
  Duration kept = ms(120'000);  // an answer that nobody has taken, and a question that nobody repeats
};

// Thread-safe.
class HistoryQuestions {
 public:
  using Answer = std::vector<Application>;
  // Is to end when the flag is set, as requests do that have it.
  using Ask = std::function<Answer(InterruptFlag stopped)>;

  // `url`: of the server, for errors.
  HistoryQuestions(std::string url, HistoryPatience patience) : url_(std::move(url)), patience_(patience) {}
  // Interrupts the request under way.
  ~HistoryQuestions();
  HistoryQuestions(const HistoryQuestions&) = delete;
  HistoryQuestions& operator=(const HistoryQuestions&) = delete;
  HistoryQuestions(HistoryQuestions&&) = delete;
  HistoryQuestions& operator=(HistoryQuestions&&) = delete;

  // Calls `ask` in the thread, and returns or throws as it does. `question` is its name: calls with the same
  // name ask the same. Throws ExternalError if there is no answer in time, at once if the question under way
  // has had that time already. The question stays then: a later call with its name returns the answer, once.
  [[nodiscard]] Answer answer(const std::string& question, Ask ask);

 private:
  using Clock = std::chrono::steady_clock;

  struct Question {
    Ask ask = {};
    Clock::time_point wanted = {};  // the latest call
    std::optional<Clock::time_point> answered = std::nullopt;
    Answer answer = {};
    std::exception_ptr error = nullptr;  // instead of an answer
  };

  void work();
  void drop_old(Clock::time_point now);

  std::string url_;
  HistoryPatience patience_;
  std::mutex mutex_;
  std::condition_variable asked_, answered_;
  std::atomic<bool> stopped_{false};           // ends the request, too
  std::map<std::string, Question> questions_;  // by name; guarded, as the next three
  std::deque<std::string> waiting_;            // to be asked, in order
  std::string under_way_;
  std::optional<Clock::time_point> began_;  // the one under way
  std::thread thread_;                      // from the first question on
};

}  // namespace wavewright
