#include "wavewright/cluster/power.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"
#include "wavewright/core/spec.h"

namespace wavewright {

namespace {

constexpr Count bytes_per_mebibyte_log2 = 20;

std::optional<Milliwatts> if_known(const std::optional<double>& watts) {
  return watts ? std::optional(milliwatts(*watts)) : std::nullopt;
}

// The rounded part of the whole that `taken` of `room` has.
Milliwatts share_of(Milliwatts whole, Count taken, Count room) {
  return room == 0 ? 0
                   : milliwatts(static_cast<double>(whole) / 1000 * static_cast<double>(taken) /
                                static_cast<double>(room));
}

NodePower power_of(const NodeGroup& group, const NodeClass* described) {
  NodePower power;
  power.idle = milliwatts(group.power_idle_w);
  power.whole = std::max<Milliwatts>(0, milliwatts(group.power_busy_w) - power.idle);
  power.declares_maps =
      power.whole > 0 ||
      (described != nullptr && (described->map_w || described->busy_w || !described->curve_w.empty()));
  if (described == nullptr) return power;
  power.off = milliwatts(described->off_w);
  power.wake = std::llround(described->wake_j * 1e6);
  power.drawn_by = described->drawn_by;
  power.adds[static_cast<std::size_t>(PoweredKind::master)] = if_known(described->master_w);
  power.adds[static_cast<std::size_t>(PoweredKind::map)] = if_known(described->map_w);
  power.adds[static_cast<std::size_t>(PoweredKind::reduce)] = if_known(described->reduce_w);
  for (const double watts : described->curve_w)
    power.curve.push_back(std::max<Milliwatts>(0, milliwatts(watts) - power.idle));
  return power;
}

}  // namespace

TooMuchEnergy::TooMuchEnergy()
    : UsageError("the run takes more energy than can be counted (2.5 GWh)",
                 "check the powers of the cluster file") {}

Milliwatts milliwatts(double watts) {
  constexpr double most = 1e15;
  if (!(watts <= most)) throw TooMuchEnergy();
  return std::llround(watts * 1000);
}

MicroJoules energy_of(Milliwatts power, Duration time) {
  MicroJoules energy = 0;
  if (__builtin_mul_overflow(power, to_ms(time), &energy)) throw TooMuchEnergy();
  return energy;
}

void add_energy(MicroJoules& sum, MicroJoules more) {
  if (__builtin_add_overflow(sum, more, &sum)) throw TooMuchEnergy();
}

PowerModel::PowerModel(const Cluster& cluster) {
  const bool containers = cluster.mode.kind == ClusterMode::Kind::containers;
  if (containers) map_memory_ = cluster.containers.map.memory.count >> bytes_per_mebibyte_log2;
  std::vector<std::string> classes;
  for (const NodeGroup& group : cluster.nodes) {
    const auto described = cluster.classes.find(group.node_class);
    rows_.push_back({power_of(group, described == cluster.classes.end() ? nullptr : &described->second),
                     group.node_class, group.speed,
                     containers ? group.memory.count >> bytes_per_mebibyte_log2
                                : group.slots.map_slots + group.slots.reduce_slots});
    if (std::find(classes.begin(), classes.end(), group.node_class) != classes.end()) continue;
    classes.push_back(group.node_class);
    first_row_.push_back(rows_.size() - 1);
  }
}

// The curve's, over as many tasks as fit on the node: one a slot, or containers of `memory` MiB.
Milliwatts PowerModel::mean_step(const Row& row, Count memory) const {
  const Count fit = map_memory_ == 0 ? row.room : row.room / std::max<Count>(1, memory);
  const auto tasks = static_cast<std::size_t>(std::max<Count>(1, fit));
  const std::vector<Milliwatts>& curve = row.power.curve;
  return share_of(curve[std::min(tasks, curve.size()) - 1], 1, static_cast<Count>(tasks));
}

Milliwatts PowerModel::class_power(const Row& row, PoweredKind kind, Count memory) const {
  if (!row.power.curve.empty()) return mean_step(row, memory);
  const std::optional<Milliwatts>& adds = row.power.adds[static_cast<std::size_t>(kind)];
  if (adds) return *adds;
  if (row.power.drawn_by == DrawnBy::node) return row.power.whole;
  return share_of(row.power.whole, map_memory_ > 0 ? memory : 1, row.room);
}

namespace {

const ClassSpeed* entry_of(const Job& job, const std::string& node_class) {
  const auto found = job.classes.find(node_class);
  return found == job.classes.end() ? nullptr : &found->second;
}

// The job's entry as far as it tells energy. A measured curve counts instead of it.
const ClassSpeed* energy_entry(const Job& job, const std::string& node_class, const NodePower& power) {
  return power.curve.empty() ? entry_of(job, node_class) : nullptr;
}

// Map-seconds that a slot of the class does in a second.
double pace(const ClassSpeed* entry, double machines) {
  return entry == nullptr ? machines : entry->speed.value_or(machines) * entry->parallelism;
}

}  // namespace

// Watts. With a factor, E_map follows from that of the first class: power = E_first · ef_first / ef · pace.
std::optional<double> PowerModel::own_power(const Row& row, Count memory, const Job& job) const {
  const ClassSpeed* const entry = energy_entry(job, row.node_class, row.power);
  if (entry == nullptr) return std::nullopt;
  if (entry->power_w) return entry->power_w;
  if (!entry->energy_factor) return std::nullopt;
  const Row& first = rows_.front();
  const ClassSpeed* const base = energy_entry(job, first.node_class, first.power);
  const double watts = base != nullptr && base->power_w
                           ? *base->power_w
                           : static_cast<double>(class_power(first, PoweredKind::map, memory)) / 1000;
  const double base_factor = base == nullptr ? 1 : base->energy_factor.value_or(1);
  return watts / pace(entry_of(job, first.node_class), first.speed) * base_factor / *entry->energy_factor *
         pace(entry, row.speed);
}

Milliwatts PowerModel::task(std::size_t row, PoweredKind kind, Count memory, const Job* job) const {
  const Row& there = rows_.at(row);
  if (job != nullptr && kind == PoweredKind::map && !job->classes.empty()) {
    if (const std::optional<double> own = own_power(there, memory, *job)) return milliwatts(*own);
  }
  return class_power(there, kind, memory);
}

bool PowerModel::declares_maps(const Row& row, const Job& job) const {
  const ClassSpeed* const entry = energy_entry(job, row.node_class, row.power);
  if (entry != nullptr && entry->power_w) return true;
  if (entry == nullptr || !entry->energy_factor) return row.power.declares_maps;
  const Row& first = rows_.front();
  const ClassSpeed* const base = energy_entry(job, first.node_class, first.power);
  return (base != nullptr && base->power_w) || first.power.declares_maps;
}

std::optional<double> PowerModel::of_map_second(const Row& row, const Job& job) const {
  if (!declares_maps(row, job)) return std::nullopt;
  const Count memory = job.memory.map ? job.memory.map->count >> bytes_per_mebibyte_log2 : map_memory_;
  const std::optional<double> watts = own_power(row, memory, job);
  return watts.value_or(static_cast<double>(class_power(row, PoweredKind::map, memory)) / 1000) /
         pace(entry_of(job, row.node_class), row.speed);
}

std::optional<double> PowerModel::map_energy(const Job& job, std::uint32_t node_class) const {
  const Row& row = rows_.at(first_row_.at(node_class));
  if (row.power.needs_state() && row.power.curve.empty()) return std::nullopt;
  return of_map_second(row, job);
}

namespace {

// J for each second of a map. Less counts as so much, so that there are quotients: a policy multiplies them
// by shares of blocks, and infinity times 0 is no number.
constexpr double least_of_second = 1e-9;

}  // namespace

double PowerModel::efficiency(const Job& job, std::uint32_t node_class) const {
  const Row &row = rows_.at(first_row_.at(node_class)), &first = rows_.front();
  const ClassSpeed* const entry = energy_entry(job, row.node_class, row.power);
  const ClassSpeed* const base = energy_entry(job, first.node_class, first.power);
  if (entry != nullptr && entry->energy_factor) return *entry->energy_factor;
  const std::optional<double> here = of_map_second(row, job), there = of_map_second(first, job);
  const double base_factor = base == nullptr ? 1 : base->energy_factor.value_or(1);
  if (!here || !there) return base_factor;
  return base_factor * std::max(*there, least_of_second) / std::max(*here, least_of_second);
}

bool PowerModel::unlimited_efficiency(const Job& job, std::uint32_t node_class) const {
  const Row& row = rows_.at(first_row_.at(node_class));
  const ClassSpeed* const entry = energy_entry(job, row.node_class, row.power);
  if (entry != nullptr && entry->energy_factor) return false;
  const std::optional<double> here = of_map_second(row, job), there = of_map_second(rows_.front(), job);
  return here && there && *here <= least_of_second && *there > least_of_second;
}

namespace {

bool has_power(const NodeClass& of) {
  return of.idle_w || of.busy_w || of.map_w || of.reduce_w || of.master_w || !of.curve_w.empty();
}

}  // namespace

bool knows_power(const Cluster& cluster) {
  const auto draws = [](const NodeGroup& group) { return group.power_idle_w > 0 || group.power_busy_w > 0; };
  const auto tells = [](const auto& named) {
    const NodeClass& each = named.second;
    return has_power(each) || each.off_w > 0 || each.wake_j > 0;
  };
  return std::any_of(cluster.nodes.begin(), cluster.nodes.end(), draws) ||
         std::any_of(cluster.classes.begin(), cluster.classes.end(), tells);
}

namespace {

// In the order of the rows, each once.
std::vector<std::string> classes_in(const Cluster& cluster) {
  std::vector<std::string> classes;
  for (const NodeGroup& group : cluster.nodes) {
    if (std::find(classes.begin(), classes.end(), group.node_class) == classes.end())
      classes.push_back(group.node_class);
  }
  return classes;
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(names.size(), most));
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + shown, ", "),
                     names.size() > most ? ", …" : "");
}

bool is_flat_pool(const Cluster& cluster) {
  return cluster.nodes.size() == 1 && cluster.nodes.front().node_class == NodeGroup{}.node_class &&
         !knows_power(cluster);
}

}  // namespace

std::vector<std::string> classes_without_power(const Cluster& cluster) {
  if (!knows_power(cluster)) return {};
  std::vector<std::string> without = classes_in(cluster);
  std::erase_if(without, [&](const std::string& name) {
    const auto of = cluster.classes.find(name);
    if (of != cluster.classes.end() && has_power(of->second)) return true;
    return std::any_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const NodeGroup& group) {
      return group.node_class == name && (group.power_idle_w > 0 || group.power_busy_w > 0);
    });
  });
  return without;
}

namespace {

// Factors count from the first class.
void check_factor(const Job& job, const std::string& node_class, const ClassSpeed& entry, bool first) {
  if (!entry.energy_factor) return;
  const std::string where = shortened(node_class);
  if (first && *entry.energy_factor != 1) {
    throw InputError(
        {},
        fmt::format("job '{}' has an energy_factor of {} for class '{}', the first one of the cluster, from "
                    "which factors count",
                    shortened(job.id), *entry.energy_factor, where),
        "leave it out there, give power_w, or write another class first in the cluster file");
  }
  if (!first && entry.power_w) {
    throw InputError(
        {}, fmt::format("job '{}' has power_w and energy_factor for class '{}'", shortened(job.id), where),
        "leave one of them out: each gives the energy of its maps there");
  }
}

}  // namespace

void check_energy_classes(const Workload& workload, const Cluster& cluster) {
  if (is_flat_pool(cluster)) return;
  const std::vector<std::string> known = classes_in(cluster);
  for (const Job& job : workload.jobs) {
    for (const auto& [name, entry] : job.classes) {
      if (!entry.energy_factor && !entry.power_w) continue;
      if (std::find(known.begin(), known.end(), name) != known.end()) {
        check_factor(job, name, entry, name == known.front());
        continue;
      }
      throw InputError(
          {},
          fmt::format("job '{}' has {} for class '{}', and the cluster has no node of that class",
                      shortened(job.id), entry.power_w ? "power_w" : "energy_factor", shortened(name)),
          fmt::format("its classes are {}; name one of them, or leave that class out of the job",
                      some_of(known)));
    }
  }
}

namespace {

struct InVain {
  std::string job;  // the first one
  Count jobs = 0;
};

std::string jobs_text(const InVain& of) {
  const std::string first = fmt::format("job '{}'", shortened(of.job));
  if (of.jobs == 1) return first + " has";
  return fmt::format("{} and {} other{} have", first, of.jobs - 1, of.jobs == 2 ? "" : "s");
}

}  // namespace

std::vector<std::string> unused_class_entries(const Workload& workload, const Cluster& cluster) {
  if (is_flat_pool(cluster)) return {};
  const std::vector<std::string> known = classes_in(cluster);
  std::map<std::string, InVain> in_vain;  // by class
  for (const Job& job : workload.jobs) {
    for (const auto& [name, entry] : job.classes) {
      const bool there = std::find(known.begin(), known.end(), name) != known.end();
      const auto described = cluster.classes.find(name);
      const bool curved = described != cluster.classes.end() && !described->second.curve_w.empty();
      if (there && !(curved && (entry.power_w || entry.energy_factor))) continue;
      InVain& of = in_vain[name];
      if (of.jobs++ == 0) of.job = job.id;
    }
  }
  std::vector<std::string> lines;
  for (const auto& [name, of] : in_vain) {
    const std::string where = shortened(name);
    lines.push_back(std::find(known.begin(), known.end(), name) == known.end()
                        ? fmt::format("{} an entry for class '{}', and no node is of that class: it counts "
                                      "for nothing (the classes are {})",
                                      jobs_text(of), where, some_of(known))
                        : fmt::format("{} power_w or energy_factor for class '{}', whose power_curve_w "
                                      "counts instead",
                                      jobs_text(of), where));
  }
  return lines;
}

}  // namespace wavewright
