// The instance type decision maker [CLOUD §4.2]: which machines, how many, and on demand or at what bid, so
// that a job meets its deadline with a stated probability at the lowest expected cost.
//
// The job runs alone on n equal machines from when they have booted. Its time is a set of equally likely
// times for each number of slots (one for a formula, many for simulated runs), divided by the type's speed.
//
//   On demand  the machines are kept for the job's time and billed by written rules
//   (instances/lease_price.h). Spot       The job starts at an instant of the price history, each of `starts`
//   even ones as likely. If the
//              price is above the bid then, it goes on demand at once. Machines of one bid are lost together:
//              at a revocation all work is lost, and the job starts again on as many machines on demand,
//              which boot first. The instants leave as much of the history as the deadline is long.
//
// The paper takes spot machines if the least sufficient bid is below the on-demand price. Here every bid of a
// set is tried, up to the on-demand price, and the cheapest wins: a higher bid may cost less, as less work is
// lost.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cloud/instances/catalogue.h"
#include "wavewright/cloud/prices/price_history.h"
#include "wavewright/core/stop.h"
#include "wavewright/predict/bounds.h"

namespace wavewright {

// Equally likely times of the job on these slots, ascending, in ms, at speed 1, at least one. Both kinds of
// slots are at least 1 where the job has tasks of that kind.
using JobTimes = std::function<std::vector<double>(SlotPool)>;

struct InstanceQuestion {
  JobTimes times_ms;
  Count maps = 0;  // of the job: more slots than tasks change nothing
  Count reduces = 0;
  Duration deadline{};        // from the request of the machines to the job's end; above 0
  double probability = 0.95;  // of meeting it; above 0, at most 1
  Duration boot{};
  Billing billing = Billing::per_second;
  TaskSize task;
  std::vector<PriceHistory> histories;  // spot, by their market's instance type; none = on demand only
  Count starts = 200;                   // instants tried in a history
  Count most_bids = 12;                 // bids tried of a type
  Count most_machines = 1'000'000;      // of a type
  // Times do not grow with slots. If they may (tasks slow each other down), every number is tried.
  bool monotone = true;
  Count most_numbers = 100'000;  // numbers of machines tried of a type
  Stop stop;                     // asked before each number of machines
};

struct InstanceOption {
  std::string type;
  Count machines = 0;
  std::optional<Money> bid;  // none = on demand
  std::string zone;          // of the spot market
  SlotPool slots;            // of all machines
  double expected_usd = 0;
  double probability = 0;  // of meeting the deadline
  double time_ms = 0;      // at that probability, boots included
  double revoked = 0;      // probability of a revocation
};

struct InstanceChoice {
  InstanceOption best;
  std::vector<InstanceOption> by_type;  // the cheapest sufficient one of each type that has one, by cost
  std::optional<Money> least_bid;       // the least bid tried that is enough, for the best type and count
  // Every number of machines was tried or ruled out; else `most_numbers` of them: even ratios, and those
  // about the best.
  bool exact = true;
};

// All sufficient options are compared by expected cost; ties: the earlier time, then fewer machines, then the
// type's place in the catalogue. Numbers of machines are left out only if a bound shows that they are
// insufficient or cost more. Throws Infeasible if nothing meets the deadline, with the earliest time that can
// be promised with that probability and on which machines; UsageError for impossible numbers, and if no type
// of the catalogue has room for a task. O(types · numbers · (a job's times + bids · starts · times)).
[[nodiscard]] InstanceChoice choose_instances(const Catalogue& catalogue, const InstanceQuestion& asked);

// One option, computed as described; also if it is not sufficient.
[[nodiscard]] InstanceOption evaluate_option(const InstanceType& type, Count machines,
                                             std::optional<Money> bid, const PriceHistory* history,
                                             const InstanceQuestion& question);

// Bids tried against a history: prices at even shares of the time, up to the on-demand price, and this one.
[[nodiscard]] std::vector<Money> bids_tried(const PriceHistory& history, Money on_demand, Count most);

// A job's times by a formula.
[[nodiscard]] JobTimes times_by_model(JobStatistics job, TimeModel model);

}  // namespace wavewright
