#include "wavewright/core/memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace wavewright {

namespace {

constexpr std::uint64_t not_told = std::uint64_t{1} << 62;

// A file with one number of bytes; nothing for `max`.
std::optional<std::uint64_t> number_in(const char* path) {
  std::ifstream file(path);
  std::uint64_t bytes = 0;
  return file >> bytes ? std::optional(bytes) : std::nullopt;
}

std::uint64_t left(std::uint64_t limit, std::uint64_t used) {
  return limit > used ? limit - used : 0;
}

std::uint64_t of_machine() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  while (file >> name) {
    std::uint64_t kib = 0;
    if (name == "MemAvailable:" && file >> kib) return kib << 10;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return not_told;
}

std::uint64_t of_control_group() {
  const auto limit = number_in("/sys/fs/cgroup/memory.max");
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  return limit && used ? left(*limit, *used) : not_told;
}

std::uint64_t of_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return not_told;
  std::ifstream file("/proc/self/statm");  // pages
  constexpr std::uint64_t page = 4096;
  std::uint64_t pages = 0;
  file >> pages;
  return left(limit.rlim_cur, pages * page);
}

}  // namespace

std::uint64_t available_memory() {
  return std::min({of_machine(), of_control_group(), of_address_space()});
}

}  // namespace wavewright
