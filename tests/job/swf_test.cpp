// The Standard Workload Format, with and without its sidecar.
#include "wavewright/job/swf.h"
#include "tests/property.h"

#include <fstream>
#include <sstream>

#include "tests/job/some_workload.h"
#include "tests/job/temporary_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// A table and, where it is not empty, its sidecar.
class SwfFiles {
 public:
  explicit SwfFiles(const std::string& table, const std::string& sidecar = {}) : table_(table, ".swf") {
    if (!sidecar.empty()) std::ofstream(swf_sidecar(table_.path())) << sidecar;
  }
  ~SwfFiles() { std::filesystem::remove(swf_sidecar(table_.path())); }
  SwfFiles(const SwfFiles&) = delete;
  SwfFiles& operator=(const SwfFiles&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return table_.path(); }

 private:
  TemporaryFile table_;
};

struct Written {
  std::string table, sidecar;
  ExportReport report;
};
Written written(const Workload& workload) {
  std::ostringstream table;
  std::ostringstream sidecar;
  ExportReport report = write_swf(table, &sidecar, workload);
  return {table.str(), sidecar.str(), std::move(report)};
}

// Lines without the header.
std::vector<std::string> rows_of(const std::string& table) {
  std::vector<std::string> rows;
  std::istringstream in(table);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(';')) rows.push_back(line);
  }
  return rows;
}

std::vector<std::string> lines_of(const Workload& workload) {
  std::vector<std::string> lines;
  for (const Job& job : workload.jobs) lines.push_back(to_line(job));
  return lines;
}

std::string refusal(const std::string& table, const std::string& sidecar = {},
                    const SwfOptions& options = {}) {
  const SwfFiles files(table, sidecar);
  try {
    (void)read_swf(files.path(), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// number, submit, run, processors, status
std::string row(const char* number, const char* submit, const char* run, const char* processors,
                const char* status = "1") {
  return fmt::format("{} {} -1 {} {} -1 -1 -1 -1 -1 {} -1 -1 -1 -1 -1 -1 -1\n", number, submit, run,
                     processors, status);
}

Workload two_jobs() {
  Workload workload;
  workload.jobs.resize(2);
  Job& late = workload.jobs[0];
  late.id = "report";
  late.name = "sort";
  late.user = "ada";
  late.queue = "night";
  late.submit = at_ms(61'400);
  late.maps = {ms(10'000), ms(20'000), ms(20'000)};
  late.reduces = {ms(5'000), ms(6'000)};
  late.first_shuffles = {ms(1'000), ms(3'000)};
  late.after = {"load"};
  Job& early = workload.jobs[1];
  early.id = "load";
  early.user = "ada";
  early.maps = {ms(7'500)};
  return workload;
}

TEST(Swf, AJobIsARigidOneAsWideAsItsWidestStage) {
  const Written out = written(two_jobs());
  EXPECT_THAT(rows_of(out.table), ElementsAre("1 0 -1 8 1 8 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1",
                                              // 20 s + 3 s + 6 s; 65 s of work on 3 processors; after row 1.
                                              "2 61 -1 29 3 22 -1 3 -1 -1 1 1 -1 1 1 -1 1 -1"));
  EXPECT_THAT(out.table, HasSubstr("; Version: 2.2\n"));
  EXPECT_THAT(out.table, HasSubstr("; MaxProcs: 3\n"));
  EXPECT_THAT(out.table, HasSubstr("; Queue: 1 night\n"));
}

TEST(Swf, APrecedingJobStandsBeforeItsFollower) {
  Workload workload = two_jobs();
  workload.jobs[1].submit = at_ms(99'000);  // 'load', which 'report' waits for, comes later
  const Written out = written(workload);
  EXPECT_EQ(rows_of(out.table)[0].substr(0, 5), "1 61 ");
  EXPECT_TRUE(rows_of(out.table)[0].ends_with(" -1 -1")) << rows_of(out.table)[0];
  EXPECT_THAT(out.report.dropped, Contains(HasSubstr("'after' of 1 jobs")));
}

TEST(Swf, TheTablesLossesAreNamed) {
  std::ostringstream table;
  Workload workload = two_jobs();
  workload.jobs[1].deadline = at_ms(9);
  workload.jobs[0].after.emplace_back("report");
  const ExportReport alone = write_swf(table, nullptr, workload);
  EXPECT_THAT(alone.dropped, Contains(HasSubstr("milliseconds of 2 jobs")));
  EXPECT_THAT(alone.dropped, Contains(HasSubstr("which are maps and reduces, of 1 jobs")));
  EXPECT_THAT(alone.dropped, Contains(HasSubstr("'after' of 1 jobs")));
  EXPECT_THAT(alone.dropped, Contains("deadlines of 1 jobs"));
  EXPECT_THAT(written(workload).report.dropped,
              Contains("from the table, not the sidecar: deadlines of 1 jobs"));
}

TEST(Swf, TableAndSidecarGiveTheWorkloadThatWasWritten) {
  holds_always([] {
    const Workload workload = any_workload();
    const Written out = written(workload);
    const SwfFiles files(out.table, out.sidecar);
    const Conversion back = read_swf(files.path());
    RC_ASSERT(lines_of(back.workload) == lines_of(workload));
    RC_ASSERT(back.dropped_rows == 0);
    RC_ASSERT(back.imputed.empty());
  });
}

TEST(Swf, TheSidecarIsAWorkloadFileThatCanBeConvertedAgain) {
  const Written out = written(two_jobs());
  const TemporaryFile sidecar(out.sidecar);
  const Workload again = read_workload(sidecar.path());
  EXPECT_EQ(again.jobs.size(), 2U);
  EXPECT_EQ(written(again).sidecar, out.sidecar) << "the row's number is replaced, not doubled";
}

TEST(Swf, WithoutASidecarEveryProcessorIsAMapAsLongAsTheJobRan) {
  holds_always([] {
    const Workload workload = any_workload();
    std::ostringstream table;
    (void)write_swf(table, nullptr, workload);
    const SwfFiles files(table.str());
    const Conversion back = read_swf(files.path());
    Count with_tasks = 0;
    for (const Job& job : workload.jobs) with_tasks += job.maps.empty() && job.reduces.empty() ? 0 : 1;
    RC_ASSERT(static_cast<Count>(back.workload.jobs.size()) == with_tasks);
    RC_ASSERT(back.dropped_rows == static_cast<Count>(workload.jobs.size()) - with_tasks);
    Time last{};
    for (const Job& job : back.workload.jobs) {
      RC_ASSERT(job.submit >= last);
      RC_ASSERT(job.reduces.empty());
      last = job.submit;
    }
  });
  const SwfFiles files(written(two_jobs()).table);
  const Conversion read = read_swf(files.path());
  EXPECT_EQ(read.workload.jobs[1].maps, std::vector(3, ms(29'000)));
  EXPECT_EQ(read.workload.jobs[1].after, std::vector<std::string>{"1"});
  EXPECT_EQ(read.workload.jobs[1].queue, "queue1");
  EXPECT_EQ(read.workload.jobs[1].name, "app1");
  EXPECT_THAT(read.imputed, Contains(HasSubstr("4 maps: one a processor")));
}

TEST(Swf, AnArchivesTableIsReadWithWhatItLeavesUnknown) {
  const SwfFiles files(
      "; Computer: sample\n\n   1    0  5  120  4  118.5 -1 4 300 -1 1 1 1 1 1 -1 -1 -1\n"
      "2 12.5 -1 60.25 -1 -1 -1 8 60 -1 -1 1 1 2 1 -1 7 10\n");
  EXPECT_EQ(detect_format(files.path()), WorkloadFormat::swf);
  const Conversion read = read_swf(files.path());
  const std::vector<Job>& jobs = read.workload.jobs;
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].maps, std::vector(4, ms(120'000)));
  EXPECT_EQ(jobs[1].submit, at_ms(12'500));
  EXPECT_EQ(jobs[1].maps, std::vector(8, ms(60'250))) << "requested, as the allocated are unknown";
  EXPECT_TRUE(jobs[1].after.empty());
  EXPECT_THAT(read.dropped, Contains(HasSubstr("1 preceding jobs")));
  EXPECT_THAT(read.dropped, Contains("think times of 1 jobs"));
}

TEST(Swf, RowsThatCannotBeUsedAreDroppedWithTheirReason) {
  const std::string table = row("1", "0", "10", "2") + row("2", "0", "10", "2", "0") +
                            row("3", "0", "10", "2", "5") + row("4", "0", "10", "2", "3") +
                            row("5", "0", "-1", "2") + row("6", "0", "10", "-1") + row("7", "-1", "10", "1") +
                            row("1", "0", "10", "1") + row("8", "0", "1e300", "1") + row("9", "0", "x", "1") +
                            "10 0 1\n" + row("11", "0", "inf", "1") + row("12", "0", "1", "1 1") +
                            row("-3", "0", "10", "1") + row("13", "0", "10", "1.5");
  const SwfFiles files(table);
  const Conversion read = read_swf(files.path());
  EXPECT_EQ(read.workload.jobs.size(), 1U);
  EXPECT_EQ(read.dropped_rows, 14);
  for (const char* reason :
       {"1 rows: the job failed (first on line 2)", "the job was cancelled", "a part of a job",
        "it tells no run time (first on line 5)", "it tells no processors", "it tells no submission",
        "its number was used before (first on line 8)",
        "2 rows: a number is a fraction or out of range (first on line 9)",
        "2 rows: column 4 is not a number", "fewer than 18 columns", "more than 18 columns",
        "it tells no number"}) {
    EXPECT_THAT(read.dropped, Contains(HasSubstr(reason)));
  }
  SwfOptions options;
  options.with_failed = true;
  EXPECT_EQ(read_swf(files.path(), options).workload.jobs.size(), 3U);
}

TEST(Swf, WhatHoldsNoJobIsRefusedWithAReason) {
  EXPECT_THAT(refusal("; Version: 2.2\n"), HasSubstr("holds no job"));
  EXPECT_THAT(refusal(row("1", "0", "10", "2", "0")), HasSubstr("the job failed (first on line 1)"));
  SwfOptions few;
  few.most_tasks = 100;
  EXPECT_THAT(refusal(row("1", "0", "1", "99") + row("2", "0", "1", "2"), {}, few),
              HasSubstr(":2: more than 100 processors in all"));
}

TEST(Swf, TheTableDecidesWhichJobsAndWhenTheSidecarWhatIsInThem) {
  Written out = written(two_jobs());
  const std::vector<std::string> rows = rows_of(out.table);
  {
    const SwfFiles files(rows[1] + "\n", out.sidecar);
    const Conversion read = read_swf(files.path());
    ASSERT_EQ(read.workload.jobs.size(), 1U);
    EXPECT_EQ(read.workload.jobs[0].id, "report");
    EXPECT_TRUE(read.workload.jobs[0].after.empty()) << "'load' is not there";
    EXPECT_THAT(read.dropped, Contains(HasSubstr("1 jobs of")));
    EXPECT_THAT(read.dropped, Contains(HasSubstr("1 preceding jobs")));
  }
  {
    std::string later = rows[1];
    later.replace(later.find(" 61 "), 4, " 90 ");
    const SwfFiles files(rows[0] + "\n" + later + "\n", out.sidecar);
    const Conversion read = read_swf(files.path());
    EXPECT_EQ(read.workload.jobs[0].submit, at_ms(90'000));
    EXPECT_THAT(read.kept, Contains(HasSubstr("the table's submission of 1 jobs")));
  }
  {
    const SwfFiles files(out.table + row("3", "70", "4", "2"), out.sidecar);
    const Conversion read = read_swf(files.path());
    ASSERT_EQ(read.workload.jobs.size(), 3U);
    EXPECT_EQ(read.workload.jobs[2].id, "3");
    EXPECT_EQ(read.workload.jobs[2].maps, std::vector(2, ms(4'000)));
    EXPECT_EQ(read.workload.jobs[0].id, "report") << "the sidecar's order first";
  }
}

TEST(Swf, ASidecarOfAnotherTableIsRefused) {
  const Written out = written(two_jobs());
  EXPECT_THAT(refusal(row("1", "0", "9", "1"), out.sidecar), HasSubstr("is not job 'load' of"));
  EXPECT_THAT(refusal(out.table, R"({"id":"a","map_ms":[1]})"), HasSubstr("does not name its row"));
  EXPECT_THAT(refusal(out.table, "{\"id\":\"a\",\"x_swf_job\":1}\n{\"id\":\"b\",\"x_swf_job\":1}\n"),
              HasSubstr("two jobs name row 1"));
  EXPECT_THAT(refusal(out.table, R"({"id":"a","x_swf_job":"1"})"), HasSubstr("does not name its row"));
  EXPECT_THAT(refusal(out.table, "{\"id\":"), HasSubstr(".tasks.jsonl:1: "));
}

TEST(Swf, AHeaderIsNotBrokenByANameWithALinesEnd) {
  Workload workload = two_jobs();
  workload.jobs[0].queue = "a\n1 2 3";
  const SwfFiles files(written(workload).table);
  EXPECT_EQ(read_swf(files.path()).dropped_rows, 0);
}

}  // namespace
}  // namespace wavewright
