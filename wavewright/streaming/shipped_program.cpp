#include "wavewright/streaming/shipped_program.h"

#include <link.h>

#include <algorithm>
#include <chrono>
#include <set>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/system_library.h"
#include "wavewright/core/tar.h"
#include "wavewright/store/key.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;

struct Loaded {
  std::vector<fs::path> objects;
  std::string loader;  // as the program names it
};

int take_object(dl_phdr_info* info, std::size_t, void* to) {
  auto& loaded = *static_cast<Loaded*>(to);
  const fs::path path = info->dlpi_name;
  if (path.is_absolute()) {
    loaded.objects.push_back(path);
    return 0;
  }
  for (ElfW(Half) i = 0; i < info->dlpi_phnum && loaded.loader.empty(); ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];  // NOLINT(cppcoreguidelines-pro-bounds-pointer-arithmetic)
    // NOLINTNEXTLINE: the loader has mapped it
    if (part.p_type == PT_INTERP)
      loaded.loader = reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr);
  }
  return 0;
}

// A variant for newer processors may not run on a node: the plain one beside it does.
fs::path for_any_processor(const fs::path& object) {
  fs::path plain;
  bool variant = false;
  for (const fs::path& part : object) {
    if (part == "glibc-hwcaps") variant = true;
    if (!variant) plain /= part;
  }
  plain /= object.filename();
  std::error_code ignored;
  return variant && fs::exists(plain, ignored) ? plain : object;
}

// Removes archives of programs that were killed while they packed.
void remove_unfinished(const fs::path& folder) {
  constexpr auto old = std::chrono::hours(1);
  std::error_code error;
  for (const fs::directory_entry& each : fs::directory_iterator(folder, error)) {
    const std::string name = each.path().filename();
    if (!name.starts_with("program-") || name.find(".tar.gz.") == std::string::npos) continue;
    const auto written = each.last_write_time(error);
    if (!error && fs::file_time_type::clock::now() - written > old) fs::remove(each.path(), error);
  }
}

}  // namespace

std::vector<ShippedFile> files_of_this_program() {
  // A task of an import reads through HTTP. The other libraries that are loaded late are not for tasks.
  (void)address_in(SystemLibrary::curl, "curl_easy_init");
  Loaded loaded;
  ::dl_iterate_phdr(take_object, &loaded);
  if (loaded.loader.empty())
    throw ExternalError({"this program"}, "was not started by the system's loader",
                        "start it as it is installed");
  std::vector<ShippedFile> files = {{"bin/wavewright", "/proc/self/exe"}, {"lib/ld.so", loaded.loader}};
  std::set<std::string> names;
  for (const fs::path& object : loaded.objects) {
    const fs::path file = for_any_processor(object);
    if (names.insert(file.filename().string()).second)
      files.push_back({"lib/" + file.filename().string(), file});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

fs::path pack_this_program(const fs::path& folder, const std::vector<ShippedFile>& files) {
  std::string facts;
  for (const ShippedFile& each : files) {
    std::error_code error;
    const auto size = fs::file_size(each.file, error);
    const auto changed = fs::last_write_time(each.file, error).time_since_epoch().count();
    if (error)
      throw ExternalError({each.file.string()}, "cannot be read: " + error.message(), "check its rights");
    facts += fmt::format("{} {} {}\n", each.name, size, changed);
  }
  const fs::path archive = folder / fmt::format("program-{}.tar.gz", hash_text(facts).substr(0, 16));
  std::error_code ignored;
  if (fs::exists(archive, ignored)) return archive;
  remove_unfinished(folder);
  write_file(archive, [&](std::ostream& out) {
    TarWriter tar(out);
    for (const ShippedFile& each : files) tar.add_file(each.name, each.file, true);
    tar.finish();
  });
  return archive;
}

std::string command_in(const std::string& folder) {
  return fmt::format("{0}/lib/ld.so --inhibit-cache --library-path {0}/lib {0}/bin/wavewright", folder);
}

}  // namespace wavewright
