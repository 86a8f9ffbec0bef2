// UNL's workload for schedulers of locality: sizes of its table 4.4 that are run, exponential gaps, and
// blocks that are spread evenly over the nodes [UNL §4.4.1].
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

}  // namespace

std::vector<Generator> unl_generators() {
  return {{"unl-locality",
           "maps of blocks that lie on node1, node2, …; UNL prints no task times, so theirs is assumed",
           "UNL §4.4.1, table 4.4",
           {{"jobs", "88", "number of jobs; sizes in the shares of the first six bins"},
            {"mean_gap_ms", "14000", "mean of the exponential gaps between arrivals"},
            {"nodes", "30", "nodes that hold the blocks"},
            {"blocks", "100", "each map reads one of them, all equally likely"},
            {"replicas", "2", "of a block"},
            {"map", "uniform(8000,12000)", "map duration in ms on a node with its block"}},
           locality_stream}};
}

}  // namespace wavewright
