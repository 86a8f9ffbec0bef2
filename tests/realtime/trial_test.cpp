// Trials of an admission controller: answers that change nothing.
#include <algorithm>
#include <vector>

#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/realtime/admission.h"

namespace wavewright {
namespace {

using Taken = AdmissionController::Taken;

constexpr Time now = at_ms(100);

// Jobs that wait or have started, with the tasks that they run.
struct Standing {
  SlotPool slots;
  AssignmentDelays delays{};
  std::vector<Taken> jobs;
  std::vector<std::vector<Time>> running;  // maps of each

  [[nodiscard]] AdmissionController controller() const {
    return {slots, {.feedback = Feedback::tasks, .delays = delays, .order = QueueOrder::deadline}};
  }
  void replan(AdmissionController& controller) const {
    const auto left = [this](JobIndex job) {
      const RealtimeJob& its = jobs[job].job;
      const auto run = static_cast<Count>(running[job].size());
      return TasksLeft{its.maps - run, its.reduces, running[job], {}, {}};
    };
    controller.replan(slots, left, now);
  }
  [[nodiscard]] AdmissionController taken_one_by_one(const std::vector<Taken>& which) const {
    AdmissionController made = controller();
    for (const Taken& each : which) made.take(each.job, each.arrived, each.start);
    replan(made);
    return made;
  }
};

Taken some_job(JobIndex number) {
  return {{.job = number,
           .deadline = *rc::gen::inRange(0, 6) == 0 ? Time::max() : at_ms(*rc::gen::inRange(80, 300)),
           .maps = *rc::gen::inRange<Count>(0, 7),
           .reduces = *rc::gen::inRange<Count>(0, 4),
           .map = ms(*rc::gen::inRange(1, 30)),
           .reduce = ms(*rc::gen::inRange(1, 30))},
          at_ms(*rc::gen::inRange(70, 130))};
}

Standing some_standing() {
  Standing made;
  made.slots = {*rc::gen::inRange<Count>(1, 5), *rc::gen::inRange<Count>(1, 4)};
  if (*rc::gen::arbitrary<bool>())
    made.delays = {.first = ms(3), .ready = ms(2), .map = ms(6), .reduce = ms(3)};
  const auto jobs = *rc::gen::inRange<JobIndex>(0, 12);
  Count busy = 0;
  for (JobIndex i = 0; i < jobs; ++i) {
    Taken job = some_job(i);
    made.running.emplace_back();
    if (*rc::gen::inRange(0, 3) == 0 && job.job.maps > 0 && busy < made.slots.map_slots) {
      job.start = at_ms(*rc::gen::inRange(80, 101));
      made.running.back().push_back(*job.start);
      ++busy;
    }
    made.jobs.push_back(job);
  }
  return made;
}

TEST(Trial, JobsTakenAtOnceStandAsIfOneByOne) {
  int started = 0;
  holds_always(
      [&] {
        const Standing standing = some_standing();
        const AdmissionController plain = standing.taken_one_by_one(standing.jobs);
        AdmissionController at_once = standing.controller();
        at_once.take_all(standing.jobs);
        standing.replan(at_once);
        RC_ASSERT(at_once.queue() == plain.queue());
        const std::vector<Time> ends = at_once.estimates();
        std::size_t place = 0;
        for (const JobIndex job : plain.queue()) {
          RC_ASSERT(ends[place++] == plain.estimate(job));
          started += standing.jobs[job].start ? 1 : 0;
        }
        RC_ASSERT(at_once.at_risk() == plain.at_risk());
      },
      1'000);
  EXPECT_GT(started, rare(500));
}

// A job is tried as if it were taken, and those without which it is tried were not.
TEST(Trial, IsAsIfTheJobWereThere) {
  int objected = 0, without_some = 0;
  holds_always(
      [&] {
        const Standing standing = some_standing();
        const AdmissionController controller = standing.taken_one_by_one(standing.jobs);
        const std::vector<JobIndex> queue = controller.queue();
        const Taken asked = some_job(static_cast<JobIndex>(standing.jobs.size()));
        std::vector<std::size_t> without;
        std::vector<Taken> there;
        for (std::size_t place = 0; place < queue.size(); ++place) {
          const Taken& each = standing.jobs[queue[place]];
          if (!each.start && *rc::gen::inRange(0, 4) == 0) without.push_back(place);
        }
        for (const Taken& each : standing.jobs) {
          const auto gone = [&](std::size_t place) { return queue[place] == each.job.job; };
          if (std::none_of(without.begin(), without.end(), gone)) there.push_back(each);
        }
        there.push_back(asked);
        const AdmissionController with = standing.taken_one_by_one(there);
        std::size_t place = 0;
        while (place < queue.size() && standing.jobs[queue[place]].job.deadline <= asked.job.deadline)
          ++place;
        std::optional<std::size_t> late;
        for (std::size_t at = place; at < queue.size() && !late; ++at) {
          if (std::find(without.begin(), without.end(), at) == without.end() &&
              with.estimate(queue[at]) > standing.jobs[queue[at]].job.deadline)
            late = at;
        }
        const auto objects = [&](std::size_t at, Time end) {
          RC_ASSERT(end == with.estimate(queue[at]));
          return end > standing.jobs[queue[at]].job.deadline;
        };
        const auto trial = controller.try_at(place, asked, without, objects, now);
        RC_ASSERT(trial.end == with.estimate(asked.job.job));
        if (trial.end > asked.job.deadline) late.reset();
        RC_ASSERT(trial.objects == late);
        objected += late ? 1 : 0;
        without_some += without.empty() ? 0 : 1;
        RC_ASSERT(controller.queue() == queue);
      },
      2'000);
  EXPECT_GT(objected, rare(16));
  EXPECT_GT(without_some, rare(500));
}

// Each deadline is tried, by taking the job.
TEST(Trial, TheEarliestDeadlineIsTheFirstThatWouldDo) {
  int found = 0, before_others = 0, none = 0;
  holds_always(
      [&] {
        const Standing standing = some_standing();
        const AdmissionController controller = standing.taken_one_by_one(standing.jobs);
        Taken asked = some_job(static_cast<JobIndex>(standing.jobs.size()));
        const Time last = at_ms(*rc::gen::inRange(100, 600));
        std::optional<Time> first;
        for (asked.job.deadline = now; asked.job.deadline <= last && !first; asked.job.deadline += ms(1)) {
          std::vector<Taken> there = standing.jobs;
          there.push_back(asked);
          const AdmissionController with = standing.taken_one_by_one(there);
          bool late = with.estimate(asked.job.job) > asked.job.deadline;
          for (const Taken& each : standing.jobs) {
            const Time end = with.estimate(each.job.job);
            late = late || (end > each.job.deadline && end > controller.estimate(each.job.job));
          }
          if (!late) first = asked.job.deadline;
        }
        const std::vector<JobIndex> queue = controller.queue();
        const auto objects = [&](std::size_t at, Time end) {
          return end > standing.jobs[queue[at]].job.deadline && end > controller.estimate(queue[at]);
        };
        asked.job.deadline = last;
        RC_ASSERT(controller.earliest_deadline(asked, objects, now) == first);
        ++(first ? found : none);
        for (const Taken& each : standing.jobs) {
          if (first && each.job.deadline > *first && each.job.deadline < Time::max()) {
            ++before_others;
            break;
          }
        }
      },
      500);
  EXPECT_GT(found, rare(200));
  EXPECT_GT(before_others, rare(50));
  EXPECT_GT(none, rare(10));
}

TEST(Trial, ManyAreTakenOnlyIntoAnEmptyQueueByDeadline) {
  AdmissionController started({1, 1}, {});
  const std::vector<Taken> jobs{{{.job = 0, .maps = 1, .map = ms(1)}, now, {}}};
  EXPECT_THROW(started.take_all(jobs), InternalError);
  AdmissionController twice({1, 1}, {.feedback = Feedback::tasks, .order = QueueOrder::deadline});
  twice.take_all(jobs);
  EXPECT_THROW(twice.take_all(jobs), InternalError);
}

}  // namespace
}  // namespace wavewright
