#include "wavewright/profile/names.h"

namespace wavewright {
namespace {

TEST(Names, DatesNumbersAndIdsBecomeAStar) {
  EXPECT_EQ(name_pattern("etl-2026-11-20"), "etl-*");
  EXPECT_EQ(name_pattern("etl_20261120_0630"), "etl_*");
  EXPECT_EQ(name_pattern("load 2026-11-20T06:30:00Z"), "load *");
  EXPECT_EQ(name_pattern("oozie:launcher:T=pig:W=daily:ID=0000123-201120103000-oozie-W"),
            "oozie:launcher:T=pig:W=daily:ID=*-oozie-W");
  EXPECT_EQ(name_pattern("hive_f47ac10b-58cc-4372-a567-0e02b2c3d479"), "hive_*");
  EXPECT_EQ(name_pattern("select a from b(Stage-1)"), "select a from b(Stage-*)");
  EXPECT_EQ(name_pattern("PigLatin:report20261120.pig"), "PigLatin:report*.pig");
}

TEST(Names, EightHexadecimalDigitsAreAnIdAndSevenAreNot) {
  EXPECT_EQ(name_pattern("job-a1b2c3d4"), "job-*");
  EXPECT_EQ(name_pattern("job-a1b2c3d"), "job-a1b2c3d");
  // It goes on behind what would be a UUID: its pieces are judged one by one.
  EXPECT_EQ(name_pattern("f47ac10b-58cc-4372-a567-0e02b2c3d479abc"), "*-58cc-*-a*");
}

TEST(Names, WordsStayAsTheyAre) {
  for (const char* name : {"word count", "word2vec", "nightly-etl", "deadbeef", "mp3-import", "", "größe"}) {
    EXPECT_EQ(name_pattern(name), name);
  }
}

TEST(Names, APatternMatchesWhatItWasMadeFrom) {
  for (const char* name : {"etl-2026-11-20", "hive_f47ac10b-58cc-4372-a567-0e02b2c3d479", "a1b2c3d4e5 x 7"}) {
    EXPECT_TRUE(matches_pattern(name_pattern(name), name)) << name_pattern(name);
  }
  EXPECT_TRUE(matches_pattern("ETL-*", "etl-2026-11-21")) << "in any case";
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_TRUE(matches_pattern("a*b*c", "axxbyybzc"));
  EXPECT_FALSE(matches_pattern("etl-*", "petl-7"));
  EXPECT_FALSE(matches_pattern("a*b", "axc"));
}

}  // namespace
}  // namespace wavewright
