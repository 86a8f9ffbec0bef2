#include "wavewright/plan/bounds/demand_profile.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/property.h"

namespace wavewright {
namespace {

constexpr std::size_t points = 12;

struct Drawn {
  double from, step, slots;
  std::vector<std::pair<double, double>> tasks;  // length, latest end
};

Drawn draw() {
  Drawn drawn{static_cast<double>(*rc::gen::inRange(-50, 50)),
              static_cast<double>(*rc::gen::inRange(1, 20)),
              static_cast<double>(*rc::gen::inRange(1, 4)),
              {}};
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i)
    drawn.tasks.emplace_back(*rc::gen::inRange(0, 60), *rc::gen::inRange(-80, 300));
  return drawn;
}

// By the letter.
double demand(const Drawn& drawn, double d) {
  double sum = 0;
  for (const auto& [length, latest] : drawn.tasks) sum += std::clamp(latest - d, 0.0, length);
  return sum / drawn.slots;
}

DemandProfile profile(const Drawn& drawn) {
  DemandProfile profile(drawn.from, drawn.step, points);
  for (const auto& [length, latest] : drawn.tasks) profile.add(length, latest);
  return profile;
}

TEST(DemandProfile, SaysWhatTasksAskForAtEachPoint) {
  holds_always([] {
    const Drawn drawn = draw();
    profile(drawn).each(drawn.slots, [&](std::size_t u, double value) {
      RC_ASSERT(std::abs(value - demand(drawn, drawn.from + static_cast<double>(u) * drawn.step)) < 1e-9);
    });
  });
}

struct Lines {
  std::vector<double> at, begin;
};
Lines lines_of(const DemandProfile& profile, std::size_t parts, double slots) {
  Lines lines;
  profile.each_line(parts, slots, [&](std::size_t u, double at, double begin) {
    EXPECT_EQ(u, lines.at.size());
    lines.at.push_back(at);
    lines.begin.push_back(begin);
  });
  lines.begin.pop_back();
  return lines;
}

TEST(DemandProfile, LinesAreNowhereAbove) {
  holds_always([] {
    const Drawn drawn = draw();
    const auto parts = static_cast<std::size_t>(*rc::gen::inRange(1, 6));
    const Lines lines = lines_of(profile(drawn), parts, drawn.slots);
    RC_ASSERT(lines.at.size() == (points - 1) / parts + 1);
    RC_ASSERT(lines.begin.size() + 1 == lines.at.size());
    const double width = static_cast<double>(parts) * drawn.step;
    for (std::size_t u = 0; u < lines.begin.size(); ++u) {
      const double from = drawn.from + static_cast<double>(u) * width;
      RC_ASSERT(std::abs(lines.at[u + 1] - demand(drawn, from + width)) < 1e-9);
      RC_ASSERT(lines.begin[u] >= lines.at[u + 1]);
      for (int part = 0; part <= 40; ++part) {
        const double of = part / 40.0, line = (1 - of) * lines.begin[u] + of * lines.at[u + 1];
        RC_ASSERT(line <= demand(drawn, from + of * width) + 1e-9);
      }
    }
  });
}

// It touches where the demand begins to fall to nothing, and is exact where that does not bend upwards.
TEST(DemandProfile, LinesTouch) {
  DemandProfile profile(0, 10, points);
  profile.add(30, 45);
  const Lines whole = lines_of(profile, 1, 1), halves = lines_of(profile, 2, 1);
  EXPECT_THAT(whole.at, testing::ElementsAre(30, 30, 25, 15, 5, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(whole.begin, testing::ElementsAre(30, 30, 25, 15, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(halves.begin, testing::ElementsAre(30, 25, 0, 0, 0));
}

// Where many tasks' demands bend, those of one that fall to nothing and those of another that begin to fall
// make up for each other: lines that see parts of a step are higher.
TEST(DemandProfile, PartsMakeLinesHigher) {
  DemandProfile fine(0, 1, 101), coarse(0, 10, 11);
  for (int i = 0; i < 90; ++i) {
    fine.add(5, i);
    coarse.add(5, i);
  }
  const Lines finer = lines_of(fine, 10, 1), other = lines_of(coarse, 1, 1);
  ASSERT_EQ(finer.begin.size(), other.begin.size());
  for (std::size_t u = 0; u < 8; ++u) EXPECT_GT(finer.begin[u], other.begin[u] + 10) << u;
}

}  // namespace
}  // namespace wavewright
