#include "wavewright/history/sls/synthetic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/history/sls/synthetic_classes.h"
#include "wavewright/history/text.h"
#include "wavewright/job/validator.h"

namespace wavewright::sls {

namespace {

constexpr double least_memory_mb = 1024;  // Hadoop's SynthJob

std::size_t pick(const std::vector<double>& weights, Random& random) {
  double left = random.unit() * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::size_t last = 0;  // with a weight above 0; rounding may leave a rest
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return last;
}

double draw_number(const Sample& sample, Random& random) {
  if (!sample.values.empty()) return sample.values[pick(sample.weights, random)];
  return draw_positive(sample.distribution, random);
}

// Draws the jobs of one file and checks what comes out.
class SyntheticJobs {
 public:
  SyntheticJobs(const SyntheticFile& file, const std::string& source) : file_(file), source_(source) {}

  Job make(Count number) {
    Random random(file_.seed, "sls synthetic", static_cast<std::uint64_t>(number));
    const Mix& mix = file_.mixes[pick(file_.mix_weights, random)];
    Job job;
    job.submit = submission(mix, random);
    job.queue = clean_text(mix.queue);
    const JobClass& drawn = mix.classes[pick(mix.class_weights, random)];
    job.name = clean_text(drawn.name);
    job.user = clean_text(drawn.user);
    add_deadline(drawn, job, random);
    for (const TaskClass& task : drawn.tasks) add_tasks(task, job, random);
    return job;
  }

  [[nodiscard]] Count other_tasks() const { return other_; }

 private:
  [[noreturn]] void refuse(const std::string& why, const std::string& remedy) const {
    throw InputError({source_}, why, remedy);
  }

  // Uniform within the bucket [SynthTraceJobProducer]; the last bucket has no width.
  static Time submission(const Mix& mix, Random& random) {
    const std::size_t bucket = pick(mix.bucket_weights, random);
    const std::int64_t begin = mix.bucket_s[bucket];
    const std::int64_t end = bucket + 1 < mix.bucket_s.size() ? mix.bucket_s[bucket + 1] : begin;
    const std::int64_t width = std::max<std::int64_t>(0, end - begin);
    return at_ms(1000 * (begin + (width > 0 ? random.integer(0, width - 1) : 0)));
  }

  void add_deadline(const JobClass& drawn, Job& job, Random& random) const {
    const double seconds = std::round(draw_number(drawn.duration_s, random));
    const bool wanted = random.unit() < draw_number(drawn.reservation, random);
    const double factor = draw_number(drawn.deadline_factor, random);
    if (wanted) job.deadline = job.submit + ms(milliseconds(factor * seconds, "a deadline"));
  }

  [[nodiscard]] std::int64_t milliseconds(double seconds, const char* what) const {
    if (!(seconds * 1000 <= static_cast<double>(to_ms(longest_duration)) / 4)) {
      refuse(fmt::format("{} of {:.3g} s was drawn", what, seconds),
             "give smaller times; they are in seconds");
    }
    return std::llround(seconds * 1000);
  }

  void add_tasks(const TaskClass& task, Job& job, Random& random) {
    const double number = std::round(draw_number(task.count, random));
    if (task.type != "map" && task.type != "reduce") {
      other_ += number > 0 ? 1 : 0;
      return;
    }
    if (!(number <= static_cast<double>(std::min(most_tasks_of_job, most_tasks() - tasks_)))) {
      refuse("that makes " + too_many_tasks(most_tasks()), "ask for fewer jobs or tasks");
    }
    const auto count = static_cast<Count>(number);
    tasks_ += count;
    const double memory = std::clamp(std::round(draw_number(task.memory_mb, random)), least_memory_mb, 1e9);
    const bool map = task.type == "map";
    std::optional<Bytes>& size = map ? job.memory.map : job.memory.reduce;
    size = std::max(size.value_or(Bytes{}), Bytes{static_cast<std::int64_t>(memory) << 20});
    std::vector<Duration>& durations = map ? job.maps : job.reduces;
    for (Count i = 0; i < count; ++i) {
      durations.push_back(
          ms(std::max<std::int64_t>(1, milliseconds(draw_number(task.seconds, random), "a task"))));
    }
  }

  const SyntheticFile& file_;
  const std::string& source_;
  Count tasks_ = 0;
  Count other_ = 0;
};

void explain(const SyntheticFile& file, Count other, Conversion& made) {
  made.kept.push_back(
      fmt::format("{} jobs: class, user, queue, submission, tasks, containers' memory, deadline",
                  made.workload.jobs.size()));
  made.dropped.emplace_back("vcores, priorities and execution types of containers");
  if (file.nodes > 0) made.dropped.push_back(fmt::format("the cluster of {} nodes", file.nodes));
  if (other > 0)
    made.dropped.push_back(fmt::format("tasks that are neither maps nor reduces ({} times)", other));
  made.imputed.push_back(fmt::format("every number of a job: drawn by the file's rand_seed, {}",
                                     static_cast<std::int64_t>(file.seed)));
}

}  // namespace

bool is_synthetic(std::string_view first_bytes) {
  const auto first = first_bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || first_bytes[first] != '{') return false;
  return first_bytes.find("\"job_classes\"") != std::string_view::npos ||
         first_bytes.find("\"workload_weight\"") != std::string_view::npos;
}

Conversion read_synthetic(std::string_view bytes, const std::string& source) {
  json::Document document;
  const SyntheticFile file = parse_synthetic(document.parse(bytes, source), source);
  if (file.jobs > most_tasks()) {
    throw InputError({source}, fmt::format("num_jobs: more than {} jobs", most_tasks()),
                     "ask for fewer jobs");
  }
  SyntheticJobs source_of_jobs(file, source);
  Conversion made;
  std::vector<Job>& jobs = made.workload.jobs;
  for (Count i = 0; i < file.jobs; ++i) jobs.push_back(source_of_jobs.make(i));
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.submit < b.submit; });
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].id = fmt::format("{}_{:06}", jobs[i].name, i);
  check(made.workload, source);
  explain(file, source_of_jobs.other_tasks(), made);
  return made;
}

}  // namespace wavewright::sls
