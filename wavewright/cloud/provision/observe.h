// What a look at the cloud says of the orders. Pure functions on the books; the reconciler calls them within
// one change of the ledger.
//
// A look is a list of machines as they were some time between two instants. Other programs may have changed
// the books since, and the cloud may not yet list a machine that it has made. So states only go forward, and
// a machine that is missing is gone only after `settling`.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "wavewright/cloud/provision/books.h"
#include "wavewright/cloud/provision/cloud.h"

namespace wavewright {

struct RentRules {
  std::string place;  // orders of other places are passed over
  // After so long nothing comes any more of a request that was sent, and a machine that is not listed is
  // gone. Longer than a request takes, with the time until the cloud lists what it made.
  Duration settling = ms(600'000);
  // The cloud lists a machine for so long after its end.
  Duration remembered = ms(3'000'000);
  Duration check = ms(60'000);  // the books are looked at again within
};

struct Look {
  Time at{}, done{};  // before the cloud was asked, and after its answer
  std::vector<Instance> instances;
  std::set<std::string> joined;  // hosts that have joined the cluster
  bool knows_joined = false;     // the cluster was asked; else a running machine is up
};

// Enters what the look says: adopts machines, moves states on. A machine of a closed order opens it again.
// Returns ids of machines that no order of the ledger explains. O(instances · log + orders · machines).
[[nodiscard]] std::vector<std::string> observe(Books& books, const Look& look, const RentRules& rules,
                                               std::vector<std::string>& notes);

// Decides what is to happen, at `now`: gives back what is over, in surplus or not up in time, orders others
// in place of the latter while attempts and budget last, and closes orders that have ended. `token` makes
// tokens.
void judge(Books& books, Time now, const RentRules& rules, bool knows_joined,
           const std::function<std::string()>& token, std::vector<std::string>& notes);

// Is it an open order for machines of that place?
[[nodiscard]] bool concerns(const RentRules& rules, const RentOrder& order);

// Ids of machines that are to be ended.
[[nodiscard]] std::vector<std::string> to_terminate(const Books& books, const RentRules& rules);

// Takes the machines of an answer to the order's request into the order. Without effect if it has them.
void adopt(RentOrder& order, const std::vector<Instance>& machines, Time now);

// Enters that a request of the order was refused: closes it, unless an earlier request may still have its
// effect. Then it is given up, and closed when nothing can come of it any more.
void refuse(Books& books, RentOrder& order, Time now, const std::string& why);

// Gives the whole order back.
void give_back(RentOrder& order, const std::string& why);

}  // namespace wavewright
