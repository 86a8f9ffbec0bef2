#include "wavewright/streaming/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <thread>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Worked {
  int status = 0;
  std::string out, reports;
};

Worked work(const std::string& lines, bool last_attempt, const UnitWork& how) {
  std::istringstream in(lines);
  std::ostringstream out, reports;
  Worked worked;
  worked.status = run_units(in, out, reports, {last_attempt, 1}, how);
  worked.out = out.str();
  worked.reports = reports.str();
  return worked;
}

constexpr const char* three =
    "{\"unit\":\"a\",\"work\":1}\n{\"unit\":\"b\",\"work\":2}\n{\"unit\":\"c\",\"work\":3}\n";

std::string twice(const Unit& unit) {
  return std::to_string(2 * std::stoi(unit.work));
}

TEST(Worker, WritesOneResultForEachUnit) {
  const Worked worked = work(three, true, twice);
  EXPECT_EQ(worked.status, 0);
  EXPECT_EQ(worked.out, "a\t{\"result\":2}\nb\t{\"result\":4}\nc\t{\"result\":6}\n");
  EXPECT_THAT(worked.reports, HasSubstr("reporter:counter:wavewright,units,1\n"));
}

TEST(Worker, AnErrorOfAUnitIsItsResultAndTouchesNoOther) {
  const Worked worked = work(three, false, [](const Unit& unit) {
    if (unit.id == "b") throw InputError({"night.jsonl", 7}, "no job");
    return twice(unit);
  });
  EXPECT_EQ(worked.status, 0);
  EXPECT_EQ(worked.out,
            "a\t{\"result\":2}\nb\t{\"failed\":{\"status\":3,\"error\":\"night.jsonl:7: no job\"}}\n"
            "c\t{\"result\":6}\n");
}

TEST(Worker, AnErrorOfTheOutsideIsTriedAgainAndIsAResultAtLast) {
  const auto away = [](const Unit& unit) -> std::string {
    if (unit.id == "b") throw ExternalError({"namenode"}, "is gone");
    return twice(unit);
  };
  const Worked first = work(three, false, away);
  EXPECT_EQ(first.status, 4);
  EXPECT_THAT(first.out, Not(HasSubstr("failed")));
  EXPECT_THAT(first.reports, HasSubstr("wavewright: unit b: namenode: is gone"));
  const Worked last = work(three, true, away);
  EXPECT_EQ(last.status, 0);
  EXPECT_THAT(last.out, HasSubstr("b\t{\"failed\":{\"status\":4"));
  EXPECT_THAT(last.out, HasSubstr("c\t{\"result\":6}"));
}

TEST(Worker, GivesASignOfLifeWhileAUnitTakesLong) {
  const Worked worked = work("{\"unit\":\"long\",\"work\":1}\n", true, [](const Unit&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1'300));
    return std::string("1");
  });
  EXPECT_THAT(worked.reports, HasSubstr("reporter:status:unit long\n"));
}

TEST(Worker, EndsAtALineThatIsNoUnit) {
  EXPECT_EQ(work("0\t{\"unit\":\"a\",\"work\":1}\n", true, twice).status, 3);
}

TEST(LastAttempt, IsToldByHadoopsEnvironment) {
  EXPECT_TRUE(is_last_attempt(nullptr, nullptr));
  EXPECT_FALSE(is_last_attempt("attempt_1700000000000_0001_m_000007_0", nullptr));
  EXPECT_TRUE(is_last_attempt("attempt_1700000000000_0001_m_000007_3", nullptr));
  EXPECT_FALSE(is_last_attempt("attempt_1700000000000_0001_m_000007_3", "8"));
  EXPECT_TRUE(is_last_attempt("attempt_1700000000000_0001_m_000007_0", "1"));
}

}  // namespace
}  // namespace wavewright
