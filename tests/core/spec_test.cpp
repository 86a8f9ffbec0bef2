#include "wavewright/core/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/property.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Spec, ReadsNamesArgumentsAndParameters) {
  const Spec spec = parse_spec(" mdasa( trace.csv , occupancy = 0.8) ");
  EXPECT_EQ(spec.name, "mdasa");
  EXPECT_THAT(spec.positional, ElementsAre("trace.csv"));
  EXPECT_THAT(spec.parameters, ElementsAre(Pair("occupancy", "0.8")));
  EXPECT_EQ(parse_spec("fifo").name, "fifo");
  EXPECT_EQ(parse_spec("fifo()").name, "fifo");
  EXPECT_THAT(parse_spec("const(5,)").positional, ElementsAre("5"));
}

TEST(Spec, RefusesWhatIsNone) {
  for (const char* wrong : {"", " ", "(", ")", "()", "plan(", "plan)", "plan(a", "plan(a)b", "plan(a,,b)",
                            "plan(,a)", "=x", "f(=x)"})
    EXPECT_THROW((void)parse_spec(wrong), UsageError) << wrong;
}

TEST(Spec, KeepsWhatStandsInParenthesesTogether) {
  const Spec spec = parse_spec("best(of(a, b=1), rule=one(x, y=2), 3)");
  EXPECT_THAT(spec.positional, ElementsAre("of(a, b=1)", "3"));
  EXPECT_THAT(spec.parameters, ElementsAre(Pair("rule", "one(x, y=2)")));
  EXPECT_THAT(split_outside("fair(a+b)+delay(3s)", '+'), ElementsAre("fair(a+b)", "delay(3s)"));
}

TEST(Spec, TakesAParenthesisWithoutItsOtherHalfForACharacter) {
  EXPECT_THAT(parse_spec("plan(night(2.json)").positional, ElementsAre("night(2.json"));
  EXPECT_THAT(parse_spec("plan(night)2.json, x=1)").positional, ElementsAre("night)2.json"));
  EXPECT_THAT(parse_spec("plan(a)b(c, d))").positional, ElementsAre("a)b(c, d)"));
  EXPECT_THAT(parse_spec("plan(night)2.json, x=1)").parameters, ElementsAre(Pair("x", "1")));
}

TEST(Spec, SaysInOneShortLineWhatIsWrong) {
  try {
    (void)parse_spec("plan(" + std::string(1'000'000, '(') + "\n,");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_LT(std::string(error.what()).size(), 200U);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
  EXPECT_EQ(parse_spec("f(" + std::string(1'000'000, '(') + ")").positional.size(), 1U);
  EXPECT_EQ(parse_spec("f(" + std::string(1'000'000, ')') + ")").positional.size(), 1U);
}

// Any bytes are read or refused, and what is read is in the text.
TEST(Spec, ReadsOrRefusesAnyText) {
  holds_always([] {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::element('a', 'b', '(', ')', ',', '=', ' ', '+', '\n', '\0', '\xff'));
    try {
      const Spec spec = parse_spec(text);
      RC_ASSERT(!spec.name.empty());
      for (const std::string& each : spec.positional)
        RC_ASSERT(!each.empty() && text.find(each) != std::string::npos);
      for (const auto& [key, value] : spec.parameters)
        RC_ASSERT(!key.empty() && text.find(key) != std::string::npos &&
                  text.find(value) != std::string::npos);
    } catch (const UsageError& error) {
      RC_ASSERT(std::string(error.what()).find('\n') == std::string::npos);
    }
  });
}

}  // namespace
}  // namespace wavewright
