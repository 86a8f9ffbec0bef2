#include "wavewright/predict/single_job.h"
#include "tests/property.h"

#include <rapidcheck.h>

namespace wavewright {
namespace {

using Durations = std::vector<Duration>;

// The same model, slot by slot: each task looks through all slots.
SingleJobTimes slowly(const SingleJob& job, SlotPool slots) {
  const auto stage = [](Count slot_count, Duration from, std::size_t tasks, auto length) {
    Durations free_at(static_cast<std::size_t>(slot_count), from);
    for (std::size_t i = 0; i < tasks; ++i) {
      auto slot = std::min_element(free_at.begin(), free_at.end());
      *slot += length(i, *slot);
    }
    return tasks == 0 ? from : *std::max_element(free_at.begin(), free_at.end());
  };
  const Duration maps_done =
      stage(slots.map_slots, ms(0), job.maps.size(), [&](std::size_t i, Duration) { return job.maps[i]; });
  const Duration finish =
      stage(slots.reduce_slots, maps_done, job.reduces.size(), [&](std::size_t i, Duration at) {
        return job.reduces[i] + (at == maps_done ? job.first_shuffles[i] : job.later_shuffles[i]);
      });
  return {maps_done, finish};
}

Durations any_durations(std::size_t count) {
  Durations durations;
  for (const int value : *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, 50))) {
    durations.push_back(ms(value));
  }
  return durations;
}

TEST(SingleJob, PaysTheFirstShuffleInTheFirstWaveAndTheLaterOneAfterwards) {
  const Durations maps = {ms(10), ms(20)};
  const Durations reduces = {ms(5), ms(5), ms(5)};
  const Durations first = {ms(3), ms(3), ms(3)};
  const Durations later = {ms(7), ms(7), ms(7)};
  const SingleJobTimes times = run_alone({maps, reduces, first, later}, {2, 2});
  EXPECT_EQ(times.maps_done, ms(20));
  EXPECT_EQ(times.finish, ms(20 + 8 + 12));
}

TEST(SingleJob, SlotsWaitAndReducesStartEarly) {
  const Durations maps = {ms(10), ms(10), ms(10), ms(10)};
  const Durations waits = {ms(0), ms(1), ms(2), ms(2)};  // two slots: the second starts 1 late
  const Durations reduces = {ms(5)};
  const Durations first = {ms(3)};
  const Durations later = {ms(7)};
  const Durations reduce_waits = {ms(4)};
  SingleJob job = {maps, reduces, first, later, waits, reduce_waits};
  EXPECT_EQ(run_alone(job, {2, 1}).maps_done, ms(23));
  EXPECT_EQ(run_alone(job, {2, 1}).finish, ms(23 + 4 + 7 + 5)) << "after all maps it has no first wave";
  job.maps_before_reduces = 1;  // at 10, starts at 14
  EXPECT_EQ(run_alone(job, {2, 1}).finish, ms(23 + 3 + 5));
  const Durations long_start = {ms(20)};
  job.later_shuffles = long_start;
  job.shuffle_has_length = true;
  EXPECT_EQ(run_alone(job, {2, 1}).finish, ms(14 + 20 + 5)) << "its own start-up takes longer than the rest";
}

TEST(SingleJob, AgreesWithTheObviousWay) {
  holds_always([] {
    const auto reduce_count = *rc::gen::inRange<std::size_t>(0, 25);
    const Durations maps = any_durations(*rc::gen::inRange<std::size_t>(0, 40));
    const Durations reduces = any_durations(reduce_count);
    const Durations first = any_durations(reduce_count);
    const Durations later = any_durations(reduce_count);
    const SingleJob job = {maps, reduces, first, later};
    const SlotPool slots = {*rc::gen::inRange<Count>(1, 15), *rc::gen::inRange<Count>(1, 15)};
    RC_ASSERT(run_alone(job, slots).finish == slowly(job, slots).finish);
    RC_ASSERT(run_alone(job, slots).maps_done == slowly(job, slots).maps_done);
  });
}

}  // namespace
}  // namespace wavewright
