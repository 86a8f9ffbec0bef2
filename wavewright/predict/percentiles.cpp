#include "wavewright/predict/percentiles.h"

#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/predict/bounds.h"
#include "wavewright/predict/single_job.h"
#include "wavewright/profile/profile.h"

namespace wavewright {

namespace {

void draw(const PhaseProfile& phase, Random& random, std::vector<Duration>& into) {
  for (Duration& duration : into) {
    duration = phase.sample.empty() ? Duration{} : phase.sample[random.below(phase.sample.size())];
  }
}

}  // namespace

Percentiles simulate_percentiles(const JobProfile& profile, const JobStatistics& job, SlotPool slots,
                                 std::uint64_t seed, Count replications) {
  (void)job_bounds(job, slots);  // refuses missing slots
  // A kind of wave that no run showed is taken to be like the other, as in statistics_of.
  const PhaseProfile& first = profile.first_shuffle.empty() ? profile.shuffle : profile.first_shuffle;
  const PhaseProfile& later = profile.shuffle.empty() ? profile.first_shuffle : profile.shuffle;
  const auto reduce_count = static_cast<std::size_t>(job.reduces);
  std::vector<Duration> maps(static_cast<std::size_t>(job.maps));
  std::vector<Duration> reduces(reduce_count), first_shuffles(reduce_count), later_shuffles(reduce_count);
  std::vector<Duration> finishes;
  finishes.reserve(static_cast<std::size_t>(replications));
  for (Count i = 0; i < replications; ++i) {
    Random random(seed, "predict", static_cast<std::uint64_t>(i));
    draw(profile.map, random, maps);
    draw(profile.reduce, random, reduces);
    draw(first, random, first_shuffles);
    draw(later, random, later_shuffles);
    finishes.push_back(run_alone({maps, reduces, first_shuffles, later_shuffles}, slots).finish);
  }
  const PhaseProfile all = profile_of(std::move(finishes));
  const auto with_overhead = [&](double value) { return value + job.overhead_ms; };
  return {with_overhead(static_cast<double>(all.quantile(0.5).count())),
          with_overhead(static_cast<double>(all.quantile(0.95).count())), with_overhead(all.mean_ms),
          replications};
}

}  // namespace wavewright
