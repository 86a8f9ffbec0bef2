// Transfers that share network links, each counted down on its own, all rates computed anew by progressive
// filling: the reference for tests of FlowNetwork.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
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
    const std::vector<std::int64_t> rates = this->rates();
    for (std::size_t i = 0; i < all_.size(); ++i) all_[i].left -= rates[i] * time;
  }
  // The next instant at which something begins or ends; -1 = never.
  [[nodiscard]] std::int64_t next(std::int64_t now) const {
    const std::vector<std::int64_t> rates = this->rates();
    std::int64_t first = -1;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Flow& each = all_[i];
      const std::int64_t at = each.inside ? now + (each.left + rates[i] - 1) / rates[i] : each.at;
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

  // All flows rise together; those on a link that is full stay where they are. 0 for flows that are outside.
  [[nodiscard]] std::vector<std::int64_t> rates() const {
    std::vector<double> fair(all_.size(), 0), left(links_.begin(), links_.end());
    std::vector<bool> rises(all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) rises[i] = all_[i].inside;
    while (std::find(rises.begin(), rises.end(), true) != rises.end()) {
      const std::vector<double> weights = weights_on_links(rises);
      double step = std::numeric_limits<double>::infinity();
      for (std::size_t link = 0; link < links_.size(); ++link) {
        if (weights[link] > 0) step = std::min(step, left[link] / weights[link]);
      }
      for (std::size_t i = 0; i < all_.size(); ++i) fair[i] += rises[i] ? step : 0;
      for (std::size_t link = 0; link < links_.size(); ++link) left[link] -= step * weights[link];
      stop_on_full_links(left, rises);
    }
    std::vector<std::int64_t> whole(all_.size(), 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].inside) whole[i] = static_cast<std::int64_t>(whole_rate(fair[i]));
    }
    return whole;
  }
  [[nodiscard]] std::vector<double> weights_on_links(const std::vector<bool>& rises) const {
    std::vector<double> weights(links_.size(), 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Route& route = all_[i].route;
      for (std::size_t hop = 0; hop < route.size && rises[i]; ++hop)
        weights[route.hops[hop].link] += route.hops[hop].weight();
    }
    return weights;
  }
  void stop_on_full_links(const std::vector<double>& left, std::vector<bool>& rises) const {
    constexpr double rounding = 1e-10;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Route& route = all_[i].route;
      for (std::size_t hop = 0; hop < route.size; ++hop) {
        const std::uint32_t link = route.hops[hop].link;
        if (left[link] <= rounding * static_cast<double>(links_[link])) rises[i] = false;
      }
    }
  }

  std::vector<std::uint64_t> links_;
  std::vector<Flow> all_;
  Id last_ = 0;
};

}  // namespace wavewright::sim
