#include "wavewright/cluster/cluster_file.h"
#include "tests/property.h"

#include <rapidcheck.h>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view toml) {
  try {
    (void)parse_cluster(toml, "c.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ClusterFile, ReadsEveryKeyOfTheContract) {
  const Cluster cluster = parse_cluster(R"(
    [mode]
    kind = "slots"
    heartbeat_ms = 3000
    slowstart = 0.05
    speculation = true
    [hdfs]
    replication = 2
    block_mb = 64
    [[nodes]]
    count = 64
    map_slots = 4
    reduce_slots = 4
    rack = "/r1"
    [[nodes]]
    class = "gpu"
    map_slots = 1
    speed = 4.2
    power_idle_w = 78
    power_busy_w = 200.5
    price_per_hour = 0.07
  )",
                                        "c.toml");
  EXPECT_EQ(cluster.mode.heartbeat, ms(3000));
  EXPECT_DOUBLE_EQ(cluster.mode.slowstart, 0.05);
  EXPECT_TRUE(cluster.mode.speculation);
  EXPECT_EQ(cluster.hdfs.replication, 2);
  EXPECT_EQ(cluster.hdfs.block, Bytes{64LL << 20});
  ASSERT_EQ(cluster.nodes.size(), 2U);
  EXPECT_EQ(cluster.total_slots(), (SlotPool{257, 256}));
  EXPECT_EQ(cluster.nodes[0].rack, "/r1");
  EXPECT_EQ(cluster.nodes[1].node_class, "gpu");
  EXPECT_EQ(cluster.nodes[1].count, 1);
  EXPECT_DOUBLE_EQ(cluster.nodes[1].power_busy_w, 200.5);
}

TEST(ClusterFile, ContainersNeedMemoryAndCores) {
  const Cluster cluster =
      parse_cluster("[mode]\nkind='containers'\n[[nodes]]\nmemory_mb=8192\nvcores=8\n", "c.toml");
  EXPECT_EQ(cluster.mode.kind, ClusterMode::Kind::containers);
  EXPECT_EQ(cluster.nodes[0].memory, Bytes{8LL << 30});
  EXPECT_THAT(refusal("[mode]\nkind='containers'\n[[nodes]]\nmap_slots=4\n"),
              HasSubstr("c.toml:3: nodes[1] has no room"));
}

TEST(ClusterFile, AnUnknownKeyIsToldTheOthersOnce) {
  const std::string told = refusal("[[nodes]]\nmap_slots=1\nfoo=2\n");
  ASSERT_THAT(told, HasSubstr("one of: count hosts"));
  const std::string key = "interrupted_hour";
  EXPECT_EQ(told.find(key), told.rfind(key)) << told;
}

TEST(ClusterFile, BadFilesAreRefusedWithTheirLine) {
  const std::string ok = "[[nodes]]\nmap_slots=1\n";
  EXPECT_THAT(refusal(ok + "mapslots=2\n"),
              HasSubstr("c.toml:3: unknown key 'mapslots' in nodes[1]; did you mean 'map_slots'?"));
  EXPECT_THAT(refusal(ok + "[mod]\n"),
              HasSubstr("c.toml:3: unknown key 'mod' in the file; did you mean 'mode'?"));
  EXPECT_THAT(refusal(ok + "count=0\n"), HasSubstr("c.toml:3: nodes[1].count is not a whole number from 1"));
  EXPECT_THAT(refusal(ok + "count=-3\n"), HasSubstr("nodes[1].count"));
  EXPECT_THAT(refusal(ok + "count=1.5\n"), HasSubstr("nodes[1].count"));
  EXPECT_THAT(refusal(ok + "count=20000000\n"), HasSubstr("nodes[1].count"));
  EXPECT_THAT(refusal(ok + "speed=nan\n"), HasSubstr("c.toml:3: nodes[1].speed is not a number above 0"));
  EXPECT_THAT(refusal(ok + "speed=0\n"), HasSubstr("nodes[1].speed"));
  EXPECT_THAT(refusal(ok + "speed=1e-7\n"), HasSubstr("nodes[1]: a speed below 0.000001"));
  EXPECT_THAT(refusal(ok + "speed=1e7\n"), HasSubstr("nodes[1].speed"));
  EXPECT_THAT(refusal(ok + "price_per_hour=inf\n"), HasSubstr("nodes[1].price_per_hour"));
  EXPECT_THAT(refusal(ok + "power_idle_w=-1\n"), HasSubstr("nodes[1].power_idle_w"));
  EXPECT_THAT(refusal(ok + "power_idle_w=5\npower_busy_w=4\n"), HasSubstr("less power busy"));
  EXPECT_THAT(refusal(ok + "rack=5\n"), HasSubstr("nodes[1].rack is not a text"));
  EXPECT_THAT(refusal(ok + "[mode]\nslowstart=1.01\n"), HasSubstr("c.toml:4: mode.slowstart"));
  EXPECT_THAT(refusal(ok + "[mode]\nkind='slot'\n"), HasSubstr("did you mean 'slots'"));
  EXPECT_THAT(refusal(ok + "[mode]\nspeculation=1\n"), HasSubstr("neither true nor false"));
  EXPECT_THAT(refusal(ok + "[hdfs]\nreplication=0\n"), HasSubstr("hdfs.replication"));
  EXPECT_THAT(refusal("[[nodes]]\nreduce_slots=0\n"), HasSubstr("c.toml:1: nodes[1] has no slots"));
  EXPECT_THAT(refusal("[nodes]\nmap_slots=1\n"), HasSubstr("write [[nodes]]"));
  EXPECT_THAT(refusal("nodes=[1,2]\n"), HasSubstr("write [[nodes]]"));
  EXPECT_THAT(refusal("hdfs=1\n" + ok), HasSubstr("'hdfs' is not a table"));
  EXPECT_THAT(refusal(""), HasSubstr("c.toml: no nodes"));
  EXPECT_THAT(refusal(ok + "x = [\n"), HasSubstr("not TOML"));
  EXPECT_THAT(refusal("a=" + std::string(100'000, '[')), HasSubstr("not TOML"));
  EXPECT_THAT(refusal("\x80\xff"), HasSubstr("not TOML"));
  EXPECT_THAT(refusal("[mode]\nkind = 2 \xC5\xBB\n"), HasSubstr("c.toml:2: not TOML"));
  EXPECT_EQ(refusal(ok + "rack = \"/\xC5\xBB\" # \xC5\xBB\n"), "accepted");
  EXPECT_THAT(refusal("[mode]\n[[ = 128\n"), HasSubstr("not TOML"));  // breaks the parser's own assumptions
}

TEST(ClusterFile, ClientsShareNoSingleNodesProcessors) {
  const std::string ok = "[[nodes]]\nmap_slots=1\n[launches]\nprocessors=1\n";
  EXPECT_THAT(refusal(ok + "submit_work_ms=5\n"), HasSubstr("give it with shared_by = \"cluster\""));
  EXPECT_EQ(parse_cluster(ok + "submit_work_ms=5\nshared_by='cluster'\n", "c.toml").launches.submit_work,
            ms(5));
}

TEST(ClusterFile, QueuesStandBelowTheirParents) {
  const std::string node = "[[nodes]]\nmap_slots=1\n";
  const Cluster cluster = parse_cluster(
      "[[queues]]\nname='prod'\ncapacity=60\n[[queues]]\nname='prod.etl'\ncapacity=40\nmaximum=50\n" + node,
      "c");
  ASSERT_EQ(cluster.queues.size(), 2U);
  EXPECT_EQ(cluster.queues[0].capacity, 60);
  EXPECT_EQ(cluster.queues[1].maximum, 50);
  EXPECT_THAT(refusal("[[queues]]\nname='prod.etl'\n" + node), HasSubstr("write 'prod' before it"));
  EXPECT_THAT(refusal("[[queues]]\nname='a'\n[[queues]]\nname='a'\n" + node),
              HasSubstr("two queues are named 'a'"));
  EXPECT_THAT(refusal("[[queues]]\ncapacity=5\n" + node), HasSubstr("queue without a name"));
  EXPECT_THAT(refusal("[[queues]]\nname='a'\ncapacity=101\n" + node), HasSubstr("queues[1].capacity"));
  EXPECT_THAT(refusal("[[queues]]\nname='a'\ncapacity=51\nmaximum=50\n" + node),
              HasSubstr("a capacity of 51 % and a maximum of 50 %"));
  const auto siblings = [&](const std::string& second) {
    return "[[queues]]\nname='a'\ncapacity=60\n[[queues]]\nname='a.x'\ncapacity=90\n[[queues]]\nname='b'\n"
           "capacity=" +
           second + "\n" + node;
  };
  EXPECT_EQ(parse_cluster(siblings("40.04"), "c").queues.size(), 3U) << "percentages may be rounded";
  EXPECT_THAT(refusal(siblings("40.06")), HasSubstr("queue 'b' and its siblings have capacities of 100.1 %"));
  EXPECT_THAT(refusal("queues=5\n" + node), HasSubstr("write [[queues]]"));
  EXPECT_THAT(refusal("[limits]\nmin_memory_mb=0\n" + node), HasSubstr("limits.min_memory_mb"));
}

TEST(ClusterFile, HostsStandForTheCount) {
  const Cluster cluster = parse_cluster("[[nodes]]\nhosts=['a','b']\nmap_slots=1\n", "c");
  EXPECT_EQ(cluster.nodes[0].count, 2);
  EXPECT_THAT(refusal("[[nodes]]\nhosts=['a']\ncount=2\nmap_slots=1\n"),
              HasSubstr("names 1 hosts for 2 machines"));
  EXPECT_THAT(refusal("[[nodes]]\nhosts=['a',3]\nmap_slots=1\n"), HasSubstr("not a list of texts"));
}

TEST(ClusterFile, EachNodeHasANameOfItsOwn) {
  EXPECT_THAT(refusal("[[nodes]]\nhosts=['a','a']\nmap_slots=1\n"),
              HasSubstr("c.toml:2: two nodes of the cluster are called 'a'; give each host"));
  EXPECT_THAT(refusal("[[nodes]]\nhosts=['b']\nmap_slots=1\n[[nodes]]\nhosts=['a',\n'b']\nmap_slots=1\n"),
              HasSubstr("c.toml:6: two nodes of the cluster are called 'b'"));
  EXPECT_THAT(refusal("[[nodes]]\nhosts=['node2']\nmap_slots=1\n[[nodes]]\nmap_slots=1\n"),
              HasSubstr("c.toml:4: two nodes of the cluster are called 'node2'"));
  EXPECT_EQ(refusal("[[nodes]]\nhosts=['node1']\nmap_slots=1\n[[nodes]]\nmap_slots=1\n"), "accepted");
}

TEST(ClusterFile, ReadsFromAfarAreNoFaster) {
  const std::string node = "[[nodes]]\nmap_slots=1\n";
  const Cluster cluster = parse_cluster("[reads]\nkind='slowdown'\nrack=1.2\noff_rack=2\n" + node, "c");
  EXPECT_EQ(cluster.reads.off_rack, 2);
  EXPECT_THAT(refusal("[reads]\nkind='slowdown'\nrack=0.9\n" + node), HasSubstr("no faster"));
  EXPECT_THAT(refusal("[reads]\nkind='slowdwn'\n" + node), HasSubstr("did you mean 'slowdown'"));
  EXPECT_THAT(refusal("[network]\ncard_mbps=1e-300\n" + node), HasSubstr("less than a byte a millisecond"));
  EXPECT_THAT(refusal("[network]\nuplink_mbps=0.007\n" + node), HasSubstr("less than a byte a millisecond"));
  EXPECT_EQ(refusal("[network]\ncard_mbps=0.008\nuplink_mbps=0\n" + node), "accepted");
  EXPECT_THAT(refusal("[network]\noverhead_ms=-1\n" + node), HasSubstr("overhead_ms"));
}

TEST(ClusterFile, WhatIsWrittenReadsBackTheSame) {
  holds_always([] {
    Cluster cluster;
    for (int queues = *rc::gen::inRange(0, 4); queues > 0; --queues) {
      Queue queue;
      queue.name = cluster.queues.empty() ? "top" : fmt::format("top.q{}", queues);
      queue.capacity = *rc::gen::inRange(0, 176) / 7.0;  // four at most are 100 % together
      queue.user_limit_factor = *rc::gen::inRange(1, 90) / 9.0;
      queue.maximum_masters = *rc::gen::inRange(0, 101);
      cluster.queues.push_back(queue);
    }
    if (*rc::gen::arbitrary<bool>()) cluster.limits.max_vcores = *rc::gen::inRange(1, 64);
    if (*rc::gen::arbitrary<bool>())
      cluster.limits.min_memory = Bytes{*rc::gen::inRange<std::int64_t>(1, 64) << 20};
    for (int groups = *rc::gen::inRange(1, 4); groups > 0; --groups) {
      NodeGroup group;
      group.count = *rc::gen::inRange(1, 100);
      group.slots = {*rc::gen::inRange(1, 9), *rc::gen::inRange(0, 9)};
      group.rack = fmt::format("/{}", *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127)));
      group.speed = *rc::gen::inRange(1, 1000) / 7.0;
      group.power_busy_w = *rc::gen::inRange(0, 1000) / 3.0;
      group.price_per_hour = *rc::gen::inRange(0, 1000) / 9.0;
      group.memory = Bytes{*rc::gen::inRange<std::int64_t>(0, 1000) << 20};
      group.vcores = *rc::gen::inRange(0, 64);
      cluster.nodes.push_back(group);
    }
    cluster.mode.slowstart = *rc::gen::inRange(0, 101) / 100.0;
    cluster.mode.heartbeat = ms(*rc::gen::inRange(0, 10'000));
    cluster.mode.launch = ms(*rc::gen::inRange(0, 10'000));
    cluster.mode.out_of_band = *rc::gen::arbitrary<bool>();
    cluster.mode.maps_per_heartbeat = *rc::gen::inRange(0, 9);
    cluster.hdfs.block = Bytes{*rc::gen::inRange<std::int64_t>(1, 512) << 20};
    cluster.hdfs.skew = *rc::gen::inRange(0, 30) / 9.0;
    if (*rc::gen::arbitrary<bool>())
      cluster.reads = {Reads::Kind::slowdown, 1.2, *rc::gen::inRange(9, 90) / 7.0};
    cluster.nodes[0].hosts.clear();
    for (Count i = 0; i < cluster.nodes[0].count; ++i)
      cluster.nodes[0].hosts.push_back(fmt::format("h\"{}", i));
    cluster.network.overhead = ms(*rc::gen::inRange(0, 900));  // also where nothing uses it
    cluster.masters.finish = ms(1);                            // masters are written where there are some
    cluster.masters.see_vcores = *rc::gen::arbitrary<bool>();
    cluster.launches.of_node = *rc::gen::arbitrary<bool>();
    if (!cluster.launches.of_node) cluster.launches.submit_work = ms(*rc::gen::inRange(0, 9'000));
    const std::string text = to_toml(cluster);
    const Cluster back = parse_cluster(text, "back");
    RC_ASSERT(to_toml(back) == text);
    RC_ASSERT(back.nodes.size() == cluster.nodes.size());
    RC_ASSERT(back.total_slots() == cluster.total_slots());
    RC_ASSERT(back.nodes[0].speed == cluster.nodes[0].speed);
    RC_ASSERT(back.nodes[0].rack == cluster.nodes[0].rack);
    RC_ASSERT(back.mode.heartbeat == cluster.mode.heartbeat);
    RC_ASSERT(back.network.overhead == cluster.network.overhead);
    RC_ASSERT(back.mode.launch == cluster.mode.launch);
    RC_ASSERT(back.masters.see_vcores == cluster.masters.see_vcores);
    RC_ASSERT(back.launches.of_node == cluster.launches.of_node);
    RC_ASSERT(back.launches.submit_work == cluster.launches.submit_work);
    RC_ASSERT(back.reads.kind == cluster.reads.kind);
    RC_ASSERT(back.reads.off_rack == cluster.reads.off_rack);
    RC_ASSERT(back.nodes[0].hosts == cluster.nodes[0].hosts);
    RC_ASSERT(back.queues.size() == cluster.queues.size());
    RC_ASSERT(back.limits.max_vcores == cluster.limits.max_vcores);
  });
}

TEST(ClusterFile, ReadsTheClassesOfNodes) {
  const Cluster cluster = parse_cluster(R"(
[classes.gpu]
label = "gpu"
power_idle_w = 68
power_curve_w = [80, 90.5]
power_off_w = 2
wake_j = 500
[grid]
co2_g_per_kwh = [[0, 300], [3600000, 120]]
[[nodes]]
class = "gpu"
map_slots = 1
rent = true
[[nodes]]
class = "gpu"
map_slots = 1
power_idle_w = 70
power_busy_w = 71
)",
                                        "test");
  EXPECT_EQ(cluster.nodes[0].power_idle_w, 68);
  EXPECT_EQ(cluster.nodes[0].power_busy_w, 68);
  EXPECT_EQ(cluster.nodes[1].power_idle_w, 70);
  EXPECT_EQ(cluster.classes.at("gpu").label, "gpu");
  EXPECT_EQ(cluster.classes.at("gpu").curve_w, (std::vector<double>{80, 90.5}));
  EXPECT_EQ(cluster.classes.at("gpu").wake_j, 500);
  EXPECT_EQ(cluster.carbon, (std::vector<CarbonIntensity>{{at_ms(0), 300}, {at_ms(3'600'000), 120}}));
  const Cluster again = parse_cluster(to_toml(cluster), "again");
  EXPECT_EQ(again.classes, cluster.classes);
  EXPECT_EQ(again.carbon, cluster.carbon);
}

TEST(ClusterFile, ARowWithoutABusyPowerDrawsItsOwnIdlePower) {
  const std::string of_class = "[classes.c]\npower_idle_w = 100\n",
                    row = "[[nodes]]\nmap_slots = 1\nclass = \"c\"\n";
  const auto busy = [](const std::string& text) { return parse_cluster(text, "test").nodes[0].power_busy_w; };
  EXPECT_EQ(busy(of_class + row + "power_idle_w = 90\n"), 90);
  EXPECT_EQ(busy(of_class + row + "power_idle_w = 110\n"), 110);
  EXPECT_EQ(busy(of_class + "power_busy_w = 200\n" + row + "power_idle_w = 110\n"), 200);
  EXPECT_EQ(busy("[[nodes]]\nmap_slots = 1\npower_idle_w = 50\n"), 50);
}

TEST(ClusterFile, RefusesClassesThatMeanNothing) {
  const auto refusal_of = [](const std::string& keys) -> std::string {
    try {
      (void)parse_cluster("[classes.c]\n" + keys + "\n[[nodes]]\nclass = \"c\"\nmap_slots = 1\n", "test");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal_of("power_idle_w = -1"), HasSubstr("power_idle_w"));
  EXPECT_THAT(refusal_of("power_map_w = 1"), HasSubstr("no power_idle_w"));
  EXPECT_THAT(refusal_of("power_idle_w = 5\npower_curve_w = [4]"), HasSubstr("less power busy"));
  EXPECT_THAT(refusal_of("power_idle_w = 5\npower_curve_w = []"), HasSubstr("no list of powers"));
  EXPECT_THAT(refusal_of("power_idle_w = 5\npower_curve_w = [6]\npower_map_w = 1"),
              HasSubstr("measured curve"));
  EXPECT_THAT(refusal_of("power_idle_w = 5\npower_off_w = 6"), HasSubstr("more power off"));
  EXPECT_THAT(refusal_of("colour = 1"), HasSubstr("colour"));
  EXPECT_EQ(refusal_of("power_idle_w = 5\npower_off_w = 5"), "");
  for (const char* const key :
       {"power_busy_w", "power_map_w", "power_reduce_w", "power_master_w", "power_off_w", "wake_j"})
    EXPECT_THAT(refusal_of(fmt::format("power_idle_w = 5\n{} = -1", key)),
                HasSubstr(fmt::format("classes.c.{} is not a number from 0", key)));
  EXPECT_THAT(refusal_of("power_idle_w = 5\npower_curve_w = [6, -7]"), HasSubstr("no list of powers"));
  EXPECT_THAT(refusal_of("label = \"\""), HasSubstr("classes.c.label is empty"));
  for (const char* const label : {"a b", "-gpu", "_gpu", "gpu,ssd", "grün"})
    EXPECT_THAT(refusal_of(fmt::format("label = \"{}\"", label)),
                HasSubstr("classes.c.label is no node label that YARN takes"));
  EXPECT_THAT(refusal_of("label = \"" + std::string(256, 'x') + "\""), HasSubstr("255 characters"));
  EXPECT_EQ(refusal_of("label = \"8-core_ssd.fast\""), "");
  EXPECT_THAT(refusal_of("wake_j = 5"), HasSubstr("classes.c: wake_j for machines that no policy rents"));
}

TEST(ClusterFile, BootsOnlyMachinesForRent) {
  const std::string row = "[[nodes]]\nmap_slots = 1\nboot_ms = 5\n";
  EXPECT_THAT(refusal(row), HasSubstr("c.toml:1: nodes[1]: boot_ms for machines that no policy rents"));
  EXPECT_EQ(refusal(row + "rent = true\n"), "accepted");
  EXPECT_EQ(refusal("[[nodes]]\nmap_slots = 1\nboot_ms = 0\n"), "accepted");
}

TEST(ClusterFile, MachinesForRentOfOneClassAreAlike) {
  const std::string row = "[[nodes]]\nclass = 'r'\nmap_slots = 2\nrent = true\n";
  EXPECT_EQ(refusal(row + row + "rack = '/far'\ncount = 7\n"), "accepted");
  EXPECT_EQ(refusal(row + "[[nodes]]\nclass = 'r'\nmap_slots = 1\n"), "accepted") << "it stays by itself";
  EXPECT_EQ(refusal(row + "[[nodes]]\nclass = 'other'\nmap_slots = 1\nrent = true\n"), "accepted");
  const auto differs = [&](const std::string& more, const std::string& key) {
    EXPECT_THAT(refusal("[[nodes]]\nmap_slots = 1\n" + row + row + more + "\n"),
                HasSubstr("nodes[2] and nodes[3] are for rent, of class 'r', and differ in " + key + ";"));
  };
  differs("reduce_slots = 1", "reduce_slots");
  differs("boot_ms = 5", "boot_ms");
  differs("price_per_hour = 5", "price_per_hour");
  differs("spot = [[0, 0.1]]", "spot");
  differs("billing = 'hour'", "billing");
  differs("boot_billed = true", "how they are billed");
  EXPECT_THAT(refusal("[[nodes]]\nclass = 'r'\nmap_slots = 1\nrent = true\n" + row),
              HasSubstr("differ in map_slots"));
}

TEST(ClusterFile, SaysWhichNodeIsNotThere) {
  const std::string two = "[[nodes]]\nmap_slots = 1\ncount = 2\n";
  EXPECT_EQ(refusal(two + "[[outages]]\nnode = 'node2'\nfrom_ms = 5\n"), "accepted");
  EXPECT_THAT(refusal(two + "[[outages]]\nnode = 'node3'\nfrom_ms = 5\n"),
              HasSubstr("c.toml:4: an outage of node 'node3', which the cluster has not"));
}

TEST(ClusterFile, LaunchesThatTakeProcessorTimeHaveProcessors) {
  const std::string ok = "[[nodes]]\nmap_slots=1\n[launches]\n";
  EXPECT_THAT(refusal(ok + "work_ms=5\n"),
              HasSubstr("c.toml:3: launches take processor time, and share no processors"));
  EXPECT_THAT(refusal(ok + "master_work_ms=5\n"), HasSubstr("give `processors`"));
  EXPECT_EQ(refusal(ok + "work_ms=5\nprocessors=1\n"), "accepted");
}

TEST(ClusterFile, RefusesCarbonThatIsNone) {
  const auto refusal_of = [](const std::string& value) {
    return refusal("[[nodes]]\nmap_slots=1\n[grid]\nco2_g_per_kwh=" + value + "\n");
  };
  EXPECT_EQ(refusal_of("380"), "accepted");
  EXPECT_EQ(refusal_of("[[0, 380], [5, 0]]"), "accepted");
  EXPECT_THAT(refusal_of("-380"), HasSubstr("c.toml:4: grid.co2_g_per_kwh is not a number from 0"));
  EXPECT_THAT(refusal_of("nan"), HasSubstr("is not a number from 0"));
  EXPECT_THAT(refusal_of("'much'"), HasSubstr("grid.co2_g_per_kwh is neither a number nor a list"));
  EXPECT_THAT(refusal_of("[]"), HasSubstr("grid.co2_g_per_kwh is an empty list"));
  EXPECT_THAT(refusal_of("[[0, -380]]"), HasSubstr("grid: a carbon intensity that is none"));
  EXPECT_THAT(refusal_of("[[-1, 380]]"), HasSubstr("a carbon intensity from no time"));
  EXPECT_THAT(refusal_of("[[5, 380], [5, 120]]"), HasSubstr("a carbon intensity out of order"));
  EXPECT_THAT(refusal_of("[[5]]"), HasSubstr("a carbon intensity is no pair"));
}

}  // namespace
}  // namespace wavewright
