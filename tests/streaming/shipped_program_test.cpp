#include "wavewright/streaming/shipped_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/property.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/child_program.h"
#include "wavewright/core/file.h"

namespace wavewright {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::Field;
using ::testing::StartsWith;

TEST(ShippedProgram, HasTheProgramItsLoaderAndItsLibraries) {
  const std::vector<ShippedFile> files = files_of_this_program();
  for (const char* name : {"bin/wavewright", "lib/ld.so", "lib/libc.so.6", "lib/libstdc++.so.6"})
    EXPECT_THAT(files, Contains(Field(&ShippedFile::name, name)));
  // The program itself is not linked with it.
  EXPECT_THAT(files, Contains(Field(&ShippedFile::name, StartsWith("lib/libcurl.so"))));
}

// This program under the sanitizers has half a gigabyte: another one stands for it there.
std::vector<ShippedFile> files_to_pack() {
  std::vector<ShippedFile> files = files_of_this_program();
  for (ShippedFile& each : files) {
    if (under_sanitizers && each.name == "bin/wavewright") each.file = "/bin/true";
  }
  return files;
}

TEST(ShippedProgram, IsPackedOnceAndUnpacksByTar) {
  const TemporaryFolder folder;
  const std::vector<ShippedFile> files = files_to_pack();
  const fs::path archive = pack_this_program(folder.path(), files);
  const auto made = fs::last_write_time(archive);
  EXPECT_EQ(pack_this_program(folder.path(), files), archive);
  EXPECT_EQ(fs::last_write_time(archive), made);
  const ProgramEnd end =
      run_program({"tar", "-xzf", archive.string(), "-C", folder.path().string()}, {}, nullptr);
  ASSERT_EQ(end.status, 0) << end.complaints;
  for (const ShippedFile& file : files) {
    const fs::path unpacked = folder.path() / file.name;
    EXPECT_EQ(fs::file_size(unpacked), fs::file_size(file.file)) << file.name;
    EXPECT_NE(fs::status(unpacked).permissions() & fs::perms::owner_exec, fs::perms::none) << file.name;
  }
}

TEST(ShippedProgram, WhatAKilledProgramLeftIsRemovedLater) {
  const TemporaryFolder folder;
  const fs::path left = folder.path() / "program-0123.tar.gz.part0001",
                 fresh = folder.path() / "program-45.tar.gz.part2";
  const fs::path other = folder.path() / "notes.tar.gz.part1";
  for (const fs::path& each : {left, fresh, other})
    write_file(each, [](std::ostream& out) { out << "half"; });
  for (const fs::path& each : {left, other})
    fs::last_write_time(each, fs::file_time_type::clock::now() - std::chrono::hours(2));
  (void)pack_this_program(folder.path(), files_to_pack());
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(fresh)) << "another program may be at it";
  EXPECT_TRUE(fs::exists(other));
}

}  // namespace
}  // namespace wavewright
