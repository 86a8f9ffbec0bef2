// One step of the reconciler: its report, and its answer to each kind of failure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/cloud/provision/simulated_cloud.h"
#include "wavewright/cloud/provision/reconciler.h"

namespace wavewright {
namespace {

constexpr Time midnight = at_ms(1'700'000'000'000);

// Lists what it is told to, and fails as it is told to.
class ToldCloud : public Cloud {
 public:
  std::vector<Instance> listed;
  std::optional<CloudFailure> fails;
  int launches = 0;
  std::vector<std::string> ended;

  [[nodiscard]] std::vector<Instance> launch(const LaunchRequest& request) override {
    ++launches;
    if (fails) throw CloudError(*fails, {"cloud"}, "no", "wait");
    for (Count i = 0; i < request.count; ++i)
      listed.push_back({.id = fmt::format("i{}", i), .token = request.token, .launched = midnight});
    return listed;
  }
  [[nodiscard]] std::vector<Instance> instances(const std::string&) override { return listed; }
  void terminate(const std::vector<std::string>& ids) override { ended = ids; }
};

class Step : public testing::Test {
 protected:
  Step() {
    RentOrder order;
    order.token = "t";
    order.batch = "night";
    order.terms.type = "m5.large";
    order.count = 2;
    order.hourly = Money{60'000};
    order.asked = midnight;
    order.until = midnight + ms(7'200'000);
    order.boot = ms(600'000);
    order.hold = longest_hold(ms(7'200'000), order.boot);
    ledger.change({}, [&](Books& books) {
      set_budget(books, "night", from_usd(9));
      place(books, order, midnight, ms(60'000));
    });
  }
  StepReport step() {
    return Reconciler(ledger, cloud, {},
                      {.now = [] { return midnight; }, .token = [] { return std::string("anew"); }})
        .step();
  }
  [[nodiscard]] const RentOrder& order() const { return ledger.books().orders[0]; }

  MemoryLedger ledger{1, 0};
  ToldCloud cloud;
};

TEST_F(Step, CountsMachinesThatAreMissingThereAndLeaving) {
  StepReport report = step();
  EXPECT_EQ(report.machines, 2);
  EXPECT_EQ(report.missing, 2) << "both boot";
  cloud.listed[0].state = InstanceState::running;
  report = step();
  EXPECT_EQ(report.machines, 2);
  EXPECT_EQ(report.missing, 1);
  EXPECT_EQ(cloud.launches, 1);
  cloud.listed[1].state = InstanceState::terminating;
  report = step();
  EXPECT_EQ(report.machines, 1);
  EXPECT_EQ(report.leaving, 1);
  EXPECT_EQ(report.missing, 0);
  EXPECT_EQ(report.unsettled, 0);
}

TEST_F(Step, AsksAgainWhereTheAnswerIsNotKnown) {
  cloud.fails = CloudFailure::unsure;
  StepReport report = step();
  EXPECT_EQ(report.missing, 2);
  EXPECT_EQ(report.unsettled, 0) << "it is wanted";
  EXPECT_EQ(report.notes.size(), 1U);
  EXPECT_EQ(order().sends, 1);
  EXPECT_TRUE(order().wanted);
  ledger.change({}, [](Books& books) { give_back(books.orders[0], "given back"); });
  report = step();
  EXPECT_EQ(report.unsettled, 1) << "machines may still come";
  EXPECT_EQ(report.missing, 0);
  EXPECT_EQ(cloud.launches, 1);
}

TEST_F(Step, ARequestThatWasThrottledWasNotSent) {
  cloud.fails = CloudFailure::throttled;
  EXPECT_EQ(step().missing, 2);
  EXPECT_EQ(order().sends, 0);
  EXPECT_EQ(order().state, OrderState::asked);
  EXPECT_TRUE(order().wanted);
}

TEST_F(Step, ARefusedRequestClosesTheOrder) {
  cloud.fails = CloudFailure::refused;
  const StepReport report = step();
  EXPECT_EQ(report.refused.size(), 1U);
  EXPECT_TRUE(report.notes.empty());
  EXPECT_EQ(order().state, OrderState::closed);
}

TEST_F(Step, ADeniedRequestIsToldToTheCaller) {
  cloud.fails = CloudFailure::denied;
  EXPECT_THROW((void)step(), CloudError);
  EXPECT_EQ(order().state, OrderState::closed) << "it had no effect";
}

TEST_F(Step, EndsStrangersAndSaysSo) {
  cloud.listed = {{.id = "x", .token = "unknown", .state = InstanceState::running, .launched = midnight}};
  EXPECT_THAT(step().notes, testing::Contains(testing::HasSubstr("x has this ledger's tag and no order")));
  EXPECT_THAT(cloud.ended, testing::ElementsAre("x"));
}

}  // namespace
}  // namespace wavewright
