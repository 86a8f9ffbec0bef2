#include "units.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace adaptive {

namespace {

constexpr int part = 100;     // steps between two looks: what is lost with a device at most
constexpr double dt = 0.002;  // in units of σ·√(m/ε)

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, " %.6f", value);
  return text;
}

// A whole number from 1 to `most`.
int take(std::istringstream& words, const std::string& line, int most) {
  int value = 0;
  if (!(words >> value) || value < 1 || value > most) throw std::invalid_argument("no unit: '" + line + "'");
  return value;
}

std::string run_md(int seed, int count, int steps, Device& device, const std::function<void()>& alive,
                   Results results) {
  Particles particles = make_particles(static_cast<std::uint64_t>(seed), count);
  Energies energies = device.advance(particles, 0, dt);
  const double began = energies.total();
  for (int done = 0; done < steps; done += part) {
    energies = device.advance(particles, std::min(part, steps - done), dt);
    alive();
  }
  const std::string values =
      number(began / count) + number(energies.total() / count) + number(2 * energies.kinetic / (3 * count));
  if (results == Results::sums) return "md-" + std::to_string(count) + "\t1" + values;
  return "md-" + std::to_string(seed) + "\t" + std::to_string(count) + values;
}

std::string run_kmeans(int seed, int count, int clusters, int dimensions, int rounds, Device& device,
                       Results results) {
  const Points points = make_points(1, count, clusters, dimensions);
  const Clustering found = cluster(device, points, clusters, static_cast<std::uint64_t>(seed), rounds);
  const std::string first = results == Results::sums ? "1" : std::to_string(seed);
  return "kmeans-" + std::to_string(clusters) + "\t" + first + " " + std::to_string(found.rounds) +
         number(found.inertia / count);
}

}  // namespace

std::string do_unit(const std::string& line, Device& device, const std::function<void()>& alive,
                    Results results) {
  constexpr int most = 1'000'000'000, most_particles = 10'000'000, most_clusters = 100'000,
                most_dimensions = 1000;
  std::istringstream words(line);
  std::string kind, rest;
  words >> kind;
  const int seed = take(words, line, most);
  std::string result;
  if (kind == "md") {
    const int count = take(words, line, most_particles), steps = take(words, line, most);
    result = run_md(seed, count, steps, device, alive, results);
  } else if (kind == "kmeans") {
    const int count = take(words, line, most_particles), clusters = take(words, line, most_clusters);
    const int dimensions = take(words, line, most_dimensions), rounds = take(words, line, most);
    result = run_kmeans(seed, count, clusters, dimensions, rounds, device, results);
  } else {
    throw std::invalid_argument("no unit: '" + line + "'");
  }
  if (words >> rest) throw std::invalid_argument("no unit: '" + line + "'");
  return result;
}

}  // namespace adaptive
