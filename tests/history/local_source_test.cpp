// Files and folders: what is read, in which order, and what is said of the rest.
#include <sys/stat.h>
#include <zlib.h>

#include <fstream>

#include "tests/history/samples.h"
#include "tests/memory.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/when.h"
#include "wavewright/history/source.h"

namespace wavewright {
namespace {

namespace fs = std::filesystem;
using namespace tests;
using Severity = Diagnostic::Severity;

class Paths : public ::testing::Test {
 protected:
  void put(const fs::path& name, std::string_view bytes) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
  void put_gzip(const fs::path& name, std::string_view bytes) const {
    gzFile out = gzopen((folder / name).c_str(), "wb9");
    for (std::size_t at = 0; at < bytes.size(); at += 1U << 20) {
      const std::string_view part = bytes.substr(at, 1U << 20);
      gzwrite(out, part.data(), static_cast<unsigned>(part.size()));
    }
    gzclose(out);
  }

  [[nodiscard]] std::vector<FileHistory> all(const fs::path& path) const {
    std::vector<FileHistory> files;
    read_history_path(path, [&](FileHistory&& file) { files.push_back(std::move(file)); });
    return files;
  }
  [[nodiscard]] FileHistory one(const fs::path& name) const {
    std::vector<FileHistory> files = all(folder / name);
    EXPECT_EQ(files.size(), 1U);
    return files.empty() ? FileHistory{} : std::move(files.front());
  }

  TemporaryFolder own;
  fs::path folder = own.path();
  std::string history = jhist(schema_3(), word_count(), Encoding::binary);
};

TEST_F(Paths, FoldersAreReadInOrderOfNames) {
  put("2026/b.jhist", history);
  put("2026/a/z.log", word_count_log());
  put("2025.jhist", history);
  put("2026/_logs/history/job_1", word_count_log());
  std::vector<std::string> names;
  for (const FileHistory& file : all(folder)) {
    EXPECT_EQ(file.runs.size(), 1U) << file.name;
    EXPECT_EQ(file.runs.at(0).source, file.name);
    names.push_back(fs::relative(file.name, folder).string());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"2025.jhist", "2026/_logs/history/job_1", "2026/a/z.log",
                                             "2026/b.jhist"}));
}

// An import remembers files by their names: one name must not stand for two files, nor two for one.
TEST_F(Paths, AFileHasOneNameWhereverItIsNamedFrom) {
  put("a/h/x.jhist", history);
  put("b/h/x.jhist", history);
  const fs::path before = fs::current_path();
  const auto named_in = [&](const char* from, const fs::path& path) {
    fs::current_path(folder / from);
    const FileHistory file = all(path).at(0);
    fs::current_path(before);
    EXPECT_EQ(file.runs.at(0).source, file.name);
    return file.name;
  };
  const std::string a = (folder / "a/h/x.jhist").string();
  for (const char* path : {"h", "h/", "./h", "../a/./h//", "h/x.jhist", "../b/../a/h/x.jhist"}) {
    EXPECT_EQ(named_in("a", path), a) << path;
  }
  EXPECT_EQ(named_in("a/h", "."), a);
  EXPECT_EQ(named_in("a", folder / "a/h"), a);
  EXPECT_EQ(named_in("b", "h"), (folder / "b/h/x.jhist").string());
}

TEST_F(Paths, FormatsAreRecognisedByContentAndGzipInflated) {
  put("history.txt", history);
  EXPECT_EQ(one("history.txt").format, "Hadoop 2+ jhist");
  put("job.jhist", word_count_log());
  EXPECT_EQ(one("job.jhist").format, "Hadoop 1 log");
  put_gzip("job.gz", history);
  EXPECT_EQ(one("job.gz").runs.size(), 1U);
}

TEST_F(Paths, WhatStandsBesideHistoriesIsPassedOverWithANote) {
  for (const char* name :
       {"job_1_conf.xml", ".job_1.jhist.crc", "_SUCCESS", "job_1.summary", "job_1_conf.xml.gz"}) {
    put(name, "anything");
    const FileHistory file = one(name);
    ASSERT_EQ(file.diagnostics.size(), 1U);
    EXPECT_EQ(file.diagnostics.front().severity, Severity::note) << name;
  }
}

TEST_F(Paths, OtherContentSaysWhatItSeemsToBe) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "file is empty"},
      {" \n", "file is empty"},
      {"<!DOCTYPE html>\n<html>",
       "an HTML page, not a history: fetch the history file itself, not its web page"},
      {"<?xml version=\"1.0\"?><configuration>", "a Hadoop configuration, not a history"},
      {"{\"Event\":\"SparkListenerLogStart\"}", "a Spark event log, not a MapReduce history"},
      {"{\"jobs\":{}}", "JSON, but no MapReduce history"},
      {std::string("Obj\x01\x04", 5), "an Avro container file, not a job history"},
      {std::string("\x7f"
                   "ELF\x02\0\0",
                   7),
       "binary data of an unknown format"},
      {"hello", "text of an unknown format"},
      {"Avro-Json", "cut off before the first event"},
  };
  for (const auto& [content, reason] : cases) {
    put("file", content);
    const FileHistory file = one("file");
    EXPECT_TRUE(file.runs.empty());
    ASSERT_EQ(file.diagnostics.size(), 1U);
    EXPECT_EQ(file.diagnostics.front().reason, reason);
    EXPECT_EQ(file.diagnostics.front().severity, Severity::skipped);
    EXPECT_EQ(file.diagnostics.front().where.source, (folder / "file").string());
  }
}

TEST_F(Paths, WhatCannotBeReadIsAReasonNotAnError) {
  EXPECT_THROW(open_source((folder / "absent").string()), ExternalError);  // before an import begins
  fs::create_symlink(folder / "nowhere", folder / "dangling");
  EXPECT_EQ(one("dangling").diagnostics.at(0).reason, "a link to nothing");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);  // opening it would wait for ever
  EXPECT_EQ(one("pipe").diagnostics.at(0).reason, "neither a file nor a folder");
  fs::create_directories(folder / "empty");
  EXPECT_EQ(one("empty").diagnostics.at(0).reason, "folder is empty");
  fs::create_symlink(folder / "loop2", folder / "loop1");
  fs::create_symlink(folder / "loop1", folder / "loop2");
  EXPECT_FALSE(one("loop1").diagnostics.at(0).reason.empty());
}

TEST_F(Paths, LinksToFoldersAreNotFollowedWithin) {
  put("real/a.jhist", history);
  fs::create_directory_symlink(folder, folder / "real/back");
  std::size_t runs = 0;
  for (const FileHistory& file : all(folder)) runs += file.runs.size();
  EXPECT_EQ(runs, 1U);
  fs::create_directory_symlink(folder / "real", folder / "named");
  EXPECT_EQ(all(folder / "named").at(0).runs.size(), 1U);  // but one that the user names is
}

TEST_F(Paths, SettingsBesideAHistoryAreReadWithIt) {
  const std::string conf =
      "<configuration><property><name>mapred.reduce.tasks</name><value>1</value></property></configuration>";
  put("new/job_1700000000000_0007-1-ada.jhist", history);
  put("new/job_1700000000000_0007_conf.xml", conf);
  put("old/jobtracker_1699999999999_job_1700000000000_0007_ada_word+count", word_count_log());
  put("old/jobtracker_1699999999999_job_1700000000000_0007_conf.xml", conf);
  put("bomb/a.jhist", history);
  put_gzip("bomb/job_1700000000000_0007_conf.xml.gz", std::string(std::size_t{32} << 20, ' '));
  for (const char* name : {"new", "old", "bomb"}) {
    for (const FileHistory& file : all(folder / name)) {
      if (file.runs.empty()) continue;
      EXPECT_EQ(file.runs[0].settings.contains("mapreduce.job.reduces"), name != std::string("bomb")) << name;
    }
  }
}

TEST_F(Paths, AFileThatStillGrowsIsTakenAndReadAgainLater) {
  put("job.jhist", std::string_view(history).substr(0, history.size() - 40));
  const auto source = open_source(folder);
  std::vector<HistoryFile> listed;
  const auto list = [&] {
    source->list(
        [&](HistoryFile&& file) {
          listed.push_back(std::move(file));
          return true;
        },
        [](Diagnostic&&) {});
  };
  list();
  put("job.jhist", history);
  const FileHistory file = source->read(listed.at(0));
  EXPECT_EQ(file.runs.size(), 1U);
  ASSERT_EQ(file.diagnostics.size(), 1U);
  EXPECT_EQ(file.diagnostics[0].reason, "changed while it was read: taken as far as it was written");
  list();
  EXPECT_NE(listed.at(0).version, listed.at(1).version);
  EXPECT_TRUE(source->read(listed[1]).diagnostics.empty());
  fs::remove(folder / "job.jhist");
  EXPECT_EQ(source->read(listed[1]).diagnostics.at(0).reason, "gone since it was listed");
}

// 5 GB of one line, without the disk to hold it; and zeros that inflate a thousandfold.
TEST_F(Paths, HugeFilesAndBombsAreRefusedInLittleMemory) {
  put("huge.jhist", "Avro-Json\n{}\n{");
  fs::resize_file(folder / "huge.jhist", std::uintmax_t{5} << 30);
  put("large.jhist", "hello");
  fs::resize_file(folder / "large.jhist", std::uintmax_t{900} << 20);
  put_gzip("zeros.gz", std::string(std::size_t{200} << 20, '\0'));
  const std::int64_t before = peak_kb();
  EXPECT_EQ(one("huge.jhist").diagnostics.at(0).reason, "larger than any history: 1 GiB and more");
  EXPECT_EQ(one("large.jhist").diagnostics.at(0).reason, "binary data of an unknown format");
  EXPECT_EQ(one("zeros.gz").diagnostics.at(0).reason, "binary data of an unknown format");
  EXPECT_LT(peak_kb() - before, 32 * 1024);
}

// A first line that is a history's, and then one that does not end.
TEST_F(Paths, AHugeLineOfAHistoryIsRefusedWithoutASecondCopy) {
  constexpr std::int64_t size_kb = std::int64_t{200} << 10;
  for (const char* start : {"Avro-Json\n", "Avro-Binary\n", "Meta VERSION=\"1\" .\nJob JOBID=\""}) {
    std::string content;
    content.reserve(std::size_t{size_kb} << 10);
    content += start;
    content.resize(std::size_t{size_kb} << 10, 'x');
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins anew
    const std::int64_t before = peak_kb();
    std::string reason;
    read_history(
        content, "line.jhist", [](JobRun&&) {}, [&](Diagnostic&& told) { reason += told.reason + "\n"; });
    EXPECT_LT(peak_kb() - before, size_kb / 4 + kept_kb) << start;
    EXPECT_NE(reason.find("longer than 64 MiB"), std::string::npos) << start << reason;
  }
}

// Lines and records that do not end are refused while they are read, not after; the file may be packed.
TEST_F(Paths, WhatDoesNotEndIsRefusedBeforeItIsInMemory) {
  struct Case {
    std::string start;
    char fill;
    std::string reason;
    std::int64_t most_kb;
  };
  const std::vector<Case> cases = {
      {"Avro-Json\n{\"a", 'x', "line longer than 64 MiB, as Hadoop writes none", 200 * 1024},
      {"Meta VERSION=\"1\" .\nJob JOBID=\"", 'x', "line longer than 64 MiB, as Hadoop writes none",
       200 * 1024},
      {"Avro-Json\n{\"a", '\0', "a long row of zero bytes, as no history has", 16 * 1024},
      {"Avro-Binary\n{}\n", '\0', "a long row of zero bytes, as no history has", 16 * 1024},
      {"{\"mapTasks\": [", '\0', "a long row of zero bytes, as no history has", 16 * 1024},
  };
  for (const Case& each : cases) {
    {
      std::ofstream out(folder / "endless.jhist", std::ios::binary);
      out << each.start;
      const std::string piece(std::size_t{1} << 20, each.fill);
      for (int i = 0; i < 400; ++i) out << piece;
    }
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins anew
    const std::int64_t before = peak_kb();
    const FileHistory told = one("endless.jhist");
    ASSERT_EQ(told.diagnostics.size(), 1U) << each.start;
    EXPECT_EQ(told.diagnostics[0].reason, each.reason);
    EXPECT_LT(peak_kb() - before, each.most_kb + kept_kb) << each.start;
  }
}

TEST_F(Paths, ABombThatBeginsLikeAHistoryIsRefusedToo) {
  std::string lines(std::size_t{100} << 20, ' ');
  for (std::size_t at = 0; at < lines.size(); at += 1'000) lines[at] = '\n';
  put_gzip("bomb.gz", "Avro-Json\n" + lines);
  const std::int64_t before = peak_kb();
  const std::string reason = one("bomb.gz").diagnostics.at(0).reason;
  EXPECT_EQ(reason, "inflates to more than 200 times its size, as no history does");
  EXPECT_LT(peak_kb() - before, 160 * 1024 + kept_kb);
}

TEST_F(Paths, ABombBehindATrueBeginningIsRefusedByWhatWasRead) {
  std::string noise(std::size_t{4} << 20,
                    ' ');  // it does not shrink: the whole file may hold 200 times as much
  std::uint32_t state = 1;
  for (char& c : noise) c = static_cast<char>('a' + ((state = state * 1664525 + 1013904223) >> 24) % 26);
  for (std::size_t at = 0; at < noise.size(); at += 1'000) noise[at] = '\n';
  std::string lines(std::size_t{250} << 20, ' ');
  for (std::size_t at = 0; at < lines.size(); at += 1'000) lines[at] = '\n';
  put_gzip("bomb.gz", "Avro-Json\n" + lines + noise);
  const std::int64_t before = peak_kb();
  EXPECT_EQ(one("bomb.gz").diagnostics.at(0).reason,
            "inflates to more than 200 times its size, as no history does");
  EXPECT_LT(peak_kb() - before, 160 * 1024 + kept_kb);
}

TEST_F(Paths, NamesOfAnyBytesStayOneLine) {
  put("a\nb\"c'\x1b[31m.jhist", "hello");
  const FileHistory file = one("a\nb\"c'\x1b[31m.jhist");
  EXPECT_EQ(file.name, (folder / "a\nb\"c'\x1b[31m.jhist").string());
  EXPECT_TRUE(file.diagnostics.at(0).where.text().ends_with("/a\\nb\"c'\\x1b[31m.jhist"));
}

TEST_F(Paths, SinceLeavesOutWhatCameBefore) {
  put("a.jhist", history);
  SourceOptions options;
  const auto files = [&](std::int64_t seconds_from_now) {
    options.since = now_instant() + ms(seconds_from_now * 1000);
    std::size_t count = 0;
    open_source(folder, options)->list([&](HistoryFile&&) { return ++count > 0; }, [](Diagnostic&&) {});
    return count;
  };
  EXPECT_EQ(files(-60), 1U);
  EXPECT_EQ(files(60), 0U);
}

TEST_F(Paths, DamagedGzipIsAReason) {
  put_gzip("whole.gz", history);
  std::ifstream in(folder / "whole.gz", std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  put("cut.gz", std::string_view(bytes).substr(0, bytes.size() / 2));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  put("flipped.gz", bytes);
  for (const char* name : {"cut.gz", "flipped.gz"}) {
    const FileHistory file = one(name);
    EXPECT_TRUE(file.runs.empty());
    ASSERT_EQ(file.diagnostics.size(), 1U);
    EXPECT_NE(file.diagnostics.front().reason.find("gzip"), std::string::npos)
        << file.diagnostics.front().reason;
  }
}

}  // namespace
}  // namespace wavewright
