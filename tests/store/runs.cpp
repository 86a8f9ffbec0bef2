#include "tests/store/runs.h"

#include <tuple>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "wavewright/core/random.h"

namespace wavewright {

namespace {

std::optional<Time> any_time() {
  const int kind = *rc::gen::inRange(0, 4);
  if (kind == 0) return std::nullopt;
  if (kind == 1) return at_ms(*rc::gen::arbitrary<std::int64_t>());
  return at_ms(1'700'000'000'000 + *rc::gen::inRange(0, 1'000'000));
}

std::optional<Bytes> any_bytes() {
  if (*rc::gen::inRange(0, 3) == 0) return std::nullopt;
  return Bytes{*rc::gen::arbitrary<std::int64_t>()};
}

std::string any_text() {
  return *rc::gen::oneOf(rc::gen::string<std::string>(), rc::gen::element<std::string>("node1", "node2", ""));
}

Attempt any_attempt(const std::string& task) {
  Attempt attempt;
  attempt.number = *rc::gen::oneOf(rc::gen::inRange(0, 4), rc::gen::arbitrary<int>());
  attempt.id = *rc::gen::element(
      fmt::format("attempt_{}_{}", task.substr(std::min<std::size_t>(5, task.size())), attempt.number),
      any_text());
  attempt.state = static_cast<AttemptState>(*rc::gen::inRange(0, 4));
  attempt.start = any_time();
  attempt.finish = any_time();
  attempt.shuffle_finish = any_time();
  attempt.sort_finish = any_time();
  attempt.map_finish = any_time();
  attempt.node = any_text();
  attempt.rack = any_text();
  attempt.error = any_text();
  return attempt;
}

TaskRun any_task(int number) {
  TaskRun task;
  task.kind = static_cast<TaskKind>(*rc::gen::inRange(0, 4));
  task.number = *rc::gen::oneOf(rc::gen::just(number), rc::gen::arbitrary<int>());
  task.id = *rc::gen::element(fmt::format("task_1_0001_m_{:06}", task.number), any_text());
  task.state = static_cast<AttemptState>(*rc::gen::inRange(0, 4));
  task.start = any_time();
  task.finish = any_time();
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) task.split_nodes.push_back(any_text());
  task.input = any_bytes();
  task.output = any_bytes();
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) task.attempts.push_back(any_attempt(task.id));
  const int winner = *rc::gen::inRange(0, 3);
  if (winner == 1) task.successful_attempt = any_text();
  if (winner == 2 && !task.attempts.empty()) task.successful_attempt = task.attempts.back().id;
  return task;
}

auto fields(const Attempt& a) {
  return std::tie(a.id, a.number, a.state, a.start, a.finish, a.shuffle_finish, a.sort_finish, a.map_finish,
                  a.node, a.rack, a.error);
}
auto fields(const MasterRun& m) {
  return std::tie(m.number, m.start, m.node);
}
auto fields(const TaskRun& t) {
  return std::tie(t.id, t.kind, t.number, t.state, t.start, t.finish, t.split_nodes, t.input, t.output,
                  t.successful_attempt);
}

}  // namespace

JobRun any_run() {
  JobRun run;
  run.id = *rc::gen::element<std::string>("job_1_0001", "", "odd id", "job_");
  run.diagnostics_text = any_text();
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
    run.counters[any_text()] = *rc::gen::arbitrary<std::int64_t>();
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) run.settings[any_text()] = any_text();
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
    run.quality_warnings[any_text()] = *rc::gen::arbitrary<std::int64_t>();
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
    run.masters.push_back({*rc::gen::arbitrary<int>(), any_time(), any_text()});
  const int tasks = *rc::gen::inRange(0, 8);
  for (int i = 0; i < tasks; ++i) run.tasks.push_back(any_task(i));
  return run;
}

JobRun plausible_run(int number, int maps, int reduces) {
  JobRun run;
  const std::string suffix = fmt::format("1700000000000_{:04}", number);
  run.id = "job_" + suffix;
  run.name = "WordCount";
  run.user = "Ada";
  run.queue = "root.default";
  run.state = RunState::succeeded;
  const std::int64_t begin = 1'700'000'000'000 + number * std::int64_t{1'000'000};
  run.submit = at_ms(begin);
  run.launch = at_ms(begin + 5'000);
  run.masters = {{1, at_ms(begin + 2'500), "node7"}};
  run.total_maps = maps;
  run.total_reduces = reduces;
  run.hadoop = "3.x jhist (Avro-Binary)";
  run.source = fmt::format("/histories/{}.jhist", run.id);
  run.counters["org.apache.hadoop.mapreduce.TaskCounter/MAP_INPUT_RECORDS"] = 1'234'567;
  Random random(1, "plausible", static_cast<std::uint64_t>(number));
  std::int64_t finish = begin;
  for (int i = 0; i < maps + reduces; ++i) {
    const bool map = i < maps;
    TaskRun task;
    task.kind = map ? TaskKind::map : TaskKind::reduce;
    task.number = map ? i : i - maps;
    task.id = fmt::format("task_{}_{}_{:06}", suffix, map ? 'm' : 'r', task.number);
    task.state = AttemptState::succeeded;
    const std::int64_t start = begin + 6'000 + i / 40 * 20'000 + random.integer(0, 999);
    const std::int64_t length = random.integer(18'000, 21'000);
    task.start = at_ms(start - 30);
    task.finish = at_ms(start + length + 12);
    task.input = Bytes{134'217'728};
    task.output = Bytes{random.integer(40'000'000, 41'000'000)};
    for (int k = 0; k < 3 && map; ++k)
      task.split_nodes.push_back(fmt::format("node{}", random.integer(1, 40)));
    Attempt attempt;
    attempt.id = fmt::format("attempt_{}_{}_{:06}_0", suffix, map ? 'm' : 'r', task.number);
    attempt.state = AttemptState::succeeded;
    attempt.start = at_ms(start);
    attempt.finish = at_ms(start + length);
    if (map) attempt.map_finish = at_ms(start + length - 40);
    if (!map) attempt.shuffle_finish = at_ms(start + length / 2);
    if (!map) attempt.sort_finish = at_ms(start + length / 2 + 90);
    attempt.node = fmt::format("node{}", random.integer(1, 40));
    attempt.rack = "/rack" + std::to_string(random.integer(1, 4));
    task.successful_attempt = attempt.id;
    task.attempts.push_back(attempt);
    finish = std::max(finish, start + length);
    run.tasks.push_back(task);
  }
  run.finish = at_ms(finish + 1'500);
  return run;
}

JobRun moved(JobRun run, Duration later) {
  for (std::optional<Time>* instant : {&run.submit, &run.launch, &run.finish}) {
    if (*instant) **instant += later;
  }
  return run;
}

bool same(const std::vector<MasterRun>& a, const std::vector<MasterRun>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const MasterRun& x, const MasterRun& y) { return fields(x) == fields(y); });
}

bool same(const TaskRun& a, const TaskRun& b) {
  return fields(a) == fields(b) &&
         std::equal(a.attempts.begin(), a.attempts.end(), b.attempts.begin(), b.attempts.end(),
                    [](const Attempt& x, const Attempt& y) { return fields(x) == fields(y); });
}

}  // namespace wavewright
