#include "emulated_device.h"

#include "grid_kernels.h"

namespace adaptive {

namespace {

class EmulatedDevice : public Device {
 public:
  [[nodiscard]] std::string name() const override { return "emulated"; }

  Energies advance(Particles& particles, int steps, double dt) override {
    const int side = cells_of_side(particles.box);
    int capacity = usual_capacity(particles.count(), side);
    for (;; capacity *= 2) {
      Particles moved = particles;
      if (!try_steps(moved, side, capacity, steps, dt)) continue;
      particles = std::move(moved);
      double potential = 0;
      for (const double each : potential_) potential += each;
      return {potential, kinetic_energy(particles)};
    }
  }

  [[nodiscard]] std::vector<int> nearest(const Points& points, const Points& centroids) override {
    std::vector<int> found;
    for (int i = 0; i < points.count(); ++i)
      found.push_back(nearest_centroid(points.values.data(), centroids.values.data(), centroids.count(),
                                       points.dimensions, i));
    return found;
  }

 private:
  static void find_forces(const Grid& grid, int cells) {
    for (int cell = 0; cell < cells; ++cell) grid.counts[cell] = 0;
    for (int i = 0; i < grid.particles; ++i) enter_cell(grid, i);
    for (int cell = 0; cell < cells; ++cell) sort_cell(grid, cell);
    for (int i = 0; i < grid.particles; ++i) find_force(grid, i);
  }

  // False where a cell held too many.
  bool try_steps(Particles& of, int side, int capacity, int steps, double dt) {
    const auto count = of.x.size();
    const int cells = side * side * side;
    std::vector<double> fx(count), fy(count), fz(count);
    potential_.assign(count, 0);
    std::vector<int> counts(static_cast<std::size_t>(cells)),
        table(counts.size() * static_cast<std::size_t>(capacity));
    int overflow = 0;
    const Grid grid{
        of.count(),    side,         capacity,     of.box,    of.x.data(), of.y.data(), of.z.data(),
        of.vx.data(),  of.vy.data(), of.vz.data(), fx.data(), fy.data(),   fz.data(),   potential_.data(),
        counts.data(), table.data(), &overflow};
    find_forces(grid, cells);
    for (int step = 0; step < steps && overflow == 0; ++step) {
      for (int i = 0; i < grid.particles; ++i) {
        kick(grid, i, dt / 2);
        drift(grid, i, dt);
      }
      find_forces(grid, cells);
      for (int i = 0; i < grid.particles; ++i) kick(grid, i, dt / 2);
    }
    return overflow == 0;
  }

  std::vector<double> potential_;
};

}  // namespace

std::unique_ptr<Device> make_emulated_device() {
  return std::make_unique<EmulatedDevice>();
}

}  // namespace adaptive
