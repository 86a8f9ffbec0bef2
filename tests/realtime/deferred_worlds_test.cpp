// Two admission controllers see the same random jobs. One feeds ends back, or places all tasks anew, at once,
// the other when an answer needs it: their answers, queues and slots are the same.
#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/realtime/admission.h"

namespace wavewright {
namespace {

constexpr JobIndex jobs_of_a_world = 60;

struct Begun {
  RealtimeJob job;
  std::int64_t at = 0;
};

struct Counts {
  int accepted = 0, refused = 0;
  int waiting = 0;  // answers that the bound alone gave
  int coarse = 0;   // of fewer steps
};

class TwoControllers {
 public:
  TwoControllers(unsigned seed, Feedback feedback, QueueOrder order)
      : random_(seed), replans_(feedback == Feedback::tasks) {
    if (below(2) == 1)
      delays_ = {.first = ms(3), .ready = ms(below(3)), .map = ms(3), .reduce = ms(3), .launch = ms(1)};
    slots_ = {2 + below(6), 1 + below(4)};
    AdmissionController::Options options{.feedback = feedback, .delays = delays_, .order = order};
    eager_.emplace(slots_, options);
    options.defers = true;
    if (below(3) > 0) options.exact_steps = static_cast<std::size_t>(below(3) * 4);
    lazy_.emplace(slots_, options);
  }

  void run(Counts& counts) {
    while (next_ < jobs_of_a_world && !testing::Test::HasFailure()) {
      now_ += below(4);
      if (replans_ && below(6) == 0) replan();
      const std::int64_t what = below(3);
      if (what == 0) {
        arrive(counts);
      } else if (what == 1 && !waiting_.empty()) {
        start();
      } else if (!running_.empty()) {
        finish();
      }
      ASSERT_TRUE(std::ranges::equal(eager_->queue(), lazy_->queue())) << now_;
      if (below(8) == 0) compare_all();
    }
  }

 private:
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(count));
  }
  std::size_t one_of(std::size_t count) {
    return static_cast<std::size_t>(below(static_cast<std::int64_t>(count)));
  }

  void arrive(Counts& counts) {
    RealtimeJob job{.job = next_++, .maps = below(5), .reduces = below(3)};
    job.map = ms(1 + below(12));
    job.reduce = ms(1 + below(12));
    job.deadline = at_ms(now_ + 10 + below(60));
    if (replans_) replan();
    const auto here = eager_->admit(job, at_ms(now_)), there = lazy_->admit(job, at_ms(now_));
    ASSERT_EQ(here.accepted, there.accepted) << now_;
    ASSERT_EQ(here.late, there.late) << now_;
    ASSERT_EQ(here.earliest_deadline, there.earliest_deadline) << now_;
    if (!here.accepted) {
      ASSERT_EQ(here.end, there.end) << now_;
    } else if (replans_) {
      ASSERT_LE(here.end, there.end) << now_;
      ASSERT_LE(there.end, job.deadline) << now_;
      if (there.end > here.end) ++counts.coarse;
    }
    ++(here.accepted ? counts.accepted : counts.refused);
    if (here.accepted) waiting_.push_back({job});
    try {
      (void)lazy_->estimates();
    } catch (const InternalError&) {
      ++counts.waiting;
    }
  }

  // Half of the maps of each job that has started run since then.
  void replan() {
    std::vector<Time> starts;
    const auto left = [&](JobIndex job) {
      const auto its = std::ranges::find(running_, job, [](const Begun& each) { return each.job.job; });
      const Count run = (its->job.maps + 1) / 2;
      starts.assign(static_cast<std::size_t>(run), at_ms(its->at));
      return TasksLeft{its->job.maps - run, its->job.reduces, starts, {}};
    };
    eager_->replan(slots_, left, at_ms(now_));
    lazy_->replan(slots_, left, at_ms(now_));
  }

  // Mostly the first of the queue that waits, sometimes another.
  void start() {
    std::size_t which = one_of(waiting_.size());
    if (below(5) > 0) {
      for (const JobIndex job : eager_->queue()) {
        const auto found = std::ranges::find(waiting_, job, [](const Begun& each) { return each.job.job; });
        if (found == waiting_.end()) continue;
        which = static_cast<std::size_t>(found - waiting_.begin());
        break;
      }
    }
    Begun begun = waiting_[which];
    begun.at = now_;
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(which));
    ASSERT_EQ(eager_->started(begun.job.job, at_ms(now_)), lazy_->started(begun.job.job, at_ms(now_)))
        << now_;
    running_.push_back(begun);
  }

  void finish() {
    const std::size_t which = one_of(running_.size());
    const Begun begun = running_[which];
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(which));
    const auto ends = [&](Count tasks) {
      std::vector<Time> times;
      for (Count i = 0; i < tasks; ++i)
        times.push_back(at_ms(begun.at + below(now_ - begun.at + 1)) + delays_.first);
      return times;
    };
    const std::vector<Time> maps = ends(begun.job.maps), reduces = ends(begun.job.reduces);
    eager_->finished(begun.job.job, maps, reduces, at_ms(now_));
    lazy_->finished(begun.job.job, maps, reduces, at_ms(now_));
  }

  void compare_all() {
    lazy_->catch_up();
    ASSERT_EQ(eager_->estimates(), lazy_->estimates()) << now_;
    for (const JobIndex job : eager_->queue()) {
      ASSERT_TRUE(std::ranges::equal(eager_->maps(job).steps(), lazy_->maps(job).steps())) << now_;
      ASSERT_TRUE(std::ranges::equal(eager_->reduces(job).steps(), lazy_->reduces(job).steps())) << now_;
    }
  }

  std::mt19937 random_;
  bool replans_;
  SlotPool slots_;
  AssignmentDelays delays_;
  std::optional<AdmissionController> eager_, lazy_;
  std::vector<Begun> waiting_, running_;
  std::int64_t now_ = 0;
  JobIndex next_ = 0;
};

TEST(DeferredFeedback, AnswersAsFeedbackAtOnceDoes) {
  Counts counts;
  for (unsigned seed = 0; seed < static_cast<unsigned>(fewer(8'000, 700)) && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    TwoControllers(seed, Feedback::jobs, QueueOrder::started).run(counts);
  }
  EXPECT_GT(counts.accepted, fewer(10'000, 400));
  EXPECT_GT(counts.refused, fewer(1'000, 30));
  EXPECT_GT(counts.waiting, fewer(1'000, 30));
}

TEST(DeferredEstimates, AnswerAsEstimatesAtOnceDo) {
  for (const QueueOrder order : {QueueOrder::started, QueueOrder::deadline, QueueOrder::any}) {
    SCOPED_TRACE(static_cast<int>(order));
    Counts counts;
    for (unsigned seed = 0; seed < static_cast<unsigned>(sized(200)) && !HasFailure(); ++seed) {
      SCOPED_TRACE(seed);
      TwoControllers(seed, Feedback::tasks, order).run(counts);
    }
    EXPECT_GT(counts.accepted, rare(1'000));
    EXPECT_GT(counts.refused, rare(200));
    EXPECT_GT(counts.waiting, 0);
    EXPECT_GT(counts.coarse, rare(20));
  }
}

}  // namespace
}  // namespace wavewright
