// How long one step of the driver of a live batch takes, with many jobs in the queue and many on the cluster.
// A second passes between two steps: a job ends, another is submitted, and a third comes. Journal and cluster
// answer at once: what is timed is our own work. In some cases the dispatching queue orders the jobs; then
// each step may be told that a job has drifted, so that all that wait are ordered anew in it. Prints JSON.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "wavewright/dispatch/ordering_engine.h"
#include "wavewright/live/batch/batch_driver.h"

namespace {

using namespace wavewright;

class InMemory : public Journal, public ClusterDriver, public Clocks {
 public:
  InMemory(std::size_t queued, std::size_t running, const std::optional<LiveOrdering>& ordering) {
    batch_.name = batch_.tag = "bench";
    batch_.ordering = ordering;
    for (std::size_t i = 0; i < queued + running; ++i) {
      LiveJob job = job_at(i);
      if (i < running) {
        job.after.clear();
        begin(job);
      }
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
  // A user adds a job.
  void add_one() { batch_.jobs.push_back(job_at(batch_.jobs.size())); }
  void pass(Duration time) { now_ += time; }

  LiveBatch lead() override { return batch_; }
  void write(const JournalEntry& /*entry*/) override {}
  void beat() override {}
  std::vector<LiveJob> added(std::size_t known) override {
    return {batch_.jobs.begin() + static_cast<std::ptrdiff_t>(known), batch_.jobs.end()};
  }
  std::vector<JobWish> wishes() override { return {}; }

  // As YARN's REST interface is read: a list of applications with their tags.
  Applications applications(const std::string& /*tag*/) override {
    if (list_.size() > 1'500) list_.erase(list_.begin(), list_.begin() + 500);
    return {list_, mark_};
  }
  std::optional<Application> ended_application(const std::string& /*id*/) override { return std::nullopt; }
  std::vector<Application> ended_with(const std::string& /*tag*/, Time /*since*/) override { return {}; }
  void kill_application(const ClientAttempt& /*attempt*/, const std::vector<std::string>& /*command*/,
                        const std::string& /*id*/) override {}
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
  // Each tenth one waits for the one before it.
  static LiveJob job_at(std::size_t i) {
    LiveJob job;
    job.id = fmt::format("job-{:06}", i);
    job.name = job.profile = fmt::format("nightly-{}", i % 97);
    job.tag = "wavewright-bench-1790000000000-" + job.id;
    job.command = {"hadoop", "jar", "etl.jar", "com.example.Etl", "-D", "mapreduce.job.tags=" + job.tag,
                   "/in",    "/out"};
    job.maps = {static_cast<Count>(1 + i % 50), ms(30'000)};
    job.reduces = {static_cast<Count>(1 + i % 7), ms(60'000)};
    if (i > 0 && i % 10 == 0) job.after = {fmt::format("job-{:06}", i - 1)};
    return job;
  }
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

// `engine`: sim and alg order by a rule, sim also by a search over all orders of a few jobs. Planners search
// longer: no limit is promised of them.
struct Case {
  const char* when = nullptr;    // null = as listed
  const char* engine = nullptr;  // null = as listed
  bool planner = false;
  bool drifts = false;
};
constexpr std::array cases = {Case{nullptr, nullptr},
                              Case{"tp-fti(1s)", "sim"},
                              Case{"tp-fti(1s)", "alg"},
                              Case{"tp-ati(10s)", "sim"},
                              Case{"pnj(7)", "sim"},
                              Case{"tp-fti(1s)", "sim", false, true},
                              Case{"tp-fti(1s)", "alg", false, true},
                              Case{"tp-fti(1s)", "genetic(population=20)", true},
                              Case{"tp-fti(1s)", "genetic(population=20)", true, true},
                              Case{"tp-fti(1s)", "best", true, true}};

std::optional<LiveOrdering> ordering_of(const Case& each) {
  if (each.engine == nullptr) return std::nullopt;
  OrderingEngine engine;
  set_engine(engine, each.engine);
  return LiveOrdering{
      .when = each.when, .mode = engine.mode, .pool = {1'000, 500}, .planned = engine.planned};
}

// A job that runs; the last one, as the first ends next.
std::string running_job(const LiveBatch& batch) {
  const auto found = std::find_if(batch.jobs.rbegin(), batch.jobs.rend(),
                                  [](const LiveJob& job) { return job.state == LiveState::running; });
  return found == batch.jobs.rend() ? std::string() : found->id;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t queued = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000;
  const std::size_t running = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 500;
  fmt::print("[");
  for (const Case& each : cases) {
    const int steps = each.drifts ? 300 : 1'000;
    InMemory world(queued, running, ordering_of(each));
    BatchDriver driver(world, world, world);
    driver.step();
    std::vector<double> times;
    for (int i = 0; i < steps; ++i) {
      world.end_one();
      world.add_one();
      world.pass(ms(1'000));
      const std::string drifts = each.drifts ? running_job(*driver.batch()) : "";
      const auto begin = std::chrono::steady_clock::now();
      if (!drifts.empty()) driver.drifted(drifts, i % 2 == 0 ? 1.5 : 1.0, std::nullopt, "its maps drift");
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
        "{}{{\"when\": \"{}\", \"engine\": \"{}\", \"planner\": {}, \"all_anew\": {}, \"queued\": {}, "
        "\"running\": {}, \"steps\": {}, \"done\": {}, \"p50_ms\": {:.3f}, \"p99_ms\": {:.3f}, "
        "\"most_ms\": {:.3f}}}",
        &each == cases.data() ? "" : ",\n ", each.when == nullptr ? "" : each.when,
        each.engine == nullptr ? "" : each.engine, each.planner, each.drifts, queued, running, steps, done,
        times[times.size() / 2], times[times.size() * 99 / 100], times.back());
  }
  fmt::print("]\n");
  return 0;
}
