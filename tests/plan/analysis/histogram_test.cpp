#include "wavewright/plan/analysis/histogram.h"

#include <algorithm>
#include <numeric>

#include "tests/property.h"

namespace wavewright {
namespace {

std::vector<Duration> durations(const std::vector<std::int64_t>& values) {
  std::vector<Duration> result;
  for (const std::int64_t value : values) result.push_back(ms(value));
  return result;
}

// Seven values, quartiles 3 and 7: 2 · 4 / ∛7 = 4.2, so bins of 5, one of which ends at 6.
TEST(Histogram, IsAsWideAsTheRuleSaysAndHasTheEdge) {
  const Histogram histogram = histogram_of(durations({2, 3, 4, 6, 6, 7, 9}), ms(6));
  EXPECT_EQ(histogram.above, ms(1));
  EXPECT_EQ(histogram.step, ms(5));
  EXPECT_EQ(histogram.counts, (std::vector<Count>{5, 2}));
}

TEST(Histogram, OfOneValueIsOneBin) {
  const Histogram histogram = histogram_of(durations({40, 40, 40}), std::nullopt);
  EXPECT_EQ(histogram.above, ms(39));
  EXPECT_EQ(histogram.step, ms(1));
  EXPECT_EQ(histogram.counts, std::vector<Count>{3});
}

TEST(Histogram, CountsEachValueOnceAndTellsWhatIsLate) {
  holds_always([] {
    const auto one = rc::gen::inRange<std::int64_t>(0, *rc::gen::element<std::int64_t>(2, 50, 1'000'000'000));
    std::vector<Duration> values =
        durations(*rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(one)));
    std::sort(values.begin(), values.end());
    const Duration edge = ms(*one);
    const Histogram histogram =
        histogram_of(values, *rc::gen::arbitrary<bool>() ? std::optional(edge) : std::nullopt);
    RC_ASSERT(!histogram.counts.empty() && histogram.counts.size() <= most_bins);
    RC_ASSERT(histogram.counts.front() > 0 && histogram.counts.back() > 0);
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
      const Duration low = histogram.above + static_cast<Count>(bin) * histogram.step;
      const Duration high = low + histogram.step;
      const auto here = std::count_if(values.begin(), values.end(),
                                      [&](Duration value) { return value > low && value <= high; });
      RC_ASSERT(histogram.counts[bin] == here);
    }
    RC_ASSERT(std::accumulate(histogram.counts.begin(), histogram.counts.end(), Count{0}) ==
              static_cast<Count>(values.size()));
    const Histogram with_edge = histogram_of(values, edge);
    Count before = 0;
    for (std::size_t bin = 0; bin < with_edge.counts.size(); ++bin) {
      if (with_edge.above + static_cast<Count>(bin + 1) * with_edge.step <= edge)
        before += with_edge.counts[bin];
    }
    RC_ASSERT(before == std::upper_bound(values.begin(), values.end(), edge) - values.begin());
  });
}

}  // namespace
}  // namespace wavewright
