// Clusters with containers, and jobs for them, for tests of promises.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "tests/realtime/worlds.h"
#include "wavewright/realtime/containers/container_rtmr.h"

namespace wavewright::realtime_worlds {

// With and without heartbeats and limits by cores, of one or two kinds of nodes, which may be of one class,
// with masters that take time.
inline World container_world(const Pick& pick) {
  World world;
  std::string text = fmt::format("[mode]\nkind = \"containers\"\nlaunch_ms = {}\nslowstart = {}\n",
                                 std::max(0, pick(-9, 9)), pick(0, 2) == 0 ? "1.0" : "0.5");
  if (pick(0, 2) == 0) {
    const int heartbeats[] = {1, 3, 7, 20};
    text += fmt::format("heartbeat_ms = {}\nout_of_band = {}\n", heartbeats[pick(0, 4)], pick(0, 2) == 0);
  }
  text +=
      fmt::format("[masters]\nheartbeat_ms = {}\nstart_ms = {}\nfinish_ms = {}\nstop_ms = {}\n", pick(1, 6),
                  std::max(0, pick(-9, 9)), std::max(0, pick(-9, 9)), std::max(0, pick(-9, 9)));
  text += fmt::format(
      "[containers]\nmaster_memory_mb = {}\nmap_memory_mb = {}\nreduce_memory_mb = {}\nmap_vcores = {}\n"
      "count_vcores = {}\n",
      pick(1, 4), pick(1, 4), pick(1, 5), pick(1, 3), pick(0, 4) == 0);
  if (pick(0, 3) == 0) text += "[limits]\nmin_memory_mb = 2\n";
  text += fmt::format("[[nodes]]\ncount = {}\nmemory_mb = {}\nvcores = {}\n", pick(1, 4), pick(6, 14),
                      pick(3, 9));
  if (pick(0, 3) == 0)
    text += fmt::format("[[nodes]]\n{}speed = {}\nmemory_mb = {}\nvcores = {}\n",
                        pick(0, 2) == 0 ? "class = \"other\"\n" : "", pick(0, 2) == 0 ? "0.5" : "2.0",
                        pick(3, 9), pick(2, 5));
  world.cluster = parse_cluster(text, "cluster.toml");
  const int tightnesses[] = {80, 200, 600}, paces[] = {1, 20, 80};
  const int tightness = tightnesses[pick(0, 3)], pace = paces[pick(0, 3)];
  std::int64_t at = 0;
  for (int i = pick(2, 12); i > 0; --i) {
    const auto lengths = [&](int most) {
      std::vector<Duration> all;
      for (int k = pick(0, most); k > 0; --k) all.push_back(ms(pick(1, 30)));
      return all;
    };
    at += pick(0, pace);
    const std::vector<Duration> maps = lengths(9);
    world.workload.jobs.push_back(
        a_job(fmt::format("J{}", i), at, at + pick(20, tightness), maps, lengths(5)));
    Job& job = world.workload.jobs.back();
    add_shuffles(job, pick);
    if (pick(0, 6) == 0) job.deadline.reset();
    if (pick(0, 4) == 0) job.memory.map = Bytes{static_cast<std::int64_t>(pick(1, 6)) << 20};
    if (pick(0, 6) == 0) job.memory.reduce = Bytes{static_cast<std::int64_t>(pick(1, 6)) << 20};
  }
  return world;
}

inline World some_container_world() {
  return container_world([](int low, int high) { return *rc::gen::inRange(low, high); });
}

// Another allocator that looks on after each event.
class LookingOn final : public Allocator {
 public:
  using Look = std::function<void(const Event&, const View&, ContainerRtmrAllocator&)>;
  LookingOn(std::unique_ptr<Allocator> inner, Look look)
      : inner_(std::move(inner)),
        look_(std::move(look)),
        its_(dynamic_cast<ContainerRtmrAllocator&>(*inner_)) {}

  [[nodiscard]] std::string name() const override { return inner_->name(); }
  [[nodiscard]] Features needs() const override { return inner_->needs(); }
  [[nodiscard]] EventSet subscribes() const override { return inner_->subscribes(); }
  [[nodiscard]] NodeReservations node_reservations() const override { return inner_->node_reservations(); }
  void begin(const View& view, Decisions& decisions) override { inner_->begin(view, decisions); }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    inner_->on(event, view, decisions);
    look_(event, view, its_);
  }

 private:
  std::unique_ptr<Allocator> inner_;
  Look look_;
  ContainerRtmrAllocator& its_;
};

}  // namespace wavewright::realtime_worlds
