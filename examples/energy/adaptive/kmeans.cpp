#include "kmeans.h"

#include "device.h"
#include "random.h"

namespace adaptive {

namespace {

// In the order of the points, so that the sums do not depend on the device.
Points means(const Points& points, const std::vector<int>& nearest, const Points& before) {
  Points sums{before.dimensions, std::vector<double>(before.values.size(), 0)};
  std::vector<int> counts(static_cast<std::size_t>(before.count()), 0);
  for (int i = 0; i < points.count(); ++i) {
    const int to = nearest[static_cast<std::size_t>(i)];
    ++counts[static_cast<std::size_t>(to)];
    for (int d = 0; d < points.dimensions; ++d) sums.row(to)[d] += points.row(i)[d];
  }
  for (int c = 0; c < before.count(); ++c) {
    const int count = counts[static_cast<std::size_t>(c)];
    for (int d = 0; d < points.dimensions; ++d)
      sums.row(c)[d] = count == 0 ? before.row(c)[d] : sums.row(c)[d] / count;
  }
  return sums;
}

double inertia_of(const Points& points, const std::vector<int>& nearest, const Points& centroids) {
  double sum = 0;
  for (int i = 0; i < points.count(); ++i) {
    for (int d = 0; d < points.dimensions; ++d) {
      const double off = points.row(i)[d] - centroids.row(nearest[static_cast<std::size_t>(i)])[d];
      sum += off * off;
    }
  }
  return sum;
}

}  // namespace

Points make_points(std::uint64_t seed, int count, int clusters, int dimensions) {
  constexpr double spread = 10;
  Random random(seed);
  Points centres{dimensions, {}}, points{dimensions, {}};
  for (int i = 0; i < clusters * dimensions; ++i) centres.values.push_back(spread * random.unit());
  for (int i = 0; i < count; ++i)
    for (int d = 0; d < dimensions; ++d)
      points.values.push_back(centres.row(i % clusters)[d] + random.normal());
  return points;
}

Clustering cluster(Device& device, const Points& points, int clusters, std::uint64_t seed, int most_rounds) {
  Random random(seed);
  Clustering of{{points.dimensions, {}}, 0, 0};
  for (int c = 0; c < clusters; ++c) {
    const int start = static_cast<int>(random.bits() % static_cast<std::uint64_t>(points.count()));
    of.centroids.values.insert(of.centroids.values.end(), points.row(start),
                               points.row(start) + points.dimensions);
  }
  std::vector<int> nearest = device.nearest(points, of.centroids);
  while (of.rounds < most_rounds) {
    ++of.rounds;
    of.centroids = means(points, nearest, of.centroids);
    std::vector<int> next = device.nearest(points, of.centroids);
    if (next == nearest) break;
    nearest = std::move(next);
  }
  of.inertia = inertia_of(points, nearest, of.centroids);
  return of;
}

}  // namespace adaptive
