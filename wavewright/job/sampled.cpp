#include "wavewright/job/sampled.h"

#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"

namespace wavewright {

namespace {

void check_spread(double spread) {
  if (spread >= 0 && spread <= most_spread) return;
  throw UsageError(fmt::format("a spread of {:.6g} %", 100 * spread),
                   fmt::format("give one from 0 to {:.0f} %", 100 * most_spread));
}

// Lognormal factors of mean 1.
class Factors {
 public:
  explicit Factors(double spread) : sigma_(std::sqrt(std::log1p(spread * spread))) {}
  [[nodiscard]] double draw(Random& random) const {
    return sigma_ == 0 ? 1.0 : random.lognormal(-sigma_ * sigma_ / 2, sigma_);
  }

 private:
  double sigma_;
};

void stretch(Duration& length, double factor) {
  if (length <= Duration{}) return;
  const double stretched = std::round(static_cast<double>(length.count()) * factor);
  // A NaN gives the longest duration.
  length = stretched < static_cast<double>(longest_duration.count())
               ? ms(std::max<std::int64_t>(1, static_cast<std::int64_t>(stretched)))
               : longest_duration;
}

}  // namespace

void check(const LengthSpread& spread) {
  check_spread(spread.tasks);
  check_spread(spread.jobs);
}

std::string in_words(const LengthSpread& spread) {
  std::string text;
  if (spread.tasks > 0) text = fmt::format("a spread of {:.1f} % a task", 100 * spread.tasks);
  if (spread.jobs > 0)
    text += fmt::format("{} {:.1f} % a job", text.empty() ? "a spread of" : ", of", 100 * spread.jobs);
  return text;
}

SampledBatch::SampledBatch(std::shared_ptr<const Workload> batch, double spread, std::uint64_t seed,
                           double job_spread)
    : batch_(std::move(batch)), spread_(spread), job_spread_(job_spread), seed_(seed) {
  check({spread, job_spread});
}

Workload SampledBatch::draw(std::uint64_t index) const {
  Workload drawn = *batch_;
  drawn.expected = batch_;
  const Factors of_tasks(spread_), of_jobs(job_spread_);
  for (Job& job : drawn.jobs) {
    // Separate streams: if a job gets one more map, its reduces keep their factors.
    Random whole(seed_, "length of job " + job.id, index);
    Random maps(seed_, "length of maps " + job.id, index);
    Random reduces(seed_, "length of reduces " + job.id, index);
    const double shared = of_jobs.draw(whole);
    for (Duration& map : job.maps) stretch(map, shared * of_tasks.draw(maps));
    for (std::size_t i = 0; i < job.reduces.size(); ++i) {
      const double factor = shared * of_tasks.draw(reduces);
      stretch(job.reduces[i], factor);
      if (!job.first_shuffles.empty()) stretch(job.first_shuffles[i], factor);
      if (!job.shuffles.empty()) stretch(job.shuffles[i], factor);
    }
  }
  return drawn;
}

Workload drawn_lengths(Workload batch, const LengthSpread& spread, std::uint64_t seed) {
  check(spread);
  if (!spread.any()) return batch;
  const auto written = std::make_shared<const Workload>(std::move(batch));
  return SampledBatch(written, spread.tasks, seed, spread.jobs).draw(0);
}

}  // namespace wavewright
