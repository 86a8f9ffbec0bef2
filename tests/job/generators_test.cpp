#include "wavewright/job/generators.h"

#include <set>

#include "wavewright/core/error.h"
#include "wavewright/job/validator.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {
namespace {

using testing::HasSubstr;

Workload make(const std::string& name, std::uint64_t seed = 1,
              const std::map<std::string, std::string>& set = {}) {
  return generate(generator(name), seed, set);
}

struct Totals {
  double maps = 0, reduces = 0, map_ms = 0, reduce_ms = 0;
};

Totals totals(const Workload& workload) {
  Totals sum;
  for (const Job& job : workload.jobs) {
    sum.maps += static_cast<double>(job.maps.size());
    sum.reduces += static_cast<double>(job.reduces.size());
    for (const Duration d : job.maps) sum.map_ms += static_cast<double>(to_ms(d));
    for (const Duration d : job.reduces) sum.reduce_ms += static_cast<double>(to_ms(d));
  }
  return sum;
}

std::string text(const Workload& workload) {
  std::string all;
  for (const Job& job : workload.jobs) all += to_line(job) + "\n";
  return all;
}

TEST(Generators, AllThatAreListedMakeJobsFromTheirDefaults) {
  std::set<std::string> names;
  for (const Generator& each : generators()) {
    names.insert(each.name);
    EXPECT_FALSE(each.source.empty());
    const auto smaller = each.name == "w2" ? "500" : "50";
    const Workload workload = generate(each, 3, {{"jobs", smaller}});
    EXPECT_EQ(std::to_string(workload.jobs.size()), smaller) << each.name;
    EXPECT_EQ(text(workload), text(generate(each, 3, {{"jobs", smaller}}))) << "equal seeds, equal workloads";
    EXPECT_NE(text(workload), text(generate(each, 4, {{"jobs", smaller}})));
    for (const Job& job : workload.jobs) {
      for (const Duration d : job.maps) ASSERT_GE(d, ms(1));
    }
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"synthetic-unimodal", "synthetic-bimodal", "m45-unimodal", "m45-bimodal",
                                   "facebook", "order-facebook", "order-testbed", "w1", "w2", "unl-locality",
                                   "unl-deadlines-1", "unl-deadlines-2", "unl-energy"}));
}

TEST(Generators, UnlsLocalityHasItsTablesJobsAndEvenBlocks) {
  const Workload workload = make("unl-locality", 5);
  std::map<std::size_t, int> sizes;
  std::map<std::vector<std::string>, int> reads;
  std::map<std::string, std::set<std::vector<std::string>>> held;
  for (const Job& job : workload.jobs) {
    ++sizes[job.maps.size()];
    ASSERT_EQ(job.splits.size(), job.maps.size());
    for (const auto& nodes : job.splits) {
      ++reads[nodes];
      ASSERT_EQ(nodes.size(), 2U);
      ASSERT_NE(nodes[0], nodes[1]);
      for (const std::string& node : nodes) held[node].insert(nodes);
    }
  }
  EXPECT_EQ(sizes, (std::map<std::size_t, int>{{1, 38}, {2, 16}, {10, 14}, {50, 8}, {100, 6}, {200, 6}}))
      << "table 4.4";
  EXPECT_EQ(held.size(), 30U);
  for (const auto& [node, blocks] : held) EXPECT_LE(blocks.size(), 7U) << "200 replicas on 30 nodes";
  EXPECT_GT(reads.size(), 80U) << "of 100 blocks, some on the same two nodes";
  for (const auto& [nodes, count] : reads) EXPECT_LT(count, 3 * 2410 / 100) << "all are as likely";
}

// Jobs by their bin, and for each the ranges of maps, reduces and deadlines that must hold.
TEST(Generators, UnlsDeadlinesHaveTheBinsOfItsTables) {
  struct Bin {
    std::size_t maps[2], reduces[2];
    std::int64_t deadline_s[2];
    int jobs;
  };
  const std::map<std::string, std::vector<Bin>> tables = {{"unl-deadlines-1",
                                                           {{{1, 1}, {1, 5}, {200, 300}, 38},
                                                            {{2, 2}, {1, 5}, {200, 300}, 16},
                                                            {{10, 10}, {5, 10}, {300, 400}, 14},
                                                            {{50, 50}, {10, 20}, {500, 800}, 8},
                                                            {{100, 100}, {20, 30}, {1000, 1500}, 6},
                                                            {{200, 200}, {30, 30}, {2000, 2500}, 6}}},
                                                          {"unl-deadlines-2",
                                                           {{{1, 10}, {1, 5}, {200, 300}, 9},
                                                            {{10, 50}, {5, 10}, {300, 500}, 24},
                                                            {{50, 100}, {15, 30}, {1000, 1500}, 25},
                                                            {{100, 200}, {25, 50}, {1500, 2500}, 18},
                                                            {{200, 300}, {35, 70}, {2500, 3500}, 13}}}};
  for (const auto& [name, bins] : tables) {
    std::map<std::string, int> jobs;
    std::map<std::string, std::set<std::int64_t>> deadlines;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      for (const Job& job : make(name, seed).jobs) {
        const Bin& bin = bins.at(std::stoul(job.name.substr(4)) - 1);
        ++jobs[job.name];
        const std::int64_t deadline = to_ms(job.deadline.value() - job.submit);
        deadlines[job.name].insert(deadline);
        EXPECT_EQ(deadline % 1000, 0);
        EXPECT_GE(deadline, 1000 * bin.deadline_s[0]);
        EXPECT_LE(deadline, 1000 * bin.deadline_s[1]);
        EXPECT_GE(job.maps.size(), bin.maps[0]);
        EXPECT_LE(job.maps.size(), bin.maps[1]);
        EXPECT_GE(job.reduces.size(), bin.reduces[0]);
        EXPECT_LE(job.reduces.size(), bin.reduces[1]);
      }
    }
    for (std::size_t i = 0; i < bins.size(); ++i) {
      const std::string bin = "bin " + std::to_string(i + 1);
      EXPECT_EQ(jobs[bin], 3 * bins[i].jobs) << name;
      EXPECT_GT(deadlines[bin].size(), 10U) << "they vary";
    }
  }
}

TEST(Generators, UnlsDeadlinesAreScaledAndTasksAsLongAsTold) {
  const Workload workload = make("unl-deadlines-2", 4);
  const Workload scaled = make("unl-deadlines-2", 4, {{"deadlines", "0.25"}, {"mean_gap_ms", "7000"}});
  Totals sum = totals(workload);
  EXPECT_NEAR(sum.map_ms / sum.maps, 10'000, 200);
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const Job &one = workload.jobs[i], &other = scaled.jobs[i];
    EXPECT_EQ(4 * (*other.deadline - other.submit), *one.deadline - one.submit);
    EXPECT_EQ(one.maps, other.maps);
  }
  EXPECT_THAT([] { (void)make("unl-deadlines-1", 1, {{"deadlines", "1e15"}}); },
              testing::Throws<UsageError>(
                  testing::Property(&UsageError::problem, testing::HasSubstr("later than 2^48"))));
}

TEST(Generators, UnlsReplicasNeedNodes) {
  EXPECT_THAT([] { (void)make("unl-locality", 1, {{"nodes", "2"}, {"replicas", "3"}}); },
              testing::Throws<UsageError>(testing::Property(
                  &UsageError::problem, testing::HasSubstr("3 replicas of a block on 2 nodes"))));
}

TEST(Generators, W1HasTheCountsOfItsParameters) {
  // 1,000 jobs in the shares of table I: 10 × (38·1 + 16·2 + … + 2·4800) maps, 10 × (14·3 + …) reduces.
  const Workload workload = make("w1");
  const Totals sum = totals(workload);
  EXPECT_EQ(workload.jobs.size(), 1000U);
  EXPECT_EQ(sum.maps, 216'100);
  EXPECT_EQ(sum.reduces, 17'820);
  EXPECT_NEAR(static_cast<double>(to_ms(workload.jobs.back().submit)), 14e6, 2e6);
  for (std::size_t i = 1; i < workload.jobs.size(); ++i) {
    ASSERT_LE(workload.jobs[i - 1].submit, workload.jobs[i].submit);
  }
  // Means of the log-normals: exp(μ + σ²/2) = 85.5 s and 889 s.
  EXPECT_NEAR(sum.map_ms / sum.maps, 85'480, 3'000);
  EXPECT_NEAR(sum.reduce_ms / sum.reduces, 888'900, 120'000);
}

TEST(Generators, FacebookKeepsTheSharesOfTableI) {
  std::map<std::pair<std::size_t, std::size_t>, int> seen;
  for (const Job& job : make("facebook").jobs) ++seen[{job.maps.size(), job.reduces.size()}];
  EXPECT_EQ((seen[{1, 0}]), 38);
  EXPECT_EQ((seen[{10, 3}]), 14);
  EXPECT_EQ((seen[{4800, 0}]), 2);
  EXPECT_EQ(seen.size(), 10U);
  EXPECT_EQ(make("facebook", 1, {{"jobs", "7"}}).jobs.size(), 7U);
}

TEST(Generators, TheReadingOfNormalMovesTheMean) {
  // N(154, 558) redrawn until positive has mean 506; with σ² = 558 it stays at 154.
  const std::map<std::string, std::string> tiny = {
      {"jobs", "4000"}, {"reduces", "const(1)"}, {"map", "const(1)"}};
  const double redrawn = totals(make("m45-unimodal", 5, tiny)).maps / 4000;
  auto with_variance = tiny;
  with_variance["reading"] = "variance";
  const double as_variance = totals(make("m45-unimodal", 5, with_variance)).maps / 4000;
  EXPECT_NEAR(redrawn, 506, 20);
  EXPECT_NEAR(as_variance, 154, 3);
}

TEST(Generators, BimodalHasFourFifthsSmallJobs) {
  // With constant durations of 1 unit the factor shows in each job's map time.
  const Workload workload = make("synthetic-bimodal", 1, {{"map", "const(1)"}});
  int small = 0;
  for (const Job& job : workload.jobs) {
    const std::int64_t factor_ms = to_ms(job.maps.at(0));
    EXPECT_TRUE((factor_ms >= 1000 && factor_ms <= 2000) || (factor_ms >= 8000 && factor_ms <= 10000));
    small += factor_ms <= 2000 ? 1 : 0;
    EXPECT_GE(job.maps.size(), 1U);
    EXPECT_LE(job.maps.size(), 100U);
    EXPECT_LE(job.reduces.size(), 50U);
  }
  EXPECT_EQ(small, 80);
}

TEST(Generators, AStageMayHaveAFactorOfItsOwn) {
  const auto factors = [](const std::string& scale) {
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    const Workload workload =
        make("synthetic-unimodal", 1, {{"map", "const(1)"}, {"reduce", "const(1)"}, {"scale", scale}});
    for (const Job& job : workload.jobs) found.emplace_back(to_ms(job.maps.at(0)), to_ms(job.reduces.at(0)));
    return found;
  };
  const auto shared = factors("per-job"), own = factors("per-stage");
  std::size_t different = 0;
  for (std::size_t i = 0; i < shared.size(); ++i) {
    EXPECT_EQ(shared[i].first, shared[i].second);
    EXPECT_EQ(shared[i].first, own[i].first) << "the maps keep theirs";
    if (own[i].first != own[i].second) ++different;
  }
  EXPECT_GT(different, 90U);
}

TEST(Generators, DurationsPerJobAreEqualWithinAJob) {
  for (const Job& job : make("synthetic-unimodal", 1, {{"durations", "per-job"}}).jobs) {
    EXPECT_EQ(std::set<Duration>(job.maps.begin(), job.maps.end()).size(), 1U);
  }
}

TEST(Generators, WrongNamesAndValuesAreUsageErrorsWithAHint) {
  const auto says = [](const std::string& name,
                       const std::map<std::string, std::string>& set) -> std::string {
    try {
      (void)make(name, 1, set);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(says("facebok", {}), HasSubstr("did you mean 'facebook'"));
  EXPECT_THAT(says("w1", {{"job", "5"}}), HasSubstr("did you mean 'jobs'"));
  EXPECT_THAT(says("w1", {{"jobs", "0"}}), HasSubstr("from 1"));
  EXPECT_THAT(says("w1", {{"jobs", "1.5"}}), HasSubstr("whole number"));
  EXPECT_THAT(says("w1", {{"mean_gap_ms", "nan"}}), HasSubstr("mean_gap_ms=nan"));
  EXPECT_THAT(says("w1", {{"map", "normal(5)"}}), HasSubstr("takes 2 parameters"));
  EXPECT_THAT(says("m45-bimodal", {{"reading", "varianz"}}), HasSubstr("did you mean 'variance'"));
  EXPECT_THAT(says("synthetic-unimodal", {{"maps", "const(2e9)"}, {"jobs", "1000"}}),
              HasSubstr("available memory does not suffice"));
}

}  // namespace
}  // namespace wavewright
