#include "wavewright/core/system_library.h"

#include <dlfcn.h>

#include <string>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

struct Known {
  const char* file;    // as the loader searches it
  const char* remedy;  // when it is missing
};

// The files' names are of cmake/SystemLibraries.cmake.
Known known(SystemLibrary library) {
  switch (library) {
    case SystemLibrary::crypto:
      return {WAVEWRIGHT_CRYPTO, "install OpenSSL (Debian's package libssl3)"};
    case SystemLibrary::curl:
      return {WAVEWRIGHT_CURL, "install libcurl (Debian's package libcurl4)"};
    case SystemLibrary::soci_mysql:
      return {WAVEWRIGHT_SOCI_MYSQL, "install SOCI for MariaDB (Debian's package libsoci-mysql4.0)"};
    case SystemLibrary::soci_postgresql:
      break;
  }
  return {WAVEWRIGHT_SOCI_POSTGRESQL, "install SOCI for PostgreSQL (Debian's package libsoci-postgresql4.0)"};
}

// The loader's message without the file, which the error shows already.
[[noreturn]] void refuse(const Known& library, const char* problem) {
  const char* const words = ::dlerror();
  std::string text = words == nullptr ? "unknown reason" : words;
  if (const std::string file = std::string(library.file) + ": "; text.starts_with(file))
    text.erase(0, file.size());
  throw ExternalError({library.file}, problem + text, library.remedy);
}

}  // namespace

void* address_in(SystemLibrary library, const char* function) {
  const Known of = known(library);
  // Loaded once: later calls only count. Never closed, because sessions and handles need its code.
  void* const loaded = ::dlopen(of.file, RTLD_LAZY | RTLD_LOCAL);
  if (loaded == nullptr) refuse(of, "the library cannot be loaded: ");
  void* const address = ::dlsym(loaded, function);
  if (address == nullptr) refuse(of, "the library is another than expected: ");
  return address;
}

}  // namespace wavewright
