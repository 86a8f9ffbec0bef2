#include "wavewright/energy/plan/least_energy.h"

#include <algorithm>

#include "wavewright/cloud/bound/stage_windows.h"
#include "wavewright/cluster/power.h"
#include "wavewright/sim/model/node_model.h"

namespace wavewright {

namespace {

// The least part of a node's power above idle that can fall to one of its tasks.
double least_power(const NodePower& node, Milliwatts own, Count slots) {
  if (!node.needs_state()) return static_cast<double>(own);
  const auto most = static_cast<double>(std::max<Count>(1, slots));
  if (node.curve.empty()) return static_cast<double>(own) / most;
  double least = std::numeric_limits<double>::infinity();
  for (Count tasks = 1; tasks <= std::max<Count>(1, slots); ++tasks) {
    const std::size_t at = std::min<std::size_t>(static_cast<std::size_t>(tasks), node.curve.size()) - 1;
    least = std::min(least, static_cast<double>(node.curve[at]) / static_cast<double>(tasks));
  }
  return least;
}

class Builder {
 public:
  Builder(const Workload& workload, const Cluster& cluster)
      : workload_(workload),
        cluster_(cluster),
        model_(workload, cluster, 1, false),
        windows_(workload, cluster),
        in_time_(windows_.windows(std::vector<bool>(workload.jobs.size(), true))) {}

  LeastEnergy build() {
    LeastEnergy least;
    for (JobIndex job = 0; job < workload_.jobs.size(); ++job) {
      const auto end = static_cast<double>(to_ms(windows_.earliest_end(job)));
      least.earliest_end = std::max(least.earliest_end, end);
      for (const Kind kind : {Kind::map, Kind::reduce}) {
        TaskStage stage = stage_of(job, kind);
        if (!stage.tasks.empty()) least.stages.push_back(std::move(stage));
      }
    }
    return least;
  }

 private:
  TaskStage stage_of(JobIndex index, Kind kind) const {
    const Job& job = workload_.jobs[index];
    TaskStage stage{.job = index, .kind = kind, .rows = {}, .tasks = {}};
    const std::int64_t launch = to_ms(cluster_.mode.launch);
    const bool carried = cluster_.network.shuffle && job.shuffled;
    if (kind == Kind::map) {
      for (const Duration map : job.maps) stage.tasks.push_back({to_ms(map), launch, 1});
    } else {
      for (std::size_t i = 0; i < job.reduces.size(); ++i) {
        const Duration shuffle = carried ? Duration{} : job.least_reduce(i) - job.reduces[i];
        stage.tasks.push_back({to_ms(job.reduces[i]), launch + to_ms(shuffle), 1});
      }
    }
    if (stage.tasks.empty()) return stage;
    std::sort(stage.tasks.begin(), stage.tasks.end());
    std::size_t kept = 0;
    for (std::size_t i = 1; i < stage.tasks.size(); ++i) {
      TaskStage::Tasks& last = stage.tasks[kept];
      if (stage.tasks[i].length == last.length && stage.tasks[i].extra == last.extra) {
        ++last.count;
      } else {
        stage.tasks[++kept] = stage.tasks[i];
      }
    }
    stage.tasks.resize(kept + 1);
    add_rows(job, stage);
    return stage;
  }

  void add_rows(const Job& job, TaskStage& stage) const {
    const std::vector<sim::Factor> factors = model_.factors_of(job);
    const JobWindows& of = in_time_[stage.job];
    const StageWindow& window = stage.kind == Kind::map ? of.maps : of.reduces;
    // With slow-start below 1 a reduce may be launched before the last map ends.
    const bool early = stage.kind == Kind::reduce && cluster_.mode.slowstart < 1;
    const double before = early ? static_cast<double>(to_ms(cluster_.mode.launch)) : 0;
    stage.from = window.from - before;
    stage.to = window.to;
    NodeIndex first = 0;  // node of the row
    for (std::size_t row = 0; row < cluster_.nodes.size(); ++row) {
      const NodeGroup& group = cluster_.nodes[row];
      const SlotPool& slots = group.slots;
      const Count own = stage.kind == Kind::map ? slots.map_slots : slots.reduce_slots;
      TasksOnRow& on = stage.rows.emplace_back();
      on.factor = factors[row];
      on.most_ms = own == 0 || group.count == 0 ? -1 : window.to - window.from + before;
      if (group.count == 0) continue;
      on.share = 1.0 / static_cast<double>(model_.sharing(job, first));
      const auto kind = static_cast<PoweredKind>(stage.kind);
      on.power = least_power(model_.power.of_row(row), model_.power.task(row, kind, 0, &job),
                             slots.map_slots + slots.reduce_slots);
      first += static_cast<NodeIndex>(group.count);
    }
  }

  const Workload& workload_;
  const Cluster& cluster_;
  sim::NodeModel model_;
  StageWindows windows_;
  std::vector<JobWindows> in_time_;
};

}  // namespace

double TaskStage::time_on(const TasksOnRow& row, const Tasks& task) const {
  const auto time = static_cast<double>(static_cast<std::uint64_t>(task.extra) +
                                        sim::scaled(static_cast<std::uint64_t>(task.length), row.factor));
  // Windows are computed in another way, with roundings of their own.
  constexpr double rounding = 1 + 1e-9, instant = 1;
  return time > row.most_ms * rounding + instant || row.most_ms < 0 ? std::numeric_limits<double>::infinity()
                                                                    : time;
}

LeastEnergy least_energy(const Workload& workload, const Cluster& cluster) {
  return Builder(workload, cluster).build();
}

}  // namespace wavewright
