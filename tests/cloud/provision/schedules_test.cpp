// The reconciler under thousands of random schedules: killed anywhere, requests and answers lost, late and
// repeated, lists that come late, machines that never come up. After each: nothing twice, nothing leaked, the
// budget kept.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "tests/cloud/provision/simulated_cloud.h"
#include "tests/property.h"
#include "wavewright/cloud/provision/reconciler.h"

namespace wavewright {
namespace {

constexpr Duration minute = ms(60'000);
constexpr Money hourly{96'000};

struct Schedule {
  Random random;
  SimulatedCloud cloud;
  MemoryLedger ledger;
  Money limit;
  int tokens = 0;
  Count asked_anew = 0, adopted = 0, kills = 0, refusals = 0;  // what the schedule has met
  std::set<std::string> given_back;                            // tokens of orders that the user gave back

  static CloudFaults some_faults(Random& random) {
    const auto some = [&](double most) { return random.below(3) == 0 ? random.uniform(0, most) : 0; };
    CloudFaults faults;
    faults.kill = some(0.2);
    faults.lost_request = some(0.3);
    faults.lost_answer = some(0.5);
    faults.late_request = some(0.3);
    faults.throttled = some(0.3);
    faults.refused = some(0.3);
    faults.never_up = some(0.5);
    faults.other = some(0.3);
    faults.revoked = some(0.002);
    faults.lists_late = ms(random.integer(0, 120'000));
    faults.boots = ms(random.integer(0, 240'000));
    return faults;
  }

  explicit Schedule(std::uint64_t seed)
      : random(seed, "schedule"),
        cloud(seed, some_faults(random)),
        ledger(seed, random.below(2) == 0 ? random.uniform(0, 0.1) : 0),
        limit{random.integer(0, 2'000'000)} {
    cloud.meanwhile([this] {
      step();
      cloud.advance(ms(random.integer(0, 5'000)));
    });
  }
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  // A fresh program, which knows nothing but the ledger.
  void step() {
    const Reconciler::Outside outside{.now = [&] { return cloud.now(); },
                                      .token = [&] { return fmt::format("anew{}", ++tokens); }};
    Reconciler reconciler(ledger, cloud, {}, outside);
    try {
      (void)reconciler.step();
    } catch (const CloudError&) {
    } catch (const Killed&) {
      ++kills;
    }
  }

  void rent() {
    RentOrder order;
    order.token = fmt::format("order{}", ++tokens);
    order.batch = "night";
    order.terms.type = "m5.large";
    order.terms.image = order.token;  // orders in place of this one have it, too
    order.count = random.integer(1, 3);
    order.hourly = hourly;
    order.asked = cloud.now();
    order.until = order.asked + minute * random.integer(1, 120);
    order.boot = minute * random.integer(5, 10);
    order.hold = longest_hold(order.until - order.asked, order.boot);
    order.attempts = static_cast<int>(random.integer(1, 3));
    try {
      ledger.change({}, [&](Books& books) {
        set_budget(books, "night", limit);
        place(books, order, cloud.now(), minute);
      });
    } catch (const Infeasible&) {
      ++refusals;
    } catch (const Killed&) {
      ++kills;
    }
  }

  void release() {
    try {
      ledger.change({}, [&](Books& books) {
        for (RentOrder& order : books.orders)
          if (random.below(2) == 0) {
            give_back(order, "given back");
            given_back.insert(order.token);
          }
      });
    } catch (const Killed&) {
    }
  }

  // What holds at any time; empty if it does.
  [[nodiscard]] std::string wrong() const {
    if (cloud.bill(hourly) > limit) return "the bill is above the budget";
    for (const RentOrder& order : ledger.books().orders)
      if (cloud.alive(order.token) > order.count) return "more machines than one order has";
    return kept_twice();
  }

  // Machines that run for an order or for those in its place, without those that the ledger means to end.
  [[nodiscard]] std::string kept_twice() const {
    std::set<std::string> ends;
    std::map<std::string, Count> asked, kept;
    for (const RentOrder& order : ledger.books().orders) {
      if (order.attempt == 1) asked[order.terms.image] = order.count;
      for (const RentedMachine& machine : order.machines)
        if (machine.give_back) ends.insert(machine.id);
    }
    for (const auto& [id, machine] : cloud.machines())
      if (!machine.ended && !ends.contains(id)) ++kept[machine.root];
    for (const auto& [root, count] : kept)
      if (count > asked[root]) return "more machines than were asked for: " + root;
    return {};
  }

  // What holds when nothing has happened for a while.
  [[nodiscard]] std::string wrong_at_rest() {
    Count wanted = 0;
    for (const RentOrder& order : ledger.books().orders) {
      if (order.state == OrderState::closed) {
        if (cloud.alive(order.token) > 0) return "a machine of a closed order runs: " + order.token;
        continue;
      }
      if (order.state == OrderState::asked) return "an order is still open: " + order.token;
      if (!order.wanted) return "an order that is given back is still open: " + order.token;
      Count kept = 0;
      for (const RentedMachine& machine : order.machines) {
        const auto& real = cloud.machines().at(machine.id);
        if (machine.give_back && !real.ended) return "a machine that is given back runs: " + machine.id;
        if ((machine.state == MachineState::gone) != real.ended.has_value())
          return "the ledger errs on " + machine.id;
        if (!real.ended) ++kept;
      }
      wanted += kept;
    }
    if (cloud.alive() != wanted) return "machines run that the ledger does not know";
    for (const auto& [id, machine] : cloud.machines())
      if (!machine.ended && given_back.contains(machine.instance.token) &&
          still_given_back(machine.instance.token))
        return "given back, and runs: " + id;
    for (const RentOrder& order : ledger.books().orders) {
      const bool over = cloud.now() >= order.until || given_back.contains(order.token) ||
                        given_back.contains(order.first) || cloud.has_refused(order.token);
      if (!order.wanted && !over) return "given up without a reason: " + order.token;
    }
    return bill_is_covered();
  }

  // The user's wish was written, not lost with the program.
  [[nodiscard]] bool still_given_back(const std::string& token) const {
    for (const RentOrder& order : ledger.books().orders)
      if (order.token == token) return !order.wanted;
    return false;
  }

  // What the ledger says is spent is no less than the bill, and both no more than the limit.
  [[nodiscard]] std::string bill_is_covered() const {
    const Committed sum = committed(ledger.books(), "night", cloud.now(), minute);
    const Money bill = cloud.bill(hourly);
    if (bill > sum.spent)
      return fmt::format("the bill is {}, the ledger says {}", bill.micro_usd, sum.spent.micro_usd);
    if (sum.spent > sum.limit && sum.spent > Money{}) return "more is spent than the limit";
    return {};
  }

  // Machines that should run and do: those of orders that were not given back, not late, not revoked.
  std::string run() {
    const auto steps = random.integer(10, 60);
    for (std::int64_t i = 0; i < steps; ++i) {
      const std::uint64_t what = random.below(10);
      if (what < 2) rent();
      if (what == 2 && random.below(3) == 0) release();
      step();
      cloud.advance(ms(random.integer(100, 120'000)));
      if (random.below(20) == 0) cloud.advance(minute * random.integer(1, 60));  // nobody steps
      if (const std::string text = wrong(); !text.empty()) return text;
    }
    cloud.heal();
    ledger.heal();
    // Long enough for late requests, for machines that never come up, and for what must settle.
    for (int i = 0; i < 80; ++i) {
      step();
      cloud.advance(ms(30'000));
      if (const std::string text = wrong(); !text.empty()) return text;
    }
    step();
    step();
    for (const RentOrder& order : ledger.books().orders) {
      if (order.attempt > 1) ++asked_anew;
      if (order.sends > 1 && !order.machines.empty()) ++adopted;
    }
    return wrong_at_rest();
  }
};

TEST(Schedules, NothingTwiceNothingLeakedAndTheBudgetKept) {
  const char* const given = std::getenv("SCHEDULES");  // NOLINT(concurrency-mt-unsafe)
  const int schedules = given != nullptr ? std::atoi(given) : fewer(10'000, 1'000);
  Count asked_anew = 0, adopted = 0, kills = 0, refusals = 0, machines = 0, wrongs = 0;
  for (int seed = 1; seed <= schedules; ++seed) {
    Schedule schedule(static_cast<std::uint64_t>(seed));
    const std::string text = schedule.run();
    EXPECT_EQ(text, "") << "seed " << seed;
    if (!text.empty() && ++wrongs == 5) break;
    asked_anew += schedule.asked_anew;
    adopted += schedule.adopted;
    kills += schedule.kills;
    refusals += schedule.refusals;
    machines += std::ssize(schedule.cloud.machines());
  }
  // The schedules meet what they are for.
  EXPECT_GT(asked_anew, schedules / 20);
  EXPECT_GT(adopted, schedules / 10);
  EXPECT_GT(kills, schedules);
  EXPECT_GT(refusals, schedules / 10);
  EXPECT_GT(machines, schedules);
}

}  // namespace
}  // namespace wavewright
