#include "wavewright/streaming/read_file_text.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/paths.h"
#include "wavewright/core/error.h"
#include "wavewright/history/source/local.h"
#include "wavewright/store/importer.h"

namespace wavewright {
namespace {

std::vector<ReadFile> examples() {
  const LocalSource source(source_dir() + "/examples/histories");
  std::vector<ReadFile> files;
  source.list(
      [&](HistoryFile&& file) {
        files.push_back(read_and_pack(source, file));
        return true;
      },
      [](Diagnostic&&) {});
  // What damaged histories and file names may hold.
  Diagnostic odd{Diagnostic::Severity::warning, {"a\xff\n\tb", 7, -1}, "odd", std::string("\0x", 2)};
  files.front().diagnostics.push_back(odd);
  const auto with_run =
      std::find_if(files.begin(), files.end(), [](const auto& file) { return !file.runs.empty(); });
  with_run->runs.front().header.input = Bytes{-5};
  with_run->runs.front().header.submit = std::nullopt;
  return files;
}

TEST(ReadFileText, GivesBackWhatWasRead) {
  const std::vector<ReadFile> files = examples();
  const std::string text = text_of(files);
  EXPECT_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=:-"),
            std::string::npos);
  const std::vector<ReadFile> back = files_of_text(text, "test");
  ASSERT_EQ(back.size(), files.size());
  std::size_t runs = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(back[i].file.name, files[i].file.name);
    EXPECT_EQ(back[i].file.version, files[i].file.version);
    EXPECT_EQ(back[i].file.jobs, files[i].file.jobs);
    EXPECT_EQ(back[i].file.reason, files[i].file.reason);
    EXPECT_EQ(back[i].format, files[i].format);
    ASSERT_EQ(back[i].runs.size(), files[i].runs.size());
    ASSERT_EQ(back[i].diagnostics.size(), files[i].diagnostics.size());
    for (std::size_t k = 0; k < files[i].runs.size(); ++k, ++runs) {
      const PackedRun &was = files[i].runs[k], &is = back[i].runs[k];
      EXPECT_EQ(is.header, was.header);
      EXPECT_EQ(is.identity, was.identity);
      EXPECT_EQ(is.tasks, was.tasks);
      EXPECT_EQ(is.phases, was.phases);
      EXPECT_EQ(is.fullness, was.fullness);
    }
    for (std::size_t k = 0; k < files[i].diagnostics.size(); ++k) {
      const Diagnostic &was = files[i].diagnostics[k], &is = back[i].diagnostics[k];
      EXPECT_EQ(is.severity, was.severity);
      EXPECT_EQ(is.where.text(), was.where.text());
      EXPECT_EQ(is.reason, was.reason);
      EXPECT_EQ(is.detail, was.detail);
    }
  }
  EXPECT_GT(runs, 10);
}

TEST(ReadFileText, RefusesDamage) {
  const std::string text = text_of(examples());
  EXPECT_THROW((void)files_of_text(text.substr(0, text.size() / 2), "test"), InputError);
  EXPECT_THROW((void)files_of_text("", "test"), InputError);
}

}  // namespace
}  // namespace wavewright
