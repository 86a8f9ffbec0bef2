// Settings that make runs comparable: from whichever Hadoop, under one name; from whatever bytes, in no time.
#include "wavewright/history/settings.h"

#include <filesystem>
#include <fstream>

#include "tests/history/samples.h"
#include "tests/paths.h"

namespace wavewright {
namespace {

std::string property(const std::string& name, const std::string& value) {
  return "<property><name>" + name + "</name><value>" + value +
         "</value><source>job.xml</source></property>\n";
}
std::string conf(const std::string& inner) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?><configuration>\n" + inner +
         "</configuration>";
}

TEST(Settings, DeprecatedNamesBecomePresentOnes) {
  const Settings settings = settings_of_xml(
      conf(property("mapred.reduce.tasks", "7") + property("io.sort.mb", "100") +
           property("mapred.jar", "hdfs://nn/tmp/job_1_0001/job.jar") + property("dfs.anything", "x") +
           property("mapred.mapper.class", "a.B$C &amp; &lt;D&gt;")));
  const Settings expected = {{"mapreduce.job.reduces", "7"},
                             {"mapreduce.task.io.sort.mb", "100"},
                             {"mapreduce.job.jar", "job.jar"},
                             {"mapred.mapper.class", "a.B$C & <D>"}};
  EXPECT_EQ(settings, expected);
}

TEST(Settings, ThePresentNameWinsInEitherOrder) {
  const std::string old_name = property("mapred.reduce.tasks", "1");
  const std::string new_name = property("mapreduce.job.reduces", "2");
  EXPECT_EQ(settings_of_xml(conf(old_name + new_name)).at("mapreduce.job.reduces"), "2");
  EXPECT_EQ(settings_of_xml(conf(new_name + old_name)).at("mapreduce.job.reduces"), "2");
}

TEST(Settings, XmlAndRestTellTheSame) {
  EXPECT_EQ(settings_of_rest(R"({"conf": {"path": "x", "property": [
              {"name": "mapred.reduce.tasks", "value": "7", "source": ["job.xml"]},
              {"name": "other", "value": "1"}, {"value": "2"}, 3, {"name": "io.sort.mb", "value": 9}]}})"),
            settings_of_xml(conf(property("mapred.reduce.tasks", "7"))));
}

TEST(Settings, HostileXmlIsBoundedAndTheRestRead) {
  const std::string good = property("mapreduce.job.reduces", "2");
  const std::string bomb =
      "<!DOCTYPE c [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>" +
      conf(property("mapred.mapper.class", "&b;&b;&b;") + good);
  EXPECT_EQ(settings_of_xml(bomb).at("mapreduce.job.reduces"), "2");
  EXPECT_LT(settings_of_xml(bomb).at("mapred.mapper.class").size(), 100U);
  std::string deep;
  for (int i = 0; i < 1'000'000; ++i) deep += "<a>";
  EXPECT_EQ(settings_of_xml(deep + conf(good)).size(), 1U);
  EXPECT_EQ(settings_of_xml(conf(property("mapred.mapper.class", deep) + good)).size(), 1U);
  EXPECT_EQ(settings_of_xml(conf(property("mapred.mapper.class", std::string(5000, 'x')) + good)).size(), 1U);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += property("mapred.mapper.class", deep.substr(0, 7500));
  EXPECT_EQ(settings_of_xml(conf(good + many)).size(), 1U);
  const std::string damaged = "<property><name>mapred.jar</name><value <</property>";
  EXPECT_EQ(settings_of_xml(conf(damaged + good)).at("mapreduce.job.reduces"), "2");
  EXPECT_TRUE(settings_of_xml("").empty());
  EXPECT_TRUE(settings_of_xml("<property>").empty());
  EXPECT_TRUE(settings_of_xml("<property><name>mapreduce.job.reduces</property>").empty());
  EXPECT_TRUE(settings_of_rest("{\"conf\": 1e999}").empty());
}

TEST(Settings, RealHistoriesHaveThoseBesideThem) {
  std::size_t with = 0;
  read_history_path(wavewright::source_dir() + "/examples/histories", [&](FileHistory&& file) {
    for (const JobRun& run : file.runs) {
      ++with;
      ASSERT_TRUE(run.settings.contains("mapreduce.job.reduces")) << file.name;
      EXPECT_TRUE(run.settings.contains("mapreduce.job.queuename")) << file.name;
      EXPECT_TRUE(run.settings.contains("mapreduce.task.io.sort.mb")) << file.name;
      if (run.state == RunState::succeeded) {
        EXPECT_EQ(run.settings.at("mapreduce.job.reduces"), std::to_string(run.total_reduces)) << file.name;
      }
    }
  });
  EXPECT_GT(with, 50U);
}

TEST(Settings, StandUnderTheNamesThatHadoopGave) {
  EXPECT_EQ(names_of_settings("jt_1700000000000_job_1_0001_ada_word+count", "job_1_0001"),
            (std::vector<std::string>{"job_1_0001_conf.xml", "jt_1700000000000_job_1_0001_conf.xml",
                                      "job_1_0001_conf.xml.gz", "jt_1700000000000_job_1_0001_conf.xml.gz"}));
}

}  // namespace
}  // namespace wavewright
