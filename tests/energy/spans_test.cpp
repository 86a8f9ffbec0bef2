// Energy between readings: wraps, drops, jumps; against a model that knows the true energy.
#include "wavewright/energy/meters/energy_spans.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "tests/property.h"
#include "wavewright/energy/meters/node_energy.h"

namespace wavewright {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t joule = 1'000'000;

SourceSeries counter(std::vector<Reading> readings, MicroJoules wraps_at = 0) {
  return {"n", {"rapl/package-0", MeterUnit::energy, wraps_at}, std::move(readings)};
}
SourceSeries gauge(std::vector<Reading> readings) {
  return {"n", {"ipmi/node", MeterUnit::power, 0}, std::move(readings)};
}
EnergySpan span(std::int64_t from, std::int64_t to, MicroJoules energy) {
  return {at_ms(from), at_ms(to), energy};
}

TEST(Spans, OfACounterAreDifferences) {
  const SourceSpans of = spans_of(counter({{at_ms(0), 5}, {at_ms(1000), 25}, {at_ms(2000), 25}}));
  EXPECT_THAT(of.spans, ElementsAre(span(0, 1000, 20), span(1000, 2000, 0)));
  EXPECT_EQ(of.found.readings, 3);
}

TEST(Spans, OfAGaugeAreTrapezia) {
  const SourceSpans of = spans_of(gauge({{at_ms(0), 100}, {at_ms(1000), 200}, {at_ms(2000), 200}}));
  EXPECT_THAT(of.spans, ElementsAre(span(0, 1000, 150'000), span(1000, 2000, 200'000)));
}

TEST(Spans, AWrapIsUndone) {
  const SourceSpans of = spans_of(counter(
      {{at_ms(0), 900 * joule}, {at_ms(1000), 980 * joule}, {at_ms(2000), 60 * joule}}, 1000 * joule));
  EXPECT_THAT(of.spans, ElementsAre(span(0, 1000, 80 * joule), span(1000, 2000, 80 * joule)));
  EXPECT_EQ(of.found.wraps, 1);
}

TEST(Spans, ACounterThatBeginsAnewIsNoWrap) {
  // A wrap would be 620 J in a second, of a counter that counts 80 J in one.
  const SourceSpans of = spans_of(counter(
      {{at_ms(0), 300 * joule}, {at_ms(1000), 380 * joule}, {at_ms(2000), 0}, {at_ms(3000), 80 * joule}},
      1000 * joule));
  EXPECT_THAT(of.spans, ElementsAre(span(0, 1000, 80 * joule), span(2000, 3000, 80 * joule)));
  EXPECT_EQ(of.found.resets, 1);
  EXPECT_EQ(of.found.wraps, 0);
}

TEST(Spans, ACounterOfUnknownRangeThatJumpsBackIsLeftOut) {
  const SourceSpans of =
      spans_of(counter({{at_ms(0), 30}, {at_ms(1000), 40}, {at_ms(2000), 5}, {at_ms(3000), 6}}));
  EXPECT_THAT(of.spans, ElementsAre(span(0, 1000, 10), span(2000, 3000, 1)));
  EXPECT_EQ(of.found.resets, 1);
}

// 71 W, read every 0.7 s, from 20,000 J on. The readings from `at` on are changed.
SourceSpans with_glitch(std::size_t at, const std::vector<MicroJoules>& values, MicroJoules wraps_at = 0) {
  std::vector<Reading> readings;
  for (std::int64_t i = 0; i < 20; ++i) readings.push_back({at_ms(700 * i), (20'000 + 50 * i) * joule});
  for (std::size_t i = 0; i < values.size(); ++i) readings[at + i].value = values[i];
  return spans_of(counter(readings, wraps_at));
}

TEST(Spans, AReadingThatIsWrongOnceAddsNoEnergy) {
  for (const MicroJoules wraps_at : {0 * joule, 262'144 * joule}) {
    for (const MicroJoules wrong :
         {0 * joule, 15'000 * joule, 20'100 * joule, 25'000 * joule, 60'000 * joule}) {
      const SourceSpans of = with_glitch(9, {wrong}, wraps_at);
      EXPECT_EQ(of.spans.size(), 17U) << wrong << " " << wraps_at;
      EXPECT_EQ(of.found.resets, 2);
      for (const EnergySpan& each : of.spans) EXPECT_EQ(each.energy, 50 * joule) << wrong;
    }
  }
}

TEST(Spans, ACounterThatReadsZeroForAWhileAddsNoEnergyWhenItIsBack) {
  for (const MicroJoules wraps_at : {0 * joule, 262'144 * joule}) {
    const SourceSpans of = with_glitch(9, {0, 0, 0}, wraps_at);
    EXPECT_EQ(of.found.resets, 2) << wraps_at;
    MicroJoules sum = 0;
    for (const EnergySpan& each : of.spans) sum += each.energy;
    EXPECT_EQ(sum, 15 * 50 * joule);
  }
}

TEST(Spans, ACounterThatIsLowForAWhileIsNoWrap) {
  const SourceSpans of = with_glitch(9, {15'000 * joule, 15'050 * joule}, 262'144 * joule);
  EXPECT_EQ(of.found.resets, 2);
  EXPECT_EQ(of.found.wraps, 0);
  EXPECT_EQ(of.spans.size(), 17U);
  for (const EnergySpan& each : of.spans) EXPECT_EQ(each.energy, 50 * joule);
}

TEST(Spans, AGaugeOfMoreThanAnyMachineDrawsIsLeftOut) {
  const SourceSpans of = spans_of(gauge({{at_ms(0), 100},
                                         {at_ms(1000), 100},
                                         {at_ms(2000), most_plausible + 1},
                                         {at_ms(3000), 100},
                                         {at_ms(4000), most_plausible}}));
  EXPECT_EQ(of.found.resets, 2);
  EXPECT_THAT(of.spans,
              ElementsAre(span(0, 1000, 100 * 1000), span(3000, 4000, (most_plausible + 100) * 1000 / 2)));
}

TEST(Spans, ACounterThatBeganAnewMayPassItsOldValue) {
  const SourceSpans of = spans_of(counter({{at_ms(0), 100 * joule},
                                           {at_ms(1000), 150 * joule},
                                           {at_ms(2000), 10 * joule},
                                           {at_ms(3000), 60 * joule},
                                           {at_ms(4000), 110 * joule},
                                           {at_ms(5000), 160 * joule}}));
  EXPECT_EQ(of.found.resets, 1);
  EXPECT_EQ(of.spans.size(), 4U);
}

TEST(Spans, AStepThatNoMachineTakesIsLeftOut) {
  const SourceSpans of = spans_of(
      counter({{at_ms(0), 0}, {at_ms(1000), 100'000 * joule}, {at_ms(2000), 200'000 * joule + 1000}}));
  EXPECT_THAT(of.spans, ElementsAre(span(0, 1000, 100'000 * joule))) << "100 kW, and a little more";
  EXPECT_EQ(of.found.resets, 1);
}

TEST(Spans, ADroppedSampleCostsACounterNothingAndAGaugeItsEnergy) {
  const std::vector<Reading> readings = {{at_ms(0), 10},    {at_ms(1000), 20}, {at_ms(2500), 35},
                                         {at_ms(4001), 50}, {at_ms(5001), 60}, {at_ms(6001), 70}};
  const SourceSpans energy = spans_of(counter(readings));
  EXPECT_EQ(energy.spans.size(), 5U);
  EXPECT_EQ(energy.found.dropped, 1) << "1500 ms are usual, 1501 are not";
  EXPECT_EQ(energy.found.lost, 0);
  const SourceSpans power = spans_of(gauge(readings));
  EXPECT_EQ(power.spans.size(), 4U);
  EXPECT_EQ(power.found.dropped, 1);
  EXPECT_EQ(power.found.lost, 1);
}

TEST(Spans, AGapInWhichTheCounterMayHaveWrappedTwiceIsLeftOut) {
  const auto with_gap = [](std::int64_t gap, std::int64_t after) {
    return spans_of(counter({{at_ms(0), 0},
                             {at_ms(1000), 100 * joule},
                             {at_ms(2000), 200 * joule},
                             {at_ms(2000 + gap), after * joule},
                             {at_ms(3000 + gap), (after + 10) * joule}},
                            1000 * joule));
  };
  // 250 J seen. At 100 W, 12.5 s are 1,250 J: one more round.
  EXPECT_EQ(with_gap(12'500, 450).found.ambiguous, 0);
  EXPECT_EQ(with_gap(12'501, 450).found.ambiguous, 1);
  EXPECT_EQ(with_gap(12'501, 450).spans.size(), 3U);
}

TEST(Spans, ReadingsOutOfOrderInTimeAreLeftOut) {
  const SourceSpans of = spans_of(counter({{at_ms(0), 0},
                                           {at_ms(1000), 10},
                                           {at_ms(400), 20},
                                           {at_ms(1000), 25},
                                           {at_ms(1400), 30},
                                           {at_ms(2400), 40}}));
  EXPECT_THAT(of.spans, ElementsAre(span(400, 1000, 5), span(1000, 1400, 5), span(1400, 2400, 10)))
      << "but for the second, the times rise";
  EXPECT_EQ(of.found.backwards, 1);
}

// 100 W, read each second.
std::vector<Reading> even_readings(std::int64_t count) {
  std::vector<Reading> readings;
  for (std::int64_t i = 0; i < count; ++i) readings.push_back({at_ms(1000 * i), 100 * joule * i});
  return readings;
}
SourceSpans with_wrong_time(std::size_t reading, Duration off) {
  std::vector<Reading> readings = even_readings(10);
  readings[reading].at += off;
  return spans_of(counter(readings));
}

TEST(Spans, OneReadingWithAWrongTimeCostsTheSpansAroundItAlone) {
  constexpr Duration minute = ms(60'000), hour = 60 * minute;
  for (const Duration off : {minute, hour, 8766 * hour, -minute, -hour}) {
    for (const std::size_t reading : {std::size_t{4}, std::size_t{8}}) {
      const SourceSpans of = with_wrong_time(reading, off);
      EXPECT_EQ(of.spans.size(), 7U) << reading << " " << to_ms(off);
      EXPECT_EQ(of.found.backwards, 1);
      EXPECT_EQ(of.found.implausible, 0);
    }
    for (const bool first : {true, false}) {
      const SourceSpans of = with_wrong_time(first ? std::size_t{0} : std::size_t{9}, off);
      EXPECT_EQ(of.spans.size(), 8U) << first << " " << to_ms(off);
      const bool in_order = first ? off < ms(0) : off > ms(0);
      EXPECT_EQ(of.found.implausible, in_order ? 1 : 0) << "almost no power over a long time";
      EXPECT_EQ(of.found.backwards, in_order ? 0 : 1);
    }
  }
}

TEST(Spans, OverMissedReadingsPowersThatAreSeenElsewhereAreTaken) {
  const auto found_after = [](std::int64_t joules) {
    std::vector<Reading> readings = even_readings(10);
    readings.push_back({at_ms(19'000), readings.back().value + joules * joule});
    return spans_of(counter(readings));
  };
  EXPECT_EQ(found_after(333).found.implausible, 1) << "33.3 W, of 100 W";
  EXPECT_EQ(found_after(334).found.implausible, 0);
  EXPECT_EQ(found_after(334).spans.size(), 10U);
  EXPECT_EQ(found_after(3000).found.implausible, 0);
  EXPECT_EQ(found_after(3001).found.implausible, 1);
  EXPECT_EQ(found_after(3001).spans.size(), 9U);
}

TEST(Spans, EqualReadingsCountOnce) {
  const std::vector<Reading> once = even_readings(10);
  std::vector<Reading> by_rows, by_files = once;
  for (const Reading& each : once) by_rows.insert(by_rows.end(), 2, each);
  by_files.insert(by_files.end(), once.begin(), once.end());
  by_files[10].broke = "file";
  for (const auto& twice : {by_rows, by_files}) {
    const SourceSpans of = spans_of(counter(twice));
    EXPECT_EQ(of.spans, spans_of(counter(once)).spans);
    EXPECT_EQ(of.found.readings, 10);
    EXPECT_EQ(of.found.repeated, 10);
    EXPECT_EQ(of.found.backwards, 0);
    EXPECT_EQ(of.found.broken, 0);
  }
}

TEST(Spans, NothingIsMadeOfATimeAsleep) {
  const SourceSpans of = spans_of(
      counter({{at_ms(0), 0}, {at_ms(1000), 10}, {at_ms(2000), 20, "suspended"}, {at_ms(3000), 30}}));
  EXPECT_THAT(of.spans, ElementsAre(span(0, 1000, 10), span(2000, 3000, 10)));
  EXPECT_EQ(of.found.broken, 1);
}

TEST(Spans, OfFewReadingsAreNone) {
  EXPECT_TRUE(spans_of(counter({})).spans.empty());
  EXPECT_TRUE(spans_of(counter({{at_ms(0), 7}})).spans.empty());
  EXPECT_TRUE(spans_of(gauge({{at_ms(5), 7}, {at_ms(5), 8}})).spans.empty());
}

// A machine whose energy is known at each ms: its counter wraps, samples are dropped. All energy comes back.
TEST(Spans, OfACounterSumUpToTheEnergyThatWasDrawn) {
  Count wraps = 0, dropped = 0;
  holds_always(
      [&] {
        const auto range = *rc::gen::inRange<std::int64_t>(800, 5000) * joule;
        MicroJoules energy = *rc::gen::inRange<std::int64_t>(0, range);
        const MicroJoules began = energy;
        std::vector<Reading> readings = {{at_ms(0), energy % range}};
        const auto steps = *rc::gen::inRange(3, 60);
        Time at = at_ms(0);
        MicroJoules last = energy;
        for (int i = 0; i < steps; ++i) {
          at += ms(1000);
          energy += *rc::gen::inRange<std::int64_t>(40, 120) * joule;
          if (i >= 2 && i + 1 < steps && *rc::gen::inRange(0, 10) == 0) continue;
          readings.push_back({at, energy % range});
          last = energy;
        }
        const SourceSpans of = spans_of(counter(readings, range));
        RC_PRE(of.found.ambiguous == 0);
        MicroJoules sum = 0;
        Time end = at_ms(0);
        for (const EnergySpan& each : of.spans) {
          RC_ASSERT(each.from == end);
          end = each.to;
          sum += each.energy;
        }
        RC_ASSERT(of.found.resets == 0);
        RC_ASSERT(sum == last - began);
        wraps += of.found.wraps;
        dropped += of.found.dropped;
      },
      300);
  EXPECT_GT(wraps, rare(20));
  EXPECT_GT(dropped, rare(20));
}

TEST(AddedSpans, MeetWhereBothBeginAndEnd) {
  EXPECT_THAT(added_spans({span(0, 1, 1), span(1, 2, 2), span(2, 4, 4)},
                          {span(0, 2, 10), span(2, 3, 20), span(3, 4, 40)}),
              ElementsAre(span(0, 2, 13), span(2, 4, 64)));
  EXPECT_THAT(added_spans({span(0, 2, 1)}, {span(0, 1, 1), span(3, 4, 1)}), ElementsAre()) << "a hole";
  EXPECT_THAT(added_spans({span(0, 1, 1), span(1, 2, 1)}, {span(1, 2, 5)}), ElementsAre(span(1, 2, 6)));
  EXPECT_THAT(added_spans({}, {span(1, 2, 5)}), ElementsAre());
}

// Against sums ms by ms.
TEST(AddedSpans, HoldTheEnergyOfBoth) {
  holds_always(
      [] {
        const auto drawn = [](MicroJoules per_ms) {
          std::vector<EnergySpan> spans;
          Time at = at_ms(0);
          for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
            at += ms(*rc::gen::element(0, 0, 0, 1));  // a hole now and then
            const Time to = at + ms(*rc::gen::inRange(1, 4));
            spans.push_back({at, to, per_ms * to_ms(to - at)});
            at = to;
          }
          return spans;
        };
        const auto one = drawn(1), other = drawn(100);
        Time last = at_ms(-1);
        for (const EnergySpan& each : added_spans(one, other)) {
          RC_ASSERT(each.from >= last);
          RC_ASSERT(each.energy == 101 * to_ms(each.to - each.from));
          last = each.to;
        }
        const auto spans = added_spans(one, other);
        const auto begins = [](const std::vector<EnergySpan>& all, Time at) {
          return std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.from == at; });
        };
        for (const EnergySpan& a : one)
          for (const EnergySpan& b : other)
            if (a.from == b.from && a.to == b.to) RC_ASSERT(begins(spans, a.from));
      },
      500);
}

TEST(JoinedSpans, AreAtLeastSoLongAndNeverSpanAHole) {
  const std::vector<EnergySpan> spans = {span(0, 2, 2), span(2, 4, 2), span(4, 5, 1),
                                         span(6, 8, 2), span(8, 9, 1), span(9, 20, 11)};
  EXPECT_THAT(joined_spans(spans, ms(3)), ElementsAre(span(0, 4, 4), span(6, 9, 3), span(9, 20, 11)));
  EXPECT_EQ(joined_spans(spans, ms(0)), spans);
}

TEST(NodeEnergy, AddsPartsAndPrefersWhatMeasuresTheWholeNode) {
  SourceSeries package = counter({{at_ms(0), 0}, {at_ms(1000), 10}});
  SourceSeries gpu = counter({{at_ms(0), 0}, {at_ms(1000), 5}});
  gpu.source.name = "nvml/0";
  const SourceSeries ipmi = gauge({{at_ms(0), 1}, {at_ms(1000), 1}});
  SourceSeries plug = gauge({{at_ms(0), 2}, {at_ms(1000), 2}});
  plug.source.name = "plug/node";
  const auto energy = [](const std::vector<SourceSeries>& all) { return energy_by_node(all).nodes.at(0); };
  EXPECT_THAT(energy({package, gpu}).spans, ElementsAre(span(0, 1000, 15)));
  EXPECT_THAT(energy({package, ipmi, gpu}).spans, ElementsAre(span(0, 1000, 1000)));
  EXPECT_THAT(energy({package, ipmi, plug}).sources, ElementsAre("plug/node"));
  EXPECT_THAT(energy_by_node({package, plug}).remarks,
              ElementsAre(HasSubstr("plug/node measures the whole node")));
  gpu.readings = {{at_ms(1), 0}, {at_ms(1001), 5}};
  EXPECT_THAT(energy_by_node({package, gpu}).remarks,
              ElementsAre(HasSubstr("were not read at the same times")));
  gpu.node = "other";
  EXPECT_EQ(energy_by_node({package, gpu}).nodes.size(), 2U);
}

TEST(NodeEnergy, SaysWherePowerWasDeclared) {
  SourceSeries declared = counter({{at_ms(0), 0}, {at_ms(1000), 10}});
  declared.source.name = "declared/cpu";
  SourceSeries gpu = counter({{at_ms(0), 0}, {at_ms(1000), 5}});
  gpu.source.name = "nvml/0";
  const NodeEnergies both = energy_by_node({gpu, declared});
  EXPECT_THAT(both.nodes.at(0).spans, ElementsAre(span(0, 1000, 15))) << "it stands for the processors";
  EXPECT_TRUE(both.nodes.at(0).declared());
  const char* const remark = "the power of n was declared, not measured: powers and factors rest on that";
  EXPECT_THAT(both.remarks, ElementsAre(remark));
  const NodeEnergies beside = energy_by_node({gpu, counter({{at_ms(0), 0}, {at_ms(1000), 7}}), declared});
  EXPECT_THAT(beside.nodes.at(0).spans, ElementsAre(span(0, 1000, 12)));
  EXPECT_FALSE(beside.nodes.at(0).declared());
  EXPECT_THAT(beside.remarks, ElementsAre("n: RAPL measures the processors, declared power is not added"));
  SourceSeries other = declared;
  other.node = "m";
  EXPECT_THAT(energy_by_node({declared, other}).remarks, ElementsAre(HasSubstr("the power of n, m was")));
}

TEST(NodeEnergy, TellsWhatIsLeftOutOfASource) {
  std::vector<Reading> readings = even_readings(10);
  readings[4].at += ms(3'600'000);
  readings[9].at += ms(3'600'000);
  readings.insert(readings.begin(), 2, readings.front());
  EXPECT_THAT(energy_by_node({counter(readings)}).remarks,
              ElementsAre("rapl/package-0 of n: left out as equal to others: 2",
                          "rapl/package-0 of n: left out: 1 reading out of order in time, 1 long span with "
                          "far less or far more power than all others"));
  std::vector<Reading> broken = even_readings(10);
  broken[2].broke = "suspended";
  broken[4].broke = "clock";
  broken[7].broke = "file";
  EXPECT_THAT(energy_by_node({counter(broken)}).remarks,
              ElementsAre("rapl/package-0 of n: left out: 2 spans in which the machine was suspended, or its "
                          "clock set, 1 span between two recordings"));
  std::vector<Reading> missed = even_readings(10);
  missed.erase(missed.begin() + 5);
  EXPECT_THAT(energy_by_node({counter(missed)}).remarks, ElementsAre()) << "a counter's energy holds";
  for (Reading& each : missed) each.value = 100'000;
  EXPECT_THAT(energy_by_node({gauge(missed)}).remarks,
              ElementsAre(HasSubstr(" of n: left out: 1 span over missed readings of a power")));
  std::vector<Reading> falling = even_readings(12);
  std::reverse(falling.begin(), falling.end());
  EXPECT_THAT(energy_by_node({counter(falling)}).remarks.at(0),
              HasSubstr("left out: 11 readings out of order in time; sort its rows by time"));
}

}  // namespace
}  // namespace wavewright
