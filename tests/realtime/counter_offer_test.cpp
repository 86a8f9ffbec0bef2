// Counter-offers of RTMR: a job that was rejected is accepted on these terms.
#include "wavewright/realtime/counter_offer.h"

#include <algorithm>
#include <numeric>

#include "tests/realtime/worlds.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

// As run(), where the policy is asked for an offer for each job that it rejects.
SimulationResult run_asked(const Workload& workload, const std::string& policy, const Cluster& cluster) {
  std::vector<JobIndex> all(workload.jobs.size());
  std::iota(all.begin(), all.end(), JobIndex{0});
  Policy made = make_policy_on(policy, cluster, policies());
  made.allocator->make_offers(all);
  return simulate_cluster(workload, made, {cluster});
}

// A holds the slot until 10. Behind it B would end at 20, and on a slot of its own at 11.
TEST(CounterOffer, NamesTheDeadlineTheSlotAndTheJob) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 15, {ms(10)}), a_job("B", 1, 15, {ms(10)})};
  for (const std::string policy : {"rtmr", "rtmr(feedback=tasks, order=any)"}) {
    const SimulationResult result = run_asked(workload, policy, nodes(1, 1, 1));
    ASSERT_TRUE(result.jobs[1].rejected) << policy;
    const Reason& reason = result.rejections.at(1);
    EXPECT_EQ(reason.text,
              "It might end only at 20ms; a deadline_ms of 20 (20ms) would be accepted, or its own "
              "with 1 more map slot, or without 'A'.");
    const CounterOffer expected{
        .earliest_deadline = at_ms(20), .lacks = SlotPool{1, 0}, .give_way = {0}, .placed_anew = false};
    EXPECT_EQ(reason.offer, expected) << policy;
    EXPECT_FALSE(run(workload, policy, nodes(1, 1, 1)).rejections.at(1).offer) << "nobody asked";
    const std::string silent =
        (policy == "rtmr" ? "rtmr(" : "rtmr(feedback=tasks, order=any, ") + std::string("offer=no)");
    const Reason none = run_asked(workload, silent, nodes(1, 1, 1)).rejections.at(1);
    EXPECT_EQ(none.text, "It might end only at 20ms.");
    EXPECT_FALSE(none.offer);
  }
}

TEST(CounterOffer, NamesTheFewestSlotsOfOneKindOrOfBoth) {
  const auto fewest = [](Count of_maps, SlotPool of_both) {
    return fewest_further_slots({4, 2}, {12, 4}, [=](SlotPool further) {
      return further.map_slots >= of_maps ||
             (further.map_slots >= of_both.map_slots && further.reduce_slots >= of_both.reduce_slots);
    });
  };
  EXPECT_EQ(fewest(3, {1, 1}), (SlotPool{1, 1}));
  EXPECT_EQ(fewest(2, {1, 1}), (SlotPool{2, 0})) << "of equally many, one kind";
  EXPECT_EQ(fewest(9, {2, 1}), (SlotPool{2, 1}));
  EXPECT_EQ(fewest(9, {9, 1}), (SlotPool{9, 0})) << "more than it has tasks";
  EXPECT_EQ(fewest(99, {7, 1}), (SlotPool{7, 4}));
  EXPECT_EQ(fewest(99, {13, 1}), std::nullopt);
}

// A's two maps take the first further slots.
TEST(CounterOffer, NamesMoreSlotsThanTheJobHasTasksWhereOthersTakeThem) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 4, {ms(2), ms(2)}), a_job("B", 0, 4, {ms(2)}, {ms(2)})};
  const SimulationResult result = run_asked(workload, "rtmr", nodes(1, 1, 1));
  ASSERT_TRUE(result.jobs[1].rejected);
  EXPECT_EQ(result.rejections.at(1).offer->lacks, (SlotPool{2, 0}));
}

// Two more instances of A are to come, each for 10 ms. B's slots must do for one of them and for itself.
TEST(CounterOffer, NamesSlotsBesideASeries) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 12, {ms(10)}), a_job("B", 1, 12, {ms(10)})};
  const std::string policy = "rtmr(feedback=tasks, order=any, series=A/20ms/3)";
  const SimulationResult result = run_asked(workload, policy, nodes(1, 1, 1));
  ASSERT_TRUE(result.jobs[1].rejected);
  EXPECT_EQ(result.rejections.at(1).offer->lacks, (SlotPool{1, 0}));
}

// With B's maps before it, A would be late; not if its reduces had two slots.
TEST(CounterOffer, NamesSlotsThatOnlyOthersNeed) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 5, {ms(1)}, {ms(2), ms(2)}), a_job("B", 0, 2, {ms(1), ms(1)})};
  const SimulationResult result = run_asked(workload, "rtmr", nodes(1, 1, 1));
  ASSERT_TRUE(result.jobs[1].rejected);
  EXPECT_EQ(result.rejections.at(1).offer->lacks, (SlotPool{0, 1}));
}

// C needs two slots by 15, and each of the others has one until 20.
TEST(CounterOffer, NamesSeveralJobsWhereOneIsNotEnough) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 20, {ms(20)}), a_job("B", 0, 20, {ms(20)}),
                   a_job("C", 1, 15, {ms(10), ms(10)})};
  const SimulationResult result = run_asked(workload, "rtmr", nodes(1, 2, 1));
  ASSERT_TRUE(result.jobs[2].rejected);
  const Reason& reason = result.rejections.at(2);
  ASSERT_TRUE(reason.offer);
  EXPECT_EQ(reason.offer->lacks, (SlotPool{2, 0}));
  EXPECT_EQ(reason.offer->give_way, (std::vector<JobIndex>{1, 0}));
  EXPECT_NE(reason.text.find("with 2 more map slots, or without 'B', 'A'."), std::string::npos)
      << reason.text;
}

// A ended at 80. Its estimate of 200 stays, and no job is in the way.
TEST(CounterOffer, TellsWhereOnlyEstimatesStandInTheWay) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 200, {ms(10), ms(10), ms(10), ms(50)}), a_job("B", 90, 120, {ms(20)})};
  const SimulationResult result = run_asked(workload, "rtmr(feedback=none)", nodes(1, 1, 1));
  ASSERT_TRUE(result.jobs[1].rejected);
  const Reason& reason = result.rejections.at(1);
  ASSERT_TRUE(reason.offer);
  EXPECT_TRUE(reason.offer->placed_anew);
  EXPECT_FALSE(reason.offer->lacks);
  EXPECT_TRUE(reason.offer->give_way.empty());
  EXPECT_NE(reason.text.find("or its own if all tasks were placed anew."), std::string::npos) << reason.text;
}

TEST(CounterOffer, IsMadeForTheFirstThatAreRejected) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 15, {ms(10)})};
  for (int i = 0; i < 30; ++i) workload.jobs.push_back(a_job(fmt::format("B{}", i), 1, 15, {ms(10)}));
  const SimulationResult result = run_asked(workload, "rtmr", nodes(1, 1, 1));
  ASSERT_EQ(result.rejections.size(), 30U);
  for (const auto& [job, reason] : result.rejections) EXPECT_EQ(reason.offer.has_value(), job <= 25) << job;
}

// Two nodes of 4 MiB, where masters and tasks take 1. B's six maps fit only where A has none.
TEST(CounterOffer, NamesJobsOnContainersToo) {
  const Cluster cluster = parse_cluster(
      "[mode]\nkind = \"containers\"\n[masters]\nheartbeat_ms = 1\n[containers]\nmaster_memory_mb = 1\n"
      "map_memory_mb = 1\nreduce_memory_mb = 1\n[[nodes]]\ncount = 2\nmemory_mb = 4\nvcores = 4\n",
      "cluster.toml");
  Workload workload;
  workload.jobs = {a_job("A", 0, 200, {ms(100)}), a_job("B", 1, 14, std::vector<Duration>(6, ms(10)))};
  const SimulationResult result = run_asked(workload, "rtmr", cluster);
  ASSERT_TRUE(result.jobs[1].rejected);
  const std::optional<CounterOffer>& offer = result.rejections.at(1).offer;
  ASSERT_TRUE(offer);
  EXPECT_TRUE(offer->earliest_deadline);
  EXPECT_FALSE(offer->lacks);
  EXPECT_EQ(offer->give_way, std::vector<JobIndex>{0});
}

// ---- tried: the jobs that were accepted before the rejected one come again, and then it

class Tried {
 public:
  Tried(const Workload& workload, std::string policy, SlotPool slots)
      : workload_(workload),
        policy_(std::move(policy)),
        slots_(slots),
        result_(run_asked(workload_, policy_, cluster({}))) {}

  [[nodiscard]] const SimulationResult& result() const { return result_; }

  // Are all accepted, with so many more slots, without `gone`?
  [[nodiscard]] bool accepts(JobIndex rejected, std::optional<Time> deadline, SlotPool further,
                             const std::vector<JobIndex>& gone) const {
    Workload fewer;
    for (const JobIndex job : accepted_before(rejected)) {
      if (std::find(gone.begin(), gone.end(), job) == gone.end()) fewer.jobs.push_back(workload_.jobs[job]);
    }
    fewer.jobs.push_back(workload_.jobs[rejected]);
    if (deadline) fewer.jobs.back().deadline = deadline;
    return run(fewer, policy_, cluster(further)).rejections.empty();
  }

  [[nodiscard]] std::vector<JobIndex> accepted_before(JobIndex rejected) const {
    std::vector<JobIndex> jobs;
    for (JobIndex job = 0; job < rejected; ++job) {
      if (!result_.jobs[job].rejected) jobs.push_back(job);
    }
    return jobs;
  }

 private:
  [[nodiscard]] Cluster cluster(SlotPool further) const {
    return nodes(1, static_cast<int>(slots_.map_slots + further.map_slots),
                 static_cast<int>(slots_.reduce_slots + further.reduce_slots));
  }

  const Workload& workload_;
  std::string policy_;
  SlotPool slots_;
  SimulationResult result_;
};

// All come at once, or one has started before. Then it would have had further slots from its start on: fewer
// of them may do, or more be needed as it uses them itself.
Workload some_jobs(bool one_runs) {
  Workload workload;
  for (int i = *rc::gen::inRange(3, 9); i > 0; --i) {
    const std::int64_t at = one_runs && !workload.jobs.empty() ? 5 : 0;
    const auto tasks = [](int least, int most) {
      const auto count = static_cast<std::size_t>(*rc::gen::inRange(least, most));
      return std::vector<Duration>(count, ms(*rc::gen::inRange(1, 30)));
    };
    const std::vector<Duration> maps = tasks(1, 6);
    workload.jobs.push_back(
        a_job(fmt::format("J{}", i), at, at + *rc::gen::inRange(10, 120), maps, tasks(0, 4)));
    if (*rc::gen::inRange(0, 8) == 0) workload.jobs.back().deadline.reset();
  }
  return workload;
}

TEST(CounterOffer, WhatItNamesWouldDoAndNoLess) {
  int lacking = 0, alone = 0, several = 0, none = 0;
  holds_always(
      [&] {
        const SlotPool slots{*rc::gen::inRange<Count>(1, 4), *rc::gen::inRange<Count>(1, 3)};
        const bool one_runs = *rc::gen::arbitrary<bool>();
        const Workload workload = some_jobs(one_runs);
        const std::string policy =
            *rc::gen::element<std::string>("rtmr(feedback=tasks)", "rtmr(feedback=tasks, order=deadline)");
        const Job& first = workload.jobs.front();
        const bool would_use_more = one_runs && (std::ssize(first.maps) > slots.map_slots ||
                                                 std::ssize(first.reduces) > slots.reduce_slots);
        const Tried tried(workload,
                          one_runs                           ? policy
                          : policy == "rtmr(feedback=tasks)" ? "rtmr"
                                                             : policy,
                          slots);
        for (const auto& [job, reason] : tried.result().rejections) {
          RC_ASSERT(reason.offer.has_value());
          const CounterOffer& offer = *reason.offer;
          RC_ASSERT(!offer.placed_anew);
          RC_ASSERT(!tried.accepts(job, {}, {}, {}));
          if (offer.earliest_deadline) RC_ASSERT(tried.accepts(job, offer.earliest_deadline, {}, {}));
          if (offer.lacks) {
            ++lacking;
            if (!would_use_more) RC_ASSERT(tried.accepts(job, {}, *offer.lacks, {}));
            const auto& [map_slots, reduce_slots] = *offer.lacks;
            if (!one_runs && reduce_slots == 0) RC_ASSERT(!tried.accepts(job, {}, {map_slots - 1, 0}, {}));
            if (!one_runs && map_slots == 0) RC_ASSERT(!tried.accepts(job, {}, {0, reduce_slots - 1}, {}));
          } else if (!one_runs) {
            SlotPool all{};
            std::vector<JobIndex> those = tried.accepted_before(job);
            those.push_back(job);
            for (const JobIndex each : those) {
              all.map_slots += std::ssize(workload.jobs[each].maps);
              all.reduce_slots += std::ssize(workload.jobs[each].reduces);
            }
            RC_ASSERT(!tried.accepts(job, {}, all, {}));
          }
          if (offer.give_way.empty()) {
            ++none;
            RC_ASSERT(!tried.accepts(job, {}, {}, tried.accepted_before(job)));
            continue;
          }
          ++(offer.give_way.size() == 1 ? alone : several);
          RC_ASSERT(tried.accepts(job, {}, {}, offer.give_way));
          for (const JobIndex each : offer.give_way) {
            std::vector<JobIndex> others = offer.give_way;
            std::erase(others, each);
            RC_ASSERT(!tried.accepts(job, {}, {}, others));
          }
        }
      },
      2'000);
  EXPECT_GT(lacking, rare(800));
  EXPECT_GT(alone, rare(160));
  EXPECT_GT(several, rare(20));
  EXPECT_GT(none, rare(80));
}

}  // namespace
}  // namespace wavewright
