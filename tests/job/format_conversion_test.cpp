#include "wavewright/job/format_conversion.h"
#include "tests/property.h"

#include <sstream>

#include <rapidcheck.h>

#include "tests/job/temporary_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/swim.h"

namespace wavewright {
namespace {

using testing::HasSubstr;

std::string text_of(const Workload& workload, TextWriter header = {4, 2}) {
  std::ostringstream out;
  write_text(out, workload, header);
  return out.str();
}

TEST(TextFormat, ReadsTheRivalsFile) {
  const TemporaryFile file("2 100 50\n0 2 1\n5 6\n7\n12 1 0\n8\n\n");
  EXPECT_EQ(detect_format(file.path()), WorkloadFormat::text);
  const Conversion read = read_text(file.path());
  EXPECT_EQ(read.map_slots, 100);
  EXPECT_EQ(read.reduce_slots, 50);
  ASSERT_EQ(read.workload.jobs.size(), 2U);
  EXPECT_EQ(read.workload.jobs[0].maps, (std::vector{ms(5), ms(6)}));
  EXPECT_EQ(read.workload.jobs[1].submit, at_ms(12));
  EXPECT_TRUE(read.workload.jobs[1].reduces.empty());
  EXPECT_EQ(text_of(read.workload, {100, 50}), "2 100 50\n0 2 1\n5 6\n7\n12 1 0\n8\n\n");
}

TEST(TextFormat, WhatIsWrittenReadsBackTheSame) {
  holds_always([] {
    Workload workload;
    const int jobs = *rc::gen::inRange(1, 8);
    std::int64_t submit = 0;
    for (int i = 0; i < jobs; ++i) {
      Job job;
      job.id = "J" + std::to_string(i + 1);
      submit += *rc::gen::inRange(0, 50);
      job.submit = at_ms(submit);
      for (auto* list : {&job.maps, &job.reduces}) {
        for (int n = *rc::gen::inRange(0, 5); n > 0; --n) list->push_back(ms(*rc::gen::inRange(0, 100'000)));
      }
      workload.jobs.push_back(job);
    }
    const TemporaryFile file(text_of(workload), ".txt");
    const Workload back = read_text(file.path()).workload;
    RC_ASSERT(back.jobs.size() == workload.jobs.size());
    for (std::size_t i = 0; i < back.jobs.size(); ++i)
      RC_ASSERT(to_line(back.jobs[i]) == to_line(workload.jobs[i]));
  });
}

TEST(TextFormat, JobsAreWrittenInOrderOfSubmissionAndLossesAreNamed) {
  Workload workload;
  workload.jobs.resize(2);
  workload.jobs[0].id = "late";
  workload.jobs[0].submit = at_ms(9);
  workload.jobs[0].reduces = {ms(3)};
  workload.jobs[0].shuffles = {ms(1)};
  workload.jobs[1].id = "early";
  workload.jobs[1].deadline = at_ms(50);
  std::ostringstream out;
  const std::vector<std::string> lost = write_text(out, workload, {1, 1});
  EXPECT_EQ(out.str(), "2 1 1\n0 0 0\n\n\n9 0 1\n\n3\n");
  EXPECT_THAT(lost, testing::ElementsAre("shuffles of 1 jobs", "deadlines of 1 jobs", HasSubstr("ids")));
}

TEST(ShortTextFormat, IsReadAndWritten) {
  const TemporaryFile file("2 64 64\n3 100 2 50\n1 7 0 9\n");
  EXPECT_EQ(detect_format(file.path()), WorkloadFormat::short_text);
  const Conversion read = read_short_text(file.path());
  EXPECT_EQ(read.workload.jobs[0].maps, std::vector(3, ms(100)));
  EXPECT_EQ(read.workload.jobs[0].reduces, std::vector(2, ms(50)));
  EXPECT_TRUE(read.workload.jobs[1].reduces.empty());
  std::ostringstream out;
  (void)write_short_text(out, read.workload, {64, 64});
  EXPECT_EQ(out.str(), "2 64 64\n3 100 2 50\n1 7 0 0\n");
}

TEST(ShortTextFormat, MoreTasksThanAllowedAreRefusedBeforeTheyAreMade) {
  const TemporaryFile file("2 64 64\n3 100 2 50\n1 7 0 9\n");
  EXPECT_EQ(read_short_text(file.path(), 6).workload.tasks(), 6U);
  EXPECT_THROW((void)read_short_text(file.path(), 5), InputError);
}

TEST(ShortTextFormat, DifferentDurationsAreWrittenAsTheirMeanAndSaidSo) {
  Workload workload;
  workload.jobs.resize(1);
  workload.jobs[0].maps = {ms(1), ms(4)};
  std::ostringstream out;
  EXPECT_THAT(write_short_text(out, workload, {1, 1}), testing::Contains(HasSubstr("mean")));
  EXPECT_EQ(out.str(), "1 1 1\n2 3 0 0\n");  // 2.5 rounds up
}

TEST(TextFormat, BadFilesAreRefusedWithTheirLine) {
  const auto says = [](const std::string& content) -> std::string {
    const TemporaryFile file(content);
    try {
      (void)read_text(file.path());
    } catch (const InputError& error) {
      return std::string(error.what()).substr(file.path().string().size());
    }
    return "accepted";
  };
  EXPECT_THAT(says("2 1 1\n0 1 0\n5\n"), HasSubstr("the file ends where a submission time should stand"));
  EXPECT_THAT(says("1 1 1\n0 2 0\n5 x\n"), testing::StartsWith(":3: 'x' stands where a map duration should"));
  EXPECT_THAT(says("1 1 1\n0 1 0\n1.5\n"), HasSubstr("'1.5' stands where"));
  EXPECT_THAT(says("1 1 1\n0 1 0\n-5\n"), HasSubstr("a map duration is not from 0"));
  EXPECT_THAT(says("1 1 1\n0 1 0\n99999999999999999999\n"), HasSubstr("a map duration is not from 0"));
  EXPECT_THAT(says("1 1 1\n0 1000000000000 0\n5\n"), HasSubstr("a number of maps is not from 0"));
  EXPECT_THAT(says("1 1 1\n0 99999999 0\n5\n"), HasSubstr("the file ends where"));
  EXPECT_THAT(says("1 1 1\n0 0 0\n7\n"), HasSubstr("more than the first line's number"));
  EXPECT_THAT(says("0 1 1\n"), HasSubstr("holds no job"));
}

TEST(Detection, TellsFormatsApartAndRefusesOthers) {
  const auto format_of = [](const char* content) { return detect_format(TemporaryFile(content).path()); };
  EXPECT_EQ(format_of("\n  {\"id\":1}"), WorkloadFormat::jsonl);
  EXPECT_EQ(format_of("job0\t49\t49\t740773\t2339561\t627471\n"), WorkloadFormat::swim);
  EXPECT_THROW((void)format_of("hello world\n"), InputError);
  EXPECT_THROW((void)format_of(""), InputError);
  EXPECT_THROW((void)parse_workload_format("swm"), UsageError);
}

constexpr const char* swim_table =
    "job0\t49\t49\t740773\t2339561\t627471\n"       // one small map, one reduce
    "job1\t101\t52\t200000000\t3000000000\t1000\n"  // 3 maps of 64 MiB, 3 reduces of 1 GiB
    "job2\t122\t21\t100000000\t0\t594312\n"         // no shuffle: maps only
    "job3\t130\t8\t0\t0\t0\n";                      // nothing known of its input

TEST(Swim, TasksComeFromBytesAndTheModel) {
  const TemporaryFile file(swim_table, ".tsv");
  SwimModel model;
  const Conversion read = read_swim(file.path(), model);
  const std::vector<Job>& jobs = read.workload.jobs;
  ASSERT_EQ(jobs.size(), 4U);
  EXPECT_EQ(jobs[0].submit, at_ms(49'000));
  EXPECT_EQ(jobs[0].maps, std::vector{ms(2000 + 74)});  // 740,773 bytes at 10 MB/s
  EXPECT_EQ(jobs[1].maps.size(), 3U);
  EXPECT_EQ(jobs[1].maps[0], ms(2000 + 6710));                    // a whole block
  EXPECT_EQ(jobs[1].maps[2], ms(2000 + 6578));                    // the rest
  EXPECT_EQ(jobs[1].reduces, std::vector(3, ms(2000 + 50'000)));  // 10^9 bytes at 20 MB/s
  EXPECT_EQ(jobs[1].later_shuffle(0), ms(100'000));
  EXPECT_EQ(jobs[1].first_shuffle(2), ms(100'000));
  EXPECT_TRUE(jobs[2].reduces.empty());
  EXPECT_EQ(jobs[2].maps.size(), 2U);
  EXPECT_EQ(jobs[3].maps.size(), 1U);
  EXPECT_EQ(jobs[1].shuffled, Bytes{3'000'000'000});
  EXPECT_THAT(read.imputed, testing::Contains(HasSubstr("(1 jobs tell no input)")));
  EXPECT_EQ(read.dropped_rows, 0);

  model.map_durations = parse_distribution("const(5)");
  model.reduce_durations = parse_distribution("const(6)");
  const Job drawn = read_swim(file.path(), model).workload.jobs[1];
  EXPECT_EQ(drawn.maps, std::vector(3, ms(5)));
  EXPECT_EQ(drawn.reduces, std::vector(3, ms(6)));
  EXPECT_TRUE(drawn.shuffles.empty());
}

TEST(Swim, BadRowsAreDroppedCountedAndTold) {
  const TemporaryFile file(std::string(swim_table) +
                           "job0\t1\t1\t1\t1\t1\njob9\t1\t1\n\njob8\t1\t1\tx\t1\t1\n");
  const Conversion read = read_swim(file.path(), {});
  EXPECT_EQ(read.workload.jobs.size(), 4U);
  EXPECT_EQ(read.dropped_rows, 3);
  EXPECT_THAT(read.dropped,
              testing::Contains(HasSubstr("3 rows; the first: line 5: the job id was used before")));
}

TEST(Swim, NothingUsableIsAnErrorAndSoIsATooFineModel) {
  EXPECT_THROW((void)read_swim(TemporaryFile("a\tb\n").path(), {}), InputError);
  EXPECT_THROW((void)read_swim(TemporaryFile("").path(), {}), InputError);
  SwimModel fine;
  fine.block = Bytes{1};
  EXPECT_THROW((void)read_swim(TemporaryFile("j\t0\t0\t1000000000000000000\t0\t0\n").path(), fine),
               UsageError)
      << "10^18 tasks before any memory";
  fine.block = Bytes{0};
  EXPECT_THROW((void)read_swim(TemporaryFile(swim_table).path(), fine), UsageError);
}

}  // namespace
}  // namespace wavewright
