#include "wavewright/realtime/admission.h"

#include <algorithm>
#include <map>
#include <vector>

#include "tests/property.h"

namespace wavewright {
namespace {

RealtimeJob job(JobIndex number, std::int64_t deadline, Count maps, std::int64_t map, Count reduces = 0,
                std::int64_t reduce = 0) {
  return {number, at_ms(deadline), maps, reduces, ms(map), ms(reduce)};
}

TEST(Admission, AcceptsWhatEndsInTime) {
  AdmissionController controller({2, 1}, {});
  // Four maps of 10 on two slots, then two reduces of 5 on one: the end is at 30.
  EXPECT_FALSE(controller.admit(job(0, 29, 4, 10, 2, 5), at_ms(0)).accepted);
  const AdmissionAnswer answer = controller.admit(job(0, 30, 4, 10, 2, 5), at_ms(0));
  EXPECT_TRUE(answer.accepted);
  EXPECT_EQ(answer.end, at_ms(30));
  EXPECT_EQ(controller.queue(), std::vector<JobIndex>{0});
}

TEST(Admission, ARefusalTellsTheEarliestDeadline) {
  AdmissionController controller({1, 1}, {});
  ASSERT_TRUE(controller.admit(job(0, 25, 2, 10), at_ms(0)).accepted);
  // Before job 0 it would end at 10, and job 0 at 30; behind it, at 30.
  const AdmissionAnswer answer = controller.admit(job(1, 20, 1, 10), at_ms(0));
  EXPECT_FALSE(answer.accepted);
  EXPECT_EQ(answer.late, JobIndex{0});
  EXPECT_EQ(answer.earliest_deadline, at_ms(30));
  EXPECT_TRUE(controller.admit(job(1, 30, 1, 10), at_ms(0)).accepted);
  EXPECT_EQ(controller.estimate(0), at_ms(20));
}

// Two near maps of 5 on two slots, then two others of 10 on the same.
TEST(Admission, ARefusalCountsNearMapsAndTheOthersBehindThem) {
  for (const std::int64_t deadline : {5, 9, 14}) {
    AdmissionController controller({2, 1}, {});
    RealtimeJob asked = job(0, deadline, 4, 10);
    asked.near_maps = 2;
    asked.near_map = ms(5);
    const AdmissionAnswer answer = controller.admit(asked, at_ms(0));
    EXPECT_FALSE(answer.accepted);
    EXPECT_EQ(answer.end, at_ms(15)) << deadline;
    EXPECT_EQ(answer.earliest_deadline, at_ms(15)) << deadline;
  }
}

TEST(Admission, NothingOvertakesAJobThatHasStarted) {
  AdmissionController controller({1, 1}, {});
  ASSERT_TRUE(controller.admit(job(0, 100, 3, 10), at_ms(0)).accepted);
  controller.started(0, at_ms(0));
  EXPECT_FALSE(controller.admit(job(1, 39, 1, 10), at_ms(5)).accepted);
  EXPECT_TRUE(controller.admit(job(1, 40, 1, 10), at_ms(5)).accepted);
}

// The vectors of the last job that was started count, also once it has ended.
TEST(Admission, SlotsAreTakenByAJobThatEndedEarlyUnlessThatIsFedBack) {
  for (const Feedback feedback : {Feedback::none, Feedback::jobs}) {
    AdmissionController controller({1, 1}, {.feedback = feedback});
    ASSERT_TRUE(controller.admit(job(0, 100, 1, 50), at_ms(0)).accepted);
    controller.started(0, at_ms(0));
    const std::vector<Time> ends{at_ms(10)};
    controller.finished(0, ends, {}, at_ms(10));
    const AdmissionAnswer answer = controller.admit(job(1, 30, 1, 10), at_ms(10));
    EXPECT_EQ(answer.accepted, feedback == Feedback::jobs);
    EXPECT_EQ(answer.end, feedback == Feedback::jobs ? at_ms(20) : at_ms(60));
  }
}

TEST(Admission, SmallDifferencesAreNotFedBack) {
  AdmissionController controller({1, 1}, {.threshold = ms(41)});
  ASSERT_TRUE(controller.admit(job(0, 100, 1, 50), at_ms(0)).accepted);
  controller.started(0, at_ms(0));
  const std::vector<Time> ends{at_ms(10)};
  controller.finished(0, ends, {}, at_ms(10));
  EXPECT_EQ(controller.admit(job(1, 100, 1, 10), at_ms(10)).end, at_ms(60));
}

// The empty job stood before one that has started. Once it is over, only that one's place is fixed.
TEST(Admission, AnEmptyJobLeavesNoPlaceBehind) {
  AdmissionController controller({1, 1}, {});
  ASSERT_TRUE(controller.admit(job(0, 50, 0, 0), at_ms(0)).accepted);
  ASSERT_TRUE(controller.admit(job(1, 100, 1, 10), at_ms(0)).accepted);
  controller.started(1, at_ms(0));
  controller.finished(0, {}, {}, at_ms(0));
  ASSERT_TRUE(controller.admit(job(2, 900, 1, 10), at_ms(1)).accepted);
  ASSERT_TRUE(controller.admit(job(3, 800, 1, 10), at_ms(1)).accepted);
  EXPECT_EQ(controller.queue(), (std::vector<JobIndex>{1, 3, 2}));
}

TEST(Admission, PlacesAnewWhatIsLeft) {
  AdmissionController controller({2, 1}, {});
  ASSERT_TRUE(controller.admit(job(0, 100, 4, 20, 1, 10), at_ms(0)).accepted);
  ASSERT_TRUE(controller.admit(job(1, 110, 2, 20), at_ms(0)).accepted);
  EXPECT_EQ(controller.estimate(0), at_ms(50));
  controller.started(0, at_ms(0));
  // At 15 one slot is lost with its map: one map runs since 10, two wait; then the reduce; then the other
  // job.
  const std::vector<Time> running{at_ms(10)};
  controller.replan({1, 1}, [&](JobIndex) { return TasksLeft{2, 1, running, {}}; }, at_ms(15));
  EXPECT_EQ(controller.estimate(0), at_ms(80));
  EXPECT_EQ(controller.estimate(1), at_ms(110));
  EXPECT_TRUE(controller.at_risk().empty());
  controller.replan({1, 1}, [&](JobIndex) { return TasksLeft{3, 1, running, {}}; }, at_ms(15));
  EXPECT_EQ(controller.at_risk(), std::vector<JobIndex>{1});
}

// As where a node was lost, and the tasks on it are not known to be over.
TEST(Admission, MoreTasksMayRunThanThereAreSlots) {
  for (const bool last_to_end : {false, true}) {
    AdmissionController controller(
        {3, 0}, {.feedback = Feedback::tasks, .order = QueueOrder::deadline, .last_to_end = last_to_end});
    ASSERT_TRUE(controller.admit(job(0, 1'000, 4, 20), at_ms(0)).accepted);
    controller.started(0, at_ms(0));
    const std::vector<Time> running{at_ms(12), at_ms(7), at_ms(2)};
    controller.replan({2, 0}, [&](JobIndex) { return TasksLeft{1, 0, running, {}}; }, at_ms(15));
    EXPECT_EQ(controller.estimate(0), at_ms(last_to_end ? 27 + 20 : 22 + 20));
  }
}

TEST(Admission, DelaysOfHeartbeatsAreAdded) {
  AdmissionController controller({1, 1}, {.delays = {.first = ms(3),
                                                     .ready = ms(3),
                                                     .map = ms(6),
                                                     .reduce = ms(3),
                                                     .launch = ms(1),
                                                     .setup = ms(100),
                                                     .commit = ms(1000)}});
  const AdmissionAnswer answer = controller.admit(job(0, 5000, 2, 10, 1, 20), at_ms(0));
  // Setup and a report; two maps of 10 + 1 + 6; until reduces are asked for; one of 20 + 1 + 3; commit.
  EXPECT_EQ(answer.end, at_ms(100 + 3 + 2 * 17 + 3 + 24 + 1000));
}

// Its report is due by 103, whenever it is placed anew.
TEST(Admission, AJobThatWaitsDoesNotWaitForANewReport) {
  AdmissionController controller({1, 1}, {.feedback = Feedback::tasks, .delays = {.first = ms(3)}});
  ASSERT_TRUE(controller.admit(job(0, 113, 1, 10), at_ms(100)).accepted);
  for (const auto& [now, end] : {std::pair{100, 113}, {102, 113}, {103, 113}, {105, 115}}) {
    controller.replan({1, 1}, [](JobIndex) { return TasksLeft{}; }, at_ms(now));
    EXPECT_EQ(controller.estimate(0), at_ms(end)) << now;
  }
}

// Tasks of a job that has started wait for the report that was due after its arrival, and reduces until they
// are asked for after they became ready.
TEST(Admission, AStartedJobWaitsForNoMoreReportsThanItMust) {
  AdmissionController controller({2, 1},
                                 {.feedback = Feedback::tasks, .delays = {.first = ms(3), .ready = ms(3)}});
  ASSERT_TRUE(controller.admit(job(0, 200, 2, 10, 1, 20), at_ms(100)).accepted);
  EXPECT_EQ(controller.estimate(0), at_ms(100 + 3 + 10 + 3 + 20));
  controller.started(0, at_ms(101));
  const std::vector<Time> running{at_ms(101)};
  const auto replanned = [&](const TasksLeft& left, std::int64_t now) {
    controller.replan({2, 1}, [&](JobIndex) { return left; }, at_ms(now));
    return to_ms(controller.estimate(0));
  };
  EXPECT_EQ(replanned({1, 1, running, {}}, 102), 103 + 10 + 3 + 20);
  EXPECT_EQ(replanned({0, 1, {}, {}, at_ms(111)}, 112), 111 + 3 + 20);
  EXPECT_EQ(replanned({0, 1, {}, {}, at_ms(111)}, 120), 120 + 20);
}

TEST(Admission, AStartedJobGivesWayToOneThatIsDueFirst) {
  AdmissionController controller({1, 1}, {.feedback = Feedback::tasks, .order = QueueOrder::deadline});
  ASSERT_TRUE(controller.admit(job(0, 100, 3, 10), at_ms(0)).accepted);
  controller.started(0, at_ms(0));
  const std::vector<Time> running{at_ms(0)};
  controller.replan({1, 1}, [&](JobIndex) { return TasksLeft{2, 0, running, {}}; }, at_ms(5));
  const AdmissionAnswer refused = controller.admit(job(1, 19, 1, 10), at_ms(5));
  EXPECT_FALSE(refused.accepted);
  EXPECT_EQ(refused.earliest_deadline, at_ms(20));
  EXPECT_EQ(controller.admit(job(1, 20, 1, 10), at_ms(5)).end, at_ms(20));
  EXPECT_EQ(controller.estimate(0), at_ms(40));
  EXPECT_EQ(controller.queue(), (std::vector<JobIndex>{1, 0}));
}

// A thousand times the slots and tasks, or a thousand times the lengths: the vectors change as often.
TEST(Admission, VectorsTakeMemoryByTheirChangesNotBySlotsOrTime) {
  const auto steps = [](Count slots, std::int64_t length) {
    AdmissionController controller({7 * slots, 3 * slots}, {});
    for (JobIndex number = 0; number < 200; ++number) {
      const std::int64_t n = number;
      const RealtimeJob one = job(number, (40'000 + n) * length, (1 + n % 11) * slots, (3 + n % 7) * length,
                                  (n % 4) * slots, (2 + n % 5) * length);
      EXPECT_TRUE(controller.admit(one, at_ms(0)).accepted);
    }
    return controller.steps();
  };
  const std::size_t plain = steps(1, 1);
  EXPECT_GT(plain, 50U);
  EXPECT_EQ(steps(1'000, 1), plain);
  EXPECT_EQ(steps(1, 1'000), plain);
}

// ---- the paper's algorithms by letter

class ByLetter {
 public:
  struct Entry {
    RealtimeJob job;
    bool started = false, ended = false, fed_back = false;
    std::int64_t start = 0;
    std::vector<std::int64_t> map_ends, reduce_ends, maps, reduces;
    std::int64_t end = 0, promised = 0;
  };
  ByLetter(SlotPool slots, bool feeds_back, std::int64_t threshold)
      : zeros_{std::vector<std::int64_t>(static_cast<std::size_t>(slots.map_slots)),
               std::vector<std::int64_t>(static_cast<std::size_t>(slots.reduce_slots))},
        feeds_back_(feeds_back),
        threshold_(threshold) {}

  bool admit(const RealtimeJob& job, std::int64_t now) {
    std::vector<Entry> queue = queue_;
    std::size_t place = fixed_;
    while (place < queue.size() && queue[place].job.deadline <= job.deadline) ++place;
    Entry entry;
    entry.job = job;
    queue.insert(queue.begin() + static_cast<std::ptrdiff_t>(place), entry);
    for (std::size_t i = place; i < queue.size(); ++i) {
      const bool was_late = i > place && queue[i].end > to_ms(queue[i].job.deadline);
      estimate(queue, i, now);
      if (!was_late && queue[i].end > to_ms(queue[i].job.deadline)) return false;
    }
    queue[place].promised = queue[place].end;
    queue_ = std::move(queue);
    return true;
  }
  void started(JobIndex job, std::int64_t now) {
    const std::size_t at = place(job);
    queue_[at].started = true;
    queue_[at].start = now;
    fixed_ = std::max(fixed_, at + 1);
  }
  void finished(JobIndex job, std::vector<std::int64_t> maps, std::vector<std::int64_t> reduces,
                std::int64_t now) {
    Entry& entry = queue_[place(job)];
    entry.ended = true;
    if (!feeds_back_ || (std::abs(entry.promised - now) < threshold_ && now <= to_ms(entry.job.deadline)))
      return;
    std::sort(maps.begin(), maps.end());
    std::sort(reduces.begin(), reduces.end());
    entry.fed_back = true;
    entry.map_ends = std::move(maps);
    entry.reduce_ends = std::move(reduces);
    for (std::size_t i = place(job); i < queue_.size(); ++i) estimate(queue_, i, now);
  }
  [[nodiscard]] std::size_t place(JobIndex job) const {
    return static_cast<std::size_t>(
        std::find_if(queue_.begin(), queue_.end(), [&](const Entry& e) { return e.job.job == job; }) -
        queue_.begin());
  }
  [[nodiscard]] const Entry& entry(JobIndex job) const { return queue_[place(job)]; }

 private:
  void estimate(std::vector<Entry>& queue, std::size_t i, std::int64_t now) const {
    Entry& entry = queue[i];
    entry.maps = i == 0 ? zeros_.first : queue[i - 1].maps;
    entry.reduces = i == 0 ? zeros_.second : queue[i - 1].reduces;
    const auto next = [](std::vector<std::int64_t>& times, std::int64_t end) {
      times.front() = end;
      std::sort(times.begin(), times.end());
      return end;
    };
    if (entry.fed_back) {
      for (const std::int64_t end : entry.map_ends) next(entry.maps, end);
      for (const std::int64_t end : entry.reduce_ends) next(entry.reduces, end);
      return;
    }
    const std::int64_t from = entry.started ? entry.start : now;
    std::int64_t maps_end = from;
    for (Count k = 0; k < entry.job.maps; ++k)
      maps_end = next(entry.maps, std::max(entry.maps.front(), from) + to_ms(entry.job.map));
    entry.end = maps_end;
    for (Count k = 0; k < entry.job.reduces; ++k)
      entry.end = next(entry.reduces, std::max(entry.reduces.front(), maps_end) + to_ms(entry.job.reduce));
  }

  std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> zeros_;
  bool feeds_back_;
  std::int64_t threshold_;
  std::vector<Entry> queue_;
  std::size_t fixed_ = 0;  // none goes before these
};

std::vector<std::int64_t> listed(const SlotTimes& slots) {
  std::vector<std::int64_t> times;
  for (const SlotTimes::Step& step : slots.steps())
    times.insert(times.end(), static_cast<std::size_t>(step.slots), step.at);
  return times;
}

// Job 0 waits since 100, and its report was due by 103. Were it placed from 105 + 3 on, it would be late.
TEST(Admission, AJobBehindANewOneKeepsItsReport) {
  AdmissionController controller({2, 1}, {.feedback = Feedback::tasks, .delays = {.first = ms(3)}});
  ASSERT_TRUE(controller.admit(job(0, 117, 1, 10), at_ms(100)).accepted);
  controller.replan({2, 1}, [](JobIndex) { return TasksLeft{}; }, at_ms(105));
  EXPECT_TRUE(controller.admit(job(1, 116, 1, 5), at_ms(105)).accepted);
  EXPECT_EQ(controller.queue(), (std::vector<JobIndex>{1, 0}));
  EXPECT_EQ(controller.estimate(0), at_ms(115));
  EXPECT_EQ(listed(controller.maps(0)), (std::vector<std::int64_t>{113, 115}));
}

// Which of these jobs is the first in the queue.
std::size_t first_of(const AdmissionController& controller, const std::vector<JobIndex>& jobs) {
  for (const JobIndex one : controller.queue()) {
    const auto found = std::find(jobs.begin(), jobs.end(), one);
    if (found != jobs.end()) return static_cast<std::size_t>(found - jobs.begin());
  }
  return 0;
}

// Jobs arrive, start in any order and end at any time; vectors and answers are those of the algorithms.
TEST(Admission, IsThatOfTheAlgorithmsByLetter) {
  int accepted = 0, refused = 0, overtaken = 0;
  holds_always(
      [&] {
        const SlotPool slots{*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 4)};
        const bool feeds_back = *rc::gen::arbitrary<bool>();
        const auto threshold = *rc::gen::inRange<std::int64_t>(0, 10);
        AdmissionController fast(
            slots, {.feedback = feeds_back ? Feedback::jobs : Feedback::none, .threshold = ms(threshold)});
        ByLetter slow(slots, feeds_back, threshold);
        AdmissionController deferring(slots, {.feedback = feeds_back ? Feedback::jobs : Feedback::none,
                                              .threshold = ms(threshold),
                                              .defers = true});
        std::vector<JobIndex> waiting, running;
        std::int64_t now = 0;
        for (JobIndex next = 0; next < 14;) {
          now += *rc::gen::inRange(0, 6);
          const int what = *rc::gen::inRange(0, 3);
          if (what == 0 || (waiting.empty() && running.empty())) {
            RealtimeJob one =
                job(next, now + *rc::gen::inRange(1, 120), *rc::gen::inRange(0, 7), *rc::gen::inRange(0, 15),
                    *rc::gen::inRange(0, 4), *rc::gen::inRange(0, 15));
            const AdmissionAnswer answer = fast.admit(one, at_ms(now));
            RC_ASSERT(answer.accepted == slow.admit(one, now));
            const AdmissionAnswer same = deferring.admit(one, at_ms(now));
            RC_ASSERT(same.accepted == answer.accepted);
            RC_ASSERT(same.late == answer.late);
            RC_ASSERT(same.earliest_deadline == answer.earliest_deadline);
            RC_ASSERT(same.accepted || same.end == answer.end);
            ++(answer.accepted ? accepted : refused);
            if (answer.accepted) waiting.push_back(next);
            if (answer.earliest_deadline) {
              // It would be accepted with that deadline, and with none before.
              ByLetter other = slow;
              one.deadline = *answer.earliest_deadline - ms(1);
              RC_ASSERT(!ByLetter(slow).admit(one, now));
              one.deadline = *answer.earliest_deadline;
              RC_ASSERT(other.admit(one, now));
            }
            ++next;
          } else if (what == 1 && !waiting.empty()) {
            const auto at = *rc::gen::inRange<std::size_t>(0, waiting.size());
            const std::size_t which = *rc::gen::inRange(0, 3) > 0 ? first_of(fast, waiting) : at;
            if (which != first_of(fast, waiting)) ++overtaken;
            RC_ASSERT(fast.started(waiting[which], at_ms(now)) ==
                      deferring.started(waiting[which], at_ms(now)));
            slow.started(waiting[which], now);
            running.push_back(waiting[which]);
            waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(which));
          } else if (!running.empty()) {
            const auto which = *rc::gen::inRange<std::size_t>(0, running.size());
            const RealtimeJob& its = slow.entry(running[which]).job;
            std::vector<Time> maps(static_cast<std::size_t>(its.maps)),
                reduces(static_cast<std::size_t>(its.reduces));
            std::vector<std::int64_t> map_ms, reduce_ms;
            for (Time& end : maps)
              map_ms.push_back(to_ms(end = at_ms(*rc::gen::inRange<std::int64_t>(0, now + 1))));
            for (Time& end : reduces)
              reduce_ms.push_back(to_ms(end = at_ms(*rc::gen::inRange<std::int64_t>(0, now + 1))));
            fast.finished(running[which], maps, reduces, at_ms(now));
            deferring.finished(running[which], maps, reduces, at_ms(now));
            slow.finished(running[which], map_ms, reduce_ms, now);
            running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
          }
          RC_ASSERT(deferring.queue() == fast.queue());
          const bool asks = *rc::gen::inRange(0, 5) == 0;
          if (asks) deferring.catch_up();
          for (const auto& jobs : {waiting, running}) {
            for (const JobIndex one : jobs) {
              if (asks) {
                RC_ASSERT(listed(deferring.maps(one)) == slow.entry(one).maps);
                RC_ASSERT(listed(deferring.reduces(one)) == slow.entry(one).reduces);
                RC_ASSERT(to_ms(deferring.estimate(one)) == slow.entry(one).end);
              }
              RC_ASSERT(listed(fast.maps(one)) == slow.entry(one).maps);
              RC_ASSERT(listed(fast.reduces(one)) == slow.entry(one).reduces);
              RC_ASSERT(to_ms(fast.estimate(one)) == slow.entry(one).end);
            }
          }
        }
      },
      600);
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refused, 100);
  EXPECT_GT(overtaken, 20);
}

}  // namespace
}  // namespace wavewright
