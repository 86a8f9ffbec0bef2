// A large store and how long its queries take; bench/store calls it.
//
//   store_load URL fill RUNS    writes so many runs of 2,000 names, 50 users and 8 queues
//   store_load URL query        the slowest of five rounds of each query, as JSON
#include <chrono>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/store/packed.h"
#include "wavewright/store/phases.h"

namespace {

using namespace wavewright;

// Ten maps and two reduces, as Hadoop would tell them.
JobRun model() {
  JobRun run;
  run.id = "job_1500000000000_0000";
  run.submit = at_ms(1'500'000'000'000);
  run.launch = at_ms(1'500'000'002'000);
  run.finish = at_ms(1'500'000'062'000);
  run.total_maps = 10;
  run.total_reduces = 2;
  run.hadoop = "3.x jhist (Avro-Binary)";
  Random random(1, "store bench");
  for (int i = 0; i < 12; ++i) {
    TaskRun task;
    const bool map = i < 10;
    task.kind = map ? TaskKind::map : TaskKind::reduce;
    task.number = map ? i : i - 10;
    task.id = fmt::format("task_1500000000000_0000_{}_{:06}", map ? 'm' : 'r', task.number);
    task.state = AttemptState::succeeded;
    task.start = at_ms(1'500'000'005'000 + random.integer(0, 20'000));
    task.finish = *task.start + Duration(random.integer(10'000, 30'000));
    task.input = Bytes{134'217'728};
    Attempt attempt;
    attempt.id = fmt::format("attempt_1500000000000_0000_{}_{:06}_0", map ? 'm' : 'r', task.number);
    attempt.state = AttemptState::succeeded;
    attempt.start = task.start;
    attempt.finish = task.finish;
    attempt.node = fmt::format("node{}", random.integer(1, 40));
    attempt.rack = "/default-rack";
    task.successful_attempt = attempt.id;
    task.attempts.push_back(attempt);
    run.tasks.push_back(task);
  }
  return run;
}

void fill(Store& store, Count runs) {
  constexpr Count at_once = 2'000;
  JobRun made = model();
  const PackedRun packed = pack_run(made);
  Random random(2, "store bench");
  for (Count begin = 0; begin < runs; begin += at_once) {
    std::vector<PackedRun> batch;
    std::vector<ImportedFile> files;
    for (Count i = begin; i < std::min(runs, begin + at_once); ++i) {
      PackedRun run = packed;
      const std::int64_t submit = 1'500'000'000'000 + i * 60'000 + random.integer(0, 59'999);
      run.header.id = fmt::format("job_{}_{:04}", 1'500'000'000'000 + i / 10'000, i % 10'000);
      run.header.submit = at_ms(submit);
      run.header.finish = at_ms(submit + 62'000);
      // A few names have most of the runs, as on real clusters.
      const std::int64_t name = random.integer(0, 9) < 5 ? random.integer(0, 19) : random.integer(20, 1'999);
      run.header.name = fmt::format("{}-{:04}", name % 3 == 0 ? "nightly-etl" : "report", name);
      run.header.user = fmt::format("user{:02}", random.integer(0, 49));
      run.header.queue = fmt::format("root.q{}", random.integer(0, 7));
      run.header.state = random.integer(0, 99) < 97 ? RunState::succeeded : RunState::failed;
      run.header.source = fmt::format("/mr-history/done/2017/{:06}/{}.jhist", i / 1'000, run.header.id);
      made.id = run.header.id;
      made.submit = run.header.submit;
      made.finish = run.header.finish;
      made.name = run.header.name;
      made.user = run.header.user;
      made.queue = run.header.queue;
      made.state = run.header.state;
      run.phases = phases_text_of(made);  // those of another run would be computed anew when they are read
      run.identity = fmt::format("{}@{}", run.header.id, submit);
      files.push_back({run.header.source, "45000@1", 1, {}});
      batch.push_back(std::move(run));
    }
    (void)store.add(batch, files);
  }
}

template <class Work>
void measure(const std::string& name, Work work) {
  double slowest = 0;
  std::size_t found = 0;
  for (int round = 0; round < 5; ++round) {
    const auto began = std::chrono::steady_clock::now();
    found = work();
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - began;
    slowest = std::max(slowest, spent.count());
  }
  std::cout << fmt::format("{{\"query\":\"{}\",\"found\":{},\"slowest_ms\":{:.2f}}}\n", name, found, slowest);
}

void query(const Store& store) {
  const auto list = [&](const std::string& name, RunFilter filter) {
    filter.limit = 1'001;
    measure(name, [&] { return store.headers(filter).size(); });
  };
  const Count runs = store.run_count();
  const Time middle = at_ms(1'500'000'000'000 + runs / 2 * 60'000);
  list("newest 1,000", {});
  list("one frequent name", {.name = "nightly-etl-0003"});
  list("one rare name", {.name = "Report-1001"});
  list("name pattern, many", {.name = "nightly*"});
  list("name pattern, few", {.name = "*-1001"});
  list("name pattern, none", {.name = "*nothing*"});
  list("user", {.user = "user07"});
  list("user pattern", {.user = "*07"});
  list("queue", {.queue = "root.q3"});
  list("state, rare", {.state = RunState::failed});
  list("state, frequent", {.state = RunState::succeeded});
  list("user and queue and state", {.user = "user07", .queue = "root.q3", .state = RunState::failed});
  list("times in the middle", {.from = middle, .to = middle + std::chrono::hours(24)});
  list("name and times", {.name = "report-0001", .from = middle, .to = middle + std::chrono::hours(2'000)});
  list("id", {.id = "job_1500000000001_0042"});
  list("id pattern", {.id = "job_1500000000001_00*"});
  measure("count of all runs", [&] { return static_cast<std::size_t>(store.run_count()); });
  measure("every name", [&] { return store.names().size(); });
  measure("known name", [&] { return store.known_name("REPORT-1001").size(); });
  measure("phases of one name, newest 1,000", [&] { return load_phases(store, "nightly-etl-0003").size(); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.size() == 3 && words[1] == "fill") {
      Store store = Store::open(words[0], Store::Access::create);
      fill(store, std::atoll(words[2].c_str()));
      return 0;
    }
    if (words.size() == 2 && words[1] == "query") {
      query(Store::open(words[0], Store::Access::existing));
      return 0;
    }
    std::cerr << "store_load URL fill RUNS | store_load URL query\n";
    return 2;
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.status());
  }
}
