// Implements write_sls (trace_export.h).
#include <algorithm>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "wavewright/history/trace_export.h"
#include "wavewright/history/trace_layout.h"
#include "wavewright/job/conversion_losses.h"

namespace wavewright {

namespace {

struct Container {
  const char* type;
  int priority;  // as a MapReduce application master requests: maps 20, reduces 10
  std::string host;
  Time start, end;
  std::optional<Bytes> memory;
};

// As Hadoop 3 names it, in MiB; nothing if the size is the cluster's default.
std::string memory_member(const char* prefix, const std::optional<Bytes>& memory) {
  return memory ? fmt::format(R"("{}.memory-mb":{},)", prefix, memory->count >> 20) : std::string();
}

void write_container(std::ostream& out, bool first, const Container& container) {
  out << fmt::format(R"({}{{"container.host":{},"container.start.ms":{},"container.end.ms":{},)"
                     R"({}"container.priority":{},"container.type":"{}"}})",
                     first ? "" : ",", json_quoted(container.host), to_ms(container.start),
                     to_ms(container.end), memory_member("container", container.memory), container.priority,
                     container.type);
}

void write_job(std::ostream& out, const Job& job, const std::string& id) {
  const TraceLayout layout = lay_out(job, Time{});
  out << fmt::format(
      R"({{"am.type":"mapreduce","job.start.ms":{},"job.end.ms":{},"job.queue.name":{},"job.id":"{}",)",
      to_ms(layout.submit), to_ms(layout.finish), json_quoted(job.queue.empty() ? "default" : job.queue), id);
  if (!job.user.empty()) out << fmt::format(R"("job.user":{},)", json_quoted(job.user));
  out << memory_member("am", job.memory.master);
  out << R"("job.tasks":[)";
  for (std::size_t i = 0; i < job.maps.size(); ++i) {
    write_container(out, i == 0,
                    {"map", 20, host_of_map(job, i), layout.submit, layout.map_finish(i), job.memory.map});
  }
  for (std::size_t i = 0; i < job.reduces.size(); ++i) {
    const ReduceSpan span = layout.reduce(i);
    write_container(out, i == 0 && job.maps.empty(),
                    {"reduce", 10, "/default-rack/node1", span.start, span.finish, job.memory.reduce});
  }
  out << "]}\n";
}

bool without_tasks(const Job& job) {
  return job.maps.empty() && job.reduces.empty();
}

}  // namespace

ExportReport write_sls(std::ostream& out, const Workload& workload) {
  const std::vector<std::string> ids = hadoop_ids(workload);
  for (const std::size_t position : by_submission(workload)) {
    const Job& job = workload.jobs[position];
    if (!without_tasks(job)) write_job(out, job, ids[position]);
  }
  const auto jobs_that = [&](auto has) {
    return std::count_if(workload.jobs.begin(), workload.jobs.end(), has);
  };
  const auto empty = jobs_that(without_tasks);
  ExportReport report;
  report.kept.push_back(
      fmt::format("{} jobs: user, queue, submission, every task's duration, containers' memory",
                  static_cast<std::int64_t>(workload.jobs.size()) - empty));
  if (empty > 0) report.dropped.push_back(fmt::format("{} jobs without tasks", empty));
  const std::vector<std::string> fields =
      fields_lost(workload, {JobField::users_and_queues, JobField::shuffles, JobField::memory});
  report.dropped.insert(report.dropped.end(), fields.begin(), fields.end());
  if (const auto jobs =
          jobs_that([](const Job& job) { return !job.first_shuffles.empty() || !job.shuffles.empty(); })) {
    report.dropped.push_back(
        fmt::format("shuffles of {} jobs as such: the first one is added to its reduce", jobs));
  }
  report.imputed = trace_imputations(workload, ids);
  return report;
}

}  // namespace wavewright
