#include "apps/reproduce/assumptions.h"

#include "apps/reproduce/online.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright::app {

namespace {

const EntryRow& row_of(const Entry& entry, const std::string& key) {
  return *std::find_if(entry.rows.begin(), entry.rows.end(),
                       [&](const EntryRow& row) { return row.key == key; });
}

Effect effect(const EntryRow& row, const Measured& ours, const Measured& other) {
  Effect result{row.key, row.label, row.unit, ours.value, other.value, std::nullopt};
  const std::size_t runs = std::min(ours.samples.size(), other.samples.size());
  if (runs == 0) {
    if (ours.value.is_number() && other.value.is_number())
      result.change = Measured{other.value.get<double>() - ours.value.get<double>()};
    return result;
  }
  std::vector<double> changes;
  changes.reserve(runs);
  for (std::size_t i = 0; i < runs; ++i) changes.push_back(other.samples[i] - ours.samples[i]);
  const auto mean = [&](const Measured& all) {
    return mean_of({all.samples.begin(), all.samples.begin() + static_cast<std::ptrdiff_t>(runs)}).value;
  };
  result.ours = mean(ours);
  result.instead = mean(other);
  result.change = mean_of(changes);
  return result;
}

// The entry with the other choice, and only the rows that it may change.
Entry with(const Entry& entry, const Assumption& assumption) {
  Entry other = entry;
  other.inputs.merge_patch(assumption.inputs);
  if (assumption.replications > 0 && other.inputs.contains("replications")) {
    other.inputs["replications"] =
        std::min(assumption.replications, other.inputs["replications"].get<std::uint64_t>());
    other.inputs.erase("often");
    other.inputs.erase("times");
  }
  other.rows.clear();
  for (const std::string& key : assumption.rows) other.rows.push_back(row_of(entry, key));
  return other;
}

const Measured& measurement(const Entry& entry, const Measurements& measured, const std::string& key) {
  if (const auto found = measured.find(key); found != measured.end()) return found->second;
  std::vector<std::string> keys;
  for (const auto& [each, value] : measured) keys.push_back(each);
  throw InputError({"reproduce/" + entry.id + ".json"}, "an assumption names no measurement: '" + key + "'",
                   suggestion(key, keys));
}

}  // namespace

std::vector<Effects> run_assumptions(const Entry& entry, const Measurements& measured,
                                     const ExperimentRun& run) {
  std::vector<Effects> all;
  for (const Assumption& assumption : entry.assumptions) {
    Effects effects{assumption.text, assumption.instead, {}};
    for (const auto& [row, key] : assumption.keys)
      effects.rows.push_back(effect(row_of(entry, row), measured.at(row), measurement(entry, measured, key)));
    if (!assumption.rows.empty()) {
      const Measurements other = run_experiment(with(entry, assumption), run);
      if (run.stop.now()) return all;
      for (const std::string& key : assumption.rows)
        effects.rows.push_back(effect(row_of(entry, key), measured.at(key), other.at(key)));
    }
    all.push_back(std::move(effects));
  }
  return all;
}

}  // namespace wavewright::app
