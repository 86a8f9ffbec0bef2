// Transfers that share network links, each counted down on its own: the reference for tests of FlowNetwork.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "wavewright/sim/kernel/flow_network.h"

namespace wavewright::sim {

class ReferenceFlows {
 public:
  using Id = std::uint64_t;  // 0 = none

  explicit ReferenceFlows(std::vector<std::uint64_t> links) : links_(std::move(links)) {}

  Id start(const Route& route, std::uint64_t bytes, std::int64_t at, std::int64_t now) {
    all_.push_back({++last_, route, at, static_cast<std::int64_t>(bytes), at <= now});
    return last_;
  }
  void cancel(Id id) {
    std::erase_if(all_, [&](const Flow& each) { return each.id == id; });
  }
  [[nodiscard]] bool empty() const { return all_.empty(); }

  // `time` ms pass in which nothing begins or ends.
  void pass(std::int64_t time) {
    std::vector<std::int64_t> rates;
    rates.reserve(all_.size());
    for (const Flow& each : all_) rates.push_back(each.inside ? rate(each) : 0);
    for (std::size_t i = 0; i < all_.size(); ++i) all_[i].left -= rates[i] * time;
  }
  // The next instant at which something begins or ends; -1 = never.
  [[nodiscard]] std::int64_t next(std::int64_t now) const {
    std::int64_t first = -1;
    for (const Flow& each : all_) {
      const std::int64_t per_ms = each.inside ? rate(each) : 1;
      const std::int64_t at = each.inside ? now + (each.left + per_ms - 1) / per_ms : each.at;
      if (first == -1 || at < first) first = at;
    }
    return first;
  }
  void run(std::int64_t now, const std::function<void(Id)>& over) {
    for (Flow& each : all_) each.inside = each.inside || each.at <= now;
    for (;;) {
      const auto done = std::find_if(all_.begin(), all_.end(),
                                     [](const Flow& each) { return each.inside && each.left <= 0; });
      if (done == all_.end()) return;
      const Id id = done->id;
      all_.erase(done);
      over(id);
    }
  }

 private:
  struct Flow {
    Id id = 0;
    Route route;
    std::int64_t at = 0;
    std::int64_t left = 0;
    bool inside = false;
  };

  [[nodiscard]] std::uint64_t on(std::uint32_t link) const {
    std::uint64_t flows = 0;
    for (const Flow& each : all_) {
      for (std::size_t i = 0; i < each.route.size && each.inside; ++i)
        flows += each.route.hops[i].link == link ? 1 : 0;
    }
    return flows;
  }
  [[nodiscard]] std::int64_t rate(const Flow& flow) const {
    std::uint64_t least = ~std::uint64_t{0};
    for (std::size_t i = 0; i < flow.route.size; ++i) {
      const Route::Hop& hop = flow.route.hops[i];
      least = std::min(least, share_of(links_[hop.link], on(hop.link), hop));
    }
    return static_cast<std::int64_t>(least);
  }

  std::vector<std::uint64_t> links_;
  std::vector<Flow> all_;
  Id last_ = 0;
};

}  // namespace wavewright::sim
