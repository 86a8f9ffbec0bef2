// `wavewright energy fit SAMPLES…`: powers of node classes from samples and histories.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/commands/energy_commands.h"
#include "apps/open_store.h"
#include "apps/table.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/spec.h"
#include "wavewright/energy/fit/power_fit.h"
#include "wavewright/energy/meters/sample_file.h"
#include "wavewright/history/source.h"

namespace wavewright::app {

namespace {

struct EnergyFitFlags {
  std::vector<std::string> samples, histories, classes;
  std::string cluster, bin = "5s", node = "node";
  bool curve = false;
};

using Classes = std::vector<std::pair<std::string, std::vector<std::string>>>;

std::vector<std::string>& hosts_of(Classes& classes, const std::string& name) {
  const auto found =
      std::find_if(classes.begin(), classes.end(), [&](const auto& each) { return each.first == name; });
  if (found != classes.end()) return found->second;
  classes.emplace_back(name, std::vector<std::string>{});
  return classes.back().second;
}

// `NAME=NODES` of each --class.
Classes named_classes(const EnergyFitFlags& flags) {
  Classes classes;
  for (const std::string& text : flags.classes) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw UsageError(fmt::format("--class: '{}' names no nodes", shortened(text)),
                       "write --class gpu=node7,node8");
    std::vector<std::string>& hosts = hosts_of(classes, text.substr(0, equals));
    for (std::string& host : split_outside(std::string_view(text).substr(equals + 1), ','))
      hosts.push_back(std::move(host));
  }
  return classes;
}

void check_disjoint(const Classes& classes) {
  std::map<std::string, std::string> class_of_host;
  for (const auto& [name, hosts] : classes) {
    for (const std::string& host : hosts) {
      const auto [known, fresh] = class_of_host.try_emplace(host, name);
      if (fresh || known->second == name) continue;
      throw UsageError(fmt::format("{} is named in the classes {} and {}", shortened(host),
                                   shortened(known->second), shortened(name)),
                       "a node belongs to one class: name it there alone");
    }
  }
}

// Those of the cluster file come first. A flag may only add nodes to them.
Classes classes_of(const EnergyFitFlags& flags, const Classes& named) {
  Classes classes;
  if (!flags.cluster.empty()) {
    for (const NodeGroup& group : read_cluster(flags.cluster).nodes) {
      std::vector<std::string>& hosts = hosts_of(classes, group.node_class);
      hosts.insert(hosts.end(), group.hosts.begin(), group.hosts.end());
    }
    std::vector<std::string> known;
    known.reserve(classes.size());
    for (const auto& each : classes) known.push_back(each.first);
    for (const auto& [name, hosts] : named) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      throw UsageError(fmt::format("--class: no node of {} is of class '{}'", flags.cluster, shortened(name)),
                       fmt::format("its classes are {}; name one of them, or leave --cluster out",
                                   fmt::join(known, ", ")));
    }
  }
  for (const auto& [name, hosts] : named) {
    std::vector<std::string>& all = hosts_of(classes, name);
    all.insert(all.end(), hosts.begin(), hosts.end());
  }
  check_disjoint(classes);
  return classes;
}

// Refuses a class of a flag of which no node was measured, and remarks on single nodes that were not.
void check_measured(const Classes& named, const std::vector<NodeEnergy>& nodes,
                    std::vector<std::string>& remarks) {
  std::vector<std::string> measured;
  for (const NodeEnergy& node : nodes)
    if (!node.spans.empty()) measured.push_back(node.node);
  if (measured.empty()) return;  // the fit says so
  for (const auto& [name, hosts] : named) {
    std::vector<std::string> missing;
    for (const std::string& host : hosts)
      if (std::find(measured.begin(), measured.end(), host) == measured.end()) missing.push_back(host);
    if (missing.size() == hosts.size()) {
      throw UsageError(fmt::format("--class {}: the samples have none of its nodes: {}", shortened(name),
                                   shortened(fmt::format("{}", fmt::join(missing, ", ")))),
                       fmt::format("they are of {}; name the nodes as the samples do",
                                   shortened(fmt::format("{}", fmt::join(measured, ", ")))));
    }
    if (missing.empty()) continue;
    remarks.push_back(fmt::format("class {}: the samples have no node {}", name, fmt::join(missing, ", ")));
  }
}

// Remarks on nodes for which the cluster file has no class: they are pooled, whatever machines they are.
void remark_on_strangers(const std::string& cluster, const Classes& classes,
                         const std::vector<NodeEnergy>& nodes, std::vector<std::string>& remarks) {
  if (cluster.empty()) return;
  std::vector<std::string> strangers;
  for (const NodeEnergy& node : nodes) {
    const bool named = std::any_of(classes.begin(), classes.end(), [&](const auto& each) {
      return std::find(each.second.begin(), each.second.end(), node.node) != each.second.end();
    });
    if (!named && !node.spans.empty()) strangers.push_back(node.node);
  }
  if (strangers.empty()) return;
  remarks.push_back(fmt::format("{}: no row has {} among its hosts: taken as class default", cluster,
                                shortened(fmt::format("{}", fmt::join(strangers, ", ")))));
}

// Refuses samples of which nothing is left, with the first reason.
void check_usable(const NodeEnergies& energies) {
  const auto empty = [](const NodeEnergy& node) { return node.spans.empty(); };
  if (energies.remarks.empty() || !std::all_of(energies.nodes.begin(), energies.nodes.end(), empty)) return;
  throw Infeasible("no node has usable samples: " + energies.remarks.front(),
                   "record at least a few intervals");
}

struct Measured {
  std::vector<SourceSeries> series;
  std::vector<std::string> remarks;
};

// A node's source may go on in another file.
Measured read_all(const EnergyFitFlags& flags) {
  Measured all;
  for (const std::string& file : flags.samples) {
    SamplesRead read = read_samples(file, flags.node);
    if (read.cut_off) all.remarks.push_back(file + ": its last line is cut off, and left out");
    if (read.turned > 0) {
      all.remarks.push_back(
          fmt::format("{}: rows of {} sources are in reverse order, and turned", file, read.turned));
    }
    for (SourceSeries& each : read.series) {
      const auto known = std::find_if(all.series.begin(), all.series.end(), [&](const SourceSeries& other) {
        return other.node == each.node && other.source == each.source;
      });
      if (known == all.series.end()) {
        all.series.push_back(std::move(each));
        continue;
      }
      if (!each.readings.empty() && each.readings.front().broke.empty()) each.readings.front().broke = "file";
      known->readings.insert(known->readings.end(), each.readings.begin(), each.readings.end());
    }
  }
  return all;
}

std::pair<Time, Time> reach_of(const std::vector<NodeEnergy>& nodes) {
  Time from = Time::max(), to = Time::min();
  for (const NodeEnergy& node : nodes) {
    if (node.spans.empty()) continue;
    from = std::min(from, node.spans.front().from);
    to = std::max(to, node.spans.back().to);
  }
  return {from, to};
}

// Those that were there between the two instants, as Store::stays() tells. Refuses a path without any run.
void add_runs(const std::string& path, Time from, Time to, TaskIntervals& tasks) {
  bool has_runs = false;
  std::optional<Diagnostic> skipped;
  read_history_path(path, [&](FileHistory&& file) {
    for (const JobRun& run : file.runs) {
      has_runs = true;
      if (run.submit && run.finish && *run.submit < to && *run.finish > from) tasks.add(run);
    }
    for (Diagnostic& each : file.diagnostics)
      if (!skipped && each.severity == Diagnostic::Severity::skipped) skipped = std::move(each);
  });
  if (has_runs) return;
  throw InputError(skipped ? skipped->where : Position{path},
                   skipped ? "no history: " + skipped->reason : "no history is there",
                   "give --histories the histories of the time of the samples");
}

TaskIntervals tasks_of(const EnergyFitFlags& flags, const std::vector<NodeEnergy>& nodes,
                       const Context& context) {
  TaskIntervals tasks;
  const auto [from, to] = reach_of(nodes);
  for (const std::string& path : flags.histories) add_runs(path, from, to, tasks);
  if (!flags.histories.empty() || from >= to) return tasks;
  const Store store = open_store(context);
  RunFilter filter;
  for (const RunStay& stay : store.stays(from, to)) filter.ids.push_back(stay.id);
  if (!filter.ids.empty()) store.each_run(filter, [&](JobRun&& run) { tasks.add(run); });
  return tasks;
}

Json to_json(const FittedValue& of) {
  return {{"value", of.value}, {"low", of.low}, {"high", of.high}};
}
Json to_json(const std::optional<FittedValue>& of) {
  return of ? to_json(*of) : Json(nullptr);
}

Json to_json(const ClassPowers& of) {
  Json json = {{"class", of.name},
               {"nodes", of.nodes},
               {"bins", of.bins},
               {"covered_ms", to_ms(of.covered)},
               {"r_squared", of.r_squared},
               {"correlation", of.correlation},
               {"declared", of.declared},
               {"power_idle_w", to_json(of.idle_w)},
               {"power_map_w", to_json(of.map_w)},
               {"power_reduce_w", to_json(of.reduce_w)},
               {"power_master_w", to_json(of.master_w)},
               {"power_curve_w", Json::array()},
               {"jobs", Json::array()},
               {"toml", class_block(of)}};
  for (const FittedValue& watts : of.curve_w) json["power_curve_w"].push_back(to_json(watts));
  for (const JobOnClass& job : of.jobs) {
    json["jobs"].push_back({{"job", job.job},
                            {"maps", job.maps},
                            {"mean_map_ms", job.mean_map_ms},
                            {"power_w", to_json(job.map_w)},
                            {"map_energy_j", to_json(job.map_j)},
                            {"speed", job.speed},
                            {"energy_factor", to_json(job.energy_factor)}});
  }
  return json;
}

Json to_json(const SpanFindings& found) {
  return {{"readings", found.readings},   {"repeated", found.repeated},       {"wraps", found.wraps},
          {"dropped", found.dropped},     {"backwards", found.backwards},     {"resets", found.resets},
          {"ambiguous", found.ambiguous}, {"implausible", found.implausible}, {"broken", found.broken}};
}

std::string interval_of(const FittedValue& of, const char* form) {
  return fmt::format("{} to {}", fmt::format(fmt::runtime(form), of.low),
                     fmt::format(fmt::runtime(form), of.high));
}

void show_powers(const std::vector<ClassPowers>& classes) {
  Table table{{{"class", "class", false, true},
               {"power", "power", false, false},
               {"watts", "W", true, false},
               {"interval", "95 %", true, false},
               {"bins", "bins", true, false},
               {"r_squared", "R²", true, false}},
              {}};
  for (const ClassPowers& each : classes) {
    const auto row = [&](const std::string& power, const std::optional<FittedValue>& of) {
      if (!of) return;
      table.rows.push_back({each.name, power, fmt::format("{:.2f}", of->value), interval_of(*of, "{:.2f}"),
                            count_cell(each.bins), fmt::format("{:.4f}", each.r_squared)});
    };
    row("idle", each.idle_w);
    row("a map adds", each.map_w);
    row("a reduce adds", each.reduce_w);
    row("a master adds", each.master_w);
    for (std::size_t n = 0; n < each.curve_w.size(); ++n)
      row(fmt::format("with {} task{}", n + 1, n == 0 ? "" : "s"), each.curve_w[n]);
  }
  write_table(std::cout, table);
}

void show_jobs(const std::vector<ClassPowers>& classes) {
  Table table{{{"class", "class", false, true},
               {"job", "job", false, true},
               {"maps", "maps", true, false},
               {"mean_map_ms", "mean map", true, false},
               {"watts", "W", true, false},
               {"interval", "95 %", true, false},
               {"map_energy_j", "E_map J", true, false},
               {"map_energy_interval", "95 %", true, false},
               {"speed", "speed", true, false},
               {"energy_factor", "energy_factor", true, false},
               {"factor_interval", "95 %", true, false}},
              {}};
  for (const ClassPowers& each : classes) {
    for (const JobOnClass& job : each.jobs) {
      const auto& factor = job.energy_factor;
      table.rows.push_back({each.name, job.job, count_cell(job.maps),
                            format_duration(ms(static_cast<std::int64_t>(job.mean_map_ms))),
                            fmt::format("{:.2f}", job.map_w.value), interval_of(job.map_w, "{:.2f}"),
                            fmt::format("{:.1f}", job.map_j.value), interval_of(job.map_j, "{:.1f}"),
                            fmt::format("{:.2f}", job.speed),
                            factor ? fmt::format("{:.3f}", factor->value) : std::string("-"),
                            factor ? interval_of(*factor, "{:.3f}") : std::string("-")});
    }
  }
  if (table.rows.empty()) return;
  std::cout << '\n';
  write_table(std::cout, table);
}

int run_energy_fit(const EnergyFitFlags& flags, const Context& context) {
  PowerFitOptions options;
  const Classes named = named_classes(flags);
  options.classes = classes_of(flags, named);
  options.bin = parse_duration(flags.bin);
  options.curve = flags.curve;
  Measured measured = read_all(flags);
  const NodeEnergies energies = energy_by_node(measured.series);
  check_usable(energies);
  check_measured(named, energies.nodes, measured.remarks);
  remark_on_strangers(flags.cluster, options.classes, energies.nodes, measured.remarks);
  const TaskIntervals tasks = tasks_of(flags, energies.nodes, context);
  const std::vector<ClassPowers> classes = [&] {
    try {
      return fit_powers(energies.nodes, tasks, options);
    } catch (const Infeasible&) {
      for (const std::string& remark : energies.remarks) context.note(harmless(remark));  // mostly why
      throw;
    }
  }();
  std::vector<std::string>& remarks = measured.remarks;
  remarks.insert(remarks.end(), energies.remarks.begin(), energies.remarks.end());
  for (const ClassPowers& each : classes)
    remarks.insert(remarks.end(), each.remarks.begin(), each.remarks.end());
  if (tasks.left_out() > 0)
    remarks.push_back(fmt::format("{} attempts without node, start or end are left out", tasks.left_out()));
  if (context.json) {
    Json json = {{"classes", Json::array()}, {"samples", to_json(energies.found)}, {"remarks", remarks}};
    for (const ClassPowers& each : classes) json["classes"].push_back(to_json(each));
    context.print(json);
    return 0;
  }
  show_powers(classes);
  show_jobs(classes);
  for (const ClassPowers& each : classes) std::cout << '\n' << class_block(each);
  for (const std::string& each : remarks) context.note(each);
  return 0;
}

}  // namespace

void add_energy_fit(CLI::App& energy, Context& context) {
  CLI::App* command = energy.add_subcommand("fit", "Fit powers of node classes to samples and histories");
  command->footer(
      "Example: wavewright energy fit examples/energy/samples.csv --class old=node1,node2 --class "
      "new=node3,node4\n"
      "         wavewright energy fit examples/energy/samples.csv --class old=node1,node2 --curve");
  const auto flags = std::make_shared<EnergyFitFlags>();
  command->add_option("samples", flags->samples, "files of `energy record`, or CSV of wall-plug meters")
      ->type_name("SAMPLES")
      ->required();
  command
      ->add_option("--histories", flags->histories,
                   "file or folder of the histories of that time (the store's runs)")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command
      ->add_option("--class", flags->classes,
                   "node names of a class, as gpu=node7,node8; the first is compared with")
      ->type_name("NAME=NODES")
      ->allow_extra_args(false);
  command
      ->add_option("--cluster", flags->cluster,
                   "cluster file whose rows name their hosts, instead of --class")
      ->type_name("FILE");
  command->add_option("--bin", flags->bin, "least time over which power is averaged (5s)")->type_name("TIME");
  command->add_flag("--curve", flags->curve,
                    "the power of a node with 1, 2, … tasks (power_curve_w), instead of what each kind adds");
  command->add_option("--node", flags->node, "node of rows that name none, in CSV of a wall-plug meter")
      ->type_name("NAME");
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return run_energy_fit(*flags, context); }; });
}

}  // namespace wavewright::app
