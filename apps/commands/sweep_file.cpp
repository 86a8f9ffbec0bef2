#include "apps/commands/sweep_file.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/or_null.h"
#include "wavewright/core/toml_table.h"

namespace wavewright::app {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t largest_file = std::size_t{1} << 30;

// FNV-1a, 64 bits: detects a changed input file.
std::string checksum(const fs::path& path) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : read_file(path)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

template <class Value>
std::size_t position(const std::vector<Value>& values, const Value& value, const fs::path& path) {
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end()) {
    throw InputError({path.string()}, "it has results of another sweep",
                     "name another file with --out, or remove it");
  }
  return static_cast<std::size_t>(found - values.begin());
}

}  // namespace

SweepFile read_sweep_file(const fs::path& path) {
  const std::string source = path.string();
  const toml::table root = parse_toml(read_file(path, std::size_t{1} << 24), source, "docs/use/sweep.md");
  TomlTable table(root, "", source);
  SweepFile file;
  file.path = path;
  table.take("workloads", file.workloads);
  table.take("clusters", file.clusters);
  table.take("policies", file.policies);
  if (const toml::node* const policies = table.find("policies")) {
    for (const toml::node& each : *policies->as_array())
      file.policy_lines.push_back(static_cast<std::int64_t>(each.source().begin.line));
  }
  std::int64_t seeds = 1, first = 1;
  table.take("seeds", 1, 1'000'000, seeds);
  table.take("first_seed", 0, std::int64_t{1} << 60, first);
  table.refuse_unknown();
  for (const auto& [name, list] :
       {std::pair("workloads", &file.workloads), std::pair("clusters", &file.clusters),
        std::pair("policies", &file.policies)}) {
    if (list->empty()) table.refuse(fmt::format("no {}", name), fmt::format("write {} = [\"…\"]", name));
    if (std::set<std::string>(list->begin(), list->end()).size() != list->size())
      table.refuse(fmt::format("one of the {} is named twice", name), "name each once");
  }
  for (std::int64_t seed = first; seed < first + seeds; ++seed)
    file.seeds.push_back(static_cast<std::uint64_t>(seed));
  return file;
}

void add_figures(Json& line, const SweepRow& row) {
  line.update({{"jobs", row.counts.done + row.counts.failed + row.counts.rejected},
               {"done", row.counts.done},
               {"rejected", row.counts.rejected},
               {"failed", row.counts.failed},
               {"late", row.late},
               {"failed_attempts", row.counts.failed_attempts},
               {"lost_attempts", row.counts.lost_attempts},
               {"killed_attempts", row.counts.killed_attempts},
               {"second_attempts", row.counts.second_attempts},
               {"makespan_ms", to_ms(row.makespan)},
               {"mean_completion_ms", row.mean_completion_ms ? Json(*row.mean_completion_ms) : Json(nullptr)},
               {"p95_completion_ms", row.p95_completion ? Json(to_ms(*row.p95_completion)) : Json(nullptr)},
               {"map_utilisation", row.map_utilisation},
               {"reduce_utilisation", row.reduce_utilisation},
               {"memory_utilisation", row.memory_utilisation},
               {"energy_j", or_null(row.energy_j)},
               {"cost_usd", or_null(row.cost_usd)},
               {"events", row.events}});
  for (const RunMetric& metric : run_metrics) line[metric.name] = or_null(row.*metric.figure);
}

SweepRow figures_of(const Json& line) {
  SweepRow row;
  row.counts.done = line.at("done").get<Count>();
  row.counts.rejected = line.at("rejected").get<Count>();
  row.counts.failed = line.at("failed").get<Count>();
  row.late = line.at("late").get<Count>();
  row.counts.failed_attempts = line.at("failed_attempts").get<Count>();
  row.counts.lost_attempts = line.at("lost_attempts").get<Count>();
  row.counts.killed_attempts = line.at("killed_attempts").get<Count>();
  row.counts.second_attempts = line.at("second_attempts").get<Count>();
  row.makespan = ms(line.at("makespan_ms").get<std::int64_t>());
  if (const Json& mean = line.at("mean_completion_ms"); !mean.is_null())
    row.mean_completion_ms = mean.get<double>();
  if (const Json& p95 = line.at("p95_completion_ms"); !p95.is_null())
    row.p95_completion = ms(p95.get<std::int64_t>());
  row.map_utilisation = line.at("map_utilisation").get<double>();
  row.reduce_utilisation = line.at("reduce_utilisation").get<double>();
  row.memory_utilisation = line.at("memory_utilisation").get<double>();
  if (const Json& energy = line.at("energy_j"); !energy.is_null()) row.energy_j = energy.get<double>();
  if (const Json& cost = line.at("cost_usd"); !cost.is_null()) row.cost_usd = cost.get<double>();
  for (const RunMetric& metric : run_metrics) {
    if (const Json& value = line.at(metric.name); !value.is_null()) row.*metric.figure = value.get<double>();
  }
  row.events = line.at("events").get<std::uint64_t>();
  return row;
}

SweepResults::SweepResults(fs::path path, const SweepFile& file, const LengthSpread& spread,
                           const std::vector<std::string>& libraries)
    : path_(std::move(path)), file_(file) {
  Json inputs = Json::object();
  for (const auto* names : {&file.workloads, &file.clusters}) {
    for (const std::string& name : *names) inputs[name] = checksum(file.path_of(name));
  }
  for (const std::string& name : libraries) inputs[name] = checksum(name);
  Json head = {{"wavewright_sweep", 5}, {"inputs", std::move(inputs)}};
  add_spread(head, spread);
  header_ = head.dump();
  if (fs::exists(path_)) read();
  write_all();  // only whole lines, with the current header
}

void SweepResults::write_all() {
  if (out_.is_open()) out_.close();
  write_file(path_, [&](std::ostream& out) {
    out << header_ << '\n';
    for (const auto& [cell, row] : rows_) out << to_json(row).dump() << '\n';
  });
  out_.open(path_, std::ios::app);
  if (!out_) throw ExternalError({path_.string()}, "cannot be written", "check its folder and rights");
}

void SweepResults::read() {
  if (!fs::is_regular_file(path_))
    throw UsageError(path_.string() + " is no regular file, which a sweep could go on with",
                     "name another file with --out");
  std::istringstream lines(read_file(path_, largest_file));
  std::string line;
  const std::string remedy = "name another file with --out, or remove it";
  try {
    std::getline(lines, line);
    const Json was = Json::parse(line), now = Json::parse(header_);
    if (was.at("wavewright_sweep") != now.at("wavewright_sweep"))
      throw InputError({path_.string()}, "it is of another version", remedy);
    for (const char* const of : {"spread", "job_spread"}) {
      if (was.value(of, 0.0) != now.value(of, 0.0))
        throw InputError({path_.string()}, "its results are of another --spread or --job-spread", remedy);
    }
    for (const auto& [name, sum] : was.at("inputs").items()) {
      if (now.at("inputs").contains(name) && now.at("inputs").at(name) != sum)
        throw InputError({path_.string()},
                         "its results are of another '" + name + "' than the one that is there now", remedy);
    }
    while (std::getline(lines, line)) {
      if (lines.eof()) break;  // no line end: the sweep stopped while writing it
      const SweepRow row = from_json(Json::parse(line));
      rows_[row.cell] = row;
    }
  } catch (const Json::exception&) {
    throw InputError({path_.string()}, "not the results of a sweep", remedy);
  }
}

Json SweepResults::to_json(const SweepRow& row) const {
  Json line = {{"workload", file_.workloads[row.cell.workload]},
               {"cluster", file_.clusters[row.cell.cluster]},
               {"policy", file_.policies[row.cell.policy]},
               {"seed", row.cell.seed}};
  add_figures(line, row);
  return line;
}

SweepRow SweepResults::from_json(const Json& line) const {
  SweepRow row = figures_of(line);
  row.cell.workload = position(file_.workloads, line.at("workload").get<std::string>(), path_);
  row.cell.cluster = position(file_.clusters, line.at("cluster").get<std::string>(), path_);
  row.cell.policy = position(file_.policies, line.at("policy").get<std::string>(), path_);
  row.cell.seed = line.at("seed").get<std::uint64_t>();
  return row;
}

void SweepResults::add(const SweepRow& row) {
  rows_[row.cell] = row;
  out_ << to_json(row).dump() << '\n' << std::flush;
  if (!out_)
    throw ExternalError({path_.string()}, "cannot be written to its end",
                        "make room and run it again: it resumes");
}

void SweepResults::finish() {
  write_all();
}

}  // namespace wavewright::app
