#include "wavewright/store/task_codec.h"
#include "tests/property.h"

#include <rapidcheck.h>

#include "tests/store/runs.h"
#include "wavewright/store/column.h"

namespace wavewright {
namespace {

JobRun unpacked(const std::string& text, const JobRun& original) {
  JobRun run;
  run.id = original.id;
  unpack_tasks(text, run);
  return run;
}

TEST(TaskCodec, GivesBackEveryFieldOfAnyRun) {
  holds_always([] {
    const JobRun run = any_run();
    const JobRun back = unpacked(pack_tasks(run), run);
    RC_ASSERT(back.counters == run.counters);
    RC_ASSERT(back.diagnostics_text == run.diagnostics_text);
    RC_ASSERT(back.settings == run.settings);
    RC_ASSERT(back.quality_warnings == run.quality_warnings);
    RC_ASSERT(same(back.masters, run.masters));
    RC_ASSERT(back.tasks.size() == run.tasks.size());
    for (std::size_t i = 0; i < run.tasks.size(); ++i) RC_ASSERT(same(back.tasks[i], run.tasks[i]));
  });
}

TEST(TaskCodec, ReadsWhatEarlierVersionsPacked) {
  JobRun run = plausible_run(1, 20, 5);
  run.settings = {{"mapreduce.job.reduces", "5"}};
  for (const TaskFormat format : {TaskFormat::v1, TaskFormat::v2}) {
    JobRun back;
    back.id = run.id;
    back.masters = run.masters;  // of the run before
    unpack_tasks(pack_tasks(run, format), back);
    EXPECT_TRUE(back.masters.empty()) << "not known";
    EXPECT_EQ(back.settings.empty(), format == TaskFormat::v1);
    ASSERT_EQ(back.tasks.size(), run.tasks.size());
    for (std::size_t i = 0; i < run.tasks.size(); ++i) EXPECT_TRUE(same(back.tasks[i], run.tasks[i]));
  }
}

TEST(TaskCodec, TakesFewBytesATask) {
  const JobRun run = plausible_run(1, 2'000, 50);
  const std::string text = pack_tasks(run);
  EXPECT_LT(static_cast<double>(text.size()) / 2'050, 24) << text.size();
  EXPECT_EQ(unpacked(text, run).tasks.size(), 2'050U);
}

TEST(TaskCodec, RefusesDamageInsteadOfInventingTasks) {
  const JobRun run = plausible_run(1, 20, 5);
  const std::string text = pack_tasks(run);
  for (const std::string& bad : {std::string(), text.substr(0, text.size() / 2), "999999999999:" + text,
                                 text.substr(0, text.size() - 9) + "AAAAAAAAA", std::string("12:????")}) {
    EXPECT_THROW((void)unpacked(bad, run), std::runtime_error) << bad.substr(0, 30);
  }
}

TEST(TaskCodec, SurvivesAnyBytesInPlaceOfItsColumns) {
  holds_always([] {
    ColumnWriter all;
    all.put(*rc::gen::inRange<std::uint64_t>(1, 4));  // the version, then anything
    std::string bytes = all.bytes() + *rc::gen::string<std::string>();
    JobRun run;
    try {
      unpack_tasks(to_compressed_text(bytes), run);
      RC_ASSERT(run.tasks.size() <= bytes.size());
    } catch (const std::runtime_error&) {
    }
  });
}

}  // namespace
}  // namespace wavewright
