#include "apps/pool_options.h"

#include "apps/settings/fill_options.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

SlotPool flatten(const Cluster& cluster, const std::string& path) {
  std::string beyond;
  const auto note = [&](bool present, const char* what) {
    if (present) beyond += (beyond.empty() ? "" : ", ") + std::string(what);
  };
  note(cluster.mode.kind == ClusterMode::Kind::containers, "containers");
  note(cluster.mode.heartbeat != Duration{}, "heartbeats");
  note(cluster.mode.launch != Duration{}, "launches");
  note(cluster.reads.kind != Reads::Kind::anywhere, "reads from afar");
  note(cluster.mode.speculation, "speculation");
  note(cluster.mode.kind == ClusterMode::Kind::slots &&
           cluster.masters.start + cluster.masters.finish > Duration{},
       "setup and commit of jobs");
  note(cluster.launches.processors > 0, "launches that share processors");
  bool speeds = false, failures = cluster.faults.task_failure > 0 || cluster.faults.straggler > 0;
  bool absences = false;
  for (const NodeGroup& group : cluster.nodes) {
    speeds = speeds || group.speed != 1;
    failures = failures || group.task_failure > 0;
    absences = absences || group.join > Time{} || group.leave || group.bid;
  }
  note(speeds, "node speeds");
  note(failures, "failures");
  note(!cluster.outages.empty(), "outages");
  note(absences, "machines that come and go");
  if (!beyond.empty()) {
    throw UsageError(path + ": a flat pool of slots cannot show " + beyond,
                     "describe the cluster as slots of speed 1 with heartbeat_ms = 0");
  }
  return cluster.total_slots();
}

double checked_slowstart(double share) {
  if (share >= 0 && share <= 1) return share;
  throw UsageError("--slowstart is a share of the maps", "give a number from 0 to 1");
}

}  // namespace

void PoolOptions::declare(CLI::App& command) {
  from_setting(command.add_option("--map-slots", map_slots_, "map slots of a flat pool")->type_name("M"),
               "map_slots");
  from_setting(
      command.add_option("--reduce-slots", reduce_slots_, "reduce slots of a flat pool")->type_name("R"),
      "reduce_slots");
  from_setting(command
                   .add_option("--cluster", cluster_,
                               "cluster file (docs/formats/cluster-file.md) instead of a flat pool")
                   ->type_name("FILE.toml"),
               "cluster");
  command.parse_complete_callback([this] {
    if (cluster_.empty() || !(map_slots_ || reduce_slots_)) return;
    throw UsageError("--cluster and --map-slots/--reduce-slots say the same thing", "give one of them");
  });
  command
      .add_option("--slowstart", slowstart_,
                  "share of a job's maps done before its reduces start (default 1)")
      ->type_name("0..1");
}

std::optional<Count> PoolOptions::given(std::optional<Count> slots) {
  if (slots && *slots < 0) throw UsageError("slots cannot be negative", "give 0 or more");
  return slots;
}

double PoolOptions::slowstart(double otherwise) const {
  if (slowstart_) return checked_slowstart(*slowstart_);
  return cluster_.empty() ? otherwise : cluster()->mode.slowstart;
}

std::optional<Cluster> PoolOptions::cluster() const {
  if (cluster_.empty()) return std::nullopt;
  Cluster cluster = read_cluster(cluster_);
  if (slowstart_) cluster.mode.slowstart = checked_slowstart(*slowstart_);
  return cluster;
}

Cluster PoolOptions::cluster_or_flat() const {
  if (std::optional<Cluster> file = cluster()) return *std::move(file);
  const SlotCluster slots = resolve();
  Cluster flat = flat_cluster(slots.pool);
  flat.mode.slowstart = slots.slowstart;
  return flat;
}

SlotCluster PoolOptions::resolve(std::optional<SlotPool> otherwise) const {
  SlotCluster slots;
  const std::optional<Count> maps = map_slots(), reduces = reduce_slots();
  if (maps && reduces) {  // settings may give a cluster file for simulations beside them
    slots.pool = {*maps, *reduces};
  } else if (const std::optional<Cluster> file = cluster()) {
    slots = {flatten(*file, cluster_), file->mode.slowstart};
  } else if (otherwise && !maps && !reduces) {
    slots.pool = *otherwise;
  } else {
    throw UsageError("how many slots?", "give --map-slots M --reduce-slots R, or --cluster FILE.toml");
  }
  slots.slowstart = slowstart(slots.slowstart);
  return slots;
}

}  // namespace wavewright::app
