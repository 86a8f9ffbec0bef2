// The sketches of docs/develop/contract-worked.md run, and the page shows their code.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/paths.h"
#include "tests/property.h"
#include "tests/sched/fake_cluster.h"
#include "tests/sched/worked/efh.h"
#include "tests/sched/worked/epedf.h"
#include "tests/sched/worked/matchmaking.h"
#include "tests/sched/worked/mdasa.h"
#include "tests/sched/worked/rtmr.h"
#include "wavewright/sched/policies/fifo.h"

namespace wavewright {
namespace {

TEST(WorkedEpEdf, ServesTheEarliestDeadlineOfAnEpoch) {
  FakeCluster cluster({.nodes = {{.map_slots = 1}},
                       .jobs = {{.id = "A", .maps = 1, .deadline = at_ms(90'000)},
                                {.id = "B", .maps = 1, .deadline = at_ms(50'000)},
                                {.id = "C", .maps = 1, .deadline = at_ms(10'000)}}},
                      {std::make_unique<EpEdf>(ms(10'000)), nullptr});
  cluster.arrive("A");
  cluster.advance(ms(4000));
  cluster.arrive("B");
  EXPECT_EQ(cluster.order(Kind::map), "") << "the epoch ends at 10 s";
  cluster.advance(ms(6000));
  EXPECT_EQ(cluster.order(Kind::map), "B A");
  cluster.arrive("C");
  EXPECT_EQ(cluster.order(Kind::map), "B A") << "C waits for the next one, and misses its deadline";
  cluster.advance(ms(10'000));
  EXPECT_EQ(cluster.order(Kind::map), "C B A");
}

// Nine machines of two map slots and one reduce slot may be rented.
FakeClass rentable() {
  FakeClass rentable;
  rentable.machine = {.map_slots = 2, .reduce_slots = 1};
  rentable.offer.machines = 9;
  rentable.offer.boot = ms(5000);
  return rentable;
}

Policy mdasa() {
  return {std::make_unique<Mdasa>(0), nullptr};
}

TEST(WorkedMdasa, RentsForWhatIdleAndBusySlotsDoNotEndInTime) {
  // Two slots, tasks of 10 s. A's deadline leaves time for 3 rounds: 6 of its 10 maps fit, 4 remain, and a
  // machine has two slots.
  FakeCluster cluster({.nodes = {{.map_slots = 2, .reduce_slots = 1}},
                       .jobs = {{.id = "A", .maps = 10, .map = ms(10'000), .deadline = at_ms(30'000)},
                                {.id = "B", .maps = 3, .map = ms(10'000), .deadline = at_ms(60'000)}},
                       .classes = {rentable()}},
                      mdasa());
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 2 of class 0"), 1U);
  cluster.arrive("B");
  EXPECT_EQ(cluster.count("rent"), 1U) << "the slots are free of A at 30 s, soon enough for B's maps";
  EXPECT_EQ(cluster.slots(Kind::map), 2U);
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.slots(Kind::map), 6U) << "the machines have booted";
}

TEST(WorkedMdasa, LeavesTimeForTheReduceStage) {
  // Three reduces on one slot take 15 s of the 40: 25 s are two rounds of maps on two slots.
  const auto rented = [](Count maps) {
    FakeSetup setup{.nodes = {{.map_slots = 2, .reduce_slots = 1}}, .classes = {rentable()}};
    setup.jobs = {{.id = "A", .maps = maps, .reduces = 3, .map = ms(10'000), .reduce = ms(5000)}};
    setup.jobs[0].deadline = at_ms(40'000);
    FakeCluster cluster(setup, mdasa());
    cluster.arrive("A");
    return cluster.count("rent");
  };
  EXPECT_EQ(rented(4), 0U);
  EXPECT_EQ(rented(5), 1U);
}

TEST(WorkedRtmr, RefusesAJobThatWouldMissItsDeadlineOrMakeAnotherMissIts) {
  // Two map slots and one reduce slot; tasks of 10 s. A alone: maps end at 20, its reduce at 30.
  FakeCluster cluster({.nodes = {{.map_slots = 2, .reduce_slots = 1}},
                       .jobs = {{.id = "A",
                                 .maps = 4,
                                 .reduces = 1,
                                 .map = ms(10'000),
                                 .reduce = ms(10'000),
                                 .deadline = at_ms(40'000)},
                                {.id = "late", .maps = 4, .map = ms(10'000), .deadline = at_ms(39'000)},
                                {.id = "B", .maps = 2, .map = ms(10'000), .deadline = at_ms(20'000)},
                                {.id = "C", .maps = 2, .map = ms(10'000), .deadline = at_ms(19'000)}}},
                      {std::make_unique<RtmrAdmission>(), nullptr});
  cluster.arrive("A");
  cluster.arrive("late");
  EXPECT_EQ(cluster.standing_of("late"), "rejected") << "it would be served first, and A end at 50";
  EXPECT_EQ(cluster.count("reject late DeadlineTooTight"), 1U);
  cluster.arrive("B");
  EXPECT_EQ(cluster.order(Kind::map), "B A") << "B ends at 10, A at 40";
  cluster.arrive("C");
  EXPECT_EQ(cluster.standing_of("C"), "rejected") << "A would end at 50";
}

TEST(WorkedRtmr, LetsNoJobOvertakeOneThatHasStarted) {
  FakeCluster cluster({.nodes = {{.map_slots = 1, .reduce_slots = 1}},
                       .jobs = {{.id = "A", .maps = 3, .map = ms(10'000), .deadline = at_ms(90'000)},
                                {.id = "B", .maps = 1, .map = ms(10'000), .deadline = at_ms(39'000)},
                                {.id = "C", .maps = 1, .map = ms(10'000), .deadline = at_ms(40'000)}}},
                      {std::make_unique<RtmrAdmission>(), nullptr});
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
  cluster.arrive("B");
  EXPECT_EQ(cluster.standing_of("B"), "rejected") << "A's three maps end at 30, B would at 40";
  cluster.arrive("C");
  EXPECT_EQ(cluster.order(Kind::map), "A C");
}

// Two efficient containers (class 1) and two others; the waiting threshold is 60 s.
FakeSetup efh_setup(std::vector<FakeJob> jobs) {
  return {.nodes = {{.map_slots = 2, .node_class = 0}, {.map_slots = 2, .node_class = 1}},
          .jobs = std::move(jobs),
          .classes = {{.name = "cpu"}, {.name = "gpu"}}};
}
Policy efh() {
  return {std::make_unique<EfhQueues>(std::vector<ClassId>{1, 0}, ms(60'000)), nullptr};
}

TEST(WorkedEfh, GivesTheJobWithMostOfItsBestContainersFreeItsBestOnes) {
  FakeCluster cluster(efh_setup({{.id = "A", .maps = 1}, {.id = "B", .maps = 4}, {.id = "C", .maps = 2}}),
                      efh());
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "") << "it shall run on the other class";
  EXPECT_EQ(cluster.give(Kind::map, 1), "A");
  cluster.arrive("B");
  EXPECT_EQ(cluster.fill(Kind::map), "") << "four containers are not free";
  cluster.arrive("C");
  EXPECT_EQ(cluster.fill(Kind::map), "") << "B has three quarters of its optimal set free, C a half";
  cluster.end("A", Kind::map);
  EXPECT_EQ(cluster.fill(Kind::map), "B B B B");
}

TEST(WorkedEfh, ServesAJobThatHasWaitedTooLongWithWhatThereIs) {
  FakeCluster cluster(efh_setup({{.id = "A", .maps = 1}, {.id = "B", .maps = 5}, {.id = "C", .maps = 1}}),
                      efh());
  cluster.arrive("B");
  EXPECT_EQ(cluster.fill(Kind::map), "") << "more than there are: it would never start";
  cluster.advance(ms(59'999));
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 1), "A") << "all of its optimal set is free";
  cluster.advance(ms(1));
  cluster.arrive("C");
  EXPECT_EQ(cluster.fill(Kind::map), "B B B") << "C gets nothing as long as B lacks something";
}

TEST(WorkedMatchmaking, TakesAnotherMapOnlyAtTheSecondMissInARow) {
  FakeCluster cluster({.nodes = {{.map_slots = 4}, {.map_slots = 4}},
                       .jobs = {{.id = "A", .maps = 4, .blocks = {{1}, {1}, {1}, {1}}},
                                {.id = "B", .maps = 1, .blocks = {{0}}},
                                {.id = "C", .maps = 1, .blocks = {{1}}}}},
                      {make_fifo(), std::make_unique<Matchmaking>()});
  cluster.arrive("A");
  cluster.arrive("B");
  EXPECT_EQ(cluster.give(Kind::map, 0), "B") << "its block is here; order gives way to locality";
  EXPECT_EQ(cluster.give(Kind::map, 0), "") << "the first miss";
  cluster.advance(ms(3000));
  EXPECT_EQ(cluster.give(Kind::map, 0), "A") << "the second";
  EXPECT_EQ(cluster.give(Kind::map, 0), "") << "one a heartbeat";
  EXPECT_EQ(cluster.give(Kind::map, 1), "A") << "local";
  cluster.advance(ms(3000));
  cluster.arrive("C");
  EXPECT_EQ(cluster.give(Kind::map, 0), "") << "an arrival clears the markers";
}

// ---- the page

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The text of the file inside of its namespace.
std::string code_of(const std::string& text) {
  const std::string opening = "namespace wavewright {\n\n";
  const auto begin = text.find(opening) + opening.size();
  return text.substr(begin, text.find("\n}  // namespace wavewright") - begin);
}

TEST(WorkedPage, ShowsTheCodeOfTheSketches) {
  const std::filesystem::path root = source_dir();
  const std::string page = contents(root / "docs/develop/contract-worked.md");
  std::size_t sketches = 0;
  for (const auto& each : std::filesystem::directory_iterator(root / "tests/sched/worked")) {
    const std::string code = code_of(contents(each.path()));
    EXPECT_THAT(page, testing::HasSubstr("```cpp\n" + code + "```\n")) << each.path();
    EXPECT_THAT(page, testing::HasSubstr(each.path().filename().string()));
    // Lines that are neither blank nor a comment nor closing brackets alone.
    std::istringstream lines(code);
    int real = 0;
    for (std::string line; std::getline(lines, line);)
      real += std::regex_match(line, std::regex(R"(\s*(//.*|[})(;{]*)?\s*)")) ? 0 : 1;
    EXPECT_LE(real, 40) << each.path();
    ++sketches;
  }
  EXPECT_EQ(sketches, 5U);
}

}  // namespace
}  // namespace wavewright
