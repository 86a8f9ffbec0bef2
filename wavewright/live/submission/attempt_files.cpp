#include "wavewright/live/submission/attempt_files.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace fs = std::filesystem;

fs::path file_of(const ClientAttempt& attempt, const char* suffix) {
  if (attempt.tag.empty() || attempt.tag.find('/') != std::string::npos)
    throw InputError({attempt.folder}, "a job's tag is none", "restore the store from a copy");
  return fs::path(attempt.folder) / fmt::format("{}.{}.{}", attempt.tag, attempt.number, suffix);
}

std::vector<char*> pointers_of(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words)
    pointers.push_back(const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  pointers.push_back(nullptr);
  return pointers;
}

std::string start_of_process(int process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string stat;
  std::getline(file, stat);
  std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
  std::string field;
  constexpr int fields_between = 20;
  for (int i = 0; i < fields_between; ++i) fields >> field;
  return field;
}

}  // namespace wavewright
