// Draws of a batch's task lengths.
#include "wavewright/job/sampled.h"

#include <cmath>
#include <thread>

#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/planner.h"

namespace wavewright {
namespace {

std::vector<Duration> lengths(const Workload& batch) {
  std::vector<Duration> all;
  for (const Job& job : batch.jobs) {
    for (const auto* of : {&job.maps, &job.reduces, &job.first_shuffles, &job.shuffles})
      all.insert(all.end(), of->begin(), of->end());
  }
  return all;
}

Workload one_job(std::size_t maps, std::size_t reduces) {
  Workload batch{{Job{}}};
  batch.jobs[0].id = std::string(1, 'J');
  batch.jobs[0].maps.assign(maps, ms(100'000));
  batch.jobs[0].reduces.assign(reduces, ms(100'000));
  return batch;
}

double mean(const std::vector<Duration>& all) {
  double sum = 0;
  for (const Duration length : all) sum += static_cast<double>(length.count());
  return sum / static_cast<double>(all.size());
}

double variation(const std::vector<Duration>& all) {
  const double middle = mean(all);
  double squares = 0;
  for (const Duration length : all) squares += std::pow(static_cast<double>(length.count()) - middle, 2);
  return std::sqrt(squares / static_cast<double>(all.size() - 1)) / middle;
}

TEST(SampledBatch, HasTheMeanAndVariationAskedFor) {
  const Workload batch = one_job(40'000, 0);
  for (const double spread : {0.05, 0.3, 1.0}) {
    const std::vector<Duration> drawn = lengths(SampledBatch(shared(batch), spread, 7).draw(0));
    EXPECT_NEAR(mean(drawn), 100'000, 100'000 * spread * 4 / std::sqrt(40'000.0));
    EXPECT_NEAR(variation(drawn), spread, spread * 0.06);
  }
}

TEST(SampledBatch, TasksOfAJobShareTheJobsFactor) {
  const Workload batch = one_job(5, 5);
  const SampledBatch sampled(shared(batch), 0, 7, 0.5);
  std::vector<Duration> of_jobs;
  for (std::uint64_t index = 0; index < 4000; ++index) {
    const std::vector<Duration> drawn = lengths(sampled.draw(index));
    for (const Duration length : drawn) EXPECT_EQ(length, drawn.front());
    of_jobs.push_back(drawn.front());
  }
  EXPECT_NEAR(mean(of_jobs), 100'000, 100'000 * 0.5 * 4 / std::sqrt(4000.0));
  EXPECT_NEAR(variation(of_jobs), 0.5, 0.05);
}

TEST(SampledBatch, ADrawDependsOnSeedIndexAndTaskAlone) {
  holds_always([] {
    const Workload batch = worlds::some_workload();
    const SampledBatch sampled(shared(batch), 0.4, 3, 0.2);
    const Workload first = sampled.draw(5);
    (void)sampled.draw(6);
    Workload elsewhere;
    std::thread([&] { elsewhere = sampled.draw(5); }).join();
    RC_ASSERT(lengths(first) == lengths(elsewhere));
    // Without the other jobs, and with a map more.
    for (std::size_t job = 0; job < batch.jobs.size(); ++job) {
      Workload alone{{batch.jobs[job]}};
      alone.jobs[0].maps.push_back(ms(9));
      Workload drawn = SampledBatch(shared(alone), 0.4, 3, 0.2).draw(5);
      drawn.jobs[0].maps.pop_back();
      RC_ASSERT(lengths(drawn) == lengths({{first.jobs[job]}}));
    }
  });
}

TEST(SampledBatch, OtherSeedsAndIndicesAreOtherDraws) {
  const Workload batch = one_job(20, 20);
  const std::vector<Duration> drawn = lengths(SampledBatch(shared(batch), 0.2, 1).draw(0));
  EXPECT_NE(drawn, lengths(SampledBatch(shared(batch), 0.2, 1).draw(1)));
  EXPECT_NE(drawn, lengths(SampledBatch(shared(batch), 0.2, 2).draw(0)));
}

TEST(SampledBatch, KeepsNothingAtNothingAndTheRestPositive) {
  holds_always([] {
    const Workload batch = worlds::some_workload();
    RC_ASSERT(lengths(SampledBatch(shared(batch), 0, 1).draw(*rc::gen::inRange(0, 9))) == lengths(batch));
    const std::vector<Duration> before = lengths(batch),
                                after = lengths(SampledBatch(shared(batch), 3, 1).draw(0));
    for (std::size_t i = 0; i < before.size(); ++i) {
      RC_ASSERT((before[i] == Duration{}) == (after[i] == Duration{}));
      RC_ASSERT(after[i] <= longest_duration);
    }
  });
}

TEST(SampledBatch, AReducesShufflesHaveItsFactor) {
  Workload batch = one_job(0, 50);
  batch.jobs[0].first_shuffles.assign(50, ms(100'000));
  batch.jobs[0].shuffles.assign(50, ms(100'000));
  const Job drawn = SampledBatch(shared(batch), 0.5, 1).draw(0).jobs[0];
  EXPECT_EQ(drawn.reduces, drawn.first_shuffles);
  EXPECT_EQ(drawn.reduces, drawn.shuffles);
}

TEST(SampledBatch, RefusesSpreadsThatAreNone) {
  const Workload batch = one_job(1, 1);
  for (const double spread : {-0.1, 10.1, std::nan("")}) {
    EXPECT_THROW(SampledBatch(shared(batch), spread, 1), UsageError);
    EXPECT_THROW(SampledBatch(shared(batch), 0, 1, spread), UsageError);
  }
}

TEST(SampledBatch, ASpreadInWords) {
  EXPECT_EQ(in_words(LengthSpread{}), "");
  EXPECT_EQ(in_words(LengthSpread{0.1, 0}), "a spread of 10.0 % a task");
  EXPECT_EQ(in_words(LengthSpread{0, 0.25}), "a spread of 25.0 % a job");
  EXPECT_EQ(in_words(LengthSpread{0.1, 0.25}), "a spread of 10.0 % a task, of 25.0 % a job");
}

TEST(SampledBatch, TheDrawOfASeedIsItsFirst) {
  const Workload batch = one_job(5, 5);
  EXPECT_EQ(lengths(drawn_lengths(batch, {0.3, 0.2}, 9)),
            lengths(SampledBatch(shared(batch), 0.3, 9, 0.2).draw(0)));
  EXPECT_EQ(lengths(drawn_lengths(batch, {}, 9)), lengths(batch));
  EXPECT_THROW((void)drawn_lengths(batch, {-0.1, 0}, 9), UsageError);
}

}  // namespace
}  // namespace wavewright
