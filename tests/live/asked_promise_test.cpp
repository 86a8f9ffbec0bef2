// Counter-offers by trials on one standing are those that are worked out plainly.
#include "wavewright/live/promise/asked_promise.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/live/plain_promises.h"
#include "tests/property.h"

namespace wavewright {
namespace {

constexpr Time start = at_ms(1'790'000'000'000);

struct Question {
  LiveBatch batch;
  ProgressByJob progress;
  PromiseRules rules;
  LiveJob job;
};

Duration some_time(std::int64_t least, std::int64_t most) {
  return ms(*rc::gen::inRange<std::int64_t>(least, most));
}

StageProgress some_stage(Count total, Count most_running) {
  StageProgress stage{.total = total};
  stage.done = *rc::gen::inRange<Count>(0, total + 1);
  stage.running = std::min(*rc::gen::inRange<Count>(0, most_running + 1), total - stage.done);
  for (Count i = 0; i < stage.running; ++i) stage.tasks.push_back({.length = some_time(0, 60)});
  return stage;
}

LiveJob some_job(std::string id) {
  LiveJob job;
  job.id = std::move(id);
  job.bounds = TaskBounds{*rc::gen::inRange<Count>(0, 7), *rc::gen::inRange<Count>(0, 4), some_time(1, 60),
                          some_time(1, 60)};
  job.promise = DeadlinePromise{start + some_time(-20, 20), {}, "max"};
  job.deadline = start + some_time(-20, *rc::gen::element(80, 400));
  if (*rc::gen::inRange(0, 8) == 0) job.map_drift = 1.5;
  return job;
}

// Jobs that wait, that are there and that run, promised or not; some are late whatever is asked.
Question some_question() {
  Question made;
  made.rules.slots = {*rc::gen::inRange<Count>(1, 5), *rc::gen::inRange<Count>(1, 4)};
  if (*rc::gen::arbitrary<bool>()) {
    made.rules.delays = {.first = some_time(0, 4),
                         .ready = some_time(0, 4),
                         .map = some_time(0, 8),
                         .reduce = some_time(0, 8)};
  }
  const int jobs = *rc::gen::inRange(0, 14), ways = *rc::gen::element(1, 5);
  for (int i = 0; i < jobs; ++i) {
    LiveJob job = some_job(fmt::format("J{}", *rc::gen::inRange(0, 4) * 100 + i));
    const int state = *rc::gen::inRange(0, 3 * ways);
    if (state == 0) job.state = LiveState::accepted;
    if (state == 1) {
      job.state = LiveState::running;
      JobProgress seen;
      seen.at = start - some_time(0, 5);
      seen.maps = some_stage(job.bounds->maps, 3);
      seen.reduces = some_stage(job.bounds->reduces, seen.maps.done == seen.maps.total ? 2 : 1);
      if (*rc::gen::inRange(0, 6) > 0) made.progress[job.id] = seen;
    }
    if (*rc::gen::inRange(0, 5) == 0) job.promise.reset();
    if (!job.promise && *rc::gen::inRange(0, 5) == 0) job.bounds.reset();
    made.batch.jobs.push_back(job);
  }
  made.job = some_job("asked");
  if (made.job.bounds->maps + made.job.bounds->reduces == 0) made.job.bounds->maps = 1;
  made.job.deadline = start + some_time(1, 200);
  if (*rc::gen::inRange(0, 4) == 0) made.job.state = LiveState::accepted;
  return made;
}

TEST(AskedPromise, TellsWhatIsWorkedOutPlainly) {
  int refused = 0, harmed = 0, with_deadline = 0, with_slots = 0, one = 0, several = 0, there = 0;
  holds_always(
      [&] {
        const Question asked = some_question();
        const PlainAsked plain(asked.batch, asked.progress, asked.rules, asked.job, start);
        const AskedPromise fast(jobs_of(asked.batch), asked.progress, asked.rules, asked.job, start);
        const PlainAsked::Answer answer = plain.try_with(*asked.job.deadline);
        RC_ASSERT(fast.answer().end == answer.end);
        RC_ASSERT(fast.answer().late == answer.late);
        if (fast.is_in_time()) return;
        const auto earliest = plain.earliest_deadline();
        const auto lacks = plain.lacks();
        const std::vector<std::string> gives_way = plain.give_way();
        ++refused;
        harmed += answer.late.empty() ? 0 : 1;
        with_deadline += earliest ? 1 : 0;
        with_slots += lacks ? 1 : 0;
        one += gives_way.size() == 1 ? 1 : 0;
        several += gives_way.size() > 1 ? 1 : 0;
        for (const LiveJob& job : asked.batch.jobs) {
          if (is_there(job) && std::find(gives_way.begin(), gives_way.end(), job.id) != gives_way.end())
            ++there;
        }
        RC_ASSERT(fast.earliest_deadline() == earliest);
        RC_ASSERT(fast.lacks() == lacks);
        RC_ASSERT(fast.give_way() == gives_way);
      },
      6'000);
  EXPECT_GT(refused, rare(1'000));
  EXPECT_GT(harmed, rare(200));
  EXPECT_GT(with_deadline, rare(500));
  EXPECT_GT(with_slots, rare(200));
  EXPECT_GT(one, rare(200));
  EXPECT_GT(several, rare(50));
  EXPECT_GT(there, rare(50));
}

}  // namespace
}  // namespace wavewright
