#include "wavewright/cloud/choice/rental_options.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/parameters.h"
#include "wavewright/core/spec.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {

namespace {

constexpr Count largest_size = 1024;  // of a policy that keeps a cluster of one size

const std::vector<std::string> markets = {"on-demand", "spot", "hybrid"};

bool takes(const PolicyEntry& entry, const std::string& name) {
  return std::any_of(entry.parameters.begin(), entry.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
}

// The policy with more parameters: `edf(slots=90%)` and `machines=spot` → `edf(slots=90%, machines=spot)`.
std::string with(const std::string& policy, const std::string& parameters) {
  const std::size_t end = policy.rfind(')');
  if (end == std::string::npos) return policy + "(" + parameters + ")";
  const bool empty = parse_spec(policy).positional.empty() && parse_spec(policy).parameters.empty();
  return policy.substr(0, end) + (empty ? "" : ", ") + parameters + policy.substr(end);
}

std::string usd(Money money) {
  return fmt::format("{}", to_usd(money));
}

class Grid {
 public:
  Grid(const RentalGrid& grid, const Cluster& cluster, const PolicyRegistry& registry)
      : grid_(grid), cluster_(cluster), registry_(registry), groups_(classes_for_rent(cluster)) {
    if (groups_.empty())
      throw UsageError("the cluster has no machines for rent", "give a row of [[nodes]] `rent = true`");
    for (const std::string& word : grid.machines) {
      if (std::find(markets.begin(), markets.end(), word) == markets.end())
        throw UsageError("--machines is '" + word + "'", suggestion(word, markets));
    }
  }

  [[nodiscard]] RentalOptions all() {
    for (const std::string& policy : grid_.policies.empty() ? renting_policies(registry_) : grid_.policies)
      add(policy);
    if (found_.options.empty())
      throw UsageError("no policy is left to compare", "give --machines on-demand, or higher --bids");
    return std::move(found_);
  }

 private:
  void add(const std::string& policy) {
    const Spec spec = parse_spec(policy);
    const PolicyEntry& entry = registry_.allocator(spec.name);
    const bool own_words = std::any_of(spec.parameters.begin(), spec.parameters.end(),
                                       [](const auto& each) { return each.first == "machines"; });
    if (own_words || !takes(entry, "machines")) return keep({policy, "", std::nullopt, "", policy});
    if (takes(entry, "size") && spec.parameters.empty() && spec.positional.empty()) {
      for (Count size = 1; size <= std::min(most_machines(), largest_size); size *= 2)
        add(fmt::format("{}(size={})", spec.name, size));
      return;
    }
    for (const NodeGroup* group : groups_) {
      for (const std::string& market : markets) add(policy, entry, *group, market);
    }
  }

  void add(const std::string& policy, const PolicyEntry& entry, const NodeGroup& group,
           const std::string& market) {
    if (!wanted(market)) return;
    const bool spot = market != "on-demand";
    if (spot && group.spot.empty()) {
      if (!grid_.machines.empty())
        leave_out(fmt::format("class '{}' has no spot prices: on demand only", group.node_class));
      return;
    }
    std::string words = "machines=" + market;
    RentalOption option{policy, market, std::nullopt, "", ""};
    if (groups_.size() > 1) {
      option.node_class = group.node_class;
      words += ", class=" + group.node_class;
    }
    if (!spot || !takes(entry, "bid")) {
      option.spec = with(policy, words);
      return keep(option);
    }
    for (const Money bid : grid_.bids.empty() ? usual_bids(group) : grid_.bids) {
      if (refuses(market, bid, group)) continue;
      option.bid = bid;
      option.spec = with(policy, fmt::format("{}, bid={}", words, usd(bid)));
      keep(option);
    }
  }

  [[nodiscard]] Count most_machines() const {
    Count most = 0;
    for (const NodeGroup& group : cluster_.nodes) most = std::max(most, group.rent ? group.count : 0);
    return most;
  }

  [[nodiscard]] bool wanted(const std::string& market) const {
    return grid_.machines.empty() ||
           std::find(grid_.machines.begin(), grid_.machines.end(), market) != grid_.machines.end();
  }

  [[nodiscard]] bool refuses(const std::string& market, Money bid, const NodeGroup& group) {
    if (market == "spot" && bid < from_usd(group.spot.back().price_per_hour)) {
      leave_out(fmt::format(
          "spot machines for {} USD: the last spot price is above that, and a run might never end",
          usd(bid)));
      return true;
    }
    if (market == "hybrid" && bid > from_usd(group.price_per_hour)) {
      leave_out(fmt::format("hybrid with a bid of {} USD: above the price on demand it rents on demand only",
                            usd(bid)));
      return true;
    }
    return false;
  }

  void leave_out(const std::string& sentence) {
    if (std::find(found_.left_out.begin(), found_.left_out.end(), sentence) == found_.left_out.end())
      found_.left_out.push_back(sentence);
  }

  void keep(const RentalOption& option) {
    (void)make_policy_on(option.spec, cluster_, registry_);  // wrong words fail before the work
    found_.options.push_back(option);
  }

  const RentalGrid& grid_;
  const Cluster& cluster_;
  const PolicyRegistry& registry_;
  std::vector<const NodeGroup*> groups_;  // the first row of each class for rent
  RentalOptions found_;
};

}  // namespace

RentalOptions rental_options(const RentalGrid& grid, const Cluster& cluster, const PolicyRegistry& registry) {
  return Grid(grid, cluster, registry).all();
}

std::vector<const NodeGroup*> classes_for_rent(const Cluster& cluster) {
  std::set<std::string> seen;
  std::vector<const NodeGroup*> groups;
  for (const NodeGroup& group : cluster.nodes) {
    if (group.rent && seen.insert(group.node_class).second) groups.push_back(&group);
  }
  return groups;
}

RentalTerms terms_of(const RentalOption& option, const Cluster& cluster, const PolicyRegistry& registry) {
  const Spec spec = parse_spec(split_outside(option.spec, '+').front());
  if (!takes(registry.allocator(spec.name), "machines"))
    throw UsageError("policy '" + spec.name + "' does not say in words how it rents",
                     "name others with --policies");
  const auto word = [&](const char* name, const std::string& otherwise) {
    for (const auto& [key, value] : spec.parameters) {
      if (key == name) return value;
    }
    return otherwise;
  };
  RentalTerms terms{word("machines", "none"), std::nullopt, word("class", ""), {}};
  const std::vector<const NodeGroup*> groups = classes_for_rent(cluster);
  const auto group = std::find_if(groups.begin(), groups.end(), [&](const NodeGroup* each) {
    return terms.node_class.empty() || each->node_class == terms.node_class;
  });
  if (group == groups.end()) throw UsageError("the cluster has no machines for rent of that class");
  terms.node_class = (*group)->node_class;
  terms.on_demand = from_usd((*group)->price_per_hour);
  const std::string bid = word("bid", "");
  if (terms.machines == "spot" || terms.machines == "hybrid")
    terms.bid = bid.empty() ? terms.on_demand : from_usd(finite_number(bid).value_or(0));
  return terms;
}

RentalOption rented_together(const RentalTerms& terms, Count machines, const Cluster& cluster) {
  RentalOption option{fmt::format("fixed-size(size={})", machines), terms.machines, terms.bid, "", ""};
  std::string words = "machines=" + terms.machines;
  if (classes_for_rent(cluster).size() > 1) {
    option.node_class = terms.node_class;
    words += ", class=" + terms.node_class;
  }
  if (terms.bid) words += ", bid=" + usd(*terms.bid);
  option.spec = with(option.policy, words);
  return option;
}

std::vector<std::string> renting_policies(const PolicyRegistry& registry) {
  std::vector<std::string> names;
  for (const PolicyEntry& entry : registry.entries()) {
    if (entry.allocator && takes(entry, "machines") && takes(entry, "bid")) names.push_back(entry.name);
  }
  return names;
}

std::vector<Money> usual_bids(const NodeGroup& group) {
  const Money on_demand = from_usd(group.price_per_hour);
  std::set<Money> bids = {on_demand};
  std::vector<std::pair<Money, double>> times;  // prices and how long they hold
  double all = 0;
  for (std::size_t i = 0; i + 1 < group.spot.size(); ++i) {
    const auto time = static_cast<double>(to_ms(group.spot[i + 1].from - group.spot[i].from));
    times.emplace_back(from_usd(group.spot[i].price_per_hour), time);
    all += time;
  }
  if (!group.spot.empty()) bids.insert(std::min(on_demand, from_usd(group.spot.back().price_per_hour)));
  std::sort(times.begin(), times.end());
  for (const double share : {0.5, 0.75, 0.9, 1.0}) {
    double below = 0;
    for (const auto& [price, time] : times) {
      below += time;
      if (below < share * all - 1e-6) continue;
      bids.insert(std::min(on_demand, price));
      break;
    }
  }
  return {bids.begin(), bids.end()};
}

}  // namespace wavewright
