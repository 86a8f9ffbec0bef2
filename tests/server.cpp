#include "tests/server.h"
#include "tests/paths.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

namespace wavewright::tests {

Server::Server(const std::vector<std::string>& arguments) {
  ::setenv("no_proxy", "127.0.0.1,localhost", 1);  // a machine's proxy does not know this server
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  if (::pipe2(to.data(), O_CLOEXEC) != 0 || ::pipe2(from.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe for a server");
  }
  std::vector<std::string> words = {"python3", wavewright::source_dir() + "/tests/server.py"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  child_ = ::fork();
  if (child_ == 0) {
    ::dup2(to[0], STDIN_FILENO);
    ::dup2(from[1], STDOUT_FILENO);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  input_ = to[1];
  FILE* const told = ::fdopen(from[0], "r");
  std::array<char, 64> line{};
  if (std::fgets(line.data(), line.size(), told) != nullptr) port_ = std::atoi(line.data());
  std::fclose(told);
  if (port_ == 0) throw std::runtime_error("the test's server did not start; is python3 there?");
}

Server::~Server() {
  stop();
}

void Server::stop() {
  if (child_ <= 0) return;
  ::close(input_);
  ::kill(child_, SIGTERM);
  ::waitpid(child_, nullptr, 0);
  child_ = -1;
}

}  // namespace wavewright::tests
