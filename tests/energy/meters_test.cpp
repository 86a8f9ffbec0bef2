// Meters against trees of /sys, one of them as Linux lays it out, a fake NVML, a fake ipmitool and files of
// wall plugs; the machine's own where it has any.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "tests/paths.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/meters/declared_meter.h"
#include "wavewright/energy/meters/ipmi_meter.h"
#include "wavewright/energy/meters/nvml_meter.h"
#include "wavewright/energy/meters/open_meters.h"
#include "wavewright/energy/meters/plug_meter.h"
#include "wavewright/energy/meters/rapl_meter.h"

namespace wavewright {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const Time now = at_ms(1'795'165'486'006);

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

template <class Work>
std::string refusal(Work work) {
  try {
    static_cast<void>(work());
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

// The samples' values by the source's name.
std::vector<std::string> values(Meter& meter) {
  std::vector<std::string> shown;
  for (const MeterSample& each : meter.read(now))
    shown.push_back(meter.sources()[each.source].name + "=" + std::to_string(each.value));
  return shown;
}

class Rapl : public testing::Test {
 protected:
  void zone(const std::string& folder, const std::string& name, const std::string& energy) const {
    write(sys_.path() / folder / "name", name + "\n");
    write(sys_.path() / folder / "energy_uj", energy + "\n");
    write(sys_.path() / folder / "max_energy_range_uj", "262143328850\n");
  }
  // Two packages as Linux 6 shows them, with what must not count twice.
  void two_packages() const {
    write(sys_.path() / "intel-rapl" / "enabled", "1\n");
    zone("intel-rapl:0", "package-0", "1000");
    zone("intel-rapl:0:0", "core", "400");
    zone("intel-rapl:0:1", "uncore", "300");
    zone("intel-rapl:0:2", "dram", "50");
    zone("intel-rapl:1", "package-1", "2000");
    zone("intel-rapl:2", "psys", "9000");
    zone("intel-rapl:2:0", "dram", "70");
    zone("intel-rapl-mmio:0", "package-0", "1000");
  }

  // The tree of a file in tests/energy/powercap.
  void lay_out(const std::string& name) const {
    std::ifstream in(source_dir() + "/tests/energy/powercap/" + name);
    for (std::string line; std::getline(in, line);) {
      const auto arrow = line.find(" -> "), equals = line.find(" = ");
      if (line.empty() || line.starts_with('#')) continue;
      if (arrow != std::string::npos) {
        const fs::path link = sys_.path() / line.substr(0, arrow);
        fs::create_directories(link.parent_path());
        fs::create_symlink(line.substr(arrow + 4), link);
      } else {
        write(sys_.path() / line.substr(0, equals), line.substr(equals + 3) + "\n");
      }
    }
  }

  TemporaryFolder sys_;
};

TEST_F(Rapl, TakesPackagesAndTheirMemoryOnce) {
  two_packages();
  const auto meter = open_rapl(sys_.path());
  EXPECT_THAT(values(*meter),
              ElementsAre("rapl/package-0=1000", "rapl/package-0/dram=50", "rapl/package-1=2000"));
  EXPECT_EQ(meter->sources()[0].unit, MeterUnit::energy);
  EXPECT_EQ(meter->sources()[0].wraps_at, 262'143'328'850);
  EXPECT_EQ(meter->read(now)[0].at, now);
}

// Zones are links to nested folders there, beside constraints, and each links back to its parent.
TEST_F(Rapl, ReadsTheTreeThatLinuxLaysOut) {
  lay_out("two-packages.tree");
  const auto meter = open_rapl(sys_.path() / "class/powercap");
  EXPECT_THAT(values(*meter), ElementsAre("rapl/package-0=262140199584", "rapl/package-0/dram=40571236103",
                                          "rapl/package-1=9317734101", "rapl/package-1/dram=65712900002"));
  EXPECT_EQ(meter->sources()[0].wraps_at, 262'143'328'850);
  EXPECT_EQ(meter->sources()[3].wraps_at, 65'712'999'613) << "the memory has a range of its own";
  write(sys_.path() / "devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj", "40871000\n");
  EXPECT_THAT(values(*meter), testing::Contains("rapl/package-0=40871000")) << "it wrapped";
}

TEST_F(Rapl, CountsZonesInHexadecimalDigits) {
  zone("intel-rapl:a", "package-10", "7");
  zone("intel-rapl:a:0", "dram", "3");
  zone("intel-rapl:9", "package-9", "5");
  zone("intel-rapl:10", "package-16", "8");
  zone("intel-rapl:g", "package-0", "9");
  EXPECT_THAT(values(*open_rapl(sys_.path())), ElementsAre("rapl/package-9=5", "rapl/package-10=7",
                                                           "rapl/package-10/dram=3", "rapl/package-16=8"));
}

TEST_F(Rapl, ReadsAnewEachTimeAndDropsWhatIsGone) {
  two_packages();
  const auto meter = open_rapl(sys_.path());
  zone("intel-rapl:1", "package-1", "2500");
  fs::remove(sys_.path() / "intel-rapl:0/energy_uj");
  EXPECT_THAT(values(*meter), ElementsAre("rapl/package-0/dram=50", "rapl/package-1=2500"));
}

TEST_F(Rapl, PackagesOfOneNameAreToldApart) {
  zone("intel-rapl:0", "package-0", "1");
  zone("intel-rapl:1", "package-0", "2");
  const auto meter = open_rapl(sys_.path());
  EXPECT_THAT(values(*meter), ElementsAre("rapl/package-0=1", "rapl/package-0-1=2"));
}

TEST_F(Rapl, SaysWhatIsMissing) {
  EXPECT_THAT(
      refusal([&] { return open_rapl(sys_.path() / "none"); }),
      AllOf(HasSubstr("RAPL shows no processor here"), HasSubstr("declare powers in the cluster file")));
  zone("intel-rapl:2", "psys", "9000");
  EXPECT_THAT(refusal([&] { return open_rapl(sys_.path()); }), HasSubstr("no processor"));
  zone("intel-rapl:0", "package-0", "many");
  EXPECT_THAT(refusal([&] { return open_rapl(sys_.path()); }),
              HasSubstr("package-0 cannot be read: it holds no number"));
}

TEST_F(Rapl, SaysWhatMayNotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  two_packages();
  fs::permissions(sys_.path() / "intel-rapl:1/energy_uj", fs::perms::none);
  EXPECT_THAT(
      refusal([&] { return open_rapl(sys_.path()); }),
      AllOf(HasSubstr("intel-rapl:1/energy_uj: the energy of package-1 cannot be read: Permission denied"),
            HasSubstr("read it as root")));
}

TEST_F(Rapl, OfThisMachine) {
  std::unique_ptr<Meter> meter;
  try {
    meter = open_rapl();
  } catch (const ExternalError& error) {
    GTEST_SKIP() << "no RAPL: " << error.what();
  }
  EXPECT_FALSE(meter->read(now).empty());
}

class Nvml : public testing::Test {
 protected:
  static std::unique_ptr<Meter> open(const std::string& gpus) {
    ::setenv("FAKE_NVML", gpus.c_str(), 1);
    const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
    return open_nvml((here / "policy_libraries" / "fake_nvml.so").string());
  }
};

TEST_F(Nvml, TakesEnergyWhereAGpuCountsItAndPowerElsewhere) {
  const auto meter = open("energy=7 power=61200 energy=9");
  EXPECT_THAT(values(*meter), ElementsAre("nvml/0=7000", "nvml/1=61200", "nvml/2=9000"));
  EXPECT_EQ(meter->sources()[0].unit, MeterUnit::energy);
  EXPECT_EQ(meter->sources()[0].wraps_at, 0);
  EXPECT_EQ(meter->sources()[1].unit, MeterUnit::power);
}

TEST_F(Nvml, AGpuThatIsLostIsADroppedSample) {
  const auto meter = open("energy=7 power=61200");
  ::setenv("FAKE_NVML", "lost power=50", 1);
  EXPECT_THAT(values(*meter), ElementsAre("nvml/1=50"));
}

TEST_F(Nvml, SaysWhyItCannotMeasure) {
  EXPECT_THAT(refusal([] { return open("broken"); }), HasSubstr("NVML does not start: Driver Not Loaded"));
  EXPECT_THAT(refusal([] { return open(""); }), HasSubstr("NVML shows no GPU"));
  EXPECT_THAT(refusal([] { return open("energy=1 denied"); }),
              HasSubstr("GPU 1 tells no power: Insufficient Permissions"));
  EXPECT_THAT(refusal([] { return open_nvml("libno-such-nvml.so.1"); }), HasSubstr("NVML cannot be loaded"));
  EXPECT_THAT(refusal([] { return open_nvml("libc.so.6"); }), HasSubstr("NVML has no nvmlInit_v2"));
}

TEST_F(Nvml, OfThisMachine) {
  std::unique_ptr<Meter> meter;
  try {
    meter = open_nvml();
  } catch (const ExternalError& error) {
    GTEST_SKIP() << "no NVML: " << error.what();
  }
  EXPECT_EQ(meter->read(now).size(), meter->sources().size());
}

// As ipmitool 1.8 prints it.
std::string reading(int watts, const std::string& state = "activated") {
  return "\n    Instantaneous power reading:                   " + std::to_string(watts) +
         " Watts\n    Minimum during sampling period:                 11 Watts\n"
         "    Maximum during sampling period:                470 Watts\n"
         "    Power reading state is:                   " +
         state + "\n\n";
}

class Ipmi : public testing::Test {
 protected:
  // A program of that text; in `ask` stand the words that it must be called with.
  std::string program(const std::string& text) const {
    const fs::path file = folder_.path() / "ipmitool";
    write(file, "#!/bin/sh\n[ \"$*\" = 'dcmi power reading' ] || exit 9\n" + text);
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }

  TemporaryFolder folder_;
};

TEST_F(Ipmi, ReadsThePowerOfTheNode) {
  const std::string file = program("cat <<'EOF'\n" + reading(213) + "EOF\n");
  const auto meter = open_ipmi(file);
  EXPECT_THAT(values(*meter), ElementsAre("ipmi/node=213000"));
  EXPECT_EQ(meter->sources()[0].unit, MeterUnit::power);
  program("echo 'no device' >&2; exit 1\n");
  EXPECT_THAT(values(*meter), ElementsAre()) << "a dropped sample";
}

TEST_F(Ipmi, UnderstandsNothingElse) {
  EXPECT_EQ(parse_power_reading(reading(0)), 0);
  EXPECT_EQ(parse_power_reading(reading(213, "deactivated")), std::nullopt);
  EXPECT_EQ(parse_power_reading("Instantaneous power reading: 213 BTU/h"), std::nullopt);
  EXPECT_EQ(parse_power_reading("Instantaneous power reading:"), std::nullopt);
  EXPECT_EQ(parse_power_reading("Minimum during sampling period: 11 Watts"), std::nullopt);
  EXPECT_EQ(parse_power_reading(reading(-4)), std::nullopt);
}

TEST_F(Ipmi, SaysWhyItCannotMeasure) {
  EXPECT_THAT(refusal([&] { return open_ipmi((folder_.path() / "none").string()); }),
              HasSubstr("cannot be started"));
  EXPECT_THAT(refusal([&] { return open_ipmi(program("echo 'Could not open device' >&2; exit 1\n")); }),
              HasSubstr("tells no power: Could not open device"));
  EXPECT_THAT(
      refusal([&] { return open_ipmi(program("cat <<'EOF'\n" + reading(0, "deactivated") + "EOF\n")); }),
      HasSubstr("tells no power"));
}

TEST_F(Ipmi, AnAnswerThatDoesNotComeIsEnded) {
  const auto began = std::chrono::steady_clock::now();
  EXPECT_THAT(refusal([&] { return open_ipmi(program("trap '' TERM; sleep 60 & sleep 60\n"), ms(300)); }),
              HasSubstr("no answer within 300ms"));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
}

class Plug : public testing::Test {
 protected:
  void put(const std::string& text) const { write(file_, text); }
  void append(const std::string& text) const { std::ofstream(file_, std::ios::app) << text; }

  TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "plug.csv";
};

TEST_F(Plug, FollowsTheFileLineByLine) {
  put("time,watts\n1795165480,1\n1795165487,231.5\n");
  const auto meter = open_plug(file_, "n", now);
  EXPECT_EQ(meter->read(now), (std::vector<MeterSample>{{0, at_ms(1'795'165'487'000), 231'500}}))
      << "what is older than the recording is left out";
  append("1795165488.25,");
  EXPECT_THAT(meter->read(now), ElementsAre()) << "the line is not whole yet";
  append("7\n1795165489,\n1795165490000,8\n");
  EXPECT_EQ(meter->read(now), (std::vector<MeterSample>{{0, at_ms(1'795'165'488'250), 7'000},
                                                        {0, at_ms(1'795'165'490'000), 8'000}}));
  append("# calm\n");
  EXPECT_THAT(meter->read(now), ElementsAre());
  append("1795165491,7\n1795165492,oops\n\n1795165493,9\nno row\n");
  EXPECT_THAT(refusal([&] { return meter->read(now); }),
              HasSubstr("plug.csv:9: 'oops' is no number of watts"));
  EXPECT_EQ(meter->read(now), (std::vector<MeterSample>{{0, at_ms(1'795'165'491'000), 7'000},
                                                        {0, at_ms(1'795'165'493'000), 9'000}}))
      << "a malformed line costs no other";
}

TEST_F(Plug, IsAPlainFile) {
  fs::create_directory(file_);
  EXPECT_THAT(refusal([&] { return open_plug(file_, "n", now); }), HasSubstr("it is no plain file"));
  EXPECT_THAT(refusal([&] { return open_plug("/dev/zero", "n", now); }), HasSubstr("it is no plain file"));
}

TEST_F(Plug, AFileThatIsBegunAnewIsFollowed) {
  put("time,watts\n1795165487,1\n1795165488,2\n");
  const auto meter = open_plug(file_, "n", now);
  EXPECT_EQ(meter->read(now).size(), 2U);
  fs::remove(file_);
  EXPECT_THAT(refusal([&] { return meter->read(now); }), HasSubstr("plug.csv: cannot be read: No such file"));
  put("time,watts\n");
  EXPECT_THAT(meter->read(now), ElementsAre());
  append("1795165489,3\nno row\n");
  EXPECT_THAT(refusal([&] { return meter->read(now); }), HasSubstr("plug.csv:3: 1 fields"));
  EXPECT_EQ(meter->read(now), (std::vector<MeterSample>{{0, at_ms(1'795'165'489'000), 3'000}}));
  put("time,joules\n");
  EXPECT_THAT(refusal([&] { return meter->read(now); }), HasSubstr("plug.csv:1: other headings"));
}

TEST_F(Plug, TakesItsOwnNodeOfAFileOfSeveral) {
  put("node,joules,time\n");
  const auto meter = open_plug(file_, "b", at_ms(0));
  EXPECT_EQ(meter->sources()[0].unit, MeterUnit::energy);
  append("a,5,1000000000000\nb,6.5,2026-11-20T06:00:00Z\n");
  EXPECT_EQ(meter->read(now), (std::vector<MeterSample>{{0, at_ms(1'795'154'400'000), 6'500'000}}));
}

TEST_F(Plug, ChecksHeadingsAtOnce) {
  EXPECT_THAT(refusal([&] { return open_plug(file_, "n", now); }), HasSubstr("cannot be read"));
  put("");
  EXPECT_THAT(refusal([&] { return open_plug(file_, "n", now); }), HasSubstr("no line of headings yet"));
  put("time,volts\n");
  EXPECT_THAT(refusal([&] { return open_plug(file_, "n", now); }),
              AllOf(HasSubstr("plug.csv:1: no column 'watts'"), HasSubstr("time,watts,node")));
  put("when,watts\n");
  EXPECT_THAT(refusal([&] { return open_plug(file_, "n", now); }), HasSubstr("no column 'time'"));
}

TEST(OpenMeters, NamesThem) {
  EXPECT_THAT(refusal([] { return open_meter("rappl", usual_places()); }), HasSubstr("did you mean 'rapl'"));
  EXPECT_THAT(refusal([] { return open_meter("csv=", usual_places()); }), HasSubstr("'csv=' is no meter"));
}

class FindMeters : public Rapl {
 protected:
  [[nodiscard]] MeterPlaces places() const {
    MeterPlaces places = usual_places();
    places.powercap = sys_.path().string();
    places.nvml = "libno-such-nvml.so.1";
    places.ipmitool = (sys_.path() / "ipmitool").string();
    return places;
  }
};

TEST_F(FindMeters, TakesWhatIsThereAndTellsTheRest) {
  two_packages();
  std::vector<std::string> absent;
  EXPECT_EQ(find_meters(places(), absent).size(), 1U);
  ASSERT_EQ(absent.size(), 1U) << "ipmi would measure the same once more";
  EXPECT_THAT(absent[0], HasSubstr("nvml: NVML cannot be loaded"));
}

TEST_F(FindMeters, WhereThereIsNoneItSaysSoAndWhatToDo) {
  std::vector<std::string> absent;
  EXPECT_THAT(refusal([&] { return find_meters(places(), absent); }),
              AllOf(HasSubstr("this machine has no meter"), HasSubstr("rapl: "), HasSubstr("nvml: "),
                    HasSubstr("ipmi: "), HasSubstr("declare powers in the cluster file"),
                    HasSubstr("--meter declared=CLUSTER.toml:CLASS")));
}

// ---- declared power, by the times of /proc/stat

class Declared : public testing::Test {
 protected:
  // user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice
  void times(const std::string& columns) const {
    write(folder_.path() / "proc/stat", "cpu  " + columns + "\ncpu0 " + columns + "\nintr 5 0\n");
  }
  [[nodiscard]] std::unique_ptr<Meter> open(const std::string& cluster, const std::string& of = ":cpu",
                                            const std::string& host = "here") const {
    write(folder_.path() / "cluster.toml", cluster);
    return open_declared(file() + of, host, folder_.path() / "proc");
  }
  [[nodiscard]] std::string file() const { return (folder_.path() / "cluster.toml").string(); }
  // The energy in J that it has counted, `seconds` after the beginning.
  static double joules(Meter& meter, int seconds) {
    const std::vector<MeterSample> samples = meter.read(now + ms(1000 * seconds));
    return samples.empty() ? -1 : to_joules(samples.at(0).value);
  }

  static constexpr const char* linear =
      "[classes.cpu]\npower_idle_w = 100\npower_busy_w = 180\n"
      "[[nodes]]\nclass = \"cpu\"\nmap_slots = 4\n";
  TemporaryFolder folder_;
};

TEST_F(Declared, IsIdlePowerAndThePartOfBusyPowerThatTheProcessorsWereInUse) {
  times("100 10 50 1000 20 0 0 0 0 0");
  const auto meter = open(linear);
  ASSERT_EQ(meter->sources().size(), 1U);
  EXPECT_EQ(meter->sources()[0].name, "declared/cpu");
  EXPECT_EQ(meter->sources()[0].unit, MeterUnit::energy);
  EXPECT_EQ(joules(*meter, 0), 0);
  // 30 user, 5 nice and 5 system of 200: a fifth. 116 W for a second.
  times("130 15 55 1140 40 0 0 0 0 0");
  EXPECT_EQ(joules(*meter, 1), 116);
  // Interrupts are work; idling, disks and other virtual machines are not: 40 of 80, for two seconds.
  times("130 15 55 1160 50 15 25 10 0 0");
  EXPECT_EQ(joules(*meter, 3), 116 + 2 * 140);
  // All of it, and none.
  times("230 15 55 1160 50 15 25 10 90 0");
  EXPECT_EQ(joules(*meter, 4), 116 + 280 + 180) << "guests are counted as user already";
  times("230 15 55 1260 50 15 25 10 90 0");
  EXPECT_EQ(joules(*meter, 5), 116 + 280 + 180 + 100);
}

TEST_F(Declared, ReadsTheTimesThatLinuxShows) {
  const std::string recorded = source_dir() + "/tests/energy/proc/";
  fs::create_directories(folder_.path() / "proc");
  fs::copy_file(recorded + "before", folder_.path() / "proc/stat");
  const auto meter = open(linear);
  EXPECT_EQ(joules(*meter, 0), 0);
  fs::copy_file(recorded + "after", folder_.path() / "proc/stat", fs::copy_options::overwrite_existing);
  // 561 user and 38 system of 601; 2 went to other virtual machines.
  EXPECT_NEAR(joules(*meter, 3), 3 * (100 + 80 * 599.0 / 601), 1e-5);
}

// With all four slots busy 150 W. Half of the processors are two tasks.
TEST_F(Declared, ByACurveIsThatOfAsManyTasksAsProcessorsAreInUse) {
  times("0 0 0 0 0 0 0 0 0 0");
  const auto meter = open(
      "[classes.cpu]\npower_idle_w = 100\npower_curve_w = [130, 144, 150]\n"
      "[[nodes]]\nclass = \"cpu\"\nmap_slots = 3\nreduce_slots = 1\n");
  EXPECT_EQ(joules(*meter, 0), 0);
  times("100 0 0 100 0 0 0 0 0 0");
  EXPECT_EQ(joules(*meter, 1), 144);
  times("175 0 0 325 0 0 0 0 0 0");  // a quarter: one task
  EXPECT_EQ(joules(*meter, 2), 144 + 130);
  times("250 0 0 450 0 0 0 0 0 0");  // 1.5 tasks
  EXPECT_EQ(joules(*meter, 3), 144 + 130 + 137);
  times("262 5 8 625 0 0 0 0 0 0");  // half a task
  EXPECT_EQ(joules(*meter, 4), 144 + 130 + 137 + 115);
  times("362 5 8 625 0 0 0 0 0 0");  // more tasks than it has entries draw the last
  EXPECT_EQ(joules(*meter, 5), 144 + 130 + 137 + 115 + 150);
}

TEST_F(Declared, LeavesOutReadingsWithoutTimesAndLosesNoTime) {
  times("0 0 0 100 0 0 0 0 0 0");
  const auto meter = open(linear);
  EXPECT_EQ(joules(*meter, 0), 0);
  EXPECT_EQ(joules(*meter, 1), -1) << "no time went by for the processors";
  fs::remove(folder_.path() / "proc/stat");
  EXPECT_EQ(joules(*meter, 2), -1);
  times("50 0 0 150 0 0 0 0 0 0");
  EXPECT_EQ(joules(*meter, 3), 3 * 140);
  times("100 0 0 200 0 0 0 0 0 0");
  EXPECT_EQ(joules(*meter, 2), 3 * 140) << "the clock was set back";
  times("150 0 0 250 0 0 0 0 0 0");
  EXPECT_EQ(joules(*meter, 3), 4 * 140);
}

TEST_F(Declared, IsOfTheClassThatIsNamedOrHasTheHost) {
  times("1 0 0 1 0 0 0 0 0 0");
  const std::string two =
      "[classes.cpu]\npower_idle_w = 100\npower_busy_w = 180\n"
      "[classes.\"big, one\"]\npower_idle_w = 10\npower_busy_w = 20\n"
      "[[nodes]]\nclass = \"cpu\"\nmap_slots = 4\n"
      "[[nodes]]\nclass = \"big, one\"\nhosts = [\"there\"]\nmap_slots = 4\n";
  const auto name = [](const std::unique_ptr<Meter>& meter) { return meter->sources().at(0).name; };
  EXPECT_EQ(name(open(linear, "")), "declared/cpu") << "it is the only one";
  EXPECT_EQ(name(open(two, ":cpu", "there")), "declared/cpu");
  EXPECT_EQ(name(open(two, "", "there")), "declared/big__one") << "as a file of samples can hold it";
  EXPECT_THAT(refusal([&] { return open(two, ""); }),
              AllOf(HasSubstr("has several classes, and none of its rows names here"),
                    HasSubstr("its classes are cpu, big, one")));
  EXPECT_THAT(refusal([&] { return open(two, ":gpu"); }),
              HasSubstr("is of class 'gpu'; its classes are cpu"));
}

TEST_F(Declared, SaysWhatIsMissing) {
  times("1 0 0 1 0 0 0 0 0 0");
  EXPECT_THAT(
      refusal([&] {
        return open(
            "[classes.cpu]\npower_idle_w = 100\npower_map_w = 5\n"
            "[[nodes]]\nclass = \"cpu\"\nmap_slots = 4\n");
      }),
      AllOf(HasSubstr("has neither power_busy_w nor power_curve_w"),
            HasSubstr("give power_idle_w and power_busy_w, with all processors busy, in [classes.cpu]")));
  write(folder_.path() / "proc/stat", "cpu  1 0 many\n");
  EXPECT_THAT(refusal([&] { return open(linear); }), HasSubstr("times of the processors cannot be read"));
  fs::remove(folder_.path() / "proc/stat");
  EXPECT_THAT(refusal([&] { return open(linear); }), HasSubstr("--proc names another folder"));
  EXPECT_THAT(refusal([] { return open_meter("declared=", usual_places()); }), HasSubstr("is no meter"));
}

}  // namespace
}  // namespace wavewright
