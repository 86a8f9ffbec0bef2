#include "apps/engine/sweep_units.h"

#include <map>
#include <memory>

#include <fmt/format.h>

#include "apps/engine/units.h"
#include "apps/policies.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/spec.h"
#include "wavewright/sched/policy_library.h"

namespace wavewright::app {

namespace {

namespace fs = std::filesystem;

using ProfileKey = std::pair<std::string, std::int64_t>;  // profile and input; -1 = none
using ProfileTasks = std::map<ProfileKey, ProfiledTasks>;

ProfileKey key_of_job(const Job& job) {
  return {job.profile, job.input ? job.input->count : -1};
}

Json json_of(const std::optional<DurationRange>& range) {
  return range ? Json{range->min, range->mean, range->max} : Json(nullptr);
}

std::optional<DurationRange> range_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return DurationRange{json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

Json json_of(const ProfileTasks& tasks) {
  Json list = Json::array();
  for (const auto& [key, each] : tasks) {
    const OpenDurations& lengths = each.lengths;
    list.push_back({key.first, key.second, each.maps, each.reduces, json_of(lengths.maps),
                    json_of(lengths.reduces), json_of(lengths.first_shuffles), json_of(lengths.shuffles)});
  }
  return list;
}

ProfileTasks tasks_of(const Json& list) {
  ProfileTasks tasks;
  for (const Json& each : list) {
    tasks[{each.at(0).get<std::string>(), each.at(1).get<std::int64_t>()}] = {
        each.at(2).get<Count>(),
        each.at(3).get<Count>(),
        {range_of(each.at(4)), range_of(each.at(5)), range_of(each.at(6)), range_of(each.at(7))}};
  }
  return tasks;
}

// The profiles that the workloads name, from the store. Faults of the files come to light here, too.
ProfileTasks profiles_of(const SweepOnYarn& sweep) {
  ProfileTasks found;
  for (const std::string& name : sweep.file.workloads) {
    WorkloadReadOptions options = sweep.reader.options(sweep.file.seeds.front(), true);
    const auto ask = options.tasks_of_profile;
    options.tasks_of_profile = [&](const Job& job) {
      return found.insert_or_assign(key_of_job(job), ask(job)).first->second;
    };
    (void)read_workload(sweep.file.path_of(name), options, [](Job&&) {});
  }
  return found;
}

// The file of `plan(FILE)`; empty for any other policy.
std::string plan_file_of(const std::string& policy) {
  const std::string allocator = split_outside(policy, '+').front();
  const Spec spec = parse_spec(allocator);
  if (spec.name != "plan") return {};
  if (!spec.positional.empty()) return spec.positional.front();
  for (const auto& [name, value] : spec.parameters) {
    if (name == "file") return value;
  }
  return {};
}

std::string unit_of(const SweepCell& cell) {
  return fmt::format("w{}-c{}-p{}-s{}", cell.workload, cell.cluster, cell.policy, cell.seed);
}

// All cells that have no result yet, in order.
std::vector<Unit> units_of(const SweepFile& file, const SweepResults& results,
                           std::map<std::string, SweepCell>& cells) {
  std::vector<Unit> units;
  SweepCell cell;
  for (cell.workload = 0; cell.workload < file.workloads.size(); ++cell.workload) {
    for (cell.cluster = 0; cell.cluster < file.clusters.size(); ++cell.cluster) {
      for (cell.policy = 0; cell.policy < file.policies.size(); ++cell.policy) {
        for (const std::uint64_t seed : file.seeds) {
          cell.seed = seed;
          const std::string unit = unit_of(cell);
          cells[unit] = cell;
          if (results.has(cell)) continue;
          units.push_back({unit, Json{cell.workload, cell.cluster, cell.policy, seed}.dump()});
        }
      }
    }
  }
  return units;
}

class Inputs {
 public:
  Inputs(const SweepOnYarn& sweep, const ProfileTasks& profiles) {
    const SweepFile& file = sweep.file;
    job_ = {{"kind", "sweep"},
            {"workloads", file.workloads.size()},
            {"clusters", file.clusters.size()},
            {"policies", file.policies},
            {"libraries", sweep.libraries.size()},
            {"spread", {sweep.spread.tasks, sweep.spread.jobs}},
            {"profiles", json_of(profiles)}};
    for (std::size_t i = 0; i < file.workloads.size(); ++i)
      add(fmt::format("workload-{}", i), file.path_of(file.workloads[i]));
    for (std::size_t i = 0; i < file.clusters.size(); ++i)
      add(fmt::format("cluster-{}", i), file.path_of(file.clusters[i]));
    for (std::size_t i = 0; i < sweep.libraries.size(); ++i)
      add(fmt::format("library-{}.so", i), sweep.libraries[i]);
    for (std::size_t i = 0; i < file.policies.size(); ++i) {
      const std::string plan = plan_file_of(file.policies[i]);
      if (plan.empty()) continue;
      add(fmt::format("plan-{}", i), plan);
      std::string shipped = file.policies[i];
      shipped.replace(shipped.find(plan), plan.size(), fmt::format("inputs/plan-{}", i));
      job_["policies"][i] = shipped;
    }
  }
  [[nodiscard]] const Json& job() const { return job_; }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> paths;
    paths.reserve(files_.size());
    for (const auto& [name, path] : files_) paths.push_back(path.string());
    return paths;
  }
  void pack(TarWriter& tar) const {
    for (const auto& [name, path] : files_) tar.add_file(name, path);
  }

 private:
  void add(const std::string& name, const fs::path& path) { files_.emplace_back(name, path); }
  Json job_;
  std::vector<std::pair<std::string, fs::path>> files_;
};

// A worker's copy of what the sweep needs.
class SweepWorker {
 public:
  SweepWorker(const Json& job, const fs::path& inputs)
      : spread_{job.at("spread").at(0).get<double>(), job.at("spread").at(1).get<double>()},
        profiles_(tasks_of(job.at("profiles"))),
        registry_(command_policies()) {
    for (std::size_t i = 0; i < job.at("libraries").get<std::size_t>(); ++i)
      load_policies((inputs / fmt::format("library-{}.so", i)).string(), registry_);
    axes_.registry = &registry_;
    axes_.policies = job.at("policies").get<std::vector<std::string>>();
    for (std::size_t i = 0; i < job.at("clusters").get<std::size_t>(); ++i)
      axes_.clusters.push_back(read_cluster(inputs / fmt::format("cluster-{}", i)));
    for (std::size_t i = 0; i < job.at("workloads").get<std::size_t>(); ++i) {
      const fs::path path = inputs / fmt::format("workload-{}", i);
      axes_.workloads.emplace_back([this, i, path](std::uint64_t seed) { return workload(i, path, seed); });
    }
  }

  std::string simulate(const Unit& unit) {
    const Json at = Json::parse(unit.work);
    const SweepCell cell{at.at(0).get<std::size_t>(), at.at(1).get<std::size_t>(),
                         at.at(2).get<std::size_t>(), at.at(3).get<std::uint64_t>()};
    axes_.seeds = {cell.seed};
    Json figures = Json::object();
    run_sweep(
        axes_, 1, [&](const SweepCell& each) { return each == cell; },
        [&](const SweepRow& row, const Workload&, const SimulationResult&) { add_figures(figures, row); },
        Stop());
    if (figures.empty()) throw InternalError("a sweep has no cell " + unit.id);
    return figures.dump();
  }

 private:
  // Units that follow one another often have the same one.
  Workload workload(std::size_t number, const fs::path& path, std::uint64_t seed) {
    if (!last_ || last_at_ != std::pair(number, seed)) {
      WorkloadReadOptions options;
      options.seed = seed;
      options.tasks_of_profile = [this](const Job& job) { return profiles_.at(key_of_job(job)); };
      last_ = drawn_lengths(read_workload(path, options), spread_, seed);
      last_at_ = {number, seed};
    }
    return *last_;
  }

  LengthSpread spread_;
  ProfileTasks profiles_;
  PolicyRegistry registry_;
  SweepAxes axes_;
  std::optional<Workload> last_;
  std::pair<std::size_t, std::uint64_t> last_at_;
};

}  // namespace

void run_sweep_on_yarn(const Context& context, const EngineFlags& flags, const SweepOnYarn& sweep,
                       const std::string& out, SweepResults& results) {
  std::map<std::string, SweepCell> cells;
  const bool complete = units_of(sweep.file, results, cells).empty();
  const Inputs inputs(sweep, profiles_of(sweep));
  const std::string where = fs::absolute(out).string();
  const std::string kind = "sweep", key = key_of(inputs.files(), {inputs.job().dump(), where});
  if (complete && !has_unfinished_run(kind, key)) return;
  YarnEngine engine(context, flags, flags.ca_file, kind, key);
  if (complete) return engine.run().finish();  // killed after its last result was taken
  const auto take = [&](const std::string& unit) {
    const auto cell = cells.find(unit);
    if (cell == cells.end() || results.has(cell->second)) return;
    SweepRow row = figures_of(Json::parse(engine.run().results().text(unit)));
    row.cell = cell->second;
    results.add(row);
  };
  try {
    engine.start(inputs.job(), [&](TarWriter& tar) { inputs.pack(tar); });
    for (const auto& [unit, cell] : cells) {
      if (engine.run().results().has(unit)) take(unit);  // of earlier rounds
    }
    engine.run().complete(units_of(sweep.file, results, cells), take);
  } catch (const Interrupted&) {
    engine.tell_interrupted();
    throw;
  }
  engine.run().finish();
}

UnitWork sweep_work(const Json& job, const fs::path& inputs) {
  const auto worker = std::make_shared<SweepWorker>(job, inputs);
  return [worker](const Unit& unit) { return worker->simulate(unit); };
}

}  // namespace wavewright::app
