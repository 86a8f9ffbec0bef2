#include "cpu_device.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lennard_jones.h"
#include "workers.h"

namespace adaptive {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Particles in the order of their cells, so that a cell's are neighbours in memory.
struct Cells {
  int side = 1;
  double box = 0;
  std::vector<int> start;  // by cell, and the end
  std::vector<int> order;  // particle at each place
  std::vector<double> x, y, z;

  [[nodiscard]] int cell_of(const Particles& of, int i) const {
    return (cell_along(of.z[at(i)], box, side) * side + cell_along(of.y[at(i)], box, side)) * side +
           cell_along(of.x[at(i)], box, side);
  }

  void fill(const Particles& of) {
    side = cells_of_side(of.box);
    box = of.box;
    const int cells = side * side * side, count = of.count();
    start.assign(at(cells + 1), 0);
    order.resize(at(count));
    std::vector<int> cell(at(count));
    for (int i = 0; i < count; ++i) ++start[at((cell[at(i)] = cell_of(of, i)) + 1)];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<int> next(start.begin(), start.end() - 1);
    for (int i = 0; i < count; ++i) order[at(next[at(cell[at(i)])]++)] = i;
    for (auto [to, from] : {std::pair{&x, &of.x}, {&y, &of.y}, {&z, &of.z}}) {
      to->resize(at(count));
      for (int k = 0; k < count; ++k) (*to)[at(k)] = (*from)[at(order[at(k)])];
    }
  }
};

struct Force {
  double x = 0, y = 0, z = 0, potential = 0;
};

// Adds what the particles at places [from, to) do to the one at (x, y, z), which may be among them.
void add_forces(const Cells& cells, double x, double y, double z, int from, int to, Force& force) {
  const double box = cells.box;
  const double *const xs = cells.x.data(), *const ys = cells.y.data(), *const zs = cells.z.data();
  double fx = 0, fy = 0, fz = 0, potential = 0;
#pragma omp simd reduction(+ : fx, fy, fz, potential)
  for (int k = from; k < to; ++k) {
    const double dx = nearest_image(x - xs[k], box), dy = nearest_image(y - ys[k], box),
                 dz = nearest_image(z - zs[k], box);
    const double squared = dx * dx + dy * dy + dz * dz;
    const bool near = squared < cutoff_squared && squared > 0;
    const PairForce pair = pair_force(near ? squared : cutoff_squared);
    const double over_distance = near ? pair.over_distance : 0;
    fx += over_distance * dx;
    fy += over_distance * dy;
    fz += over_distance * dz;
    potential += near ? pair.potential / 2 : 0;
  }
  force.x += fx;
  force.y += fy;
  force.z += fz;
  force.potential += potential;
}

Force force_at(const Cells& cells, int place) {
  const double x = cells.x[at(place)], y = cells.y[at(place)], z = cells.z[at(place)];
  Force force;
  if (cells.side == 1) {
    add_forces(cells, x, y, z, 0, static_cast<int>(cells.order.size()), force);
    return force;
  }
  const int side = cells.side;
  const int cx = cell_along(x, cells.box, side), cy = cell_along(y, cells.box, side),
            cz = cell_along(z, cells.box, side);
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      const int row = ((cz + dz + side) % side * side + (cy + dy + side) % side) * side;
      for (int dx = -1; dx <= 1; ++dx) {
        const int cell = row + (cx + dx + side) % side;
        add_forces(cells, x, y, z, cells.start[at(cell)], cells.start[at(cell + 1)], force);
      }
    }
  }
  return force;
}

class CpuDevice : public Device {
 public:
  explicit CpuDevice(int threads) : threads_(std::max(1, threads)) {}

  [[nodiscard]] std::string name() const override { return "cpu"; }

  Energies advance(Particles& particles, int steps, double dt) override {
    double potential = find_forces(particles);
    for (int step = 0; step < steps; ++step) {
      share_out(threads_, particles.count(),
                [&](int from, int to) { kick_and_drift(particles, from, to, dt); });
      potential = find_forces(particles);
      share_out(threads_, particles.count(), [&](int from, int to) { kick(particles, from, to, dt / 2); });
    }
    return {potential, kinetic_energy(particles)};
  }

  [[nodiscard]] std::vector<int> nearest(const Points& points, const Points& centroids) override {
    // Dimension by dimension: the inner loop goes over centroids, which are neighbours in memory.
    const int clusters = centroids.count(), dimensions = points.dimensions;
    std::vector<double> columns(centroids.values.size());
    for (int c = 0; c < clusters; ++c)
      for (int d = 0; d < dimensions; ++d) columns[at(d * clusters + c)] = centroids.row(c)[d];
    std::vector<int> found(at(points.count()));
    share_out(threads_, points.count(), [&](int from, int to) {
      std::vector<double> squared(at(clusters));
      for (int i = from; i < to; ++i) {
        std::fill(squared.begin(), squared.end(), 0);
        for (int d = 0; d < dimensions; ++d) {
          const double value = points.row(i)[d];
          const double* const column = columns.data() + static_cast<std::ptrdiff_t>(d) * clusters;
          double* const sums = squared.data();
#pragma omp simd
          for (int c = 0; c < clusters; ++c) sums[c] += (value - column[c]) * (value - column[c]);
        }
        found[at(i)] = static_cast<int>(std::min_element(squared.begin(), squared.end()) - squared.begin());
      }
    });
    return found;
  }

 private:
  // Returns the potential energy.
  double find_forces(const Particles& particles) {
    const int count = particles.count();
    cells_.fill(particles);
    forces_.resize(at(count));
    share_out(threads_, count, [&](int from, int to) {
      for (int place = from; place < to; ++place)
        forces_[at(cells_.order[at(place)])] = force_at(cells_, place);
    });
    double potential = 0;
    for (const Force& each : forces_) potential += each.potential;
    return potential;
  }
  void kick(Particles& of, int from, int to, double dt) const {
    for (std::size_t i = at(from); i < at(to); ++i) {
      of.vx[i] += dt * forces_[i].x;
      of.vy[i] += dt * forces_[i].y;
      of.vz[i] += dt * forces_[i].z;
    }
  }
  void kick_and_drift(Particles& of, int from, int to, double dt) const {
    kick(of, from, to, dt / 2);
    for (std::size_t i = at(from); i < at(to); ++i) {
      of.x[i] = inside(of.x[i] + dt * of.vx[i], of.box);
      of.y[i] = inside(of.y[i] + dt * of.vy[i], of.box);
      of.z[i] = inside(of.z[i] + dt * of.vz[i], of.box);
    }
  }

  int threads_;
  Cells cells_;
  std::vector<Force> forces_;
};

}  // namespace

std::unique_ptr<Device> make_cpu_device(int threads) {
  return std::make_unique<CpuDevice>(threads);
}

}  // namespace adaptive
