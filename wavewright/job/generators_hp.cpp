// HP's five workloads [HP §IV-A, table I]: batches with all jobs submitted at time 0.
//
// Interpretations (papers.md): normal draws are redrawn until positive, which moves N(154, 558) to a mean of
// 506; `reading=variance` takes the second parameter as σ² instead. HP gives no unit of durations; seconds
// are assumed (`unit_ms`). HP does not say either whether a job's tasks are drawn one by one or share one
// duration (`durations`), nor whether maps and reduces of a job share their factor (`scale`).
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/job/generator_parts.h"
#include "wavewright/job/validator.h"

namespace wavewright {

namespace {

Distribution with_reading(Distribution distribution, const std::string& reading) {
  if (distribution.shape == Distribution::Shape::normal && reading == "variance") {
    distribution.second = std::sqrt(distribution.second);
  }
  return distribution;
}

Count draw_count(const Distribution& distribution, Random& random) {
  if (distribution.shape == Distribution::Shape::uniform) {  // both ends included
    return std::max<Count>(
        1, random.integer(std::llround(distribution.first), std::llround(distribution.second)));
  }
  const double value = draw_positive(distribution, random);
  if (value > static_cast<double>(most_tasks_of_job)) {
    throw UsageError(fmt::format("a job of more than {} tasks was drawn", most_tasks_of_job),
                     "take another distribution");
  }
  return std::max<Count>(1, std::llround(value));
}

struct JobSize {
  Count maps = 0;
  Count reduces = 0;
};

std::vector<JobSize> draw_sizes(const Distribution& maps, const Distribution& reduces, Count jobs,
                                std::uint64_t seed) {
  std::vector<JobSize> sizes;
  Count total = 0;
  for (Count i = 0; i < jobs; ++i) {
    Random random(seed, "sizes", static_cast<std::uint64_t>(i));
    const Count map_count = draw_count(maps, random);
    const Count reduce_count = draw_count(reduces, random);
    count_tasks(total, map_count + reduce_count);
    sizes.push_back({map_count, reduce_count});
  }
  return sizes;
}

// One scale factor per job, in random order.
std::vector<double> scales(const std::string& mode, Count jobs, Random& random) {
  const bool bimodal = mode == "bimodal";
  const Count small = bimodal ? std::llround(0.8 * static_cast<double>(jobs)) : 0;
  std::vector<double> factors;
  for (Count i = 0; i < jobs; ++i) {
    if (!bimodal) factors.push_back(random.uniform(1, 10));
    if (bimodal) factors.push_back(i < small ? random.uniform(1, 2) : random.uniform(8, 10));
  }
  random.shuffle(std::span(factors));
  return factors;
}

std::vector<Duration> scaled_durations(const Distribution& distribution, Count count, double factor,
                                       bool one_for_all, Random& random) {
  std::vector<Duration> durations;
  durations.reserve(static_cast<std::size_t>(count));
  const double shared = draw_positive(distribution, random);
  for (Count i = 0; i < count; ++i) {
    const double value = factor * (one_for_all || i == 0 ? shared : draw_positive(distribution, random));
    if (!(value <= static_cast<double>(to_ms(longest_duration)))) {
      throw UsageError("a duration beyond 2^48 ms was drawn", "take smaller parameters");
    }
    durations.push_back(ms(std::max<std::int64_t>(1, std::llround(value))));
  }
  return durations;
}

Workload scaled_batch(const GeneratorInput& input, const std::string& mode) {
  const std::string reading = input.choice("reading", {"deviation", "variance"});
  const bool one_for_all = input.choice("durations", {"per-task", "per-job"}) == "per-job";
  const double unit = input.number("unit_ms");
  const auto maps = with_reading(input.distribution("maps"), reading);
  const auto reduces = with_reading(input.distribution("reduces"), reading);
  const auto map_time = with_reading(input.distribution("map"), reading);
  const auto reduce_time = with_reading(input.distribution("reduce"), reading);
  const Count jobs = input.count("jobs", 1);
  Random scale_stream(input.seed(), "scale");
  const std::vector<double> factors = scales(mode, jobs, scale_stream);
  std::vector<double> reduce_factors = factors;
  if (input.choice("scale", {"per-job", "per-stage"}) == "per-stage") {
    Random reduce_stream(input.seed(), "reduce scale");
    reduce_factors = scales(mode, jobs, reduce_stream);
  }
  Workload workload;
  // Sizes are drawn before durations, so that a workload that is too large is refused early.
  const std::vector<JobSize> sizes = draw_sizes(maps, reduces, jobs, input.seed());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Random random(input.seed(), "durations", i);
    Job job = numbered_job(static_cast<Count>(i) + 1);
    job.maps = scaled_durations(map_time, sizes[i].maps, unit * factors[i], one_for_all, random);
    job.reduces =
        scaled_durations(reduce_time, sizes[i].reduces, unit * reduce_factors[i], one_for_all, random);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

Workload facebook_batch(const GeneratorInput& input) {
  const Distribution map_time = input.distribution("map");
  const Distribution reduce_time = input.distribution("reduce");
  const double block = input.number("block_bytes");
  Random order(input.seed(), "order");
  Workload workload;
  for (const JobBin& bin : facebook_mix(input.count("jobs", 1), order)) {
    const auto number = static_cast<std::uint64_t>(workload.jobs.size());
    Random random(input.seed(), "job", number);
    Job job = numbered_job(static_cast<Count>(number) + 1);
    job.name = bin.type;
    job.maps = draw(map_time, bin.maps, random);
    job.reduces = draw(reduce_time, bin.reduces, random);
    job.input = Bytes{std::llround(block * static_cast<double>(bin.maps))};
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

Generator scaled_generator(const std::string& family, const std::string& mode, const std::string& source,
                           std::array<const char*, 4> defaults) {
  const char* spread =
      mode == "bimodal" ? "80 % of jobs scaled by U[1,2], 20 % by U[8,10]" : "each job scaled by U[1,10]";
  return {fmt::format("{}-{}", family, mode),
          fmt::format("{} batch, {}", family == "m45" ? "Yahoo! M45" : "synthetic", spread),
          source,
          {{"jobs", "100", "number of jobs"},
           {"maps", defaults[0], "maps of a job"},
           {"reduces", defaults[1], "reduces of a job"},
           {"map", defaults[2], "map duration, in units"},
           {"reduce", defaults[3], "reduce duration, in units"},
           {"unit_ms", "1000", "the unit; HP prints none, seconds are assumed"},
           {"reading", "deviation", "second parameter of normal: deviation or variance"},
           {"durations", "per-task", "drawn per-task or per-job"},
           {"scale", "per-job", "a job's factor: per-job, or another one per-stage"}},
          [mode](const GeneratorInput& input) { return scaled_batch(input, mode); }};
}

}  // namespace

std::vector<Generator> hp_generators() {
  std::vector<Generator> list;
  for (const char* mode : {"unimodal", "bimodal"}) {
    list.push_back(
        scaled_generator("synthetic", mode, "HP §IV-A 3",
                         {"uniform(1,100)", "uniform(1,50)", "normal(100,1000)", "normal(200,2000)"}));
  }
  for (const char* mode : {"unimodal", "bimodal"}) {
    list.push_back(
        scaled_generator("m45", mode, "HP §IV-A 1",
                         {"normal(154,558)", "normal(19,145)", "normal(50,200)", "normal(100,300)"}));
  }
  list.push_back({"facebook",
                  "Facebook batch of October 2009 by job type",
                  "HP §IV-A 2, table I",
                  {{"jobs", "100", "number of jobs; shares as in table I"},
                   {"map", "normal(20000,5000)", "map duration in ms; not given in HP"},
                   {"reduce", "normal(60000,20000)", "reduce duration in ms; not given in HP"},
                   {"block_bytes", "67108864", "input of a map"}},
                  facebook_batch});
  return list;
}

}  // namespace wavewright
