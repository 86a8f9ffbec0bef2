#include "wavewright/profile/groups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

namespace wavewright {

namespace {

constexpr std::array<const char*, 4> widths = {"mapreduce.job.running.map.limit",
                                               "mapreduce.job.running.reduce.limit", "mapreduce.job.maps",
                                               "mapreduce.job.reduces"};

int nearest_power(double value) {
  return static_cast<int>(std::lround(std::log2(std::max(1.0, value))));
}

std::map<std::string, std::string> those_of(const RunPhases& run, const std::vector<std::string>& names) {
  std::map<std::string, std::string> values;
  for (const std::string& name : names) {
    const auto told = run.settings.find(name);
    if (told != run.settings.end()) values.insert(*told);
  }
  return values;
}

std::string short_name(const std::string& setting) {
  const std::string prefix = "mapreduce.";
  return setting.rfind(prefix, 0) == 0 ? setting.substr(prefix.size()) : setting;
}

std::optional<Time> instant_of(const RunPhases& run) {
  return run.submit ? run.submit : run.finish;
}

void add(RunGroup& group, const RunPhases& run, std::size_t place) {
  const bool first = group.runs.empty();
  group.least_maps = first ? run.maps : std::min(group.least_maps, run.maps);
  group.most_maps = std::max(group.most_maps, run.maps);
  if (run.has_input()) {
    if (!group.least_input || *run.map_input < *group.least_input) group.least_input = run.map_input;
    if (!group.most_input || *group.most_input < *run.map_input) group.most_input = run.map_input;
  }
  group.succeeded += run.state == RunState::succeeded ? 1 : 0;
  const std::optional<Time> when = instant_of(run);
  if (when && (!group.newest || *when > *group.newest)) group.newest = when;
  group.runs.push_back(place);
}

// Values of the runs' settings, and the number of runs that have each setting.
class SettingValues {
 public:
  void add(const RunPhases& run) {
    if (run.settings.empty()) return;
    ++telling_;
    if (!run.settings.shares(last_)) count_last();
    last_ = run.settings;
    ++times_;
  }

  // Settings with several values, or unknown for some run; without limits on tasks at once.
  [[nodiscard]] std::vector<std::string> differing() {
    count_last();
    std::vector<std::string> names;
    for (const auto& [name, seen] : seen_) {
      const bool width = std::find(widths.begin(), widths.end(), name) != widths.end();
      if (!width && (seen.differ || seen.told < telling_)) names.push_back(name);
    }
    return names;
  }

 private:
  struct Seen {
    std::string first;
    bool differ = false;
    Count told = 0;
  };
  void count_last() {
    for (const auto& [name, value] : last_) {
      Seen& seen = seen_[name];
      if (seen.told == 0) seen.first = value;
      seen.told += times_;
      seen.differ = seen.differ || seen.first != value;
    }
    last_ = {};
    times_ = 0;
  }

  std::map<std::string, Seen> seen_;
  Count telling_ = 0;
  SharedSettings last_;  // of so many runs in a row, not counted yet: mostly all runs have the same
  Count times_ = 0;
};

// That of all runs which tell one; empty if these differ.
std::string only_generation(std::span<const RunPhases> runs) {
  std::string only;
  for (const RunPhases& run : runs) {
    if (run.hadoop.empty() || run.hadoop == only) continue;
    if (!only.empty()) return "";
    only = run.hadoop;
  }
  return only;
}

}  // namespace

int size_class(const RunPhases& run) {
  if (run.has_input()) return nearest_power(static_cast<double>(run.map_input->count));
  return -1 - nearest_power(static_cast<double>(run.maps));
}

std::optional<int> split_class(const RunPhases& run) {
  if (!run.has_input() || run.maps <= 0) return std::nullopt;
  return nearest_power(static_cast<double>(run.map_input->count) / static_cast<double>(run.maps));
}

std::vector<std::string> differing_settings(std::span<const RunPhases> runs) {
  SettingValues values;
  for (const RunPhases& run : runs) values.add(run);
  return values.differing();
}

std::vector<bool> are_comparable(std::span<const RunPhases* const> runs, const RunPhases& like,
                                 std::size_t least) {
  SettingValues values;
  for (const RunPhases* run : runs) values.add(*run);
  values.add(like);
  const std::vector<std::string> differing = values.differing();
  const auto wanted = those_of(like, differing);
  std::vector<bool> fits(runs.size());
  std::size_t succeeded = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunPhases& run = *runs[i];
    const bool settings = run.settings.empty() || like.settings.empty() || those_of(run, differing) == wanted;
    const bool generation = run.hadoop.empty() || like.hadoop.empty() || run.hadoop == like.hadoop;
    fits[i] = settings && generation && split_class(run) == split_class(like);
    succeeded += fits[i] && run.state == RunState::succeeded ? 1 : 0;
  }
  if (succeeded < least) fits.assign(runs.size(), true);
  return fits;
}

std::vector<RunPhases> comparable_runs(std::span<const RunPhases> runs, const RunPhases& like,
                                       std::size_t least) {
  std::vector<const RunPhases*> places;
  for (const RunPhases& run : runs) places.push_back(&run);
  const std::vector<bool> fits = are_comparable(places, like, least);
  std::vector<RunPhases> fitting;
  fitting.reserve(static_cast<std::size_t>(std::count(fits.begin(), fits.end(), true)));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (fits[i]) fitting.push_back(runs[i]);
  }
  return fitting;
}

std::string RunGroup::text() const {
  std::string text = fmt::format("{} reduces, ", reduces);
  if (least_input) {
    text += format_bytes(*least_input);
    if (*least_input < *most_input) text += "–" + format_bytes(*most_input);
  } else {
    text += least_maps == most_maps ? fmt::format("{} maps", least_maps)
                                    : fmt::format("{}–{} maps", least_maps, most_maps);
  }
  if (!hadoop.empty()) text += ", Hadoop " + hadoop;
  if (!settings_told) return text + ", settings not told";
  for (const auto& [name, value] : settings) text += fmt::format(", {}={}", short_name(name), value);
  return text;
}

std::vector<RunGroup> group_runs(std::span<const RunPhases> runs) {
  using Key =
      std::tuple<std::string, bool, std::map<std::string, std::string>, Count, std::optional<int>, int>;
  const std::vector<std::string> differing = differing_settings(runs);
  const std::string only = only_generation(runs);
  std::map<Key, std::size_t> places;
  std::vector<RunGroup> groups;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunPhases& run = runs[i];
    const bool told = differing.empty() || !run.settings.empty();
    const std::string& hadoop = run.hadoop.empty() ? only : run.hadoop;
    Key key = {hadoop, told, those_of(run, differing), run.reduces, split_class(run), size_class(run)};
    const auto [found, fresh] = places.emplace(std::move(key), groups.size());
    if (fresh) {
      RunGroup& group = groups.emplace_back();
      group.settings = std::get<2>(found->first);
      group.settings_told = told;
      group.hadoop = hadoop;
      group.reduces = run.reduces;
    }
    add(groups[found->second], run, i);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const RunGroup& a, const RunGroup& b) {
    return a.newest.value_or(Time::min()) > b.newest.value_or(Time::min());
  });
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].number = static_cast<int>(i) + 1;
  return groups;
}

std::size_t default_group(const std::vector<RunGroup>& groups) {
  std::size_t fullest = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].succeeded >= well_filled) return i;
    if (groups[i].succeeded > groups[fullest].succeeded) fullest = i;
  }
  return fullest;
}

std::vector<RunPhases> runs_of(const RunGroup& group, std::span<const RunPhases> runs) {
  std::vector<RunPhases> chosen;
  chosen.reserve(group.runs.size());
  for (const std::size_t place : group.runs) chosen.push_back(runs[place]);
  return chosen;
}

}  // namespace wavewright
