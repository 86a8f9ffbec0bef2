// A policy that rents a machine for each job, and a small cloud for it: for tests of leases on both engines.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "wavewright/cluster/cluster_file.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

// Rents one machine of class `rented` for each job that arrives, and gives it back when the job ends.
class OneMachineAJob final : public Allocator {
 public:
  explicit OneMachineAJob(std::optional<Money> bid = std::nullopt) : bid_(bid) {}
  [[nodiscard]] std::string name() const override { return "one-machine-a-job"; }
  [[nodiscard]] Features needs() const override { return Feature::rank | Feature::leases; }
  [[nodiscard]] EventSet subscribes() const override {
    return Event::What::arrived | Event::What::finished | Event::What::node_up | Event::What::node_down |
           Event::What::node_notice;
  }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what == Event::What::arrived) {
      offers.push_back(view.lease_offer(1));
      leases_.push_back(decisions.rent({.node_class = 1, .machines = 1, .bid = bid_}));
      decisions.admit(event.job, root_group);
    } else if (event.what == Event::What::finished) {
      decisions.give_back(leases_[event.job]);
    } else {
      told.push_back(event);
    }
  }
  std::vector<LeaseOffer> offers;
  std::vector<Event> told;

 private:
  std::optional<Money> bid_;
  std::vector<LeaseId> leases_;
};

// One small node that stays, and two machines to rent: they boot for 10 s and cost 3.6 USD an hour, 1 mUSD a
// second.
inline Cluster cloud(const std::string& more = "") {
  return parse_cluster(R"(
[[nodes]]
map_slots = 0
reduce_slots = 1
[[nodes]]
count = 2
class = "rented"
map_slots = 1
reduce_slots = 0
price_per_hour = 3.6
rent = true
boot_ms = 10000
)" + more,
                       "cloud.toml");
}

struct Outcome {
  SimulationResult result;
  std::vector<Event> told;
  std::vector<LeaseOffer> offers;
};
class RentsOneMachineAJob : public ::testing::TestWithParam<decltype(&simulate_cluster)> {
 protected:
  static Outcome run(const Cluster& cluster, const std::vector<Job>& jobs,
                     std::optional<Money> bid = std::nullopt) {
    auto own = std::make_unique<OneMachineAJob>(bid);
    OneMachineAJob* const policy = own.get();
    Policy whole{std::move(own), nullptr};
    SimulationResult result = GetParam()({jobs}, whole, {cluster, 1, true});
    return {std::move(result), policy->told, policy->offers};
  }
};

}  // namespace wavewright
