// The labels that people read for jobs.
#include "wavewright/job/job_labels.h"

#include <set>

#include "tests/property.h"

namespace wavewright {
namespace {

std::vector<Job> jobs_of(const std::vector<std::pair<std::string, std::string>>& ids_and_names) {
  std::vector<Job> jobs;
  for (const auto& [id, name] : ids_and_names) {
    Job& job = jobs.emplace_back();
    job.id = id;
    job.name = name;
  }
  return jobs;
}

TEST(JobLabelsTest, ANameAloneIsTheLabel) {
  const JobLabels labels(jobs_of({{"job_1_0001", "nightly-etl"}, {"job_1_0002", ""}}));
  EXPECT_EQ(labels[0], "nightly-etl");
  EXPECT_EQ(labels[1], "job_1_0002");
}

TEST(JobLabelsTest, JobsOfOneNameAreToldApartByTheEndsOfTheirIds) {
  const JobLabels labels(jobs_of({{"job_202611200948_0003", "word count"},
                                  {"job_202611200948_0012", "word count"},
                                  {"job_202611200948_0013", "sorter"}}));
  EXPECT_EQ(labels[0], "word count (0003)");
  EXPECT_EQ(labels[1], "word count (0012)");
  EXPECT_EQ(labels[2], "sorter");
}

TEST(JobLabelsTest, OfSeveralClustersTheLabelHasWhatDiffers) {
  const JobLabels labels(jobs_of({{"job_1_0001", "a"}, {"job_2_0001", "a"}, {"x", "b"}, {"x-2", "b"}}));
  EXPECT_EQ(labels[0], "a (1_0001)");
  EXPECT_EQ(labels[1], "a (2_0001)");
  EXPECT_EQ(labels[2], "b (x)");
  EXPECT_EQ(labels[3], "b (x-2)");
}

TEST(JobLabelsTest, OnDemandTheLabelIsTheId) {
  const JobLabels labels(jobs_of({{"J1", "etl"}}), true);
  EXPECT_EQ(labels[0], "J1");
}

TEST(JobLabelsTest, NoTwoJobsOfOneNameHaveOneLabel) {
  holds_always([] {
    const auto ids = *rc::gen::unique<std::vector<std::string>>(
        rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(std::string("a1_-")))));
    std::vector<std::pair<std::string, std::string>> all;
    for (const std::string& id : ids) all.emplace_back(id, *rc::gen::element<std::string>("etl", "report"));
    const std::vector<Job> jobs = jobs_of(all);
    const JobLabels labels(jobs);
    std::set<std::string> seen;
    for (std::size_t job = 0; job < jobs.size(); ++job) RC_ASSERT(seen.insert(labels[job]).second);
  });
}

}  // namespace
}  // namespace wavewright
