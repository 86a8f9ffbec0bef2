// Which options to rent machines are compared, and which of them is chosen.
#include "wavewright/cloud/choice/rental_choice.h"

#include <gmock/gmock.h>

#include "tests/property.h"

#include "tests/sim/small_jobs.h"
#include "wavewright/cloud/choice/rented_at_once.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// On demand 3.6 USD an hour. The spot price is 1 for half the time, 2 for a quarter, 4 for a quarter.
Cluster cloud(const std::string& more = "spot = [[0, 1], [50000, 2], [75000, 4], [100000, 2]]\n") {
  return parse_cluster(R"(
[[nodes]]
count = 20
class = "rented"
map_slots = 1
reduce_slots = 1
price_per_hour = 3.6
rent = true
)" + more,
                       "cloud.toml");
}

const PolicyRegistry& registry() {
  static const PolicyRegistry all(deadline_policies());
  return all;
}

std::vector<std::string> specs(const RentalGrid& grid, const Cluster& cluster) {
  std::vector<std::string> found;
  for (const RentalOption& option : rental_options(grid, cluster, registry()).options)
    found.push_back(option.spec);
  return found;
}

TEST(UsualBids, MeetThePriceForPartsOfTheTime) {
  const std::vector<Money> bids = usual_bids(cloud().nodes.front());
  // 1 for a half, 2 for three quarters; 4, for more, is above the price on demand.
  EXPECT_THAT(bids, ElementsAre(from_usd(1), from_usd(2), from_usd(3.6)));
  EXPECT_THAT(usual_bids(cloud("").nodes.front()), ElementsAre(from_usd(3.6)));
}

TEST(RentalOptions, AreAllMixesAndBids) {
  EXPECT_THAT(specs({.policies = {"edf"}}, cloud()),
              ElementsAre("edf(machines=on-demand)", "edf(machines=spot, bid=2)",
                          "edf(machines=spot, bid=3.6)", "edf(machines=hybrid, bid=1)",
                          "edf(machines=hybrid, bid=2)", "edf(machines=hybrid, bid=3.6)"));
  EXPECT_THAT(specs({.policies = {"edf"}}, cloud("")), ElementsAre("edf(machines=on-demand)"));
  EXPECT_THAT(specs({.policies = {"edf(slots=90%)", "mdasa(machines=spot, bid=9)"},
                     .machines = {"hybrid"},
                     .bids = {from_usd(2), from_usd(4)}},
                    cloud()),
              ElementsAre("edf(slots=90%, machines=hybrid, bid=2)", "mdasa(machines=spot, bid=9)"));
  // A bid below the last price might never be met again; the reason is told.
  const RentalOptions found = rental_options({.policies = {"edf"}}, cloud(), registry());
  EXPECT_THAT(found.left_out,
              ElementsAre(HasSubstr("spot machines for 1 USD: the last spot price is above")));
  EXPECT_GE(specs({}, cloud()).size(), 6 * renting_policies(registry()).size());
}

TEST(RentalOptions, NameTheClassWhereSeveralAreForRent) {
  const Cluster two = cloud("[[nodes]]\nclass = \"big\"\nmap_slots = 4\nreduce_slots = 4\nrent = true\n");
  EXPECT_THAT(specs({.policies = {"edf()"}}, two),
              ElementsAre("edf(machines=on-demand, class=rented)", "edf(machines=on-demand, class=big)"));
}

TEST(RentalOptions, TryAClusterOfOneSizeWithSeveralSizes) {
  const std::vector<std::string> found =
      specs({.policies = {"fixed-size"}, .machines = {"on-demand"}}, cloud());
  EXPECT_THAT(found,
              ElementsAre("fixed-size(size=1, machines=on-demand)", "fixed-size(size=2, machines=on-demand)",
                          "fixed-size(size=4, machines=on-demand)", "fixed-size(size=8, machines=on-demand)",
                          "fixed-size(size=16, machines=on-demand)"));
  EXPECT_EQ(specs({.policies = {"fixed-size(3)"}, .machines = {"on-demand"}}, cloud()).size(), 1U);
}

TEST(RentalTerms, AreThoseOfTheGridOrOfTheOwnWords) {
  const Cluster two = cloud("[[nodes]]\nclass = \"big\"\nmap_slots = 4\nrent = true\nprice_per_hour = 9\n");
  const auto terms = [](const std::string& policy, const Cluster& cluster) {
    return terms_of({policy, "", std::nullopt, "", policy}, cluster, registry());
  };
  for (const RentalOption& option : rental_options({}, cloud(), registry()).options) {
    const RentalTerms found = terms_of(option, cloud(), registry());
    EXPECT_EQ(found.machines, option.machines);
    EXPECT_EQ(found.bid, option.bid);
    EXPECT_EQ(found.node_class, "rented");
    EXPECT_EQ(found.on_demand, from_usd(3.6));
  }
  EXPECT_EQ(terms("edf(machines=spot)", cloud()).bid, from_usd(3.6)) << "the price on demand, as the policy";
  EXPECT_EQ(terms("edf(machines=on-demand, bid=2)", cloud()).bid, std::nullopt);
  EXPECT_EQ(terms("edf(slots=90%)", cloud()).machines, "none");
  EXPECT_EQ(terms("edf(machines=hybrid, class=big, bid=1)", two).on_demand, from_usd(9));
  EXPECT_THROW((void)terms("edf(machines=spot, class=huge)", two), UsageError);
  // So many of them together.
  EXPECT_EQ(rented_together(terms("edf(machines=hybrid, bid=0.5)", cloud()), 7, cloud()).spec,
            "fixed-size(size=7, machines=hybrid, bid=0.5)");
  EXPECT_EQ(rented_together(terms("mdasa(machines=on-demand, class=big)", two), 2, two).spec,
            "fixed-size(size=2, machines=on-demand, class=big)");
}

TEST(RentalOptions, RefuseWhatIsNotThere) {
  const Cluster fixed = parse_cluster("[[nodes]]\nmap_slots = 1\n", "fixed.toml");
  EXPECT_THROW((void)rental_options({}, fixed, registry()), UsageError);
  EXPECT_THROW((void)rental_options({.policies = {"edg"}}, cloud(), registry()), UsageError);
  EXPECT_THROW((void)rental_options({.machines = {"spots"}}, cloud(), registry()), UsageError);
  EXPECT_THROW((void)rental_options({.machines = {"spot"}, .bids = {from_usd(0.1)}}, cloud(), registry()),
               UsageError);
}

// Ten jobs of 50 s, one every 10 s, due 55 s after they come.
Workload jobs() {
  Workload workload;
  for (int i = 0; i < 10; ++i) {
    Job job = job_of("", {50'000}, {}, 10'000 * i);
    job.id = fmt::format("J{}", i);
    job.deadline = job.submit + ms(55'000);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

RentalQuestion question(std::vector<std::string> policies, double limit) {
  RentalQuestion question;
  question.workload = [](std::uint64_t) { return jobs(); };
  question.cluster = cloud("");
  question.options = rental_options({std::move(policies), {}, {}}, question.cluster, registry()).options;
  question.late_at_most = limit;
  question.seeds = {1, 2};
  question.registry = &registry();
  question.threads = 2;
  return question;
}

// The count at each instant, one after the other.
TEST(RentedAtOnce, IsTheMostOfAnyInstant) {
  holds_always([] {
    const auto ends = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 30), rc::gen::inRange(0, 30)));
    SimulationResult result;
    result.makespan = ms(40);
    int last = 0;
    for (const auto& [requested, length] : ends) {
      Lease lease;
      lease.requested = at_ms(requested);
      const int left = std::min(requested + length, 40);
      if (left < 40) lease.left = at_ms(left);
      last = std::max(last, left);
      result.leases.push_back(lease);
    }
    Count most = 0;
    for (int at = 0; at < 40; ++at) {
      most = std::max(most, std::count_if(ends.begin(), ends.end(), [&](const auto& each) {
                        return each.first <= at && at < each.first + each.second;
                      }));
    }
    Workload workload;
    workload.jobs = {job_of("late", {5}, {}, 9), job_of("early", {5}, {}, 3)};
    const RentedAtOnce found = rented_at_once(workload, result);
    RC_ASSERT(found.most == most);
    RC_ASSERT(found.span == (ends.empty() ? ms(0) : ms(std::max(0, last - 3))));
  });
}

TEST(RentalChoice, SaysWhatItRentsAtOnceAndForHowLong) {
  // A job of 50 s comes every 10 s, the last after 90 s. A machine joins 1 ms after it was asked for.
  const RentalQuestion asked = question({"fixed-size(size=3, machines=on-demand)",
                                         "edf(machines=on-demand, most=1)", "edf(machines=on-demand)"},
                                        1);
  const RentalChoice choice = choose_rental(asked, [](std::size_t) {}, {});
  for (const RentalFigures& each : choice.options) {
    const std::string& policy = each.option.policy;
    EXPECT_EQ(each.most_machines, policy.starts_with("fixed") ? 3 : policy.ends_with("1)") ? 1 : 6) << policy;
    EXPECT_EQ(each.longest_span, ms(policy.starts_with("fixed") ? 200'001
                                    : policy.ends_with("1)")    ? 500'001
                                                                : 140'001))
        << policy;
    const RentalFigures alone = simulate_option(asked, each.option, {});
    EXPECT_EQ(alone.cost_usd.mean, each.cost_usd.mean);
    EXPECT_EQ(alone.most_machines, each.most_machines);
    EXPECT_EQ(alone.runs, 2U);
  }
  const std::atomic<bool> stopped = true;
  EXPECT_EQ(simulate_option(asked, asked.options.front(), Stop(std::nullopt, &stopped)).runs, 0U);
}

TEST(RentalChoice, IsTheCheapestWithinTheLimit) {
  // Five machines or more have all in time. With one and two machines most are late, and idle time is not
  // paid for: the cheapest of all is the one with a single machine.
  const std::vector<std::string> policies = {"edf(machines=on-demand, most=1)",
                                             "edf(machines=on-demand, most=2)", "edf(machines=on-demand)"};
  std::size_t told = 0;
  const RentalChoice strict =
      choose_rental(question(policies, 0.05), [&](std::size_t done) { told = std::max(told, done); }, {});
  EXPECT_EQ(told, 6U);
  ASSERT_EQ(strict.options.size(), 3U);
  ASSERT_TRUE(strict.best);
  EXPECT_EQ(strict.options[*strict.best].option.policy, "edf(machines=on-demand)");
  EXPECT_EQ(strict.options[*strict.best].tardy.mean, 0);
  EXPECT_EQ(strict.options[*strict.best].runs, 2U);
  EXPECT_FALSE(strict.partial);
  const RentalChoice loose = choose_rental(question(policies, 1), [](std::size_t) {}, {});
  ASSERT_TRUE(loose.best);
  EXPECT_EQ(*loose.best, 0U);
  EXPECT_LE(loose.options[0].cost_usd.mean, strict.options[*strict.best].cost_usd.mean);
  // 500 s of work for one machine at a time, or for all of them in time.
  EXPECT_NEAR(*strict.bound_all_in_time, 0.5, 1e-3);
  EXPECT_NEAR(*strict.bound_as_best, 0.5, 1e-3);
  EXPECT_LE(*loose.bound_as_best, loose.options[0].cost_usd.mean + 1e-5);
}

TEST(RentalChoice, HasAFrontierWithoutDominatedOptions) {
  const RentalChoice choice =
      choose_rental(question({"edf(machines=on-demand, most=1)", "edf(machines=on-demand)",
                              "edf(machines=on-demand, idle=10min)"},
                             0),
                    [](std::size_t) {}, {});
  for (std::size_t a = 0; a < choice.options.size(); ++a) {
    bool dominated = false;
    for (const RentalFigures& other : choice.options) {
      dominated = dominated || (other.cost_usd.mean < choice.options[a].cost_usd.mean &&
                                other.tardy.mean <= choice.options[a].tardy.mean);
    }
    EXPECT_EQ(choice.options[a].frontier, !dominated) << choice.options[a].option.spec;
  }
}

TEST(RentalChoice, TheLimitIsTheShareItself) {
  const std::vector<std::string> policies = {"edf(machines=on-demand, most=2)"};
  const auto at = [&](double limit) {
    return choose_rental(question(policies, limit), [](std::size_t) {}, {});
  };
  const double share = at(1).options[0].tardy.mean;
  ASSERT_GT(share, 0);
  EXPECT_TRUE(at(share).best);
  EXPECT_FALSE(at(0.99 * share).best);
}

TEST(RentalChoice, IsNoneWhereAllAreTardy) {
  const RentalChoice choice =
      choose_rental(question({"edf(machines=on-demand, most=1)"}, 0.05), [](std::size_t) {}, {});
  EXPECT_FALSE(choice.best);
  EXPECT_EQ(choice.least_tardy, 0U);
  EXPECT_FALSE(choice.bound_as_best);
}

TEST(RentalChoice, StopsWithWhatItHas) {
  const std::atomic<bool> stopped = true;
  const RentalChoice choice =
      choose_rental(question({"edf"}, 0.05), [](std::size_t) {}, Stop(std::nullopt, &stopped));
  EXPECT_TRUE(choice.partial);
  EXPECT_TRUE(choice.options.empty());
}

TEST(Draws, AreLengthsAndFaults) {
  EXPECT_FALSE(draws(jobs(), jobs(), cloud()));
  Workload other = jobs();
  other.jobs[3].maps[0] += ms(1);
  EXPECT_TRUE(draws(jobs(), other, cloud()));
  EXPECT_TRUE(draws(jobs(), jobs(), cloud("task_failure = 0.1\n")));
}

}  // namespace
}  // namespace wavewright
