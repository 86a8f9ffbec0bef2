// How far off the estimates of a profile were, from the jobs of a batch in a store.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/temporary_folder.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/live/outlook/outlook_store.h"
#include "wavewright/predict/track_record.h"

namespace wavewright {
namespace {

constexpr Time began = at_ms(1'700'000'000'000);

// It was to run for 100 s, waited for a minute longer than expected, and ran for `ran` s.
LiveJob done_job(int number, const std::string& profile, int ran) {
  LiveJob job;
  job.id = profile + std::to_string(number);
  job.tag = "wavewright-night-" + job.id;
  job.command = {"true"};
  job.profile = profile;
  job.state = LiveState::done;
  job.attempts = 1;
  job.expected_start = began + ms(3'600'000 * number);
  job.expected_end = *job.expected_start + ms(100'000);
  job.started_at = *job.expected_start + ms(60'000);
  job.ended_at = *job.started_at + ms(1'000 * ran);
  return job;
}

// Writes the promises of all batches that were kept or missed, as the program that runs a batch does.
void keep_promises(const Store& store) {
  const BatchStore batches(store);
  for (const std::string& name : batches.names()) {
    const std::optional<LiveBatch> batch = batches.read(name);
    ASSERT_TRUE(batch) << name;
    for (const LiveJob& job : batch->jobs) {
      if (const auto promise = kept_promise(job, std::nullopt))
        OutlookStore(store).keep(name, job.id, *promise);
    }
  }
}

TrackRecord record_in(const Store& store, const std::string& profile) {
  std::vector<double> errors;
  for (const KeptPromise& each : OutlookStore(store).promises(profile, runs_of_a_record))
    errors.push_back(each.error());
  return track_record(Predictor(profile, {}), errors);
}

// Six of the newest twelve jobs ran 10 % longer, six 30 % less. The two before them took five times as long.
TEST(KeptPromises, TheNewestTwelveOfAProfileAreItsRecord) {
  const TemporaryFolder folder;
  const Store store = Store::open("sqlite:" + (folder.path() / "store.db").string(), Store::Access::create);
  LiveBatch batch;
  batch.name = "night";
  batch.began = began;
  for (int i = 0; i < 14; ++i) batch.jobs.push_back(done_job(i, "etl", i < 2 ? 500 : i % 2 == 0 ? 110 : 70));
  batch.jobs.push_back(done_job(20, "report", 200));
  LiveJob failed = done_job(21, "etl", 900);
  failed.state = LiveState::failed;
  LiveJob unpromised = done_job(22, "etl", 900);
  unpromised.expected_end.reset();
  batch.jobs.push_back(failed);
  batch.jobs.push_back(unpromised);
  BatchStore(store).create(batch);
  keep_promises(store);
  keep_promises(store);  // the same ones again are no new ones
  const OutlookStore outlooks(store);
  const auto promise = kept_promise(batch.jobs[0], std::nullopt);
  ASSERT_TRUE(promise);
  EXPECT_TRUE(outlooks.holds("night", batch.jobs[0].id, *promise));
  EXPECT_FALSE(outlooks.holds("night", "another", *promise));
  EXPECT_FALSE(outlooks.holds("another night", batch.jobs[0].id, *promise));
  KeptPromise later = *promise;
  later.ended += ms(1);
  EXPECT_FALSE(outlooks.holds("night", batch.jobs[0].id, later));
  const TrackRecord record = record_in(store, "ETL");
  EXPECT_EQ(record.live_runs, 12);
  EXPECT_NEAR(record.live_error, (6 * 0.1 + 6 * 0.3) / 12, 1e-9);
  EXPECT_EQ(record_text(record), "±20 % in 12 live runs");
  EXPECT_EQ(record_text(record_in(store, "report")), "±100 % in 1 live run");
  EXPECT_EQ(record_text(record_in(store, "other")), "");
}

}  // namespace
}  // namespace wavewright
