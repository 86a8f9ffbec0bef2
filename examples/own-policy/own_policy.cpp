// A policy of one's own, compared with FIFO: the job with the least work left goes first.
//
//   own_policy WORKLOAD CLUSTER.toml
#include <cstdio>

#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/sched/fifo.h"
#include "wavewright/sim/simulate_cluster.h"

using namespace wavewright;

class LeastWorkLeft final : public Allocator {
 public:
  [[nodiscard]] std::string name() const override { return "least-work-left"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::rank); }
  [[nodiscard]] EventSet subscribes() const override {
    return EventSet::of(Event::What::arrived) | EventSet::of(Event::What::started);
  }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    Duration left{};
    for (const Kind kind : {Kind::map, Kind::reduce})
      left += view.pending(event.job, kind) * view.estimate(event.job, kind, any_class).mean;
    for (const Kind kind : {Kind::map, Kind::reduce}) decisions.rank(event.job, kind, to_ms(left));
    if (event.what == Event::What::arrived) decisions.admit(event.job, root_group);
  }
};

int main(int argc, char** argv) try {
  if (argc != 3) return std::fputs("usage: own_policy WORKLOAD CLUSTER.toml\n", stderr), 2;
  const Workload workload = read_workload(argv[1]);
  for (const bool own : {false, true}) {
    Policy policy{own ? std::make_unique<LeastWorkLeft>() : make_fifo(), nullptr};
    const SimulationResult result = simulate_cluster(workload, policy, {read_cluster(argv[2]), 1, false});
    std::printf("%-16s makespan %9.1f s, mean completion %9.1f s\n", policy.name().c_str(),
                static_cast<double>(to_ms(result.makespan)) / 1e3,
                static_cast<double>(to_ms(result.total_completion)) / 1e3 /
                    static_cast<double>(workload.jobs.size()));
  }
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
