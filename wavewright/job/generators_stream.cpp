// Workloads with arrivals over time: two of ORDER [ORDER §5.1], two for timing the engines.
#include "wavewright/core/error.h"
#include "wavewright/job/generator_parts.h"

namespace wavewright {

namespace {

// Sizes of table I, exponential gaps, one draw per task.
Workload facebook_stream(const GeneratorInput& input) {
  const Distribution map_time = input.distribution("map");
  const Distribution reduce_time = input.distribution("reduce");
  Random order(input.seed(), "order");
  Arrivals arrivals(input.number("mean_gap_ms"), input.seed());
  Workload workload;
  for (const JobBin& bin : facebook_mix(input.count("jobs", 1), order)) {
    const auto number = static_cast<std::uint64_t>(workload.jobs.size());
    Random random(input.seed(), "job", number);
    Job job = numbered_job(static_cast<Count>(number) + 1, arrivals.next());
    job.name = bin.type;
    job.maps = draw(map_time, bin.maps, random);
    job.reduces = draw(reduce_time, bin.reduces, random);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

// Mostly large jobs; one duration per job and stage, as in ORDER's simulator.
Workload testbed_stream(const GeneratorInput& input) {
  const Count small = input.count("small_percent");
  if (small > 100) throw UsageError("parameter small_percent is above 100", "give 0 to 100");
  const Distribution map_time = input.distribution("map");
  const Distribution reduce_time = input.distribution("reduce");
  Arrivals arrivals(input.number("mean_gap_ms"), input.seed());
  Workload workload;
  Count total = 0;
  const Count jobs = input.count("jobs", 1);
  for (Count i = 0; i < jobs; ++i) {
    Random random(input.seed(), "job", static_cast<std::uint64_t>(i));
    const bool is_small = random.integer(1, 100) <= small;
    const Count maps = is_small ? random.integer(1, 10) : random.integer(50, input.count("largest_maps", 50));
    const Count reduces = is_small ? 1 : random.integer(5, input.count("largest_reduces", 5));
    count_tasks(total, maps + reduces);
    Job job = numbered_job(i + 1, arrivals.next());
    job.maps.assign(static_cast<std::size_t>(maps), draw(map_time, random));
    job.reduces.assign(static_cast<std::size_t>(reduces), draw(reduce_time, random));
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

Generator facebook_stream_generator(std::string name, std::string description, std::string source,
                                    std::string jobs, std::string gap) {
  return {std::move(name),
          std::move(description),
          std::move(source),
          {{"jobs", std::move(jobs), "number of jobs; sizes in the shares of HP table I"},
           {"mean_gap_ms", std::move(gap), "mean of the exponential gaps between arrivals"},
           {"map", "lognormal(9.9511,1.6764)", "map duration in ms"},
           {"reduce", "lognormal(12.375,1.6262)", "reduce duration in ms"}},
          facebook_stream};
}

}  // namespace

std::vector<Generator> stream_generators() {
  return {
      facebook_stream_generator("order-facebook",
                                "Facebook stream, log-normal durations; sizes and gaps assumed, or by "
                                "'convert' from a SWIM table",
                                "ORDER §5.1", "100", "14000"),
      {"order-testbed",
       "stream of mostly large jobs; ORDER says no more, so all parameters are assumed",
       "ORDER §5.1",
       {{"jobs", "9", "number of jobs"},
        {"mean_gap_ms", "30000", "mean of the exponential gaps between arrivals"},
        {"small_percent", "20", "jobs of 1 to 10 maps and 1 reduce, in percent"},
        {"largest_maps", "200", "maps of the others: 50 to this"},
        {"largest_reduces", "20", "reduces of the others: 5 to this"},
        {"map", "normal(20000,5000)", "map duration in ms, one a job"},
        {"reduce", "normal(60000,20000)", "reduce duration in ms, one a job"}},
       testbed_stream},
      facebook_stream_generator("w1", "the smaller workload that engines are timed on (100 + 100 slots)",
                                "sizes HP table I, durations ORDER §5.1", "1000", "14000"),
      facebook_stream_generator("w2", "the larger workload that engines are timed on (1,000 + 1,000 slots)",
                                "sizes HP table I, durations ORDER §5.1", "10000", "1400"),
  };
}

}  // namespace wavewright
