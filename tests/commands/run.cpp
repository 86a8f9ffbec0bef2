#include "tests/commands/run.h"
#include "tests/paths.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace wavewright {

namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

void CommandTest::SetUp() {
  std::string pattern = (std::filesystem::temp_directory_path() / "wavewright-command-XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
}

void CommandTest::TearDown() {
  std::filesystem::remove_all(folder_);
}

// The settings of whoever runs the tests do not count.
std::string CommandTest::environment() const {
  return "WAVEWRIGHT_STORE='" + store_url() + "' XDG_CONFIG_HOME='" + (folder_ / "settings").string() +
         "' WAVEWRIGHT_SYSTEM_CONFIG='" + (folder_ / "system.toml").string() + "'";
}

CommandResult CommandTest::run(const std::string& arguments) const {
  return run_under("", arguments);
}

CommandResult CommandTest::run_interrupted(const std::string& arguments) const {
  return run_under("timeout --preserve-status -k 20 -s INT 1", arguments);
}

CommandResult CommandTest::run_under(const std::string& program, const std::string& arguments) const {
  const std::string line = "cd '" + folder_.string() + "' && " + environment() + " " + program + " '" +
                           wavewright::command_path() + "' </dev/null " + arguments + " >out.txt 2>err.txt";
  const int status = std::system(line.c_str());  // NOLINT: the shell's quoting is what is wanted
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(folder_ / "out.txt"),
          content_of(folder_ / "err.txt")};
}

CommandResult CommandTest::run_on_terminal(const std::string& arguments, int columns) const {
  write("on-terminal", "stty cols " + std::to_string(columns) + "\n" + environment() + " '" +
                           wavewright::command_path() + "' " + arguments + "\n");
  const std::string line =
      "cd '" + folder_.string() + "' && script -qec 'sh on-terminal' /dev/null </dev/null >terminal.txt 2>&1";
  const int status = std::system(line.c_str());  // NOLINT: as above
  std::string text = content_of(folder_ / "terminal.txt");
  std::erase(text, '\r');
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text, ""};
}

void CommandTest::write(const std::string& file, const std::string& content) const {
  std::filesystem::create_directories((folder_ / file).parent_path());
  std::ofstream(folder_ / file, std::ios::binary) << content;
}

std::string CommandTest::read(const std::string& file) const {
  return content_of(folder_ / file);
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::size_t width_of(const std::string& text) {
  std::size_t widest = 0;
  std::size_t width = 0;
  for (const char c : text) {
    if (c == '\n') {
      width = 0;
    } else if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80U) {
      widest = std::max(widest, ++width);
    }
  }
  return widest;
}

}  // namespace wavewright
