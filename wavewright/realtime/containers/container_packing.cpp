#include "wavewright/realtime/containers/container_packing.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace wavewright {

namespace {

constexpr std::size_t most_sizes = 64;  // with more, each multiple of their common divisor counts as a sum

// Which multiples of the sizes' common divisor are sums of sizes, up to a largest one.
class Sums {
 public:
  Sums(std::span<const Count> sizes, Count largest) {
    for (const Count size : sizes) step_ = std::gcd(step_, size);
    is_sum_.assign(static_cast<std::size_t>(largest / step_) + 1, sizes.size() > most_sizes);
    is_sum_[0] = true;
    for (std::size_t sum = 1; sum < is_sum_.size(); ++sum) {
      for (const Count size : sizes) {
        const auto before = static_cast<std::size_t>(size / step_);
        if (is_sum_[sum]) break;
        is_sum_[sum] = before <= sum && is_sum_[sum - before];
      }
    }
  }
  // The first sum above a number; a node that is as full as it can be has one.
  [[nodiscard]] Count above(Count number) const {
    std::size_t sum = number < 0 ? 0 : static_cast<std::size_t>(number / step_) + 1;
    while (!is_sum_[sum]) ++sum;
    return static_cast<Count>(sum) * step_;
  }

 private:
  Count step_ = 0;
  std::vector<bool> is_sum_;
};

Count largest_of(std::span<const EqualNodes> nodes) {
  Count largest = 0;
  for (const EqualNodes& each : nodes) largest = std::max(largest, each.memory);
  return largest;
}

Count least_without_room(std::span<const EqualNodes> nodes, const Sums& sums, Count size) {
  Count memory = 0;
  for (const EqualNodes& each : nodes) memory += each.nodes * sums.above(each.memory - size);
  return memory;
}

}  // namespace

Count least_without_room(std::span<const EqualNodes> nodes, std::span<const Count> sizes, Count size) {
  return least_without_room(nodes, Sums(sizes, largest_of(nodes)), size);
}

Count sure_memory(std::span<const EqualNodes> nodes, std::span<const Count> sizes) {
  const Count largest = largest_of(nodes);
  std::vector<Count> held;
  std::copy_if(sizes.begin(), sizes.end(), std::back_inserter(held),
               [&](Count size) { return size <= largest; });
  if (held.empty()) return 0;
  const Sums sums(held, largest);
  Count least = std::numeric_limits<Count>::max();
  for (const Count size : held) least = std::min(least, least_without_room(nodes, sums, size) + size - 1);
  return least;
}

}  // namespace wavewright
