#include "apps/commands/energy_data.h"

#include <map>
#include <set>

#include <fmt/format.h>

#include "apps/table.h"
#include "wavewright/cluster/power.h"
#include "wavewright/core/error.h"
#include "wavewright/core/spec.h"

namespace wavewright::app {

void check_energy_data(const Context& context, const std::string& file, const Workload& workload,
                       const Cluster& cluster) {
  try {
    check_energy_classes(workload, cluster);
  } catch (const InputError& error) {
    throw InputError({file}, error.problem(), error.remedy());
  }
  for (const std::string& line : unused_class_entries(workload, cluster)) context.note(harmless(line));
}

void note_unlike_rows(const Context& context, const Cluster& cluster) {
  if (!knows_power(cluster)) return;
  std::map<std::string, const NodeGroup*> first;
  std::set<std::string> noted;
  for (const NodeGroup& group : cluster.nodes) {
    const NodeGroup& like = *first.emplace(group.node_class, &group).first->second;
    const auto described = cluster.classes.find(group.node_class);
    const bool by_class =
        described != cluster.classes.end() && (described->second.map_w || !described->second.curve_w.empty());
    const bool same_power =
        by_class || group.power_busy_w - group.power_idle_w == like.power_busy_w - like.power_idle_w;
    if ((same_power && group.speed == like.speed) || !noted.insert(group.node_class).second) continue;
    context.note(harmless(
        fmt::format("class '{}' has [[nodes]] rows of unlike power or speed, and energy is ranked by "
                    "its first row: give each kind of machine a class of its own",
                    shortened(group.node_class))));
  }
}

void note_energy_policy(const Context& context, const std::string& policy, const Cluster& cluster) {
  if (policy == "efh" || policy == "ideal") note_unlike_rows(context, cluster);
  if (policy == "efh" && cluster.mode.speculation)
    context.note("efh starts no second attempts of slow tasks: speculation = true has no effect");
}

}  // namespace wavewright::app
