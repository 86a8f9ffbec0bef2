#include "wavewright/sim/trace_file.h"

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/csv.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/records.h"

namespace wavewright {

namespace {

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

const char* kind_name(Kind kind) {
  return kind == Kind::master ? "master" : kind == Kind::map ? "map" : "reduce";
}

const char* outcome_name(AttemptOutcome outcome) {
  switch (outcome) {
    case AttemptOutcome::done:
      return "done";
    case AttemptOutcome::failed:
      return "failed";
    case AttemptOutcome::lost:
      return "lost";
    case AttemptOutcome::killed:
      return "killed";
  }
  return "";
}

// Ids are quoted once a job, not once a task.
template <class Quote>
std::vector<std::string> quoted_ids(const Workload& workload, Quote quote) {
  std::vector<std::string> ids;
  ids.reserve(workload.jobs.size());
  for (const Job& job : workload.jobs) ids.push_back(quote(job.id));
  return ids;
}

// The one node of a flat pool is called `pool`.
template <class Quote>
std::vector<std::string> quoted_nodes(const SimulationResult& result, Quote quote) {
  if (result.nodes.empty()) return {quote("pool")};
  std::vector<std::string> nodes;
  nodes.reserve(result.nodes.size());
  for (const std::string& node : result.nodes) nodes.push_back(quote(node));
  return nodes;
}

void write_csv(std::ostream& out, const SimulationResult& result, const Workload& workload) {
  const std::vector<std::string> ids = quoted_ids(workload, csv_field);
  const std::vector<std::string> nodes = quoted_nodes(result, csv_field);
  out << "job,kind,task,attempt,node,slot,start_ms,end_ms,outcome\n";
  for (const TaskRecord& task : result.trace) {
    out << fmt::format("{},{},{},{},{},{},{},{},{}\n", ids[task.job], kind_name(task.kind), task.task,
                       task.attempt, nodes[task.node], task.slot, to_ms(task.start), to_ms(task.end),
                       outcome_name(task.outcome));
  }
}

void write_jsonl(std::ostream& out, const SimulationResult& result, const Workload& workload) {
  const std::vector<std::string> ids = quoted_ids(workload, json_text);
  const std::vector<std::string> nodes = quoted_nodes(result, json_text);
  for (const TaskRecord& task : result.trace) {
    out << fmt::format(
        R"({{"job":{},"kind":"{}","task":{},"attempt":{},"node":{},"slot":{},"start_ms":{},"end_ms":{},"outcome":"{}"}})"
        "\n",
        ids[task.job], kind_name(task.kind), task.task, task.attempt, nodes[task.node], task.slot,
        to_ms(task.start), to_ms(task.end), outcome_name(task.outcome));
  }
}

}  // namespace

void write_trace(const std::filesystem::path& path, const SimulationResult& result,
                 const Workload& workload) {
  check_records_name(path);
  write_file(path, [&](std::ostream& out) {
    if (path.extension() == ".csv") {
      write_csv(out, result, workload);
    } else {
      write_jsonl(out, result, workload);
    }
  });
}

}  // namespace wavewright
