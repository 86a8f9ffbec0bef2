// The plan document: JSON, one object (docs/formats/plan-file.md). Durations are integers of milliseconds.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "wavewright/sched/plan.h"

namespace wavewright {

[[nodiscard]] nlohmann::ordered_json plan_to_json(const Plan& plan);

// Throws InputError (with `source`) if the text is not a plan. O(jobs).
[[nodiscard]] Plan plan_from_json(const std::string& text, const std::string& source);

// Throws ExternalError or InputError, and UsageError for `-`, which is no file.
[[nodiscard]] Plan read_plan(const std::filesystem::path& path);
// `document`: from plan_to_json; the caller may add fields. Throws ExternalError.
void write_plan_document(const std::filesystem::path& path, const nlohmann::ordered_json& document);

}  // namespace wavewright
