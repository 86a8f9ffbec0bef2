#include "wavewright/core/file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "wavewright/core/checked_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/gzip.h"
#include "wavewright/core/unfinished_files.h"

namespace wavewright {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_writing(const fs::path& path, const std::string& what) {
  throw ExternalError({path.string()}, "cannot write: " + what,
                      "name a file in a folder that you may write to");
}

void write_straight(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  if (!out) refuse_writing(path, std::strerror(errno));
  write(out);
  out.close();
  if (!out) refuse_writing(path, std::strerror(errno));
}

// Follows links to their target, even if the target does not exist.
fs::path behind_links(fs::path path) {
  constexpr int most_links = 40;  // as the system's own limit
  std::error_code error;
  for (int links = 0; fs::is_symlink(path, error); ++links) {
    if (links == most_links) refuse_writing(path, "its links lead in a circle");
    const fs::path next = fs::read_symlink(path, error);
    if (error) refuse_writing(path, error.message());
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

// Makes an empty file beside `target` under a name that nobody can guess, and that was not there: a link that
// somebody put there is not followed.
fs::path made_aside(const fs::path& target, const fs::path& asked, FileReaders readers) {
  constexpr int most_tries = 100;
  const mode_t mode = readers == FileReaders::owner ? 0600 : 0666;  // less what the umask takes
  std::random_device random;
  for (int tries = 0; tries < most_tries; ++tries) {
    fs::path aside = fmt::format("{}.part{:08x}{:08x}", target.string(), random(), random());
    const int file = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0) {
      ::close(file);
      return aside;
    }
    if (errno != EEXIST) break;
  }
  refuse_writing(asked, std::strerror(errno));
}

}  // namespace

void check_writable(const fs::path& path) {
  std::error_code error;
  const fs::file_status now = fs::status(path, error);
  if (fs::is_directory(now)) refuse_writing(path, "it is a folder");
  if (fs::exists(now) && !fs::is_regular_file(now)) return;
  fs::remove(made_aside(fs::is_symlink(path, error) ? behind_links(path) : path, path, FileReaders::owner),
             error);
}

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& write, FileReaders readers) {
  std::error_code error;
  // The type of the target now: /dev/stdout may lead to a pipe, which has no path.
  const fs::file_status old = fs::status(path, error);
  if (fs::is_directory(old)) refuse_writing(path, "it is a folder");
  if (fs::exists(old) && !fs::is_regular_file(old)) return write_straight(path, write);
  const fs::path target = fs::is_symlink(path, error) ? behind_links(path) : path;
  const fs::path aside = made_aside(target, path, readers);
  const UnfinishedFile unfinished(aside);
  const auto clean_up = [&] {
    std::error_code ignored;
    fs::remove(aside, ignored);
  };
  errno = 0;
  std::ofstream out(aside, std::ios::binary | std::ios::trunc);
  if (!out) {
    const std::string why = std::strerror(errno);
    clean_up();
    refuse_writing(path, why);
  }
  try {
    write(out);
  } catch (...) {
    out.close();
    clean_up();
    throw;
  }
  out.close();
  std::string problem = out ? "" : std::strerror(errno);
  if (problem.empty() && fs::exists(old) && readers == FileReaders::all)
    fs::permissions(aside, old.permissions(), error);
  if (problem.empty()) fs::rename(aside, target, error);
  if (problem.empty() && error) problem = error.message();
  if (problem.empty()) return;
  clean_up();
  refuse_writing(path, problem);
}

namespace {

using GzipFile = std::unique_ptr<gzFile_s, int (*)(gzFile)>;

GzipFile open_reading(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw ExternalError({path.string()}, "cannot read: it is a folder", "name a file");
  }
  errno = 0;
  GzipFile in(gzopen(path.c_str(), "rb"), gzclose);
  if (!in) {
    throw ExternalError({path.string()}, std::string("cannot read: ") + std::strerror(errno),
                        "check the path");
  }
  return in;
}

// Reads up to `count` bytes to `into`; 0 at the end. `had`: bytes before them, for the message.
std::size_t read_piece(const GzipFile& in, const fs::path& path, char* into, unsigned count,
                       std::size_t had) {
  const int got = gzread(in.get(), into, count);
  if (got >= 0) return static_cast<std::size_t>(got);
  int code = 0;
  const char* why = gzerror(in.get(), &code);
  if (code == Z_ERRNO) {
    throw ExternalError({path.string()}, std::string("cannot read: ") + std::strerror(errno),
                        "check the path");
  }
  throw InputError({path.string(), 0, static_cast<std::int64_t>(had)}, std::string("damaged gzip: ") + why,
                   "fetch the file again");
}

}  // namespace

std::string read_start(const fs::path& path, std::size_t count) {
  const GzipFile in = open_reading(path);
  std::string content(count, '\0');
  content.resize(read_piece(in, path, content.data(), static_cast<unsigned>(count), 0));
  return content;
}

std::string read_file(const fs::path& path, std::size_t limit) {
  return read_file_checked(path, limit, {});
}

std::string read_file_checked(const fs::path& path, std::size_t limit, const PieceCheck& check) {
  constexpr std::size_t chunk = 1U << 18;
  const GzipFile in = open_reading(path);
  gzbuffer(in.get(), 1U << 17);
  std::string content;
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (!error)
    content.reserve(std::min<std::size_t>(size, limit) + chunk + 1);  // a last, empty read needs room, too
  for (;;) {
    const std::size_t had = content.size();
    content.resize(had + chunk);
    const std::size_t got = read_piece(in, path, content.data() + had, chunk, had);
    content.resize(had + got);
    if (check) check(std::string_view(content).substr(had));
    if (content.size() > limit) {
      throw InputError({path.string()}, "larger than " + std::to_string(limit) + " bytes", "split it");
    }
    // A bomb behind a true beginning is refused by what was read of it so far, not by the size of its file.
    const auto stored = static_cast<std::size_t>(std::max<z_off_t>(0, gzoffset(in.get())));
    if (content.size() > inflated_limit(stored, std::numeric_limits<std::size_t>::max())) {
      throw InputError({path.string()}, "inflates to more than 200 times its size, as no history does",
                       "leave it out, or unpack it yourself if it is one");
    }
    if (got == 0) break;
  }
  int code = Z_OK;
  gzerror(in.get(), &code);
  if (code == Z_BUF_ERROR) {  // the stream ended before its end marker
    throw InputError({path.string(), 0, static_cast<std::int64_t>(content.size())}, "gzip file ends early",
                     "fetch the file again");
  }
  return content;
}

void make_private_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) fs::permissions(folder, fs::perms::owner_all, error);
  if (error)
    throw ExternalError({folder.string()}, "cannot be made: " + error.message(),
                        "set XDG_STATE_HOME to a folder that you may write");
}

}  // namespace wavewright
