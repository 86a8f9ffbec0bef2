// The hidden verb `wavewright units FOLDER`: the worker of --engine yarn (wavewright/streaming/worker.h).
//
// FOLDER has what the command that submitted the job has packed: `job.json` says what kind of work it is.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "apps/context.h"
#include "wavewright/streaming/worker.h"

namespace wavewright::app {

inline constexpr std::string_view units_word = "units";
inline constexpr const char* job_file = "job.json";

// Reads units on standard input and writes their results on standard output; returns the exit status.
int run_worker(const std::vector<std::string>& arguments);

// The kinds of work, each made from its `job.json`.
[[nodiscard]] UnitWork sweep_work(const Json& job, const std::filesystem::path& inputs);
[[nodiscard]] UnitWork plan_work(const Json& job, const std::filesystem::path& inputs);
[[nodiscard]] UnitWork import_work(const Json& job, const std::filesystem::path& inputs);

}  // namespace wavewright::app
