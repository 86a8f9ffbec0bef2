// Bills against a calculation of its own. A policy rents and gives back at random and writes down what it
// does and when. From that record, the prices and the rules of docs/use/deadlines.md alone, a plain
// calculation says when each machine joins and leaves, who ends it, and what it costs: to the micro-dollar,
// lease by lease.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/property.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/random.h"
#include "wavewright/sim/metrics/promises.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

using Ms = std::int64_t;
using Micro = std::int64_t;  // dollars

constexpr Ms hour = 3'600'000;
constexpr Micro on_demand = 500'000;

struct Price {
  Ms from = 0;
  Micro per_hour = 0;
};

// A row of [[nodes]] with machines for rent, in the words of the cluster file.
struct Rules {
  std::vector<Price> spot;
  Ms boot_ms = 0, notice_ms = 0, least_billed_ms = 0;
  bool by_hour = false, boot_billed = false, interrupted_hour_charged = false;
};

// One lease as the policy saw it.
struct Kept {
  Ms requested = 0;
  std::optional<Micro> bid{};
  std::optional<Ms> given_back{};  // when it was asked to leave
  std::optional<Ms> up{}, noticed{}, down{};
};

// ---- the calculation

struct Expected {
  std::optional<Ms> joined, noticed, left, billed_from;
  std::string ended_by = "end of run";
  Micro cost = 0;
};

Micro price_at(const Rules& rules, bool with_bid, Ms at) {
  Micro price = on_demand;
  for (const Price& each : rules.spot) {
    if (with_bid && each.from <= at) price = each.per_hour;
  }
  return price;
}

// The first instant after `after` with a price above the bid.
std::optional<Ms> passes_bid(const Rules& rules, const Kept& lease, Ms after) {
  if (!lease.bid) return std::nullopt;
  for (const Price& each : rules.spot) {
    if (each.from > after && each.per_hour > *lease.bid) return each.from;
  }
  return std::nullopt;
}

Micro cost_of(const Rules& rules, bool with_bid, Ms from, Ms left, bool by_market) {
  const Ms paid_until = std::max(left, from + rules.least_billed_ms);
  Micro sum = 0;
  if (rules.by_hour) {
    for (Ms start = from; start < paid_until; start += hour) {
      const bool cut_short = by_market && start + hour > left;
      if (!cut_short || rules.interrupted_hour_charged) sum += price_at(rules, with_bid, start);
    }
    return sum;
  }
  Ms end = from;
  while (end < paid_until) end += 1000;
  Ms begin = from;
  while (begin < end) {
    Ms next = end;
    for (const Price& each : rules.spot) {
      if (with_bid && each.from > begin) next = std::min(next, each.from);
    }
    const Micro twice = price_at(rules, with_bid, begin) * (next - begin) * 2;
    sum += (twice + hour) / (2 * hour);  // to the nearest, halves up
    begin = next;
  }
  return sum;
}

Expected by_rule(const Rules& rules, const Kept& lease, Ms end_of_run) {
  Expected found;
  const Ms joins = lease.requested + rules.boot_ms;
  const auto ends = [&](Ms at, const char* by) {
    if (at > end_of_run || (found.left && *found.left <= at)) return;
    found.left = at;
    found.ended_by = by;
  };
  const auto above = [&](Ms at) { return lease.bid && price_at(rules, true, at) > *lease.bid; };
  std::optional<Ms> taken;
  if (rules.boot_billed) {
    if (above(lease.requested)) {
      ends(lease.requested + 1, "market");
      return found;
    }
    found.billed_from = lease.requested;
    taken = passes_bid(rules, lease, lease.requested);
    if (taken && *taken <= joins) ends(*taken, "market");
  } else if (above(joins)) {
    ends(joins, "market");
  } else {
    taken = passes_bid(rules, lease, joins);
  }
  if (taken && *taken > joins) ends(*taken + rules.notice_ms, "market");
  if (lease.given_back) ends(*lease.given_back + 1, "policy");
  const bool outbid_first = !rules.boot_billed ? above(joins) : taken && *taken <= joins;
  if (!outbid_first && joins <= std::min(end_of_run, found.left.value_or(joins))) found.joined = joins;
  if (found.joined && !rules.boot_billed) found.billed_from = joins;
  const Ms there_until = found.left.value_or(end_of_run);
  if (found.joined && taken && rules.notice_ms > 0 && *taken <= there_until) found.noticed = taken;
  if (found.billed_from) {
    found.cost = cost_of(rules, lease.bid.has_value(), *found.billed_from,
                         std::max(there_until, *found.billed_from), found.ended_by == "market");
  }
  return found;
}

// ---- the policy that writes down what it does

class RandomRenter final : public Allocator {
 public:
  RandomRenter(std::uint64_t seed, std::vector<Kept>& kept) : random_(seed, "renter"), kept_(kept) {}
  [[nodiscard]] std::string name() const override { return "random-renter"; }
  [[nodiscard]] Features needs() const override { return Feature::rank | Feature::leases | Feature::timers; }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return arrived | started | ended | node_up | node_down | node_notice | timer;
  }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    const Ms now = to_ms(view.now());
    if (event.what == Event::What::arrived) {
      decisions.admit(event.job, root_group);
      if (event.job == 0) decisions.set_timer(view.now() + ms(1), 0);
    }
    if (event.what == Event::What::timer)
      decisions.set_timer(view.now() + ms(random_.integer(1, 2'000'000)), 0);
    if (event.what == Event::What::node_up) kept_.at(event.lease).up = now;
    if (event.what == Event::What::node_notice) kept_.at(event.lease).noticed = now;
    if (event.what == Event::What::node_down) kept_.at(event.lease).down = now;
    if (random_.below(2) == 0) rent(now, view, decisions);
    if (!kept_.empty() && random_.below(4) == 0) give_back(now, decisions);
  }

 private:
  void rent(Ms now, const View& view, Decisions& decisions) {
    const LeaseOffer offer = view.lease_offer(1);
    if (offer.machines == 0) return;
    LeaseRequest request{
        .node_class = 1, .machines = random_.integer(1, offer.machines), .bid = std::nullopt};
    if (offer.spot && random_.below(3) != 0) request.bid = some_bid();
    const LeaseId first = decisions.rent(request);
    ASSERT_EQ(first, kept_.size());
    const auto bid = request.bid ? std::optional(request.bid->micro_usd) : std::nullopt;
    for (Count i = 0; i < request.machines; ++i) kept_.push_back({.requested = now, .bid = bid});
  }
  // Half of them round, as prices are: a bid holds at that very price.
  Money some_bid() {
    return Money{random_.below(2) == 0 ? random_.integer(1, 7) * 100'000 : random_.integer(1, 700'000)};
  }
  void give_back(Ms now, Decisions& decisions) {
    const auto lease = static_cast<LeaseId>(random_.below(kept_.size()));
    if (kept_[lease].given_back) return;
    kept_[lease].given_back = now;
    decisions.give_back(lease);
  }

  Random random_;
  std::vector<Kept>& kept_;
};

// ---- random worlds

Rules some_rules() {
  Rules rules;
  const auto some_price = [] {
    return *rc::gen::arbitrary<bool>() ? *rc::gen::inRange<Micro>(1, 7) * 100'000
                                       : *rc::gen::inRange<Micro>(1, 700'000);
  };
  if (*rc::gen::inRange(0, 8) != 0) rules.spot = {{0, some_price()}};
  while (!rules.spot.empty() && rules.spot.size() < 12)
    rules.spot.push_back({rules.spot.back().from + *rc::gen::inRange<Ms>(1, 3'000'000), some_price()});
  rules.boot_ms = *rc::gen::element<Ms>(1, 7'000, 60'000, 1'000'000);
  if (!rules.spot.empty()) rules.notice_ms = *rc::gen::element<Ms>(0, 120'000, 1'500'000);
  rules.least_billed_ms = *rc::gen::element<Ms>(0, 60'000, 61'234, 3'000'000);
  rules.by_hour = *rc::gen::arbitrary<bool>();
  rules.boot_billed = *rc::gen::arbitrary<bool>();
  rules.interrupted_hour_charged = rules.by_hour && *rc::gen::arbitrary<bool>();
  return rules;
}

Cluster cluster_of(const Rules& rules) {
  std::string text = fmt::format(
      "[[nodes]]\nmap_slots = 1\nreduce_slots = 1\n[[nodes]]\ncount = 5\nclass = \"rented\"\nmap_slots = 1\n"
      "reduce_slots = 1\nprice_per_hour = 0.5\nrent = true\nboot_ms = {}\nnotice_ms = {}\nleast_billed_ms = "
      "{}\n"
      "billing = \"{}\"\nboot_billed = {}\n",
      rules.boot_ms, rules.notice_ms, rules.least_billed_ms, rules.by_hour ? "hour" : "second",
      rules.boot_billed);
  if (rules.by_hour)
    text += fmt::format("interrupted_hour = \"{}\"\n", rules.interrupted_hour_charged ? "charged" : "free");
  std::string prices;
  for (const Price& each : rules.spot)
    prices += fmt::format("[{}, {:.6f}], ", each.from, static_cast<double>(each.per_hour) / 1e6);
  if (!prices.empty()) text += "spot = [" + prices + "]\n";
  return parse_cluster(text, "cloud.toml");
}

Workload some_jobs() {
  Workload workload;
  Ms at = 0;
  for (int i = *rc::gen::inRange(1, 6); i > 0; --i, at += *rc::gen::inRange<Ms>(0, 3'000'000)) {
    Job& job = workload.jobs.emplace_back();
    job.id = fmt::format("J{}", workload.jobs.size());
    job.submit = at_ms(at);
    for (int map = *rc::gen::inRange(1, 8); map > 0; --map)
      job.maps.push_back(ms(*rc::gen::inRange<Ms>(1, 2'000'000)));
    job.reduces.assign(static_cast<std::size_t>(*rc::gen::inRange(0, 3)), ms(50'000));
  }
  return workload;
}

std::optional<Ms> in_ms(const std::optional<Time>& time) {
  return time ? std::optional(to_ms(*time)) : std::nullopt;
}

// Cases in which each rule mattered: a rule that no case exercises is not tested.
using Seen = std::map<std::string, int>;

void count(Seen& seen, const Rules& rules, const Kept& kept, const Expected& lease) {
  ++seen[lease.ended_by];
  if (!lease.joined) ++seen[rules.boot_billed ? "never joined, boot billed" : "never joined"];
  if (lease.noticed && lease.left) ++seen["noticed and left"];
  if (!lease.billed_from) return;
  const Ms stayed = lease.left.value_or(*lease.billed_from + hour) - *lease.billed_from;
  if (stayed < rules.least_billed_ms) ++seen["least time"];
  if (rules.by_hour && lease.ended_by == "market")
    ++seen[rules.interrupted_hour_charged ? "charged" : "free"];
  if (rules.by_hour && stayed > hour) ++seen["a second hour"];
  const auto holds = [&](const Price& each) {
    return each.from > *lease.billed_from && each.from < *lease.billed_from + stayed;
  };
  if (!rules.by_hour && kept.bid && std::any_of(rules.spot.begin(), rules.spot.end(), holds))
    ++seen["several prices by the second"];
}

TEST(Billing, IsWhatTheRulesMakeOfThePolicysOwnRecord) {
  Seen seen;
  holds_always(
      [&] {
        const Rules rules = some_rules();
        const Workload workload = some_jobs();
        std::vector<Kept> kept;
        Policy policy{std::make_unique<RandomRenter>(*rc::gen::inRange<std::uint64_t>(0, 1'000'000), kept),
                      nullptr};
        const Cluster cluster = cluster_of(rules);
        RC_LOG() << to_toml(cluster);
        const SimulationResult result = simulate_cluster(workload, policy, {cluster, 1, true});
        RC_ASSERT(result.leases.size() == kept.size());
        Micro sum = 0;
        for (std::size_t i = 0; i < kept.size(); ++i) {
          const Lease& lease = result.leases[i];
          const Expected expected = by_rule(rules, kept[i], to_ms(result.makespan));
          RC_LOG() << "lease " << i << " requested at " << kept[i].requested << "\n";
          RC_ASSERT(in_ms(lease.joined) == expected.joined);
          RC_ASSERT(in_ms(lease.left) == expected.left);
          RC_ASSERT(in_ms(lease.noticed) == expected.noticed);
          RC_ASSERT(in_ms(lease.billed_from) == expected.billed_from);
          RC_ASSERT(name_of(lease.ended_by) == expected.ended_by);
          RC_ASSERT(lease.cost.micro_usd == expected.cost);
          RC_ASSERT(kept[i].up == expected.joined);
          RC_ASSERT(kept[i].noticed == expected.noticed);
          RC_ASSERT(kept[i].down == expected.left);
          sum += expected.cost;
          count(seen, rules, kept[i], expected);
        }
        RC_ASSERT(totals_of(result).cost.micro_usd == sum);
        for (const TaskRecord& task : result.trace) {
          if (task.node == 0) continue;
          const bool leased =
              std::any_of(result.leases.begin(), result.leases.end(), [&](const Lease& lease) {
                return lease.node == task.node && lease.joined && *lease.joined <= task.start &&
                       (!lease.left || task.end <= *lease.left) &&
                       (!lease.noticed || task.start <= *lease.noticed);
              });
          RC_ASSERT(leased);
        }
      },
      1'500);
  for (const char* rule :
       {"policy", "market", "end of run", "never joined", "never joined, boot billed", "noticed and left",
        "least time", "charged", "free", "a second hour", "several prices by the second"}) {
    EXPECT_GT(seen[rule], rare(20)) << rule;
  }
}

}  // namespace
}  // namespace wavewright
