// UNL's workloads. For schedulers of locality: sizes of its table 4.4 that are run, exponential gaps, and
// blocks that are spread evenly over the nodes [UNL §4.4.1]. For real-time schedulers: the bins of its tables
// 5.5 to 5.7, with deadlines [UNL §5.3.2].
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/job/generator_parts.h"

namespace wavewright {

namespace {

constexpr std::size_t bins_that_are_run = 6;  // of up to 300 maps

// The nodes of each block's replicas. Every replica goes to one of the nodes that hold fewest blocks and not
// this one, so in the end the numbers of blocks differ by one.
std::vector<std::vector<std::string>> placed_blocks(Count blocks, Count replicas, Count nodes,
                                                    Random& random) {
  if (replicas > nodes)
    throw UsageError(fmt::format("{} replicas of a block on {} nodes", replicas, nodes),
                     "take fewer replicas");
  std::vector<Count> held(static_cast<std::size_t>(nodes), 0);
  std::vector<std::vector<std::string>> placed(static_cast<std::size_t>(blocks));
  for (std::vector<std::string>& block : placed) {
    std::vector<bool> has_it(held.size(), false);
    for (Count replica = 0; replica < replicas; ++replica) {
      std::vector<std::size_t> emptiest;
      for (std::size_t node = 0; node < held.size(); ++node) {
        if (has_it[node]) continue;
        if (!emptiest.empty() && held[node] < held[emptiest.front()]) emptiest.clear();
        if (emptiest.empty() || held[node] == held[emptiest.front()]) emptiest.push_back(node);
      }
      const std::size_t node = emptiest[random.below(emptiest.size())];
      has_it[node] = true;
      ++held[node];
      block.push_back(fmt::format("node{}", node + 1));
    }
  }
  return placed;
}

Workload locality_stream(const GeneratorInput& input) {
  const Distribution map_time = input.distribution("map");
  Random places(input.seed(), "blocks");
  const auto blocks =
      placed_blocks(input.count("blocks", 1), input.count("replicas", 1), input.count("nodes", 1), places);
  Random order(input.seed(), "order");
  Arrivals arrivals(input.number("mean_gap_ms"), input.seed());
  Workload workload;
  for (const JobBin& bin : mix_of(facebook_bins().first(bins_that_are_run), input.count("jobs", 1), order)) {
    const auto number = static_cast<std::uint64_t>(workload.jobs.size());
    Random random(input.seed(), "job", number);
    Job job = numbered_job(static_cast<Count>(number) + 1, arrivals.next());
    job.maps = draw(map_time, bin.maps, random);
    Random reads(input.seed(), "reads", number);
    for (Count map = 0; map < bin.maps; ++map) job.splits.push_back(blocks[reads.below(blocks.size())]);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

struct Range {
  Count least, most;

  [[nodiscard]] Count draw(Random& random) const { return random.integer(least, most); }
};
struct DeadlineBin {
  const char* type;
  Range maps, reduces, deadline_s;
  Count jobs;
};
// Tables 5.5 and 5.6; table 5.7.
constexpr std::array<DeadlineBin, 6> first_bins = {{{"1", {1, 1}, {1, 5}, {200, 300}, 38},
                                                    {"2", {2, 2}, {1, 5}, {200, 300}, 16},
                                                    {"3", {10, 10}, {5, 10}, {300, 400}, 14},
                                                    {"4", {50, 50}, {10, 20}, {500, 800}, 8},
                                                    {"5", {100, 100}, {20, 30}, {1000, 1500}, 6},
                                                    {"6", {200, 200}, {30, 30}, {2000, 2500}, 6}}};
constexpr std::array<DeadlineBin, 5> second_bins = {{{"1", {1, 10}, {1, 5}, {200, 300}, 9},
                                                     {"2", {10, 50}, {5, 10}, {300, 500}, 24},
                                                     {"3", {50, 100}, {15, 30}, {1000, 1500}, 25},
                                                     {"4", {100, 200}, {25, 50}, {1500, 2500}, 18},
                                                     {"5", {200, 300}, {35, 70}, {2500, 3500}, 13}}};

// All ranges are drawn uniformly, deadlines in whole seconds.
Workload deadline_stream(std::span<const DeadlineBin> bins, const GeneratorInput& input) {
  const Distribution map_time = input.distribution("map"), reduce_time = input.distribution("reduce");
  const double factor = input.number("deadlines");
  Random order(input.seed(), "order");
  Arrivals arrivals(input.number("mean_gap_ms"), input.seed());
  std::vector<JobBin> mix;
  for (const DeadlineBin& bin : bins) mix.push_back({bin.type, bin.maps.most, bin.reduces.most, bin.jobs});
  Workload workload;
  for (const JobBin& each : mix_of(mix, input.count("jobs", 1), order)) {
    const auto number = static_cast<std::uint64_t>(workload.jobs.size());
    const DeadlineBin& bin =
        *std::find_if(bins.begin(), bins.end(), [&](const auto& one) { return one.type == each.type; });
    Random sizes(input.seed(), "sizes", number), random(input.seed(), "job", number);
    Job job = numbered_job(static_cast<Count>(number) + 1, arrivals.next());
    const Count maps = bin.maps.draw(sizes), reduces = bin.reduces.draw(sizes);
    const double relative = factor * 1000 * static_cast<double>(bin.deadline_s.draw(sizes));
    if (!(relative < static_cast<double>(to_ms(longest_duration))))
      throw UsageError("deadlines would be later than 2^48 ms", "take a smaller factor");
    job.name = fmt::format("bin {}", bin.type);
    job.deadline = job.submit + ms(std::llround(relative));
    job.maps = draw(map_time, maps, random);
    job.reduces = draw(reduce_time, reduces, random);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

Generator deadline_generator(std::string name, std::string description, std::string source, std::string jobs,
                             std::span<const DeadlineBin> bins) {
  return {std::move(name),
          std::move(description),
          std::move(source),
          {{"jobs", std::move(jobs), "number of jobs; sizes in the shares of the bins"},
           {"mean_gap_ms", "14000", "mean of the exponential gaps between arrivals"},
           {"deadlines", "1", "deadlines, from submission, times this"},
           {"map", "lognormal(9.0987,0.4724)", "map duration in ms: 10 s on average, deviation a half"},
           {"reduce", "lognormal(9.7919,0.4724)", "reduce duration in ms: 20 s, deviation a half"}},
          [bins](const GeneratorInput& input) { return deadline_stream(bins, input); }};
}

}  // namespace

std::vector<Generator> unl_generators() {
  return {
      {"unl-locality",
       "maps of blocks that lie on node1, node2, …; UNL prints no task times, so theirs is assumed",
       "UNL §4.4.1, table 4.4",
       {{"jobs", "88", "number of jobs; sizes in the shares of the first six bins"},
        {"mean_gap_ms", "14000", "mean of the exponential gaps between arrivals"},
        {"nodes", "30", "nodes that hold the blocks"},
        {"blocks", "100", "each map reads one of them, all equally likely"},
        {"replicas", "2", "of a block"},
        {"map", "uniform(8000,12000)", "map duration in ms on a node with its block"}},
       locality_stream},
      deadline_generator("unl-deadlines-1",
                         "mostly small jobs with deadlines; UNL prints no task times, so theirs are assumed",
                         "UNL §5.3.2, tables 5.5 and 5.6", "88", first_bins),
      deadline_generator("unl-deadlines-2", "jobs of about 100 maps with deadlines; task times are assumed",
                         "UNL §5.3.2, table 5.7", "89", second_bins)};
}

}  // namespace wavewright
