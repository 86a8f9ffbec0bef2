// Keeps task groups of EMR at the size that the ledger says: as large as each was, and the machines of its
// orders.
//
// EMR knows no client tokens. A size is absolute, so setting it twice is setting it once, and a request whose
// answer was lost is sent again. EMR's machines do not end themselves: an order costs until the group is
// known to have shrunk, so somebody must step when its time is over.
#pragma once

#include <functional>

#include "wavewright/cloud/provision/books.h"
#include "wavewright/cloud/provision/emr.h"
#include "wavewright/cloud/provision/reconciler.h"

namespace wavewright {

class GroupKeeper {
 public:
  // RentLedger and groups must outlive it. Orders of other places are passed over.
  GroupKeeper(RentLedger& ledger, TaskGroups& groups, std::string place, std::function<Time()> now)
      : ledger_(ledger), groups_(groups), place_(std::move(place)), now_(std::move(now)) {}

  // Sets `base` of an order that is to be placed. Throws CloudError; Infeasible if it is no task group.
  void prepare(RentOrder& order);
  // One step for each group with an open order. Throws as Reconciler::step.
  [[nodiscard]] StepReport step();

 private:
  void step(const std::string& group, StepReport& report);

  RentLedger& ledger_;
  TaskGroups& groups_;
  std::string place_;
  std::function<Time()> now_;
};

// How many machines the group is to have: its base, and those of its wanted orders.
[[nodiscard]] Count target_of(const Books& books, const std::string& group);

}  // namespace wavewright
