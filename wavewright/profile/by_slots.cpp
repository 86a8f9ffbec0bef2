#include "wavewright/profile/by_slots.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "wavewright/profile/groups.h"

namespace wavewright {

namespace {

void add(MinAvgMax& sum, const std::vector<Duration>& durations) {
  for (const Duration duration : durations) {
    const auto length = static_cast<double>(duration.count());
    sum.min_ms = sum.tasks == 0 ? length : std::min(sum.min_ms, length);
    sum.max_ms = std::max(sum.max_ms, length);
    ++sum.tasks;
    sum.avg_ms += (length - sum.avg_ms) / static_cast<double>(sum.tasks);
  }
}

}  // namespace

std::vector<SlotsRow> by_slots(std::span<const RunPhases> runs) {
  std::map<std::tuple<int, Count, Count>, SlotsRow> rows;
  for (const RunPhases& run : runs) {
    if (run.state != RunState::succeeded) continue;
    SlotsRow& row = rows[{size_class(run), run.slots.map_slots, run.slots.reduce_slots}];
    row.size = size_class(run);
    row.slots = run.slots;
    row.least_maps = row.runs == 0 ? run.maps : std::min(row.least_maps, run.maps);
    row.most_maps = std::max(row.most_maps, run.maps);
    if (run.map_input && row.size >= 0) {
      row.least_input = row.least_input ? std::min(*row.least_input, *run.map_input) : *run.map_input;
      row.most_input = row.most_input ? std::max(*row.most_input, *run.map_input) : *run.map_input;
    }
    ++row.runs;
    add(row.map, run.map);
    add(row.shuffle, run.first_shuffle);
    add(row.shuffle, run.shuffle);
    add(row.reduce, run.reduce);
  }
  std::vector<SlotsRow> list;
  list.reserve(rows.size());
  for (const auto& [key, row] : rows) list.push_back(row);
  return list;
}

}  // namespace wavewright
