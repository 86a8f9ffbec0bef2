// Makes the cloud what the ledger says: asks for what is wanted, adopts what is there, ends what is not
// wanted.
//
// One step looks at the cloud, enters in the ledger what it saw and what it is about to do, and does it. A
// step may die anywhere, and several programs may step on one ledger: the next step finds the intent of each
// request, and a request sent twice carries the same token. In the order of a step:
//
//   1. List the machines with the ledger's tag.
//   2. One change of the ledger: adopt them, decide (observe.h), write down each request that follows.
//   3. End machines. Send the requests, and write down each answer.
//
// Never twice: a token stands for one request, made in the change that wrote its order. Never leaked: a
// machine carries its token, and one whose order is not open is ended. Within the budget: each order sets
// aside all that it can cost before it is sent (books.h), and a machine ends itself when its time is over.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "wavewright/cloud/provision/books.h"
#include "wavewright/cloud/provision/cloud.h"
#include "wavewright/cloud/provision/observe.h"

namespace wavewright {

struct StepReport {
  Count machines = 0;                // that are there and wanted
  Count missing = 0;                 // that are wanted and not up
  Count leaving = 0;                 // not wanted, and not known to have ended
  Count unsettled = 0;               // orders that were given up while a request may still have its effect
  std::vector<std::string> notes;    // what happened, a line each
  std::vector<std::string> refused;  // what the cloud refused, a line each
};

class Reconciler {
 public:
  struct Outside {
    std::function<Time()> now;
    std::function<std::string()> token;                  // a new one at each call
    std::function<std::set<std::string>()> joined = {};  // hosts of the cluster; none = running is enough
  };

  // All must outlive it.
  Reconciler(RentLedger& ledger, Cloud& cloud, RentRules rules, Outside outside)
      : ledger_(ledger), cloud_(cloud), rules_(rules), outside_(std::move(outside)) {}

  // Throws CloudError if the cloud cannot be listed or denies the requests, ExternalError if the ledger
  // cannot be reached. What was written until then stays, and the next step goes on from there.
  [[nodiscard]] StepReport step();

 private:
  void launch(const std::string& token, StepReport& report);

  RentLedger& ledger_;
  Cloud& cloud_;
  RentRules rules_;
  Outside outside_;
};

// The request of an order; each time the same.
[[nodiscard]] LaunchRequest request_of(const RentOrder& order, const std::string& ledger);

}  // namespace wavewright
