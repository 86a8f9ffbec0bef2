// Transfers that share network links max-min fairly: no flow can be faster without slowing one that is not
// faster than it [progressive filling: Bertsekas and Gallager, Data Networks, 6.5.2].
//
// Each link has a level: the rate of the flows that it limits. It divides what the flows limited elsewhere
// leave. A change spreads from link to link as far as levels change [Charny et al. 1995].
//
// Amounts are bytes, times ms, rates whole bytes/ms, at least 1. A transfer ends at the first ms by which all
// of it has arrived. Cost per instant: O(flows of a link) for each new level, O(log flows) for each new rate.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <vector>

#include "wavewright/sim/kernel/slot_queue.h"

namespace wavewright::sim {

// The links that a flow crosses, at least one. A link may carry only `part` of `whole` of it.
struct Route {
  struct Hop {
    std::uint32_t link = 0;
    std::uint64_t part = 1;
    std::uint64_t whole = 1;

    // Bytes that cross the link for each byte of the flow, above 0 and at most 1.
    [[nodiscard]] double weight() const { return static_cast<double>(part) / static_cast<double>(whole); }
  };
  std::array<Hop, 4> hops{};
  std::size_t size = 0;

  void add(const Hop& hop) { hops[size++] = hop; }
};

// A fair rate in whole bytes/ms; a rounding error below a whole number does no harm.
[[nodiscard]] inline std::uint64_t whole_rate(double fair) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(fair * (1 + 1e-9) + 1e-6));
}

class FlowNetwork {
 public:
  using Id = std::uint32_t;
  static constexpr Id none = ~Id{0};
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // `links`: bytes/ms of each, at least 1.
  explicit FlowNetwork(std::vector<std::uint64_t> links);

  // Starts a flow of `bytes` (above 0) at `at`. Its id is used again after its end.
  Id start(const Route& route, std::uint64_t bytes, std::uint64_t at, std::uint64_t now);
  void cancel(Id id);

  [[nodiscard]] bool empty() const { return flows_.size() == free_.size(); }
  // The next instant at which a flow begins or ends; `now`: of the last change.
  [[nodiscard]] std::uint64_t next(std::uint64_t now);
  // Calls `over` for the flows that end at `now`, and lets in those that begin.
  void run(std::uint64_t now, const std::function<void(Id)>& over);
  // Bytes/ms of a flow that has begun; as of the last `next`.
  [[nodiscard]] std::uint64_t rate(Id id) const { return rate_[id]; }

 private:
  struct Flow {
    Route route;
    std::uint64_t left = 0;   // bytes, at `since`
    std::uint64_t since = 0;  // or its start
    bool inside = false;
    bool changed = false;                     // its rate must be looked at
    std::array<std::uint32_t, 4> position{};  // in each link's list
  };
  // A flow on a link, with the other links that it crosses.
  struct OnLink {
    Id id = 0;
    std::array<std::uint32_t, 3> others{};  // filled up with `no_link()`
    double weight = 1;
  };
  struct Link {
    double bytes_per_ms = 1;
    // While the link limits no flow: by how much its flows may grow together before it does, at least.
    double room = 0;
    std::vector<OnLink> flows;
    bool touched = false;
  };
  // The rate that a flow's other links leave it, and its weight on this one.
  struct Limited {
    double elsewhere = 0;
    double weight = 1;
  };

  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  [[nodiscard]] std::uint32_t no_link() const { return static_cast<std::uint32_t>(links_.size()); }

  void touch(std::uint32_t link);
  void may_grow(std::uint32_t link, double by);
  void enter(Id id, std::uint64_t now);
  void leave(Id id);
  void plan(std::uint64_t now);
  void level_again(std::uint32_t link);
  [[nodiscard]] double level_of(Link& link);
  [[nodiscard]] double least(const Route& route) const;
  [[nodiscard]] double elsewhere(const OnLink& flow) const;
  void look_at(Id id);
  void change_rate(Id id, std::uint64_t rate, std::uint64_t now);
  void grow();

  __extension__ using Wide = unsigned __int128;
  std::vector<Link> links_;
  std::vector<double> level_;  // by link, bytes/ms of the flows that it limits; unlimited if it limits none
  std::vector<Flow> flows_;
  std::vector<std::uint64_t> rate_;  // by flow, bytes/ms; 0 = not planned yet
  std::vector<Id> free_;
  std::deque<std::uint32_t> touched_;  // links whose level may be another
  std::vector<Id> changed_;            // flows whose rate may be another
  std::vector<Limited> limited_;       // of the link whose level is computed
  SlotQueue<Wide> due_{1};
  std::uint32_t room_ = 1;  // capacity of `due_`
};

}  // namespace wavewright::sim
