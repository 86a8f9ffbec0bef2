#include "wavewright/job/generators.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/job/generator_parts.h"
#include "wavewright/job/validator.h"

namespace wavewright {

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& value, const std::string& wanted) {
  throw UsageError(fmt::format("parameter {}={}: not {}", name, value, wanted),
                   "'wavewright workload gen --list' shows every parameter");
}

}  // namespace

const std::string& GeneratorInput::value(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end())
    throw InternalError("a generator asks for '" + name + "', which it does not declare");
  return found->second;
}

// The most jobs that a generator makes. A job takes some hundred bytes, so these take tens of GiB.
constexpr Count most_count = 100'000'000;

Count GeneratorInput::count(const std::string& name, Count least) const {
  const std::string& text = value(name);
  Count result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc{} || end != text.data() + text.size() || result < least || result > most_count) {
    refuse(name, text, fmt::format("a whole number from {} to {}", least, most_count));
  }
  return result;
}

double GeneratorInput::number(const std::string& name) const {
  const std::string& text = value(name);
  double result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(result) || result < 0) {
    refuse(name, text, "a number from 0");
  }
  return result;
}

Distribution GeneratorInput::distribution(const std::string& name) const {
  try {
    return parse_distribution(value(name));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("parameter {}: {}", name, error.problem()), error.remedy());
  }
}

std::string GeneratorInput::choice(const std::string& name, const std::vector<std::string>& of) const {
  const std::string& text = value(name);
  if (std::find(of.begin(), of.end(), text) == of.end()) {
    throw UsageError(fmt::format("parameter {}={} is unknown", name, text), suggestion(text, of));
  }
  return text;
}

std::span<const JobBin> facebook_bins() {
  static constexpr std::array bins = {
      JobBin{"Select", 1, 0, 38},       JobBin{"Text search", 2, 0, 16},
      JobBin{"Aggregation", 10, 3, 14}, JobBin{"Select", 50, 0, 8},
      JobBin{"Text search", 100, 0, 6}, JobBin{"Aggregation", 200, 50, 6},
      JobBin{"Select", 400, 0, 4},      JobBin{"Aggregation", 800, 180, 4},
      JobBin{"Join", 2400, 360, 2},     JobBin{"Text search", 4800, 0, 2},
  };
  return bins;
}

std::vector<JobBin> mix_of(std::span<const JobBin> bins, Count jobs, Random& random) {
  Count shares = 0;
  for (const JobBin& bin : bins) shares += bin.jobs;
  std::vector<Count> counts;
  for (const JobBin& bin : bins) counts.push_back(jobs * bin.jobs / shares);
  std::vector<std::size_t> order(bins.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return jobs * bins[a].jobs % shares > jobs * bins[b].jobs % shares;
  });
  const Count missing = jobs - std::accumulate(counts.begin(), counts.end(), Count{0});
  for (std::size_t i = 0; i < static_cast<std::size_t>(missing); ++i) ++counts[order[i]];
  Count total = 0;
  for (std::size_t i = 0; i < bins.size(); ++i)
    count_tasks(total, counts[i] * (bins[i].maps + bins[i].reduces));
  std::vector<JobBin> mix;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    mix.insert(mix.end(), static_cast<std::size_t>(counts[i]), bins[i]);
  }
  random.shuffle(std::span(mix));
  return mix;
}

std::vector<JobBin> facebook_mix(Count jobs, Random& random) {
  return mix_of(facebook_bins(), jobs, random);
}

Time Arrivals::next() {
  now_ += random_.exponential(mean_);
  if (!(now_ < static_cast<double>(to_ms(longest_duration)))) {
    throw UsageError("jobs would arrive later than 2^48 ms", "take a smaller mean_gap_ms");
  }
  return at_ms(std::llround(now_));
}

Job numbered_job(Count number, Time submit) {
  Job job;
  job.id = fmt::format("J{}", number);
  job.submit = submit;
  return job;
}

void count_tasks(Count& total, Count count) {
  total += count;
  if (total > most_tasks()) {
    throw UsageError("that makes " + too_many_tasks(most_tasks()), "ask for fewer jobs");
  }
}

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all = [] {
    std::vector<Generator> list = hp_generators();
    for (Generator& each : stream_generators()) list.push_back(std::move(each));
    for (Generator& each : unl_generators()) list.push_back(std::move(each));
    for (Generator& each : energy_generators()) list.push_back(std::move(each));
    return list;
  }();
  return all;
}

const Generator& generator(std::string_view name) {
  std::vector<std::string> names;
  for (const Generator& each : generators()) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  throw UsageError(fmt::format("unknown workload '{}'", name), suggestion(name, names));
}

Workload generate(const Generator& generator, std::uint64_t seed,
                  const std::map<std::string, std::string>& settings) {
  std::map<std::string, std::string> values;
  std::vector<std::string> names;
  for (const GeneratorParameter& parameter : generator.parameters) {
    values[parameter.name] = parameter.default_value;
    names.push_back(parameter.name);
  }
  for (const auto& [name, text] : settings) {
    if (!values.contains(name)) {
      throw UsageError(fmt::format("'{}' has no parameter '{}'", generator.name, name),
                       suggestion(name, names));
    }
    values[name] = text;
  }
  Workload workload = generator.make(GeneratorInput(seed, std::move(values)));
  check(workload, generator.name);
  return workload;
}

}  // namespace wavewright
