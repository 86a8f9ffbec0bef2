// Recording: clocks that are set, machines that sleep; files of samples, whole and cut off.
#include "wavewright/energy/meters/recorder.h"

#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>

#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/meters/energy_spans.h"
#include "wavewright/energy/meters/sample_file.h"

namespace wavewright {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Gives what a test says, round by round.
class ScriptedMeter : public Meter {
 public:
  explicit ScriptedMeter(std::vector<std::vector<std::int64_t>> rounds) : rounds_(std::move(rounds)) {}
  [[nodiscard]] const std::vector<MeterSource>& sources() const override { return sources_; }
  [[nodiscard]] std::vector<MeterSample> read(Time now) override {
    std::vector<MeterSample> samples;
    for (const std::int64_t value : rounds_.at(round_++)) samples.push_back({0, now + ms(value % 10), value});
    return samples;
  }

 private:
  std::vector<std::vector<std::int64_t>> rounds_;
  std::size_t round_ = 0;
  std::vector<MeterSource> sources_ = {{"rapl/package-0", MeterUnit::energy, 1000}};
};

// Its second call finds a malformed line, which costs nothing else. From its fourth on it is gone.
class FailingMeter : public Meter {
 public:
  [[nodiscard]] const std::vector<MeterSource>& sources() const override { return sources_; }
  [[nodiscard]] std::vector<MeterSample> read(Time now) override {
    ++calls_;
    if (calls_ == 2) throw InputError({"f", 7}, "'\x1b[1m' is no number", "write one");
    if (calls_ >= 4) throw ExternalError({"f"}, "cannot be read");
    return {{0, now, 5}};
  }

 private:
  int calls_ = 0;
  std::vector<MeterSource> sources_ = {{"ipmi/node", MeterUnit::power, 0}};
};

class Recording : public testing::Test {
 protected:
  MeterRecorder recorder(std::vector<std::vector<std::int64_t>> rounds) {
    std::vector<std::unique_ptr<Meter>> meters;
    meters.push_back(std::make_unique<ScriptedMeter>(std::move(rounds)));
    return MeterRecorder(std::move(meters), "n", [this] { return clocks_; });
  }
  void pass(Duration time, Duration asleep = ms(0), Duration set = ms(0)) {
    clocks_.wall += time + set;
    clocks_.running += time;
    clocks_.awake += time - asleep;
  }

  RecorderClocks clocks_{at_ms(1'000'000), ms(500), ms(400)};
};

TEST_F(Recording, TimesAreTheWallClocksAndGoOnEvenly) {
  MeterRecorder of = recorder({{10}, {20}, {30}});
  of.take();
  pass(ms(1000), ms(0), ms(999));  // not enough to be followed
  of.take();
  pass(ms(1000), ms(0), ms(-999));
  of.take();
  EXPECT_EQ(of.series()[0].readings,
            (std::vector<Reading>{{at_ms(1'000'000), 10}, {at_ms(1'001'000), 20}, {at_ms(1'002'000), 30}}));
  EXPECT_EQ(of.rounds(), 3);
}

TEST_F(Recording, AClockThatIsSetBreaksTheChain) {
  MeterRecorder of = recorder({{10}, {20}, {30}});
  of.take();
  pass(ms(1000), ms(0), ms(1001));
  of.take();
  pass(ms(1000));
  of.take();
  EXPECT_EQ(of.series()[0].readings,
            (std::vector<Reading>{
                {at_ms(1'000'000), 10}, {at_ms(1'002'001), 20, "clock"}, {at_ms(1'003'001), 30}}));
}

TEST_F(Recording, AMachineThatSleptBreaksTheChain) {
  MeterRecorder of = recorder({{10}, {20}, {}, {30}});
  of.take();
  pass(ms(1000), ms(100));
  of.take();
  pass(ms(60'000), ms(59'000));
  of.take();  // no sample: the break is kept for the next one
  pass(ms(1000));
  of.take();
  EXPECT_EQ(of.series()[0].readings,
            (std::vector<Reading>{
                {at_ms(1'000'000), 10}, {at_ms(1'001'000), 20}, {at_ms(1'062'000), 30, "suspended"}}));
}

TEST_F(Recording, GoesOnWithoutAMeterThatFails) {
  std::vector<std::unique_ptr<Meter>> meters;
  meters.push_back(std::make_unique<FailingMeter>());
  std::vector<std::vector<std::int64_t>> rounds = {{1}, {}, {3}, {4}};
  meters.push_back(std::make_unique<ScriptedMeter>(std::move(rounds)));
  MeterRecorder of(std::move(meters), "n", [this] { return clocks_; });
  for (int round = 0; round < 4; ++round) {
    of.take();
    pass(ms(1000));
  }
  EXPECT_EQ(of.series()[0].readings.size(), 2U) << "the malformed line was alone";
  EXPECT_EQ(of.series()[1].readings.size(), 3U);
  EXPECT_THAT(of.missed(), ElementsAre(2, 1));
  EXPECT_THAT(of.failures(), ElementsAre("f:7: ' [1m' is no number", "f: cannot be read")) << "each once";
}

TEST_F(Recording, GivesOutEveryReadingInOrder) {
  MeterRecorder of = recorder({{1, 2, 3}, {}});
  std::vector<std::int64_t> given;
  for (int i = 0; i < 2; ++i)
    of.take([&](const auto& series) {
      for (const SourceSeries* each : series) given.push_back(each->readings.back().value);
    });
  EXPECT_THAT(given, ElementsAre(1, 2, 3));
}

TEST_F(Recording, ShowsThePresentPower) {
  MeterRecorder of = recorder({{0}, {500'000}, {400'000}});
  of.take();
  EXPECT_EQ(of.power(), 0);
  pass(ms(100));
  of.take();
  EXPECT_EQ(of.power(), 5000);
  pass(ms(100));
  of.take();
  EXPECT_EQ(of.power(), 0) << "it wrapped";
}

class Samples : public testing::Test {
 protected:
  [[nodiscard]] std::string text() const {
    std::ifstream in(file_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "samples.csv";
};

TEST_F(Samples, AreReadAsTheyWereWritten) {
  std::vector<SourceSeries> series = {{"a,b", {"rapl/package-0", MeterUnit::energy, 262'143'328'850}, {}},
                                      {"a,b", {"nvml/0", MeterUnit::power, 0}, {}}};
  series[0].node = "node3.example.org";
  series[1].node = series[0].node;
  {
    SampleFile out(file_);
    series[0].readings.push_back({at_ms(1000), 5});
    series[1].readings.push_back({at_ms(1000), 61'200});
    out.add({&series[0], &series[1]});
    series[0].readings.push_back({at_ms(2000), 7, "suspended"});
    out.add({&series[0]});
    EXPECT_THAT(text(), HasSubstr("2000,node3.example.org,rapl/package-0,7,,262143328850,suspended\n"))
        << "each round is in the file at once";
  }
  const SamplesRead read = read_samples(file_, "other");
  EXPECT_EQ(read.series, series);
  EXPECT_FALSE(read.cut_off);
}

TEST_F(Samples, ALineThatIsCutOffIsLeftOut) {
  const std::string whole = "time_ms,node,source,energy_uj,power_mw\n1,n,x,5,\n2,n,x,600,\n";
  const SamplesRead cut = parse_samples(whole.substr(0, whole.size() - 3), "f", "");
  EXPECT_TRUE(cut.cut_off);
  EXPECT_EQ(cut.series[0].readings.size(), 1U) << "6 would be a wrong number";
}

TEST_F(Samples, NoFileIsWrittenOver) {
  std::ofstream(file_) << "mine";
  EXPECT_THROW(SampleFile{file_}, ExternalError);
  EXPECT_EQ(text(), "mine");
}

TEST_F(Samples, OfARecordingThatDoesNotBeginAreRemoved) {
  SampleFile out(file_);
  ASSERT_TRUE(std::filesystem::exists(file_));
  out.discard();
  EXPECT_FALSE(std::filesystem::exists(file_));
}

// Files may grow to so many bytes.
class LargestFile {
 public:
  explicit LargestFile(rlim_t bytes) : on_excess_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &usual_);
    const rlimit most{bytes, usual_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &most);
  }
  ~LargestFile() {
    ::setrlimit(RLIMIT_FSIZE, &usual_);
    std::signal(SIGXFSZ, on_excess_);
  }
  LargestFile(const LargestFile&) = delete;
  LargestFile& operator=(const LargestFile&) = delete;

 private:
  rlimit usual_{};
  void (*on_excess_)(int);
};

TEST_F(Samples, LeaveNoFileWithoutRoomForTheHeadings) {
  for (const rlim_t bytes : {0, 5}) {
    const LargestFile limit(bytes);
    EXPECT_THROW(SampleFile{file_}, ExternalError);
    EXPECT_FALSE(std::filesystem::exists(file_)) << bytes;
  }
}

// The whole rows before the end of the room stay.
TEST_F(Samples, StayWhereTheRoomEnds) {
  SourceSeries series{"n", {"rapl/package-0", MeterUnit::energy, 0}, {{at_ms(1), 5}}};
  {
    SampleFile out(file_);
    out.add({&series});
    const LargestFile limit(std::filesystem::file_size(file_) + 3);
    series.readings.push_back({at_ms(2), 6});
    EXPECT_THROW(out.add({&series}), ExternalError);
  }
  const SamplesRead read = read_samples(file_, "other");
  EXPECT_TRUE(read.cut_off);
  ASSERT_EQ(read.series.size(), 1U);
  EXPECT_EQ(read.series[0].readings, (std::vector<Reading>{{at_ms(1), 5}}));
}

// Files that were joined, each with a byte order mark; the second begins another recording.
TEST_F(Samples, PassOverMarksAndHeadingsThatComeAgain) {
  const std::string mark = "\xef\xbb\xbf", head = mark + "time_ms,node,source,energy_uj,power_mw\n";
  const std::string first = head + "1,n,x,5,\n", second = head + "2,n,x,7,\n2,n,y,1,\n3,n,x,9,\n";
  const SamplesRead read = parse_samples(first + second, "f", "");
  ASSERT_EQ(read.series.size(), 2U);
  EXPECT_EQ(read.series[0].readings,
            (std::vector<Reading>{{at_ms(1), 5}, {at_ms(2), 7, "file"}, {at_ms(3), 9}}));
  EXPECT_EQ(read.series[1].readings, (std::vector<Reading>{{at_ms(2), 1}}));
  const std::string plug =
      mark + "time,watts\n1795165487,1\n" + mark + "time,watts\n1795165488,2\n1795165489,3\n";
  EXPECT_EQ(parse_samples(plug, "f", "n").series[0].readings,
            (std::vector<Reading>{{at_ms(1'795'165'487'000), 1000},
                                  {at_ms(1'795'165'488'000), 2000, "file"},
                                  {at_ms(1'795'165'489'000), 3000}}));
}

TEST_F(Samples, InReverseOrderAreTurned) {
  const std::string head = "time_ms,node,source,energy_uj,power_mw\n";
  const std::string rows = "3,n,x,9,\n1,n,y,4,\n2,n,x,7,\n2,n,y,5,\n1,n,x,5,\n";
  const SamplesRead read = parse_samples(head + rows, "f", "");
  EXPECT_EQ(read.turned, 1);
  EXPECT_EQ(read.series[0].readings, (std::vector<Reading>{{at_ms(1), 5}, {at_ms(2), 7}, {at_ms(3), 9}}));
  EXPECT_EQ(read.series[1].readings, (std::vector<Reading>{{at_ms(1), 4}, {at_ms(2), 5}}));
  EXPECT_EQ(parse_samples(head + "3,n,x,9,\n1,n,x,5,\n2,n,x,7,\n", "f", "").turned, 0);
}

TEST_F(Samples, OfAWallPlugAreOfTheGivenNode) {
  const SamplesRead read =
      parse_samples("# EM-1\ntime,watts\n1795165487,231.5\n1795165488,232", "f", "node3");
  ASSERT_EQ(read.series.size(), 1U);
  EXPECT_EQ(read.series[0].node, "node3");
  EXPECT_EQ(read.series[0].source.unit, MeterUnit::power);
  EXPECT_EQ(read.series[0].readings.size(), 2U);
}

TEST_F(Samples, SaysWhatIsWrong) {
  const auto refusal = [](const std::string& text) {
    try {
      static_cast<void>(parse_samples(text, "f.csv", "n"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string head = "time_ms,node,source,energy_uj,power_mw\n";
  EXPECT_THAT(refusal("time,watts\n1795165487,-3\n"), HasSubstr("f.csv:2: '-3' is no number of watts"));
  EXPECT_THAT(refusal("time,watts\nyesterday,3\n"), HasSubstr("f.csv:2: 'yesterday' is no time"));
  EXPECT_THAT(refusal("time,watts\n-1795165487,3\n"), HasSubstr("is no time"));
  EXPECT_THAT(refusal("time,watts\n1795165487,1e30\n"), HasSubstr("is no number of watts"));
  EXPECT_THAT(refusal("time,watts\n1795165487,\n"), HasSubstr("no row has a value"));
  EXPECT_THAT(refusal("time,volts\n1,2\n"), HasSubstr("f.csv:1: no column 'watts'"));
  EXPECT_THAT(refusal(head + "1,n,x,5,6\n"), HasSubstr("f.csv:2: both energy and power"));
  EXPECT_THAT(refusal(head + "1,n,x,,\n"), HasSubstr("f.csv:2: neither energy nor power"));
  EXPECT_THAT(refusal(head + "1,n,x,5,\n2,,x,6,\n"), HasSubstr("f.csv:3: node is empty"));
  EXPECT_THAT(refusal(head + "1,n, ,5,\n"), HasSubstr("f.csv:2: source is empty"));
  EXPECT_THAT(refusal("# EM-1\n\ntime, watts,\"joules\"\n1,2,3\n"),
              HasSubstr("f.csv:3: both watts and joules"));
  EXPECT_EQ(refusal("time,kilojoules,watts\n1795165487,2,3\n"), "accepted");
  EXPECT_THAT(refusal(head + "1,n,x,-5,\n"), HasSubstr("energy_uj is '-5', not a whole number from 0"));
  EXPECT_THAT(refusal(head + "1,n,x,5,\n2,n,x,,5\n"), HasSubstr("f.csv:3: energy and power of x by turns"));
  EXPECT_THAT(refusal(head + "x,n,x,5,\n"), HasSubstr("time_ms is 'x'"));
  EXPECT_THAT(refusal(head + "253402300800000,n,x,5,\n"),
              HasSubstr("f.csv:2: time_ms is 253402300800000, after the year 9999"));
  EXPECT_THAT(refusal(head + "9223372036854775807,n,x,5,\n"), HasSubstr("after the year 9999"));
  EXPECT_EQ(refusal(head + "253402300799999,n,x,5,\n"), "accepted");
  EXPECT_THAT(refusal("time,watts\n253402300800000,3\n"), HasSubstr("'253402300800000' is no time"));
  EXPECT_THAT(refusal("time_ms,node,source,energy_uj,power_mw,broke\n1,n,x,5,,asleep\n"),
              HasSubstr("f.csv:2: broke is 'asleep'; leave it empty, or write suspended or clock"));
}

}  // namespace
}  // namespace wavewright
