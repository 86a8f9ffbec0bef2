// Heartbeats as a placer sees them: all offers of a node at one instant. For placers that decide once for the
// rest of a heartbeat.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "wavewright/sched/registry.h"

namespace wavewright {

// A value for each node, made when it is first asked for.
template <class Value>
class PerNode {
 public:
  explicit PerNode(Value initial) : initial_(initial) {}
  [[nodiscard]] Value& at(NodeIndex node) {
    if (node >= values_.size()) values_.resize(std::size_t{node} + 1, initial_);
    return values_[node];
  }

 private:
  Value initial_;
  std::vector<Value> values_;
};

// Which nodes get no more maps at their present heartbeat.
class HeartbeatEnds {
 public:
  void end(const Offer& offer) { ended_.at(offer.node) = offer.at; }
  [[nodiscard]] bool over(const Offer& offer) { return ended_.at(offer.node) == offer.at; }

 private:
  PerNode<Time> ended_{Time::min()};
};

// Throws UsageError if nodes do not send heartbeats.
void need_heartbeats(std::string_view placer, const PolicyContext& context);

}  // namespace wavewright
