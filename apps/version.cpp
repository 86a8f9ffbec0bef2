#include "apps/version.h"

#include "wavewright/core/version.h"

#include <fmt/format.h>

#include "commit.h"

namespace wavewright::app {

namespace {

#ifdef __clang__
constexpr const char* compiler = "Clang " __clang_version__;
#else
constexpr const char* compiler = "GCC " __VERSION__;
#endif

}  // namespace

Version version() {
  return {WAVEWRIGHT_VERSION, WAVEWRIGHT_COMMIT, WAVEWRIGHT_COMMIT_CHANGED,
          *WAVEWRIGHT_BUILD_TYPE == '\0' ? "no build type" : WAVEWRIGHT_BUILD_TYPE, compiler};
}

std::string version_line() {
  constexpr std::size_t digits = 12;
  const Version is = version();
  return fmt::format("wavewright {} (commit {}{}; {}, {})", is.number, is.commit.substr(0, digits),
                     is.changed ? ", changed" : "", is.build_type, is.compiler);
}

}  // namespace wavewright::app
