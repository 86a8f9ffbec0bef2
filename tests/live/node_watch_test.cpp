#include "wavewright/live/promise/node_watch.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "wavewright/live/promise/node_probe.h"

namespace wavewright {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

// Two nodes; a test says which answer.
struct Watched {
  std::set<std::string> dead;
  std::vector<WatchedNode> listed = {{"n1", "n1:8042"}, {"n2", "n2:8042"}};
  NodeWatch watch{[this](const std::vector<std::string>& addresses) {
    std::vector<bool> answered;
    for (const std::string& each : addresses) answered.push_back(!dead.contains(each));
    return answered;
  }};
};

TEST(NodeWatch, ANodeIsSilentAfterTwoHeartbeatsWithoutAnswer) {
  Watched nodes;
  EXPECT_THAT(nodes.watch.look(nodes.listed).silent, IsEmpty());
  nodes.dead = {"n2:8042"};
  EXPECT_THAT(nodes.watch.look(nodes.listed).silent, IsEmpty());
  EXPECT_THAT(nodes.watch.look(nodes.listed).silent, ElementsAre("n2"));
  EXPECT_THAT(nodes.watch.look(nodes.listed).silent, IsEmpty()) << "it is told once";
  EXPECT_THAT(nodes.watch.silent(), ElementsAre("n2"));
  nodes.dead.clear();
  EXPECT_THAT(nodes.watch.look(nodes.listed).back, ElementsAre("n2"));
  EXPECT_THAT(nodes.watch.look(nodes.listed).back, IsEmpty());
  EXPECT_THAT(nodes.watch.silent(), IsEmpty());
}

TEST(NodeWatch, OneAnswerThatIsLostIsNothing) {
  Watched nodes;
  for (int i = 0; i < 5; ++i) {
    nodes.dead = {"n1:8042"};
    EXPECT_THAT(nodes.watch.look(nodes.listed).silent, IsEmpty());
    nodes.dead.clear();
    const NodeWatch::News news = nodes.watch.look(nodes.listed);
    EXPECT_THAT(news.back, IsEmpty());
  }
}

// From the death of a node to the look that finds it silent, by a clock that the test turns: looks begin each
// `ask_nodes_again`, and wait `ask_nodes_within` for a node that is frozen. A closed port refuses at once.
Duration until_silent(Duration death, bool frozen) {
  Duration clock{};
  NodeWatch watch([&](const std::vector<std::string>& addresses) {
    const bool answers = clock < death;
    if (!answers && frozen) clock += ask_nodes_within;
    return std::vector<bool>(addresses.size(), answers);
  });
  for (;;) {
    const Duration next = clock + ask_nodes_again;
    if (!watch.look({{"n1", "n1:8042"}}).silent.empty()) return clock - death;
    clock = std::max(clock, next);
  }
}

TEST(NodeWatch, ADeadNodeIsSilentWellWithinTwoHeartbeats) {
  for (Duration death = ms(2'000); death < ms(3'000); death += ms(1)) {
    EXPECT_LE(until_silent(death, false), node_heartbeat) << death.count();
    EXPECT_LE(until_silent(death, true), 2 * node_heartbeat - ms(600)) << death.count();
  }
  EXPECT_EQ(until_silent(ms(2'001), false), ms(999)) << "just after it was asked";
  EXPECT_EQ(until_silent(ms(2'001), true), ms(1'399));
  EXPECT_LT(ask_nodes_within, ask_nodes_again) << "a look that waits delays no other";
}

// It was lost before anybody watched.
TEST(NodeWatch, ANodeOfTheClusterFileThatYarnDoesNotListIsGone) {
  Watched nodes;
  nodes.watch.expect({"n1", "n9"});
  EXPECT_THAT(nodes.watch.gone(), IsEmpty()) << "nothing was listed yet";
  (void)nodes.watch.look(nodes.listed);
  EXPECT_THAT(nodes.watch.gone(), ElementsAre("n9"));
  nodes.watch.expect({"other1", "other2"});
  EXPECT_THAT(nodes.watch.gone(), IsEmpty()) << "the file has names of its own";
}

TEST(NodeWatch, ANodeThatYarnGaveUpIsGoneUntilItIsListed) {
  Watched nodes;
  nodes.dead = {"n2:8042"};
  for (int i = 0; i < 3; ++i) (void)nodes.watch.look(nodes.listed);
  const std::vector<WatchedNode> first = {nodes.listed[0]};
  (void)nodes.watch.look(first);
  EXPECT_THAT(nodes.watch.silent(), IsEmpty()) << "YARN knows";
  EXPECT_THAT(nodes.watch.gone(), ElementsAre("n2"));
  nodes.dead.clear();
  (void)nodes.watch.look(nodes.listed);
  EXPECT_THAT(nodes.watch.gone(), IsEmpty());
}

// The cluster file has two nodes, and names no hosts.
TEST(NodeWatch, ANodeThatWasReplacedIsNotMissing) {
  Watched nodes;
  EXPECT_EQ(nodes.watch.missing(2), 0U) << "nothing was listed yet";
  (void)nodes.watch.look(nodes.listed);
  EXPECT_EQ(nodes.watch.missing(2), 0U);
  EXPECT_EQ(nodes.watch.missing(8), 0U) << "the file divides real nodes";
  (void)nodes.watch.look({{"n1", "n1:8042"}, {"n2", "n2:8042", false}});
  EXPECT_EQ(nodes.watch.missing(2), 1U);
  (void)nodes.watch.look({{"n1", "n1:8042"}, {"n2", "n2:8042", false}, {"n3", "n3:8042"}});
  EXPECT_EQ(nodes.watch.missing(2), 0U);
  nodes.dead = {"n3:8042"};
  for (int i = 0; i < 2; ++i) (void)nodes.watch.look({{"n1", "n1:8042"}, {"n3", "n3:8042"}});
  EXPECT_EQ(nodes.watch.missing(2), 1U) << "silent";
  EXPECT_FALSE(nodes.watch.knows_hosts());
  nodes.watch.expect({"n2"});
  EXPECT_TRUE(nodes.watch.knows_hosts());
}

TEST(NodeWatch, ANodeThatWasLostBeforeTheFirstLookIsMissing) {
  Watched nodes;
  EXPECT_FALSE(nodes.watch.is_sure());
  (void)nodes.watch.look({{"n1", "n1:8042"}, {"n2", "n2:8042", false}});
  EXPECT_FALSE(nodes.watch.is_sure()) << "a silent node is found at the second look";
  (void)nodes.watch.look({{"n1", "n1:8042"}, {"n2", "n2:8042", false}});
  EXPECT_TRUE(nodes.watch.is_sure());
  EXPECT_EQ(nodes.watch.missing(2), 1U);
}

TEST(NodeWatch, EachOfSeveralNodesOnAHostIsWatched) {
  for (const char* dead : {"n1:8042", "n1:9042"}) {
    Watched nodes;
    nodes.listed = {{"n1", "n1:8042"}, {"n1", "n1:9042"}, {"n2", "n2:8042"}};
    (void)nodes.watch.look(nodes.listed);
    nodes.dead = {dead};
    (void)nodes.watch.look(nodes.listed);
    EXPECT_THAT(nodes.watch.look(nodes.listed).silent, ElementsAre(fmt::format("n1 ({})", dead)));
    EXPECT_THAT(nodes.watch.silent(), ElementsAre("n1"));
    EXPECT_EQ(nodes.watch.silent_nodes(), 1U);
    EXPECT_EQ(nodes.watch.missing(3), 1U);
    nodes.dead.clear();
    EXPECT_THAT(nodes.watch.look(nodes.listed).back, ElementsAre(fmt::format("n1 ({})", dead)));
    (void)nodes.watch.look({{"n1", "n1:8042"}});
    EXPECT_THAT(nodes.watch.gone(), ElementsAre("n2")) << "one node of n1 is still there";
  }
}

TEST(NodeWatch, ANodeThatIsSilentForFifteenSecondsIsLost) {
  Watched nodes;
  (void)nodes.watch.look(nodes.listed);
  nodes.dead = {"n2:8042"};
  for (Duration silent = ask_nodes_again; silent <= ms(17'000); silent += ask_nodes_again) {
    (void)nodes.watch.look(nodes.listed);
    EXPECT_EQ(nodes.watch.state_of("n2:8042"), silent < 2 * ask_nodes_again ? MasterNode::answers
                                               : silent < ms(15'000)        ? MasterNode::silent
                                                                            : MasterNode::lost);
    EXPECT_EQ(nodes.watch.state_of("n1:8042"), MasterNode::answers);
  }
  EXPECT_EQ(nodes.watch.state_of("other:8042"), MasterNode::answers) << "never listed";
  nodes.dead.clear();
  (void)nodes.watch.look(nodes.listed);
  EXPECT_EQ(nodes.watch.state_of("n2:8042"), MasterNode::answers);
  for (int look = 0; look < 2; ++look) (void)nodes.watch.look({nodes.listed[0]});
  EXPECT_EQ(nodes.watch.state_of("n2:8042"), MasterNode::silent) << "YARN lists it no more";
}

// It gets no more tasks, and its masters go on.
TEST(NodeWatch, ANodeThatDrainsIsGoneAndAnswers) {
  Watched nodes;
  (void)nodes.watch.look(nodes.listed);
  nodes.listed[1].runs = false;
  nodes.listed[1].drains = true;
  for (int look = 0; look < 3; ++look) EXPECT_THAT(nodes.watch.look(nodes.listed).silent, IsEmpty());
  EXPECT_EQ(nodes.watch.state_of("n2:8042"), MasterNode::answers);
  EXPECT_THAT(nodes.watch.gone(), ElementsAre("n2"));
  EXPECT_EQ(nodes.watch.missing(2), 1U);
  nodes.dead = {"n2:8042"};
  for (int look = 0; look < 2; ++look) EXPECT_THAT(nodes.watch.look(nodes.listed).silent, IsEmpty());
  EXPECT_EQ(nodes.watch.state_of("n2:8042"), MasterNode::silent);
}

TEST(NodeWatch, AJobIsToldOfItsMastersNode) {
  Watched nodes;
  nodes.dead = {"n2:8042"};
  for (int look = 0; look < 2; ++look) (void)nodes.watch.look(nodes.listed);
  LiveBatch batch;
  for (const char* id : {"read", "unread", "elsewhere", "over", "unknown"}) {
    LiveJob job;
    job.id = id;
    job.state = LiveState::running;
    job.master_node = "n2:8042";
    job.bounds = TaskBounds{7, 2, ms(1), ms(1)};
    batch.jobs.push_back(job);
  }
  batch.jobs[2].master_node = "n1:8042";
  batch.jobs[3].state = LiveState::done;
  batch.jobs[4].bounds.reset();
  ProgressByJob progress;
  progress["read"].maps = {.total = 9, .done = 3};
  progress["elsewhere"].maps = {.total = 9};
  const ProgressByJob told = with_masters(progress, batch, nodes.watch, at_ms(5));
  ASSERT_THAT(told, SizeIs(3));
  EXPECT_EQ(told.at("read").master_node, MasterNode::silent);
  EXPECT_EQ(told.at("read").maps, progress["read"].maps);
  EXPECT_EQ(told.at("elsewhere"), progress["elsewhere"]);
  EXPECT_EQ(told.at("unread").master_node, MasterNode::silent);
  EXPECT_EQ(told.at("unread").maps.total, 7);
  EXPECT_EQ(told.at("unread").reduces.total, 2);
  EXPECT_EQ(told.at("unread").at, at_ms(5));
}

TEST(NodeWatch, SlotsOfAnyNodesAreThoseOfTheLargest) {
  Cluster cluster;
  cluster.nodes.resize(2);
  cluster.nodes[0].count = 3;
  cluster.nodes[0].slots = {2, 4};
  cluster.nodes[1].count = 1;
  cluster.nodes[1].slots = {5, 1};
  EXPECT_EQ(slots_of_any(cluster, 0), (SlotPool{0, 0}));
  EXPECT_EQ(slots_of_any(cluster, 2), (SlotPool{7, 8}));
  EXPECT_EQ(slots_of_any(cluster, 9), (SlotPool{11, 13}));
}

TEST(NodeWatch, YarnsAnswerNamesTheNodesThatRun) {
  const auto nodes = parse_watched_nodes(
      R"({"nodes":{"node":[{"nodeHostName":"n1","state":"RUNNING","nodeHTTPAddress":"n1:8042"},
                           {"nodeHostName":"n2","state":"LOST","nodeHTTPAddress":"n2:8042"},
                           {"nodeHostName":"n3","state":"RUNNING","nodeHTTPAddress":""},
                           {"nodeHostName":"n4","state":"DECOMMISSIONED","nodeHTTPAddress":"n4:8042"},
                           {"nodeHostName":"n5","state":"DECOMMISSIONING","nodeHTTPAddress":"n5:8042"}]}})",
      "url");
  ASSERT_THAT(nodes, SizeIs(3));
  EXPECT_EQ(nodes[0].host, "n1");
  EXPECT_EQ(nodes[0].web, "n1:8042");
  EXPECT_TRUE(nodes[0].runs);
  EXPECT_EQ(nodes[1].host, "n2");
  EXPECT_FALSE(nodes[1].runs || nodes[1].drains);
  EXPECT_TRUE(!nodes[2].runs && nodes[2].drains);
  EXPECT_THAT(parse_watched_nodes(R"({"nodes":null})", "url"), IsEmpty());
  for (const char* wrong : {"", "{}", "[]", R"({"nodes":{"node":7}})", "<html>"})
    EXPECT_THROW((void)parse_watched_nodes(wrong, "url"), ExternalError) << wrong;
}

TEST(NodeWatch, SlotsOfAHostAreThoseOfTheClusterFile) {
  Cluster cluster;
  cluster.nodes.resize(2);
  cluster.nodes[0].hosts = {"big"};
  cluster.nodes[0].slots = {8, 4};
  cluster.nodes[1].count = 2;
  cluster.nodes[1].slots = {2, 1};
  EXPECT_EQ(slots_of(cluster, {}), (SlotPool{0, 0}));
  EXPECT_EQ(slots_of(cluster, {"big"}), (SlotPool{8, 4}));
  EXPECT_EQ(slots_of(cluster, {"other"}), (SlotPool{8, 4})) << "it may be any";
  EXPECT_EQ(slots_of(cluster, {"a", "b", "c"}), (SlotPool{12, 6})) << "no more than there are";
}

TEST(NodeWatch, WhatASilentNodeHeldIsToBeDoneAgain) {
  ProgressByJob progress;
  JobProgress& job = progress["a"];
  job.maps = {.total = 20, .done = 10, .running = 3};
  job.maps.tasks = {{ms(5)}, {ms(9)}, {ms(7)}, {ms(99), true}};
  job.reduces = {.total = 2, .done = 0, .running = 0};
  job.maps_done = at_ms(1);
  const JobProgress left = without_silent(progress, {2, 1}, {8, 4}).at("a");
  EXPECT_EQ(left.maps.running, 1);
  EXPECT_EQ(left.maps.done, 7) << "a quarter of the outputs, rounded up";
  EXPECT_THAT(left.maps.tasks, ElementsAre(SeenTask{ms(5)}, SeenTask{ms(99), true})) << "the youngest";
  EXPECT_FALSE(left.maps_done);
  EXPECT_EQ(without_silent(progress, {}, {8, 4}).at("a"), job);
  job.reduces.done = 2;
  EXPECT_EQ(without_silent(progress, {2, 1}, {8, 4}).at("a").maps.done, 10) << "no reduce needs them";
}

// A server on a port of its own that answers, after a while if that is said, or takes the connection and says
// nothing.
class Server {
 public:
  explicit Server(bool answers, int port = 0, std::chrono::milliseconds slow = {})
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const int again = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    ::listen(socket_, 9);
    if (!answers) return;
    thread_ = std::thread([this, slow] {
      for (int client = ::accept(socket_, nullptr, nullptr); client >= 0;
           client = ::accept(socket_, nullptr, nullptr)) {
        std::this_thread::sleep_for(slow);
        (void)::send(client, "HTTP/1.0 200 OK\r\n\r\n", 19, MSG_NOSIGNAL);
        ::close(client);
      }
    });
  }
  ~Server() {
    ::shutdown(socket_, SHUT_RDWR);
    ::close(socket_);
    if (thread_.joinable()) thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  Server(Server&&) = delete;
  Server& operator=(Server&&) = delete;
  [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  int socket_;
  int port_ = 0;
  std::thread thread_;
};

TEST(NodeProbe, OnlyWhoAnswersIsThere) {
  const Server good(true), frozen(false);
  std::string closed;
  {
    const Server gone(true);
    closed = gone.address();
  }
  const auto began = std::chrono::steady_clock::now();
  WebServerProbe probe;
  EXPECT_THAT(probe.ask({good.address(), closed, frozen.address(), "no-such-host.invalid:80", "nonsense",
                         good.address()},
                        ms(700)),
              ElementsAre(true, false, false, false, false, true));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
  EXPECT_THAT(probe.ask({}, ms(100)), IsEmpty());
}

// Else a node that is busy would be taken for silent.
TEST(NodeProbe, ASlowAnswerIsHeardAtTheNextQuestion) {
  const Server slow(true, 0, std::chrono::milliseconds(600)), frozen(false);
  WebServerProbe probe;
  const std::vector<std::string> both = {slow.address(), frozen.address()};
  EXPECT_THAT(probe.ask(both, ms(200)), ElementsAre(false, false));
  EXPECT_THAT(probe.ask(both, ms(2'000)), ElementsAre(true, false));
}

TEST(NodeProbe, OneQuestionOfASilentServerStaysOpen) {
  const auto open_files = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  const Server frozen(false);
  const auto before = open_files();
  WebServerProbe probe;
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(probe.ask({frozen.address()}, ms(50)), ElementsAre(false));
    EXPECT_EQ(open_files(), before + 1);
  }
  EXPECT_THAT(probe.ask({}, ms(50)), IsEmpty());
  EXPECT_EQ(open_files(), before) << "it is asked no more";
}

// A resolver of a test: counts, and gives what the test says.
struct Names {
  std::mutex mutex;
  std::map<std::string, int> asked;
  std::map<std::string, std::string> ports;  // on loopback; a name without one has no address
  WebServerProbe probe{[this](const std::string& host, const std::string&) {
    const std::scoped_lock lock(mutex);
    ++asked[host];
    const auto port = ports.find(host);
    return port == ports.end() ? std::nullopt : resolved("127.0.0.1", port->second);
  }};
};

std::string port_of(const Server& server) {
  return server.address().substr(server.address().find(':') + 1);
}

TEST(NodeProbe, ANameIsResolvedOnceAndAgainWhileItsServerIsSilent) {
  const Server good(true);
  Names names;
  names.ports = {{"good", port_of(good)}, {"silent", "1"}};
  const std::vector<std::string> all = {"good:1", "gone:1", "silent:1"};
  for (int i = 0; i < 17; ++i) EXPECT_THAT(names.probe.ask(all, ms(2'000)), ElementsAre(true, false, false));
  // At first, and after 4, 8 and 16 looks without an answer.
  EXPECT_THAT(names.asked, ElementsAre(Pair("gone", 4), Pair("good", 1), Pair("silent", 4)));
}

TEST(NodeProbe, AServerThatMovedIsFoundAndALostNameKeepsItsAddress) {
  const Server good(true);
  Names names;
  names.ports = {{"n1", "1"}};
  for (int i = 0; i < 4; ++i) EXPECT_THAT(names.probe.ask({"n1:1"}, ms(2'000)), ElementsAre(false));
  names.ports["n1"] = port_of(good);
  EXPECT_THAT(names.probe.ask({"n1:1"}, ms(2'000)), ElementsAre(true));
  names.ports.clear();
  EXPECT_THAT(names.probe.ask({"n1:1"}, ms(2'000)), ElementsAre(true));
}

// The name server is away, too, when it is asked again.
TEST(NodeProbe, AServerThatComesBackIsFoundWithoutItsName) {
  Names names;
  int port = 0;
  {
    const Server good(true);
    port = std::stoi(port_of(good));
    names.ports = {{"n1", port_of(good)}};
    EXPECT_THAT(names.probe.ask({"n1:1"}, ms(2'000)), ElementsAre(true));
  }
  names.ports.clear();
  for (int i = 0; i < 5; ++i) EXPECT_THAT(names.probe.ask({"n1:1"}, ms(2'000)), ElementsAre(false));
  EXPECT_EQ(names.asked["n1"], 2);
  const Server back(true, port);
  EXPECT_THAT(names.probe.ask({"n1:1"}, ms(2'000)), ElementsAre(true));
}

TEST(NodeProbe, ManyNamesAreResolvedAtOnce) {
  std::mutex mutex;
  std::condition_variable changed;
  int now = 0, most = 0;
  // Each name waits for 31 others, or two seconds.
  WebServerProbe probe([&](const std::string&, const std::string&) -> std::optional<SocketAddress> {
    std::unique_lock lock(mutex);
    most = std::max(most, ++now);
    changed.notify_all();
    changed.wait_for(lock, std::chrono::seconds(2), [&] { return most == 32; });
    --now;
    return std::nullopt;
  });
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) names.push_back("host" + std::to_string(i) + ":80");
  EXPECT_THAT(probe.ask(names, ms(100)), Each(false));
  EXPECT_EQ(most, 32);
}

}  // namespace
}  // namespace wavewright
