#include "wavewright/sim/output/trace_file.h"

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

// Quotes ids and names once per job and node, not once per task.
class Rows : public TaskSink {
 public:
  using Quote = std::string (*)(const std::string&);
  Rows(std::ostream& out, const Workload& workload, Quote quote) : out_(out), quote_(quote) {
    ids_.reserve(workload.jobs.size());
    for (const Job& job : workload.jobs) ids_.push_back(quote(job.id));
  }
  // The one node of a flat pool is called `pool`.
  void begin(const std::vector<std::string>& nodes) override {
    for (const std::string& node : nodes) nodes_.push_back(quote_(node));
    if (nodes.empty()) nodes_.push_back(quote_("pool"));
  }

 protected:
  std::ostream& out_;
  Quote quote_;
  std::vector<std::string> ids_, nodes_;
};

class CsvRows final : public Rows {
 public:
  CsvRows(std::ostream& out, const Workload& workload) : Rows(out, workload, csv_field) {
    out << "job,kind,task,attempt,node,slot,start_ms,end_ms,outcome\n";
  }
  void add(const TaskRecord& task) override {
    out_ << fmt::format("{},{},{},{},{},{},{},{},{}\n", ids_[task.job], name_of(task.kind), task.task,
                        task.attempt, nodes_[task.node], task.slot, to_ms(task.start), to_ms(task.end),
                        name_of(task.outcome));
  }
};

class JsonRows final : public Rows {
 public:
  JsonRows(std::ostream& out, const Workload& workload) : Rows(out, workload, json_text) {}
  void add(const TaskRecord& task) override {
    out_ << fmt::format(
        R"({{"job":{},"kind":"{}","task":{},"attempt":{},"node":{},"slot":{},"start_ms":{},"end_ms":{},"outcome":"{}"}})"
        "\n",
        ids_[task.job], name_of(task.kind), task.task, task.attempt, nodes_[task.node], task.slot,
        to_ms(task.start), to_ms(task.end), name_of(task.outcome));
  }
};

}  // namespace

void write_trace(const std::filesystem::path& path, const Workload& workload,
                 const std::function<void(TaskSink&)>& simulate) {
  check_records_name(path);
  write_file(path, [&](std::ostream& out) {
    if (path.extension() == ".csv") {
      CsvRows rows(out, workload);
      simulate(rows);
    } else {
      JsonRows rows(out, workload);
      simulate(rows);
    }
  });
}

void write_trace(const std::filesystem::path& path, const SimulationResult& result,
                 const Workload& workload) {
  write_trace(path, workload, [&](TaskSink& rows) {
    rows.begin(result.nodes);
    for (const TaskRecord& task : result.trace) rows.add(task);
  });
}

}  // namespace wavewright
