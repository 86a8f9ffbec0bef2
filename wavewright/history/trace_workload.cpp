#include "wavewright/history/trace_workload.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/history/rumen/reader.h"
#include "wavewright/history/sls/reader.h"
#include "wavewright/history/sls/synthetic.h"
#include "wavewright/history/source/content.h"
#include "wavewright/history/text.h"
#include "wavewright/history/to_job.h"

namespace wavewright {

namespace {

// `12 times, first: …` gives 12 (history/findings.h); any other detail gives 1.
Count times_of(const std::string& detail) {
  Count times = 0;
  const auto [end, error] = std::from_chars(detail.data(), detail.data() + detail.size(), times);
  const std::string_view rest(end, static_cast<std::size_t>(detail.data() + detail.size() - end));
  return error == std::errc{} && rest.starts_with(" times") ? times : 1;
}

// Collects the diagnostics of a reader, each reason once.
class Remarks {
 public:
  void add(const Diagnostic& told) {
    if (told.severity == Diagnostic::Severity::note) return;
    if (first_.empty()) {
      first_ = told.reason + (told.detail.empty() ? "" : ": " + told.detail);
      where_ = told.where;
    }
    const Count times = times_of(told.detail);
    times_[told.reason] += times;
    if (told.reason.starts_with("job dropped")) jobs_ += times;
  }
  void leave_out(const std::string& why) {
    ++times_["a job that " + why];
    ++jobs_;
  }

  [[nodiscard]] Count jobs() const { return jobs_; }
  [[nodiscard]] std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    all.reserve(times_.size());
    for (const auto& [reason, times] : times_) {
      all.push_back(times == 1 ? reason : fmt::format("{} ({} times)", reason, times));
    }
    return all;
  }
  [[noreturn]] void refuse(const std::string& source) const {
    const std::vector<std::string> all = sentences();
    const std::string why = !first_.empty() ? first_ : all.empty() ? std::string("it is empty") : all.front();
    throw InputError(first_.empty() ? Position{source} : where_, "no job that can be used; " + why,
                     "'wavewright import' of the same file tells more");
  }

 private:
  std::map<std::string, Count> times_;
  std::string first_;
  Position where_;
  Count jobs_ = 0;  // number of jobs left out
};

const HistoryReader& reader_of(WorkloadFormat format) {
  static const rumen::TraceReader rumen_reader{};
  static const sls::TraceReader sls_reader{};
  if (format == WorkloadFormat::rumen) return rumen_reader;
  if (format == WorkloadFormat::sls) return sls_reader;
  throw InternalError("a trace that is neither Rumen's nor SLS's");
}

std::optional<Bytes> mebibytes(const JobRun& run, const char* setting) {
  const auto told = run.settings.find(setting);
  if (told == run.settings.end()) return std::nullopt;
  return Bytes{parse_integer(told->second).value_or(0) << 20};
}

// The sizes of the containers in an SLS trace. Its reader has checked them.
JobMemory memory_of(const JobRun& run) {
  return {mebibytes(run, sls::master_memory_setting), mebibytes(run, sls::map_memory_setting),
          mebibytes(run, sls::reduce_memory_setting)};
}

void explain(Conversion& made, WorkloadFormat format, Count imputed_tasks) {
  const auto jobs = made.workload.jobs.size();
  if (format == WorkloadFormat::rumen) {
    made.kept.push_back(fmt::format(
        "{} jobs: id, name, user, queue, submission, tasks, shuffles, bytes, hosts of splits", jobs));
    made.dropped.emplace_back("the date: submissions count from the first");
    made.imputed.emplace_back("the shuffle that a reduce does not tell: the mean of those that do");
  } else {
    made.kept.push_back(fmt::format("{} jobs: id, user, queue, submission, tasks, containers' memory", jobs));
    made.dropped.emplace_back("the shuffle as such: it is part of its reduce");
  }
  made.dropped.emplace_back("failed and killed attempts, hosts of attempts");
  if (imputed_tasks > 0) {
    made.imputed.push_back(fmt::format("{} tasks without times, as long as their job's mean", imputed_tasks));
  }
}

}  // namespace

std::optional<WorkloadFormat> trace_format(std::string_view first_bytes) {
  for (const WorkloadFormat format : {WorkloadFormat::rumen, WorkloadFormat::sls}) {
    if (reader_of(format).accepts(first_bytes)) return format;
  }
  if (sls::is_synthetic(first_bytes)) return WorkloadFormat::synth;
  return std::nullopt;
}

Conversion read_trace_workload(const std::filesystem::path& path, WorkloadFormat format) {
  const std::string source = path == "-" ? "standard input" : path.string();
  const std::string bytes = read_file(path == "-" ? "/dev/stdin" : path, largest_history);
  if (format == WorkloadFormat::synth) return sls::read_synthetic(bytes, source);
  Conversion made;
  Remarks remarks;
  Count imputed_tasks = 0;
  reader_of(format).read(
      bytes, source,
      [&](JobRun&& run) {
        std::string why;
        if (auto job = to_job(run, why)) {
          imputed_tasks += job->imputed_tasks;
          if (format == WorkloadFormat::sls) job->job.memory = memory_of(run);
          made.workload.jobs.push_back(std::move(job->job));
        } else {
          remarks.leave_out(why);
        }
      },
      [&](Diagnostic&& told) { remarks.add(told); });
  std::vector<Job>& jobs = made.workload.jobs;
  if (jobs.empty()) remarks.refuse(source);
  Time first = jobs.front().submit;
  for (const Job& job : jobs) first = std::min(first, job.submit);
  made.workload = to_workload(std::move(jobs));
  if (format == WorkloadFormat::sls) {
    for (Job& job : made.workload.jobs) job.submit += first.time_since_epoch();
  }
  check(made.workload, source);
  made.dropped_rows = remarks.jobs();
  made.dropped = remarks.sentences();
  explain(made, format, imputed_tasks);
  return made;
}

}  // namespace wavewright
