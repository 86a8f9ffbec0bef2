// Two admission controllers see the same random jobs. One feeds ends back at once, the other when an answer
// needs it: their answers, queues and slots are the same.
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
  int accepted = 0, refused = 0, waiting = 0;  // waiting: answers that the bound alone gave
};

class TwoControllers {
 public:
  explicit TwoControllers(unsigned seed) : random_(seed) {
    if (below(2) == 1) delays_ = {.first = ms(3), .map = ms(3), .reduce = ms(3), .launch = ms(1)};
    const SlotPool slots{2 + below(6), 1 + below(4)};
    eager_.emplace(slots, AdmissionController::Options{.delays = delays_});
    lazy_.emplace(slots, AdmissionController::Options{.delays = delays_, .defers = true});
  }

  void run(Counts& counts) {
    while (next_ < jobs_of_a_world && !testing::Test::HasFailure()) {
      now_ += below(4);
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
    const auto here = eager_->admit(job, at_ms(now_)), there = lazy_->admit(job, at_ms(now_));
    ASSERT_EQ(here.accepted, there.accepted) << now_;
    ASSERT_EQ(here.late, there.late) << now_;
    ASSERT_EQ(here.earliest_deadline, there.earliest_deadline) << now_;
    if (!here.accepted) {
      ASSERT_EQ(here.end, there.end) << now_;
    }
    ++(here.accepted ? counts.accepted : counts.refused);
    if (here.accepted) waiting_.push_back({job});
    try {
      (void)lazy_->estimates();
    } catch (const InternalError&) {
      ++counts.waiting;
    }
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
    for (const JobIndex job : eager_->queue())
      ASSERT_TRUE(std::ranges::equal(eager_->maps(job).steps(), lazy_->maps(job).steps())) << now_;
  }

  std::mt19937 random_;
  AssignmentDelays delays_;
  std::optional<AdmissionController> eager_, lazy_;
  std::vector<Begun> waiting_, running_;
  std::int64_t now_ = 0;
  JobIndex next_ = 0;
};

TEST(DeferredFeedback, AnswersAsFeedbackAtOnceDoes) {
  Counts counts;
  for (unsigned seed = 0; seed < static_cast<unsigned>(sized(1'000)) && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    TwoControllers(seed).run(counts);
  }
  EXPECT_GT(counts.accepted, rare(10'000));
  EXPECT_GT(counts.refused, rare(1'000));
  EXPECT_GT(counts.waiting, rare(1'000));
}

}  // namespace
}  // namespace wavewright
