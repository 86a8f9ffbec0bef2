// A name of a queue is refused where YARN is sure to refuse it, and nowhere else.
#include "wavewright/live/yarn/queue_names.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using Json = nlohmann::json;

class QueuesOfYarn : public ::testing::Test {
 protected:
  QueuesOfYarn() { settings_["properties"] = Json::array(); }

  // As Hadoop 3.4's Capacity scheduler tells its queues: adhoc, prod.etl and prod.night.
  static Json capacity() {
    return Json::parse(R"({"type":"capacityScheduler","queueName":"root","autoCreationEligibility":"off",
      "queues":{"queue":[
        {"queueName":"adhoc","autoCreateChildQueueEnabled":false,"autoCreationEligibility":"off"},
        {"queueName":"prod","autoCreateChildQueueEnabled":false,"autoCreationEligibility":"off",
         "queues":{"queue":[
          {"queueName":"etl","autoCreateChildQueueEnabled":false},{"queueName":"night"}]}}]}})");
  }
  void tell(const Json& scheduler) {
    Json told;
    told["scheduler"]["schedulerInfo"] = scheduler;
    answers_["/ws/v1/cluster/scheduler"] = told;
    answers_["/conf"] = settings_;
    write();
  }
  void set(const std::string& key, const std::string& value) {
    Json property;
    property["key"] = key;
    property["value"] = value;
    settings_["properties"].push_back(property);
  }
  void answer(const std::string& path, const Json& said) {
    answers_[path] = said;
    write();
  }

  // Empty if the name is taken.
  static std::string refusal(QueueNames& names, const std::string& name) {
    try {
      names.require(name);
    } catch (const UsageError& error) {
      return error.what();
    }
    return {};
  }
  std::string refusal(const std::string& name) {
    const WebServer resource_manager(server_.url(), "");
    QueueNames names(resource_manager);
    return refusal(names, name);
  }
  [[nodiscard]] std::string url() const { return server_.url(); }

 private:
  [[nodiscard]] std::string file() const { return (folder_.path() / "answers").string(); }
  void write() const { std::ofstream(file()) << answers_; }

  TemporaryFolder folder_;
  tests::Server server_{std::vector<std::string>{"replay", file()}};
  Json answers_, settings_;
};

TEST_F(QueuesOfYarn, AreNamedByTheirPathOrItsEnd) {
  tell(capacity());
  for (const char* name : {"adhoc", "root.adhoc", "etl", "prod.etl", "root.prod.etl"})
    EXPECT_EQ(refusal(name), "") << name;
  EXPECT_EQ(refusal("elt"), "the cluster has no queue 'elt'; did you mean 'etl'?");
  EXPECT_EQ(refusal("root.prod.elt"), "the cluster has no queue 'root.prod.elt'; did you mean 'prod.etl'?");
  EXPECT_EQ(refusal("weekly"), "the cluster has no queue 'weekly'; one of: adhoc prod prod.etl prod.night");
  for (const char* name : {"root.etl", "adhoc.etl", "tl"}) EXPECT_NE(refusal(name), "") << name;
}

TEST_F(QueuesOfYarn, WithOthersBelowThemTakeNoJobs) {
  const std::string ones = " has queues below it, and takes no jobs itself; name one of them: ";
  tell(capacity());
  EXPECT_EQ(refusal("prod"), "queue 'prod'" + ones + "prod.etl prod.night");
  EXPECT_EQ(refusal("root.prod"), "queue 'root.prod'" + ones + "prod.etl prod.night");
  EXPECT_EQ(refusal("root"), "queue 'root'" + ones + "adhoc prod prod.etl prod.night");
  Json making = capacity();
  making["queues"]["queue"][1]["autoCreateChildQueueEnabled"] = true;
  tell(making);
  EXPECT_EQ(refusal("prod"), "") << "it may make one for the job";
  EXPECT_EQ(refusal("root"), "");
}

TEST_F(QueuesOfYarn, ThatAreStoppedTakeNoJobs) {
  const auto told = [&](const std::string& queue, const std::string& parent) {
    Json scheduler = capacity();
    Json& prod = scheduler["queues"]["queue"][1];
    prod["state"] = parent;
    prod["queues"]["queue"][0]["state"] = queue;
    tell(scheduler);
  };
  told("RUNNING", "RUNNING");
  for (const char* name : {"etl", "night", "adhoc"}) EXPECT_EQ(refusal(name), "") << name;
  for (const char* state : {"STOPPED", "DRAINING"}) {
    told(state, "RUNNING");
    EXPECT_EQ(
        refusal("etl"),
        "queue 'etl' is stopped, and takes no jobs now; name another, or ask its administrator to start it")
        << state;
    EXPECT_NE(refusal("root.prod.etl"), "") << state;
    EXPECT_EQ(refusal("night"), "") << state;
    told("RUNNING", state);
    EXPECT_NE(refusal("night"), "") << "the one above is " << state;
    EXPECT_EQ(refusal("adhoc"), "") << state;
  }
  set("yarn.scheduler.capacity.queue-mappings-override.enable", "true");
  told("STOPPED", "RUNNING");
  EXPECT_EQ(refusal("etl"), "") << "mappings may choose another";
}

TEST_F(QueuesOfYarn, OfOneNameAreToldApartByTheirPath) {
  Json scheduler = capacity();
  scheduler["queues"]["queue"][0] =
      Json::parse(R"({"queueName":"test","queues":{"queue":[{"queueName":"night"}]}})");
  scheduler["queues"]["queue"].push_back(Json::parse(R"({"queueName":"etl"})"));
  tell(scheduler);
  EXPECT_EQ(refusal("night"),
            "several queues are named 'night'; name one by its whole path: root.test.night root.prod.night");
  for (const char* name : {"prod.night", "root.test.night", "root.etl", "root.prod.etl"})
    EXPECT_EQ(refusal(name), "") << name;
  EXPECT_EQ(refusal("etl"),
            "several queues are named 'etl'; name one by its whole path: root.prod.etl root.etl");
  EXPECT_NE(refusal("root.night"), "") << "there is none below root";
}

// The Fair scheduler's placement rules, which are not shown, may choose a queue below the one that is named.
TEST_F(QueuesOfYarn, OfTheFairSchedulerWithOthersBelowAreDoubtful) {
  const WebServer resource_manager(url(), "");
  Json fair;
  fair["type"] = "fairScheduler";
  fair["rootQueue"] = Json::parse(R"({"queueName":"root","childQueues":{"queue":[{"queueName":"root.adhoc"},
    {"queueName":"root.prod","childQueues":{"queue":[{"queueName":"root.prod.etl"}]}}]}})");
  tell(fair);
  QueueNames names(resource_manager);
  EXPECT_EQ(refusal(names, "prod"), "");
  EXPECT_EQ(
      names.doubt("root.prod"),
      "queue 'root.prod' has queues below it (prod.etl): the Fair scheduler takes no jobs there, unless "
      "its placement rules choose one of these");
  for (const char* name : {"etl", "adhoc", "new", "default", ""}) EXPECT_EQ(names.doubt(name), "") << name;
  tell(capacity());
  EXPECT_EQ(QueueNames(resource_manager).doubt("prod"), "") << "that is refused";
  answer("/ws/v1/cluster/scheduler", 500);
  EXPECT_EQ(QueueNames(resource_manager).doubt("prod"), "");
}

// YARN's own name for the queue of a job that names none: placement rules may choose another.
TEST_F(QueuesOfYarn, DefaultIsTakenWhereThereIsNone) {
  tell(capacity());
  for (const char* name : {"", "default", "root.default"}) EXPECT_EQ(refusal(name), "") << name;
}

TEST_F(QueuesOfYarn, AreNotRefusedWhereTheyMayBeMade) {
  Json by_template = capacity(), below_root = capacity(), legacy = capacity();
  by_template["queues"]["queue"][1]["autoCreateChildQueueEnabled"] = true;
  below_root["autoCreationEligibility"] = "flexible";
  legacy["queues"]["queue"][1]["autoCreationEligibility"] = "legacy";
  for (const Json& scheduler : {by_template, below_root, legacy}) {
    tell(scheduler);
    EXPECT_EQ(refusal("prod.elt"), "") << scheduler;
  }
  const Json root = Json::parse(R"({"queueName":"root","childQueues":{"queue":[{"queueName":"root.etl"}]}})");
  Json fair, fifo, none = capacity();
  fair["type"] = "fairScheduler";
  fair["rootQueue"] = root;
  fifo["type"] = "fifoScheduler";
  none["queues"] = nullptr;
  for (const Json& scheduler : {fair, fifo, none}) {
    tell(scheduler);
    EXPECT_EQ(refusal("elt"), "") << scheduler;
  }
}

TEST_F(QueuesOfYarn, AreNotRefusedWherePlacementRulesMayChooseOthers) {
  set("yarn.scheduler.queue-placement-rules", "user-group, app-name");
  tell(capacity());
  EXPECT_NE(refusal("elt"), "") << "both leave a job alone that names a queue";
  set("yarn.scheduler.queue-placement-rules", "org.example.OwnPlacementRule");
  tell(capacity());
  EXPECT_EQ(refusal("elt"), "");
  set("yarn.scheduler.queue-placement-rules", "");
  set("yarn.scheduler.capacity.queue-mappings-override.enable", "true");
  tell(capacity());
  EXPECT_EQ(refusal("elt"), "");
}

TEST_F(QueuesOfYarn, AreNotRefusedByAServerThatDoesNotTellThem) {
  tell(capacity());
  ASSERT_NE(refusal("elt"), "");
  for (const Json& odd :
       {Json(500), Json(404), Json("<html>log in</html>"), Json(R"({"scheduler":)"), Json::object()}) {
    answer("/ws/v1/cluster/scheduler", odd);
    EXPECT_EQ(refusal("elt"), "") << odd;
  }
  tell(capacity());
  answer("/conf", 403);
  EXPECT_EQ(refusal("elt"), "") << "its placement rules are not known";
}

TEST_F(QueuesOfYarn, AreAskedForAgainWhenANameIsNew) {
  tell(capacity());
  const WebServer resource_manager(url(), "");
  QueueNames names(resource_manager);
  EXPECT_EQ(refusal(names, "etl"), "");
  EXPECT_NE(refusal(names, "weekly"), "");
  Json more = capacity();
  more["queues"]["queue"][0]["queueName"] = "weekly";
  tell(more);
  EXPECT_EQ(refusal(names, "weekly"), "");
  EXPECT_NE(refusal(names, "adhoc"), "") << "the queue is gone";
}

// One that gives no answer is not asked again for each job of a batch.
TEST_F(QueuesOfYarn, AfterNoAnswerItRests) {
  const WebServer resource_manager(url(), "");
  QueueNames names(resource_manager);
  answer("/ws/v1/cluster/scheduler", 500);
  EXPECT_EQ(refusal(names, "nowhere"), "");
  tell(capacity());
  EXPECT_EQ(refusal(names, "nowhere"), "");
  EXPECT_NE(refusal("nowhere"), "");
}

}  // namespace
}  // namespace wavewright
