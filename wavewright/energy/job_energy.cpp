#include "wavewright/energy/job_energy.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "wavewright/sim/model/node_model.h"

namespace wavewright {

namespace {

double mean_ms(const std::vector<Duration>& lengths) {
  double sum = 0;
  for (const Duration each : lengths) sum += static_cast<double>(to_ms(each));
  return sum / static_cast<double>(lengths.size());
}

// By class of nodes.
std::vector<double> efficiencies(const Job& job, const sim::NodeModel& model) {
  std::vector<double> all;
  all.reserve(model.topology.classes.size());
  for (ClassId c = 0; c < model.topology.classes.size(); ++c) all.push_back(model.power.efficiency(job, c));
  return all;
}

double speed_on(const Job& job, const sim::NodeModel& model, ClassId node_class) {
  const auto own = job.classes.find(model.topology.classes[node_class]);
  if (own != job.classes.end() && own->second.speed) return *own->second.speed;
  const auto& rows = model.topology.node_class;
  const auto first = std::find(rows.begin(), rows.end(), node_class);
  return model.cluster.nodes[static_cast<std::size_t>(first - rows.begin())].speed;
}

std::vector<MapsOnClass> on_classes(const Job& job, const sim::NodeModel& model,
                                    const std::vector<double>& efficiency) {
  std::vector<ClassId> order(efficiency.size());
  std::iota(order.begin(), order.end(), ClassId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](ClassId a, ClassId b) { return efficiency[a] > efficiency[b]; });
  const double nominal = mean_ms(job.maps);
  std::vector<MapsOnClass> classes;
  for (const ClassId c : order) {
    MapsOnClass& one = classes.emplace_back();
    one.node_class = model.topology.classes[c];
    one.mean_map_ms = nominal / speed_on(job, model, c);
    if (const std::optional<double> energy = model.power.map_energy(job, c))
      one.map_j = *energy * nominal / 1000;
    if (!model.power.unlimited_efficiency(job, c)) one.efficiency = efficiency[c];
  }
  return classes;
}

std::vector<NodeFitness> best_nodes(const Job& job, const sim::NodeModel& model,
                                    const std::vector<double>& efficiency, std::size_t most) {
  const sim::Blocks held = model.blocks_of(job);
  std::map<NodeIndex, Count> blocks;
  for (const NodeIndex node : held.nodes) ++blocks[node];
  struct Ranked {
    double fitness = 0, efficiency = 0;
    ClassId node_class = 0;
    NodeIndex node = 0;
    Count blocks = 0;
    double overlap = 0;
    [[nodiscard]] auto key() const { return std::tuple(-fitness, -efficiency, node_class, node); }
  };
  std::vector<Ranked> ranked;
  for (const auto& [node, count] : blocks) {
    const ClassId c = model.topology.node_class[model.topology.group[node]];
    const double overlap = static_cast<double>(count) / static_cast<double>(job.maps.size());
    ranked.push_back({efficiency[c] * overlap, efficiency[c], c, node, count, overlap});
  }
  const std::size_t kept = std::min(most, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept), ranked.end(),
                    [](const Ranked& a, const Ranked& b) { return a.key() < b.key(); });
  std::vector<NodeFitness> nodes;
  for (std::size_t i = 0; i < kept; ++i) {
    const Ranked& each = ranked[i];
    NodeFitness& node = nodes.emplace_back();
    node.node = model.topology.names[each.node];
    node.node_class = model.topology.classes[each.node_class];
    node.blocks = each.blocks;
    node.overlap = each.overlap;
    if (!model.power.unlimited_efficiency(job, each.node_class)) node.fitness = each.fitness;
  }
  return nodes;
}

}  // namespace

std::vector<JobEnergy> job_energies(const Workload& workload, const Cluster& cluster, std::uint64_t seed,
                                    std::size_t nodes) {
  const sim::NodeModel model(workload, cluster, seed, false);
  std::vector<JobEnergy> all;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const Job& job = workload.jobs[i];
    if (job.maps.empty()) continue;
    const std::vector<double> efficiency = efficiencies(job, model);
    all.push_back({static_cast<JobIndex>(i), on_classes(job, model, efficiency),
                   best_nodes(job, model, efficiency, nodes)});
  }
  return all;
}

}  // namespace wavewright
