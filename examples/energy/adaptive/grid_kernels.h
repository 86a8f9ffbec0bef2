// The work of each thread of the GPU, as functions that a processor can run, too: one thread for a cell, a
// particle or a point. cuda_device.cu launches them; emulated_device.cpp calls them one after another.
//
// Cells hold their particles in a table of `capacity` places. A cell with more sets `overflow`, and the work
// begins again with a larger table.
#pragma once

#include "lennard_jones.h"

namespace adaptive {

// Addresses are the device's.
struct Grid {
  int particles = 0;
  int side = 1;  // cells of a side
  int capacity = 0;
  double box = 0;
  double *x = nullptr, *y = nullptr, *z = nullptr;
  double *vx = nullptr, *vy = nullptr, *vz = nullptr;
  double *fx = nullptr, *fy = nullptr, *fz = nullptr, *potential = nullptr;
  int *counts = nullptr, *table = nullptr;  // by cell; by cell and place
  int* overflow = nullptr;
};

// The number before.
ADAPTIVE_BOTH inline int add_one(int* counter) {
#ifdef __CUDA_ARCH__
  return atomicAdd(counter, 1);
#else
  return (*counter)++;
#endif
}

ADAPTIVE_BOTH inline void enter_cell(const Grid& grid, int i) {
  const int cell =
      (cell_along(grid.z[i], grid.box, grid.side) * grid.side + cell_along(grid.y[i], grid.box, grid.side)) *
          grid.side +
      cell_along(grid.x[i], grid.box, grid.side);
  const int place = add_one(&grid.counts[cell]);
  if (place < grid.capacity) {
    grid.table[cell * grid.capacity + place] = i;
  } else {
    *grid.overflow = 1;
  }
}

// By number: threads enter in any order, and sums must not depend on it.
ADAPTIVE_BOTH inline void sort_cell(const Grid& grid, int cell) {
  int* const places = grid.table + cell * grid.capacity;
  const int count = grid.counts[cell] < grid.capacity ? grid.counts[cell] : grid.capacity;
  for (int k = 1; k < count; ++k) {
    const int moved = places[k];
    int to = k;
    for (; to > 0 && places[to - 1] > moved; --to) places[to] = places[to - 1];
    places[to] = moved;
  }
}

ADAPTIVE_BOTH inline void add_cell_forces(const Grid& grid, int i, int cell) {
  for (int k = 0; k < grid.counts[cell]; ++k) {
    const int j = grid.table[cell * grid.capacity + k];
    const double dx = nearest_image(grid.x[i] - grid.x[j], grid.box),
                 dy = nearest_image(grid.y[i] - grid.y[j], grid.box),
                 dz = nearest_image(grid.z[i] - grid.z[j], grid.box);
    const double squared = dx * dx + dy * dy + dz * dz;
    if (j == i || squared >= cutoff_squared) continue;
    const PairForce pair = pair_force(squared);
    grid.fx[i] += pair.over_distance * dx;
    grid.fy[i] += pair.over_distance * dy;
    grid.fz[i] += pair.over_distance * dz;
    grid.potential[i] += pair.potential / 2;
  }
}

ADAPTIVE_BOTH inline void find_force(const Grid& grid, int i) {
  grid.fx[i] = grid.fy[i] = grid.fz[i] = grid.potential[i] = 0;
  if (*grid.overflow != 0) return;  // the work begins again
  const int side = grid.side, reach = side == 1 ? 0 : 1;
  const int cx = cell_along(grid.x[i], grid.box, side), cy = cell_along(grid.y[i], grid.box, side),
            cz = cell_along(grid.z[i], grid.box, side);
  for (int dz = -reach; dz <= reach; ++dz)
    for (int dy = -reach; dy <= reach; ++dy)
      for (int dx = -reach; dx <= reach; ++dx)
        add_cell_forces(
            grid, i,
            ((cz + dz + side) % side * side + (cy + dy + side) % side) * side + (cx + dx + side) % side);
}

ADAPTIVE_BOTH inline void kick(const Grid& grid, int i, double dt) {
  grid.vx[i] += dt * grid.fx[i];
  grid.vy[i] += dt * grid.fy[i];
  grid.vz[i] += dt * grid.fz[i];
}

ADAPTIVE_BOTH inline void drift(const Grid& grid, int i, double dt) {
  grid.x[i] = inside(grid.x[i] + dt * grid.vx[i], grid.box);
  grid.y[i] = inside(grid.y[i] + dt * grid.vy[i], grid.box);
  grid.z[i] = inside(grid.z[i] + dt * grid.vz[i], grid.box);
}

// `points` and `centroids` row by row.
ADAPTIVE_BOTH inline int nearest_centroid(const double* points, const double* centroids, int clusters,
                                          int dimensions, int i) {
  int best = 0;
  double least = 0;
  for (int c = 0; c < clusters; ++c) {
    double squared = 0;
    for (int d = 0; d < dimensions; ++d) {
      const double off = points[i * dimensions + d] - centroids[c * dimensions + d];
      squared += off * off;
    }
    if (c > 0 && squared >= least) continue;
    best = c;
    least = squared;
  }
  return best;
}

// Places of a cell at the beginning: four times the mean, for any fluid; all particles in the only one.
inline int usual_capacity(int particles, int side) {
  constexpr int factor = 4, more = 16;
  return side == 1 ? particles : factor * particles / (side * side * side) + more;
}

}  // namespace adaptive
