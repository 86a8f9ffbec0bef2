// Available times of memory, against a list with an entry for each MiB.
#include "wavewright/realtime/containers/memory_times.h"

#include <algorithm>

#include "tests/property.h"

namespace wavewright {
namespace {

// Sorted: since when each MiB is available.
class EachMebibyte {
 public:
  explicit EachMebibyte(std::vector<std::int64_t> times) : times_(std::move(times)) { sort(); }

  std::int64_t take(Count memory, std::int64_t from) {
    if (memory > static_cast<Count>(times_.size())) return MemoryTimes::never;
    for (; memory > 0; --memory) {
      from = std::max(from, times_.front());
      latest_taken_ = std::max(latest_taken_, times_.front());
      times_.erase(times_.begin());
    }
    return from;
  }
  void put(std::int64_t at, Count memory) {
    times_.insert(times_.end(), static_cast<std::size_t>(memory), at);
    sort();
  }
  std::int64_t place(Count containers, Count memory, std::int64_t length, std::int64_t from) {
    std::int64_t last = from;
    for (; containers > 0; --containers) {
      const std::int64_t start = take(memory, from);
      if (start == MemoryTimes::never) return start;
      put(start + length, memory);
      last = std::max(last, start + length);
    }
    return last;
  }
  [[nodiscard]] const std::vector<std::int64_t>& times() const { return times_; }
  [[nodiscard]] std::int64_t latest_taken() const { return latest_taken_; }

 private:
  void sort() { std::sort(times_.begin(), times_.end()); }

  std::vector<std::int64_t> times_;
  std::int64_t latest_taken_ = 0;
};

std::vector<std::int64_t> each_of(const MemoryTimes& times) {
  std::vector<std::int64_t> all;
  for (const MemoryTimes::Step& step : times.steps())
    all.insert(all.end(), static_cast<std::size_t>(step.memory), step.at);
  return all;
}

std::vector<std::int64_t> some_times() {
  return *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 30));
}

MemoryTimes of(const std::vector<std::int64_t>& times) {
  std::vector<MemoryTimes::Step> steps;
  steps.reserve(times.size());
  for (const std::int64_t at : times) steps.push_back({at, 1});
  return MemoryTimes(std::move(steps));
}

TEST(MemoryTimes, AContainerWaitsForAllItsMemory) {
  MemoryTimes times({{20, 3}, {0, 2}, {10, 1}, {10, 0}});
  EXPECT_EQ(times.memory(), 6);
  EXPECT_EQ(times.place(1, 3, 5, 4), 15) << "2 at 0 and 1 at 10";
  EXPECT_EQ(times.place(1, 1, 5, 4), 20) << "of what that one leaves at 15";
  EXPECT_EQ(times.place(2, 7, 5, 4), MemoryTimes::never);
  EXPECT_EQ(times.place(0, 7, 5, 4), 4);
  EXPECT_EQ(times.take(5, 0), 20);
  EXPECT_EQ(times.take(2, 0), MemoryTimes::never);
  EXPECT_EQ(times.memory(), 1);
}

TEST(MemoryTimes, MemoryThatIsThereTogetherIsOneStep) {
  MemoryTimes times({{20, 3}, {0, 2}, {10, 1}, {20, 1}});
  times.put(10, 4);
  const std::vector<MemoryTimes::Step> each{{0, 2}, {10, 5}, {20, 4}};
  EXPECT_TRUE(times.steps() == each);
}

TEST(MemoryTimes, IsAsAListOfEachMebibyte) {
  int never = 0;
  holds_always(
      [&] {
        const std::vector<std::int64_t> first = some_times();
        MemoryTimes times = of(first);
        EachMebibyte reference(first);
        for (int step = *rc::gen::inRange(1, 9); step > 0; --step) {
          const Count memory = *rc::gen::inRange<Count>(1, 6);
          const std::int64_t at = *rc::gen::inRange<std::int64_t>(0, 40);
          switch (*rc::gen::inRange(0, 4)) {
            case 0:
              RC_ASSERT(times.take(memory, at) == reference.take(memory, at));
              break;
            case 1:
              times.put(at, memory);
              reference.put(at, memory);
              break;
            default: {
              const Count containers = *rc::gen::inRange<Count>(0, 7);
              const std::int64_t length = *rc::gen::inRange<std::int64_t>(0, 12);
              const std::int64_t end = times.place(containers, memory, length, at);
              RC_ASSERT(end == reference.place(containers, memory, length, at));
              never += end == MemoryTimes::never ? 1 : 0;
            }
          }
          RC_ASSERT(each_of(times) == reference.times());
          RC_ASSERT(times.memory() == static_cast<Count>(reference.times().size()));
          RC_ASSERT(times.latest_taken() == reference.latest_taken());
        }
      },
      3'000);
  EXPECT_GT(never, rare(40));
}

TEST(MemoryTimes, AreRoundedUpToFewInstants) {
  MemoryTimes times = of({3, 3, 4, 13, 14, 99});
  EXPECT_EQ(times.span(), 96);
  times.round_up(10);
  EXPECT_EQ(times.steps(), (std::vector<MemoryTimes::Step>{{3, 2}, {13, 2}, {23, 1}, {103, 1}}));
  EXPECT_EQ(times.memory(), 6);
  EXPECT_EQ(times.take(3, 0), 13) << "the first ones are in front";
  MemoryTimes none;
  none.round_up(1);
  EXPECT_EQ(none.size(), 0U);
  EXPECT_EQ(none.span(), 0);
  std::vector<std::int64_t> many(10'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i);
  MemoryTimes long_one = of(many);
  long_one.round_up(1);
  EXPECT_EQ(long_one.size(), 3'334U) << "every third ms";
  EXPECT_TRUE(long_one.dominates(of(many)));
}

// The proof's step: whatever is done to both, later or longer to the upper one, it stays above.
TEST(MemoryTimes, AVectorStaysAboveAnother) {
  int differ = 0;
  holds_always(
      [&] {
        const std::vector<std::int64_t> below = some_times();
        std::vector<std::int64_t> above = below;
        for (std::int64_t& each : above) each += *rc::gen::inRange<std::int64_t>(0, 6);
        MemoryTimes lower = of(below), upper = of(above);
        for (int step = *rc::gen::inRange(1, 7); step > 0; --step) {
          const Count memory = *rc::gen::inRange<Count>(1, 6), containers = *rc::gen::inRange<Count>(0, 5);
          const std::int64_t at = *rc::gen::inRange<std::int64_t>(0, 40),
                             length = *rc::gen::inRange<std::int64_t>(0, 12);
          const std::int64_t later = *rc::gen::inRange<std::int64_t>(0, 4),
                             longer = *rc::gen::inRange<std::int64_t>(0, 4);
          if (*rc::gen::arbitrary<bool>()) {
            const std::int64_t from = lower.take(memory, at), its = upper.take(memory, at + later);
            RC_ASSERT(from <= its);
            if (from != MemoryTimes::never) {
              lower.put(from + length, memory);
              upper.put(its + length + longer, memory);
            }
          } else {
            RC_ASSERT(lower.place(containers, memory, length, at) <=
                      upper.place(containers, memory, length + longer, at + later));
          }
          RC_ASSERT(upper.dominates(lower));
          const std::vector<std::int64_t> a = each_of(lower), b = each_of(upper);
          const bool is_above =
              std::equal(a.begin(), a.end(), b.begin(), [](auto x, auto y) { return x >= y; });
          RC_ASSERT(lower.dominates(upper) == is_above);
          differ += a != b ? 1 : 0;
        }
      },
      2'000);
  EXPECT_GT(differ, sized(1'000));
}

}  // namespace
}  // namespace wavewright
