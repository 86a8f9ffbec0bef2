// `wavewright rent online FILE`: jobs that arrive over time, and how far a policy is from one that knows them
// all.
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/profile_lengths.h"
#include "apps/commands/rent_commands.h"
#include "apps/commands/rent_options.h"
#include "apps/table.h"
#include "wavewright/core/time.h"
#include "wavewright/rent/online.h"

namespace wavewright::app {

namespace {

struct OnlineOptions : RentOptions {
  std::string policy = "ascending";
};

int run_online(const OnlineOptions& options, const Context& context) {
  const RentPolicy& policy = find_rent_policy(options.policy);
  std::set<std::string> profiles;
  const RentProblem problem = options.problem(context, profiles);
  const OnlinePlan online = rent_online(problem, policy);
  const double bound = alone_bound(problem);
  const bool small = problem.jobs.size() <= most_clairvoyant_jobs;
  const double best = small ? clairvoyant_groups(problem).cost : 0;
  const auto ratio = [&](double to) { return to > 0 ? online.cost / to : 1; };
  const std::map<std::string, TrackRecord> records = records_of(context, profiles);
  if (context.json) {
    Json json = rent_options_document(options);
    json["jobs"] = problem.jobs.size();
    json["policy"] = policy.name;
    json["cost"] = online.cost;
    json["rent"] = online.plan.rent;
    json["average_delay_s"] = online.average_delay;
    json["utility"] = online.plan.utility;
    json["group_count"] = online.plan.groups.size();
    json["alone_bound"] = bound;
    json["ratio_to_alone_bound"] = ratio(bound);
    json["clairvoyant_cost"] = small ? Json(best) : Json(nullptr);
    json["ratio_to_clairvoyant"] = small ? Json(ratio(best)) : Json(nullptr);
    add_records(json, records);
    context.print(json);
    return 0;
  }
  std::cout << fmt::format("{} jobs in {} groups by {}: cost {:.4f}, rent {:.4f}, average delay {}\n",
                           problem.jobs.size(), online.plan.groups.size(), policy.name, online.cost,
                           online.plan.rent, format_duration(ms(std::llround(1000 * online.average_delay))));
  if (small) std::cout << fmt::format("{:.4f} times the clairvoyant of groups ({:.4f})\n", ratio(best), best);
  std::cout << fmt::format("{:.4f} times the bound of each job alone ({:.4f})\n", ratio(bound), bound);
  show_records(records);
  if (!small) {
    context.note(
        fmt::format("the clairvoyant of groups is computed for up to {} jobs", most_clairvoyant_jobs));
  }
  return 0;
}

}  // namespace

void add_rent_online(CLI::App& rent, Context& context) {
  CLI::App* command = rent.add_subcommand("online", "Run a policy on jobs that arrive over time");
  command->footer(
      "Example: wavewright rent online examples/rent/jobs.csv --machines 4 --speedup 'alpha(0.9)' --price "
      "0.2 --delay 1");
  const auto options = std::make_shared<OnlineOptions>();
  options->declare(*command);
  offer_names(
      command->add_option("--policy", options->policy, "plans the jobs that wait")->type_name("POLICY"),
      rent_policies());
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_online(*options, context); }; });
}

}  // namespace wavewright::app
