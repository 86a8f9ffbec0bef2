// Particles of a Lennard-Jones fluid in a periodic box, in reduced units (mass, ε and σ are 1).
#pragma once

#include <cstdint>
#include <vector>

namespace adaptive {

struct Particles {
  double box = 0;  // length of a side; positions are in [0, box)
  std::vector<double> x, y, z, vx, vy, vz;

  [[nodiscard]] int count() const { return static_cast<int>(x.size()); }
};

struct Energies {
  double potential = 0;
  double kinetic = 0;

  [[nodiscard]] double total() const { return potential + kinetic; }
};

// On a cubic lattice, with random velocities of that temperature and no momentum in all. The same on every
// machine.
[[nodiscard]] Particles make_particles(std::uint64_t seed, int count, double density = 0.8442,
                                       double temperature = 0.728);
[[nodiscard]] double kinetic_energy(const Particles& particles);

}  // namespace adaptive
