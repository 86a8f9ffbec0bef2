#include <algorithm>
#include <numeric>
#include <ostream>
#include <unordered_map>

#include <fmt/format.h>

#include "wavewright/job/conversion_losses.h"
#include "wavewright/job/swf.h"
#include "wavewright/job/swf_sidecar.h"

namespace wavewright {

namespace {

std::int64_t seconds(std::int64_t milliseconds) {
  return (milliseconds + 500) / 1000;
}

std::int64_t sum_ms(const std::vector<Duration>& durations) {
  return to_ms(std::accumulate(durations.begin(), durations.end(), Duration{}));
}

Duration longest_of(const Job& job) {
  Duration map{};
  Duration reduce{};
  for (const Duration each : job.maps) map = std::max(map, each);
  for (std::size_t i = 0; i < job.reduces.size(); ++i) {
    reduce = std::max(reduce, job.first_shuffle(i) + job.reduces[i]);
  }
  return map + reduce;
}

// Numbers names from 1, in order of appearance; -1 for an empty name.
class Numbers {
 public:
  std::int64_t of(const std::string& name) {
    if (name.empty()) return -1;
    const auto next = static_cast<std::int64_t>(names_.size()) + 1;
    const auto [known, fresh] = numbers_.try_emplace(name, next);
    if (fresh) names_.push_back(name);
    return known->second;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::unordered_map<std::string, std::int64_t> numbers_;
  std::vector<std::string> names_;
};

struct Row {
  SwfShape shape;
  std::int64_t user = -1, executable = -1, queue = -1, preceding = -1;
};

std::string one_line(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

void write_header(std::ostream& out, const std::vector<Row>& rows, const Numbers& queues) {
  std::int64_t most = 0;
  for (const Row& row : rows) most = std::max(most, row.shape.processors);
  out << "; Version: 2.2\n"
      << "; Conversion: wavewright workload convert\n"
      << fmt::format("; MaxJobs: {0}\n; MaxRecords: {0}\n; MaxProcs: {1}\n", rows.size(), most)
      << "; Note: a batch of MapReduce jobs before it ran, each as a rigid job: processors are the tasks of\n"
      << "; Note: its widest stage, run time is longest map + longest reduce with its first shuffle\n";
  for (std::size_t i = 0; i < queues.names().size(); ++i) {
    out << fmt::format("; Queue: {} {}\n", i + 1, one_line(queues.names()[i]));
  }
}

void write_row(std::ostream& out, std::size_t number, const Row& row) {
  // Job, submit, wait, run, allocated, cpu, memory, requested processors, time, memory, status, user, group,
  // executable, queue, partition, preceding job, think time.
  out << fmt::format("{} {} -1 {} {} {} -1 {} -1 -1 1 {} -1 {} {} -1 {} -1\n", number, row.shape.submit_s,
                     row.shape.run_s, row.shape.processors, row.shape.cpu_s, row.shape.processors, row.user,
                     row.executable, row.queue, row.preceding);
}

struct Losses {
  Count rounded = 0;     // jobs whose submission or run time is not in whole seconds
  Count unordered = 0;   // jobs with an `after` that is not one earlier job
  Count task_lists = 0;  // jobs whose tasks are more than equal maps
};

bool rows_tell_tasks(const Job& job) {
  return job.reduces.empty() && std::all_of(job.maps.begin(), job.maps.end(),
                                            [&](Duration each) { return each == job.maps.front(); });
}

// Losses of a table without its sidecar.
std::vector<std::string> table_losses(const Workload& workload, const Losses& losses) {
  std::vector<std::string> lost;
  if (losses.task_lists > 0) {
    lost.push_back(
        fmt::format("single tasks, and which are maps and reduces, of {} jobs", losses.task_lists));
  }
  if (losses.rounded > 0) {
    lost.push_back(fmt::format("milliseconds of {} jobs: whole seconds are written", losses.rounded));
  }
  if (losses.unordered > 0) {
    lost.push_back(fmt::format("'after' of {} jobs that is not one job before them", losses.unordered));
  }
  lost.emplace_back("ids, and the names of jobs and users: numbers stand for them");
  std::vector<std::string> fields =
      fields_lost(workload, {JobField::names, JobField::users_and_queues, JobField::after});
  lost.insert(lost.end(), fields.begin(), fields.end());
  return lost;
}

ExportReport report(const Workload& workload, const Losses& losses, bool sidecar) {
  ExportReport told;
  told.kept.push_back(
      fmt::format("{} rows: submission, run time, processors, processor time, user, executable, queue",
                  workload.jobs.size()));
  told.imputed.emplace_back("status 1 (completed) for every job");
  std::vector<std::string> lost = table_losses(workload, losses);
  if (!sidecar) {
    told.dropped = std::move(lost);
    return told;
  }
  told.kept.emplace_back("every field of every job, in the sidecar");
  for (const std::string& each : lost) told.dropped.push_back("from the table, not the sidecar: " + each);
  return told;
}

}  // namespace

SwfShape swf_shape(const Job& job) {
  SwfShape shape;
  shape.submit_s = seconds(to_ms(job.submit));
  shape.run_s = seconds(to_ms(longest_of(job)));
  shape.processors = static_cast<std::int64_t>(std::max(job.maps.size(), job.reduces.size()));
  const std::int64_t work = sum_ms(job.maps) + sum_ms(job.reduces) + sum_ms(job.first_shuffles);
  if (shape.processors > 0) shape.cpu_s = seconds(work / shape.processors);
  return shape;
}

ExportReport write_swf(std::ostream& table, std::ostream* sidecar, const Workload& workload) {
  const std::vector<std::size_t> order = by_submission(workload);
  std::unordered_map<std::string_view, std::size_t> numbers;
  std::vector<std::size_t> number_of(workload.jobs.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    number_of[order[i]] = i + 1;
    numbers.emplace(workload.jobs[order[i]].id, i + 1);
  }
  Numbers users;
  Numbers executables;
  Numbers queues;
  Losses losses;
  std::vector<Row> rows;
  rows.reserve(order.size());
  for (const std::size_t position : order) {
    const Job& job = workload.jobs[position];
    Row row{swf_shape(job), users.of(job.user), executables.of(job.name), queues.of(job.queue)};
    if (job.after.size() == 1) {
      const auto before = numbers.find(job.after.front());
      if (before != numbers.end() && before->second < number_of[position]) {
        row.preceding = static_cast<std::int64_t>(before->second);
      }
    }
    losses.unordered += !job.after.empty() && row.preceding < 0 ? 1 : 0;
    losses.task_lists += rows_tell_tasks(job) ? 0 : 1;
    losses.rounded += to_ms(job.submit) % 1000 != 0 || to_ms(longest_of(job)) % 1000 != 0 ? 1 : 0;
    rows.push_back(row);
  }
  write_header(table, rows, queues);
  for (std::size_t i = 0; i < rows.size(); ++i) write_row(table, i + 1, rows[i]);
  if (sidecar != nullptr) {
    for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
      *sidecar << sidecar_line(workload.jobs[i], static_cast<std::int64_t>(number_of[i])) << '\n';
    }
  }
  return report(workload, losses, sidecar != nullptr);
}

}  // namespace wavewright
