// observe() and judge(): each rule by which the books take in what the cloud shows, at its border.
#include "wavewright/cloud/provision/observe.h"

#include <gmock/gmock.h>

#include "wavewright/cloud/provision/books.h"

namespace wavewright {
namespace {

constexpr Duration minute = ms(60'000);
constexpr Time midnight = at_ms(1'700'000'000'000);
const RentRules rules;

RentOrder order_of(const std::string& token, Count count) {
  RentOrder order;
  order.token = token;
  order.batch = "night";
  order.terms.type = "m5.large";
  order.count = count;
  order.hourly = Money{60'000};
  order.asked = midnight;
  order.until = midnight + 120 * minute;
  order.boot = 10 * minute;
  order.hold = longest_hold(120 * minute, order.boot);
  order.attempts = 2;
  order.sends = 1;
  order.sent = midnight;
  return order;
}

Books books_of(RentOrder order) {
  Books books;
  set_budget(books, "night", from_usd(9));
  books.orders.push_back(std::move(order));
  return books;
}

Instance instance_of(const std::string& id, InstanceState state, Duration launched = {}) {
  return {.id = id, .token = "t", .state = state, .launched = midnight + launched};
}

std::vector<std::string> look(Books& books, Duration after, std::vector<Instance> instances,
                              std::vector<std::string>* said = nullptr) {
  std::vector<std::string> notes;
  Look look;
  look.at = midnight + after;
  look.done = look.at + ms(1);
  look.instances = std::move(instances);
  const std::vector<std::string> strangers = observe(books, look, rules, notes);
  if (said != nullptr) *said = notes;
  return strangers;
}

std::vector<std::string> judged(Books& books, Duration after) {
  std::vector<std::string> notes;
  judge(books, midnight + after, rules, false, [] { return std::string("anew"); }, notes);
  return notes;
}

TEST(Observe, AnOrderIsPlacedWhenAllItsMachinesAreKnown) {
  Books books = books_of(order_of("t", 2));
  (void)look(books, minute, {instance_of("i1", InstanceState::pending)});
  EXPECT_EQ(books.orders[0].state, OrderState::asked);
  (void)look(books, minute,
             {instance_of("i1", InstanceState::running), instance_of("i2", InstanceState::pending)});
  EXPECT_EQ(books.orders[0].state, OrderState::placed);
  ASSERT_EQ(books.orders[0].machines.size(), 2U);
  EXPECT_EQ(books.orders[0].machines[0].state, MachineState::running);
}

TEST(Observe, AMachineNeverGoesBack) {
  Books books = books_of(order_of("t", 1));
  (void)look(books, 2 * minute, {instance_of("i", InstanceState::running)});
  (void)look(books, 3 * minute, {instance_of("i", InstanceState::pending)});
  EXPECT_EQ(books.orders[0].machines[0].state, MachineState::running) << "an old list";
  EXPECT_EQ(books.orders[0].machines[0].seen, midnight + 3 * minute);
  (void)look(books, 4 * minute, {instance_of("i", InstanceState::gone)});
  EXPECT_EQ(books.orders[0].machines[0].gone, midnight + 4 * minute + ms(1));
  EXPECT_EQ(books.orders[0].machines[0].reason, "ended by the cloud");
  EXPECT_EQ(books.orders[0].machines[0].seen, midnight + 3 * minute) << "it was not there";
  (void)look(books, 5 * minute, {instance_of("i", InstanceState::running)});
  EXPECT_EQ(books.orders[0].machines[0].state, MachineState::gone);
}

TEST(Observe, AClockThatIsAheadCountsFromTheOrder) {
  Books books = books_of(order_of("t", 2));
  (void)look(books, minute,
             {instance_of("i1", InstanceState::running, minute),
              instance_of("i2", InstanceState::running, minute + ms(1))});
  EXPECT_EQ(books.orders[0].machines[0].launched, midnight + minute);
  EXPECT_EQ(books.orders[0].machines[1].launched, midnight);
}

TEST(Observe, WhatHasNoOrderIsAStrangerWhileItIsThere) {
  Books books = books_of(order_of("other", 1));
  EXPECT_THAT(
      look(books, minute, {instance_of("i", InstanceState::running), instance_of("j", InstanceState::gone)}),
      testing::ElementsAre("i"));
}

TEST(Observe, AMachineOfAClosedOrderIsEnded) {
  Books books = books_of(order_of("t", 1));
  close(books, books.orders[0], midnight);
  std::vector<std::string> notes;
  (void)look(books, minute, {instance_of("i", InstanceState::gone)}, &notes);
  EXPECT_EQ(books.orders[0].state, OrderState::closed);
  EXPECT_TRUE(notes.empty());
  (void)look(books, minute, {instance_of("i", InstanceState::running)}, &notes);
  EXPECT_THAT(notes, testing::ElementsAre(testing::HasSubstr("i came to light after its order was closed")));
  (void)judged(books, minute);
  EXPECT_THAT(to_terminate(books, rules), testing::ElementsAre("i"));
}

TEST(Observe, AMachineThatIsNotListedIsGoneAfterAWhile) {
  Books books = books_of(order_of("t", 1));
  (void)look(books, minute, {instance_of("i", InstanceState::running)});
  (void)look(books, minute + rules.settling, {});
  EXPECT_EQ(books.orders[0].machines[0].state, MachineState::running);
  (void)look(books, minute + rules.settling + ms(1), {});
  EXPECT_EQ(books.orders[0].machines[0].state, MachineState::gone);
  EXPECT_EQ(books.orders[0].machines[0].reason, "no longer known to the cloud");
}

TEST(Judge, GivesBackWhenTheTimeIsOver) {
  Books books = books_of(order_of("t", 1));
  (void)look(books, minute, {instance_of("i", InstanceState::running)});
  (void)judged(books, 120 * minute - ms(1));
  EXPECT_TRUE(to_terminate(books, rules).empty());
  (void)judged(books, 120 * minute);
  EXPECT_THAT(to_terminate(books, rules), testing::ElementsAre("i"));
  EXPECT_EQ(books.orders[0].reason, "its time is over");
  (void)look(books, 120 * minute, {instance_of("i", InstanceState::terminating)});
  EXPECT_TRUE(to_terminate(books, rules).empty()) << "it ends already";
}

TEST(Judge, EndsWhatIsMoreThanWasAskedFor) {
  Books books = books_of(order_of("t", 1));
  (void)look(books, minute,
             {instance_of("i", InstanceState::running), instance_of("j", InstanceState::running)});
  (void)judged(books, minute);
  EXPECT_THAT(to_terminate(books, rules), testing::ElementsAre("j"));
  EXPECT_EQ(books.orders[0].machines[1].reason, "the cloud made more than were asked for");
}

TEST(Judge, AsksAnewForMachinesThatDoNotComeUp) {
  Books books = books_of(order_of("t", 3));
  (void)look(books, minute,
             {instance_of("i", InstanceState::pending), instance_of("j", InstanceState::pending),
              instance_of("k", InstanceState::running)});
  EXPECT_TRUE(judged(books, 10 * minute).empty()) << "just in time";
  EXPECT_THAT(judged(books, 10 * minute + ms(1)),
              testing::ElementsAre("2 of m5.large were not up within 10min", "asking anew, attempt 2 of 2"));
  EXPECT_THAT(to_terminate(books, rules), testing::ElementsAre("i", "j"));
  ASSERT_EQ(books.orders.size(), 2U);
  EXPECT_EQ(books.orders[1].count, 2);
  EXPECT_EQ(books.orders[1].first, "t");
  EXPECT_EQ(books.orders[1].until, books.orders[0].until);
  EXPECT_EQ(books.orders[1].sends, 0);
  EXPECT_TRUE(judged(books, 11 * minute).empty()) << "once";
}

TEST(Judge, AsksAnewNoMoreOftenThanTheOrderSaysAndNotAtItsEnd) {
  for (const bool last : {true, false}) {
    Books books = books_of(order_of("t", 1));
    (last ? books.orders[0].attempt : books.orders[0].attempts) = last ? 2 : 9;
    if (!last) books.orders[0].until = midnight + 20 * minute + ms(1);
    (void)look(books, minute, {instance_of("i", InstanceState::pending)});
    EXPECT_THAT(judged(books, 10 * minute + ms(1)),
                testing::ElementsAre("1 of m5.large was not up within 10min"));
    EXPECT_EQ(books.orders.size(), 1U) << "ten minutes are left, and it would boot for so long";
  }
}

TEST(Judge, ClosesAnOrderWhenNoAnswerCanComeAnyMore) {
  RentOrder order = order_of("t", 2);
  order.wanted = false;
  order.sends = 0;
  Books books = books_of(order);
  (void)judged(books, {});
  EXPECT_EQ(books.orders[0].state, OrderState::closed) << "nothing was sent";
  order.sends = 1;
  books = books_of(order);
  (void)judged(books, rules.settling);
  EXPECT_EQ(books.orders[0].state, OrderState::asked);
  (void)judged(books, rules.settling + ms(1));
  EXPECT_EQ(books.orders[0].state, OrderState::closed);
  EXPECT_EQ(books.orders[0].cost, Money{});
  // Looked at so late that machines may have come and gone: they count in full.
  books = books_of(order);
  (void)judged(books, rules.remembered + ms(1));
  EXPECT_EQ(books.orders[0].cost, Money{2 * most_cost(order.hourly, order.hold).micro_usd});
}

TEST(Refuse, ClosesAnOrderOfWhichNothingCanBeThere) {
  Books books = books_of(order_of("t", 1));
  refuse(books, books.orders[0], midnight, "no capacity");
  EXPECT_EQ(books.orders[0].state, OrderState::closed);
  EXPECT_EQ(books.orders[0].reason, "no capacity");
  books = books_of(order_of("t", 1));
  books.orders[0].sends = 2;  // the first answer was lost
  refuse(books, books.orders[0], midnight, "no capacity");
  EXPECT_EQ(books.orders[0].state, OrderState::asked);
  EXPECT_FALSE(books.orders[0].wanted);
}

TEST(Concerns, OpenOrdersOfMachinesInThisPlaceOnly) {
  RentOrder order = order_of("t", 1);
  EXPECT_TRUE(concerns(rules, order));
  order.group = "ig-1";
  EXPECT_FALSE(concerns(rules, order));
  order.group.clear();
  order.place = "elsewhere";
  EXPECT_FALSE(concerns(rules, order));
  order.place = rules.place;
  order.state = OrderState::closed;
  EXPECT_FALSE(concerns(rules, order));
}

}  // namespace
}  // namespace wavewright
