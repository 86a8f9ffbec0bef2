// Generates the papers' workloads by name, from stated parameters.
//
// Parameters have defaults; each is a text such as `1000`, `lognormal(9.9511,1.6764)` or `per-task`.
// Durations are in ms. Equal name, seed, jobs and settings give an equal workload on every machine. To add a
// generator, write a function and list it in generators.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/job/distribution.h"
#include "wavewright/job/job.h"

namespace wavewright {

// Input of a generator: the seed and the value of each parameter.
class GeneratorInput {
 public:
  GeneratorInput(std::uint64_t seed, std::map<std::string, std::string> values)
      : seed_(seed), values_(std::move(values)) {}

  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  // Each throws UsageError with the parameter's name if the value is malformed or out of range.
  [[nodiscard]] Count count(const std::string& name, Count least = 0) const;
  [[nodiscard]] double number(const std::string& name) const;  // finite, not negative
  [[nodiscard]] Distribution distribution(const std::string& name) const;
  [[nodiscard]] std::string choice(const std::string& name, const std::vector<std::string>& of) const;

 private:
  [[nodiscard]] const std::string& value(const std::string& name) const;

  std::uint64_t seed_;
  std::map<std::string, std::string> values_;
};

struct GeneratorParameter {
  std::string name;
  std::string default_value;
  std::string help;
};

struct Generator {
  std::string name;
  std::string description;  // one line
  std::string source;       // paper and place
  std::vector<GeneratorParameter> parameters;
  std::function<Workload(const GeneratorInput&)> make;
};

[[nodiscard]] const std::vector<Generator>& generators();

// Throws UsageError with the nearest name.
[[nodiscard]] const Generator& generator(std::string_view name);

// `settings` replace defaults. Throws UsageError for unknown or bad ones and more than `most_tasks()` tasks.
[[nodiscard]] Workload generate(const Generator& generator, std::uint64_t seed,
                                const std::map<std::string, std::string>& settings = {});

}  // namespace wavewright
