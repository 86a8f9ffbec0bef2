// What to compare when machines are rented: policies × how they rent × bids × classes of machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/money.h"
#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

struct RentalOption {
  std::string policy;    // as the user names it: `mdasa`, `edf(slots=90%)`
  std::string machines;  // `on-demand`, `spot` or `hybrid`; empty = the policy's own words say it
  std::optional<Money> bid;
  std::string node_class;  // empty = the only one for rent
  std::string spec;        // of all this, for make_policy
};

struct RentalGrid {
  std::vector<std::string> policies{};  // empty = every policy of the registry that rents by bids
  std::vector<std::string> machines{};  // empty = on demand, and spot and hybrid where there are spot prices
  std::vector<Money> bids{};            // empty = usual_bids
};

struct RentalOptions {
  std::vector<RentalOption> options;
  std::vector<std::string> left_out;  // sentences: why some combinations are not there
};

// A policy with a parameter `size` and no parameters given is tried with 1, 2, 4, … machines, up to 1024.
// Spot machines alone whose bid is below the last price are left out: a run might never end. Throws
// UsageError if nothing is for rent, or for unknown policies and words. O(options).
[[nodiscard]] RentalOptions rental_options(const RentalGrid& grid, const Cluster& cluster,
                                           const PolicyRegistry& registry);

// How an option rents, whether the grid says it or the policy's own words do.
struct RentalTerms {
  std::string machines;      // `none`, `on-demand`, `spot` or `hybrid`
  std::optional<Money> bid;  // of `spot` and `hybrid`
  std::string node_class;
  Money on_demand;  // price of an hour
};
// Throws UsageError if the policy has no parameter `machines`, or nothing of its class is for rent.
[[nodiscard]] RentalTerms terms_of(const RentalOption& option, const Cluster& cluster,
                                   const PolicyRegistry& registry);

// As many machines on these terms, rented together when the first job arrives and kept to the end.
[[nodiscard]] RentalOption rented_together(const RentalTerms& terms, Count machines, const Cluster& cluster);

// The first row of each class for rent, in the order of the file.
[[nodiscard]] std::vector<const NodeGroup*> classes_for_rent(const Cluster& cluster);

// Names of the registry's policies that take `machines` and `bid`, in its order.
[[nodiscard]] std::vector<std::string> renting_policies(const PolicyRegistry& registry);

// Prices that a bid would meet for a half, three quarters, nine tenths and all of the time in the spot prices
// of a row, up to the last change, and the price on demand; none above that, each once, ascending.
[[nodiscard]] std::vector<Money> usual_bids(const NodeGroup& group);

}  // namespace wavewright
