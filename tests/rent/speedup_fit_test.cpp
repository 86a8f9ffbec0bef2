#include "wavewright/rent/speedup_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

using testing::HasSubstr;

std::string refusal(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

std::vector<MeasuredRun> runs_of(const SpeedupCurve& curve, double work, const std::vector<Count>& counts) {
  std::vector<MeasuredRun> runs;
  for (const Count m : counts) runs.push_back({m, work / curve.at(m)});
  return runs;
}

TEST(SpeedupFit, FindsTheCurveThatMadeTheRuns) {
  holds_always(
      [] {
        const double part = static_cast<double>(*rc::gen::inRange(50, 98)) / 100;
        const std::vector<Count> counts = {1, 2, 4, 8, 16};
        const SpeedupCurve curves[] = {
            alpha_curve(part), {SpeedupForm::power, 1, part, {}}, {SpeedupForm::amdahl, 1, part, {}}};
        for (const SpeedupCurve& curve : curves) {
          const FittedForm best = fit_speedup(runs_of(curve, 600, counts)).best();
          RC_ASSERT(best.curve.form == curve.form);
          RC_ASSERT(std::abs(best.curve.parameter - curve.parameter) < 1e-6);
          RC_ASSERT(std::abs(best.curve.k - 1) < 1e-6);
          RC_ASSERT(best.r_squared > 1 - 1e-9);
        }
      },
      100);
}

// ln(S/m) at m = 1, 2, 3 is 0, ln 0.9 and ln 0.6. The slope is (ln 0.6 − 0)/2, the mean a third of their sum;
// the start, at m = 1, is mean − slope.
TEST(SpeedupFit, LeastSquaresInLogsByHand) {
  const SpeedupFit fit = fit_speedup({{1, 90}, {2, 50}, {3, 50}});
  const double slope = std::log(0.6) / 2;
  const double mean = (std::log(0.9) + std::log(0.6)) / 3;
  EXPECT_NEAR(fit.forms[0].curve.parameter, std::exp(slope), 1e-12);
  EXPECT_NEAR(fit.forms[0].curve.k, std::exp(mean - slope), 1e-12);
  // Residuals of a line through three points are in the ratio 1 : −2 : 1.
  const double off = (std::log(0.6) / 2 - std::log(0.9)) / 3;
  EXPECT_NEAR(fit.forms[0].squared_error, 6 * off * off, 1e-12);
}

TEST(SpeedupFit, NoOtherCurveOfTheFormIsNearer) {
  Random random(1, "fit");
  std::vector<MeasuredRun> runs;
  for (const Count m : {1, 2, 3, 5, 8})
    runs.push_back({m, 100.0 / static_cast<double>(m) + random.uniform(5, 20)});
  for (const FittedForm& form : fit_speedup(runs).forms) {
    if (form.curve.form == SpeedupForm::table) continue;
    const double reference = fit_speedup(runs).reference;
    for (const double k : {0.999, 1.0, 1.001}) {
      for (const double parameter : {0.999, 1.0, 1.001}) {
        SpeedupCurve other = form.curve;
        other.k *= k;
        other.parameter =
            std::min(other.parameter * parameter, form.curve.form == SpeedupForm::amdahl ? 1.0 : 9.0);
        double error = 0;
        for (const MeasuredRun& run : runs)
          error += std::pow(std::log(reference / run.seconds / other.at(run.machines)), 2);
        EXPECT_GE(error, form.squared_error - 1e-9) << to_text(other);
      }
    }
  }
}

// A kink that no closed form has: fast to 2 machines, slow beyond; three runs each, 1 % apart.
TEST(SpeedupFit, RepeatedRunsMayChooseTheTable) {
  std::vector<MeasuredRun> runs;
  for (const auto& [m, seconds] : {std::pair<Count, double>{1, 100}, {2, 45}, {3, 44}, {4, 20}}) {
    for (const double noise : {0.99, 1.0, 1.01}) runs.push_back({m, seconds * noise});
  }
  const SpeedupFit fit = fit_speedup(runs);
  EXPECT_EQ(fit.best().curve.form, SpeedupForm::table);
  EXPECT_NEAR(fit.best().curve.at(2), 100.0 / 45, 1e-9);
  // Single runs say nothing of the noise: the table fits them exactly, and is not chosen.
  const SpeedupFit single = fit_speedup({{1, 100}, {2, 45}, {3, 44}, {4, 20}});
  EXPECT_NE(single.best().curve.form, SpeedupForm::table);
  EXPECT_THAT(single.forms[3].why_not, HasSubstr("twice"));
}

// AICc by hand for six runs: n ln(e/n) + 2p + 2p(p+1)/(n−p−1), p = 3.
TEST(SpeedupFit, TheCriterion) {
  const SpeedupFit fit = fit_speedup({{1, 100}, {1, 104}, {2, 60}, {2, 58}, {4, 40}, {4, 38}});
  const double error = fit.forms[0].squared_error;
  EXPECT_NEAR(*fit.forms[0].aicc, 6 * std::log(error / 6) + 6 + 24.0 / 2, 1e-9);
}

TEST(SpeedupFit, WithoutARunOnOneMachineTheFewestStandForIt) {
  const SpeedupFit fit = fit_speedup({{2, 50}, {4, 25}});
  EXPECT_TRUE(fit.extrapolated_reference);
  EXPECT_NEAR(fit.reference, 100, 1e-9);
  EXPECT_NEAR(fit.best().curve.at(1), 1, 1e-9);
}

TEST(SpeedupFit, RefusesTooLittle) {
  EXPECT_THAT(refusal([] { (void)fit_speedup({}); }), HasSubstr("no runs"));
  EXPECT_THAT(refusal([] { (void)fit_speedup({{4, 5}, {4, 6}}); }), HasSubstr("all runs are on 4 machines"));
}

TEST(MeasuredRuns, ReadsColumnsInAnyOrder) {
  EXPECT_EQ(parse_runs("# mine\nseconds, host ,machines\n5min,x,1\n\n170.5,y,2\n", "r.csv"),
            (std::vector<MeasuredRun>{{1, 300}, {2, 170.5}}));
  EXPECT_EQ(parse_rent_jobs("job,work,arrival\na,1h,0\nb,90,2min\n", "j.csv"),
            (std::vector<RentJob>{{"a", 3600, 0}, {"b", 90, 120}}));
}

TEST(MeasuredRuns, RefusesWithFileAndLine) {
  const auto runs = [](const char* text) { return refusal([&] { (void)parse_runs(text, "r.csv"); }); };
  const auto jobs = [](const char* text) { return refusal([&] { (void)parse_rent_jobs(text, "j.csv"); }); };
  EXPECT_THAT(runs(""), HasSubstr("r.csv: there are no lines"));
  EXPECT_THAT(runs("machines,seconds\n"), HasSubstr("no lines with values"));
  EXPECT_THAT(runs("machines,time\n1,2\n"), HasSubstr("r.csv:1: no column 'seconds'"));
  EXPECT_THAT(runs("machines,machines,seconds\n1,1,2\n"), HasSubstr("twice"));
  for (const char* bad : {"0", "-3", "1.5", "nan", "", "1e3", "100001", "99999999999999999999"}) {
    EXPECT_THAT(runs(("machines,seconds\n" + std::string(bad) + ",5\n").c_str()),
                HasSubstr("r.csv:2: '" + std::string(bad) + "' is not a number of machines"));
  }
  for (const char* bad : {"0", "-5", "nan", "inf", "", "quick", "1e300", "0ms"}) {
    EXPECT_THAT(runs(("machines,seconds\n3,9\n1," + std::string(bad) + "\n").c_str()),
                HasSubstr("r.csv:3: '" + std::string(bad) + "' is no usable time"));
  }
  EXPECT_THAT(runs("machines,seconds\n1\n"), HasSubstr("r.csv:2: 1 fields where the first line has 2"));
  EXPECT_THAT(jobs("job,work\na,1\na,2\n"), HasSubstr("j.csv:3: job 'a' is there twice"));
  EXPECT_THAT(jobs("job,work\na,0\n"), HasSubstr("j.csv:2: '0' is no usable work"));
  EXPECT_THAT(jobs("job,work,arrival\na,1,-1\n"), HasSubstr("'-1' is no usable arrival"));
}

TEST(Speedup, FormsByHand) {
  EXPECT_NEAR(parse_speedup("alpha(0.5)").at(3), 0.75, 1e-12);
  EXPECT_NEAR(parse_speedup("amdahl(0.5)").at(2), 1 / 0.75, 1e-12);
  EXPECT_NEAR(parse_speedup("power(0.5)").at(9), 3, 1e-12);
  EXPECT_NEAR(parse_speedup("linear").at(7), 7, 1e-12);
  const SpeedupCurve table = parse_speedup("table(4=3, 2=2)");
  EXPECT_NEAR(table.at(1), 1, 1e-12);
  EXPECT_NEAR(table.at(3), 2.5, 1e-12);
  EXPECT_NEAR(table.at(40), 3, 1e-12);
  EXPECT_EQ(to_text(table), "table(2=2, 4=3)");
  EXPECT_EQ(to_text(parse_speedup("alpha(0.5)")), "alpha(0.5)");
}

// α = 0.6: near −1/ln α = 1.96 the speed is largest; of whole numbers at 2. The cheapest is 1, as m/S(m) only
// rises.
TEST(Speedup, TheFastestAndTheCheapestNumberOfMachines) {
  const Speeds speeds(alpha_curve(0.6), 10);
  EXPECT_EQ(speeds.fastest(1), 1);
  EXPECT_EQ(speeds.fastest(10), 2);
  EXPECT_EQ(speeds.cheapest(10), 1);
  const Speeds table(parse_speedup("table(1=1, 2=2.5, 3=2.4, 4=2.5)"), 4);
  EXPECT_EQ(table.cheapest(4), 2);
  EXPECT_EQ(table.fastest(4), 2);
  EXPECT_EQ(Speeds(alpha_curve(0.5), 5'000).fastest(5'000),
            1);  // S underflows, and 2 machines are as fast as 1
}

// The α form's machine time only rises or only falls, so it has no changing point (figures 3 to 5, (b)).
TEST(Speedup, MachineTimeOfTheAlphaFormIsMonotone) {
  holds_always([] {
    const double alpha = static_cast<double>(*rc::gen::inRange(10, 200)) / 100;
    const Speeds speeds(alpha_curve(alpha), 16);
    for (Count m = 2; m <= 16; ++m) {
      const double before = static_cast<double>(m - 1) / speeds.at(m - 1);
      const double now = static_cast<double>(m) / speeds.at(m);
      RC_ASSERT((alpha > 1 ? now < before : now >= before * (1 - 1e-12)));
    }
  });
}

TEST(Speedup, RefusesWhatIsNone) {
  const auto of = [](const char* text) { return refusal([&] { (void)parse_speedup(text); }); };
  EXPECT_THAT(of("alph(0.9)"), HasSubstr("did you mean 'alpha'"));
  for (const char* bad : {"alpha(0)", "alpha(-1)", "alpha(nan)", "amdahl(1.1)", "power(x)"})
    EXPECT_THAT(of(bad), HasSubstr("is not a number above 0"));
  EXPECT_THAT(of("alpha"), HasSubstr("needs one number"));
  EXPECT_THAT(of("table(2=1, 2=3)"), HasSubstr("2 machines twice"));
  EXPECT_THAT(of("table(0=1)"), HasSubstr("'0' is not a number of machines"));
  EXPECT_THAT(of("table()"), HasSubstr("is not a table"));
  EXPECT_THAT(refusal([] { (void)Speeds(alpha_curve(0.9), 0); }), HasSubstr("0 machines cannot be rented"));
  EXPECT_THAT(refusal([] { (void)Speeds(alpha_curve(0.9), 100'001); }), HasSubstr("from 1 to 100000"));
  EXPECT_THAT(refusal([] { (void)Speeds(alpha_curve(2), 5'000); }), HasSubstr("no usable number"));
}

TEST(RentProblem, RefusesWhatIsNone) {
  const auto of = [](std::vector<RentJob> jobs, RentPrices prices) {
    return refusal([&] { (void)rent_problem(jobs, prices, Speeds(alpha_curve(1), 2)); });
  };
  EXPECT_THAT(of({}, {}), HasSubstr("there are no jobs"));
  EXPECT_THAT(of({{"a", 0, 0}}, {}), HasSubstr("job 'a' has a work of 0"));
  EXPECT_THAT(of({{"a", NAN, 0}}, {}), HasSubstr("job 'a' has a work of nan"));
  EXPECT_THAT(of({{"a", 1, -1}}, {}), HasSubstr("job 'a' arrives at -1"));
  EXPECT_THAT(of({{"a", 1, 0}}, {-1, 0, 0}), HasSubstr("the price of a machine is -1"));
  EXPECT_THAT(of({{"a", 1, 0}}, {0, NAN, 0}), HasSubstr("the price of delay is nan"));
  EXPECT_THAT(of(std::vector<RentJob>(100'001, {"a", 1, 0}), {}), HasSubstr("give at most 100000"));
}

}  // namespace
}  // namespace wavewright
