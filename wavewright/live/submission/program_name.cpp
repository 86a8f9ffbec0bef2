#include "wavewright/live/submission/program_name.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

namespace wavewright {

namespace {

// When the process began, in ticks since the machine did; empty if there is none.
std::string start_of(long process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  // The second field is the program's name in brackets, which may hold anything.
  std::size_t at = text.rfind(')');
  constexpr int fields_between = 20;  // from behind the second to the 22nd
  for (int i = 0; i < fields_between && at != std::string::npos; ++i) at = text.find(' ', at + 1);
  if (at == std::string::npos) return {};
  return text.substr(at + 1, text.find(' ', at + 1) - at - 1);
}

std::string name_of(long process, const std::string& start) {
  return fmt::format("{} {} {}", this_machine(), process, start);
}

// The process's id, if that is a program of this machine.
std::optional<long> process_of(const std::string& program) {
  const std::string prefix = this_machine() + " ";
  if (!program.starts_with(prefix)) return std::nullopt;
  const std::string_view rest = std::string_view(program).substr(prefix.size());
  long process = 0;
  if (std::from_chars(rest.data(), rest.data() + rest.size(), process).ec != std::errc{}) return std::nullopt;
  return process;
}

bool lives(const std::string& program, long process) {
  return name_of(process, start_of(process)) == program;
}

}  // namespace

const std::string& this_machine() {
  static const std::string name = [] {
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) != 0) host = {'?'};
    std::ifstream file("/etc/machine-id");
    std::string id;
    std::getline(file, id);
    return fmt::format("{}/{}", host.data(), id);
  }();
  return name;
}

std::string this_program() {
  return name_of(getpid(), start_of(getpid()));
}

bool has_died_here(const std::string& program) {
  const std::optional<long> process = process_of(program);
  return process && !lives(program, *process);
}

std::optional<std::vector<std::string>> environment_of_program(const std::string& program) {
  const std::optional<long> process = process_of(program);
  if (!process) return std::nullopt;
  const std::string file = fmt::format("/proc/{}/environ", *process);
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0 || status.st_uid != ::geteuid()) return std::nullopt;
  std::ifstream entries(file, std::ios::binary);
  if (!entries) return std::nullopt;
  std::vector<std::string> environment;
  for (std::string entry; std::getline(entries, entry, '\0');) environment.push_back(entry);
  if (!lives(program, *process)) return std::nullopt;
  return environment;
}

}  // namespace wavewright
