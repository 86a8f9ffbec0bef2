#include "wavewright/cloud/instances/instance_choice.h"

#include <algorithm>
#include <cmath>

#include "tests/property.h"
#include "wavewright/cloud/instances/lease_price.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

constexpr std::int64_t minute = 60'000, hour = 60 * minute;

InstanceType type_of(const std::string& name, Count slots, std::int64_t micro_usd, double speed = 1) {
  InstanceType type;
  type.name = name;
  type.per_hour = {micro_usd};
  type.speed = speed;
  type.slots = SlotPool{slots, slots};
  return type;
}

Catalogue catalogue_of(std::vector<InstanceType> types) {
  Catalogue catalogue;
  catalogue.date = "today";
  catalogue.types = std::move(types);
  return catalogue;
}

// Twelve maps of ten minutes each, in waves.
InstanceQuestion twelve_maps() {
  InstanceQuestion question;
  question.maps = 12;
  question.times_ms = [](SlotPool slots) {
    return std::vector<double>{static_cast<double>(divide_up(12, slots.map_slots) * 10 * minute)};
  };
  return question;
}

// One wave on 12 slots costs what six waves on 2 do, by second: the deadline decides; by hour one machine.
TEST(InstanceChoice, ByHand) {
  const Catalogue catalogue = catalogue_of({type_of("a", 2, 60'000), type_of("b", 4, 180'000)});
  InstanceQuestion question = twelve_maps();
  question.deadline = ms(30 * minute);
  // a: 2 machines need 30 min (0.06 USD); 3 need 20 min (0.06 USD) and end earlier; 6 likewise in 10 min.
  InstanceChoice choice = choose_instances(catalogue, question);
  EXPECT_EQ(choice.best.type, "a");
  EXPECT_EQ(choice.best.machines, 6);
  EXPECT_DOUBLE_EQ(choice.best.expected_usd, 0.06);
  EXPECT_DOUBLE_EQ(choice.best.time_ms, 10 * minute);
  EXPECT_EQ(choice.by_type.size(), 2u);
  EXPECT_TRUE(choice.exact);
  // By started hour two machines pay least; three pay one hour more.
  question.billing = Billing::per_started_hour;
  choice = choose_instances(catalogue, question);
  EXPECT_EQ(choice.best.machines, 2);
  EXPECT_DOUBLE_EQ(choice.best.expected_usd, 0.12);
  // With boots of 5 min, two machines of a are late.
  question.boot = ms(5 * minute);
  EXPECT_EQ(choose_instances(catalogue, question).best.machines, 3);
}

TEST(InstanceChoice, SaysTheEarliestThatCanBePromised) {
  InstanceQuestion question = twelve_maps();
  question.deadline = ms(9 * minute);
  question.boot = ms(2 * minute);
  try {
    (void)choose_instances(catalogue_of({type_of("a", 2, 60'000), type_of("fast", 2, 90'000, 1.25)}),
                           question);
    FAIL();
  } catch (const Infeasible& error) {
    EXPECT_NE(error.problem().find("10min, on 6 fast"), std::string::npos) << error.what();  // 2 + 10/1.25
  }
}

TEST(InstanceChoice, RefusesImpossibleNumbers) {
  const Catalogue catalogue = catalogue_of({type_of("a", 2, 60'000)});
  InstanceQuestion question = twelve_maps();
  EXPECT_THROW((void)choose_instances(catalogue, question), UsageError);
  question.deadline = ms(hour);
  question.probability = 0;
  EXPECT_THROW((void)choose_instances(catalogue, question), UsageError);
  question.probability = 0.95;
  question.histories.push_back({{"a", "z", ""}, {{at_ms(0), {1'000}}}, at_ms(hour)});
  EXPECT_THROW((void)choose_instances(catalogue, question), UsageError);  // no longer than the deadline
  InstanceType small = type_of("a", 1, 60'000);
  small.slots.reset();
  small.memory = Bytes{1LL << 20};
  question.histories.clear();
  EXPECT_THROW((void)choose_instances(catalogue_of({small}), question), UsageError);
}

// A calm price is worth a bid; the market price is paid, not the bid.
TEST(InstanceChoice, TakesSpotWhereItIsCheapAndSafe) {
  const Catalogue catalogue = catalogue_of({type_of("a", 2, 60'000)});
  InstanceQuestion question = twelve_maps();
  question.deadline = ms(hour);
  question.histories.push_back({{"a", "z", ""}, {{at_ms(0), {6'000}}}, at_ms(100 * hour)});
  InstanceChoice choice = choose_instances(catalogue, question);
  ASSERT_TRUE(choice.best.bid.has_value());
  EXPECT_DOUBLE_EQ(choice.best.expected_usd, 0.006);
  EXPECT_EQ(choice.best.revoked, 0);
  EXPECT_EQ(choice.least_bid, Money{6'000});
  // A price that rises above the on-demand price every half hour revokes what takes longer.
  std::vector<PricePoint> points;
  for (int i = 0; i < 200; ++i) {
    points.push_back({at_ms(i * 30 * minute), {500'000}});
    points.push_back({at_ms(i * 30 * minute + minute), {6'000}});
  }
  question.histories = {{{"a", "z", ""}, points, at_ms(100 * hour)}};
  question.deadline = ms(21 * minute);
  question.times_ms = [](SlotPool) { return std::vector<double>{20.0 * minute}; };
  choice = choose_instances(catalogue, question);
  EXPECT_FALSE(choice.best.bid.has_value());  // two thirds of the starts would be late
}

// Everything about spot by a walk in steps of a minute, with times, boots and prices in whole minutes.
struct Walked {
  double cost = 0, met = 0, revoked = 0;
};
Walked walk(const InstanceType& type, Count machines, std::optional<Money> bid, const PriceHistory* prices,
            const InstanceQuestion& question, const std::vector<double>& works) {
  Walked sum;
  double runs = 0;
  const Count starts = prices != nullptr ? question.starts : 1;
  for (Count s = 0; s < starts; ++s) {
    const std::int64_t begin =
        prices != nullptr
            ? to_ms(prices->begin()) + to_ms(prices->length() - question.deadline) / question.starts * s
            : 0;
    for (const double work_ms : works) {
      const auto work = ms(std::llround(work_ms / type.speed));
      runs += 1;
      const Time start = at_ms(begin);
      Time now = start;
      bool spot = bid && prices != nullptr && prices->at(start) <= *bid, revoked = false;
      std::int64_t cost = 0;
      if (spot) {
        const Time joins = start + question.boot, ends = joins + work;
        while (now < ends && prices->at(now) <= *bid) now += ms(1'000);
        if (now < ends) {
          revoked = true;
          if (now > joins) cost += spot_bill(*prices, joins, now, true, question.billing).micro_usd;
          spot = false;
        } else {
          cost += spot_bill(*prices, joins, ends, false, question.billing).micro_usd;
        }
      }
      if (!spot) {
        now += question.boot + work;
        cost += on_demand_bill(type.per_hour, work, question.billing).micro_usd;
      }
      sum.cost += static_cast<double>(cost * machines) / 1e6;
      sum.met += now - start <= question.deadline ? 1 : 0;
      sum.revoked += revoked ? 1 : 0;
    }
  }
  return {sum.cost / runs, sum.met / runs, sum.revoked / runs};
}

PriceHistory random_prices(const std::string& type, const std::string& zone, Random& random) {
  std::vector<PricePoint> points;
  std::int64_t now = 0;
  while (now < 12 * hour) {
    points.push_back({at_ms(now), Money{random.integer(1, 8) * 10'000}});
    now += random.integer(5, 200) * minute;
  }
  return {{type, zone, ""}, points, at_ms(now)};
}

TEST(InstanceChoice, IsTheCheapestOfAllByBruteForce) {
  holds_always(
      [](std::uint64_t seed) {
        Random random(seed, "choice");
        std::vector<InstanceType> types;
        InstanceQuestion question;
        question.starts = 8;
        question.most_bids = 4;
        question.maps = random.integer(1, 10);
        question.reduces = random.integer(0, 4);
        question.deadline = ms(random.integer(10, 200) * minute);
        question.boot = ms(random.integer(0, 4) * minute);
        question.probability = random.uniform(0.3, 1);
        question.billing = random.below(2) == 0 ? Billing::per_second : Billing::per_started_hour;
        const std::int64_t map = random.integer(1, 30) * minute, reduce = random.integer(1, 30) * minute;
        const std::vector<double> factors =
            random.below(2) == 0 ? std::vector{1.0} : std::vector{0.5, 1.0, 1.5};
        question.times_ms = [=](SlotPool slots) {
          const std::int64_t time =
              divide_up(question.maps, slots.map_slots) * map +
              (question.reduces > 0 ? divide_up(question.reduces, slots.reduce_slots) * reduce : 0);
          std::vector<double> times;
          for (const double factor : factors) times.push_back(static_cast<double>(time) * factor);
          return times;
        };
        for (std::int64_t i = random.integer(1, 3); i > 0; --i) {
          const std::string name(1, static_cast<char>('a' + i));
          types.push_back(type_of(name, random.integer(1, 3), random.integer(1, 8) * 10'000,
                                  random.below(2) == 0 ? 1 : 2));
          if (random.below(3) > 0) question.histories.push_back(random_prices(name, "z1", random));
          if (random.below(3) == 0) question.histories.push_back(random_prices(name, "z2", random));
        }
        bool found = false;
        double cheapest = 1e300;
        for (const InstanceType& type : types) {
          for (Count machines = 1; machines <= 10; ++machines) {
            const SlotPool slots = {std::min(question.maps, machines * type.slots->map_slots),
                                    std::min(question.reduces, machines * type.slots->reduce_slots)};
            const auto try_one = [&](std::optional<Money> bid, const PriceHistory* prices) {
              const Walked walked = walk(type, machines, bid, prices, question, question.times_ms(slots));
              const InstanceOption option = evaluate_option(type, machines, bid, prices, question);
              RC_ASSERT(std::abs(option.expected_usd - walked.cost) < 1e-9);
              RC_ASSERT(std::abs(option.probability - walked.met) < 1e-9);
              RC_ASSERT(std::abs(option.revoked - walked.revoked) < 1e-9);
              RC_ASSERT((option.time_ms <= static_cast<double>(to_ms(question.deadline))) ==
                        (option.probability >= question.probability - 1e-9));
              if (walked.met < question.probability - 1e-9) return;
              found = true;
              cheapest = std::min(cheapest, walked.cost);
            };
            try_one({}, nullptr);
            for (const PriceHistory& prices : question.histories) {
              if (prices.market().instance_type != type.name) continue;
              for (const Money bid : bids_tried(prices, type.per_hour, question.most_bids))
                try_one(bid, &prices);
            }
          }
        }
        try {
          const InstanceChoice choice = choose_instances(catalogue_of(types), question);
          RC_ASSERT(found);
          RC_ASSERT(choice.exact);
          RC_ASSERT(std::abs(choice.best.expected_usd - cheapest) < 1e-9);
          RC_ASSERT(choice.best.probability >= question.probability - 1e-9);
        } catch (const Infeasible&) {
          RC_ASSERT(!found);
        }
      },
      150);
}

// Of very many machines only some numbers are tried, and that is said.
TEST(InstanceChoice, ManyMachinesAreSearchedInPart) {
  InstanceQuestion question;
  question.maps = 50'000;
  question.deadline = ms(10 * hour);
  question.times_ms = [](SlotPool slots) {
    return std::vector<double>{static_cast<double>(50'000 * minute) / static_cast<double>(slots.map_slots)};
  };
  question.monotone = false;
  question.most_numbers = 60;
  const InstanceChoice choice = choose_instances(catalogue_of({type_of("a", 1, 60'000)}), question);
  EXPECT_FALSE(choice.exact);
  EXPECT_NEAR(choice.best.expected_usd, 50'000 * 0.001, 0.5);
}

TEST(InstanceChoice, BidsUpToTheOnDemandPrice) {
  const PriceHistory prices({}, {{at_ms(0), {10}}, {at_ms(50), {20}}, {at_ms(90), {99}}}, at_ms(100));
  EXPECT_EQ(bids_tried(prices, Money{50}, 10), (std::vector<Money>{{10}, {20}, {50}}));
}

TEST(InstanceChoice, TimesByAFormula) {
  JobStatistics job;
  job.maps = 8;
  job.map = {1'000, 2'000, 3'000};
  EXPECT_EQ(times_by_model(job, TimeModel::wave)({4, 0}), (std::vector<double>{4'000}));
}

}  // namespace
}  // namespace wavewright
