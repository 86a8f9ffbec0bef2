// Jobs that the ResourceManager has forgotten are found at the JobHistory server by the tags of their
// configurations. Answers are as Hadoop 3.4.2's, shortened.
#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/live/yarn/yarn_driver.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

const std::string jobs_path = "/ws/v1/history/mapreduce/jobs";
// Clocks may be an hour apart.
const Time since = at_ms(10'000'000);
const std::string list_path = jobs_path + "?startedTimeBegin=6400000";

class HistoryByTag : public ::testing::Test {
 protected:
  // A job that ran for two seconds; its submission comes `at` ms after the epoch.
  void add_job(const std::string& id, const std::string& state, std::int64_t at, const std::string& tags) {
    Json job;
    job["id"] = id;
    job["state"] = state;
    job["submitTime"] = at;
    job["startTime"] = at + 100;
    job["finishTime"] = at + 2'100;
    job["diagnostics"] = "";
    listed_.push_back(job);
    answers_[list_path]["jobs"]["job"] = listed_;
    answers_[path_of(id)]["job"] = job;
    answers_[path_of(id) + "/conf"]["conf"]["property"] = {property("mapreduce.job.name", "etl"),
                                                           property("mapreduce.job.tags", tags)};
  }
  static std::string path_of(const std::string& id) { return jobs_path + "/" + id; }
  // A text instead of an answer, or a status.
  void break_answer(const std::string& path, const Json& with) { answers_[path] = with; }

  [[nodiscard]] std::vector<Application> ended_with(const std::string& tag) const {
    std::ofstream(file()) << answers_;
    const WebServer resource_manager("http://127.0.0.1:1", ""), history_server(server_.url(), "");
    YarnDriver cluster(resource_manager, &history_server,
                       ClientProcesses(std::vector<std::string>{"supervisor"}), {}, {.wait = ms(60'000)});
    return cluster.ended_with(tag, since);
  }
  // The error's text, without the address of the test's server.
  [[nodiscard]] std::string failure(const std::string& tag) const {
    try {
      (void)ended_with(tag);
    } catch (const ExternalError& error) {
      EXPECT_FALSE(error.remedy().empty()) << error.what();
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with(server_.url())) << text;
      return text.substr(std::min(server_.url().size(), text.size()));
    }
    return "no failure";
  }
  // Is it told as a fault of one job, and not of the whole server?
  [[nodiscard]] bool is_of_one_job(const std::string& tag) const {
    try {
      (void)ended_with(tag);
      ADD_FAILURE() << "no failure";
    } catch (const HistoryUnread&) {
      return true;
    } catch (const ExternalError&) {  // of the whole server
    }
    return false;
  }

 private:
  static Json property(const std::string& name, const std::string& value) {
    Json made;
    made["name"] = name;
    made["value"] = value;
    return made;
  }
  [[nodiscard]] std::string file() const { return (folder_.path() / "answers").string(); }

  TemporaryFolder folder_;
  tests::Server server_{std::vector<std::string>{"replay", file()}};
  Json answers_ = Json::object(), listed_ = Json::array();
};

TEST_F(HistoryByTag, JobsOfTheTagAreFoundInTheOrderOfTheirSubmission) {
  add_job("job_1700000000000_0001", "KILLED", 9'500'000, "wavewright-night-1,wavewright-night-1-etl");
  add_job("job_1700000000000_0002", "SUCCEEDED", 9'000'000, "wavewright-night-1-etl");
  add_job("job_1700000000000_0003", "SUCCEEDED", 9'100'000, "wavewright-night-1,wavewright-night-1-etl2");
  add_job("job_1700000000000_0004", "FAILED", 9'200'000, "");
  const std::vector<Application> found = ended_with("wavewright-night-1-etl");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].id, "application_1700000000000_0002");
  EXPECT_EQ(found[0].state, ApplicationState::succeeded);
  EXPECT_EQ(found[0].accepted_at, at_ms(9'000'000));
  EXPECT_EQ(found[0].started_at, at_ms(9'000'100));
  EXPECT_EQ(found[0].ended_at, at_ms(9'002'100));
  EXPECT_THAT(found[0].tags, ElementsAre("wavewright-night-1-etl"));
  EXPECT_EQ(found[1].id, "application_1700000000000_0001");
  EXPECT_EQ(found[1].state, ApplicationState::killed);
  EXPECT_THAT(found[1].tags, ElementsAre("wavewright-night-1", "wavewright-night-1-etl"));
  EXPECT_EQ(ended_with("wavewright-night-1").size(), 2U) << "the tag of the batch";
  EXPECT_THAT(ended_with("wavewright-night-1-et"), IsEmpty()) << "a part of a tag is another tag";
}

TEST_F(HistoryByTag, AServerWithoutJobsKnowsNone) {
  break_answer(list_path, Json::parse(R"({"jobs":null})"));
  EXPECT_THAT(ended_with("t"), IsEmpty());
  const WebServer resource_manager("http://127.0.0.1:1", "");
  YarnDriver alone(resource_manager, nullptr, ClientProcesses(std::vector<std::string>{"supervisor"}));
  EXPECT_THAT(alone.ended_with("t", since), IsEmpty());
}

// One job's configuration may be gone, or be another user's: no reason to know nothing of the others.
TEST_F(HistoryByTag, AJobWhoseConfigurationCannotBeReadIsPassedOver) {
  int number = 0;
  for (const Json& odd : {Json(404), Json(401), Json(403), Json::object()}) {
    const std::string id = "job_1_000" + std::to_string(++number);
    add_job(id, "SUCCEEDED", 9'000'000, "t");
    break_answer(path_of(id) + "/conf", odd);
  }
  add_job("job_1_0008", "SUCCEEDED", 9'000'000, "t");
  break_answer(path_of("job_1_0008"), 404);  // removed meanwhile
  add_job("job_1_0009", "SUCCEEDED", 9'000'000, "t");
  const std::vector<Application> found = ended_with("t");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, "application_1_0009");
}

// It may have the tag: to pass it over would be to take a part of the job's applications for all.
TEST_F(HistoryByTag, AJobWhoseConfigurationTheServerCannotLoadIsNotKnownNow) {
  add_job("job_1_0001", "FAILED", 9'000'000, "t");
  add_job("job_1_0002", "SUCCEEDED", 9'100'000, "t");
  for (const Json& odd : {Json(500), Json(503), Json("<html>log in</html>")}) {
    break_answer(path_of("job_1_0002") + "/conf", odd);
    EXPECT_THAT(failure("t"), HasSubstr(path_of("job_1_0002") + "/conf: answers"));
    try {
      (void)ended_with("t");
    } catch (const HistoryUnread& error) {
      ASSERT_EQ(error.found().size(), 1U);
      EXPECT_EQ(error.found()[0].id, "application_1_0001");
    }
  }
}

// A list that is no answer is not one without the job: that would be submitted again.
TEST_F(HistoryByTag, AServerThatGivesNoAnswerIsAnError) {
  const std::string id = "job_1_0001", damaged = R"({"jobs":{"job":[{"id":"job_1_0001")";
  add_job(id, "SUCCEEDED", 9'000'000, "t");
  ASSERT_EQ(ended_with("t").size(), 1U);
  const std::string at = jobs_path + ": ";
  break_answer(list_path, 500);
  EXPECT_THAT(failure("t"), HasSubstr(at + "answers 500"));
  EXPECT_FALSE(is_of_one_job("t"));
  break_answer(list_path, damaged);
  EXPECT_THAT(failure("t"), HasSubstr(at + "not JSON that can be read"));
  break_answer(list_path, "<html>log in</html>");
  EXPECT_THAT(failure("t"), HasSubstr(at + "answers with a page"));
  break_answer(list_path, R"({"jobs":7})");
  EXPECT_THAT(failure("t"), HasSubstr(at + "the answer is no list of jobs"));
  EXPECT_FALSE(is_of_one_job("t"));
}

// A proxy before it answers so to each question: that is no fault of one job.
TEST_F(HistoryByTag, AServerThatFailsOnTheQuestionAboutItselfIsAway) {
  const std::string id = "job_1_0001", about_itself = "/ws/v1/history/info";
  add_job(id, "SUCCEEDED", 9'000'000, "t");
  break_answer(path_of(id), 502);
  EXPECT_TRUE(is_of_one_job("t"));
  break_answer(about_itself, 502);
  EXPECT_FALSE(is_of_one_job("t"));
  EXPECT_THAT(failure("t"), HasSubstr(about_itself + ": answers 502"));
}

TEST_F(HistoryByTag, AnAnswerAboutAJobThatIsDamagedIsAnError) {
  const std::string id = "job_1_0001", damaged = R"({"conf":{"property":[)";
  add_job(id, "SUCCEEDED", 9'000'000, "t");
  break_answer(path_of(id), 500);
  EXPECT_THAT(failure("t"), HasSubstr(path_of(id) + ": answers 500"));
  EXPECT_TRUE(is_of_one_job("t"));
  break_answer(path_of(id), 401);  // a ticket has expired, say
  EXPECT_THAT(failure("t"), HasSubstr(path_of(id) + ": "));
  EXPECT_FALSE(is_of_one_job("t"));
  break_answer(path_of(id), damaged);
  EXPECT_THAT(failure("t"), HasSubstr(path_of(id) + ": does not answer with JSON"));
  EXPECT_TRUE(is_of_one_job("t"));
  break_answer(path_of(id) + "/conf", damaged);
  EXPECT_THAT(failure("t"), HasSubstr(path_of(id) + "/conf: does not answer with JSON"));
  EXPECT_TRUE(is_of_one_job("t"));
}

}  // namespace
}  // namespace wavewright
