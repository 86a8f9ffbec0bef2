// The text formats of format_conversion.h.
#include <algorithm>
#include <charconv>
#include <numeric>
#include <ostream>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/job/conversion_losses.h"
#include "wavewright/job/format_conversion.h"
#include "wavewright/job/line_reader.h"
#include "wavewright/job/validator.h"

namespace wavewright {

namespace {

// Reads whole numbers separated by any white space.
class NumberReader {
 public:
  explicit NumberReader(const std::filesystem::path& path) : lines_(path) {}

  // Throws InputError if there is none or it is above `most`; `what` is its name for errors.
  [[nodiscard]] std::int64_t next(const char* what, std::int64_t most) {
    if (!skip_space()) refuse(fmt::format("the file ends where {} should stand", what));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    const auto length = static_cast<std::size_t>(end - rest_.data());
    const bool whole = length == rest_.size() || rest_[length] == ' ' || rest_[length] == '\t';
    if (error == std::errc::result_out_of_range ||
        (error == std::errc{} && whole && (value < 0 || value > most))) {
      refuse(fmt::format("{} is not from 0 to {}", what, most));
    }
    if (error != std::errc{} || !whole) {
      refuse(fmt::format("'{}' stands where {} should",
                         rest_.substr(0, std::min<std::size_t>(20, rest_.find(' '))), what));
    }
    rest_.remove_prefix(length);
    return value;
  }
  [[nodiscard]] bool at_end() { return !skip_space(); }
  [[nodiscard]] std::int64_t line() const { return lines_.line(); }
  [[nodiscard]] const std::string& source() const { return lines_.source(); }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError({lines_.source(), lines_.line()}, what,
                     "see docs/formats/workload-file.md for the text formats");
  }

 private:
  bool skip_space() {
    for (;;) {
      const auto start = rest_.find_first_not_of(" \t");
      if (start != std::string_view::npos) {
        rest_.remove_prefix(start);
        return true;
      }
      const auto line = lines_.next();
      if (!line) return false;
      rest_ = *line;
    }
  }

  LineReader lines_;
  std::string_view rest_;
};

constexpr Count most_slots = 1'000'000'000;

Count read_header(NumberReader& in, Conversion& result) {
  const Count jobs = in.next("the number of jobs", most_tasks());
  result.map_slots = in.next("the number of map slots", most_slots);
  result.reduce_slots = in.next("the number of reduce slots", most_slots);
  if (jobs == 0) in.refuse("holds no job");
  return jobs;
}

Conversion finished(NumberReader& in, Conversion result) {
  if (!in.at_end()) in.refuse("there is more than the first line's number of jobs");
  result.kept.push_back(fmt::format("{} jobs with every task duration", result.workload.jobs.size()));
  result.dropped.push_back(
      fmt::format("the slots of the first line ({} + {}); name them to plan and simulate", result.map_slots,
                  result.reduce_slots));
  return result;
}

// Fields of the workload that these formats lack.
std::vector<std::string> losses(const Workload& workload) {
  std::vector<std::string> lost = fields_lost(workload, {});
  lost.emplace_back("ids: jobs are numbered by their line");
  return lost;
}

void write_durations(std::ostream& out, const std::vector<Duration>& durations) {
  std::string line;
  for (const Duration duration : durations) {
    if (!line.empty()) line += ' ';
    const fmt::format_int digits(to_ms(duration));
    line.append(digits.data(), digits.size());
  }
  out << line << '\n';
}

std::int64_t mean_ms(const std::vector<Duration>& durations, bool& differ) {
  if (durations.empty()) return 0;
  const auto sum = std::accumulate(durations.begin(), durations.end(), Duration{});
  differ = differ ||
           std::any_of(durations.begin(), durations.end(), [&](Duration d) { return d != durations[0]; });
  const auto count = static_cast<std::int64_t>(durations.size());
  return (to_ms(sum) + count / 2) / count;
}

}  // namespace

Conversion read_text(const std::filesystem::path& path) {
  NumberReader in(path);
  Conversion result;
  const Count jobs = read_header(in, result);
  WorkloadValidator validator(in.source());
  const std::int64_t longest = to_ms(longest_duration);
  for (Count i = 0; i < jobs; ++i) {
    Job job;
    job.id = fmt::format("J{}", i + 1);
    job.submit = at_ms(in.next("a submission time", longest));
    const Count maps = in.next("a number of maps", most_tasks_of_job);
    const Count reduces = in.next("a number of reduces", most_tasks_of_job);
    // Not reserved: the file may have fewer numbers than the counts claim.
    for (Count task = 0; task < maps; ++task) job.maps.push_back(ms(in.next("a map duration", longest)));
    for (Count task = 0; task < reduces; ++task) {
      job.reduces.push_back(ms(in.next("a reduce duration", longest)));
    }
    validator.add(job, in.line());
    result.workload.jobs.push_back(std::move(job));
  }
  return finished(in, std::move(result));
}

Conversion read_short_text(const std::filesystem::path& path, Count most) {
  NumberReader in(path);
  Conversion result;
  const Count jobs = read_header(in, result);
  WorkloadValidator validator(in.source());
  const std::int64_t longest = to_ms(longest_duration);
  for (Count i = 0; i < jobs; ++i) {
    Job job;
    job.id = fmt::format("J{}", i + 1);
    const Count maps = in.next("a number of maps", most_tasks_of_job);
    const Duration map = ms(in.next("a map duration", longest));
    const Count reduces = in.next("a number of reduces", most_tasks_of_job);
    const Duration reduce = ms(in.next("a reduce duration", longest));
    if (validator.tasks() + maps + reduces > most) in.refuse(too_many_tasks(most));
    job.maps.assign(static_cast<std::size_t>(maps), map);
    job.reduces.assign(static_cast<std::size_t>(reduces), reduce);
    validator.add(job, in.line());
    result.workload.jobs.push_back(std::move(job));
  }
  result.imputed.emplace_back("submission at 0 for every job");
  return finished(in, std::move(result));
}

std::vector<std::string> write_text(std::ostream& out, const Workload& workload, TextWriter header) {
  out << fmt::format("{} {} {}\n", workload.jobs.size(), header.map_slots, header.reduce_slots);
  for (const std::size_t position : by_submission(workload)) {
    const Job& job = workload.jobs[position];
    out << fmt::format("{} {} {}\n", to_ms(job.submit), job.maps.size(), job.reduces.size());
    write_durations(out, job.maps);
    write_durations(out, job.reduces);
  }
  return losses(workload);
}

std::vector<std::string> write_short_text(std::ostream& out, const Workload& workload, TextWriter header) {
  out << fmt::format("{} {} {}\n", workload.jobs.size(), header.map_slots, header.reduce_slots);
  bool differ = false;
  bool later = false;
  for (const std::size_t position : by_submission(workload)) {
    const Job& job = workload.jobs[position];
    out << fmt::format("{} {} {} {}\n", job.maps.size(), mean_ms(job.maps, differ), job.reduces.size(),
                       mean_ms(job.reduces, differ));
    later = later || job.submit > Time{};
  }
  std::vector<std::string> lost = losses(workload);
  if (differ) lost.emplace_back("single durations: each stage's mean is written");
  if (later) lost.emplace_back("submission times");
  return lost;
}

}  // namespace wavewright
