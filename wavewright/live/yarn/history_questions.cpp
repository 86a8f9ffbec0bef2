#include "wavewright/live/yarn/history_questions.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

HistoryQuestions::~HistoryQuestions() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  asked_.notify_all();
  if (thread_.joinable()) thread_.join();
}

HistoryQuestions::Answer HistoryQuestions::answer(const std::string& question, Ask ask) {
  std::unique_lock lock(mutex_);
  const Clock::time_point now = Clock::now();
  drop_old(now);
  const auto [asked, added] = questions_.try_emplace(question);
  asked->second.wanted = now;
  if (added) {
    asked->second.ask = std::move(ask);
    waiting_.push_back(question);
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    asked_.notify_one();
  }
  auto found = questions_.end();
  const auto is_answered = [&] {  // by now, and no other call has taken the answer
    found = questions_.find(question);
    return found != questions_.end() && found->second.answered;
  };
  if (!answered_.wait_until(lock, began_.value_or(now) + patience_.wait, is_answered))
    throw ExternalError({url_}, "no answer within " + format_duration(patience_.wait),
                        "check that the JobHistory server answers; it is asked again");
  Question done = std::move(found->second);
  questions_.erase(found);
  if (done.error) std::rethrow_exception(done.error);
  return std::move(done.answer);
}

// The one under way stays: its answer goes there.
void HistoryQuestions::drop_old(Clock::time_point now) {
  for (auto each = questions_.begin(); each != questions_.end();) {
    const auto& [name, question] = *each;
    const bool old = now - question.answered.value_or(question.wanted) > patience_.kept;
    if (!old || name == under_way_) {
      ++each;
      continue;
    }
    std::erase(waiting_, name);
    each = questions_.erase(each);
  }
}

void HistoryQuestions::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    asked_.wait(lock, [&] { return stopped_ || !waiting_.empty(); });
    if (stopped_) return;
    under_way_ = std::move(waiting_.front());
    waiting_.pop_front();
    began_ = Clock::now();
    Question& question = questions_.at(under_way_);
    lock.unlock();
    Answer answer;
    std::exception_ptr error;
    try {
      answer = question.ask(&stopped_);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    question.answer = std::move(answer);
    question.error = std::move(error);
    question.answered = Clock::now();
    under_way_.clear();
    began_.reset();
    answered_.notify_all();
  }
}

}  // namespace wavewright
