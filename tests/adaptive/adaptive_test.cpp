// The adaptive mapper: energy is conserved, devices agree with each other and with slow references, and a
// device that is lost costs nothing.
#include <sched.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "examples/energy/adaptive/choose_device.h"
#include "examples/energy/adaptive/cpu_device.h"
#include "examples/energy/adaptive/cuda_device.h"
#include "examples/energy/adaptive/emulated_device.h"
#include "examples/energy/adaptive/fallback_device.h"
#include "examples/energy/adaptive/random.h"
#include "examples/energy/adaptive/sums.h"
#include "examples/energy/adaptive/units.h"
#include "examples/energy/adaptive/workers.h"

namespace adaptive {
namespace {

using testing::HasSubstr;

// Potential energy of all pairs, from the formula: V(r) − V(c) + (r − c) · F(c) below c = 2.5.
double pair_potential(double r) {
  const auto plain = [](double at) { return 4 * (std::pow(at, -12) - std::pow(at, -6)); };
  const auto force = [](double at) { return 48 * std::pow(at, -13) - 24 * std::pow(at, -7); };
  return r >= 2.5 ? 0 : plain(r) - plain(2.5) + (r - 2.5) * force(2.5);
}

double distance(const Particles& of, std::size_t i, std::size_t j) {
  const auto apart = [&](const std::vector<double>& along) {
    const double off = along[i] - along[j];
    return off - of.box * std::round(off / of.box);
  };
  return std::hypot(apart(of.x), apart(of.y), apart(of.z));
}

double slow_potential(const Particles& of) {
  double sum = 0;
  for (std::size_t i = 0; i < of.x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) sum += pair_potential(distance(of, i, j));
  return sum;
}

// −dV/dx by a difference of potentials.
double slow_force(Particles of, std::vector<double> Particles::* along, std::size_t i) {
  constexpr double step = 1e-5;
  const auto potential_at = [&](double offset) {
    const double kept = (of.*along)[i];
    (of.*along)[i] += offset;
    double sum = 0;
    for (std::size_t j = 0; j < of.x.size(); ++j) sum += j == i ? 0 : pair_potential(distance(of, i, j));
    (of.*along)[i] = kept;
    return sum;
  };
  return (potential_at(-step) - potential_at(step)) / (2 * step);
}

double worst_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

// Shaken off the lattice.
Particles fluid(int count, int steps = 50) {
  Particles particles = make_particles(7, count);
  make_cpu_device(1)->advance(particles, steps, 0.004);
  return particles;
}

std::map<std::string, std::unique_ptr<Device>> devices() {
  std::map<std::string, std::unique_ptr<Device>> all;
  all["cpu, 1 thread"] = make_cpu_device(1);
  all["cpu, 3 threads"] = make_cpu_device(3);
  all["emulated"] = make_emulated_device();
  if (auto cuda = make_cuda_device()) all["cuda"] = std::move(cuda);
  return all;
}

TEST(MolecularDynamics, PotentialAndForcesAreThoseOfAllPairs) {
  for (const int count : {27, 60, 500}) {  // boxes of 3.2, 4.1 and 8.4: of one cell, and of 27
    const Particles before = fluid(count);
    for (const auto& [name, device] : devices()) {
      Particles after = before;
      EXPECT_NEAR(device->advance(after, 0, 0.001).potential, slow_potential(before), 1e-8 * count) << name;
      // One step from rest moves each by F · dt² / 2 and gives it about F · dt.
      after = before;
      for (auto* each : {&after.vx, &after.vy, &after.vz}) std::fill(each->begin(), each->end(), 0.0);
      constexpr double dt = 1e-4;
      device->advance(after, 1, dt);
      for (std::size_t i = 0; i < before.x.size(); i += 37) {
        EXPECT_NEAR(after.vx[i] / dt, slow_force(before, &Particles::x, i), 1e-2) << name << ' ' << i;
        EXPECT_NEAR(after.vz[i] / dt, slow_force(before, &Particles::z, i), 1e-2) << name << ' ' << i;
        const double moved = std::remainder(after.y[i] - before.y[i], before.box);
        EXPECT_NEAR(2 * moved / (dt * dt), slow_force(before, &Particles::y, i), 1e-2) << name << ' ' << i;
      }
    }
  }
}

// The largest change of the total energy in a run of a time of 1.
double energy_error(Device& device, double dt) {
  Particles particles = fluid(216);
  const double began = device.advance(particles, 0, dt).total();
  double worst = 0;
  for (int part = 0; part < 10; ++part)
    worst = std::max(
        worst,
        std::abs(device.advance(particles, static_cast<int>(std::lround(0.1 / dt)), dt).total() - began));
  return worst / particles.count();
}

TEST(MolecularDynamics, EnergyIsConservedAndVerletIsOfSecondOrder) {
  const auto device = make_cpu_device(1);
  const double coarse = energy_error(*device, 0.004), fine = energy_error(*device, 0.002);
  EXPECT_LT(fine, 5e-4) << "of about 4 a particle";
  EXPECT_GT(coarse / fine, 2.5);
  EXPECT_LT(coarse / fine, 6.5);
}

TEST(MolecularDynamics, MomentumIsConservedAndParticlesStayInTheBox) {
  Particles particles = fluid(150, 400);
  for (const auto* each : {&particles.vx, &particles.vy, &particles.vz}) {
    double sum = 0;
    for (const double value : *each) sum += value;
    EXPECT_NEAR(sum, 0, 1e-9);
  }
  for (const auto* each : {&particles.x, &particles.y, &particles.z}) {
    EXPECT_GE(*std::min_element(each->begin(), each->end()), 0);
    EXPECT_LT(*std::max_element(each->begin(), each->end()), particles.box);
  }
}

TEST(MolecularDynamics, DevicesAgree) {
  const Particles before = fluid(400);
  Particles expected = before;
  const Energies energies = make_cpu_device(1)->advance(expected, 100, 0.002);
  for (const auto& [name, device] : devices()) {
    Particles after = before;
    const Energies got = device->advance(after, 100, 0.002);
    // Rounding grows in a fluid; after 100 steps it is far below a millionth still.
    EXPECT_LT(worst_difference(after.x, expected.x), 1e-8) << name;
    EXPECT_LT(worst_difference(after.vz, expected.vz), 1e-8) << name;
    EXPECT_NEAR(got.total(), energies.total(), 1e-8 * after.count()) << name;
    if (name.starts_with("cpu")) {
      EXPECT_EQ(after.x, expected.x) << "threads change nothing";
    }
  }
}

TEST(MolecularDynamics, ACellWithManyParticlesIsNoProblem) {
  Particles clump;
  clump.box = 30;
  for (int i = 0; i < 125; ++i) {
    clump.x.push_back(7 + 1.15 * (i % 5));
    const int row = i / 5 % 5;
    clump.y.push_back(7 + 1.15 * row);
    const int layer = i / 25;
    clump.z.push_back(7 + 1.15 * layer);
  }
  clump.vx.assign(125, 0.1);
  clump.vy = clump.vz = clump.vx;
  Particles expected = clump;
  make_cpu_device(1)->advance(expected, 40, 0.002);
  make_emulated_device()->advance(clump, 40, 0.002);
  EXPECT_LT(worst_difference(clump.x, expected.x), 1e-10);
}

TEST(KMeans, NearestCentroidsAreThoseOfASlowSearch) {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    const int clusters = 1 + static_cast<int>(random.bits() % 9),
              dimensions = 1 + static_cast<int>(random.bits() % 5);
    Points points = make_points(random.bits(), 97, 4, dimensions),
           centroids = make_points(random.bits(), clusters, 3, dimensions);
    for (double& each : points.values) each = std::round(each);  // equal distances
    for (double& each : centroids.values) each = std::round(each);
    std::vector<int> expected;
    for (int i = 0; i < points.count(); ++i) {
      std::vector<double> squared;
      for (int c = 0; c < clusters; ++c) {
        double sum = 0;
        for (int d = 0; d < dimensions; ++d) sum += std::pow(points.row(i)[d] - centroids.row(c)[d], 2);
        squared.push_back(sum);
      }
      expected.push_back(
          static_cast<int>(std::min_element(squared.begin(), squared.end()) - squared.begin()));
    }
    for (const auto& [name, device] : devices())
      EXPECT_EQ(device->nearest(points, centroids), expected) << name;
  }
}

// Lloyd's rounds as a textbook has them.
Clustering slow_clustering(const Points& points, Points centroids, int most) {
  std::vector<int> before;
  for (int rounds = 0;; ++rounds) {
    std::vector<int> nearest;
    double inertia = 0;
    for (int i = 0; i < points.count(); ++i) {
      std::pair<double, int> best{1e300, 0};
      for (int c = 0; c < centroids.count(); ++c) {
        double sum = 0;
        for (int d = 0; d < points.dimensions; ++d)
          sum += std::pow(points.row(i)[d] - centroids.row(c)[d], 2);
        best = std::min(best, {sum, c});
      }
      nearest.push_back(best.second);
      inertia += best.first;
    }
    if (nearest == before || rounds == most) return {centroids, inertia, rounds};
    for (int c = 0; c < centroids.count(); ++c) {
      for (int d = 0; d < points.dimensions; ++d) {
        double sum = 0, count = 0;
        for (int i = 0; i < points.count(); ++i) {
          if (nearest[static_cast<std::size_t>(i)] != c) continue;
          sum += points.row(i)[d];
          ++count;
        }
        if (count > 0) centroids.row(c)[d] = sum / count;
      }
    }
    before = nearest;
  }
}

TEST(KMeans, ClustersAreThoseOfASlowReference) {
  const Points points = make_points(1, 400, 5, 3);
  for (const int most : {1, 3, 100}) {
    for (const auto& [name, device] : devices()) {
      // The start: the same random points.
      Random random(9);
      Points start{3, {}};
      for (int c = 0; c < 5; ++c) {
        const double* const row = points.row(static_cast<int>(random.bits() % 400));
        start.values.insert(start.values.end(), row, row + 3);
      }
      const Clustering slow = slow_clustering(points, start, most),
                       fast = cluster(*device, points, 5, 9, most);
      EXPECT_NEAR(fast.inertia, slow.inertia, 1e-9 * slow.inertia) << name;
      EXPECT_LT(worst_difference(fast.centroids.values, slow.centroids.values), 1e-9) << name;
      EXPECT_EQ(fast.rounds, slow.rounds) << name << ", at most " << most;
    }
  }
}

const std::vector<std::string> units = {"md 1 64 250", "kmeans 3 500 4 2 50", "md 2 27 120"};

std::vector<std::string> results(Device& device) {
  std::vector<std::string> lines;
  lines.reserve(units.size());
  for (const std::string& each : units) lines.push_back(do_unit(each, device, [] {}));
  return lines;
}

TEST(Fallback, NothingIsLostWhicheverCallTheDeviceIsLostIn) {
  const auto cpu = make_cpu_device(1);
  const std::vector<std::string> expected = results(*cpu);
  int lost = 0;
  for (int calls = 0; calls < 30; ++calls) {
    int told = 0;
    const auto device = make_fallback_device(make_failing_device(make_cpu_device(2), calls),
                                             make_cpu_device(1), [&](const std::string& reason) {
                                               ++told;
                                               EXPECT_THAT(reason, HasSubstr("on purpose"));
                                             });
    EXPECT_EQ(results(*device), expected) << calls;
    EXPECT_LE(told, 1);
    lost += told;
  }
  EXPECT_GT(lost, 8) << "calls of three units";
  EXPECT_LT(lost, 30) << "without a loss it goes on";
}

TEST(Fallback, ADeviceThatFailsLeavesWhatItWasGiven) {
  const Particles before = fluid(100);
  Particles after = before;
  const auto device = make_failing_device(make_cpu_device(1), 0);
  EXPECT_THROW(device->advance(after, 10, 0.002), DeviceLost);
  EXPECT_EQ(after.x, before.x);
  EXPECT_EQ(after.vx, before.vx);
}

TEST(Fallback, ResultsOfDevicesAreTheSameToTheirDigits) {
  // Chaos: rounding doubles each 0.7 or so of time, so that trajectories of long runs differ. Sums do not.
  const auto cpu = make_cpu_device(1), emulated = make_emulated_device();
  EXPECT_EQ(do_unit("md 5 128 200", *cpu, [] {}), do_unit("md 5 128 200", *emulated, [] {}));
  EXPECT_EQ(do_unit("kmeans 5 2000 6 3 40", *cpu, [] {}), do_unit("kmeans 5 2000 6 3 40", *emulated, [] {}));
}

TEST(ChooseDevice, ByWhatTheContainerWasGiven) {
  const auto granted = [](std::map<std::string, std::string> set) {
    return granted_gpu([&](const char* name) { return set.contains(name) ? set[name].c_str() : nullptr; });
  };
  EXPECT_EQ(granted({}), Granted::unknown);
  EXPECT_EQ(granted({{"CUDA_VISIBLE_DEVICES", "0,1"}}), Granted::yes);
  EXPECT_EQ(granted({{"CUDA_VISIBLE_DEVICES", ""}}), Granted::no);
  EXPECT_EQ(granted({{"CUDA_VISIBLE_DEVICES", "-1"}, {"NVIDIA_VISIBLE_DEVICES", "all"}}), Granted::no);
  EXPECT_EQ(granted({{"NVIDIA_VISIBLE_DEVICES", "all"}}), Granted::yes);
  EXPECT_EQ(granted({{"NVIDIA_VISIBLE_DEVICES", "void"}}), Granted::no);
  const auto name = [](const std::string& wanted, Granted gpu) {
    return choose_device({wanted, 1, -1}, gpu, [](const std::string&) {})->name();
  };
  EXPECT_EQ(name("cpu", Granted::yes), "cpu");
  EXPECT_EQ(name("auto", Granted::no), "cpu");
  EXPECT_EQ(name("emulated", Granted::no), "emulated");
  EXPECT_THROW(name("tpu", Granted::yes), std::invalid_argument);
  const bool has_gpu = make_cuda_device() != nullptr;
  EXPECT_EQ(name("auto", Granted::yes), has_gpu ? "cuda" : "cpu");
  if (has_gpu) {
    EXPECT_EQ(name("gpu", Granted::no), "cuda");
  } else {
    EXPECT_THROW(name("gpu", Granted::yes), std::runtime_error);
  }
}

TEST(Units, RefusesWhatIsNone) {
  const auto cpu = make_cpu_device(1);
  for (const char* line : {"", "md", "md 1 0 5", "md 1 10 5 6", "md 1 x 5", "md -1 10 5", "means 1 2 3",
                           "kmeans 1 10 2 2", "md 1 99999999999 5"})
    EXPECT_THROW((void)do_unit(line, *cpu, [] {}), std::invalid_argument) << line;
}

TEST(Units, ForSumsHaveOneKeyForEachSizeAndTheSameValues) {
  const auto cpu = make_cpu_device(1);
  const auto unit = [&](const char* line, Results results) { return do_unit(line, *cpu, [] {}, results); };
  const std::string md = unit("md 5 64 20", Results::each), md_sum = unit("md 5 64 20", Results::sums);
  ASSERT_TRUE(md.starts_with("md-5\t64 ")) << md;
  EXPECT_EQ(md_sum, "md-64\t1 " + md.substr(std::string("md-5\t64 ").size()));
  const std::string means = unit("kmeans 3 500 4 2 50", Results::each);
  ASSERT_TRUE(means.starts_with("kmeans-4\t3 ")) << means;
  EXPECT_EQ(unit("kmeans 3 500 4 2 50", Results::sums),
            "kmeans-4\t1 " + means.substr(std::string("kmeans-4\t3 ").size()));
}

std::string summed(const std::string& lines) {
  std::istringstream in(lines);
  std::ostringstream out;
  add_up(in, out);
  return out.str();
}

TEST(Sums, AreOfTheLinesOfAKeyAndExact) {
  EXPECT_EQ(summed("kmeans-6\t1 12 3.000001\nkmeans-6\t1 14 2.999999\n"
                   "md-500\t1 -4.100001 -4.1 0.9\nmd-500\t2 -8 -8.2 1.75\n"),
            "kmeans-6\t2 26.000000 6.000000\nmd-500\t3 -12.100001 -12.300000 2.650000\n");
  EXPECT_EQ(summed(""), "");
  std::string tenths;
  for (int i = 0; i < 1000; ++i) tenths += "k\t1 0.1\n";
  EXPECT_EQ(summed(tenths), "k\t1000 100.000000\n");
}

TEST(Sums, OfSumsAreThoseOfAllLines) {
  const std::string first = "k\t1 0.333333 7\nk\t1 -0.666667 8\n", last = "k\t1 5.000001 9\n";
  EXPECT_EQ(summed(summed(first) + summed(last)), summed(last + first)) << "as a combiner, in any order";
}

TEST(Sums, RefuseWhatIsNone) {
  for (const char* lines : {"md-5\n", "\t1 2\n", "md-5\t\n", "md-5\tx\n", "md-5\t1 2,5\n", "md-5\t1 nan\n",
                            "md-5\t1 1e10\n", "md-5\t1 2\nmd-5\t1\n"})
    EXPECT_THROW((void)summed(lines), std::invalid_argument) << lines;
}

TEST(Units, OfAbsurdFluidsEnd) {
  for (const auto& [name, device] : devices())
    EXPECT_THAT(do_unit("md 1 2 50", *device, [] {}), HasSubstr("md-1\t2 "))
        << name << ": two in a box far too small";
}

TEST(Workers, ShareOutEverythingOnceEachPartInAThread) {
  for (const int count : {0, 1, 2, 7, 100}) {
    for (const int threads : {0, 1, 3, 8}) {
      std::vector<int> seen(static_cast<std::size_t>(count), 0);
      std::mutex mutex;
      std::set<std::thread::id> at_work;
      share_out(threads, count, [&](int from, int to) {
        for (int i = from; i < to; ++i) ++seen[static_cast<std::size_t>(i)];
        const std::scoped_lock lock(mutex);
        at_work.insert(std::this_thread::get_id());
      });
      EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), count) << threads;
      EXPECT_EQ(at_work.size(), static_cast<std::size_t>(std::clamp(threads, 1, std::max(1, count))));
    }
  }
}

// All of the mask, unless the control group has a quota.
TEST(Workers, AreAsManyAsTheProcessorsThatTheContainerWasGiven) {
  cpu_set_t all;
  CPU_ZERO(&all);
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  std::string quota = "max";
  std::ifstream("/sys/fs/cgroup/cpu.max") >> quota;
  if (quota == "max") {
    EXPECT_EQ(given_processors(), CPU_COUNT(&all));
  } else {
    EXPECT_GE(given_processors(), 1);
    EXPECT_LE(given_processors(), CPU_COUNT(&all));
  }
  std::size_t first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(given_processors(), 1);
  ASSERT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
}

}  // namespace
}  // namespace adaptive
