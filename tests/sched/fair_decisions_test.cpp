// Single decisions of the Fair scheduler on a scripted cluster: whose turn it is, and what is taken back
// when.
#include "tests/property.h"
#include "tests/sched/fake_cluster.h"
#include "wavewright/sched/policies/fair.h"

namespace wavewright {
namespace {

// A job of 20 maps in each queue; all have arrived.
FakeSetup jobs_in(const std::vector<std::string>& queues, Count slots) {
  FakeSetup setup{.nodes = {{.map_slots = slots}}};
  for (const std::string& queue : queues) setup.jobs.push_back({.id = queue, .maps = 20, .queue = queue});
  return setup;
}
void arrive_all(FakeCluster& cluster, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) cluster.arrive(id);
}
Policy fair(std::vector<Queue> queues, std::optional<PreemptionOptions> preemption = {}) {
  FairOptions options;
  options.queues = std::move(queues);
  options.preemption = preemption;
  return {make_fair(options), nullptr};
}

TEST(FairDecisions, GiveEachSlotToTheQueueThatHoldsTheLeastByWeight) {
  // Weights 1, 2, 3. The keys are held by weight: at 1, 1/2, 1/3 the third is next, and at 1, 1/2, 2/3 the
  // second.
  FakeCluster cluster(
      jobs_in({"a", "b", "c"}, 6),
      fair({{.name = "a", .weight = 1}, {.name = "b", .weight = 2}, {.name = "c", .weight = 3}}));
  arrive_all(cluster, {"a", "b", "c"});
  EXPECT_EQ(cluster.fill(Kind::map), "a b c c b c");
  cluster.end("a", Kind::map);
  EXPECT_EQ(cluster.order(Kind::map), "a b c");
  cluster.end("c", Kind::map);
  EXPECT_EQ(cluster.order(Kind::map), "a c b") << "0, 2/3 and 2/2";
}

TEST(FairDecisions, FindAQueueByItsPathFromTheRoot) {
  FakeCluster cluster(jobs_in({"a", "root.b"}, 8),
                      fair({{.name = "a", .weight = 1}, {.name = "b", .weight = 3}}));
  arrive_all(cluster, {"a", "root.b"});
  EXPECT_EQ(cluster.fill(Kind::map), "a root.b root.b root.b a root.b root.b root.b");
}

TEST(FairDecisions, ServeMinimaFirstByThePartThatIsMissing) {
  // b is promised 1 slot and c 4: at 0 of 1 and 0 of 4 b came first, then c has all of its four.
  FakeCluster cluster(
      jobs_in({"a", "b", "c"}, 7),
      fair({{.name = "a", .weight = 9}, {.name = "b", .minimum = {1, 0}}, {.name = "c", .minimum = {4, 0}}}));
  arrive_all(cluster, {"a", "b", "c"});
  EXPECT_EQ(cluster.fill(Kind::map), "b c c c c a a");
  cluster.end("c", Kind::map);
  EXPECT_EQ(cluster.next(Kind::map), "c") << "it is below its minimum again";
}

TEST(FairDecisions, LookAtEachLevelOfQueuesAlone) {
  // p.x and p.y hold p's slots together; q has as much as both.
  FakeCluster cluster(
      jobs_in({"p.x", "p.y", "q"}, 8),
      fair({{.name = "p"}, {.name = "p.x", .weight = 1}, {.name = "p.y", .weight = 3}, {.name = "q"}}));
  arrive_all(cluster, {"p.x", "p.y", "q"});
  EXPECT_EQ(cluster.fill(Kind::map), "p.x q p.y q p.y q p.y q");
  cluster.end("p.y", Kind::map);
  EXPECT_EQ(cluster.order(Kind::map), "p.y p.x q");
}

TEST(FairDecisions, TellWeightsMinimaAndQueuesOnce) {
  FakeCluster cluster(jobs_in({"a"}, 1), fair({{.name = "a", .weight = 0.5, .minimum = {3, 2}}}));
  EXPECT_EQ(cluster.count("share group 1 map minimum 3 weight 500"), 1U);
  EXPECT_EQ(cluster.count("share group 1 reduce minimum 2 weight 500"), 1U);
  const std::size_t before = cluster.decisions().size();
  cluster.arrive("a");
  cluster.fill(Kind::map);
  cluster.end("a", Kind::map);
  EXPECT_EQ(cluster.decisions().size(), before + 1) << "the job's admission; tasks cost no call";
}

// a holds all four slots; b, promised two, comes at 1 s.
std::unique_ptr<FakeCluster> starving(const PreemptionOptions& options, std::vector<Queue> queues,
                                      Duration for_so_long) {
  auto cluster = std::make_unique<FakeCluster>(jobs_in({"a", "b"}, 4), fair(std::move(queues), options));
  cluster->arrive("a");
  cluster->fill(Kind::map);
  cluster->advance(ms(1000));
  cluster->arrive("b");
  cluster->advance(for_so_long);
  return cluster;
}

TEST(FairDecisions, PreemptWhenTheTimeoutOfMinimaIsOver) {
  // b's clock starts at 1 s.
  const PreemptionOptions options{ms(10'000), ms(900'000), ms(1000)};
  const std::vector<Queue> queues{{.name = "a"}, {.name = "b", .minimum = {1, 0}}};
  EXPECT_EQ(starving(options, queues, ms(9'999))->count("preempt"), 0U);
  const auto due = starving(options, queues, ms(10'000));
  EXPECT_EQ(due->count("preempt a map any class 1 after 0"), 1U);
  EXPECT_EQ(due->count("preempt"), 1U);
}

TEST(FairDecisions, PreemptUpToTheFairShareAfterTheSharesTimeout) {
  // b has none of its two slots, which is below half. Three of a's slots would be more than its share.
  const PreemptionOptions options{ms(900'000), ms(20'000), ms(1000)};
  EXPECT_EQ(starving(options, {}, ms(19'999))->count("preempt"), 0U);
  const auto due = starving(options, {}, ms(20'000));
  EXPECT_EQ(due->count("preempt a map any class 2 after 0"), 1U);
  EXPECT_EQ(due->running(), 2U) << "they are killed";
  EXPECT_EQ(due->fill(Kind::map), "b b");
}

TEST(FairDecisions, PreemptForWhatHasATimeoutOnly) {
  const std::vector<Queue> queues{{.name = "a"}, {.name = "b", .minimum = {1, 0}}};
  const auto count = [&](const PreemptionOptions& options) {
    return starving(options, queues, ms(100'000))->count("preempt");
  };
  EXPECT_GT(count({.minimum_timeout = ms(10'000)}), 0U);
  EXPECT_EQ(starving({.minimum_timeout = ms(10'000)}, {}, ms(100'000))->count("preempt"), 0U) << "no minimum";
  const PreemptionOptions shares{.share_timeout = ms(60'000)};
  EXPECT_EQ(starving(shares, queues, ms(59'999))->count("preempt"), 0U) << "of minima nothing was said";
  EXPECT_GT(count(shares), 0U);
}

TEST(FairDecisions, PreemptAfterTheGrace) {
  const std::vector<Queue> queues{{.name = "a"}, {.name = "b", .minimum = {1, 0}}};
  const PreemptionOptions options{.minimum_timeout = ms(10'000), .grace = ms(15'000)};
  const auto due = starving(options, queues, ms(24'999));
  EXPECT_EQ(due->count("preempt a map any class 1 after 15000"), 1U);
  EXPECT_EQ(due->running(), 4U);
  due->advance(ms(1));
  EXPECT_EQ(due->running(), 3U);
  due->advance(ms(4'999));
  EXPECT_EQ(due->count("preempt"), 1U) << "what is being killed is not asked for again";
}

TEST(FairDecisions, AskForOneCheckAtATime) {
  const PreemptionOptions options{ms(900'000), ms(900'000), ms(5000)};
  const auto cluster = starving(options, {}, ms(99'000));
  EXPECT_EQ(cluster->told(Part::allocator, Event::What::timer), 20U) << "at 5, 10 … 100 s";
  EXPECT_EQ(cluster->count("timer"), 21U) << "each check asks for the next one";
}

// With containers: one more master of a queue while its masters keep to half of the queue's share.
TEST(FairDecisions, CapTheMastersOfAQueue) {
  FakeSetup setup{.nodes = {{.map_slots = 8}}, .container = 1024};
  for (const char* id : {"A", "B", "C", "D", "E"}) setup.jobs.push_back({.id = id, .maps = 1, .queue = "q"});
  FairOptions options;
  options.masters = 0.5;
  options.fifo_within = true;
  FakeCluster cluster(setup, {make_fair(options), nullptr});
  arrive_all(cluster, {"A", "B", "C", "D", "E"});
  // By memory four may be there. By cores half of those that are free, rounded up.
  EXPECT_EQ(cluster.give(Kind::map, 0), "A") << "its master";
  EXPECT_EQ(cluster.give(Kind::map, 0), "A") << "its map";
  EXPECT_EQ(cluster.give(Kind::map, 0), "B");
  EXPECT_EQ(cluster.count("cap"), 0U) << "five cores are free: three masters may be there";
  EXPECT_EQ(cluster.give(Kind::map, 0), "B");
  EXPECT_EQ(cluster.count("cap C master any class 0"), 1U) << "four are free: two masters are enough";
  EXPECT_EQ(cluster.next(Kind::map), "");
  cluster.end("A", Kind::map);
  EXPECT_EQ(cluster.count("cap C master any class 1"), 1U);
  EXPECT_EQ(cluster.next(Kind::map), "C");
}

}  // namespace
}  // namespace wavewright
