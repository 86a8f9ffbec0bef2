// This program as an archive that runs on any machine of its architecture: the program, the shared objects
// that it has loaded, and the loader. Nothing of it need be installed there.
//
//   bin/wavewright   lib/ld-linux-x86-64.so.2   lib/libc.so.6   …
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wavewright {

struct ShippedFile {
  std::string name;  // in the archive
  std::filesystem::path file;
};

// The files of this process. O(shared objects). Throws ExternalError if the system does not tell them.
[[nodiscard]] std::vector<ShippedFile> files_of_this_program();

// Makes `folder`/program-HASH.tar.gz of `files` unless it is there; the hash is of their names, sizes and
// times. Throws ExternalError if it cannot.
[[nodiscard]] std::filesystem::path pack_this_program(
    const std::filesystem::path& folder, const std::vector<ShippedFile>& files = files_of_this_program());

// The command that runs what was unpacked in `folder`, by the loader that came with it.
[[nodiscard]] std::string command_in(const std::string& folder);

}  // namespace wavewright
