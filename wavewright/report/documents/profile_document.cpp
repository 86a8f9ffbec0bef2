#include "wavewright/report/documents/profile_document.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "wavewright/core/or_null.h"

namespace wavewright {

std::vector<NamedPhase> phases_of(const JobProfile& profile) {
  return {{"map", "map", profile.map},
          {"first_shuffle", "first shuffle", profile.first_shuffle},
          {"shuffle", "later shuffle", profile.shuffle},
          {"reduce", "reduce", profile.reduce}};
}

namespace {

// A phase that no run has is null in JSON, never 0.
Json to_json(const PhaseProfile& phase) {
  if (phase.empty()) return nullptr;
  return {{"count", phase.count},
          {"min_ms", to_ms(phase.min)},
          {"p25_ms", to_ms(phase.quantile(0.25))},
          {"p50_ms", to_ms(phase.quantile(0.5))},
          {"p75_ms", to_ms(phase.quantile(0.75))},
          {"max_ms", to_ms(phase.max)},
          {"mean_ms", std::llround(phase.mean_ms)},
          {"smallest_max_ms", to_ms(phase.smallest_max)}};
}

Json to_json(const AttemptCounts& counts) {
  return {{"succeeded", counts.succeeded},
          {"failed", counts.failed},
          {"killed", counts.killed},
          {"speculative", counts.speculative}};
}

Json to_json(const Spread& spread, bool durations) {
  if (spread.runs == 0) return nullptr;
  Json json = {{"runs", spread.runs}};
  const auto put = [&](const char* name, double value) {
    if (durations) {
      json[std::string(name) + "_ms"] = std::llround(value);
    } else {
      json[name] = value;
    }
  };
  put("mean", spread.mean);
  put("min", spread.min);
  put("max", spread.max);
  put("deviation", spread.deviation);
  json["relative_deviation"] = spread.relative();
  return json;
}

Json to_json(const ProfileFinding& finding) {
  return {{"code", finding.code},   {"severity", to_string(finding.severity)},
          {"value", finding.value}, {"threshold", finding.threshold},
          {"text", finding.text},   {"advice", finding.advice}};
}

Json bytes(const std::optional<Bytes>& size) {
  return size ? Json(size->count) : Json(nullptr);
}

Json to_json(const RunGroup& group) {
  return {{"group", group.number},
          {"runs", group.runs.size()},
          {"succeeded", group.succeeded},
          {"reduces", group.reduces},
          {"least_maps", group.least_maps},
          {"most_maps", group.most_maps},
          {"least_input_bytes", bytes(group.least_input)},
          {"most_input_bytes", bytes(group.most_input)},
          {"hadoop", group.hadoop},
          {"settings", group.settings},
          {"settings_told", group.settings_told},
          {"newest_ms", or_null(group.newest)}};
}

Json to_json(const Change& change) {
  return {{"run", change.run},
          {"submit_ms", or_null(change.when)},
          {"phase", change.phase},
          {"factor", change.factor},
          {"p_value", change.p_value}};
}

Json to_json(const MinAvgMax& phase) {
  if (phase.tasks == 0) return nullptr;
  return {{"tasks", phase.tasks},
          {"min_ms", std::llround(phase.min_ms)},
          {"avg_ms", std::llround(phase.avg_ms)},
          {"max_ms", std::llround(phase.max_ms)}};
}

Json to_json(const SlotsRow& row) {
  return {{"runs", row.runs},
          {"least_maps", row.least_maps},
          {"most_maps", row.most_maps},
          {"least_input_bytes", bytes(row.least_input)},
          {"most_input_bytes", bytes(row.most_input)},
          {"map_slots", row.slots.map_slots},
          {"reduce_slots", row.slots.reduce_slots},
          {"map", to_json(row.map)},
          {"shuffle", to_json(row.shuffle)},
          {"reduce", to_json(row.reduce)}};
}

// Slopes and intercepts of lengths are in ms (per byte); those of `maps` in maps.
Json to_json(const PhaseFit& fitted) {
  Json json = {{"phase", fitted.phase}, {"x", fitted.x_name}, {"points", fitted.points.size()}};
  json["flags"] = fitted.flags;
  json["line"] = nullptr;
  if (!fitted.line) return json;
  const LinearFit& line = *fitted.line;
  json["line"] = {{"sizes", line.sizes},
                  {"level", LinearFit::level},
                  {"intercept", line.intercept},
                  {"intercept_low", line.intercept_low},
                  {"intercept_high", line.intercept_high},
                  {"slope", line.slope},
                  {"slope_low", line.slope_low},
                  {"slope_high", line.slope_high},
                  {"r2", line.r2},
                  {"deviation", line.deviation},
                  {"margin_at_mean", line.prediction_margin(line.mean_x)},
                  {"mean_x", line.mean_x}};
  return json;
}

template <class Value>
Json list(const std::vector<Value>& values) {
  Json array = Json::array();
  for (const Value& value : values) array.push_back(to_json(value));
  return array;
}

Json to_json(const JobProfile& profile, const Stability& stability) {
  Json phases = Json::object();
  for (const NamedPhase& phase : phases_of(profile)) phases[phase.name] = to_json(phase.profile);
  return {
      {"name", profile.name},
      {"runs", profile.runs},
      {"failed_runs", profile.failed_runs},
      {"killed_runs", profile.killed_runs},
      {"newest_ms", profile.newest ? Json(to_ms(*profile.newest)) : Json(nullptr)},
      {"maps_per_run", profile.maps_per_run},
      {"reduces_per_run", profile.reduces_per_run},
      {"overhead_ms", std::llround(profile.overhead_ms)},
      {"phases", std::move(phases)},
      {"attempts", {{"map", to_json(profile.map_attempts)}, {"reduce", to_json(profile.reduce_attempts)}}},
      {"input_bytes_per_map",
       profile.input_per_map ? Json(std::llround(*profile.input_per_map)) : Json(nullptr)},
      {"map_selectivity", or_null(profile.map_selectivity)},
      {"reduce_selectivity", or_null(profile.reduce_selectivity)},
      {"over_runs",
       {{"map", to_json(stability.map_ms, true)},
        {"first_shuffle", to_json(stability.first_shuffle_ms, true)},
        {"shuffle", to_json(stability.shuffle_ms, true)},
        {"reduce", to_json(stability.reduce_ms, true)},
        {"elapsed", to_json(stability.measured_ms, true)},
        {"map_waves", to_json(stability.map_waves, false)},
        {"reduce_waves", to_json(stability.reduce_waves, false)}}}};
}

}  // namespace

Json profile_document(const ProfileView& view) {
  Json json = to_json(view.profile, view.stability);
  json["names"] = view.found.names;
  json["group"] = view.group ? Json(view.groups[*view.group].number) : Json(nullptr);
  json["groups"] = list(view.groups);
  json["changes"] = list(view.changes);
  json["since_change"] = view.since_change;
  json["by_slots"] = list(view.by_slots);
  json["fits"] = list(view.fits);
  json["findings"] = list(view.findings);
  json["age_ms"] = view.fresh.age ? Json(to_ms(*view.fresh.age)) : Json(nullptr);
  json["interval_ms"] = view.fresh.interval ? Json(to_ms(*view.fresh.interval)) : Json(nullptr);
  return json;
}

}  // namespace wavewright
