// A line of a mapper's input is a unit of work; its result is a line.
//
//     md SEED PARTICLES STEPS                        a run of a Lennard-Jones fluid
//     kmeans SEED POINTS CLUSTERS DIMENSIONS ROUNDS  a start of k-means; SEED of the points is 1
#pragma once

#include <functional>
#include <string>

#include "device.h"

namespace adaptive {

enum class Results {
  each,  // a key for each unit: its seed, or its number of clusters
  sums,  // for the reducer (sums.h): units of equal size have one key, and the first value is 1
};

// `KEY<tab>VALUES`; results of two devices differ in rounding only. `alive` is called between parts of the
// work. Throws std::invalid_argument for a line that is no unit.
[[nodiscard]] std::string do_unit(const std::string& line, Device& device, const std::function<void()>& alive,
                                  Results results = Results::each);

}  // namespace adaptive
