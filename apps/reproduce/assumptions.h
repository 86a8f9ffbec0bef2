// What an entry's assumptions change: its experiment, run once more with each other choice.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/reproduce/experiment.h"

namespace wavewright::app {

// One row under the other choice. Both values are of the same seeds, and the change is paired by seed.
struct Effect {
  std::string key, label, unit;
  Json ours, instead;
  std::optional<Measured> change;  // instead − ours; none if they are no numbers
};

struct Effects {
  std::string text, instead;
  std::vector<Effect> rows;
};

// `measured`: of the entry itself. After a stop the result is not usable. Throws as run_experiment().
[[nodiscard]] std::vector<Effects> run_assumptions(const Entry& entry, const Measurements& measured,
                                                   const ExperimentRun& run);

}  // namespace wavewright::app
