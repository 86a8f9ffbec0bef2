// Implements write_rumen (trace_export.h).
#include <algorithm>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "wavewright/history/trace_export.h"
#include "wavewright/history/trace_layout.h"
#include "wavewright/job/conversion_losses.h"

namespace wavewright {

namespace {

constexpr Time origin = at_ms(1000);  // 0 means no instant

// A task's part of the job's bytes; the remainder goes to the first tasks; -1 if unknown.
std::int64_t share(const std::optional<Bytes>& total, std::size_t tasks, std::size_t task) {
  if (!total) return -1;
  const auto count = static_cast<std::int64_t>(tasks);
  return total->count / count + (static_cast<std::int64_t>(task) < total->count % count ? 1 : 0);
}

// Hosts without a rack are in Hadoop's default one.
std::string locations(const Job& job, std::size_t map) {
  std::string list;
  if (job.splits.empty()) return list;
  for (const std::string& host : job.splits[map]) {
    list += fmt::format("{}{{\"layers\":[\"default-rack\",{}]}}", list.empty() ? "" : ",", json_quoted(host));
  }
  return list;
}

struct TaskText {
  std::string id;  // behind `task_` and `attempt_`
  const char* type;
  Time start, finish;
  std::string host;
  std::int64_t read = -1, written = -1, shuffled = -1;  // bytes
  std::int64_t shuffle_finish = -1;
  std::string locations = {};
};

void write_task(std::ostream& out, const TaskText& task) {
  const std::int64_t start = to_ms(task.start);
  const std::int64_t finish = to_ms(task.finish);
  out << fmt::format(
      R"({{"taskID":"task_{0}","taskType":"{1}","taskStatus":"SUCCESS","startTime":{2},"finishTime":{3},)"
      R"("attempts":[{{"attemptID":"attempt_{0}_0","result":"SUCCESS","startTime":{2},"finishTime":{3},)"
      R"("hostName":{4},"hdfsBytesRead":{5},"hdfsBytesWritten":{6},"reduceShuffleBytes":{7},)"
      R"("shuffleFinished":{8},"sortFinished":{8}}}],"preferredLocations":[{9}]}})",
      task.id, task.type, start, finish, json_quoted(task.host), task.read, task.written, task.shuffled,
      task.shuffle_finish, task.locations);
}

void write_tasks(std::ostream& out, const TraceLayout& layout, const std::string& number) {
  const Job& job = *layout.job;
  out << R"("mapTasks":[)";
  for (std::size_t i = 0; i < job.maps.size(); ++i) {
    if (i > 0) out << ',';
    TaskText task{fmt::format("{}_m_{:06}", number, i), "MAP", layout.submit, layout.map_finish(i),
                  host_of_map(job, i)};
    task.read = share(job.input, job.maps.size(), i);
    if (job.reduces.empty()) task.written = share(job.output, job.maps.size(), i);
    task.locations = locations(job, i);
    write_task(out, task);
  }
  out << R"(],"reduceTasks":[)";
  for (std::size_t i = 0; i < job.reduces.size(); ++i) {
    if (i > 0) out << ',';
    const ReduceSpan span = layout.reduce(i);
    TaskText task{fmt::format("{}_r_{:06}", number, i), "REDUCE", span.start, span.finish,
                  "/default-rack/node1"};
    task.shuffled = share(job.shuffled, job.reduces.size(), i);
    task.written = share(job.output, job.reduces.size(), i);
    if (layout.tells_shuffle) task.shuffle_finish = to_ms(span.shuffled);
    write_task(out, task);
  }
  out << R"(],"otherTasks":[],"jobProperties":{}})" << '\n';
}

void write_job(std::ostream& out, const Job& job, const std::string& id) {
  const TraceLayout layout = lay_out(job, origin);
  out << fmt::format(R"({{"jobID":"{}","heapMegabytes":-1,)", id);
  if (!job.user.empty()) out << fmt::format(R"("user":{},)", json_quoted(job.user));
  if (!job.name.empty()) out << fmt::format(R"("jobName":{},)", json_quoted(job.name));
  out << fmt::format(
      R"("queue":{},"submitTime":{},"launchTime":{},"finishTime":{},"totalMaps":{},"totalReduces":{},)"
      R"("outcome":"SUCCESS","jobtype":"JAVA","priority":"NORMAL","directDependantJobs":[],)",
      json_quoted(job.queue.empty() ? "default" : job.queue), to_ms(layout.submit), to_ms(layout.submit),
      to_ms(layout.finish), job.maps.size(), job.reduces.size());
  write_tasks(out, layout, id.substr(4));
}

bool lost_bytes(const Job& job) {
  return (job.input && job.maps.empty()) || (job.shuffled && job.reduces.empty()) ||
         (job.output && job.maps.empty() && job.reduces.empty());
}

void explain(const Workload& workload, ExportReport& report) {
  const auto jobs_that = [&](auto has) {
    return std::count_if(workload.jobs.begin(), workload.jobs.end(), has);
  };
  report.kept.push_back(fmt::format(
      "{} jobs: name, user, queue, submission, every task's duration, a shuffle, bytes, hosts of splits",
      workload.jobs.size()));
  report.dropped = fields_lost(workload, {JobField::names, JobField::users_and_queues, JobField::shuffles,
                                          JobField::bytes, JobField::splits});
  if (const auto jobs =
          jobs_that([](const Job& job) { return !job.first_shuffles.empty() && !job.shuffles.empty(); })) {
    report.dropped.push_back(
        fmt::format("shuffles of later waves of {} jobs: a trace tells one shuffle a reduce", jobs));
  }
  if (const auto jobs = jobs_that(lost_bytes)) {
    report.dropped.push_back(fmt::format("bytes of {} jobs without the tasks that would tell them", jobs));
  }
}

}  // namespace

ExportReport write_rumen(std::ostream& out, const Workload& workload) {
  const std::vector<std::string> ids = hadoop_ids(workload);
  for (const std::size_t position : by_submission(workload)) {
    write_job(out, workload.jobs[position], ids[position]);
  }
  ExportReport report;
  explain(workload, report);
  report.imputed = trace_imputations(workload, ids);
  return report;
}

}  // namespace wavewright
