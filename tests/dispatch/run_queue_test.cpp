// Whole workloads through the queue.
#include "wavewright/dispatch/run_queue.h"

#include <algorithm>

#include "tests/dispatch/arrivals.h"
#include "tests/property.h"
#include "wavewright/sched/policies/fifo.h"

namespace wavewright {
namespace {

std::unique_ptr<ReorderPolicy> some_policy() {
  return make_reorder_policy(*rc::gen::element<std::string>("pnj(1)", "pnj(3, at_latest=50ms)", "pnj(100)",
                                                            "tp-fti(20ms)", "tp-ati(20ms)", "tp-ati(1ms)"));
}

TEST(RunQueue, DispatchesEveryJobOnceAndNotBeforeItArrives) {
  holds_always(
      [] {
        const Workload arrivals = some_arrivals();
        const auto most = *rc::gen::inRange<std::size_t>(0, 4);
        DispatchQueue queue(some_policy(), {.pool = some_pool(), .search_up_to = 3}, most);
        const QueueRun run = run_queue(arrivals, queue);
        RC_ASSERT(queue.waiting().empty());
        RC_ASSERT(run.order.size() == arrivals.jobs.size());
        std::vector<JobIndex> sorted = run.order;
        std::sort(sorted.begin(), sorted.end());
        RC_ASSERT(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
        Time last{};
        for (std::size_t i = 0; i < run.order.size(); ++i) {
          const Job& arrived = arrivals.jobs[run.order[i]];
          const Job& dispatched = run.dispatched.jobs[i];
          RC_ASSERT(dispatched.id == arrived.id);
          RC_ASSERT(dispatched.maps == arrived.maps);
          RC_ASSERT(dispatched.submit >= arrived.submit);
          RC_ASSERT(dispatched.submit >= last);
          RC_ASSERT(dispatched.submit == run.rounds[run.round_of[run.order[i]]].at);
          last = dispatched.submit;
        }
        for (const Round& round : run.rounds) {
          RC_ASSERT(!round.jobs.empty());
          RC_ASSERT(most == 0 || round.jobs.size() <= most);
        }
      },
      500);
}

constexpr Time polled_until = at_ms(20'000);

// A daemon looks at its clock every `period`, and does at once what is due by then.
std::vector<Round> polled(const Workload& arrivals, DispatchQueue& queue, Duration period) {
  std::vector<Round> rounds;
  std::vector<bool> arrived(arrivals.jobs.size(), false);
  for (Time now{}; now < polled_until; now += period) {
    for (std::size_t i = 0; i < arrivals.jobs.size(); ++i) {
      if (arrived[i] || arrivals.jobs[i].submit > now) continue;
      arrived[i] = true;
      queue.arrive(now, waiting_job(arrivals.jobs[i]));
    }
    while (queue.next_decision() && *queue.next_decision() <= now) rounds.push_back(queue.decide(now));
  }
  return rounds;
}

TEST(RunQueue, IsWhatADaemonDoesThatLooksEveryMillisecond) {
  holds_always([] {
    Workload arrivals = some_arrivals();
    std::stable_sort(arrivals.jobs.begin(), arrivals.jobs.end(),
                     [](const Job& a, const Job& b) { return a.submit < b.submit; });
    const auto name = some_policy()->name();
    const OrderingEngine engine{.pool = some_pool(), .search_up_to = 3};
    DispatchQueue queue(make_reorder_policy(name), engine), same(make_reorder_policy(name), engine);
    const QueueRun run = run_queue(arrivals, queue);
    const std::vector<Round> rounds = polled(arrivals, same, ms(1));
    RC_ASSERT(rounds.size() <= run.rounds.size());
    for (std::size_t i = rounds.size(); i < run.rounds.size(); ++i)
      RC_ASSERT(run.rounds[i].at >= polled_until);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      RC_ASSERT(rounds[i].at == run.rounds[i].at);
      RC_ASSERT(rounds[i].jobs == run.rounds[i].jobs);
    }
  });
}

TEST(RunQueue, ADaemonThatLooksSeldomLosesNobody) {
  holds_always([] {
    const Workload arrivals = some_arrivals();
    const Duration period = ms(*rc::gen::inRange(2, 90));
    DispatchQueue queue(
        make_reorder_policy(*rc::gen::element<std::string>("pnj(3, at_latest=50ms)", "tp-fti(20ms)")),
        {.pool = some_pool(), .mode = OrderingMode::alg});
    std::size_t dispatched = 0;
    for (const Round& round : polled(arrivals, queue, period)) {
      dispatched += round.jobs.size();
      for (const WaitingJob& job : round.jobs) RC_ASSERT(round.at - job.arrived <= ms(50) + period);
    }
    RC_ASSERT(dispatched == arrivals.jobs.size());
  });
}

TEST(RunQueue, ByNumberHoldsNobodyLongerThanItSays) {
  holds_always(
      [] {
        const Workload arrivals = some_arrivals();
        const auto number = *rc::gen::inRange<std::size_t>(1, 6);
        DispatchQueue queue(make_reorder_policy(fmt::format("pnj({}, at_latest=50ms)", number)),
                            {.pool = some_pool(), .mode = OrderingMode::alg});
        for (const Round& round : run_queue(arrivals, queue).rounds) {
          Duration longest{};
          for (const WaitingJob& job : round.jobs) longest = std::max(longest, round.at - job.arrived);
          RC_ASSERT(longest <= ms(50));
          RC_ASSERT(round.jobs.size() >= number || longest == ms(50));
        }
      },
      500);
}

TEST(RunQueue, RoundsOfOneJobAreTheClustersOwnOrder) {
  holds_always([] {
    const Workload arrivals = some_arrivals();
    DispatchQueue queue(make_reorder_policy("pnj(1)"), {.pool = {2, 2}}, 1);
    const QueueRun run = run_queue(arrivals, queue);
    const auto fifo = make_fifo(), again = make_fifo();
    const SimulationResult ordered = simulate(run.dispatched, *fifo, {.pool = {2, 2}});
    const SimulationResult plain = simulate(arrivals, *again, {.pool = {2, 2}});
    for (std::size_t i = 0; i < run.order.size(); ++i)
      RC_ASSERT(ordered.jobs[i].finish == plain.jobs[run.order[i]].finish);
  });
}

TEST(RunQueue, ARoundServesTheLongestWaitingOfTooMany) {
  Workload arrivals;
  for (int i = 0; i < 5; ++i) {
    Job job;
    job.id = std::to_string(i);
    job.submit = at_ms(i);
    job.maps = {ms(100 - 10 * i)};  // the last is the shortest
    arrivals.jobs.push_back(job);
  }
  DispatchQueue queue(make_reorder_policy("tp-fti(10ms)"), {.pool = {1, 1}}, 2);
  const QueueRun run = run_queue(arrivals, queue);
  EXPECT_EQ(run.order, (std::vector<JobIndex>{1, 0, 3, 2, 4}));
  EXPECT_EQ(run.rounds[0].at, at_ms(10));
  EXPECT_EQ(run.rounds[1].at, at_ms(20));
  EXPECT_EQ(run.rounds[2].at, at_ms(30));
}

TEST(RunQueue, ShortJobsThatArriveTogetherOvertakeALongOne) {
  Workload arrivals;
  const std::int64_t maps[3] = {1'000, 10, 20};
  for (int i = 0; i < 3; ++i) {
    Job job;
    job.id = std::to_string(i);
    job.maps = {ms(maps[i])};
    arrivals.jobs.push_back(job);
  }
  DispatchQueue queue(make_reorder_policy("tp-ati(5ms)"), {.pool = {1, 1}});
  const QueueRun run = run_queue(arrivals, queue);
  ASSERT_EQ(run.rounds.size(), 1U);
  EXPECT_EQ(run.rounds[0].work, ms(1'030));
  const auto fifo = make_fifo();
  const SimulationResult result = simulate(run.dispatched, *fifo, {.pool = {1, 1}});
  std::vector<std::optional<Time>> finish(3);
  for (std::size_t i = 0; i < 3; ++i) finish[run.order[i]] = result.jobs[i].finish;
  EXPECT_EQ(value_of_run(arrivals, finish, Objective::total_completion), 15 + 35 + 1'035);
  finish[0].reset();
  EXPECT_EQ(value_of_run(arrivals, finish, Objective::total_completion), 15 + 35);
}

// As a program does that goes on with the queue of another one.
TEST(RunQueue, AQueueGoesOnWithTheLastRoundOfAnother) {
  for (const char* when : {"tp-fti(10ms)", "tp-ati(10ms)", "pnj(2, at_latest=10ms)"}) {
    DispatchQueue first(make_reorder_policy(when), {.pool = {1, 1}});
    first.arrive(at_ms(3), {.id = "a", .maps = {1, ms(40)}, .reduces = {}});
    const Time at = first.next_decision().value();
    const Round round = first.decide(at);
    EXPECT_EQ(round.work, ms(40));
    DispatchQueue next(make_reorder_policy(when), {.pool = {1, 1}});
    next.resume(at, round.work);
    EXPECT_EQ(next.next_decision(), std::nullopt);
    for (DispatchQueue* queue : {&first, &next})
      queue->arrive(at + ms(2), {.id = "b", .maps = {1, ms(5)}, .reduces = {}});
    EXPECT_EQ(next.next_decision(), first.next_decision()) << when;
    next.make_due(at + ms(9));
    next.make_due(at + ms(5));
    next.make_due(at + ms(7));
    EXPECT_EQ(next.next_decision(), at + ms(5)) << when;
  }
}

TEST(RunQueue, NothingArrives) {
  DispatchQueue queue(make_reorder_policy("tp-ati(5ms)"), {.pool = {1, 1}});
  EXPECT_TRUE(run_queue({}, queue).rounds.empty());
  EXPECT_TRUE(queue.decide(at_ms(5)).jobs.empty());
}

}  // namespace
}  // namespace wavewright
