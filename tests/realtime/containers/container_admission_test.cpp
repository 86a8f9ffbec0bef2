// Placing jobs on containers, and asking for a place among them.
#include "wavewright/realtime/containers/container_admission.h"

#include <algorithm>
#include <optional>

#include "tests/property.h"

namespace wavewright {
namespace {

// Nothing waits, so that times are those of tasks.
constexpr ContainerWaits at_once{};

ContainerJob on_containers(std::int64_t deadline, Count maps, std::int64_t map, Count reduces = 0,
                           std::int64_t reduce = 0) {
  return {.deadline = at_ms(deadline),
          .master_memory = 1,
          .map_memory = 1,
          .reduce_memory = 2,
          .map = ms(map),
          .reduce = ms(reduce),
          .maps = maps,
          .reduces = reduces};
}

std::vector<const ContainerJob*> each_of(const std::vector<ContainerJob>& jobs) {
  std::vector<const ContainerJob*> all;
  all.reserve(jobs.size());
  for (const ContainerJob& job : jobs) all.push_back(&job);
  return all;
}

std::vector<Time> ends_of(const ContainerStanding& standing, const std::vector<ContainerJob>& jobs) {
  return surely_ends(standing, each_of(jobs), at_once);
}

TEST(ContainerAdmission, PlacesMasterMapsAndReducesOnOneMemory) {
  // 4 MiB: the master and three maps; then the master and one reduce after another.
  const ContainerStanding four{at_ms(100), 4};
  EXPECT_EQ(ends_of(four, {on_containers(0, 6, 10, 2, 30)}), std::vector{at_ms(180)});
  EXPECT_EQ(ends_of({at_ms(100), 2}, {on_containers(0, 6, 10, 2, 30)}), std::vector{Time::max()})
      << "no reduce fits";
  // B's master takes what A's maps leave, and its map waits for them.
  EXPECT_EQ(ends_of(four, {on_containers(0, 2, 10), on_containers(0, 1, 5)}),
            (std::vector{at_ms(110), at_ms(115)}));
  EXPECT_EQ(ends_of(four, {on_containers(0, 0, 0), on_containers(0, 1, 5)}),
            (std::vector{at_ms(100), at_ms(105)}))
      << "a job without tasks";
}

TEST(ContainerAdmission, AddsWhatContainersWaitFor) {
  const ContainerWaits waits{.asks = ms(3),
                             .heartbeat = ms(10),
                             .launch = ms(100),
                             .start = ms(1'000),
                             .finish = ms(10'000),
                             .stop = ms(100'000)};
  const std::vector<ContainerJob> jobs{on_containers(0, 1, 7, 1, 5), on_containers(0, 1, 7)};
  const std::vector<Time> ends = surely_ends({at_ms(0), 3}, each_of(jobs), waits);
  // Master 10 + 100 + 1000; a map 2 · 3 + 2 · 10 + 100, a reduce 3 more; the last end is known one report
  // before.
  EXPECT_EQ(ends[0], at_ms(1'110 + 133 + 134 - 10 + 10'000));
  // Of B's memory one MiB is there when the reduce has ended, but A's master goes last of all.
  EXPECT_EQ(ends[1], at_ms(1'110 + 133 + 134 + 1'110 + 133 - 10 + 10'000));
}

TEST(ContainerAdmission, CountsWhatIsGranted) {
  ContainerJob runs = on_containers(0, 1, 10, 1, 20);
  runs.up = at_ms(90);
  runs.map_ends = {at_ms(120), at_ms(105)};
  // Its master and two maps run: of 4 MiB one is free, for the third map. Its reduce comes behind the last.
  EXPECT_EQ(ends_of({at_ms(100), 4}, {runs}), std::vector{at_ms(140)});
  runs.up = at_ms(115);
  EXPECT_EQ(ends_of({at_ms(100), 4}, {runs}), std::vector{at_ms(145)}) << "its master is not up yet";
  // Others keep a MiB until 130; and then more is taken than there is: what ends first makes no room.
  EXPECT_EQ(ends_of({at_ms(100), 4, {{130, 1}}}, {runs}), std::vector{at_ms(145)});
  EXPECT_EQ(ends_of({at_ms(100), 3, {{130, 1}}}, {runs}), std::vector{at_ms(150)});
  // Its own master makes no room then either.
  EXPECT_EQ(ends_of({at_ms(100), 3, {{130, 1}}}, {runs, on_containers(0, 2, 10)}),
            (std::vector{at_ms(150), at_ms(170)}));
}

// The master of B runs and is free at 15, and A's reduce waits for memory until 20. It may take the master's,
// and leave to C only what is free at 20.
TEST(ContainerAdmission, AMasterThatRunsMayLeaveItsMemoryToJobsAheadOfItsOwn) {
  ContainerJob first = on_containers(0, 0, 0, 1, 50), second = on_containers(0, 0, 0);
  first.up = second.up = at_ms(0);
  first.map_ends = {at_ms(10)};
  second.map_ends = {at_ms(15)};
  const std::vector<Time> ends =
      ends_of({at_ms(0), 5, {{20, 1}}}, {first, second, on_containers(0, 0, 0, 0, 0)});
  EXPECT_EQ(ends[0], at_ms(65));
  EXPECT_EQ(ends[1], at_ms(15));
  EXPECT_EQ(ends[2], at_ms(15));
  const std::vector<Time> later = ends_of({at_ms(0), 5, {{20, 1}}}, {first, second, on_containers(0, 1, 1)});
  EXPECT_EQ(later[2], at_ms(21)) << "its master at 15, its map at 20";
}

TEST(ContainerAdmission, NobodyIsMadeLate) {
  const std::vector<ContainerJob> queue{on_containers(30, 3, 10), on_containers(60, 3, 20)};
  const ContainerStanding four{at_ms(0), 4};
  EXPECT_EQ(ends_of(four, queue), (std::vector{at_ms(10), at_ms(30)}));
  const auto ask = [&](const ContainerJob& job, const std::vector<std::size_t>& places, bool by_deadline) {
    const std::vector<const ContainerJob*> each = each_of(queue);
    return ask_for_place({four, each, four, job, places, 0, by_deadline}, at_once);
  };
  const ContainerAnswer fits = ask(on_containers(40, 3, 10), {1}, true);
  EXPECT_EQ(fits.place, 1U);
  EXPECT_EQ(fits.end, at_ms(20));
  const ContainerAnswer too_long = ask(on_containers(40, 3, 31), {1}, true);
  EXPECT_FALSE(too_long.place || too_long.late) << "it is late itself";
  EXPECT_EQ(too_long.end, at_ms(41));
  EXPECT_EQ(too_long.earliest_deadline, at_ms(61)) << "behind the second job";
  const ContainerAnswer harmful = ask(on_containers(50, 3, 35), {1}, true);
  EXPECT_EQ(harmful.late, 1U);
  EXPECT_EQ(ask(on_containers(70, 3, 35), {1, 0, 1, 2}, false).place, 2U);
  EXPECT_FALSE(ask(on_containers(70, 3, 35), {0}, false).place);
}

TEST(ContainerAdmission, WhoIsLateWithoutTheJobDoesNotCount) {
  const std::vector<ContainerJob> queue{on_containers(15, 3, 10)};
  const ContainerStanding four{at_ms(0), 4}, two{at_ms(0), 2};
  const std::vector<std::size_t> first{0};
  const auto ask = [&](const ContainerStanding& without) {
    const std::vector<const ContainerJob*> each = each_of(queue);
    const ContainerJob job = on_containers(40, 3, 10);
    return ask_for_place({four, each, without, job, first, 0, false}, at_once);
  };
  EXPECT_EQ(ask(four).late, 0U) << "it ends at 10 without the job, and at 20 with it";
  EXPECT_EQ(ask(two).place, 0U) << "it ends at 30 without the job";
}

ContainerJob any_job() {
  ContainerJob job =
      on_containers(*rc::gen::inRange(10, 150), *rc::gen::inRange<Count>(0, 6), *rc::gen::inRange(1, 20),
                    *rc::gen::inRange<Count>(0, 4), *rc::gen::inRange(1, 20));
  job.master_memory = *rc::gen::inRange<Count>(1, 3);
  job.map_memory = *rc::gen::inRange<Count>(1, 4);
  job.reduce_memory = *rc::gen::inRange<Count>(1, 4);
  return job;
}
std::vector<ContainerJob> any_queue() {
  std::vector<ContainerJob> jobs;
  for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
    jobs.push_back(any_job());
    ContainerJob& job = jobs.back();
    if (*rc::gen::arbitrary<bool>()) continue;
    job.up = at_ms(*rc::gen::inRange(0, 30));
    const auto ends = [] {
      std::vector<Time> all;
      for (int k = *rc::gen::inRange(0, 3); k > 0; --k) all.push_back(at_ms(*rc::gen::inRange(0, 40)));
      return all;
    };
    job.map_ends = ends();
    if (job.maps == 0) job.reduce_ends = ends();
  }
  std::sort(jobs.begin(), jobs.end(),
            [](const ContainerJob& a, const ContainerJob& b) { return a.deadline < b.deadline; });
  return jobs;
}

// The earliest deadline that a refusal names is accepted, and none before it: at the place by deadline alone,
// or at any.
TEST(ContainerAdmission, ARefusalNamesTheEarliestDeadline) {
  int named = 0, at_any = 0;
  holds_always(
      [&] {
        const std::vector<ContainerJob> queue = any_queue();
        const ContainerStanding standing{at_ms(*rc::gen::inRange(0, 20)), *rc::gen::inRange<Count>(8, 20)};
        ContainerJob job = any_job();
        const bool by_deadline = *rc::gen::arbitrary<bool>();
        const std::size_t exact_steps = *rc::gen::element<std::size_t>(0, 2, 256);
        const auto ask = [&](Time deadline) {
          job.deadline = deadline;
          std::size_t place = 0;
          while (place < queue.size() && queue[place].deadline <= deadline) ++place;
          std::vector<std::size_t> places{place};
          for (std::size_t at = 0; !by_deadline && at <= queue.size(); ++at) places.push_back(at);
          const std::vector<const ContainerJob*> each = each_of(queue);
          return ask_for_place({standing, each, standing, job, places, 0, by_deadline, exact_steps}, at_once);
        };
        const ContainerAnswer answer = ask(job.deadline);
        if (answer.place) {
          RC_ASSERT(answer.end <= job.deadline);
          return;
        }
        if (!answer.earliest_deadline) return;
        ++(by_deadline ? named : at_any);
        RC_ASSERT(ask(*answer.earliest_deadline).place.has_value());
        for (std::int64_t sooner = 0; sooner < to_ms(*answer.earliest_deadline); ++sooner)
          RC_ASSERT(!ask(at_ms(sooner)).place);
      },
      2'000);
  EXPECT_GT(named, rare(40));
  EXPECT_GT(at_any, rare(40));
}

// The answer as it is defined: at each place all jobs are placed, from the first one on.
ContainerAnswer tried_anew(const ContainerStanding& standing, const std::vector<ContainerJob>& queue,
                           const std::vector<Time>& without, const ContainerJob& job,
                           const std::vector<std::size_t>& places, std::size_t first_place,
                           bool by_deadline) {
  struct Trial {
    Time end{};
    std::optional<std::size_t> late{};
  };
  const auto at = [&](std::size_t place) {
    const auto offset = static_cast<std::ptrdiff_t>(place);
    std::vector<ContainerJob> with = queue;
    with.insert(with.begin() + offset, job);
    std::vector<Time> ends = ends_of(standing, with);
    Trial trial{ends[place]};
    ends.erase(ends.begin() + offset);
    for (std::size_t i = 0; i < queue.size() && !trial.late; ++i) {
      if (ends[i] > queue[i].deadline && without[i] <= queue[i].deadline) trial.late = i;
    }
    return trial;
  };
  ContainerAnswer answer;
  for (const std::size_t place : places) {
    const Trial trial = at(place);
    const bool in_time = trial.end <= job.deadline;
    if (place == places.front()) {
      answer.end = trial.end;
      if (in_time) answer.late = trial.late;
    }
    if (in_time && trial.end < Time::max() && !trial.late) return {.place = place, .end = trial.end};
  }
  for (std::size_t place = first_place; place <= queue.size(); ++place) {
    const Trial trial = at(place);
    Time deadline = trial.end;
    if (by_deadline && place > first_place) deadline = std::max(deadline, queue[place - 1].deadline);
    const bool suits = !by_deadline || place == queue.size() || deadline < queue[place].deadline;
    if (!suits || trial.late || deadline == Time::max()) continue;
    answer.earliest_deadline = std::min(deadline, answer.earliest_deadline.value_or(Time::max()));
  }
  return answer;
}

// Also where it is tried behind fewer steps first: then only the end of an accepted job may be told later.
TEST(ContainerAdmission, AnswersAsIfEachPlaceWereTriedAnew) {
  int accepted = 0, made_late = 0, late_anyway = 0, named = 0, told_later = 0;
  holds_always(
      [&] {
        const std::vector<ContainerJob> queue = any_queue();
        ContainerStanding standing{at_ms(*rc::gen::inRange(0, 20)), *rc::gen::inRange<Count>(3, 18)};
        standing.others.push_back({*rc::gen::inRange<std::int64_t>(0, 50), *rc::gen::inRange<Count>(0, 3)});
        ContainerStanding without = standing;
        without.memory += *rc::gen::element<Count>(0, 1, 2, 10);
        ContainerJob job = any_job();
        if (*rc::gen::inRange(0, 4) == 0) job.deadline = Time::max();
        std::vector<std::size_t> places;
        for (int i = *rc::gen::inRange(1, 5); i > 0; --i)
          places.push_back(*rc::gen::inRange<std::size_t>(0, queue.size() + 1));
        const std::size_t first_place = *rc::gen::inRange<std::size_t>(0, queue.size() + 2);
        const bool by_deadline = *rc::gen::arbitrary<bool>();
        const std::size_t exact_steps = *rc::gen::element<std::size_t>(0, 2, 256);

        const std::vector<const ContainerJob*> each = each_of(queue);
        const ContainerAnswer answer = ask_for_place(
            {standing, each, without, job, places, first_place, by_deadline, exact_steps}, at_once);
        const std::vector<Time> ends = ends_of(without, queue);
        const ContainerAnswer anew = tried_anew(standing, queue, ends, job, places, first_place, by_deadline);
        const bool same = answer.place == anew.place && answer.late == anew.late &&
                          answer.earliest_deadline == anew.earliest_deadline;
        RC_ASSERT(same);
        const bool is_bound = answer.place && exact_steps < 256;
        const bool may_be =
            answer.end == anew.end || (is_bound && answer.end > anew.end && answer.end <= job.deadline);
        RC_ASSERT(may_be);
        told_later += answer.end > anew.end ? 1 : 0;
        accepted += answer.place ? 1 : 0;
        made_late += answer.late ? 1 : 0;
        named += answer.earliest_deadline ? 1 : 0;
        for (std::size_t i = 0; i < queue.size(); ++i) late_anyway += ends[i] > queue[i].deadline ? 1 : 0;
      },
      5'000);
  EXPECT_GT(accepted, rare(40));
  EXPECT_GT(made_late, rare(10));
  EXPECT_GT(late_anyway, rare(20));
  EXPECT_GT(named, rare(20));
  EXPECT_GT(told_later, rare(10));
}

// More memory, earlier ends and fewer or shorter tasks make nobody end later.
TEST(ContainerAdmission, NobodyEndsLaterWithLessToDo) {
  int earlier = 0;
  holds_always(
      [&] {
        const std::vector<ContainerJob> queue = any_queue();
        const ContainerStanding standing{
            at_ms(20), *rc::gen::inRange<Count>(12, 30), {{*rc::gen::inRange(0, 50), 2}}};
        std::vector<ContainerJob> less = queue;
        ContainerStanding more = standing;
        more.memory += *rc::gen::inRange<Count>(0, 3);
        more.others.front().at -= *rc::gen::inRange(0, 9);
        for (ContainerJob& job : less) {
          for (Time& each : job.map_ends) each -= ms(*rc::gen::inRange(0, 9));
          job.map -= ms(*rc::gen::inRange<std::int64_t>(0, 1 + to_ms(job.map)));
          job.reduces -= *rc::gen::inRange<Count>(0, 1 + job.reduces);
        }
        const std::vector<Time> ends = ends_of(standing, queue), with_less = ends_of(more, less);
        for (std::size_t i = 0; i < ends.size(); ++i) {
          if (ends[i] == Time::max()) break;  // one that never ends is passed over
          RC_ASSERT(with_less[i] <= ends[i]);
          earlier += with_less[i] < ends[i] ? 1 : 0;
        }
      },
      2'000);
  EXPECT_GT(earlier, sized(1'000));
}

}  // namespace
}  // namespace wavewright
