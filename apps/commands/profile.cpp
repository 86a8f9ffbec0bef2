// `wavewright profile [NAME]`: what a job's runs have in common.
#include "wavewright/profile/profile.h"

#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/store/phases.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string name;
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
    table.rows.push_back({entry.name, count_cell(entry.runs), count_cell(entry.succeeded)});
  }
  options.list.write(table, {"name", "runs", "succeeded"});
  context.note("'wavewright profile NAME' shows one");
  return 0;
}

struct Phase {
  const char* name;
  const char* title;
  const PhaseProfile& profile;
};

std::vector<Phase> phases_of(const JobProfile& profile) {
  return {{"map", "map", profile.map},
          {"first_shuffle", "first shuffle", profile.first_shuffle},
          {"shuffle", "later shuffle", profile.shuffle},
          {"reduce", "reduce", profile.reduce}};
}

// In JSON a phase that no run showed is null, never 0.
Json to_json(const PhaseProfile& phase) {
  if (phase.empty()) return nullptr;
  return {{"count", phase.count},
          {"min_ms", to_ms(phase.min)},
          {"p25_ms", to_ms(phase.quantile(0.25))},
          {"p50_ms", to_ms(phase.quantile(0.5))},
          {"p75_ms", to_ms(phase.quantile(0.75))},
          {"max_ms", to_ms(phase.max)},
          {"mean_ms", std::llround(phase.mean_ms)},
          {"smallest_max_ms", to_ms(phase.smallest_max)}};
}

Json to_json(const AttemptCounts& counts) {
  return {{"succeeded", counts.succeeded},
          {"failed", counts.failed},
          {"killed", counts.killed},
          {"speculative", counts.speculative}};
}

Json to_json(const Spread& spread, bool durations) {
  if (spread.runs == 0) return nullptr;
  Json json = {{"runs", spread.runs}};
  const auto put = [&](const char* name, double value) {
    if (durations) {
      json[std::string(name) + "_ms"] = std::llround(value);
    } else {
      json[name] = value;
    }
  };
  put("mean", spread.mean);
  put("min", spread.min);
  put("max", spread.max);
  put("deviation", spread.deviation);
  json["relative_deviation"] = spread.relative();
  return json;
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const JobProfile& profile, const Stability& stability) {
  Json phases = Json::object();
  for (const Phase& phase : phases_of(profile)) phases[phase.name] = to_json(phase.profile);
  return {
      {"name", profile.name},
      {"runs", profile.runs},
      {"failed_runs", profile.failed_runs},
      {"killed_runs", profile.killed_runs},
      {"newest_ms", profile.newest ? Json(to_ms(*profile.newest)) : Json(nullptr)},
      {"maps_per_run", profile.maps_per_run},
      {"reduces_per_run", profile.reduces_per_run},
      {"overhead_ms", std::llround(profile.overhead_ms)},
      {"phases", std::move(phases)},
      {"attempts", {{"map", to_json(profile.map_attempts)}, {"reduce", to_json(profile.reduce_attempts)}}},
      {"input_bytes_per_map",
       profile.input_per_map ? Json(std::llround(*profile.input_per_map)) : Json(nullptr)},
      {"map_selectivity", or_null(profile.map_selectivity)},
      {"reduce_selectivity", or_null(profile.reduce_selectivity)},
      {"over_runs",
       {{"map", to_json(stability.map_ms, true)},
        {"first_shuffle", to_json(stability.first_shuffle_ms, true)},
        {"shuffle", to_json(stability.shuffle_ms, true)},
        {"reduce", to_json(stability.reduce_ms, true)},
        {"elapsed", to_json(stability.measured_ms, true)},
        {"map_waves", to_json(stability.map_waves, false)},
        {"reduce_waves", to_json(stability.reduce_waves, false)}}}};
}

std::string duration_text(double milliseconds) {
  return format_duration(ms(std::llround(milliseconds)));
}

Column number_column(const char* title) {
  return {title, title, true, false};
}

void show_phases(const JobProfile& profile) {
  Table table{{{"phase", "phase", false, false},
               number_column("tasks"),
               number_column("min"),
               number_column("25 %"),
               number_column("median"),
               number_column("75 %"),
               number_column("max"),
               number_column("mean")},
              {}};
  for (const auto& [name, title, phase] : phases_of(profile)) {
    std::vector<Cell> row = {std::string(title), std::to_string(phase.count)};
    for (const double q : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      // The sample may lack the extremes; they are known all the same.
      const Duration value = q == 0.0 ? phase.min : q == 1.0 ? phase.max : phase.quantile(q);
      row.emplace_back(phase.empty() ? "-" : format_duration(value));
    }
    row.emplace_back(phase.empty() ? "-" : duration_text(phase.mean_ms));
    table.rows.push_back(std::move(row));
  }
  write_table(std::cout, table);
}

void show_attempts(const JobProfile& profile) {
  Table table{{{"attempts", "attempts", false, false},
               number_column("succeeded"),
               number_column("failed"),
               number_column("killed"),
               number_column("speculative")},
              {}};
  const auto row = [&](const std::string& kind, const AttemptCounts& counts) {
    table.rows.push_back({kind, count_cell(counts.succeeded), count_cell(counts.failed),
                          count_cell(counts.killed), count_cell(counts.speculative)});
  };
  row("map", profile.map_attempts);
  row("reduce", profile.reduce_attempts);
  write_table(std::cout, table);
}

void show_stability(const Stability& stability) {
  Table table{{{"over runs", "mean of a run", false, false},
               number_column("runs"),
               number_column("min"),
               number_column("mean"),
               number_column("max"),
               number_column("deviation")},
              {}};
  const auto row = [&](const std::string& title, const Spread& spread, bool durations) {
    if (spread.runs == 0) return;
    const auto text = [&](double value) {
      return durations ? duration_text(value) : fmt::format("{:.1f}", value);
    };
    table.rows.push_back({title, count_cell(spread.runs), text(spread.min), text(spread.mean),
                          text(spread.max), fmt::format("{:.1f} %", 100 * spread.relative())});
  };
  row("map", stability.map_ms, true);
  row("first shuffle", stability.first_shuffle_ms, true);
  row("later shuffle", stability.shuffle_ms, true);
  row("reduce", stability.reduce_ms, true);
  row("elapsed", stability.measured_ms, true);
  row("map waves", stability.map_waves, false);
  row("reduce waves", stability.reduce_waves, false);
  write_table(std::cout, table);
}

void show(const JobProfile& profile, const Stability& stability) {
  std::cout << fmt::format("{}: {} successful runs, {} failed, {} killed", profile.name, profile.runs,
                           profile.failed_runs, profile.killed_runs);
  if (profile.newest) std::cout << "; newest " << format_instant(*profile.newest) << " UTC";
  std::cout << fmt::format("\n{:.1f} maps and {:.1f} reduces a run", profile.maps_per_run,
                           profile.reduces_per_run);
  if (profile.input_per_map) {
    std::cout << ", " << format_bytes({std::llround(*profile.input_per_map)}) << " input a map";
  }
  if (profile.map_selectivity)
    std::cout << fmt::format(", map output/input {:.3g}", *profile.map_selectivity);
  if (profile.reduce_selectivity) std::cout << fmt::format(", reduce {:.3g}", *profile.reduce_selectivity);
  std::cout << "\n"
            << duration_text(profile.overhead_ms) << " of a run with no task at work (start-up, commit)\n\n";
  show_phases(profile);
  std::cout << '\n';
  show_attempts(profile);
  std::cout << '\n';
  show_stability(stability);
}

int run_profile(const Options& options, const Context& context) {
  if (options.list.wants_help()) {
    ListOptions::write_fields(name_columns());
    return 0;
  }
  const Store store = Store::open(context.store_url(), Store::Access::existing);
  if (options.name.empty()) return list_names(store, options, context);
  const std::string name = store.known_name(options.name);
  const std::vector<RunPhases> runs = load_phases(store, name);
  const JobProfile profile = build_profile(name, runs, context.seed);
  const Stability stability = stability_of(runs);
  if (context.json) {
    context.print(to_json(profile, stability));
  } else {
    show(profile, stability);
  }
  return 0;
}

}  // namespace

void add_profile(CLI::App& root, Context& context) {
  CLI::App* command =
      root.add_subcommand("profile", "Show what a job's runs have in common, or list the jobs");
  command->footer("Example: wavewright profile nightly-etl");
  const auto options = std::make_shared<Options>();
  command->add_option("name", options->name, "job name, in any case; without it, the names are listed")
      ->type_name("NAME");
  options->list.declare(*command);
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_profile(*options, context); }; });
}

}  // namespace wavewright::app
