#include "wavewright/sched/policy_library.h"

#include <dlfcn.h>

#include <memory>
#include <string>
#include <utility>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(void* library) const { ::dlclose(library); }
};
using Library = std::unique_ptr<void, Close>;

constexpr const char* build_again = "build it again with this Wavewright and compiler";

// The loader's message without the path, which the error shows already.
std::string reason(const std::string& path) {
  const char* const words = ::dlerror();
  std::string text = words == nullptr ? "unknown reason" : words;
  if (text.starts_with(path + ": ")) text.erase(0, path.size() + 2);
  return text;
}

Library open(const fs::path& file) {
  if (read_start(file, 4) !=
      "\x7f"
      "ELF")
    throw InputError({file.string()}, "not a shared object", "name the file that the linker made: mine.so");
  // An absolute path, so that the loader does not search the system's libraries.
  const std::string path = fs::absolute(file).string();
  Library library(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library) throw InputError({file.string()}, "cannot be loaded: " + reason(path), build_again);
  return library;
}

template <class Function>
Function* find(const Library& library, const fs::path& file, const char* name, const char* remedy) {
  void* const symbol = ::dlsym(library.get(), name);
  if (symbol == nullptr) throw InputError({file.string()}, std::string("has no function ") + name, remedy);
  return reinterpret_cast<Function*>(symbol);
}

}  // namespace

void load_policies(const fs::path& file, PolicyRegistry& registry) {
  Library library = open(file);
  auto* const abi = find<decltype(wavewright_abi)>(library, file, "wavewright_abi",
                                                   "write WAVEWRIGHT_POLICY_LIBRARY in one of its sources");
  const char* const built_for = abi();
  if (built_for == nullptr || std::string_view(built_for) != WAVEWRIGHT_ABI) {
    throw InputError(
        {file.string()},
        "was built for " + shortened(built_for == nullptr ? "?" : built_for) + ", this is " + WAVEWRIGHT_ABI,
        build_again);
  }
  auto* const add = find<decltype(wavewright_register)>(
      library, file, "wavewright_register",
      "define extern \"C\" void wavewright_register(wavewright::PolicyRegistry&)");
  // Never closed: from here on, objects may exist that need its code.
  static_cast<void>(library.release());
  PolicyRegistry with = registry;
  try {
    add(with);
  } catch (const Error& error) {
    throw InputError({file.string()}, error.problem(), error.remedy());
  } catch (const std::exception& error) {
    throw InputError({file.string()}, std::string("its wavewright_register failed: ") + error.what());
  } catch (...) {
    throw InputError({file.string()}, "its wavewright_register threw what is no std::exception");
  }
  registry = std::move(with);
}

}  // namespace wavewright
