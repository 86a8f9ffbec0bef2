// Instants of heartbeats without divisions by numbers that the processor does not know beforehand.
#pragma once

#include <cstdint>
#include <limits>

#include "wavewright/sim/model/node_model.h"

namespace wavewright::sim {

// Divides by a number that stays: by a multiplication while that is exact.
class Divisor {
 public:
  explicit Divisor(std::uint64_t by) : by_(by) {
    // With m = ⌈2^64 / by⌉, ⌊x · m / 2^64⌋ is ⌊x / by⌋ for all x below 2^64 / by: m · by exceeds 2^64 by less
    // than `by`, so the product exceeds x / by by less than 1 / by.
    if (by < 2) return;
    inverse_ = std::numeric_limits<std::uint64_t>::max() / by + 1;
    exact_below_ = std::numeric_limits<std::uint64_t>::max() / by;
  }
  // The divisor must not be 0.
  [[nodiscard]] std::uint64_t divide(std::uint64_t x) const {
    __extension__ using Wide = unsigned __int128;
    return x < exact_below_ ? static_cast<std::uint64_t>((Wide{x} * inverse_) >> 64) : x / by_;
  }

 private:
  std::uint64_t by_;
  std::uint64_t inverse_ = 0;
  std::uint64_t exact_below_ = 0;
};

// As Heartbeats.
class HeartbeatTimes {
 public:
  explicit HeartbeatTimes(const Heartbeats& of)
      : period(of.period), nodes_(of.nodes), by_period_(of.period), by_nodes_(of.nodes) {}

  [[nodiscard]] std::uint64_t phase(NodeIndex node) const { return by_nodes_.divide(node * period); }
  // How long ago the present round of heartbeats began.
  [[nodiscard]] std::uint64_t into_round(std::uint64_t instant) const {
    return instant - by_period_.divide(instant) * period;
  }
  [[nodiscard]] std::uint64_t at_or_after(NodeIndex node, std::uint64_t instant) const {
    if (period == 0) return instant;
    const std::uint64_t first = phase(node);
    if (instant <= first) return first;
    return first + by_period_.divide(instant - first + period - 1) * period;
  }
  [[nodiscard]] std::uint64_t first_from(std::uint64_t phase) const {
    return by_period_.divide(phase * nodes_ + period - 1);
  }

  const std::uint64_t period;  // 0 = at every instant

 private:
  std::uint64_t nodes_;
  Divisor by_period_, by_nodes_;
};

}  // namespace wavewright::sim
