// Jobs that ended long ago leave the batch of a daemon, so that its steps and its memory stay as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "wavewright/live/batch/batch_driver.h"
#include "wavewright/live/batch/ended_jobs.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// Journal, cluster and clocks without faults. An application runs for `length`, its command likewise.
class World : public Journal, public ClusterDriver, public Clocks {
 public:
  Duration now = ms(1'000'000);
  Duration length = ms(1'500);
  std::vector<LiveJob> all;             // ever added
  std::map<std::string, LiveJob> past;  // by id
  std::map<std::string, int> started;   // by tag
  std::vector<std::string> forgotten;   // tag/attempt
  std::vector<JobWish> asked;
  LiveBatch batch;

  LiveJob& add(const std::string& id, std::vector<std::string> after = {}) {
    LiveJob job;
    job.id = id;
    job.tag = "tag-" + id;
    job.command = {"submit", id};
    job.after = std::move(after);
    all.push_back(job);
    batch.jobs.push_back(job);
    return batch.jobs.back();
  }
  void wish(const std::string& job, Wish what) { asked.push_back({std::to_string(asked.size()), job, what}); }

  LiveBatch lead() override {
    batch.added = std::ssize(all);
    return batch;
  }
  void write(const JournalEntry& entry) override {
    for (const LiveJob& job : entry.jobs) *find(job.id) = job;
    for (const LiveJob& job : entry.archived) {
      EXPECT_EQ(*find(job.id), job) << "not as it was last written";
      EXPECT_TRUE(has_ended(job.state));
      EXPECT_TRUE(past.emplace(job.id, job).second) << job.id << " is archived twice";
      batch.jobs.erase(find(job.id));
    }
    std::erase_if(asked, [&](const JobWish& wish) {
      return std::find(entry.granted.begin(), entry.granted.end(), wish.key) != entry.granted.end();
    });
  }
  void beat() override {}
  std::vector<LiveJob> added(std::size_t known) override {
    return {all.begin() + static_cast<std::ptrdiff_t>(known), all.end()};
  }
  std::vector<JobWish> wishes() override { return asked; }

  Applications applications(const std::string& /*tag*/) override {
    std::erase_if(list_, [&](const Application& each) { return since(each) > ms(3'600'000); });
    Applications seen;
    for (Application each : list_) {
      if (since(each) >= length) {
        each.state = ApplicationState::succeeded;
        each.ended_at = *each.started_at + length;
      }
      seen.list.push_back(each);
    }
    return seen;
  }
  std::optional<Application> ended_application(const std::string& /*id*/) override { return std::nullopt; }
  std::vector<Application> ended_with(const std::string& /*tag*/, Time /*since*/) override { return {}; }
  void kill_application(const ClientAttempt& /*attempt*/, const std::vector<std::string>& /*command*/,
                        const std::string& /*id*/) override {}
  std::string machine() override { return "here"; }
  void start(const ClientAttempt& attempt, const std::vector<std::string>& /*command*/) override {
    ++started[attempt.tag];
    Application application{.id = fmt::format("application_1_{}", ++applications_),
                            .state = ApplicationState::running,
                            .tags = {attempt.tag}};
    application.accepted_at = application.started_at = wall();
    list_.push_back(application);
    begun_[attempt.tag] = now;
  }
  Client client(const ClientAttempt& attempt) override {
    const auto begun = begun_.find(attempt.tag);
    if (begun == begun_.end()) return {ClientState::never, 0, {}};
    return {now - begun->second >= length ? ClientState::ended : ClientState::alive, 0, {}};
  }
  void kill_client(const ClientAttempt& /*attempt*/) override {}
  void forget(const ClientAttempt& attempt) override {
    forgotten.push_back(fmt::format("{}/{}", attempt.tag, attempt.number));
    begun_.erase(attempt.tag);
  }
  Time wall() override { return at_ms(1'790'000'000'000) + now; }
  Duration steady() override { return now; }

 private:
  std::vector<LiveJob>::iterator find(const std::string& id) {
    return std::find_if(batch.jobs.begin(), batch.jobs.end(),
                        [&](const LiveJob& job) { return job.id == id; });
  }
  [[nodiscard]] Duration since(const Application& each) { return wall() - *each.started_at; }

  std::vector<Application> list_;
  std::map<std::string, Duration> begun_;
  int applications_ = 0;
};

DriverOptions keeping(Duration keep, std::size_t most = 10'000) {
  DriverOptions options;
  options.keep_ended = keep;
  options.most_ended = most;
  return options;
}

std::vector<std::string> ids_of(const LiveBatch& batch) {
  std::vector<std::string> ids;
  for (const LiveJob& job : batch.jobs) ids.push_back(job.id);
  return ids;
}

void run(World& world, BatchDriver& driver, int steps, Duration every = ms(1'000)) {
  for (int i = 0; i < steps; ++i) {
    driver.step();
    world.now += every;
  }
}

TEST(Archive, ABatchStaysSmallWhileJobsComeForWeeks) {
  World world;
  auto driver = std::make_unique<BatchDriver>(world, world, world, keeping(ms(3'600'000), 40));
  std::size_t most = 0, told = 0;
  const int jobs = 3'000;
  for (int i = 0; i < jobs; ++i) {
    world.add(fmt::format("J{}", i),
              i % 7 == 0 && i > 0 ? std::vector{fmt::format("J{}", i - 1)} : std::vector<std::string>{});
    run(world, *driver, 4, ms(2'000 + 100 * (i % 50)));
    told += driver->take_archived().size();
    most = std::max(most, driver->batch()->jobs.size());
    EXPECT_EQ(driver->batch()->jobs, world.batch.jobs) << "driver and journal differ after " << i;
    if (i % 500 == 499) {  // another program goes on
      driver = std::make_unique<BatchDriver>(world, world, world, keeping(ms(3'600'000), 40));
      run(world, *driver, 1);
    }
  }
  run(world, *driver, 20, ms(10'000));
  told += driver->take_archived().size();
  EXPECT_LE(most, 60U);
  EXPECT_THAT(world.started, SizeIs(jobs));
  for (const auto& [tag, times] : world.started) EXPECT_EQ(times, 1) << tag;
  EXPECT_GE(world.past.size(), static_cast<std::size_t>(jobs) - 40);
  EXPECT_EQ(told, world.past.size());
  for (const auto& [id, job] : world.past) EXPECT_EQ(job.state, LiveState::done) << id;
}

TEST(Archive, AJobStaysAsLongAsAnotherWaitsForIt) {
  World world;
  world.add("first");
  world.add("other");
  world.add("later", {"first"}).not_before = world.wall() + ms(7'200'000);
  world.all.back().not_before = world.batch.jobs.back().not_before;
  BatchDriver driver(world, world, world, keeping(ms(60'000)));
  run(world, driver, 200);
  EXPECT_THAT(ids_of(*driver.batch()), ElementsAre("first", "later"));
  EXPECT_THAT(world.forgotten, ElementsAre("tag-other/1"));
  run(world, driver, 200, ms(60'000));
  EXPECT_THAT(ids_of(*driver.batch()), IsEmpty());
  EXPECT_EQ(world.past.at("later").state, LiveState::done);
  EXPECT_TRUE(driver.finished());
  world.add("new");
  run(world, driver, 5);
  EXPECT_EQ(world.batch.jobs.at(0).state, LiveState::done);
}

TEST(Archive, WithoutATimeAllJobsStay) {
  World world;
  world.add("a");
  BatchDriver driver(world, world, world);
  run(world, driver, 300, ms(3'600'000));
  EXPECT_THAT(ids_of(*driver.batch()), ElementsAre("a"));
  EXPECT_THAT(world.past, IsEmpty());
}

TEST(Archive, JobsEndBeforeTheyLeaveAndTheEarliestLeaveFirst) {
  World world;
  world.length = ms(600'000);
  for (const char* id : {"a", "b", "c", "d"}) world.add(id);
  BatchDriver driver(world, world, world, keeping(ms(86'400'000), 2));
  run(world, driver, 300);
  EXPECT_THAT(world.past, IsEmpty()) << "they run";
  run(world, driver, 700);
  EXPECT_THAT(world.forgotten, UnorderedElementsAre("tag-a/1", "tag-b/1"));
  EXPECT_THAT(ids_of(*driver.batch()), ElementsAre("c", "d"));
}

TEST(Archive, AJobCancelledInTheDispatchingQueueStaysUntilItsRound) {
  World world;
  world.batch.ordering = LiveOrdering{.when = "pnj(3)", .mode = OrderingMode::alg, .pool = {4, 2}};
  world.add("a");
  world.add("b");
  BatchDriver driver(world, world, world, keeping(ms(0)));
  run(world, driver, 3);
  world.wish("a", Wish::cancel);
  run(world, driver, 100);
  EXPECT_THAT(ids_of(*driver.batch()), ElementsAre("a", "b")) << "the round has not come";
  world.add("c");
  run(world, driver, 100);
  EXPECT_THAT(ids_of(*driver.batch()), IsEmpty());
  EXPECT_EQ(world.past.at("a").state, LiveState::cancelled);
  EXPECT_EQ(world.past.at("c").state, LiveState::done);
}

LiveJob ended(const std::string& id, std::int64_t at, LiveState state = LiveState::done) {
  LiveJob job;
  job.id = id;
  job.state = state;
  job.ended_at = at_ms(at);
  return job;
}

TEST(EndedJobs, APageIsOfBothSourcesAndShowsNoJobTwice) {
  const auto shown = [](const JobPage& page) {
    std::string text;
    for (const LiveJob& job : page.jobs) text += job.id;
    return text + (page.more ? "+" : "");
  };
  const std::vector<LiveJob> live = {ended("e", 5), ended("c", 3)},
                             past = {ended("d", 4), ended("c", 3), ended("a", 1)};
  EXPECT_EQ(shown(ended_page(live, past, 10)), "edca");
  EXPECT_EQ(shown(ended_page(live, past, 4)), "edca");
  EXPECT_EQ(shown(ended_page(live, past, 3)), "edc+");
  EXPECT_EQ(shown(ended_page({}, {}, 3)), "");
}

TEST(EndedJobs, JobsOfOneInstantHaveAnOrder) {
  const LiveJob a = ended("a", 1), b = ended("b", 1);
  EXPECT_NE(ended_place(a) < ended_place(b), ended_place(b) < ended_place(a));
  const EndedQuestion behind{.behind = std::max(ended_place(a), ended_place(b))};
  EXPECT_NE(is_asked_for(behind, a), is_asked_for(behind, b));
  EXPECT_FALSE(is_asked_for({}, ended("a", 1, LiveState::running)));
  EXPECT_FALSE(is_asked_for({.state = LiveState::failed}, a));
}

}  // namespace
}  // namespace wavewright
