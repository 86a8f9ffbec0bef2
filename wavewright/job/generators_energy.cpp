// UNL's workload for the energy-efficient scheduler: MD simulation on GPUs and loadgen, in equal shares [UNL
// §6.3.1, tables 6.6 and 6.7].
//
// Servers cpu1 to cpu6, gpu1 and gpu2. The container of a GPU is a node of its own on the same server, class
// `I-gpu` or `II-gpu`, named gpu1-device and gpu2-device; blocks lie on both.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/job/generator_parts.h"

namespace wavewright {

namespace {

constexpr std::size_t bins_in_workload = 6;  // of up to 200 maps
constexpr std::size_t servers = 8;

// Table 6.7: the reduces of a job with so many maps.
std::pair<Count, Count> reduces_of(Count maps) {
  switch (maps) {
    case 1:
      return {1, 1};
    case 2:
      return {1, 2};
    case 10:
      return {5, 10};
    case 50:
      return {10, 20};
    case 100:
      return {20, 30};
    default:
      return {30, 30};
  }
}

using Replicas = std::vector<std::string>;

// Each block lies on so many servers, drawn without repetition.
std::vector<Replicas> place_blocks(Count blocks, Count replicas, Random& random) {
  if (replicas > static_cast<Count>(servers))
    throw UsageError(fmt::format("{} replicas of a block on {} servers", replicas, servers),
                     "take fewer replicas");
  std::vector<Replicas> placed;
  for (Count block = 0; block < blocks; ++block) {
    std::vector<std::size_t> left(servers);
    for (std::size_t i = 0; i < servers; ++i) left[i] = i;
    Replicas nodes;
    for (Count replica = 0; replica < replicas; ++replica) {
      const std::size_t at = random.below(left.size());
      const std::size_t server = left[at];
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
      constexpr std::size_t cpu_servers = 6;
      const bool cpu = server < cpu_servers;
      nodes.push_back(cpu ? fmt::format("cpu{}", server + 1)
                          : fmt::format("gpu{}", server + 1 - cpu_servers));
      if (!cpu) nodes.push_back(nodes.back() + "-device");
    }
    placed.push_back(std::move(nodes));
  }
  return placed;
}

// Zipf: block k, from 1, is read as often as k^-skew says.
class ReadBlocks {
 public:
  ReadBlocks(std::size_t blocks, double skew) {
    double sum = 0;
    for (std::size_t k = 1; k <= blocks; ++k)
      cumulative_.push_back(sum += std::pow(static_cast<double>(k), -skew));
  }
  [[nodiscard]] std::size_t next(Random& random) const {
    const double at = random.unit() * cumulative_.back();
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), at);
    return std::min(static_cast<std::size_t>(found - cumulative_.begin()), cumulative_.size() - 1);
  }

 private:
  std::vector<double> cumulative_;
};

// So many tasks of about this length.
std::vector<Duration> lengths(const GeneratorInput& input, const std::string& name, Count count,
                              Random& random) {
  const double mean = input.number(name), vary = input.number("vary");
  if (vary >= 1) throw UsageError(fmt::format("vary is {}", vary), "give a share below 1");
  std::vector<Duration> drawn;
  drawn.reserve(static_cast<std::size_t>(count));
  for (Count i = 0; i < count; ++i)
    drawn.push_back(ms(std::max<std::int64_t>(1, std::llround(mean * (1 + vary * (2 * random.unit() - 1))))));
  return drawn;
}

// Speeds and factors of an MD map [UNL table 6.9], and its power where the factor is 1.
void describe_md(Job& job, const GeneratorInput& input) {
  constexpr double ms_per_kwh_w = 3.6e9;  // milliseconds that 1 W takes for a kWh
  job.classes["cpu"] = {1, 1, 1, input.number("md_kwh") * ms_per_kwh_w / input.number("md_ms")};
  job.classes["I"] = {1, 1, input.number("factor_I")};
  job.classes["I-gpu"] = {input.number("speed_I"), 1, input.number("factor_I_gpu")};
  job.classes["II"] = {1, 1, input.number("factor_II")};
  job.classes["II-gpu"] = {input.number("speed_II"), 1, input.number("factor_II_gpu")};
}

Workload energy_stream(const GeneratorInput& input) {
  Random places(input.seed(), "blocks");
  const auto blocks = place_blocks(input.count("blocks", 1), input.count("replicas", 1), places);
  const ReadBlocks reads(blocks.size(), input.number("skew"));
  const std::string md_input = input.choice("md_input", {"one-block", "block-a-map"});
  Random order(input.seed(), "order"), types(input.seed(), "types");
  Arrivals arrivals(input.number("mean_gap_ms"), input.seed());
  Workload workload;
  for (const JobBin& bin : mix_of(facebook_bins().first(bins_in_workload), input.count("jobs", 1), order)) {
    const auto number = static_cast<std::uint64_t>(workload.jobs.size());
    Random random(input.seed(), "job", number);
    Job job = numbered_job(static_cast<Count>(number) + 1, arrivals.next());
    const bool md = types.below(2) == 0;
    job.name = md ? "md" : "loadgen";
    job.maps = lengths(input, md ? "md_ms" : "loadgen_ms", bin.maps, random);
    const auto [least, most] = reduces_of(bin.maps);
    const Count reduces =
        least + static_cast<Count>(random.below(static_cast<std::uint64_t>(most - least + 1)));
    job.reduces = lengths(input, "reduce_ms", reduces, random);
    constexpr Count md_bytes = 60'000, block_bytes = 64LL << 20;
    job.input = Bytes{md ? md_bytes : block_bytes * bin.maps};
    const std::size_t first = reads.next(random);
    for (Count map = 0; map < bin.maps; ++map)
      job.splits.push_back(blocks[md && md_input == "one-block" ? first : reads.next(random)]);
    if (md) describe_md(job, input);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

}  // namespace

std::vector<Generator> energy_generators() {
  return {{"unl-energy",
           "MD simulation and loadgen for 6 CPU and 2 GPU servers; UNL prints no task times, so theirs are "
           "assumed",
           "UNL §6.3.1, tables 6.6, 6.7, 6.9",
           {{"jobs", "88", "number of jobs; sizes in the shares of the first six bins"},
            {"mean_gap_ms", "14000", "mean of the exponential gaps between arrivals"},
            {"blocks", "100", "files of one block each"},
            {"replicas", "3", "of a block, on different servers"},
            {"skew", "1", "the k-th block is read as often as k^-skew says"},
            {"md_ms", "720000", "mean of an MD map on a CPU, in ms"},
            {"loadgen_ms", "10000", "mean of a loadgen map, in ms"},
            {"reduce_ms", "20000", "mean of a reduce, in ms"},
            {"vary", "0.1", "tasks vary evenly by this share around the mean"},
            {"speed_I", "36", "of an MD map on the GPU of type I, against a CPU"},
            {"speed_II", "14.4", "of an MD map on the GPU of type II"},
            {"md_kwh", "0.0269", "of an MD map on a CPU server, without idle"},
            {"md_input", "one-block", "maps of a job read one block, or block-a-map"},
            {"factor_I", "1.23", "efficiency of an MD map on the CPU of the GPU server of type I"},
            {"factor_I_gpu", "1.41", "and on its GPU"},
            {"factor_II", "1.4", "likewise, type II"},
            {"factor_II_gpu", "1.52", "and on its GPU"}},
           energy_stream}};
}

}  // namespace wavewright
