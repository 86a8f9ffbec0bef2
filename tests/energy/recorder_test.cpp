// Recording: clocks that are set, machines that sleep; files of samples, whole and cut off.
#include "wavewright/energy/meters/recorder.h"

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
  EXPECT_THAT(refusal(head + "1,n,x,-5,\n"), HasSubstr("energy_uj is '-5', not a whole number from 0"));
  EXPECT_THAT(refusal(head + "1,n,x,5,\n2,n,x,,5\n"), HasSubstr("f.csv:3: energy and power of x by turns"));
  EXPECT_THAT(refusal(head + "x,n,x,5,\n"), HasSubstr("time_ms is 'x'"));
}

}  // namespace
}  // namespace wavewright
