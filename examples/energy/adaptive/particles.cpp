#include "particles.h"

#include <cmath>

#include "random.h"

namespace adaptive {

namespace {

void remove_mean(std::vector<double>& values) {
  double sum = 0;
  for (const double each : values) sum += each;
  for (double& each : values) each -= sum / static_cast<double>(values.size());
}

}  // namespace

double kinetic_energy(const Particles& particles) {
  double sum = 0;
  for (std::size_t i = 0; i < particles.x.size(); ++i) {
    sum += particles.vx[i] * particles.vx[i] + particles.vy[i] * particles.vy[i] +
           particles.vz[i] * particles.vz[i];
  }
  return sum / 2;
}

Particles make_particles(std::uint64_t seed, int count, double density, double temperature) {
  Particles particles;
  particles.box = std::cbrt(count / density);
  const int side = static_cast<int>(std::ceil(std::cbrt(count) - 1e-9));
  const double gap = particles.box / side;
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    particles.x.push_back((i % side + 0.5) * gap);
    particles.y.push_back((i / side % side + 0.5) * gap);
    particles.z.push_back((i / side / side + 0.5) * gap);
    particles.vx.push_back(random.normal());
    particles.vy.push_back(random.normal());
    particles.vz.push_back(random.normal());
  }
  for (auto* each : {&particles.vx, &particles.vy, &particles.vz}) remove_mean(*each);
  if (count < 2) return particles;
  const double scale = std::sqrt(1.5 * count * temperature / kinetic_energy(particles));
  for (auto* each : {&particles.vx, &particles.vy, &particles.vz})
    for (double& value : *each) value *= scale;
  return particles;
}

}  // namespace adaptive
