// Speed of promises on a live cluster [wavewright/live/promise/promises.h]: one job against many promised
// jobs that wait.
//
//   promise_speed [JOBS [MAP_SLOTS [REDUCE_SLOTS [PLAIN]]]]      10000 4000 1000 200
//
// Prints the time of a promise, of a refusal with all that would do instead, and of a look at all promises.
// The refusals are of a job that is due too early at several places of the queue, and of one that would make
// another late. Beside it, with PLAIN jobs, the same refusals worked out plainly
// (tests/live/plain_promises.h).
#include <chrono>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "tests/live/plain_promises.h"
#include "wavewright/core/random.h"
#include "wavewright/live/promise/promises.h"

using namespace wavewright;  // NOLINT(google-build-using-namespace)

namespace {

constexpr Time start = at_ms(1'790'000'000'000);

Count argument(int count, char** values, int at, Count otherwise) {
  return count > at ? std::atoll(values[at]) : otherwise;
}

template <class Work>
double ms_of(Work&& work) {
  const auto from = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
}

struct Waiting {
  LiveBatch batch;
  PromiseRules rules;
  Duration length{};  // of the queue

  // Each job is due `room` after it would end behind all before it; in the end, some at once.
  Waiting(std::size_t jobs, SlotPool slots) {
    rules = {slots, {.first = ms(1'000), .map = ms(5'000), .reduce = ms(5'000)}};
    Random random(1, "promise_speed");
    double maps = 0;
    for (std::size_t i = 0; i < jobs; ++i) {
      LiveJob job = a_job(fmt::format("job-{}", i), 1 + static_cast<Count>(random.below(400)),
                          static_cast<Count>(random.below(80)),
                          ms(5'000 + static_cast<std::int64_t>(random.below(60'000))));
      maps += static_cast<double>(job.bounds->maps * to_ms(job.bounds->map + rules.delays.map));
      length = ms(static_cast<std::int64_t>(maps / static_cast<double>(slots.map_slots)));
      job.deadline = start + length + ms(600'000 + static_cast<std::int64_t>(random.below(300'000)));
      batch.jobs.push_back(job);
    }
  }
  static LiveJob a_job(const std::string& id, Count maps, Count reduces, Duration task) {
    LiveJob job;
    job.id = id;
    job.bounds = TaskBounds{maps, reduces, task, task};
    job.promise = DeadlinePromise{start, {}, "max"};
    return job;
  }
};

// A job that needs `tasks` maps, due at a share of the queue's length.
LiveJob due_at(const Waiting& waiting, double share, Count tasks) {
  LiveJob job = Waiting::a_job("asked", tasks, tasks / 5, ms(60'000));
  job.deadline =
      start + ms(static_cast<std::int64_t>(share * static_cast<double>(waiting.length.count())) + 130'000);
  return job;
}

void print(const Waiting& waiting, double share, Count tasks, bool plainly) {
  LiveJob job = due_at(waiting, share, tasks);
  std::optional<PromiseRefusal> refusal;
  const double took = ms_of([&] { refusal = ask_for_promise(waiting.batch, {}, waiting.rules, job, start); });
  fmt::print("due at {:.2f} of the queue, {} maps: ", share, tasks);
  if (!refusal) return fmt::print("promised, {:.1f} ms\n", took);
  fmt::print("refused, {:.1f} ms; earliest deadline {}, {} more slots, without {} jobs", took,
             refusal->earliest_deadline ? "known" : "none",
             refusal->lacks ? refusal->lacks->map_slots + refusal->lacks->reduce_slots : 0,
             refusal->give_way.size());
  if (plainly) {
    const ProgressByJob none;
    const double slow = ms_of([&] {
      const PlainAsked plain(waiting.batch, none, waiting.rules, job, start);
      (void)plain.earliest_deadline();
      (void)plain.lacks();
      (void)plain.give_way();
    });
    fmt::print("; plainly {:.0f} ms, {:.0f} times as long", slow, slow / took);
  }
  fmt::print("\n");
}

void measure(std::size_t jobs, SlotPool slots, bool plainly) {
  const Waiting waiting(jobs, slots);
  std::size_t at_risk = 0;
  const double look = ms_of([&] {
    for (const PromisedEnd& each : promised_ends(waiting.batch, {}, waiting.rules, start))
      at_risk += each.at_risk ? 1 : 0;
  });
  fmt::print("{} promised jobs wait, {} of them at risk; a look at all: {:.1f} ms\n", jobs, at_risk, look);
  for (const double share : {0.0, 0.1, 0.5, 1.0})
    for (const Count tasks : {200, 20'000}) print(waiting, share, tasks, plainly);
  print(waiting, 2, 200, plainly);
}

}  // namespace

int main(int count, char** values) {
  const SlotPool slots{argument(count, values, 2, 4000), argument(count, values, 3, 1000)};
  if (const Count plain = argument(count, values, 4, 200); plain > 0)
    measure(static_cast<std::size_t>(plain), slots, true);
  measure(static_cast<std::size_t>(argument(count, values, 1, 10'000)), slots, false);
}
