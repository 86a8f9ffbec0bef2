// A device does the numeric work of a task: a processor, or a GPU.
//
// An implementer promises that a call either does all of its work or throws DeviceLost and leaves what it was
// given as it was. So another device can do the same call.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "kmeans.h"
#include "particles.h"

namespace adaptive {

struct DeviceLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Device {
 public:
  Device() = default;
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  Device(Device&&) = delete;
  Device& operator=(Device&&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  // Velocity Verlet: `steps` steps of length `dt`. The energies are those at the end.
  virtual Energies advance(Particles& particles, int steps, double dt) = 0;
  // The nearest centroid of each point; of equally near ones the first.
  [[nodiscard]] virtual std::vector<int> nearest(const Points& points, const Points& centroids) = 0;

  // A drill: the device breaks for good in the middle of its next call. False if it cannot; then nothing
  // changes.
  virtual bool break_in_next_call() { return false; }
};

}  // namespace adaptive
