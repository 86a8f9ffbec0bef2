// Suggestions for mistyped words.
#include "wavewright/core/nearest.h"

#include <gtest/gtest.h>

namespace wavewright {
namespace {

using Words = std::vector<std::string>;

TEST(Nearest, MatchesComeByDistanceAndEachOnce) {
  const Words ids = {"job_3", "job_12", "jbo_1", "job_1", "other", "job_12"};
  EXPECT_EQ(near_matches("job_1", ids, 9), (Words{"job_1", "job_3", "job_12", "jbo_1"}));
  EXPECT_EQ(near_matches("job_1", ids, 2), (Words{"job_1", "job_3"}));
  EXPECT_EQ(near_matches("elsewhere", ids, 9), Words{});
  EXPECT_EQ(nearest("job_1", ids), "job_1");
  EXPECT_EQ(nearest("otehr", ids), "other") << "a swap of neighbours is one edit";
}

TEST(Nearest, FewWordsAreListedManyAreNot) {
  EXPECT_EQ(suggestion("x-ray", Words{}), "there are none");
  EXPECT_EQ(suggestion("x-ray", Words{"fifo", "fair"}), "one of: fifo fair");
  EXPECT_EQ(suggestion("fiar", Words{"fifo", "fair"}), "did you mean 'fair'?");
  Words many;
  for (int i = 1000; i < 1100; ++i) many.push_back("node" + std::to_string(i));
  EXPECT_EQ(suggestion("elsewhere", many),
            "one of 100, such as: node1000 node1001 node1002 node1003 node1004");
}

}  // namespace
}  // namespace wavewright
