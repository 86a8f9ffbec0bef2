#include "wavewright/energy/fit/power_fit.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"
#include "wavewright/core/toml_text.h"
#include "wavewright/energy/fit/busy_time.h"
#include "wavewright/energy/fit/curve_fit.h"

namespace wavewright {

namespace {

using Intervals = std::vector<std::pair<Time, Time>>;

struct ClassNodes {
  std::string name;
  std::vector<MeasuredNode> nodes;
};

constexpr std::string_view map_prefix = "maps of ";

std::string class_of(const std::string& node, const PowerFitOptions& options) {
  for (const auto& [name, hosts] : options.classes)
    if (std::find(hosts.begin(), hosts.end(), node) != hosts.end()) return name;
  return "default";
}

std::vector<ClassNodes> nodes_by_class(const std::vector<NodeEnergy>& nodes, const TaskIntervals& tasks,
                                       const PowerFitOptions& options) {
  std::vector<ClassNodes> classes;
  classes.reserve(options.classes.size());
  for (const auto& each : options.classes) classes.push_back({each.first, {}});
  for (const NodeEnergy& node : nodes) {
    if (node.spans.empty()) continue;
    const std::string name = class_of(node.node, options);
    auto found =
        std::find_if(classes.begin(), classes.end(), [&](const auto& each) { return each.name == name; });
    if (found == classes.end()) found = classes.insert(classes.end(), {name, {}});
    found->nodes.push_back({&node, tasks.on(node.node)});
  }
  std::erase_if(classes, [](const ClassNodes& each) { return each.nodes.empty(); });
  return classes;
}

// By kind, or with a column for the maps of each job. `names` fixes the order over nodes.
std::map<std::string, Intervals> drawings_on(const NodeTasks& tasks, bool by_job) {
  std::map<std::string, Intervals> found;
  for (const TaskInterval& each : tasks.tasks) {
    const std::string map = by_job ? std::string(map_prefix) + each.job : "maps";
    found[each.kind == TaskKind::map ? map : "reduces"].emplace_back(each.start, each.end);
  }
  for (const auto& each : tasks.masters) found["masters"].push_back(each);
  return found;
}

struct Observed {
  std::vector<std::string> columns;  // of x, behind the idle node
  std::vector<RegressionRow> rows;   // y in W
  Duration covered{};
};

// Bins of all nodes; a column for what ran in at least one of them.
Observed observe(const ClassNodes& of, Duration least, bool by_job) {
  Observed observed;
  std::vector<std::map<std::string, BusyTime>> busy;
  std::map<std::string, std::int64_t> total;  // task-milliseconds within bins
  std::vector<std::vector<EnergySpan>> bins;
  for (const MeasuredNode& node : of.nodes) {
    bins.push_back(joined_spans(node.energy->spans, least));
    busy.emplace_back();
    if (node.tasks == nullptr) continue;
    for (const auto& [name, intervals] : drawings_on(*node.tasks, by_job)) {
      const BusyTime time(intervals);
      for (const EnergySpan& bin : bins.back()) total[name] += time.within(bin.from, bin.to);
      busy.back().emplace(name, time);
    }
  }
  for (const auto& [name, sum] : total)
    if (sum > 0) observed.columns.push_back(name);
  for (std::size_t n = 0; n < bins.size(); ++n) {
    for (const EnergySpan& bin : bins[n]) {
      const auto length = static_cast<double>(to_ms(bin.to - bin.from));
      RegressionRow row{{1}, static_cast<double>(bin.energy) / length / 1000, length, n};
      for (const std::string& name : observed.columns) {
        const auto found = busy[n].find(name);
        row.x.push_back(found == busy[n].end()
                            ? 0
                            : static_cast<double>(found->second.within(bin.from, bin.to)) / length);
      }
      observed.rows.push_back(std::move(row));
      observed.covered += bin.to - bin.from;
    }
  }
  return observed;
}

[[noreturn]] void refuse(const ClassNodes& of, const Observed& observed) {
  const std::vector<std::size_t> dependent = dependent_columns(observed.rows);
  if (!dependent.empty() && dependent.front() > 0) {
    throw Infeasible(fmt::format("class {}: what {} draw cannot be told apart from the rest", of.name,
                                 observed.columns[dependent.front() - 1]),
                     "record some minutes in which the node is idle, and some with other numbers of tasks");
  }
  throw Infeasible(fmt::format("class {}: {} bins are too few for {} powers", of.name, observed.rows.size(),
                               observed.columns.size() + 1),
                   "record for longer, or take shorter bins (--bin)");
}

void name_nodes(const ClassNodes& of, ClassPowers& powers) {
  for (const MeasuredNode& node : of.nodes) {
    powers.nodes.push_back(node.energy->node);
    powers.declared = powers.declared || node.energy->declared();
  }
}

ClassPowers class_powers(const ClassNodes& of, const PowerFitOptions& options) {
  ClassPowers powers;
  powers.name = of.name;
  name_nodes(of, powers);
  const Observed observed = observe(of, options.bin, false);
  const std::optional<Regression> fit = fit_not_negative(observed.rows);
  if (!fit) refuse(of, observed);
  powers.bins = static_cast<Count>(observed.rows.size());
  powers.covered = observed.covered;
  powers.r_squared = fit->r_squared;
  powers.correlation = fit->correlation;
  powers.idle_w = fit->coefficients.front();
  for (std::size_t i = 0; i < observed.columns.size(); ++i) {
    const FittedValue& found = fit->coefficients[i + 1];
    const std::string& name = observed.columns[i];
    (name == "maps" ? powers.map_w : name == "reduces" ? powers.reduce_w : powers.master_w) = found;
    if (found.low <= 0) powers.remarks.push_back(fmt::format("class {}: {} may draw nothing", of.name, name));
  }
  return powers;
}

ClassPowers class_curve(const ClassNodes& of, const PowerFitOptions& options) {
  PowerCurve curve = fit_curve(of.name, of.nodes, options.bin);
  ClassPowers powers;
  powers.name = of.name;
  name_nodes(of, powers);
  powers.bins = static_cast<Count>(curve.bins);
  powers.covered = curve.covered;
  powers.r_squared = curve.fit.r_squared;
  powers.correlation = curve.fit.correlation;
  powers.idle_w = curve.watts.front();
  powers.curve_w.assign(curve.watts.begin() + 1, curve.watts.end());
  powers.remarks = std::move(curve.remarks);
  return powers;
}

void add_lengths(const ClassNodes& of, std::map<std::string, std::pair<Count, double>>& lengths) {
  for (const MeasuredNode& node : of.nodes) {
    if (node.tasks == nullptr) continue;
    for (const TaskInterval& each : node.tasks->tasks) {
      if (each.kind != TaskKind::map || !each.done) continue;
      auto& [count, sum] = lengths[each.job];
      ++count;
      sum += static_cast<double>(to_ms(each.end - each.start));
    }
  }
}

void add_jobs(const ClassNodes& of, const PowerFitOptions& options, ClassPowers& powers) {
  const Observed observed = observe(of, options.bin, true);
  const std::optional<Regression> fit = fit_not_negative(observed.rows);
  if (!fit) {
    powers.remarks.push_back(fmt::format("class {}: the maps of its jobs cannot be told apart", of.name));
    return;
  }
  std::map<std::string, std::pair<Count, double>> lengths;
  add_lengths(of, lengths);
  for (std::size_t i = 0; i < observed.columns.size(); ++i) {
    if (!observed.columns[i].starts_with(map_prefix)) continue;
    JobOnClass job;
    job.job = observed.columns[i].substr(map_prefix.size());
    const auto [count, sum] = lengths[job.job];
    if (count == 0) continue;
    job.maps = count;
    job.mean_map_ms = sum / static_cast<double>(count);
    job.map_w = fit->coefficients[i + 1];
    const double seconds = job.mean_map_ms / 1000;
    job.map_j = {job.map_w.value * seconds, job.map_w.low * seconds, job.map_w.high * seconds,
                 job.map_w.error * seconds};
    powers.jobs.push_back(job);
  }
}

// A ratio's interval: that of its logarithm, whose errors add up (delta method).
std::optional<FittedValue> factor_against(const JobOnClass& first, const JobOnClass& here) {
  if (first.map_w.low <= 0 || here.map_w.low <= 0) return std::nullopt;
  const double value = first.map_w.value * first.mean_map_ms / (here.map_w.value * here.mean_map_ms);
  const double error = std::hypot(first.map_w.error / first.map_w.value, here.map_w.error / here.map_w.value);
  const double reach = boost::math::quantile(boost::math::normal(), (1 + Regression::level) / 2) * error;
  return FittedValue{value, value * std::exp(-reach), value * std::exp(reach), value * error};
}

void set_factors(std::vector<ClassPowers>& classes) {
  for (std::size_t c = 1; c < classes.size(); ++c) {
    for (JobOnClass& here : classes[c].jobs) {
      const auto& first = classes.front().jobs;
      const auto found =
          std::find_if(first.begin(), first.end(), [&](const auto& each) { return each.job == here.job; });
      if (found == first.end()) continue;
      here.speed = found->mean_map_ms / here.mean_map_ms;
      here.energy_factor = factor_against(*found, here);
    }
  }
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  const std::size_t count = std::min(most, names.size());
  return fmt::format("{}{}",
                     fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count), ", "),
                     names.size() > most ? ", …" : "");
}

void require_tasks(const std::vector<ClassNodes>& classes, const TaskIntervals& tasks) {
  std::vector<std::string> measured, ran;
  for (const ClassNodes& each : classes) {
    for (const MeasuredNode& node : each.nodes) {
      if (node.tasks != nullptr) return;
      measured.push_back(node.energy->node);
    }
  }
  if (measured.empty()) throw Infeasible("no node has usable samples", "record at least a few intervals");
  for (const auto& [name, ignored] : tasks.by_node()) ran.push_back(name);
  throw Infeasible(ran.empty() ? "no task ran while the samples were taken"
                               : fmt::format("no task ran on {}, but on {}", some_of(measured), some_of(ran)),
                   ran.empty() ? "import the histories of that time first"
                               : "name the node as the histories do (record --node)");
}

}  // namespace

std::vector<ClassPowers> fit_powers(const std::vector<NodeEnergy>& nodes, const TaskIntervals& tasks,
                                    const PowerFitOptions& options) {
  const std::vector<ClassNodes> classes = nodes_by_class(nodes, tasks, options);
  require_tasks(classes, tasks);
  std::vector<ClassPowers> powers;
  for (const ClassNodes& each : classes) {
    powers.push_back(options.curve ? class_curve(each, options) : class_powers(each, options));
    if (!options.curve) add_jobs(each, options, powers.back());
  }
  set_factors(powers);
  return powers;
}

std::string class_block(const ClassPowers& powers) {
  std::string text = fmt::format("[classes.{}]\n", toml_text(powers.name));
  if (powers.declared) text += "# from declared power times the use of processors, not measured\n";
  const auto line = [&](const char* key, const std::optional<FittedValue>& of) {
    if (of) text += fmt::format("{} = {:.3f}  # 95 %: {:.3f} to {:.3f}\n", key, of->value, of->low, of->high);
  };
  line("power_idle_w", powers.idle_w);
  line("power_map_w", powers.map_w);
  line("power_reduce_w", powers.reduce_w);
  line("power_master_w", powers.master_w);
  if (powers.curve_w.empty()) return text;
  std::vector<std::string> watts;
  watts.reserve(powers.curve_w.size());
  for (const FittedValue& of : powers.curve_w) {
    // Rounded, it must not fall below idle power, which is rounded, too.
    watts.push_back(fmt::format("{:.3f}", std::max(of.value, powers.idle_w.value)));
  }
  text += fmt::format("power_curve_w = [{}]\n", fmt::join(watts, ", "));
  for (std::size_t n = 0; n < powers.curve_w.size(); ++n) {
    const FittedValue& of = powers.curve_w[n];
    text += fmt::format("# {} task{}, 95 %: {:.3f} to {:.3f}\n", n + 1, n == 0 ? "" : "s", of.low, of.high);
  }
  return text;
}

}  // namespace wavewright
