// Settings: where they come from, which one wins, and what `config` says and writes.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

class SettingsTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("night.jsonl",
          "{\"id\":\"J1\",\"name\":\"etl\",\"map_ms\":[1000,1000],\"reduce_ms\":[1000]}\n"
          "{\"id\":\"J2\",\"name\":\"report\",\"map_ms\":[1000,1000],\"reduce_ms\":[1000]}\n");
  }
  [[nodiscard]] Json setting(const std::string& name) const {
    const CommandResult shown = run("config --json");
    EXPECT_EQ(shown.status, 0) << shown.err;
    const Json document = Json::parse(shown.out);
    for (const Json& each : document.at("settings")) {
      if (each.at("name") == name) return each;
    }
    ADD_FAILURE() << "no setting " << name;
    return {};
  }
};

TEST_F(SettingsTest, SystemUserProjectEnvironmentAndFlagWinInThisOrder) {
  EXPECT_TRUE(setting("policy").at("value").is_null());
  write("system.toml", "policy = \"fifo\"\n");
  EXPECT_EQ(setting("policy").at("from"), "system file");
  write("settings/wavewright/config.toml", "# mine\npolicy = \"fair\"\n");
  EXPECT_EQ(setting("policy").at("from"), "user file");
  EXPECT_THAT(setting("policy").at("place").get<std::string>(), HasSubstr("config.toml:2"));
  write(".wavewright.toml", "policy = \"srpt\"\n");
  EXPECT_EQ(setting("policy").at("value"), "srpt");
  EXPECT_EQ(setting("policy").at("from"), "project file");
  ::setenv("WAVEWRIGHT_POLICY", "capacity", 1);
  const Json from_environment = setting("policy");
  ::unsetenv("WAVEWRIGHT_POLICY");
  EXPECT_EQ(from_environment.at("value"), "capacity");
  EXPECT_EQ(from_environment.at("from"), "environment");

  const std::string slots = "simulate night.jsonl --map-slots 2 --reduce-slots 1";
  write(".wavewright.toml", "policy = \"fair\"\n");
  EXPECT_THAT(run(slots).out, HasSubstr("under fair"));
  EXPECT_THAT(run(slots + " --policy fifo").out, HasSubstr("under fifo"));
}

TEST_F(SettingsTest, ASettingIsWrittenWhileAnotherFileIsBroken) {
  write("settings/wavewright/config.toml", "map_slots = \"many\"\n");
  EXPECT_NE(run("simulate night.jsonl").status, 0);
  const CommandResult set = run("config set --project policy fair");
  EXPECT_EQ(set.status, 0) << set.err;
  EXPECT_THAT(set.err, HasSubstr("config.toml"));
  EXPECT_THAT(read(".wavewright.toml"), HasSubstr("fair"));
  const CommandResult unset = run("config unset map_slots");
  EXPECT_EQ(unset.status, 0) << unset.err;
  EXPECT_EQ(setting("policy").at("value"), "fair");
}

TEST_F(SettingsTest, TheProjectFileIsFoundFromAFolderBelow) {
  write(".wavewright.toml", "cluster = \"here.toml\"\nstore = \"sqlite:project.db\"\n");
  std::filesystem::create_directories(folder_ / "below/there");
  const std::filesystem::path above = folder_;
  folder_ /= "below/there";
  const CommandResult cluster = run("config get cluster");
  const Json store = setting("store");
  folder_ = above;
  EXPECT_EQ(cluster.out, (above / "here.toml").string() + "\n");
  EXPECT_EQ(store.at("from"), "environment");  // the tests' own
}

TEST_F(SettingsTest, SlotsOfASettingStandInAndFlagsGoBeforeThem) {
  write(".wavewright.toml", "map_slots = 2\nreduce_slots = 1\n");
  EXPECT_THAT(run("simulate night.jsonl").out, HasSubstr("on 2 map and 1 reduce slots"));
  EXPECT_THAT(run("simulate night.jsonl --map-slots 4").out, HasSubstr("on 4 map and 1 reduce slots"));
  // A cluster file of the command line is the whole pool.
  write("cluster.toml", "[[nodes]]\ncount = 1\nmap_slots = 3\nreduce_slots = 3\n");
  const CommandResult flag = run("simulate night.jsonl --cluster cluster.toml");
  EXPECT_THAT(flag.out, HasSubstr("on 3 map and 3 reduce slots")) << flag.err;
  // Likewise one that a nearer setting names.
  ::setenv("WAVEWRIGHT_CLUSTER", "cluster.toml", 1);
  const CommandResult nearer = run("simulate night.jsonl");
  ::unsetenv("WAVEWRIGHT_CLUSTER");
  EXPECT_THAT(nearer.out, HasSubstr("on 3 map and 3 reduce slots")) << nearer.err;
}

TEST_F(SettingsTest, ACommandThatAsksForSlotsIsNotAnsweredByASetting) {
  write(".wavewright.toml", "map_slots = 20\nreduce_slots = 10\n");
  const CommandResult fewest = run("plan night.jsonl --deadline 1h");
  EXPECT_THAT(fewest.out, HasSubstr("2 slots (1 map + 1 reduce)")) << fewest.err;
}

TEST_F(SettingsTest, AnOptionThatExcludesTheSettingGoesBeforeIt) {
  ASSERT_EQ(run("plan night.jsonl --map-slots 2 --reduce-slots 1 --method johnson --out p.json").status, 0);
  write(".wavewright.toml", "policy = \"fair\"\n");
  const CommandResult planned = run("simulate night.jsonl --map-slots 2 --reduce-slots 1 --plan p.json");
  EXPECT_EQ(planned.status, 0) << planned.err;
  EXPECT_THAT(planned.out, HasSubstr("under plan"));
}

TEST_F(SettingsTest, SetAndUnsetChangeOneLine) {
  EXPECT_EQ(run("config set policy 'fair(within=fifo)'").status, 0);
  EXPECT_EQ(read("settings/wavewright/config.toml"), "policy = \"fair(within=fifo)\"\n");
  write("settings/wavewright/config.toml", "# first\npolicy = \"fifo\"  # old\nmap_slots = 4\n");
  EXPECT_EQ(run("config set policy fair").status, 0);
  EXPECT_EQ(read("settings/wavewright/config.toml"), "# first\npolicy = \"fair\"\nmap_slots = 4\n");
  EXPECT_EQ(run("config unset policy").status, 0);
  EXPECT_EQ(read("settings/wavewright/config.toml"), "# first\nmap_slots = 4\n");
  EXPECT_EQ(run("config set map_slots 08").status, 0);
  EXPECT_EQ(read("settings/wavewright/config.toml"), "# first\nmap_slots = 8\n");
  // A path is meant from here.
  EXPECT_EQ(run("config set cluster c.toml --project").status, 0);
  EXPECT_EQ(read(".wavewright.toml"), "cluster = \"c.toml\"\n");
  EXPECT_EQ(run("config set cluster c.toml").status, 0);
  EXPECT_THAT(read("settings/wavewright/config.toml"),
              HasSubstr("\"" + (folder_ / "c.toml").string() + "\""));
  // It says which one wins.
  EXPECT_THAT(run("config set cluster d.toml").err, HasSubstr("project file"));
}

TEST_F(SettingsTest, WhatCannotBeUsedIsOneClearLine) {
  write(".wavewright.toml", "policy = \"fair\"\nmap_slot = 4\n");
  const CommandResult unknown = run("jobs");
  EXPECT_EQ(unknown.status, 3);
  EXPECT_THAT(unknown.err, HasSubstr(".wavewright.toml:2"));
  EXPECT_THAT(unknown.err, HasSubstr("map_slots"));
  EXPECT_EQ(lines_of(unknown.err), 1u);
  // What shows and mends settings, and what needs none, runs.
  EXPECT_EQ(run("version").status, 0);
  EXPECT_EQ(run("help plan").status, 0);
  for (const char* const bad :
       {"map_slots = \"4\"\n", "map_slots = -1\n", "confidence = 100\n", "confidence = 2\n", "policy = 3\n",
        "time_zone = \"Mars/Olympus\"\n", "policy\n", "store = \"oracle:x\"\n"}) {
    write(".wavewright.toml", bad);
    const CommandResult refused = run("jobs");
    EXPECT_EQ(refused.status, 3) << bad;
    EXPECT_THAT(refused.err, HasSubstr(".wavewright.toml:1")) << bad;
    EXPECT_EQ(lines_of(refused.err), 1u) << refused.err;
  }
  write(".wavewright.toml", "");
  EXPECT_EQ(run("config set map_slots many").status, 2);
  EXPECT_EQ(run("config set polici fair").status, 2);
  EXPECT_EQ(run("config get policy").status, 1);
  ::setenv("WAVEWRIGHT_MAP_SLOTS", "many", 1);
  const CommandResult variable = run("simulate night.jsonl --reduce-slots 1");
  ::unsetenv("WAVEWRIGHT_MAP_SLOTS");
  EXPECT_EQ(variable.status, 2);
  EXPECT_THAT(variable.err, HasSubstr("WAVEWRIGHT_MAP_SLOTS"));
}

TEST_F(SettingsTest, AnErrorTellsWhereTheValueComesFrom) {
  ::setenv("WAVEWRIGHT_MAP_SLOTS", "0", 1);
  const CommandResult variable = run("plan night.jsonl --reduce-slots 1"),
                      flag = run("plan night.jsonl --map-slots 0 --reduce-slots 1");
  ::unsetenv("WAVEWRIGHT_MAP_SLOTS");
  EXPECT_EQ(variable.status, 1);
  EXPECT_THAT(variable.err, HasSubstr("no map slot"));
  EXPECT_THAT(variable.err, HasSubstr("--map-slots comes from WAVEWRIGHT_MAP_SLOTS"));
  EXPECT_EQ(lines_of(variable.err), 1u) << variable.err;
  EXPECT_THAT(flag.err, Not(HasSubstr("comes from")));

  write(".wavewright.toml", "policy = \"fifo\"\ncluster = \"absent.toml\"\n");
  const CommandResult cluster = run("simulate night.jsonl");
  EXPECT_THAT(cluster.err, HasSubstr("--cluster comes from"));
  EXPECT_THAT(cluster.err, HasSubstr(".wavewright.toml:2"));
}

TEST_F(SettingsTest, SlotsHaveTheSameRangeAsAFlag) {
  for (const char* text : {"99999999999999999999", "-1", "2.5"}) {
    const std::string slots = text;
    EXPECT_EQ(run("config set --project map_slots -- " + slots).status, 2) << slots;
    EXPECT_EQ(run("simulate night.jsonl --map-slots=" + slots + " --reduce-slots 1").status, 2) << slots;
  }
  EXPECT_EQ(run("config set --project map_slots 2000000000").status, 0);
  EXPECT_EQ(run("simulate night.jsonl --reduce-slots 1").status, 0);
  EXPECT_EQ(run("simulate night.jsonl --map-slots 2000000000 --reduce-slots 1").status, 0);
}

TEST_F(SettingsTest, AStoresPasswordIsNotShown) {
  write("url", "postgresql://me:secret@db/runs\n");
  EXPECT_THAT(run("config set store - <url").err, Not(HasSubstr("secret")));
  EXPECT_THAT(read("settings/wavewright/config.toml"), HasSubstr("me:secret@db"));
  EXPECT_THAT(run("config").out, Not(HasSubstr("secret")));
  const auto mode = std::filesystem::status(folder_ / "settings/wavewright/config.toml").permissions();
  EXPECT_EQ(mode & (std::filesystem::perms::group_all | std::filesystem::perms::others_all),
            std::filesystem::perms::none);
}

// Every user of a machine may list its processes.
TEST_F(SettingsTest, APasswordOnTheCommandLineIsRefused) {
  for (const char* words :
       {"jobs --store postgresql://me:secret@db/runs", "--store=mysql://me:secret@db/runs jobs",
        "submit night.jsonl --store postgresql://me:secret@db/runs", "jobs postgresql://me:secret@db/runs",
        "store copy sqlite:a.db mariadb://me:secret@db/runs", "config set store postgres://me:secret@db/runs",
        "jobs --store 'postgresql://me@db/runs?password=secret'"}) {
    const CommandResult refused = run(words);
    EXPECT_EQ(refused.status, 2) << words;
    EXPECT_EQ(lines_of(refused.err), 1u) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr("stands on the command line"));
    EXPECT_THAT(refused.err, HasSubstr("WAVEWRIGHT_STORE_PASSWORD"));
    EXPECT_THAT(refused.err + refused.out, Not(HasSubstr("secret")));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "settings/wavewright/config.toml"));
  for (const char* words : {"submit --job copy -- psql postgresql://me:secret@db/runs",
                            "submit --job copy psql postgresql://me:secret@db/runs", "jobs --name a:b@c"})
    EXPECT_THAT(run(words).err, Not(HasSubstr("stands on the command line"))) << words;
  EXPECT_EQ(run("config set store - </dev/null").status, 2);
}

TEST_F(SettingsTest, NoErrorShowsAStoresPassword) {
  ::setenv("WAVEWRIGHT_STORE_PASSWORD", "tulips", 1);
  for (const char* store : {"postgresql://me@127.0.0.1:1/runs", "mariadb://me@127.0.0.1:1/runs"}) {
    for (const std::string& command :
         std::vector<std::string>{"jobs", "store info", "import night.jsonl", "doctor", "config"}) {
      const CommandResult told = run(command + " --store " + store);
      EXPECT_THAT(told.out + told.err, Not(HasSubstr("tulips"))) << command;
      EXPECT_THAT(told.out + told.err, HasSubstr("127.0.0.1:1")) << command;
    }
  }
  ::unsetenv("WAVEWRIGHT_STORE_PASSWORD");
}

TEST_F(SettingsTest, ALinkAndItsFileStayALinkAndItsFile) {
  write("dotfiles/wavewright.toml", "# kept elsewhere\n");
  std::filesystem::create_directories(folder_ / "settings/wavewright");
  std::filesystem::create_symlink(folder_ / "dotfiles/wavewright.toml",
                                  folder_ / "settings/wavewright/config.toml");
  EXPECT_EQ(run("config set policy fair").status, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "settings/wavewright/config.toml"));
  EXPECT_EQ(read("dotfiles/wavewright.toml"), "# kept elsewhere\npolicy = \"fair\"\n");
}

TEST_F(SettingsTest, TimesAreReadAndPrintedInTheZoneThatIsSet) {
  write("zoned.jsonl",
        "{\"id\":\"J1\",\"submitted_ms\":1795212000000,\"map_ms\":[60000]}\n");  // 2026-11-20 22:00 UTC
  const std::string asked = "plan zoned.jsonl --map-slots 1 --reduce-slots 1 --by ";
  EXPECT_THAT(run(asked + "06:00").out,
              HasSubstr("Done by 22:01:00: the deadline of 06:00:00 is met with 7h59m"));
  EXPECT_THAT(run("--time-zone Asia/Tokyo " + asked + "12:00").out,
              HasSubstr("Done by 07:01:00: the deadline of 12:00:00 is met with 4h59m"));
  write(".wavewright.toml", "time_zone = \"Asia/Tokyo\"\n");
  EXPECT_THAT(run(asked + "12:00").out, HasSubstr("Done by 07:01:00"));
  EXPECT_THAT(run("plan zoned.jsonl --deadline 30min").out,
              HasSubstr("end the batch by 07:30:00: done by 07:01:00"));
  const CommandResult unknown = run("--time-zone Asia/Tokio jobs");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'Asia/Tokyo'?"));
}

}  // namespace
}  // namespace wavewright
