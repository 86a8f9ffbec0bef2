#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/job/swf.h"
#include "wavewright/job/swf_rows.h"
#include "wavewright/job/swf_sidecar.h"

namespace wavewright {

namespace {

class Assembly {
 public:
  Assembly(const std::string& source, const std::string& beside, SwfSidecar& sidecar, Count most_tasks)
      : source_(source), beside_(beside), sidecar_(sidecar), validator_(source), most_tasks_(most_tasks) {}

  void add(const std::vector<SwfRow>& rows) {
    for (const SwfRow& row : rows) {
      if (const auto kept = sidecar_.by_number.find(row.number); kept != sidecar_.by_number.end()) {
        ids_.emplace(row.number, sidecar_.jobs[kept->second].id);
        sidecar_ids_.insert(sidecar_.jobs[kept->second].id);
      }
    }
    for (const SwfRow& row : rows) {
      if (ids_.contains(row.number)) continue;
      ids_.emplace(row.number, free_id(row.number));
      count_tasks(row);
    }
    for (const SwfRow& row : rows) {
      const auto kept = sidecar_.by_number.find(row.number);
      Job job = kept != sidecar_.by_number.end() ? take(row, sidecar_.jobs[kept->second]) : impute(row);
      validator_.add(job, row.line);
      const std::size_t rank =
          kept != sidecar_.by_number.end() ? kept->second : std::numeric_limits<std::size_t>::max();
      jobs_.push_back({rank, std::move(job)});
    }
    validator_.finish();
  }

  [[nodiscard]] Conversion result(const SwfTable& table) &&;

 private:
  struct Ranked {
    std::size_t rank;  // index in the sidecar; the largest number if it has no entry
    Job job;
  };

  // Called for all rows before any job is made.
  void count_tasks(const SwfRow& row) {
    tasks_ += row.processors;
    if (tasks_ > most_tasks_) {
      throw InputError({source_, row.line}, fmt::format("more than {} processors in all", most_tasks_),
                       "read a part of the table");
    }
  }

  std::string free_id(std::int64_t number) {
    std::string id = fmt::format("{}", number);
    while (sidecar_ids_.contains(id)) id += "-row";
    return id;
  }

  Job take(const SwfRow& row, Job& kept) {
    const SwfShape shape = swf_shape(kept);
    if (row.run_ms != shape.run_s * 1000 || row.processors != shape.processors) {
      throw InputError({source_, row.line},
                       fmt::format("job {} is not job '{}' of {}: run time or processors differ", row.number,
                                   kept.id, beside_),
                       "remove the sidecar to read the table alone");
    }
    Job job = std::move(kept);
    if (row.submit_ms != shape.submit_s * 1000) {
      job.submit = at_ms(row.submit_ms);
      ++moved_;
    }
    const auto gone = std::remove_if(job.after.begin(), job.after.end(),
                                     [&](const std::string& id) { return !sidecar_ids_.contains(id); });
    lost_edges_ += job.after.end() - gone;
    job.after.erase(gone, job.after.end());
    ++from_sidecar_;
    return job;
  }

  Job impute(const SwfRow& row) {
    Job job;
    job.id = ids_.at(row.number);
    job.submit = at_ms(row.submit_ms);
    job.maps.assign(static_cast<std::size_t>(row.processors), ms(row.run_ms));
    const auto named = [](const char* what, std::int64_t number) {
      return number < 0 ? std::string() : fmt::format("{}{}", what, number);
    };
    job.name = named("app", row.executable);
    job.user = named("user", row.user);
    job.queue = named("queue", row.queue);
    think_times_ += row.think_time ? 1 : 0;
    if (row.preceding > 0) {
      const auto before = ids_.find(row.preceding);
      if (before != ids_.end() && row.preceding < row.number) {
        job.after.push_back(before->second);
      } else {
        ++lost_edges_;
      }
    }
    return job;
  }

  std::string source_;
  std::string beside_;
  SwfSidecar& sidecar_;
  WorkloadValidator validator_;
  Count most_tasks_;
  std::unordered_map<std::int64_t, std::string> ids_;  // of the kept jobs, by number
  std::unordered_set<std::string> sidecar_ids_;
  std::vector<Ranked> jobs_;
  Count tasks_ = 0, moved_ = 0, lost_edges_ = 0, think_times_ = 0, from_sidecar_ = 0;
};

Conversion Assembly::result(const SwfTable& table) && {
  Conversion made;
  const auto jobs = static_cast<Count>(jobs_.size());
  std::stable_sort(jobs_.begin(), jobs_.end(),
                   [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
  for (Ranked& each : jobs_) made.workload.jobs.push_back(std::move(each.job));
  made.dropped_rows = table.dropped.rows();
  made.dropped = table.dropped.sentences();
  if (from_sidecar_ > 0) {
    made.kept.push_back(fmt::format("{} jobs with every field, from {}", from_sidecar_, beside_));
  }
  const Count beside_only = static_cast<Count>(sidecar_.jobs.size()) - from_sidecar_;
  if (beside_only > 0)
    made.dropped.push_back(fmt::format("{} jobs of {} without a row", beside_only, beside_));
  if (moved_ > 0) {
    made.kept.push_back(
        fmt::format("the table's submission of {} jobs, which the sidecar has otherwise", moved_));
  }
  if (lost_edges_ > 0) {
    made.dropped.push_back(
        fmt::format("{} preceding jobs that are not among those kept before them", lost_edges_));
  }
  if (jobs == from_sidecar_) return made;
  made.kept.push_back(
      fmt::format("{} jobs: number, submission, run time, processors, user, executable, queue, "
                  "preceding job",
                  jobs - from_sidecar_));
  if (think_times_ > 0) made.dropped.push_back(fmt::format("think times of {} jobs", think_times_));
  made.dropped.emplace_back("wait, processor and requested times, memory, groups, partitions");
  made.imputed.push_back(
      fmt::format("{} maps: one a processor, each as long as its job ran; no reduces", tasks_));
  return made;
}

}  // namespace

std::filesystem::path swf_sidecar(const std::filesystem::path& table) {
  return table.string() + ".tasks.jsonl";
}

Conversion read_swf(const std::filesystem::path& table, const SwfOptions& options) {
  const std::filesystem::path beside = swf_sidecar(table);
  SwfSidecar sidecar;
  std::error_code ignored;
  if (table != "-" && std::filesystem::is_regular_file(beside, ignored)) sidecar = read_sidecar(beside);
  LineReader lines(table);
  const SwfTable told =
      read_swf_rows(lines, options, [&](std::int64_t number) { return sidecar.by_number.contains(number); });
  if (told.rows.empty()) {
    const std::vector<std::string> why = told.dropped.sentences();
    throw InputError({lines.source()},
                     why.empty() ? "holds no job" : "holds no job that can be used; " + why[0],
                     "a row has 18 numbers; --with-failed takes failed and cancelled jobs too");
  }
  Assembly assembly(lines.source(), beside.string(), sidecar, options.most_tasks);
  assembly.add(told.rows);
  return std::move(assembly).result(told);
}

}  // namespace wavewright
