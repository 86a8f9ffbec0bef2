// Synthetic workloads of Hadoop's load simulator: what is told comes out, by the distributions that it names.
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/history/sls/synthetic.h"
#include "wavewright/history/trace_workload.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {
namespace {

using testing::Contains;
using testing::HasSubstr;

// One workload whose jobs are submitted at 30 s.
std::string file_of(const std::string& job_class, int jobs, int seed = 2) {
  return fmt::format(R"({{"description":"ours","num_nodes":20,"nodes_per_rack":4,"num_jobs":{},"rand_seed":{},
      "workloads":[{{"workload_name":"w","workload_weight":0.5,"queue_name":"q","job_classes":[{}],
      "time_distribution":[{{"time":30,"weight":1}}]}}]}})",
                     jobs, seed, job_class);
}

const std::string older =
    R"({"class_name":"c","user_name":"u","class_weight":1,"mtasks_avg":50,"mtasks_stddev":10,
  "rtasks_avg":5,"rtasks_stddev":1,"mtime_avg":10,"mtime_stddev":2,"rtime_avg":20,"rtime_stddev":4,
  "map_max_memory_avg":3000,"map_max_memory_stddev":600,"reduce_max_memory_avg":8,"dur_avg":60,"dur_stddev":5,
  "chance_of_reservation":0.25,"deadline_factor_avg":10,"deadline_factor_stddev":0.001})";

const std::string newer = R"({"class_name":"c","user_name":"u","class_weight":1,"type":"mapreduce",
  "deadline_factor":{"val":10,"std":0.001},"duration":{"val":60,"std":5},"reservation":{"val":0.25},"tasks":[
  {"type":"map","priority":20,"count":{"val":50,"std":10},"time":{"val":10,"std":2},
   "max_memory":{"val":3000,"std":600},"max_vcores":{"val":1}},
  {"type":"reduce","count":{"val":5,"std":1},"time":{"val":20,"std":4},"max_memory":{"val":8,"std":0}}]})";

Workload drawn(const std::string& file) {
  return sls::read_synthetic(file, "syn.json").workload;
}

std::string lines(const Workload& workload) {
  std::string all;
  for (const Job& job : workload.jobs) all += to_line(job) + "\n";
  return all;
}

// Mean and deviation, each with its own standard error from the fourth moment.
struct Moments {
  double mean = 0, deviation = 0, mean_error = 0, deviation_error = 0;
};
Moments moments(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  Moments m;
  m.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double second = 0, fourth = 0;
  for (const double value : values) {
    const double squared = (value - m.mean) * (value - m.mean);
    second += squared / n;
    fourth += squared * squared / n;
  }
  m.deviation = std::sqrt(second);
  m.mean_error = m.deviation / std::sqrt(n);
  m.deviation_error = std::sqrt((fourth - second * second) / n) / (2 * m.deviation);
  return m;
}

void expect_distribution(const std::vector<double>& values, double mean, double deviation, double rounding) {
  const Moments m = moments(values);
  EXPECT_NEAR(m.mean, mean, 5 * m.mean_error + rounding);
  EXPECT_NEAR(m.deviation, deviation, 5 * m.deviation_error + rounding);
}

TEST(SyntheticSls, ValuesComeOutAsTold) {
  const Conversion read = sls::read_synthetic(
      file_of(R"({"class_name":"sort","user_name":"ada","class_weight":1,"duration":{"val":60},
        "reservation":{"val":1},"deadline_factor":{"val":"1.5"},"tasks":[
        {"type":"reduce","count":{"val":1},"time":{"val":0.5},"max_memory":{"val":2048}},
        {"type":"map","count":{"val":2},"time":{"val":10}},
        {"type":"stream","count":{"val":2},"time":{"val":10}}]})",
              2),
      "syn.json");
  ASSERT_EQ(read.workload.jobs.size(), 2U);
  EXPECT_EQ(
      to_line(read.workload.jobs[1]),
      R"({"id":"sort_000001","name":"sort","user":"ada","queue":"q","submit_ms":30000,"map_ms":[10000,10000],)"
      R"("reduce_ms":[500],"deadline_ms":120000,"map_memory_mb":1024,"reduce_memory_mb":2048})");
  EXPECT_THAT(read.dropped, Contains("tasks that are neither maps nor reduces (2 times)"));
  EXPECT_THAT(read.dropped, Contains("the cluster of 20 nodes"));
}

TEST(SyntheticSls, MeansAndDeviationsAreThoseOfTheFile) {
  std::vector<double> counts, seconds, memory;
  double deadlines = 0;
  constexpr int jobs = 2000;
  for (const Job& job : drawn(file_of(older, jobs)).jobs) {
    counts.push_back(static_cast<double>(job.maps.size()));
    for (const Duration map : job.maps) seconds.push_back(static_cast<double>(to_ms(map)) / 1000);
    memory.push_back(static_cast<double>(job.memory.map.value().count >> 20));
    EXPECT_EQ(job.memory.reduce, Bytes{1LL << 30}) << "Hadoop's least container";
    deadlines += job.deadline ? 1 : 0;
  }
  expect_distribution(counts, 50, 10, 0.01);  // rounding to whole tasks adds a variance of 1/12
  expect_distribution(seconds, 10, 2, 0.001);
  expect_distribution(memory, 3000, 600, 1);
  EXPECT_NEAR(deadlines / jobs, 0.25, 5 * std::sqrt(0.25 * 0.75 / jobs));
}

TEST(SyntheticSls, NormalSamplesAndChoicesByWeight) {
  std::vector<double> seconds;
  double ones = 0;
  constexpr int jobs = 4000;
  const std::string job_class = R"({"class_name":"c","class_weight":1,"tasks":[
      {"type":"map","count":{"discrete":["1",3],"weights":[3,1]},"time":{"val":100,"std":10,"dist":"NORM"}}]})";
  for (const Job& job : drawn(file_of(job_class, jobs)).jobs) {
    ones += job.maps.size() == 1 ? 1 : 0;
    EXPECT_TRUE(job.maps.size() == 1 || job.maps.size() == 3);
    for (const Duration map : job.maps) seconds.push_back(static_cast<double>(to_ms(map)) / 1000);
  }
  EXPECT_NEAR(ones / jobs, 0.75, 5 * std::sqrt(0.25 * 0.75 / jobs));
  expect_distribution(seconds, 100, 10, 0.001);
  const auto beyond = std::count_if(seconds.begin(), seconds.end(), [](double s) { return s < 90; });
  const auto n = static_cast<double>(seconds.size());
  EXPECT_NEAR(static_cast<double>(beyond) / n, 0.158655, 5 * std::sqrt(0.158655 * 0.841345 / n))
      << "of a normal distribution below one deviation";
}

TEST(SyntheticSls, BothFormsOfAClassAreTheSameWorkload) {
  EXPECT_EQ(lines(drawn(file_of(older, 20))), lines(drawn(file_of(newer, 20))));
  EXPECT_NE(lines(drawn(file_of(older, 20))), lines(drawn(file_of(older, 20, 3))));
  EXPECT_EQ(trace_format(file_of(older, 1)), WorkloadFormat::synth);
}

TEST(SyntheticSls, SubmissionsFollowTheBuckets) {
  const std::string file = R"({"num_jobs":3000,"rand_seed":-1,"workloads":[
      {"workload_weight":1,"job_classes":[{"class_name":"a","class_weight":0,"mtasks_avg":1},
       {"class_name":"b","class_weight":1,"mtasks_avg":1}],
       "time_distribution":[{"time":1,"weight":66},{"time":60,"weight":33},{"time":120,"jobs":0}]},
      {"workload_weight":0,"job_classes":[{"class_name":"c","mtasks_avg":1,"class_weight":1}],
       "time_distribution":[{"time":9,"weight":1}]}]})";
  const Workload workload = drawn(file);
  double first = 0;
  Time last{};
  for (const Job& job : workload.jobs) {
    EXPECT_EQ(job.name, "b") << "others have no weight";
    EXPECT_LE(last, job.submit);
    EXPECT_GE(job.submit, at_ms(1000));
    EXPECT_LT(job.submit, at_ms(120'000));
    first += job.submit < at_ms(60'000) ? 1 : 0;
    last = job.submit;
  }
  EXPECT_NEAR(first / 3000, 2.0 / 3, 5 * std::sqrt(2.0 / 9 / 3000));
}

TEST(SyntheticSls, WhatIsWrongIsNamedWithItsPlace) {
  const auto says = [](const std::string& file) -> std::string {
    try {
      (void)drawn(file);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto with_task = [&](const std::string& task) {
    return says(file_of(R"({"class_name":"c","class_weight":1,"tasks":[)" + task + "]}", 1));
  };
  EXPECT_THAT(says(R"({"num_jobs":1})"), HasSubstr("no 'workloads'"));
  EXPECT_THAT(says(file_of(older, 0)), HasSubstr("num_jobs: it is not above 0"));
  EXPECT_THAT(says(file_of(R"({"class_weight":1,"mtasks_avg":1})", 1)), HasSubstr("no 'class_name'"));
  EXPECT_THAT(says(file_of(R"({"class_name":"c","mtasks_avg":1})", 1)), HasSubstr("no weight is above 0"));
  EXPECT_THAT(with_task(R"({"type":"map","time":{"val":1}})"),
              HasSubstr("workloads[0].job_classes[0].tasks[0]: no 'count'"));
  EXPECT_THAT(with_task(R"({"type":"map","count":{"val":-1},"time":{"val":1}})"),
              HasSubstr("tasks[0].count.val: it is no number from 0"));
  EXPECT_THAT(with_task(R"({"type":"map","count":{"val":1,"std":1,"dist":"X"},"time":{"val":1}})"),
              HasSubstr("neither NORM nor LOGNORM"));
  EXPECT_THAT(with_task(R"({"type":"map","count":{"discrete":[1],"weights":[1,2]},"time":{"val":1}})"),
              HasSubstr("not one weight for each value"));
  EXPECT_THAT(with_task(R"({"type":"map","count":{"val":1e30},"time":{"val":1}})"), HasSubstr("more than"));
  EXPECT_THAT(with_task(R"({"type":"map","count":{"val":1},"time":{"val":1e30}})"),
              HasSubstr("a task of 1e+30 s was drawn"));
}

}  // namespace
}  // namespace wavewright
