// How many plans a second the evaluator of the planner's searches values, on one core.
//
//   evaluator_speed [KEY=VALUE ...]
//
// jobs=100 tasks=5000 (in all; two thirds of each job are maps) slots=64 (of each kind) seconds=1 (to
// measure) lengths=own (a length of its own for every task) or alike (one a job and stage) orders=random
// (each plan an order from scratch) or neighbours (one job at another place in the order of maps, of reduces
// or of both, as the searches change their plans). Prints one JSON object. The last order's value is held
// against the simulator's.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/orders.h"

using namespace wavewright;

namespace {

std::map<std::string, std::string> settings = {{"jobs", "100"},  {"tasks", "5000"},  {"slots", "64"},
                                               {"seconds", "1"}, {"lengths", "own"}, {"orders", "random"}};

Count count_of(const std::string& key) {
  return std::atoll(settings.at(key).c_str());
}

// Jobs of one to ten parts of the tasks, each of 5 to 60 s on average.
Workload batch_of(Random& random) {
  const bool alike = settings.at("lengths") == "alike";
  const Count jobs = count_of("jobs"), tasks = count_of("tasks");
  std::vector<double> parts;
  double all = 0;
  for (Count job = 0; job < jobs; ++job) parts.push_back(all += random.uniform(1, 10));
  Workload batch;
  Count given = 0;
  for (Count i = 0; i < jobs; ++i) {
    const auto until =
        static_cast<Count>(static_cast<double>(tasks) * parts[static_cast<std::size_t>(i)] / all + 0.5);
    const Count own = until - given, maps = (2 * own + 1) / 3;
    given = until;
    Job job;
    job.id = fmt::format("J{}", i);
    const auto fill = [&](std::vector<Duration>& stage, Count number) {
      const double mean = random.uniform(5'000, 60'000);
      for (Count task = 0; task < number; ++task)
        stage.push_back(ms(static_cast<std::int64_t>(mean * (alike ? 1 : random.uniform(0.5, 1.5)))));
    };
    fill(job.maps, maps);
    fill(job.reduces, own - maps);
    batch.jobs.push_back(std::move(job));
  }
  return batch;
}

void move_one(std::vector<JobIndex>& order, std::size_t from, std::size_t to) {
  const auto at = [&](std::size_t place) { return order.begin() + static_cast<std::ptrdiff_t>(place); };
  if (from < to) std::rotate(at(from), at(from + 1), at(to + 1));
  if (to < from) std::rotate(at(to), at(from), at(from + 1));
}

void measure() {
  Random random(1, "evaluator");
  const Workload batch = batch_of(random);
  const SlotPool pool{count_of("slots"), count_of("slots")};
  if (!ListSchedule::models(batch, {pool})) throw UsageError("such a batch has no list schedule", "");
  ListSchedule schedule(batch, pool);
  std::vector<JobIndex> maps = submission_order(batch), reduces = maps;
  const bool neighbours = settings.at("orders") == "neighbours",
             simulated = settings.at("orders") == "simulated";
  const TaskTable tasks(batch);
  const double limit = std::atof(settings.at("seconds").c_str());
  std::uint64_t plans = 0;
  double seconds = 0;
  const std::clock_t began = std::clock();
  do {
    if (neighbours) {
      const std::size_t from = random.below(maps.size()), to = random.below(maps.size());
      const std::uint64_t which = random.below(3);
      if (which != 0) move_one(maps, from, to);
      if (which != 1) move_one(reduces, from, to);
      static_cast<void>(schedule.value(maps, reduces));
    } else {
      random.shuffle(std::span(maps));
      static_cast<void>(simulated ? evaluate(tasks, maps, {pool}) : schedule.value(maps));
    }
    ++plans;
    seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  } while (seconds < limit);

  if (schedule.value(maps) != evaluate(TaskTable(batch), maps, {pool}))
    throw UsageError("the simulator says otherwise", "");
  fmt::print(
      "{{\"jobs\":{},\"tasks\":{},\"plans\":{},\"processor_seconds\":{:.6f},\"plans_per_second\":{:.1f},"
      "\"placements_per_second\":{:.0f}}}\n",
      batch.jobs.size(), schedule.tasks(), plans, seconds, static_cast<double>(plans) / seconds,
      static_cast<double>(plans * schedule.tasks()) / seconds);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos || !settings.contains(word.substr(0, equals)))
        throw UsageError("what is '" + word + "'?", "KEY=VALUE");
      settings[word.substr(0, equals)] = word.substr(equals + 1);
    }
    measure();
  } catch (const std::exception& error) {
    fmt::print(stderr, "evaluator_speed: {}\n", error.what());
    return 1;
  }
  return 0;
}
