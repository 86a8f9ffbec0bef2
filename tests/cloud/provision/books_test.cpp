// What machines cost at most, and a budget that cannot be passed, against sums of the tests' own.
#include "wavewright/cloud/provision/books.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/property.h"
#include "wavewright/cloud/provision/order_text.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

constexpr Duration minute = ms(60'000);
constexpr Time midnight = at_ms(1'700'000'000'000);

RentOrder order_of(Count count, Money hourly, Duration wanted) {
  RentOrder order;
  order.token = "t";
  order.batch = "night";
  order.terms.type = "m5.large";
  order.count = count;
  order.hourly = hourly;
  order.asked = midnight;
  order.until = midnight + wanted;
  order.boot = 10 * minute;
  order.hold = longest_hold(wanted, order.boot);
  return order;
}

RentedMachine machine_of(Duration launched, Duration seen) {
  RentedMachine machine;
  machine.id = "i";
  machine.state = MachineState::running;
  machine.launched = midnight + launched;
  machine.seen = midnight + seen;
  return machine;
}

// The least whole number of micro-dollars that pays for the time.
TEST(MostCost, IsTheLeastThatPays) {
  holds_always([] {
    const auto hourly = *rc::gen::inRange<std::int64_t>(0, 50'000'000);
    const auto time = *rc::gen::inRange<std::int64_t>(0, 3'600'000'000);
    const std::int64_t cost = most_cost(Money{hourly}, ms(time)).micro_usd;
    const std::int64_t billed = std::max<std::int64_t>(time, 60'000);
    RC_ASSERT(cost * 3'600'000 >= hourly * billed);
    RC_ASSERT((cost - 1) * 3'600'000 < hourly * billed);
  });
}

TEST(MostCost, OfAnOrder) {
  // 2 h, 10 min to boot, 2 min to go down: 132 minutes at 0.06 an hour are 0.132.
  RentOrder order = order_of(3, Money{60'000}, 120 * minute);
  EXPECT_EQ(order.hold, 132 * minute);
  EXPECT_EQ(most_cost(order, midnight), Money{3 * 132'000});
  EXPECT_EQ(spent(order, midnight), Money{});
  // One runs, for half an hour by now; one has ended after ten minutes.
  order.machines = {machine_of({}, 29 * minute), machine_of({}, 9 * minute)};
  order.machines[1].state = MachineState::gone;
  order.machines[1].gone = midnight + 10 * minute;
  EXPECT_EQ(most_cost(order, midnight + 30 * minute), Money{2 * 132'000 + 10'000});
  EXPECT_EQ(spent(order, midnight + 30 * minute), Money{30'000 + 10'000});
  // Its end was noticed late: it had ended itself by then.
  EXPECT_EQ(spent(order, midnight + 500 * minute), Money{132'000 + 10'000});
  // It was seen after its time: it has not ended itself, and counts on.
  order.machines[0].seen = midnight + 133 * minute;
  EXPECT_EQ(spent(order, midnight + 500 * minute), Money{500'000 + 10'000});
  EXPECT_EQ(most_cost(order, midnight + 500 * minute), Money{500'000 + 10'000 + 132'000});
}

TEST(LongestHold, IsInWholeMinutes) {
  EXPECT_EQ(longest_hold(ms(1), ms(0)), 3 * minute);
  EXPECT_EQ(longest_hold(5 * minute, 10 * minute), 17 * minute);
}

// Orders are placed as long as the sum of what they can cost is within the limit, to the micro-dollar.
TEST(Budget, IsNeverPassed) {
  holds_always([] {
    Books books;
    const auto limit = *rc::gen::inRange<std::int64_t>(0, 5'000'000);
    set_budget(books, "night", Money{limit});
    set_budget(books, "other", Money{1});
    std::int64_t sum = 0;
    const auto orders = *rc::gen::inRange(1, 20);
    for (int i = 0; i < orders; ++i) {
      const RentOrder order =
          order_of(*rc::gen::inRange<Count>(1, 5), Money{*rc::gen::inRange<std::int64_t>(1, 200'000)},
                   minute * *rc::gen::inRange<std::int64_t>(1, 600));
      const std::int64_t hours_ms = to_ms(order.hold);
      const std::int64_t each = (order.hourly.micro_usd * hours_ms + 3'599'999) / 3'600'000;
      const bool fits = sum + each * order.count <= limit;
      bool placed = true;
      try {
        place(books, order, midnight, minute);
      } catch (const Infeasible&) {
        placed = false;
      }
      RC_ASSERT(placed == fits);
      if (placed) sum += each * order.count;
    }
    const Committed sums = committed(books, "night", midnight, minute);
    RC_ASSERT(sums.spent.micro_usd + sums.set_aside.micro_usd == sum);
    RC_ASSERT(sums.left().micro_usd == limit - sum);
  });
}

TEST(Budget, NamesWhatIsMissing) {
  Books books;
  try {
    place(books, order_of(1, Money{60'000}, 120 * minute), midnight, minute);
    FAIL();
  } catch (const Infeasible& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("batch 'night' has no budget"));
  }
  set_budget(books, "night", Money{131'999});
  try {
    place(books, order_of(1, Money{60'000}, 120 * minute), midnight, minute);
    FAIL();
  } catch (const Infeasible& error) {
    EXPECT_THAT(
        error.what(),
        testing::HasSubstr("of 0.131999 USD, 0.00 are spent and 0.00 set aside, and it may cost 0.132"));
  }
  EXPECT_TRUE(books.orders.empty());
}

// What closed orders cost stays spent; one that is opened again is counted once.
TEST(Budget, KeepsWhatIsSettled) {
  Books books;
  set_budget(books, "night", Money{1'000'000});
  place(books, order_of(1, Money{60'000}, 120 * minute), midnight, minute);
  RentOrder& order = books.orders[0];
  order.machines = {machine_of({}, 9 * minute)};
  order.machines[0].state = MachineState::gone;
  order.machines[0].gone = midnight + 10 * minute;
  close(books, order, midnight + 60 * minute);
  EXPECT_EQ(committed(books, "night", midnight, minute).spent, Money{10'000});
  EXPECT_EQ(committed(books, "night", midnight, minute).set_aside, Money{});
  reopen(books, order);
  EXPECT_EQ(committed(books, "night", midnight, minute).spent, Money{10'000});
  close(books, order, midnight + 60 * minute, 1);
  EXPECT_EQ(committed(books, "night", midnight, minute).spent, Money{10'000 + 132'000});
}

TEST(UsdText, HasTwoToSixDecimals) {
  EXPECT_EQ(usd_text(Money{}), "0.00");
  EXPECT_EQ(usd_text(Money{2'000'000}), "2.00");
  EXPECT_EQ(usd_text(Money{96'000}), "0.096");
  EXPECT_EQ(usd_text(Money{1'000'001}), "1.000001");
  EXPECT_EQ(usd_text(Money{-500'000}), "-0.50");
}

TEST(OrderText, TellsTheWholeOrder) {
  RentOrder order = order_of(2, Money{96'000}, 90 * minute);
  order.first = "f";
  order.place = "1 eu-west-1";
  order.terms = {"m5.large", "ami-1", "subnet-1", "key", "#!/bin/sh\n\xff", Money{50'000}};
  order.state = OrderState::placed;
  order.wanted = false;
  order.sends = 3;
  order.sent = midnight + minute;
  order.reason = "given back";
  order.attempt = 2;
  order.attempts = 3;
  order.machines = {machine_of(minute, 2 * minute)};
  order.machines[0].state = MachineState::gone;
  order.machines[0].give_back = true;
  order.cost = Money{7};
  RentOrder back = parse_order(order_text(order), "store");
  EXPECT_EQ(back.terms.user_data, "#!/bin/sh\n\xEF\xBF\xBD");
  back.terms.user_data = order.terms.user_data;
  EXPECT_EQ(back, order);
  order.terms.bid.reset();
  order.terms.user_data = "";
  order.group = "j-1/ig-1";
  order.base = 4;
  EXPECT_EQ(parse_order(order_text(order), "store"), order);
  EXPECT_THROW((void)parse_order("{}", "store"), InputError);
  EXPECT_THROW((void)parse_order("no", "store"), InputError);
}

// To ask twice for the same is to ask once.
TEST(FindSame, IsTheOpenOrderOfTheBatch) {
  RentOrder open = order_of(3, Money{60'000}, 120 * minute);
  open.place = "123 eu";
  open.state = OrderState::placed;
  RentOrder wish = order_of(3, Money{60'000}, 120 * minute);
  wish.token = "new";
  wish.asked += 5 * minute;
  wish.until += 5 * minute;
  Books books{{}, {open}};
  ASSERT_NE(find_same(books, wish), nullptr);
  EXPECT_EQ(find_same(books, wish)->token, "t");
  wish.place = open.place;
  EXPECT_NE(find_same(books, wish), nullptr);
  EXPECT_EQ(find_same({}, wish), nullptr);
  RentOrder elsewhere = wish;
  elsewhere.batch = "day";
  EXPECT_EQ(find_same(books, elsewhere), nullptr);
  // Others of the batch, each by one thing.
  const auto other = [&](const std::function<void(RentOrder&)>& change) {
    RentOrder changed = wish;
    change(changed);
    EXPECT_THROW((void)find_same(books, changed), UsageError);
  };
  other([](RentOrder& order) { order.count = 4; });
  other([](RentOrder& order) { order.until += minute; });
  other([](RentOrder& order) { order.hourly = Money{60'001}; });
  other([](RentOrder& order) { order.terms.bid = order.hourly; });
  other([](RentOrder& order) { order.terms.image = "ami-2"; });
  other([](RentOrder& order) { order.group = "j-1/ig-1"; });
  other([](RentOrder& order) { order.place = "123 us"; });
  // One that is given back, or over, is no machine to have.
  books.orders[0].wanted = false;
  EXPECT_EQ(find_same(books, wish), nullptr);
  books.orders[0] = open;
  books.orders[0].state = OrderState::closed;
  EXPECT_EQ(find_same(books, wish), nullptr);
  // Two orders are not one of them.
  books.orders = {open, open};
  books.orders[1].token = "u";
  EXPECT_THROW((void)find_same(books, wish), UsageError);
}

TEST(FindSame, TakesEitherPriceOfHybridMachines) {
  RentOrder wish = order_of(3, Money{50'000}, 120 * minute);
  wish.terms.bid = wish.hourly;
  RentOrder dear = order_of(3, Money{90'000}, 120 * minute);
  EXPECT_NE(find_same({{}, {wish}}, wish, Money{90'000}), nullptr);
  EXPECT_NE(find_same({{}, {dear}}, wish, Money{90'000}), nullptr);
  EXPECT_THROW((void)find_same({{}, {dear}}, wish, Money{80'000}), UsageError);
  EXPECT_THROW((void)find_same({{}, {dear}}, wish), UsageError);
}

TEST(FindSame, KnowsTheOrderThatOthersStandInFor) {
  RentOrder begun = order_of(3, Money{60'000}, 120 * minute);
  begun.state = OrderState::closed;
  RentOrder anew = begun;
  anew.token = "u";
  anew.first = "t";
  anew.count = 1;
  anew.state = OrderState::placed;
  const Books books{{}, {begun, anew}};
  EXPECT_EQ(roots_of(books, "night"), std::vector<std::string>{"t"});
  EXPECT_EQ(find_same(books, order_of(3, Money{60'000}, 120 * minute)), &books.orders[0]);
  EXPECT_THROW((void)find_same(books, order_of(1, Money{60'000}, 120 * minute)), UsageError);
}

}  // namespace
}  // namespace wavewright
