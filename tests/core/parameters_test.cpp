#include "wavewright/core/parameters.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using testing::HasSubstr;

// A thing with a parameter of each type; `time` may be written without its name.
Parameters parameters_of(const std::string& text) {
  return {parse_spec(text),
          "thing 'x'",
          {{"time", "TIME", "", true},
           {"n", "NUMBER", ""},
           {"jobs", "JOBS", ""},
           {"part", "SHARE", ""},
           {"within", "fair|fifo", ""},
           {"plan", "FILE", ""}}};
}

std::string complaint(const std::function<void()>& run) {
  try {
    run();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

using Take = std::function<void(Parameters&)>;
std::string complaint(const std::string& text, const Take& take) {
  return complaint([&] {
    Parameters parameters = parameters_of(text);
    take(parameters);
    parameters.finish();
  });
}

const Take nothing = [](Parameters&) {};

TEST(Parameters, GiveValuesOfEachType) {
  Parameters given = parameters_of("x(1m30s, n=-2.5e1, jobs=7, part=12.5%, within=fifo, plan=a/b.json)");
  EXPECT_EQ(given.duration("time"), ms(90'000));
  EXPECT_EQ(given.number("n"), -25);
  EXPECT_EQ(given.whole("jobs"), 7);
  EXPECT_EQ(given.share("part"), 0.125);
  EXPECT_EQ(given.word("within", {"fair", "fifo"}), "fifo");
  EXPECT_EQ(given.file("plan"), "a/b.json");
  EXPECT_NO_THROW(given.finish());
  EXPECT_EQ(parameters_of("x(time=3)").duration("time"), ms(3000));
  EXPECT_EQ(parameters_of("x(part=0.5)").share("part"), 0.5);
}

TEST(Parameters, HaveDefaultsOrAreNeeded) {
  Parameters empty = parameters_of("x");
  EXPECT_EQ(empty.duration("time", ms(5)), ms(5));
  EXPECT_EQ(empty.number("n", 1.5), 1.5);
  EXPECT_EQ(empty.whole("jobs", 3), 3);
  EXPECT_EQ(empty.share("part", 0.25), 0.25);
  EXPECT_EQ(empty.word("within", {"fair", "fifo"}, "fair"), "fair");
  EXPECT_EQ(empty.file("plan", "p"), "p");
  EXPECT_FALSE(empty.given("n"));
  EXPECT_EQ(complaint("x", [](Parameters& p) { (void)p.number("n"); }),
            "thing 'x' needs n; write x(TIME, n=NUMBER, jobs=JOBS, part=SHARE, within=fair|fifo, plan=FILE)");
  EXPECT_THAT(complaint("x", [](Parameters& p) { (void)p.duration("time"); }), HasSubstr("needs the time"));
}

TEST(Parameters, RefuseNumbersThatAreNoneOrOutOfRange) {
  const auto number = [](const std::string& value, const Range<double>& range) {
    return complaint("x(n=" + value + ")", [&](Parameters& p) { (void)p.number("n", {}, range); });
  };
  for (const char* wrong : {"nan", "inf", "1e400", "5x", "x", "0x10", "1 2", "+1", "--1"})
    EXPECT_THAT(number(wrong, {}), HasSubstr(std::string("n is '") + wrong + "', not a number")) << wrong;
  EXPECT_EQ(number("11", {.least = 0, .most = 10}),
            "thing 'x': n is '11', not a number from 0 to 10; give a number from 0 to 10");
  EXPECT_EQ(number("10", {.least = 0, .most = 10}), "none");
  EXPECT_EQ(number("0", {.least = 0, .most = 10}), "none");
  EXPECT_THAT(number("0", {.least = 0, .above = true}), HasSubstr("give a number above 0"));
  EXPECT_EQ(number("1e-9", {.least = 0, .above = true}), "none");
  EXPECT_THAT(number("-1", {.least = 0}), HasSubstr("give a number from 0"));
  EXPECT_THAT(number("3", {.most = 2}), HasSubstr("give a number up to 2"));
}

TEST(Parameters, RefuseWholeNumbersThatAreNoneOrOutOfRange) {
  const auto whole = [](const std::string& value, const Range<Count>& range) {
    return complaint("x(jobs=" + value + ")", [&](Parameters& p) { (void)p.whole("jobs", {}, range); });
  };
  for (const char* wrong : {"1.5", "1e6", "x", "9223372036854775808", "1 000"})
    EXPECT_THAT(whole(wrong, {}), HasSubstr("not a whole number")) << wrong;
  EXPECT_EQ(whole("0", {.least = 1, .noun = "number of jobs"}),
            "thing 'x': jobs is '0', not a number of jobs; give a whole number from 1");
  EXPECT_EQ(whole("1", {.least = 1}), "none");
  EXPECT_THAT(whole("6", {.least = 1, .most = 5}), HasSubstr("give a whole number from 1 to 5"));
}

TEST(Parameters, RefuseTimesThatAreNoneOrOutOfRange) {
  const auto time = [](const std::string& value, const Range<Duration>& range) {
    return complaint("x(" + value + ")", [&](Parameters& p) { (void)p.duration("time", {}, range); });
  };
  EXPECT_EQ(time("-5", {}), "thing 'x': '-5' is not a duration; write it like 8min, 1h30m, 90s or 250ms");
  EXPECT_EQ(time("0s", {.least = ms(0), .above = true}),
            "thing 'x': the time is 0s; give a time above 0, such as 60s");
  EXPECT_THAT(time("2min", {.least = ms(1000), .most = ms(60'000)}),
              HasSubstr("give a time from 1s to 1min"));
  EXPECT_EQ(time("1s", {.least = ms(1000), .most = ms(60'000)}), "none");
}

TEST(Parameters, RefuseSharesAndWordsThatAreNone) {
  const auto share = [](const std::string& value) {
    return complaint("x(part=" + value + ")", [](Parameters& p) { (void)p.share("part"); });
  };
  for (const char* wrong : {"10", "101%", "-1%", "-0.1", "1.1", "%", "half", "nan%", "5%%"})
    EXPECT_THAT(share(wrong), HasSubstr("give one from 0 to 1, like 0.5, or 50%")) << wrong;
  for (const char* right : {"0", "1", "0%", "100%"}) EXPECT_EQ(share(right), "none") << right;
  const Take word = [](Parameters& p) { (void)p.word("within", {"fair", "fifo"}); };
  EXPECT_EQ(complaint("x(within=fofo)", word), "thing 'x': unknown within 'fofo'; did you mean 'fifo'?");
  EXPECT_EQ(complaint("x(within=size)", word), "thing 'x': unknown within 'size'; one of: fair fifo");
}

TEST(Parameters, RefuseWhatIsUnknownDoubledEmptyOrTooMuch) {
  EXPECT_EQ(complaint("x(witin=fifo)", nothing),
            "thing 'x' has no parameter 'witin'; did you mean 'within'?");
  EXPECT_EQ(complaint("x(n=1, n=1)", nothing), "thing 'x' is given n twice; write it once");
  EXPECT_EQ(complaint("x(3s, time=3s)", nothing), "thing 'x' is given time twice; write it once");
  EXPECT_EQ(complaint("x(n=)", nothing), "thing 'x': n is empty; write n=NUMBER");
  EXPECT_THAT(complaint("x(3s, 4s)", nothing), HasSubstr("does not take '4s'; write x(TIME, n=NUMBER"));
  EXPECT_EQ(complaint("x(n=1)", nothing), "thing 'x' has no use for n here; leave it away");
  EXPECT_EQ(complaint([] { Parameters(parse_spec("y(1)"), "thing 'y'", {}); }),
            "thing 'y' takes no arguments; write y");
}

TEST(Parameters, ThatAreNotListedCannotBeTaken) {
  Parameters parameters = parameters_of("x");
  EXPECT_THROW((void)parameters.number("m", 1), InternalError);
}

}  // namespace
}  // namespace wavewright
