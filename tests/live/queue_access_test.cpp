// A user is refused where YARN is sure to refuse them, and nowhere else. Answers are those of Hadoop 3.4.
#include "wavewright/live/yarn/queue_access.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/live/submission/account.h"
#include "wavewright/live/submission/program_name.h"

namespace wavewright {
namespace {

using Json = nlohmann::json;
using ::testing::StartsWith;

const Submitter joe{{}, {"PATH=/bin", "HADOOP_USER_NAME=joe"}};
const std::string refused =
    "user 'joe' may not submit to queue 'etl'; name a queue that joe may use, or ask for joe to be put into "
    "its acl_submit_applications; nothing was submitted";

class AccessToQueues : public ::testing::Test {
 protected:
  AccessToQueues() {
    settings_ = {{"yarn.acl.enable", "true"}};
    tell(Json::parse(R"({"type":"capacityScheduler","queueName":"root","queues":{"queue":[
      {"queueName":"adhoc"},{"queueName":"prod","queues":{"queue":[{"queueName":"etl"},{"queueName":"night"}]}},
      {"queueName":"test","queues":{"queue":[{"queueName":"night"}]}}]}})"));
    deny("etl", "joe");
  }

  void tell(const Json& scheduler) {
    answers_["/ws/v1/cluster/scheduler"]["scheduler"]["schedulerInfo"] = scheduler;
  }
  void set(const std::string& key, const std::string& value) { settings_[key] = value; }
  static std::string path(const std::string& queue, const std::string& user, const std::string& right) {
    return "/ws/v1/cluster/queues/" + queue + "/access?user=" + user + "&queue-acl-type=" + right;
  }
  void answer(const std::string& where, const Json& said) { answers_[where] = said; }
  // The user has neither right.
  void deny(const std::string& queue, const std::string& user) {
    for (const char* right : {"SUBMIT_APPLICATIONS", "ADMINISTER_QUEUE"})
      answer(path(queue, user, right), Json::parse(R"({"allowed":false,"user":"x","diagnostics":"no"})"));
  }

  // The problem and its remedy; empty if nothing is refused.
  std::string refusal(const std::string& queue, const Submitter& submitter = joe) {
    Json properties = Json::array();
    for (const auto& [key, value] : settings_) {
      Json property;
      property["key"] = key;
      property["value"] = value;
      properties.push_back(property);
    }
    Json conf;
    conf["properties"] = properties;
    answers_["/conf"] = conf_shown_ ? conf : Json(403);
    std::ofstream(file()) << answers_;
    QueueAccess access({server_.url()}, "");
    try {
      access.require(queue, submitter);
    } catch (const UsageError& error) {
      return error.what();
    }
    return {};
  }

  bool conf_shown_ = true;

 private:
  [[nodiscard]] std::string file() const { return (folder_.path() / "answers").string(); }

  TemporaryFolder folder_;
  tests::Server server_{std::vector<std::string>{"replay", file()}};
  Json answers_ = Json::object();
  std::map<std::string, std::string> settings_;
};

TEST_F(AccessToQueues, AUserWithoutBothRightsIsRefused) {
  EXPECT_EQ(refusal("etl"), refused);
  EXPECT_THAT(refusal("root.prod.etl"), StartsWith("user 'joe' may not submit to queue 'root.prod.etl'; "));
  EXPECT_NE(refusal("prod.etl"), "");
}

// YARN lets an administrator of the queue submit.
TEST_F(AccessToQueues, OneOfBothRightsIsEnough) {
  for (const char* right : {"SUBMIT_APPLICATIONS", "ADMINISTER_QUEUE"}) {
    deny("etl", "joe");
    answer(path("etl", "joe", right), Json::parse(R"({"allowed":true,"user":"joe","diagnostics":""})"));
    EXPECT_EQ(refusal("etl"), "") << right;
  }
}

TEST_F(AccessToQueues, ItIsAskedForTheUserWhoSubmits) {
  deny("etl", "ada");
  deny("etl", own_account());
  EXPECT_THAT(refusal("etl", {"ada", {}}), StartsWith("user 'ada' may not submit to queue 'etl'; "));
  EXPECT_EQ(refusal("etl", {{}, {"HADOOP_USER_NAME=bob"}}), "") << "of bob nothing is told";
  EXPECT_THAT(refusal("etl", {{}, {"HADOOP_USER_NAME=bob", "HADOOP_PROXY_USER=ada"}}),
              StartsWith("user 'ada' "));
  EXPECT_THAT(refusal("etl", {{}, {"HADOOP_USER_NAMES=bob"}}), StartsWith("user '" + own_account() + "' "));
}

TEST_F(AccessToQueues, OnlyAdministratorsOfAQueueMayAsk) {
  for (const char* right : {"SUBMIT_APPLICATIONS", "ADMINISTER_QUEUE"})
    answer(path("etl", "joe", right), 403);
  EXPECT_EQ(refusal("etl"), "") << "neither the user of web pages nor this one is an administrator";
  for (const char* right : {"SUBMIT_APPLICATIONS", "ADMINISTER_QUEUE"})
    answer(path("etl", "joe", right) + "&user.name=joe", Json::parse(R"({"allowed":false})"));
  EXPECT_EQ(refusal("etl"), refused) << "by his own name he may ask";
}

TEST_F(AccessToQueues, NothingIsRefusedByAServerThatDoesNotTell) {
  for (const Json& odd : {Json(404), Json(400), Json(500), Json("<html>log in</html>"), Json::object(),
                          Json::parse(R"({"allowed":7})")}) {
    answer(path("etl", "joe", "SUBMIT_APPLICATIONS"), odd);
    EXPECT_EQ(refusal("etl"), "") << odd;
  }
  deny("etl", "joe");
  answer(path("etl", "joe", "ADMINISTER_QUEUE"), 500);
  EXPECT_EQ(refusal("etl"), "") << "half an answer";
  deny("etl", "joe");
  ASSERT_EQ(refusal("etl"), refused);
  conf_shown_ = false;
  EXPECT_EQ(refusal("etl"), "") << "whether YARN looks at rights is not known";
}

TEST_F(AccessToQueues, NothingIsRefusedWhereYarnLooksAtNoRights) {
  set("yarn.acl.enable", "false");
  EXPECT_EQ(refusal("etl"), "");
}

TEST_F(AccessToQueues, NothingIsRefusedWhereAnotherQueueMayBeChosen) {
  for (const char* name : {"", "default", "root.default"}) {
    deny(name, "joe");
    EXPECT_EQ(refusal(name), "") << name;
  }
  deny("nowhere", "joe");
  EXPECT_EQ(refusal("nowhere"), "") << "it is not there yet";
  deny("night", "joe");
  EXPECT_EQ(refusal("night"), "") << "two queues have that name";
  set("yarn.scheduler.queue-placement-rules", "org.example.OwnPlacementRule");
  EXPECT_EQ(refusal("etl"), "");
  set("yarn.scheduler.queue-placement-rules", "user-group");
  EXPECT_EQ(refusal("etl"), refused);
  tell(Json::parse(
      R"({"type":"fairScheduler","rootQueue":{"queueName":"root","childQueues":{"queue":[{"queueName":"root.etl"}]}}})"));
  EXPECT_EQ(refusal("etl"), "");
}

// A Hadoop before 3.3 knows the last part of a path alone. Where two queues end alike only the path tells
// them apart.
TEST_F(AccessToQueues, AQueueIsAskedForByTheNameThatYarnKnows) {
  deny("prod", "joe");
  EXPECT_NE(refusal("root.prod"), "");
  EXPECT_EQ(refusal("root.prod.night"), "");
  deny("root.prod.night", "joe");
  EXPECT_NE(refusal("root.prod.night"), "");
  deny("root", "joe");
  EXPECT_NE(refusal("root"), "") << "the parent of a plan's pools";
}

// The ResourceManager names the user whose ticket it saw. Unless that is this account, nothing is known of
// the command's ticket.
TEST_F(AccessToQueues, WithKerberosTheUserMustBeKnown) {
  set("hadoop.security.authentication", "kerberos");
  const std::string own = own_account();
  for (const std::string& user : {own, std::string("ada"), std::string("dr.who")}) deny("etl", user);
  EXPECT_EQ(refusal("etl"), "") << "it does not tell who asks";
  const auto call = [](const std::string& user) {
    Json info;
    info["rmLoginUser"] = "yarn";
    info["requestedUser"] = user;
    return info;
  };
  answer("/ws/v1/cluster/userinfo", call("dr.who"));
  EXPECT_EQ(refusal("etl"), "");
  Json wrapped;
  wrapped["clusterUserInfo"] = call(own);
  for (const Json& told : {wrapped, call(own)}) {
    answer("/ws/v1/cluster/userinfo", told);
    EXPECT_NE(refusal("etl"), "") << told;
    EXPECT_EQ(refusal("etl", {"ada", {}}), "") << "another account has a ticket of its own";
  }
}

TEST(QueueAccess, IsToldInSeveralForms) {
  EXPECT_EQ(parse_queue_access(R"({"allowed":true,"user":"joe","diagnostics":""})", "rm"), true);
  EXPECT_EQ(parse_queue_access(R"({"allowed":"false","user":"joe"})", "rm"), false);
  EXPECT_EQ(parse_queue_access(R"({"rmQueueAclInfo":{"allowed":false}})", "rm"), false);
  EXPECT_EQ(parse_queue_access(R"({"allowed":"no"})", "rm"), std::nullopt);
  EXPECT_EQ(parse_queue_access("[]", "rm"), std::nullopt);
  EXPECT_THROW((void)parse_queue_access("<html>", "rm"), ExternalError);
}

TEST(EnvironmentOfProgram, IsThatOfAProcessOfThisAccountHere) {
  const auto own = environment_of_program(this_program());
  ASSERT_TRUE(own);
  const std::string path = std::string("PATH=") + std::getenv("PATH");
  EXPECT_NE(std::find(own->begin(), own->end(), path), own->end());
  EXPECT_FALSE(environment_of_program(this_program() + "0")) << "another process had that number";
  EXPECT_FALSE(environment_of_program("elsewhere/0123 1 1"));
  EXPECT_FALSE(environment_of_program(""));
}

}  // namespace
}  // namespace wavewright
