// k-means by Lloyd's rounds.
#pragma once

#include <cstdint>
#include <vector>

namespace adaptive {

// Row by row.
struct Points {
  int dimensions = 0;
  std::vector<double> values;

  [[nodiscard]] int count() const {
    return dimensions == 0 ? 0 : static_cast<int>(values.size() / static_cast<std::size_t>(dimensions));
  }
  [[nodiscard]] const double* row(int i) const {
    return values.data() + static_cast<std::ptrdiff_t>(i) * dimensions;
  }
  [[nodiscard]] double* row(int i) { return values.data() + static_cast<std::ptrdiff_t>(i) * dimensions; }
};

struct Clustering {
  Points centroids;
  double inertia = 0;  // Σ squared distance to the nearest centroid
  int rounds = 0;      // until nothing changed, or the most
};

class Device;

// Points around `clusters` centres, the same on every machine.
[[nodiscard]] Points make_points(std::uint64_t seed, int count, int clusters, int dimensions);
// Starts at randomly chosen points. A centroid without points stays where it is.
[[nodiscard]] Clustering cluster(Device& device, const Points& points, int clusters, std::uint64_t seed,
                                 int most_rounds);

}  // namespace adaptive
