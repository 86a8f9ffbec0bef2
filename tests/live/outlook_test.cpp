#include "wavewright/live/outlook/outlook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/core/error.h"
#include "wavewright/live/outlook/outlook_document.h"

namespace wavewright {
namespace {

constexpr Time now = at_ms(1'700'000'000'000);

LiveJob job_of(const std::string& id, LiveState state, Count maps, Duration map) {
  LiveJob job;
  job.id = id;
  job.state = state;
  job.maps = {maps, map};
  if (state == LiveState::running) job.started_at = job.accepted_at = now - ms(60'000);
  return job;
}

JobProgress progress_of(Count total, Count done, Count running, Duration length, Duration age) {
  JobProgress progress;
  progress.at = now;
  progress.maps = {total, done, running};
  for (Count i = 0; i < done; ++i) progress.maps.tasks.push_back({length, true, false});
  for (Count i = 0; i < running; ++i) progress.maps.tasks.push_back({age, false, false});
  return progress;
}

std::shared_ptr<const LengthModel> lengths(Duration map) {
  LengthModel model = fixed_lengths(map, {});
  model.maps.within = 0.05;
  return std::make_shared<const LengthModel>(std::move(model));
}

Cluster slots(Count maps) {
  return flat_cluster({maps, 1});
}

double seconds(Time at) {
  return static_cast<double>((at - now).count()) / 1000;
}

TEST(Outlook, ARunningJobGoesOnFromTheTasksThatAreDone) {
  LiveBatch batch;
  batch.jobs = {job_of("slow", LiveState::running, 10, ms(10'000))};
  KnownJobs known;
  // Ten maps of an expected 10 s, one at a time; four took 20 s each, the fifth has run for 5 s: 15 + 5 · 20
  // s.
  known["slow"] = known_job(batch.jobs[0], lengths(ms(10'000)), progress_of(10, 4, 1, ms(20'000), ms(5'000)));
  const Outlook outlook = look_ahead(batch, known, {}, now);
  const JobOutlook& slow = outlook.jobs.at("slow");
  EXPECT_NEAR(seconds(slow.end->p50), 115, 12);
  EXPECT_LE(slow.end->p5, slow.end->p50);
  EXPECT_LT(slow.end->p50, slow.end->p95);
  EXPECT_EQ(slow.start, std::nullopt);
  EXPECT_NEAR(*slow.map_factor, 2, 0.1);
  EXPECT_THAT(outlook.model, ::testing::HasSubstr("alone"));
}

Cluster one_node_of_containers(std::int64_t mebibytes) {
  NodeGroup node;
  node.memory = Bytes{mebibytes << 20};
  Cluster cluster;
  cluster.mode.kind = ClusterMode::Kind::containers;
  cluster.nodes = {node};
  return cluster;
}

// 1,280 MiB hold a master and two maps of one of these jobs, or the masters of both and no more.
TEST(Outlook, JobsTakeTheMemoryThatTheyAskFor) {
  LiveBatch batch;
  batch.jobs = {job_of("first", LiveState::waiting, 4, ms(10'000))};
  batch.jobs[0].memory = {Bytes{384LL << 20}, Bytes{448LL << 20}, std::nullopt};
  KnownJobs known;
  known["first"] = known_job(batch.jobs[0], lengths(ms(10'000)), std::nullopt);
  const Outlook outlook =
      look_ahead(batch, known, {.cluster = one_node_of_containers(1'280), .policy = "fifo"}, now);
  EXPECT_THAT(outlook.model, ::testing::HasSubstr("on the cluster"));
  EXPECT_NEAR(seconds(outlook.jobs.at("first").end->p50), 20, 5) << "two at a time";
}

// The cluster file says nothing of masters, and the default is more than the node has. YARN runs them.
TEST(Outlook, SizesThatNobodyToldFit) {
  LiveBatch batch;
  batch.jobs = {job_of("first", LiveState::waiting, 4, ms(10'000))};
  batch.jobs[0].memory.map = Bytes{256LL << 20};
  KnownJobs known;
  known["first"] = known_job(batch.jobs[0], lengths(ms(10'000)), std::nullopt);
  Cluster cluster = one_node_of_containers(1'280);
  cluster.nodes[0].count = 2;
  const Outlook outlook = look_ahead(batch, known, {.cluster = cluster, .policy = "fifo"}, now);
  EXPECT_NEAR(seconds(outlook.jobs.at("first").end->p50), 10, 4) << "a master on one, the maps on the other";
}

// A master that tells of a million tasks and one must not make each forecast take seconds.
TEST(Outlook, JobsOfMoreThanAMillionTasksAreNotForecast) {
  LiveBatch batch;
  batch.jobs = {job_of("large", LiveState::running, 4, ms(10'000)),
                job_of("largest", LiveState::running, 4, ms(10'000))};
  KnownJobs known;
  known["large"] = known_job(batch.jobs[0], lengths(ms(10'000)), progress_of(1'000'000, 0, 1, {}, ms(1)));
  known["largest"] = known_job(batch.jobs[1], lengths(ms(10'000)), progress_of(1'000'001, 0, 1, {}, ms(1)));
  const Outlook outlook = look_ahead(batch, known, {.replications = 1}, now);
  EXPECT_TRUE(outlook.jobs.at("large").end);
  EXPECT_FALSE(outlook.jobs.at("largest").end);
}

TEST(Outlook, WaitingJobsWaitForRoomOnTheCluster) {
  LiveBatch batch;
  batch.jobs = {job_of("first", LiveState::running, 4, ms(30'000)),
                job_of("second", LiveState::waiting, 2, ms(10'000)),
                job_of("third", LiveState::waiting, 2, ms(10'000))};
  KnownJobs known;
  known["first"] =
      known_job(batch.jobs[0], lengths(ms(30'000)), progress_of(4, 2, 2, ms(30'000), ms(10'000)));
  for (std::size_t i : {1U, 2U})
    known[batch.jobs[i].id] = known_job(batch.jobs[i], lengths(ms(10'000)), std::nullopt);
  const Outlook outlook = look_ahead(batch, known, {.cluster = slots(2), .policy = "fifo"}, now);
  EXPECT_NEAR(seconds(outlook.of("first")->end->p50), 20, 3);
  EXPECT_NEAR(seconds(outlook.of("second")->start->p50), 20, 3);
  EXPECT_NEAR(seconds(outlook.of("second")->end->p50), 30, 4);
  EXPECT_NEAR(seconds(outlook.of("third")->end->p50), 40, 5);
  EXPECT_LT(outlook.of("third")->end->p5, outlook.of("third")->end->p95);
}

// YARN may put a job into another queue than it asks for, and limits each user of a queue.
TEST(Outlook, QueuesAreThoseThatYarnTellsAndUsersTheAccounts) {
  LiveBatch batch;
  batch.jobs = {job_of("a", LiveState::waiting, 8, ms(10'000)),
                job_of("b", LiveState::waiting, 8, ms(10'000))};
  KnownJobs known;
  for (const LiveJob& job : batch.jobs) known[job.id] = known_job(job, lengths(ms(10'000)), std::nullopt);
  Cluster cluster = slots(4);
  cluster.queues = {{.name = "default", .capacity = 50}, {.name = "slow", .capacity = 50, .maximum = 50}};
  const auto last_end = [&] {
    const Outlook outlook = look_ahead(batch, known, {.cluster = cluster, .policy = "capacity"}, now);
    return std::max(seconds(outlook.of("a")->end->p50), seconds(outlook.of("b")->end->p50));
  };
  EXPECT_NEAR(last_end(), 80, 8) << "a user may have half of the slots";
  batch.jobs[1].account = "bob";
  EXPECT_NEAR(last_end(), 40, 5) << "another one, too";
  for (LiveJob& job : batch.jobs) job.placed_queue = "root.slow";
  EXPECT_NEAR(last_end(), 80, 8);
}

TEST(Outlook, PredecessorsTimesHoldsAndLimitsCount) {
  LiveBatch batch;
  batch.jobs = {
      job_of("a", LiveState::waiting, 1, ms(10'000)), job_of("b", LiveState::waiting, 1, ms(10'000)),
      job_of("held", LiveState::held, 1, ms(10'000)), job_of("behind", LiveState::waiting, 1, ms(10'000)),
      job_of("later", LiveState::waiting, 1, ms(10'000))};
  batch.jobs[1].after = {"a"};
  batch.jobs[3].after = {"held"};
  batch.jobs[4].not_before = now + ms(60'000);
  KnownJobs known;
  for (const LiveJob& job : batch.jobs) known[job.id] = known_job(job, lengths(ms(10'000)), std::nullopt);
  const Outlook outlook = look_ahead(batch, known, {.cluster = slots(8), .policy = "fifo"}, now);
  EXPECT_NEAR(seconds(outlook.of("b")->start->p50), 10, 2);
  EXPECT_EQ(outlook.of("held"), nullptr);
  EXPECT_EQ(outlook.of("behind"), nullptr);
  EXPECT_NEAR(seconds(outlook.of("later")->start->p50), 60, 0.1);
  const Outlook one =
      look_ahead(batch, known, {.cluster = slots(8), .policy = "fifo", .most_at_once = 1}, now);
  EXPECT_GT(seconds(one.of("later")->start->p50), 59);
  EXPECT_NEAR(seconds(one.of("b")->start->p50), 10, 2);
  batch.jobs[1].after = {};
  EXPECT_NEAR(
      seconds(look_ahead(batch, known, {.cluster = slots(8), .policy = "fifo"}, now).of("b")->start->p50), 0,
      0.1);
  EXPECT_NEAR(
      seconds(look_ahead(batch, known, {.cluster = slots(8), .policy = "fifo", .most_at_once = 1}, now)
                  .of("b")
                  ->start->p50),
      10, 2);
}

TEST(Outlook, SaysHowLikelyADeadlineIsMet) {
  LiveBatch batch;
  batch.jobs = {job_of("a", LiveState::waiting, 1, ms(100'000)),
                job_of("b", LiveState::waiting, 1, ms(100'000)),
                job_of("c", LiveState::waiting, 1, ms(100'000))};
  batch.jobs[0].deadline = now + ms(20'000);
  batch.jobs[1].deadline = now + ms(100'000);
  batch.jobs[2].deadline = now + ms(900'000);
  KnownJobs known;
  for (const LiveJob& job : batch.jobs) known[job.id] = known_job(job, lengths(ms(100'000)), std::nullopt);
  const Outlook outlook = look_ahead(batch, known, {.cluster = slots(3), .policy = "fifo"}, now);
  EXPECT_LT(*outlook.of("a")->on_time, 0.05);
  EXPECT_NEAR(*outlook.of("b")->on_time, 0.5, 0.25);
  EXPECT_GT(*outlook.of("c")->on_time, 0.95);
}

TEST(Outlook, NothingIsSaidOfWhatNobodyKnows) {
  LiveBatch batch;
  batch.jobs = {job_of("spark", LiveState::running, 0, {}), job_of("a", LiveState::waiting, 1, ms(1'000))};
  batch.jobs[1].after = {"spark"};
  KnownJobs known;
  known["spark"] = known_job(batch.jobs[0], nullptr, std::nullopt);
  known["a"] = known_job(batch.jobs[1], lengths(ms(1'000)), std::nullopt);
  EXPECT_TRUE(look_ahead(batch, known, {.cluster = slots(1), .policy = "fifo"}, now).jobs.empty());
  EXPECT_THROW((void)look_ahead(batch, known, {.cluster = slots(1), .policy = "none"}, now), UsageError);
}

TEST(Outlook, IsTheSameFromTheStore) {
  LiveBatch batch;
  batch.jobs = {job_of("a", LiveState::running, 10, ms(10'000)),
                job_of("b", LiveState::waiting, 2, ms(10'000))};
  batch.jobs[1].deadline = now + ms(200'000);
  KnownJobs known;
  known["a"] = known_job(batch.jobs[0], lengths(ms(10'000)), progress_of(10, 4, 1, ms(20'000), ms(5'000)));
  known["b"] = known_job(batch.jobs[1], lengths(ms(10'000)), std::nullopt);
  Outlook outlook = look_ahead(batch, known, {.cluster = slots(1), .policy = "fifo"}, now);
  const Outlook read = parse_outlook(outlook_text(outlook), "store");
  for (auto& [id, job] : outlook.jobs) {  // single tasks are not kept
    if (job.progress) job.progress->maps.tasks.clear();
  }
  EXPECT_EQ(read, outlook);
  EXPECT_THROW((void)parse_outlook("{}", "store"), InputError);
}

}  // namespace
}  // namespace wavewright
