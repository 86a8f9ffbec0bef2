// Policies that preempt for ever.
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

// Kills all running maps at every period.
class Ruthless final : public Allocator {
 public:
  explicit Ruthless(Duration period) : period_(period) {}
  [[nodiscard]] std::string name() const override { return "ruthless"; }
  [[nodiscard]] Features needs() const override { return Feature::preemption | Feature::timers; }
  [[nodiscard]] EventSet subscribes() const override { return Event::What::arrived | Event::What::timer; }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what == Event::What::arrived) {
      decisions.admit(event.job, root_group);
      jobs_.push_back(event.job);
    } else {
      for (const JobIndex job : jobs_) {
        const Count held = view.held(job, Kind::map, any_class);
        if (held > 0) decisions.preempt(job, Kind::map, any_class, held, Duration{});
      }
    }
    decisions.set_timer(view.now() + period_, 1);
  }

 private:
  const Duration period_;
  std::vector<JobIndex> jobs_;
};

SimulationResult run(const Cluster& cluster, Duration period) {
  Policy policy{std::make_unique<Ruthless>(period), nullptr};
  return simulate_cluster({{job_of("A", {100, 100}, {20})}}, policy, {cluster, 1});
}

Cluster of_containers() {
  Cluster cluster;
  cluster.nodes.resize(1);
  cluster.nodes[0].memory = Bytes{4LL << 30};
  cluster.mode.kind = ClusterMode::Kind::containers;
  cluster.containers.master = cluster.containers.map = cluster.containers.reduce = {Bytes{1LL << 30}, 1};
  return cluster;
}

TEST(Killing, OfAllAttemptsForEverIsRefused) {
  for (const Cluster& cluster : {flat_cluster({1, 1}), of_containers()}) {
    try {
      (void)run(cluster, ms(30));
      FAIL() << "a run that cannot end";
    } catch (const Infeasible& error) {
      EXPECT_NE(std::string(error.what()).find("job 'A' never ends: policy 'ruthless' kills attempts"),
                std::string::npos)
          << error.what();
    }
  }
}

// The second map starts at 100 and again at 150.
TEST(Killing, ThatLetsAttemptsEndIsNot) {
  EXPECT_EQ(run(flat_cluster({1, 1}), ms(150)).makespan, ms(270));
}

}  // namespace
}  // namespace wavewright
