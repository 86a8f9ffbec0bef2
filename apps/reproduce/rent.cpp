// The kinds `rent-speedup` and `rent-policies`.
#include <algorithm>

#include "apps/reproduce/experiment.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/rent/policies.h"
#include "wavewright/rent/speedup_fit.h"

namespace wavewright::app {

namespace {

// `curve`: a declared one. Or `runs`: a list of [machines, seconds], whose points are the table's.
SpeedupCurve curve_of(const Json& inputs) {
  if (!inputs.contains("runs")) return parse_speedup(inputs.at("curve").get<std::string>());
  std::vector<MeasuredRun> runs;
  for (const Json& run : inputs.at("runs")) runs.push_back({run.at(0).get<Count>(), run.at(1).get<double>()});
  return fit_speedup(runs).forms.back().curve;
}

// Numbers of machines at which m / S(m) turns: less than before and no more than after, or the other way
// round.
std::vector<Count> changing_points(const Speeds& speeds) {
  const auto time = [&](Count m) { return static_cast<double>(m) / speeds.at(m); };
  std::vector<Count> points;
  for (Count m = 2; m < speeds.machines(); ++m) {
    if ((time(m) - time(m - 1)) * (time(m + 1) - time(m)) < 0) points.push_back(m);
  }
  return points;
}

std::vector<RentJob> jobs_of(const Json& inputs, std::size_t count, std::uint64_t seed) {
  Random random(seed, "rent-jobs", count);
  std::vector<RentJob> jobs;
  for (std::size_t i = 0; i < count; ++i) {
    const double work = random.uniform(inputs.at("work_s").at(0), inputs.at("work_s").at(1));
    jobs.push_back({fmt::format("J{}", i + 1), work, 0});
  }
  return jobs;
}

struct Totals {
  std::string policy;
  double time = 0, rent = 0, cost = 0;
};

// All policies with this value, as several may choose the same plan.
std::string with_value(const std::vector<Totals>& totals, double Totals::* what, double value) {
  std::vector<std::string> names;
  for (const Totals& each : totals) {
    if (each.*what >= value * (1 - 1e-9) && each.*what <= value * (1 + 1e-9)) names.push_back(each.policy);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void record_ends(const std::vector<Totals>& totals, double Totals::* what, const std::string& name,
                 Measurements& measured) {
  const auto [lowest, highest] = std::ranges::minmax_element(totals, {}, what);
  measured[name + ".lowest"] = {with_value(totals, what, (*lowest).*what)};
  measured[name + ".highest"] = {with_value(totals, what, (*highest).*what)};
}

}  // namespace

Measurements measure_rent_speedup(const Json& inputs, std::uint64_t /*seed*/) {
  const Speeds speeds(curve_of(inputs), inputs.at("machines"));
  const double work = inputs.at("work_s");
  Measurements measured;
  for (Count m = 1; m <= speeds.machines(); ++m) {
    const std::string n = std::to_string(m);
    measured["time." + n] = {work / speeds.at(m)};
    measured["nmt." + n] = {static_cast<double>(m) * speeds.at(1) / speeds.at(m)};
  }
  measured["gain.2"] = {100 * (1 - speeds.at(1) / speeds.at(2))};
  const Count last = speeds.machines();
  measured["gain.rest"] = {100 * (1 - speeds.at(2) / speeds.at(last))};
  measured["time.falls"] = {speeds.fastest(last) == last ? "yes" : "no"};
  const std::vector<Count> points = changing_points(speeds);
  measured["changing-points"] = {fmt::format("{}", fmt::join(points, ", "))};
  measured["changing-points.exist"] = {points.empty() ? "no" : "yes"};
  // The same with the α form, fitted to the times.
  std::vector<MeasuredRun> runs;
  for (Count m = 1; m <= last; ++m) runs.push_back({m, work / speeds.at(m)});
  const FittedForm alpha = fit_speedup(runs).forms.front();
  measured["alpha"] = {alpha.curve.parameter};
  measured["alpha.r-squared"] = {alpha.r_squared};
  measured["alpha.changing-points.exist"] = {changing_points(Speeds(alpha.curve, last)).empty() ? "no"
                                                                                                : "yes"};
  return measured;
}

Measurements measure_rent_policies(const Json& inputs, std::uint64_t seed) {
  const RentPrices prices{inputs.at("rent"), inputs.at("delay"), 0};
  const Speeds speeds(curve_of(inputs), inputs.at("machines"));
  Measurements measured;
  std::vector<Totals> totals;
  for (const std::string name : inputs.at("policies")) totals.push_back({name});
  for (const std::size_t count : inputs.at("jobs")) {
    const RentProblem problem = rent_problem(jobs_of(inputs, count, seed), prices, speeds);
    for (Totals& each : totals) {
      const RentPlan plan = find_rent_policy(each.policy).plan(problem);
      const std::string key = fmt::format("{}.{}", count, each.policy);
      measured[key + ".time"] = {plan.average_time()};
      measured[key + ".rent"] = {plan.rent};
      measured[key + ".cost"] = {plan.cost};
      each.time += plan.average_time();
      each.rent += plan.rent;
      each.cost += plan.cost;
    }
  }
  // The paper's words are on its own policies.
  std::vector<Totals> own;
  const auto ours = inputs.value("beside", std::vector<std::string>{});
  for (const Totals& each : totals) {
    if (std::ranges::find(ours, each.policy) == ours.end()) own.push_back(each);
  }
  record_ends(own, &Totals::time, "time", measured);
  record_ends(own, &Totals::rent, "rent", measured);
  record_ends(own, &Totals::cost, "cost", measured);
  const auto cost_of = [&](const std::string& name) {
    return std::ranges::find(totals, name, &Totals::policy)->cost;
  };
  for (const Totals& one : totals) {
    for (const Totals& other : totals) {
      if (one.policy == other.policy) continue;
      measured[one.policy + ".cost-below." + other.policy] = {
          100 * (1 - cost_of(one.policy) / cost_of(other.policy))};
    }
    // The batches in which it costs more than the first of the list.
    Count loses = 0;
    for (const std::size_t count : inputs.at("jobs")) {
      const auto cost = [&](const std::string& name) {
        return measured.at(fmt::format("{}.{}.cost", count, name)).value.get<double>();
      };
      if (cost(one.policy) > cost(totals.front().policy) * (1 + 1e-9)) ++loses;
    }
    measured[one.policy + ".loses-to-first"] = {loses};
  }
  return measured;
}

}  // namespace wavewright::app
