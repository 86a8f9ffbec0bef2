// What deadline policies cost in worlds of a SWIM trace [CLOUD §4.4]; bench/deadline-policies calls it.
//
//   deadline_worlds trace=FILE [KEY=VALUE ...] policy=TEXT [policy=TEXT ...]
//
// jobs=0 (the first so many; 0 = all) within_s=0 (those submitted before; 0 = all) without= (a job's id)
// seeds=30 billing=hour (or second) boot_in=1 (T_min of deadlines holds the machine's boot) spot=0 (1 = there
// are spot prices) interrupted=free (or charged: the hour that the market cuts short). Machines and prices
// are those of reproduce/cloud-table41.json to 44. Prints, for each seed, a JSON object with the bound on the
// cost of any schedule with all jobs in time (cloud/bound; null if some deadline cannot be met) and a result
// for each policy.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "wavewright/cloud/bound/cost_bound.h"
#include "wavewright/cloud/bound/stage_windows.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/cloud/worlds/declared_prices.h"
#include "wavewright/cloud/worlds/world.h"
#include "wavewright/core/error.h"
#include "wavewright/job/swim.h"
#include "wavewright/sched/policy_spec.h"

using namespace wavewright;

namespace {

std::map<std::string, std::string> settings = {{"trace", ""},    {"jobs", "0"},   {"within_s", "0"},
                                               {"without", ""},  {"seeds", "30"}, {"billing", "hour"},
                                               {"boot_in", "1"}, {"spot", "0"},   {"interrupted", "free"}};
std::vector<std::string> policies;

double number(const std::string& key) {
  return std::atof(settings.at(key).c_str());
}

WorldOptions options_of() {
  WorldOptions options;
  if (number("jobs") > 0) options.jobs.first = static_cast<Count>(number("jobs"));
  if (number("within_s") > 0) options.jobs.within = ms(static_cast<std::int64_t>(1000 * number("within_s")));
  if (!settings.at("without").empty()) options.jobs.without = {settings.at("without")};
  options.boot_in_shortest = number("boot_in") != 0;
  NodeGroup& machine = options.machine;
  machine.node_class = "m3.medium";
  machine.slots = {2, 2};
  machine.price_per_hour = 0.07;
  machine.boot = ms(60'000);
  machine.count = 1000;
  machine.rent = true;
  machine.billing = settings.at("billing") == "hour" ? Billing::per_started_hour : Billing::per_second;
  machine.terms.interrupted_hour = settings.at("interrupted") == "charged";
  if (number("spot") != 0) {
    options.spot = declared_price_model({.prices = {{0.75, 0.012, 1.3}, {0.15, 0.05, 1.8}, {0.1, 0.3, 2}},
                                         .times = {{1, 1200, 3}},
                                         .least_usd = 0.008,
                                         .most_usd = 1});
  }
  return options;
}

// The bound in USD, as JSON: no schedule with all jobs in time costs less. null if there is no such schedule.
std::string bound_of(const World& world) {
  if (!impossible_deadlines(world.workload, world.cluster).empty()) return "null";
  const std::vector<bool> all(world.workload.jobs.size(), true);
  return fmt::format("{:.6f}", to_usd(*cost_bound(world.workload, world.cluster, all)));
}

void print(const World& world, const PolicyRegistry& registry) {
  std::string results;
  for (const std::string& policy : policies) {
    const std::clock_t began = std::clock();
    const WorldOutcome outcome = run_in(world, policy, registry);
    const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    results += fmt::format(
        "{}{{\"tardy\": {}, \"tardiness_s\": {:.3f}, \"usd\": {:.6f}, \"processor_s\": {:.3f}}}",
        results.empty() ? "" : ", ", outcome.tardiness.tardy,
        static_cast<double>(to_ms(outcome.tardiness.total)) / 1000, to_usd(outcome.leases.cost), seconds);
  }
  fmt::print("{{\"seed\": {}, \"jobs\": {}, \"bound_usd\": {}, \"results\": [{}]}}\n", world.seed,
             world.workload.jobs.size(), bound_of(world), results);
  std::fflush(stdout);
}

void read(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (key == "policy") {
      policies.push_back(word.substr(equals + 1));
    } else if (equals == std::string::npos || !settings.contains(key)) {
      throw UsageError("deadline_worlds: unknown setting '" + word + "'");
    } else {
      settings[key] = word.substr(equals + 1);
    }
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    read(count, words);
    const Workload trace = read_swim(settings.at("trace"), {}).workload;
    const WorldOptions options = options_of();
    const PolicyRegistry registry{deadline_policies()};
    for (int seed = 1; seed <= static_cast<int>(number("seeds")); ++seed)
      print(make_world(trace, options, static_cast<std::uint64_t>(seed)), registry);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
