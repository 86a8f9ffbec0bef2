// When rounds are due, told by hand and by a clock that ticks as the paper's algorithms are printed.
#include "wavewright/dispatch/reorder_policy.h"

#include <algorithm>
#include <numeric>

#include "tests/dispatch/arrivals.h"
#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/dispatch/run_queue.h"

namespace wavewright {
namespace {

std::optional<Time> at(std::int64_t count) {
  return at_ms(count);
}

TEST(ByNumber, IsDueWhenEnoughWaitOrOneHasWaitedLongEnough) {
  const auto policy = make_reorder_policy("pnj(3, at_latest=100ms)");
  EXPECT_EQ(policy->next_decision(), std::nullopt);
  policy->on_arrival(at_ms(10), {1, at_ms(10)});
  EXPECT_EQ(policy->next_decision(), at(110));
  policy->on_arrival(at_ms(20), {2, at_ms(10)});
  EXPECT_EQ(policy->next_decision(), at(110));
  policy->on_arrival(at_ms(30), {3, at_ms(10)});
  EXPECT_EQ(policy->next_decision(), at(30));
  policy->on_dispatch(at_ms(30), ms(1'000'000), {0, {}});
  EXPECT_EQ(policy->next_decision(), std::nullopt);
  policy->on_arrival(at_ms(50), {1, at_ms(50)});
  EXPECT_EQ(policy->next_decision(), at(150));
  policy->on_dispatch(at_ms(150), ms(1), {2, at_ms(120)});
  EXPECT_EQ(policy->next_decision(), at(220)) << "of those left, the first has waited since 120";
  policy->on_dispatch(at_ms(220), ms(1), {3, at_ms(120)});
  EXPECT_EQ(policy->next_decision(), at(220)) << "three are left";
}

TEST(FixedInterval, IsDueAtItsTicksAlone) {
  const auto policy = make_reorder_policy("tp-fti(60s)");
  EXPECT_EQ(policy->next_decision(), std::nullopt) << "nobody waits";
  policy->on_arrival(at_ms(60'000), {1, at_ms(60'000)});
  EXPECT_EQ(policy->next_decision(), at(60'000)) << "arrived just in time";
  policy->on_dispatch(at_ms(60'000), ms(500'000), {0, {}});
  policy->on_arrival(at_ms(200'000), {1, at_ms(200'000)});
  EXPECT_EQ(policy->next_decision(), at(240'000));
  policy->on_arrival(at_ms(230'000), {2, at_ms(200'000)});
  EXPECT_EQ(policy->next_decision(), at(240'000));
  policy->on_dispatch(at_ms(240'000), ms(1), {1, at_ms(230'000)});
  EXPECT_EQ(policy->next_decision(), at(300'000)) << "one was left over";
}

TEST(AdaptiveInterval, WaitsForWhatItDispatched) {
  const auto policy = make_reorder_policy("tp-ati(10s)");
  policy->on_arrival(at_ms(1), {1, at_ms(1)});
  EXPECT_EQ(policy->next_decision(), at(10'000));
  policy->on_dispatch(at_ms(10'000), ms(35'000), {0, {}});
  policy->on_arrival(at_ms(12'000), {1, at_ms(12'000)});
  EXPECT_EQ(policy->next_decision(), at(45'000));
  policy->on_dispatch(at_ms(45'000), ms(3'000), {0, {}});
  policy->on_arrival(at_ms(50'000), {1, at_ms(50'000)});
  EXPECT_EQ(policy->next_decision(), at(55'000)) << "the interval is the least";
  policy->on_dispatch(at_ms(55'000), ms(25'000), {0, {}});
  policy->on_arrival(at_ms(81'000), {1, at_ms(81'000)});
  EXPECT_EQ(policy->next_decision(), at(90'000)) << "looked at an empty queue at 80 s, and an interval later";
}

TEST(ReorderPolicies, StayDueHoweverLateTheyAreAsked) {
  for (const char* spec : {"pnj(1)", "tp-fti(10s)", "tp-ati(10s)"}) {
    const auto policy = make_reorder_policy(spec);
    policy->on_arrival(at_ms(5'000), {1, at_ms(5'000)});
    const auto due = policy->next_decision();
    policy->on_arrival(at_ms(27'000), {2, at_ms(5'000)});
    EXPECT_EQ(policy->next_decision(), due) << spec;
    policy->on_dispatch(at_ms(33'000), ms(0), {0, {}});
    EXPECT_EQ(policy->next_decision(), std::nullopt) << spec;
  }
}

TEST(ReorderPolicies, CountFromTheBeginningTheyAreGiven) {
  for (const char* spec : {"tp-fti(10s)", "tp-ati(10s)"}) {
    const auto policy = make_reorder_policy(spec, at_ms(3'000));
    policy->on_arrival(at_ms(4'000), {1, at_ms(4'000)});
    EXPECT_EQ(policy->next_decision(), at(13'000)) << spec;
  }
}

TEST(ReorderPolicies, AreNamedAsTheyAreWritten) {
  for (const char* spec : {"pnj(4, at_latest=2min)", "tp-fti(1m30s)", "tp-ati(250ms)"}) {
    EXPECT_EQ(make_reorder_policy(spec)->name(), spec);
    EXPECT_EQ(make_reorder_policy(make_reorder_policy(spec)->name())->name(), spec);
  }
  EXPECT_EQ(make_reorder_policy("tp-ati(interval=20)")->name(), "tp-ati(20s)");
}

TEST(ReorderPolicies, RefuseWhatMakesNoSense) {
  for (const char* spec :
       {"tp-fti(0)", "tp-fti(-1)", "tp-ati(x)", "tp-ati(1,2)", "tp-ati(1,interval=2)", "pnj(0)", "pnj(1.5)",
        "pnj(2,at_latest=0)", "tp-fti(at_latest=2)", "tpfti(3)", "", "tp-fti(3"})
    EXPECT_THROW((void)make_reorder_policy(spec), UsageError) << spec;
}

// Algorithms 1 and 2 as printed, tick by tick: when each job is dispatched, and in what order.
struct Dispatched {
  Time at;
  std::string id;
  friend bool operator==(const Dispatched&, const Dispatched&) = default;
};
std::ostream& operator<<(std::ostream& out, const Dispatched& one) {
  return out << one.id << '@' << to_ms(one.at);
}

std::vector<Dispatched> as_printed(const Workload& arrivals, const OrderingEngine& engine, Duration interval,
                                   bool adaptive) {
  std::vector<Dispatched> result;
  std::vector<bool> flag(arrivals.jobs.size(), false);
  Time now{};
  Duration wait = interval;
  while (result.size() < arrivals.jobs.size()) {
    now += wait;
    std::vector<WaitingJob> chosen;
    for (std::size_t i = 0; i < arrivals.jobs.size(); ++i) {
      if (flag[i] || arrivals.jobs[i].submit > now) continue;
      flag[i] = true;
      chosen.push_back(waiting_job(arrivals.jobs[i]));
    }
    std::stable_sort(chosen.begin(), chosen.end(),
                     [](const WaitingJob& a, const WaitingJob& b) { return a.arrived < b.arrived; });
    const EngineOrder ordered = order_by_engine(engine, chosen, now);
    wait = interval;
    Duration longest{};  // T_A: over k, maps up to the k-th job and reduces from it on
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      Duration sum{};
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        const StageTimes times = fluid_times(chosen[ordered.order[i]], engine.pool);
        if (i <= k) sum += times.map;
        if (i >= k) sum += times.reduce;
      }
      longest = std::max(longest, sum);
    }
    if (adaptive) wait = std::max(interval, longest);
    for (const JobIndex job : ordered.order) result.push_back({now, chosen[job].id});
  }
  return result;
}

TEST(ReorderPolicies, ByTimeDispatchAsThePrintedAlgorithmsDo) {
  holds_always(
      [] {
        const Workload arrivals = some_arrivals();
        OrderingEngine engine{.pool = some_pool()};
        engine.objective = *rc::gen::elementOf(queue_objectives);
        engine.mode = *rc::gen::element(OrderingMode::sim, OrderingMode::alg);
        engine.search_up_to = 3;
        const Duration interval = ms(*rc::gen::element(1, 5, 7, 10, 30, 100));
        const bool adaptive = *rc::gen::arbitrary<bool>();
        DispatchQueue queue(
            make_reorder_policy(fmt::format("{}({}ms)", adaptive ? "tp-ati" : "tp-fti", to_ms(interval))),
            engine);
        std::vector<Dispatched> ours;
        for (const Round& round : run_queue(arrivals, queue).rounds) {
          for (const WaitingJob& job : round.jobs) ours.push_back({round.at, job.id});
        }
        const auto printed = as_printed(arrivals, engine, interval, adaptive);
        RC_ASSERT(ours == printed);
      },
      1'000);
}

}  // namespace
}  // namespace wavewright
