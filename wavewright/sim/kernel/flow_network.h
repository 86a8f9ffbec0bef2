// Transfers that share network links: of n on a link each gets 1/n of it, and goes as fast as the slowest
// of its links lets it [processor sharing per link; what a flow leaves unused of a link is not handed on].
//
// Amounts are bytes, times ms, rates whole bytes a ms, at least 1. A transfer is over at the first ms by
// which all of it has arrived. A change costs, once an instant, O(flows on the links concerned), and O(log
// flows) for each whose rate changes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "wavewright/sim/kernel/slot_queue.h"

namespace wavewright::sim {

// The links that a flow crosses. On a link that carries only a part of it, `part` of `whole`, it goes so much
// faster.
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

// Bytes a ms of a flow on a link of which it has this share, or that it shares with `flows - 1` others.
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

  // `links`: bytes a ms of each, at least 1.
  explicit FlowNetwork(std::vector<std::uint64_t> links);

  // `bytes`, above 0, begin to flow at `at`. The id is free for another once the transfer is over.
  Id start(const Route& route, std::uint64_t bytes, std::uint64_t at, std::uint64_t now);
  void cancel(Id id);

  [[nodiscard]] bool empty() const { return flows_.size() == free_.size(); }
  // When something begins or is over; `now`: of the last change.
  [[nodiscard]] std::uint64_t next(std::uint64_t now);
  // Calls `over` for those that are over at `now`, also those that `over` starts.
  void run(std::uint64_t now, const std::function<void(Id)>& over);

 private:
  struct Flow {
    Route route;
    std::uint64_t left = 0;   // bytes, at `since`
    std::uint64_t since = 0;  // or when it begins
    bool inside = false;
    std::array<std::uint32_t, 4> position{};  // in each link's list
  };
  struct Link {
    std::uint64_t bytes_per_ms = 1;
    std::uint64_t share = 0;    // of each flow
    std::uint64_t planned = 0;  // what it was when its flows were last planned
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
  std::vector<std::uint64_t> rate_;  // of each flow, bytes a ms; 0 = not planned yet
  std::vector<Id> free_;
  std::vector<std::uint32_t> touched_;  // links whose flows must be planned anew
  SlotQueue<Wide> due_{1};
  std::uint32_t room_ = 1;  // ids that `due_` holds
};

}  // namespace wavewright::sim
