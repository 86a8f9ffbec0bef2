// Transfers that share network links. Each of n flows on a link gets 1/n of it; a flow moves at the rate of
// its slowest link [processor sharing per link; capacity that a flow leaves unused is not passed on].
//
// Amounts are bytes, times ms, rates whole bytes/ms, at least 1. A transfer ends at the first ms by which all
// of it has arrived. Changes cost, per instant, O(flows on those links) and O(log flows) for each new rate.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "wavewright/sim/kernel/slot_queue.h"

namespace wavewright::sim {

// The links that a flow crosses. One that carries only `part` of `whole` of it is whole / part times as fast.
struct Route {
  struct Hop {
    std::uint32_t link = 0;
    std::uint64_t part = 1;
    std::uint64_t whole = 1;
  };
  std::array<Hop, 4> hops{};
  std::size_t size = 0;

  void add(const Hop& hop) { hops[size++] = hop; }
};

// Rate, bytes/ms, of a flow that has this share of a link, or that is one of `flows` flows on it.
[[nodiscard]] inline std::uint64_t rate_on(std::uint64_t share, const Route::Hop& hop) {
  return std::max<std::uint64_t>(1, hop.part == hop.whole ? share : share * hop.whole / hop.part);
}
[[nodiscard]] inline std::uint64_t share_of(std::uint64_t bytes_per_ms, std::uint64_t flows,
                                            const Route::Hop& hop) {
  return rate_on(bytes_per_ms / flows, hop);
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

 private:
  struct Flow {
    Route route;
    std::uint64_t left = 0;   // bytes, at `since`
    std::uint64_t since = 0;  // or its start
    bool inside = false;
    std::array<std::uint32_t, 4> position{};  // in each link's list
  };
  struct Link {
    std::uint64_t bytes_per_ms = 1;
    std::uint64_t share = 0;    // of each flow
    std::uint64_t planned = 0;  // `share` when its flows were last planned
    std::vector<Id> flows;
    bool touched = false;
  };

  void touch(const Route& route);
  void enter(Id id, std::uint64_t now);
  void leave(Id id);
  void plan(std::uint64_t now);
  void plan(Id id, std::uint32_t link, std::uint64_t before, std::uint64_t now);
  [[nodiscard]] std::uint64_t slowest(const Route& route) const;
  void change_rate(Id id, std::uint64_t rate, std::uint64_t now);
  void grow();

  __extension__ using Wide = unsigned __int128;
  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<std::uint64_t> rate_;  // by flow, bytes/ms; 0 = not planned yet
  std::vector<Id> free_;
  std::vector<std::uint32_t> touched_;  // links whose flows must be planned anew
  SlotQueue<Wide> due_{1};
  std::uint32_t room_ = 1;  // capacity of `due_`
};

}  // namespace wavewright::sim
