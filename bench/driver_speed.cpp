// How long one step of the driver of a live batch takes, with many jobs in the queue and many on the cluster.
// Journal and cluster answer at once: what is timed is our own work. Prints JSON.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "wavewright/live/batch/batch_driver.h"

namespace {

using namespace wavewright;

class InMemory : public Journal, public ClusterDriver, public Clocks {
 public:
  InMemory(std::size_t queued, std::size_t running, bool ordered) {
    batch_.name = batch_.tag = "bench";
    if (ordered) batch_.ordering = {.when = "tp-fti(1s)", .mode = OrderingMode::alg, .pool = {1'000, 500}};
    for (std::size_t i = 0; i < queued + running; ++i) {
      LiveJob job;
      job.id = fmt::format("job-{:06}", i);
      job.name = fmt::format("nightly-{}", i % 97);
      job.tag = "wavewright-bench-1790000000000-" + job.id;
      job.command = {"hadoop", "jar", "etl.jar", "com.example.Etl", "-D", "mapreduce.job.tags=" + job.tag,
                     "/in",    "/out"};
      job.maps = {static_cast<Count>(1 + i % 50), ms(30'000)};
      job.reduces = {static_cast<Count>(1 + i % 7), ms(60'000)};
      if (i < running) begin(job);
      // Each tenth job of the queue waits for one before it.
      if (i > running && i % 10 == 0) job.after = {fmt::format("job-{:06}", i - 1)};
      batch_.jobs.push_back(std::move(job));
    }
  }
  // The job that has run longest ends, and its command with it.
  void end_one() {
    for (Application& each : list_) {
      if (has_ended(each.state)) continue;
      each.state = ApplicationState::succeeded;
      each.ended_at = wall();
      ended_.push_back(each.tags[1]);
      ++mark_.ended;
      return;
    }
  }
  void pass(Duration time) { now_ += time; }

  LiveBatch lead() override { return batch_; }
  void write(const JournalEntry& /*entry*/) override {}
  void beat() override {}
  std::vector<LiveJob> added(std::size_t /*known*/) override { return {}; }
  std::vector<JobWish> wishes() override { return {}; }

  // As YARN's REST interface is read: a list of applications with their tags.
  Applications applications(const std::string& /*tag*/) override {
    if (list_.size() > 1'500) list_.erase(list_.begin(), list_.begin() + 500);
    return {list_, mark_};
  }
  std::optional<Application> ended_application(const std::string& /*id*/) override { return std::nullopt; }
  std::vector<Application> ended_with(const std::string& /*tag*/, Time /*since*/) override { return {}; }
  void kill_application(const std::string& /*id*/) override {}
  std::string machine() override { return "here"; }
  void start(const ClientAttempt& attempt, const std::vector<std::string>& /*command*/) override {
    list_.push_back(running_with(attempt.tag));
  }
  Client client(const ClientAttempt& attempt) override {
    const bool ended = std::find(ended_.begin(), ended_.end(), attempt.tag) != ended_.end();
    if (ended && ended_.size() > 100) ended_.erase(ended_.begin());
    return {ended ? ClientState::ended : ClientState::alive, 0, {}};
  }
  void kill_client(const ClientAttempt& /*attempt*/) override {}
  Time wall() override { return at_ms(1'790'000'000'000) + now_; }
  Duration steady() override { return now_; }

 private:
  Application running_with(const std::string& tag) {
    Application application;
    application.id = fmt::format("application_1790000000000_{:06}", ++applications_);
    application.state = ApplicationState::running;
    application.tags = {"bench", tag};
    application.accepted_at = application.started_at = wall();
    return application;
  }
  void begin(LiveJob& job) {
    list_.push_back(running_with(job.tag));
    job.state = LiveState::running;
    job.attempts = 1;
    job.machine = "here";
    job.submitting_since = job.accepted_at = job.started_at = wall();
    job.applications = {list_.back().id};
  }

  LiveBatch batch_;
  std::vector<Application> list_;
  std::vector<std::string> ended_;
  ListMark mark_;
  Duration now_ = ms(1'000);
  int applications_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::size_t queued = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000;
  const std::size_t running = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 500;
  constexpr int steps = 1'000;
  fmt::print("[");
  for (const bool ordered : {false, true}) {
    InMemory world(queued, running, ordered);
    BatchDriver driver(world, world, world);
    driver.step();
    std::vector<double> times;
    for (int i = 0; i < steps; ++i) {
      world.end_one();
      world.pass(ms(1'000));
      const auto begin = std::chrono::steady_clock::now();
      driver.step();
      times.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
      (void)driver.take_events();
      (void)driver.take_jobs();
    }
    std::sort(times.begin(), times.end());
    std::size_t done = 0;
    for (const LiveJob& job : driver.batch()->jobs) done += job.state == LiveState::done;
    fmt::print(
        "{}{{\"queued\": {}, \"running\": {}, \"dispatching_queue\": {}, \"steps\": {}, \"done\": {}, "
        "\"p50_ms\": {:.3f}, "
        "\"p99_ms\": {:.3f}, \"most_ms\": {:.3f}}}",
        ordered ? ",\n " : "", queued, running, ordered, steps, done, times[times.size() / 2],
        times[times.size() * 99 / 100], times.back());
  }
  fmt::print("]\n");
  return 0;
}
