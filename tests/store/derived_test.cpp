// What is worked out of runs and kept beside them, and the texts that stand for them.
#include "wavewright/store/derived.h"

#include <fmt/format.h>

#include "tests/store/runs.h"
#include "wavewright/core/error.h"
#include "wavewright/store/column.h"
#include "wavewright/store/key.h"
#include "wavewright/store/packed.h"
#include "wavewright/store/phases_codec.h"
#include "wavewright/store/row.h"

namespace wavewright {
namespace {

TEST(Counts, ARunTakenAwayLeavesNothing) {
  const Row row = to_row(header_of(plausible_run(1, 2, 0)), "identity");
  ValueCounts counts;
  count_run(counts, row, 1);
  count_run(counts, row, 1);
  count_run(counts, row, -1);
  const ValueCount one = counts.at({"name", "WordCount"});
  EXPECT_EQ(one.runs, 1);
  EXPECT_EQ(one.succeeded, 1);
  EXPECT_TRUE(one.shrank);
}

TEST(Headers, InputIsTheJobsCounterWhereNotEveryMapTellsItsOwn) {
  JobRun run = plausible_run(1, 3, 1);
  EXPECT_EQ(header_of(run).input, Bytes{3 * 134'217'728LL});
  run.tasks[1].input.reset();
  EXPECT_FALSE(header_of(run).input);
  run.counters["org.apache.hadoop.mapreduce.FileSystemCounter/HDFS_BYTES_READ"] = 500;
  EXPECT_EQ(header_of(run).input, Bytes{500});
}

TEST(Headers, ListsAreOrderedByTheFirstInstantThatIsKnown) {
  RunHeader header;
  EXPECT_EQ(ordered_ms(header), 0);
  header.finish = at_ms(9);
  EXPECT_EQ(ordered_ms(header), 9);
  header.launch = at_ms(5);
  EXPECT_EQ(ordered_ms(header), 5);
  header.submit = at_ms(3);
  EXPECT_EQ(ordered_ms(header), 3);
}

TEST(Keys, ALongTextIsNotCutWithinALetter) {
  // 180 bytes at most: 147 of the text and # with 32 digits. The 147th here is the first half of ü.
  const std::string key = search_key(std::string(146, 'x') + "\u00fc" + std::string(60, 'y'));
  EXPECT_EQ(key.substr(0, 147), std::string(146, 'x') + "#");
  EXPECT_EQ(key.size(), 146U + 33);
}

TEST(Packed, PhasesCarryTheIdAsItIsStored) {
  JobRun run = plausible_run(1, 1, 0);
  run.id = "odd \xff";
  EXPECT_EQ(unpack_phases(pack_run(run).phases)->id, "odd \xef\xbf\xbd");
}

TEST(CompressedText, ALengthThatItsBytesCannotGiveIsRefusedBeforeItIsReserved) {
  try {
    (void)from_compressed_text("3000000:QUJD");  // three bytes: deflate gains no more than 1032 for each
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "a length that cannot be");
  }
}

TEST(Refusals, HideThePassword) {
  StoreUrl where;
  where.backend = Backend::postgresql;
  where.password = "tulip";
  where.shown = "postgresql://ada@host/db";
  try {
    Database(where, nullptr).refuse("no login with tulip, tulip");
  } catch (const ExternalError& error) {
    EXPECT_EQ(error.problem(), "the store failed: no login with ***, ***");
  }
}

}  // namespace
}  // namespace wavewright
