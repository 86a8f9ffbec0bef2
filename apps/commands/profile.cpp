// `wavewright profile [NAME]`: a job's profile from its runs, with findings.
#include "wavewright/profile/profile.h"
#include "apps/open_store.h"

#include <algorithm>
#include <iostream>
#include <set>

#include <fmt/format.h>

#include "apps/commands/job_size.h"
#include "apps/commands/profile_view.h"
#include "apps/commands/profile_why.h"
#include "apps/context.h"
#include "apps/made_at.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/store/phases.h"

namespace wavewright::app {

namespace {

constexpr Count runs_with_tasks = 20;  // number of newest runs analysed task by task

struct Options {
  std::string name;
  std::string group;
  std::string why;
  std::string as_of;
  bool like = false;
  bool fit = false;
  bool before_change = false;
  ListOptions list;
};

const std::vector<Column>& name_columns() {
  static const std::vector<Column> all = {
      {"name", "name", false, true}, {"runs", "runs", true, false}, {"succeeded", "succeeded", true, false}};
  return all;
}

int list_names(const Store& store, const Options& options, const Context& context) {
  const std::vector<RunName> names = store.names();
  if (context.json) {
    Json list = Json::array();
    for (const RunName& entry : names) {
      list.push_back({{"name", entry.name}, {"runs", entry.runs}, {"succeeded", entry.succeeded}});
    }
    context.print({{"names", std::move(list)}});
    return 0;
  }
  Table table{name_columns(), {}};
  for (const RunName& entry : names) {
    table.rows.push_back(
        {Cell(shown_name(entry.name), entry.name), count_cell(entry.runs), count_cell(entry.succeeded)});
  }
  options.list.write(table, {"name", "runs", "succeeded"});
  context.note("'wavewright profile NAME' shows one");
  return 0;
}

std::optional<std::size_t> chosen_group(const std::vector<RunGroup>& groups, const std::string& asked) {
  if (asked == "all" || groups.empty()) return std::nullopt;
  if (asked.empty()) return default_group(groups);
  const Count number = parse_count(asked, "--group", 1);
  if (number > static_cast<Count>(groups.size())) {
    throw UsageError(fmt::format("there is no group {}", number),
                     fmt::format("1 to {}, or 'all'", groups.size()));
  }
  return static_cast<std::size_t>(number - 1);
}

// The newest successful ones of the used runs, with their tasks.
std::vector<JobRun> with_tasks(const Store& store, const std::vector<RunPhases>& used) {
  std::set<std::pair<std::string, std::optional<Time>>> wanted;
  RunFilter filter;
  for (const RunPhases& run : used) {
    if (static_cast<Count>(wanted.size()) == runs_with_tasks) break;
    if (run.state != RunState::succeeded) continue;
    wanted.emplace(run.id, run.submit);
    filter.ids.push_back(run.id);
  }
  std::vector<JobRun> runs;
  if (wanted.empty()) return runs;
  store.each_run(filter, [&](JobRun&& run) {
    if (wanted.contains({run.id, run.submit})) runs.push_back(std::move(run));
  });
  return runs;
}

// Runs with the configuration of the used ones, of any size.
std::vector<RunPhases> of_every_size(const ProfileView& view) {
  if (!view.group || view.used.empty()) return view.used;
  std::vector<RunPhases> all;
  for (const RunPhases& run : comparable_runs(view.found.runs, view.used.front(), 1)) {
    const bool old = view.since_change && run.submit && *run.submit < *view.changes.back().when;
    if (!old) all.push_back(run);
  }
  return all;
}

// Which runs the profile is of.
ProfileView runs_to_look_at(const Store& store, const Options& options, const Context& context) {
  ProfileView view;
  view.found = find_job_runs(store, options.name, options.like);
  view.groups = group_runs(view.found.runs);
  view.group = chosen_group(view.groups, options.group);
  view.used = view.group ? runs_of(view.groups[*view.group], view.found.runs) : view.found.runs;
  view.changes = find_changes(view.used, {.seed = context.seed});
  if (!view.changes.empty() && !options.before_change) {
    view.used = runs_since(view.changes.back(), view.used);
    view.since_change = true;
  }
  return view;
}

ProfileView look_at(const Store& store, const Options& options, const Context& context) {
  ProfileView view = runs_to_look_at(store, options, context);
  view.profile = build_profile(view.found.name, view.used, context.seed);
  view.stability = stability_of(view.used);
  const std::vector<RunPhases> sizes = of_every_size(view);
  view.by_slots = by_slots(sizes);
  view.fits = fit_phases(sizes);
  const Time now = options.as_of.empty() ? now_or_epoch() : parse_when(options.as_of, now_instant());
  view.fresh = freshness_of(view.found.runs, now);
  if (view.fresh.finding) view.findings.push_back(*view.fresh.finding);
  for (const auto& found :
       {run_findings(view.used, view.changes), task_findings(with_tasks(store, view.used))}) {
    view.findings.insert(view.findings.end(), found.begin(), found.end());
  }
  std::stable_sort(view.findings.begin(), view.findings.end(),
                   [](const ProfileFinding& a, const ProfileFinding& b) { return a.severity > b.severity; });
  return view;
}

// A flag without effect is a misunderstanding, so it is refused.
void refuse_without_effect(const Options& options) {
  const auto refuse = [](bool given, const char* flag, const char* why, const char* remedy) {
    if (given) throw UsageError(fmt::format("{} {}", flag, why), remedy);
  };
  if (!options.why.empty()) {
    const char* remedy = "ask for one of them";
    refuse(options.fit, "--fit", "has no effect with --why", remedy);
    refuse(!options.as_of.empty(), "--as-of", "has no effect with --why", remedy);
  }
  if (!options.name.empty()) return;
  const char* why = "is of one job";
  const char* remedy = "give a NAME ('wavewright profile' lists them)";
  if (!options.why.empty()) throw UsageError("no job named to explain", remedy);
  refuse(options.fit, "--fit", why, remedy);
  refuse(!options.group.empty(), "--group", why, remedy);
  refuse(!options.as_of.empty(), "--as-of", why, remedy);
  refuse(options.before_change, "--before-change", why, remedy);
  refuse(options.like, "--like", why, remedy);
}

// Columns of the table that the other flags select.
const std::vector<Column>& columns_of(const Options& options) {
  if (!options.why.empty()) return why_columns();
  if (options.fit) return fit_columns();
  return options.name.empty() ? name_columns() : phase_columns();
}

int show_one(const Store& store, const Options& options, const Context& context) {
  if (!options.why.empty()) {
    const Statistic why = parse_statistic(options.why);
    return show_why(store, runs_to_look_at(store, options, context), why, options.list, context);
  }
  const ProfileView view = look_at(store, options, context);
  if (context.json) {
    context.print(profile_document(view));
  } else if (!options.list.one_table()) {
    show_profile(view, options.fit);
  } else if (options.fit) {
    list_fits(view.fits, options.list);
  } else {
    list_phases(view.profile, options.list);
  }
  return 0;
}

int run_profile(const Options& options, const Context& context) {
  if (options.list.wants_help()) {
    ListOptions::write_fields(columns_of(options));
    return 0;
  }
  refuse_without_effect(options);
  const Store store = open_store(context);
  return options.name.empty() ? list_names(store, options, context) : show_one(store, options, context);
}

}  // namespace

void add_profile(CLI::App& root, Context& context) {
  CLI::App* command =
      root.add_subcommand("profile", "Show what a job's runs have in common, or list the jobs");
  command->footer(
      "Example: wavewright profile nightly-etl\n"
      "         wavewright profile nightly-etl --why map.max\n"
      "         wavewright profile 'etl-*' --fit");
  const auto options = std::make_shared<Options>();
  command
      ->add_option("name", options->name,
                   "job name, in any case; '*' stands for any text; without it, the names are listed")
      ->type_name("NAME");
  command->add_flag("--like", options->like, "take all names that differ only in dates, numbers and ids");
  command
      ->add_option("--group", options->group,
                   "which group of comparable runs; default: the newest well filled")
      ->type_name("K|all");
  command->add_flag("--fit", options->fit, "show how maps, shuffle and reduce grow with the input");
  command
      ->add_option(
          "--why", options->why,
          "which runs and tasks a number comes from: map.max, first_shuffle, shuffle (later), reduce.p95")
      ->type_name("PHASE[.STATISTIC]");
  command->add_flag("--before-change", options->before_change, "take runs from before the job changed, too");
  command->add_option("--as-of", options->as_of, "judge how old the runs are as of then")->type_name("WHEN");
  options->list.declare(*command);
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_profile(*options, context); }; });
}

}  // namespace wavewright::app
