#include "apps/commands/profile_why.h"

#include <functional>
#include <iostream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "apps/zones.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/profile/task_times.h"
#include "wavewright/report/documents/why_document.h"

namespace wavewright::app {

namespace {

constexpr std::size_t runs_shown = 30;
constexpr std::size_t runs_read = 2'000;  // with their tasks, to count what is impossible

const std::vector<Duration>& durations_of(const RunPhases& run, PhaseName phase) {
  switch (phase) {
    case PhaseName::map:
      return run.map;
    case PhaseName::first_shuffle:
      return run.first_shuffle;
    case PhaseName::shuffle:
      return run.shuffle;
    case PhaseName::reduce:
      break;
  }
  return run.reduce;
}

std::string reason(const RunPhases& run, const ProfileView& view, const std::set<std::string>& in_group) {
  if (run.state != RunState::succeeded) return to_string(run.state);
  if (!in_group.contains(run.id)) return "another group";
  if (view.since_change && run.submit && *run.submit < *view.changes.back().when) return "before the change";
  return "";
}

std::vector<RunPart> parts_of(const ProfileView& view, PhaseName phase) {
  std::set<std::string> in_group;
  for (std::size_t i = 0; i < view.groups.size(); ++i) {
    if (view.group && *view.group != i) continue;
    for (const std::size_t place : view.groups[i].runs) in_group.insert(view.found.runs[place].id);
  }
  std::vector<RunPart> parts;
  for (const RunPhases& run : view.found.runs) {
    RunPart part{&run, reason(run, view, in_group), 0, 0, 0};
    double sum = 0;
    for (const Duration duration : durations_of(run, phase)) {
      sum += static_cast<double>(duration.count());
      part.max_ms = std::max(part.max_ms, static_cast<double>(duration.count()));
      ++part.tasks;
    }
    if (part.tasks > 0) part.mean_ms = sum / static_cast<double>(part.tasks);
    if (part.tasks == 0 && part.left_out.empty()) part.left_out = "tells none";
    parts.push_back(std::move(part));
  }
  return parts;
}

void each_run_of(const Store& store, const RunPhases& wanted,
                 const std::function<void(const JobRun&)>& sink) {
  store.each_run({.id = wanted.id}, [&](JobRun&& run) {
    if (run.submit == wanted.submit) sink(run);
  });
}

// By run: winners with impossible instants. Where every task has its durations there are none; of the other
// runs, at most `runs_read`, the tasks are read.
std::map<std::string, Count> impossible_of(const Store& store, const std::vector<RunPart>& parts) {
  std::map<std::string, Count> impossible;
  std::size_t read = 0;
  for (const RunPart& part : parts) {
    const RunPhases& phases = *part.run;
    if (!part.left_out.empty() ||
        std::ssize(phases.map) + std::ssize(phases.reduce) == phases.maps + phases.reduces)
      continue;
    if (read++ == runs_read) break;
    each_run_of(store, phases, [&](const JobRun& run) {
      for (const TaskTime& time : task_times(run)) impossible[run.id] += time.possible ? 0 : 1;
    });
  }
  return impossible;
}

struct Nearest {
  std::size_t tasks = 0;  // in the phase
  std::vector<TaskSource> sources;
};

// The lengths are known by run; only the runs of the chosen ones are read with their tasks.
Nearest nearest_of(const Store& store, const std::vector<RunPart>& parts, const Statistic& statistic) {
  struct Place {
    const RunPhases* run;
    std::size_t number;  // among the run's durations of the phase
  };
  std::vector<Place> places;
  std::vector<Duration> lengths;
  for (const RunPart& part : parts) {
    if (!part.left_out.empty()) continue;
    const std::vector<Duration>& durations = durations_of(*part.run, statistic.phase);
    for (std::size_t i = 0; i < durations.size(); ++i) places.push_back({part.run, i});
    lengths.insert(lengths.end(), durations.begin(), durations.end());
  }
  Nearest nearest{lengths.size(), {}};
  std::map<const RunPhases*, std::vector<TaskSource>> known;
  for (const std::size_t place : nearest_to(statistic, lengths)) {
    const auto [run, number] = places[place];
    const auto [sources, is_new] = known.try_emplace(run);
    if (is_new) {
      each_run_of(store, *run,
                  [&](const JobRun& told) { add_sources(told, statistic.phase, sources->second); });
    }
    if (number < sources->second.size()) nearest.sources.push_back(sources->second[number]);
  }
  return nearest;
}

void list_tasks(const std::vector<TaskSource>& sources, const ListOptions& list) {
  Table table{why_columns(), {}};
  for (const TaskSource& source : sources) {
    table.rows.push_back({Cell(format_duration(source.length), to_ms(source.length)), source.run, source.task,
                          source.attempt, source.node});
  }
  list.write(table, {"length_ms", "run", "attempt", "node"});
}

std::vector<Time> submissions(const std::vector<RunPart>& parts) {
  std::vector<Time> instants;
  for (const RunPart& part : parts) {
    if (instants.size() == runs_shown) break;
    if (part.run->submit) instants.push_back(*part.run->submit);
  }
  return instants;
}

void show_runs(const std::vector<RunPart>& parts, const std::map<std::string, Count>& impossible) {
  Table table{{{"run", "run", false, true},
               {"submitted", with_zones("submitted", submissions(parts)), false, false},
               number_column("tasks"),
               number_column("mean"),
               number_column("max"),
               number_column("impossible"),
               {"left_out", "left out", false, false}},
              {}};
  for (const RunPart& part : parts) {
    if (table.rows.size() == runs_shown) break;
    const auto left = impossible.find(part.run->id);
    table.rows.push_back(
        {part.run->id, std::string(part.run->submit ? format_instant(*part.run->submit) : "-"),
         count_cell(part.tasks), std::string(part.tasks > 0 ? duration_cell(part.mean_ms) : "-"),
         std::string(part.tasks > 0 ? duration_cell(part.max_ms) : "-"),
         count_cell(left == impossible.end() ? 0 : left->second), part.left_out});
  }
  write_table(std::cout, table);
  if (parts.size() > runs_shown) {
    std::cout << fmt::format("… and {} older runs (--json has all)\n", parts.size() - runs_shown);
  }
}

}  // namespace

const std::vector<Column>& why_columns() {
  static const std::vector<Column> all = {{"length_ms", "length", true, false},
                                          {"run", "run", false, true},
                                          {"task", "task", false, true},
                                          {"attempt", "attempt", false, true},
                                          {"node", "node", false, true}};
  return all;
}

int show_why(const Store& store, const ProfileView& view, const Statistic& statistic, const ListOptions& list,
             const Context& context) {
  const std::vector<RunPart> parts = parts_of(view, statistic.phase);
  const auto [count, chosen] = nearest_of(store, parts, statistic);
  if (count == 0) {
    throw Infeasible(fmt::format("no {} task is in the profile of '{}'", to_string(statistic.phase),
                                 shown_name(view.found.name)),
                     "'wavewright profile NAME' shows the phases that there are");
  }
  if (context.json) {
    context.print(
        why_document({view.found.name, statistic, count, chosen, parts, impossible_of(store, parts)}));
    return 0;
  }
  if (list.one_table()) {
    list_tasks(chosen, list);
    return 0;
  }
  std::cout << fmt::format("{}: {} {} tasks; {} of them, {}\n", shown_name(view.found.name), count,
                           to_string(statistic.phase), chosen.size(), order_of(statistic));
  list_tasks(chosen, list);
  std::cout << '\n';
  show_runs(parts, impossible_of(store, parts));
  return 0;
}

}  // namespace wavewright::app
