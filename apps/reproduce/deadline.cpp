// The kind `deadline`.
#include <cmath>

#include "apps/reproduce/experiment.h"
#include "wavewright/predict/slots.h"
#include "wavewright/sched/policy.h"

namespace wavewright::app {

namespace {

PhaseStatistics phase(const Json& json) {
  const auto in_ms = [&](const char* name) { return json.at(name).get<double>() * 1000; };
  return {.min_ms = in_ms("min"), .avg_ms = in_ms("avg"), .max_ms = in_ms("max")};
}

std::string text(SlotPool slots) {
  return fmt::format("{} + {}", slots.map_slots, slots.reduce_slots);
}

std::string minima(const std::vector<SlotChoice>& curve) {
  Count least = unlimited;
  for (const SlotChoice& choice : curve) least = std::min(least, choice.total());
  std::vector<std::string> pairs;
  for (const SlotChoice& choice : curve) {
    if (choice.total() == least)
      pairs.push_back(fmt::format("{}+{}", choice.slots.map_slots, choice.slots.reduce_slots));
  }
  return fmt::format("{}", fmt::join(pairs, ", "));
}

}  // namespace

Measurements measure_deadline(const Json& inputs, std::uint64_t /*seed*/) {
  JobStatistics job;
  job.reduces = inputs.at("reduces");
  job.map = phase(inputs.at("map_s"));
  job.first_shuffle = phase(inputs.at("first_shuffle_s"));
  job.shuffle = phase(inputs.at("shuffle_s"));
  job.reduce = phase(inputs.at("reduce_s"));
  const Duration deadline = ms(std::llround(1000 * inputs.at("deadline_s").get<double>()));
  const SlotPool paper{inputs.at("paper_slots").at("map_slots"), inputs.at("paper_slots").at("reduce_slots")};
  Measurements measured;
  for (const Json& maps : inputs.at("maps")) {
    job.maps = maps.get<Count>();
    const std::string n = std::to_string(job.maps);
    const LagrangeSlots lagrange = lagrange_slots(job, deadline);
    measured[n + ".lagrange"] = {fmt::format("{:.1f} + {:.1f}", lagrange.map_slots, lagrange.reduce_slots)};
    measured[n + ".lagrange.ceiled"] = {text(lagrange.ceiled.slots)};
    measured[n + ".simple.fewest"] = {fewest_slots(job, deadline, TimeModel::simple).total()};
    measured[n + ".simple.minima"] = {minima(allocation_curve(job, deadline, TimeModel::simple))};
    measured[n + ".simple.beside"] = {
        text(slots_beside(job, deadline, paper.reduce_slots, TimeModel::simple).slots)};
    measured[n + ".wave.fewest"] = {text(fewest_slots(job, deadline, TimeModel::wave).slots)};
    measured[n + ".wave.at-paper"] = {completion_ms(job, paper, TimeModel::wave) / 1000};
  }
  return measured;
}

}  // namespace wavewright::app
