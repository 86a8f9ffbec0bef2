#include "wavewright/streaming/unit_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class UnitResultsTest : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
    return folder_.path() / name;
  }
  TemporaryFolder folder_;
  UnitResults results_;
};

TEST_F(UnitResultsTest, TakesEachUnitOnce) {
  EXPECT_THAT(results_.take(file("1", "a\t{\"result\":[1]}\nb\t{\"result\":[2]}\na\t{\"result\":[1]}\n")),
              ElementsAre("a", "b"));
  EXPECT_THAT(results_.take(file("2", "b\t{\"result\":[2]}\nc\t{\"result\":[3]}\n")), ElementsAre("c"));
  EXPECT_EQ(results_.size(), 3);
  EXPECT_EQ(results_.text("b"), "[2]");
  EXPECT_EQ(results_.text("c"), "[3]");
}

TEST_F(UnitResultsTest, RefusesTwoResultsThatDiffer) {
  (void)results_.take(file("1", "a\t{\"result\":[1]}\n"));
  EXPECT_THROW((void)results_.take(file("2", "a\t{\"result\":[7]}\n")), InputError);
}

TEST_F(UnitResultsTest, AFailureCountsUntilThereIsAResult) {
  (void)results_.take(file("1", "a\t{\"failed\":{\"status\":4,\"error\":\"gone\"}}\n"));
  ASSERT_EQ(results_.failures().size(), 1);
  EXPECT_FALSE(results_.has("a"));
  EXPECT_THAT(results_.take(file("2", "a\t{\"result\":1}\n")), ElementsAre("a"));
  EXPECT_THAT(results_.failures(), IsEmpty());
}

TEST_F(UnitResultsTest, RefusesACutLine) {
  EXPECT_THROW((void)results_.take(file("1", "a\t{\"result\":[1")), InputError);
}

}  // namespace
}  // namespace wavewright
