#include "wavewright/report/documents/why_document.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace wavewright {

namespace {

Json json_of(const RunPart& part, const std::map<std::string, Count>& impossible) {
  const auto left = impossible.find(part.run->id);
  return {{"run", part.run->id},
          {"submit_ms", part.run->submit ? Json(to_ms(*part.run->submit)) : Json(nullptr)},
          {"tasks", part.tasks},
          {"mean_ms", part.tasks > 0 ? Json(std::llround(part.mean_ms)) : Json(nullptr)},
          {"max_ms", part.tasks > 0 ? Json(std::llround(part.max_ms)) : Json(nullptr)},
          {"impossible", left == impossible.end() ? 0 : left->second},
          {"left_out", part.left_out.empty() ? Json(nullptr) : Json(part.left_out)}};
}

}  // namespace

Json why_document(const ProfileSources& sources) {
  Json nearest = Json::array();
  for (const TaskSource& source : sources.nearest) {
    nearest.push_back({{"run", source.run},
                       {"task", source.task},
                       {"attempt", source.attempt},
                       {"node", source.node},
                       {"length_ms", to_ms(source.length)}});
  }
  Json runs = Json::array();
  for (const RunPart& part : sources.runs) runs.push_back(json_of(part, sources.impossible));
  return {{"name", sources.name},
          {"phase", to_string(sources.statistic.phase)},
          {"tasks", sources.tasks},
          {"nearest", std::move(nearest)},
          {"runs", std::move(runs)}};
}

}  // namespace wavewright
