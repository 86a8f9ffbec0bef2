#include "apps/engine/units.h"

#include <cstdlib>
#include <iostream>
#include <thread>

#include <tbb/global_control.h>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright::app {

namespace {

// A task has the processors of its container, not those of the node.
std::size_t processors_of_task() {
  const char* const told = std::getenv("mapreduce_map_cpu_vcores");  // NOLINT(concurrency-mt-unsafe)
  const int vcores = told == nullptr ? 1 : std::atoi(told);
  return static_cast<std::size_t>(std::max(1, vcores));
}

UnitWork work_of(const Json& job, const std::filesystem::path& inputs) {
  const auto kind = job.at("kind").get<std::string>();
  if (kind == "sweep") return sweep_work(job, inputs);
  if (kind == "plan") return plan_work(job, inputs);
  if (kind == "import") return import_work(job, inputs);
  throw InputError({(inputs / job_file).string()}, "unknown kind of work '" + kind + "'");
}

}  // namespace

int run_worker(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) throw UsageError("'units' takes a folder", "it is for Hadoop, not for people");
  const std::filesystem::path inputs = arguments.front();
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, processors_of_task());
  try {
    const Json job = Json::parse(read_file(inputs / job_file));
    WorkerOptions options;
    options.last_attempt =
        is_last_attempt(std::getenv("mapreduce_task_attempt_id"),   // NOLINT(concurrency-mt-unsafe)
                        std::getenv("mapreduce_map_maxattempts"));  // NOLINT(concurrency-mt-unsafe)
    std::ios::sync_with_stdio(false);
    return run_units(std::cin, std::cout, std::cerr, options, work_of(job, inputs));
  } catch (const Json::exception& error) {
    throw InputError({(inputs / job_file).string()}, std::string("is damaged: ") + error.what());
  }
}

}  // namespace wavewright::app
