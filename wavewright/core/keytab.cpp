#include "wavewright/core/keytab.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr const char* keytab_name = "KRB5_CLIENT_KTNAME";
constexpr const char* cache_name = "KRB5CCNAME";
constexpr const char* own_cache = "MEMORY:wavewright";
// What the process was started with, for the programs that it starts.
constexpr const char* kept_keytab = "WAVEWRIGHT_KEPT_KRB5_CLIENT_KTNAME";
constexpr const char* kept_cache = "WAVEWRIGHT_KEPT_KRB5CCNAME";

void replace(const char* name, const std::string& value, const char* kept) {
  const char* before = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): the process has one thread
  if (before != nullptr) ::setenv(kept, before, 1);
  ::setenv(name, value.c_str(), 1);
}

bool is(std::string_view entry, std::string_view name) {
  return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
}

}  // namespace

void use_keytab(const std::string& file) {
  if (file.empty()) return;
  std::ifstream keytab(file, std::ios::binary);
  constexpr int first_byte = 5;  // of each version of the format
  if (!keytab || keytab.get() != first_byte)
    throw UsageError("--keytab '" + file + "' is no keytab that can be read",
                     "make one with 'ktutil' or 'kadmin ktadd', readable for this account");
  const char* cache = std::getenv(cache_name);  // NOLINT(concurrency-mt-unsafe): likewise
  if (cache != nullptr && std::string_view(cache) == own_cache) return;  // it is in use
  replace(keytab_name, "FILE:" + std::filesystem::absolute(file).string(), kept_keytab);
  replace(cache_name, own_cache, kept_cache);
}

std::vector<std::string> environment_for_children() {
  const char* cache = std::getenv(cache_name);  // NOLINT(concurrency-mt-unsafe): nobody writes any more
  const bool own = cache != nullptr && std::string_view(cache) == own_cache;
  std::vector<std::string> entries;
  for (char** each = ::environ; *each != nullptr; ++each) {
    const std::string_view entry(*each);
    if (own && (is(entry, keytab_name) || is(entry, cache_name))) continue;
    if (own && (is(entry, kept_keytab) || is(entry, kept_cache))) {
      entries.emplace_back(entry.substr(entry.find("KEPT_") + 5));
      continue;
    }
    entries.emplace_back(entry);
  }
  return entries;
}

}  // namespace wavewright
