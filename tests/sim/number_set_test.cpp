// Sets of small numbers against std::set.
#include "wavewright/sim/kernel/number_set.h"

#include <set>
#include <utility>
#include <vector>

#include "tests/property.h"

namespace wavewright {
namespace {

TEST(NumberSet, IsASetThatCanBeComparedWithBits) {
  holds_always([] {
    const auto numbers = *rc::gen::inRange<std::uint32_t>(1, 300);
    sim::NumberSet set(numbers, false);
    std::set<std::uint32_t> by_letter, other;
    std::vector<std::uint64_t> bits((numbers + 63) / 64);
    const auto any = rc::gen::inRange<std::uint32_t>(0, numbers);
    for (const std::uint32_t number : *rc::gen::container<std::vector<std::uint32_t>>(any)) {
      bits[number / 64] |= std::uint64_t{1} << (number % 64);
      other.insert(number);
    }
    for (const auto& [number, in] : *rc::gen::container<std::vector<std::pair<std::uint32_t, bool>>>(
             rc::gen::pair(any, rc::gen::arbitrary<bool>()))) {
      set.set(number, in);  // also if it is there, or gone, already
      if (in) {
        by_letter.insert(number);
      } else {
        by_letter.erase(number);
      }
    }
    RC_ASSERT(set.count() == by_letter.size());
    const std::uint32_t from = *any, end = *rc::gen::inRange<std::uint32_t>(from, numbers + 1);
    std::uint32_t next = sim::NumberSet::none, next_in_both = sim::NumberSet::none;
    for (std::uint32_t number = numbers; number-- > from;) {
      if (!by_letter.contains(number)) continue;
      next = number;
      if (number < end && other.contains(number)) next_in_both = number;
    }
    RC_ASSERT(set.next(from) == next);
    RC_ASSERT(set.next_in_both(bits, from, end) == next_in_both);
  });
}

}  // namespace
}  // namespace wavewright
