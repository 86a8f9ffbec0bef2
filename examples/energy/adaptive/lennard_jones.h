// The pair of a Lennard-Jones fluid: potential and force, both 0 from the cutoff on without a step (shifted
// force), so that energy is conserved. Shared by processor and GPU.
#pragma once

#include <cmath>

#ifdef __CUDACC__
#define ADAPTIVE_BOTH __host__ __device__
#else
#define ADAPTIVE_BOTH
#endif

namespace adaptive {

inline constexpr double cutoff = 2.5;
inline constexpr double cutoff_squared = cutoff * cutoff;
inline constexpr double at_cutoff_6 = 1 / (cutoff_squared * cutoff_squared * cutoff_squared);
inline constexpr double potential_at_cutoff = 4 * at_cutoff_6 * (at_cutoff_6 - 1);
inline constexpr double force_at_cutoff = 24 * at_cutoff_6 * (2 * at_cutoff_6 - 1) / cutoff;

struct PairForce {
  double over_distance = 0;  // times the difference of the positions: the force
  double potential = 0;
};

// `squared`: the squared distance, above 0 and below the cutoff's.
ADAPTIVE_BOTH inline PairForce pair_force(double squared) {
  const double inverse = 1 / squared, power_6 = inverse * inverse * inverse, distance = std::sqrt(squared);
  return {24 * power_6 * (2 * power_6 - 1) * inverse - force_at_cutoff / distance,
          4 * power_6 * (power_6 - 1) - potential_at_cutoff + (distance - cutoff) * force_at_cutoff};
}

// Towards the nearest image.
ADAPTIVE_BOTH inline double nearest_image(double difference, double box) {
  const double half = box / 2;
  return difference > half ? difference - box : difference < -half ? difference + box : difference;
}

// Into [0, box).
ADAPTIVE_BOTH inline double inside(double position, double box) {
  const double moved = position - box * std::floor(position / box);
  return moved < box ? moved : 0;  // the box itself, by rounding
}

// Cells of a side: each at least as long as the cutoff; 1 where three would not fit.
inline int cells_of_side(double box) {
  const int cells = static_cast<int>(box / cutoff);
  return cells < 3 ? 1 : cells;
}

// Also of a position that is no number: the first cell.
ADAPTIVE_BOTH inline int cell_along(double position, double box, int cells) {
  const double place = position / box * cells;
  if (!(place >= 0)) return 0;
  return place < cells ? static_cast<int>(place) : cells - 1;
}

}  // namespace adaptive
