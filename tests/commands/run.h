// Runs the real `wavewright` in a folder of its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace wavewright {

struct CommandResult {
  int status = -1;
  std::string out;
  std::string err;
};

class CommandTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Arguments as a shell would split them: single quotes keep spaces together. The store is `store.db` in the
  // test's folder, which is also the working folder; standard error is no terminal.
  [[nodiscard]] CommandResult run(const std::string& arguments) const;
  // The same, and SIGINT after a second; status 137 if it has not ended 20 s later.
  [[nodiscard]] CommandResult run_interrupted(const std::string& arguments) const;
  // As `run` with standard output on a terminal of that width, without carriage returns; both streams are
  // `out`.
  [[nodiscard]] CommandResult run_on_terminal(const std::string& arguments, int columns) const;
  void write(const std::string& file, const std::string& content) const;
  [[nodiscard]] std::string read(const std::string& file) const;
  [[nodiscard]] std::string store_url() const { return "sqlite:" + (folder_ / "store.db").string(); }

  std::filesystem::path folder_;

 private:
  [[nodiscard]] std::string environment() const;
  [[nodiscard]] CommandResult run_under(const std::string& program, const std::string& arguments) const;
};

[[nodiscard]] std::size_t lines_of(const std::string& text);
// Characters of the longest line.
[[nodiscard]] std::size_t width_of(const std::string& text);

}  // namespace wavewright
