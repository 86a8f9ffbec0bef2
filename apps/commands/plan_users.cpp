#include <charconv>
#include <cmath>
#include <iostream>

#include "apps/commands/plan_robust.h"
#include "apps/table.h"
#include "wavewright/core/apart.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/users/users.h"
#include "wavewright/report/documents/users_document.h"
#include "wavewright/report/text.h"

namespace wavewright::app {

namespace {

constexpr double largest_weight = 1e6;

// Parses `etl=2,reports=1`.
std::map<std::string, double> parse_weights(const std::string& text) {
  std::map<std::string, double> weights;
  const auto refuse = [&](const std::string& part) {
    throw UsageError(fmt::format("'{}' is no weight of a user", part), "give them like etl=2,reports=0.5");
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t equals = part.rfind('=');
    if (equals == std::string::npos) refuse(part);
    double weight = 0;
    const auto [stopped, error] =
        std::from_chars(part.data() + equals + 1, part.data() + part.size(), weight);
    if (error != std::errc() || stopped != part.data() + part.size() || !(weight > 0) ||
        weight > largest_weight)
      refuse(part);
    if (!weights.emplace(part.substr(0, equals), weight).second)
      throw UsageError(fmt::format("user '{}' has two weights", part.substr(0, equals)), "give one");
    begin = end + 1;
  }
  return weights;
}

UserSettings user_settings_of(const PlanOptions& options) {
  UserSettings settings;
  if (!options.user_weights.empty()) settings.weights = parse_weights(options.user_weights);
  if (!options.fair.empty()) settings.fair = parse_share(options.fair, "--fair");
  return settings;
}

std::string name_of(const UserTime& user) {
  return user.user.empty() ? "(no user)" : user.user;
}

void print_answer(const UserAnswer& answer, const UserSettings& settings, Objective objective) {
  Table table{{{"user", "user", false, false},
               {"jobs", "jobs", true, false},
               {"weight", "weight", true, false},
               {"alone_ms", "alone", true, false},
               {"shared_ms", "in the plan", true, false},
               {"slowdown", "slowdown", true, false}},
              {}};
  for (const UserTime& user : answer.users) {
    const auto times = format_apart({user.alone, user.shared});
    table.rows.push_back({name_of(user), std::to_string(user.jobs), fmt::format("{:g}", user.weight),
                          times[0], times[1], fmt::format("{:.2f}", user.slowdown())});
  }
  std::cout << (objective == Objective::makespan ? "\nwhen each user's last job ends:\n"
                                                 : "\nsums of each user's completion times:\n");
  write_table(std::cout, table);
  if (settings.weights.empty()) return;
  const Duration weighted = ms(std::llround(answer.weighted_ms)), bound = answer.shown_weighted_bound();
  if (answer.weighted_is_optimal()) {
    std::cout << fmt::format("weighted completion time {}, proved optimal\n", format_duration(weighted));
    return;
  }
  const auto apart = format_apart({weighted, bound});
  std::cout << fmt::format("weighted completion time {}; no plan has less than {}\n", apart[0], apart[1]);
}

}  // namespace

void declare_users(CLI::App& command, PlanOptions& options) {
  command
      .add_option("--fair", options.fair,
                  "most by which a user's jobs may end later than if the user had all slots alone")
      ->type_name("25%");
  command
      .add_option("--user-weights", options.user_weights,
                  "what a user's total completion time counts (others 1), like etl=2,reports=0.5")
      ->type_name("USER=W,..");
}

void check_users(const PlanOptions& options) {
  if (!options.for_users()) return;
  (void)user_settings_of(options);
  const char* const flag = options.fair.empty() ? "--user-weights" : "--fair";
  if (!options.robust.empty())
    throw UsageError(fmt::format("{} has no meaning with --robust", flag), "ask for one of them");
  if (options.spread.given())
    throw UsageError(fmt::format("--spread has no meaning with {}", flag), "leave it out");
  refuse_answers(options, flag);
}

int plan_for_users(const Context& context, const PlanOptions& options, const PlanningProblem& problem,
                   const std::vector<Plan>& plans) {
  const UserSettings settings = user_settings_of(options);
  const UserAnswer answer = after_methods(context, options, "planning: users", [&](const Stop& stop) {
    return make_user_plan(problem, settings, plans, stop);
  });
  if (!context.json) {
    print_plan(answer.plan, *problem.batch, options.ids);
    print_answer(answer, settings, problem.objective);
  }
  give_plan(context, options, answer.plan, *problem.batch, "users", users_document(answer, settings));
  if (context.interrupted) return static_cast<int>(ExitStatus::interrupted);
  if (!answer.violated) return static_cast<int>(ExitStatus::done);
  const UserTime& user = answer.users[*answer.violated];
  std::cerr << fmt::format(
      "wavewright: user '{}' waits {} longer than alone, more than {}: {}\n", harmless(name_of(user)),
      report::percent_text(user.slowdown() - 1), report::percent_text(*settings.fair),
      answer.impossible.empty() ? "no fair plan was found" : harmless(answer.impossible));
  return static_cast<int>(ExitStatus::no);
}

}  // namespace wavewright::app
