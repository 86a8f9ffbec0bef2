#include <dlfcn.h>

#include <filesystem>

#include "apps/serve/http_server.h"
#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

namespace fs = std::filesystem;

// Where it is installed, relative to the command; else beside it, as in the build folder.
fs::path shared_object() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed =
      (folder / WAVEWRIGHT_INSTALLED_MODULES / WAVEWRIGHT_HTTP_SERVER).lexically_normal();
  return fs::exists(installed, error) ? installed : folder / WAVEWRIGHT_HTTP_SERVER;
}

}  // namespace

std::unique_ptr<HttpServer> start_http_server(const ListenOptions& options, const Api& api,
                                              const LiveBoard& board) {
  const std::string file = shared_object().string();
  // Never closed: the server's threads and exceptions need its code.
  void* const loaded = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const start = loaded == nullptr ? nullptr : ::dlsym(loaded, "wavewright_http_server");
  if (start == nullptr) {
    const char* const words = ::dlerror();
    std::string text = words == nullptr ? "unknown reason" : words;
    if (text.starts_with(file + ": ")) text.erase(0, file.size() + 2);
    throw ExternalError({file}, "the HTTP server cannot be loaded: " + text,
                        "install Wavewright again, with the packages that it needs");
  }
  return std::unique_ptr<HttpServer>(
      reinterpret_cast<decltype(wavewright_http_server)*>(start)(options, api, board));
}

}  // namespace wavewright::app
