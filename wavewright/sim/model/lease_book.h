// The leases of a run: which machines are rented, when they join and leave, and what they cost.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "wavewright/sched/lease.h"
#include "wavewright/sim/kernel/number_set.h"
#include "wavewright/sim/model/node_model.h"

namespace wavewright::sim {

class LeaseBook {
 public:
  // The model must outlive it. O(nodes + classes · nodes / 64).
  explicit LeaseBook(const NodeModel& model);

  // Rents the lowest-numbered free machines of the class. Throws InternalError if none is asked for or fewer
  // are left, or on a bid without a spot market. O(machines · log leases).
  LeaseId rent(const LeaseRequest& request, std::uint64_t now, const std::string& policy);
  // Takes effect at the next instant, unless revoked before. Throws InternalError on an unknown lease.
  void give_back(LeaseId lease, std::uint64_t now, const std::string& policy);
  [[nodiscard]] LeaseOffer offer(ClassId node_class, std::uint64_t now) const;  // O(log prices)

  enum class What : std::uint8_t { joins, noticed, leaves, never_joins };
  struct Change {
    What what = What::joins;
    LeaseId lease = 0;
    NodeIndex node = 0;
    Duration left{};  // noticed: until the machine leaves
  };
  [[nodiscard]] std::uint64_t next() const;
  // The next change that is due at `now`.
  [[nodiscard]] std::optional<Change> pop(std::uint64_t now);

  // Rented machines of a row of Cluster::nodes that have joined, without those that the market takes soon.
  [[nodiscard]] Count there(std::size_t row) const { return there_[row]; }
  // All leases, billed up to `end`.
  [[nodiscard]] std::vector<Lease> billed(std::uint64_t end) const;

 private:
  struct Due {
    std::uint64_t at = 0;
    std::uint64_t sequence = 0;
    LeaseId lease = 0;
    enum class Step : std::uint8_t { join, outbid, revoke, give_back } step = Step::join;
    friend bool operator>(const Due& a, const Due& b) {
      return a.at != b.at ? a.at > b.at : a.sequence > b.sequence;
    }
  };
  [[nodiscard]] const NodeGroup& group_of(NodeIndex node) const;
  [[nodiscard]] ClassId class_of(NodeIndex node) const;
  [[nodiscard]] std::optional<Change> step(const Due& due);
  // The lease is paid for from now on, unless its bid is below the price; plans its revocation.
  void start(LeaseId id, std::uint64_t now);

  const NodeModel& model_;
  std::vector<Lease> leases_;
  std::vector<NumberSet> free_;  // by class: nodes that may be rented now; empty if none is for rent
  std::vector<Count> there_;     // by row of Cluster::nodes
  std::priority_queue<Due, std::vector<Due>, std::greater<>> queue_;
  std::uint64_t sequence_ = 0;
};

}  // namespace wavewright::sim
