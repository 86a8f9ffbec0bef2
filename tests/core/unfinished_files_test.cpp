// Temporary files that a signal removes.
#include "wavewright/core/unfinished_files.h"

#include <fstream>
#include <list>

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright {
namespace {

namespace fs = std::filesystem;

class UnfinishedFiles : public ::testing::Test {
 protected:
  fs::path file(int number) const {
    fs::path path = folder_.path() / std::to_string(number);
    std::ofstream(path) << number;
    return path;
  }
  [[nodiscard]] long files() const {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  }

  TemporaryFolder folder_;
};

TEST_F(UnfinishedFiles, AreRemovedAndNoOthers) {
  (void)file(1);
  const UnfinishedFile second(file(2));
  {
    const UnfinishedFile third(file(3));
  }
  remove_unfinished_files();
  EXPECT_TRUE(fs::exists(folder_.path() / "1"));
  EXPECT_FALSE(fs::exists(folder_.path() / "2"));
  EXPECT_TRUE(fs::exists(folder_.path() / "3")) << "it was finished";
  const UnfinishedFile fourth(file(4));
  remove_unfinished_files();
  EXPECT_EQ(files(), 2);
}

TEST_F(UnfinishedFiles, OfMoreThanTheyHoldTheRestStays) {
  for (int round = 0; round < 3; ++round) {
    std::list<UnfinishedFile> all;
    for (int i = 0; i < 20; ++i) all.emplace_back(file(i));
    all.erase(all.begin());  // makes room for one
    all.emplace_back(file(20));
    remove_unfinished_files();
    EXPECT_EQ(files(), 1 + 4);
  }
}

TEST_F(UnfinishedFiles, AreThoseThatAreBeingWritten) {
  const fs::path path = folder_.path() / "whole";
  const auto write = [&](std::ostream& out) {
    out << "x";
    EXPECT_EQ(files(), 1);
    remove_unfinished_files();
    EXPECT_EQ(files(), 0);
  };
  EXPECT_THROW(write_file(path, write), ExternalError);
  write_file(path, [](std::ostream& out) { out << "y"; });
  remove_unfinished_files();
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace wavewright
