#include "wavewright/sim/trace_file.h"

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/csv.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright {

namespace {

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

const char* kind_name(Kind kind) {
  return kind == Kind::map ? "map" : "reduce";
}

// Ids are quoted once a job, not once a task.
template <class Quote>
std::vector<std::string> quoted_ids(const Workload& workload, Quote quote) {
  std::vector<std::string> ids;
  ids.reserve(workload.jobs.size());
  for (const Job& job : workload.jobs) ids.push_back(quote(job.id));
  return ids;
}

void write_csv(std::ostream& out, const SimulationResult& result, const Workload& workload) {
  const std::vector<std::string> ids = quoted_ids(workload, csv_field);
  out << "job,kind,task,attempt,node,slot,start_ms,end_ms,outcome\n";
  for (const TaskRecord& task : result.trace) {
    out << fmt::format("{},{},{},0,pool,{},{},{},done\n", ids[task.job], kind_name(task.kind), task.task,
                       task.slot, to_ms(task.start), to_ms(task.end));
  }
}

void write_jsonl(std::ostream& out, const SimulationResult& result, const Workload& workload) {
  const std::vector<std::string> ids = quoted_ids(workload, json_text);
  for (const TaskRecord& task : result.trace) {
    out << fmt::format(
        R"({{"job":{},"kind":"{}","task":{},"attempt":0,"node":"pool","slot":{},"start_ms":{},"end_ms":{},"outcome":"done"}})"
        "\n",
        ids[task.job], kind_name(task.kind), task.task, task.slot, to_ms(task.start), to_ms(task.end));
  }
}

}  // namespace

void write_trace(const std::filesystem::path& path, const SimulationResult& result,
                 const Workload& workload) {
  const std::string suffix = path.extension().string();
  if (suffix != ".csv" && suffix != ".jsonl") {
    throw UsageError("a trace is CSV or JSON Lines, not '" + suffix + "'", "name the file .csv or .jsonl");
  }
  write_file(path, [&](std::ostream& out) {
    if (suffix == ".csv") {
      write_csv(out, result, workload);
    } else {
      write_jsonl(out, result, workload);
    }
  });
}

}  // namespace wavewright
