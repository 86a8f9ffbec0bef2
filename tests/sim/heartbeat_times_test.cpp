// Heartbeats without divisions, against those by letter.
#include "wavewright/sim/kernel/heartbeat_times.h"

#include <limits>

#include "tests/property.h"

namespace wavewright::sim {
namespace {

TEST(HeartbeatTimes, ADivisorDividesEveryNumber) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t by : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{7},
                                 std::uint64_t{3000}, std::uint64_t{4096}, most / 2, most / 2 + 1, most}) {
    const Divisor divisor(by);
    // Around multiples near the ends, and around where a multiplication is exact no more.
    for (const std::uint64_t times : {std::uint64_t{1}, std::uint64_t{2}, most / by / by, most / by}) {
      for (std::uint64_t x = by * times - 2; x != by * times + 3; ++x)
        EXPECT_EQ(divisor.divide(x), x / by) << x << " / " << by;
    }
    for (const std::uint64_t x : {std::uint64_t{0}, most / by - 1, most / by, most / by + 1, most - 1, most})
      EXPECT_EQ(divisor.divide(x), x / by) << x << " / " << by;
  }
}

TEST(HeartbeatTimes, AreThoseOfHeartbeats) {
  holds_always([] {
    const Heartbeats slow{*rc::gen::inRange<std::uint64_t>(1, 5'000),
                          *rc::gen::inRange<std::uint64_t>(1, 9'000)};
    const HeartbeatTimes fast(slow);
    const auto instant = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 50);
    const auto node = static_cast<NodeIndex>(*rc::gen::inRange<std::uint64_t>(0, slow.nodes));
    RC_ASSERT(fast.phase(node) == slow.phase(node));
    RC_ASSERT(fast.into_round(instant) == instant % slow.period);
    RC_ASSERT(fast.at_or_after(node, instant) == slow.at_or_after(node, instant));
    const std::uint64_t phase = instant % slow.period;
    RC_ASSERT(fast.first_from(phase) == slow.first_from(phase));
    RC_ASSERT(fast.first_from(phase + 1) == slow.first_from(phase + 1));
  });
}

}  // namespace
}  // namespace wavewright::sim
