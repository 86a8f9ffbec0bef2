#include "wavewright/live/submission/command_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "wavewright/live/submission/command_words.h"
#include "wavewright/live/submission/local_path.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;

enum class Needs : std::uint8_t { regular_file, no_folder, any };

struct NamedFile {
  std::string path;
  Needs needs = Needs::any;
};

class NamedFiles {
 public:
  explicit NamedFiles(const std::vector<std::string>& command) : command_(command) {
    const std::string_view program = program_of(command);
    if (const auto jar = place_of_jar(command)) add(command[*jar], Needs::regular_file);
    add_generic();
    if (program == "spark-submit") add_spark();
    if (program == "hive" || program == "beeline") add_hive();
    if (program == "pig") add_pig();
    if (is_streaming()) add_behind("-file", Needs::any);
  }
  [[nodiscard]] const std::vector<NamedFile>& all() const { return files_; }

 private:
  void add(std::string_view path, Needs needs) {
    if (std::optional<std::string> local = local_path(path)) files_.push_back({std::move(*local), needs});
  }
  void add_list(std::string_view list) {
    for (std::string& path : local_paths(list)) files_.push_back({std::move(path), Needs::any});
  }
  void add_behind(std::string_view option, Needs needs) {
    for (std::size_t i = 1; i + 1 < command_.size(); ++i) {
      if (command_[i] == option) add(command_[++i], needs);
    }
  }

  void add_generic() {
    for (const CommandOption& option : generic_options(command_)) {
      if (option.name == "files" || option.name == "libjars" || option.name == "archives")
        add_list(option.value);
    }
  }

  void add_spark() {
    static constexpr std::array<std::string_view, 4> lists = {"--jars", "--py-files", "--files",
                                                              "--archives"};
    const SparkWords words = spark_words(command_);
    bool submits = true;
    for (const CommandOption& option : words.options) {
      if (std::find(lists.begin(), lists.end(), option.name) != lists.end()) add_list(option.value);
      if (option.name == "--properties-file") files_.push_back({std::string(option.value), Needs::no_folder});
      submits = submits && option.name != "--kill" && option.name != "--status" && option.name != "--remote";
    }
    // Names of Spark's own programs, which are in no file.
    static constexpr std::array<std::string_view, 5> inside = {
        "spark-internal", "spark-shell", "pyspark-shell", "sparkr-shell", "spark-connect-shell"};
    if (!submits || !words.application) return;
    const std::string& application = command_[*words.application];
    if (std::find(inside.begin(), inside.end(), application) != inside.end()) return;
    if (application.find(',') != std::string::npos) return;
    for (std::string& path : local_paths(application)) files_.push_back({std::move(path), Needs::no_folder});
  }

  void add_hive() {
    const std::string_view service = hive_service(command_);
    if (service != "cli" && service != "beeline") return;
    add_behind("-f", Needs::no_folder);
    add_behind("-i", Needs::no_folder);
  }
  void add_pig() {
    add_behind("-f", Needs::no_folder);
    add_behind("-file", Needs::no_folder);
  }

  [[nodiscard]] bool is_streaming() const {
    if (const auto jar = place_of_jar(command_)) {
      const std::string_view path = command_[*jar];
      return path.substr(path.rfind('/') + 1).starts_with("hadoop-streaming");
    }
    const std::size_t at = behind_launcher(command_);
    return is_hadoop(program_of(command_)) && at < command_.size() && command_[at] == "streaming";
  }

  const std::vector<std::string>& command_;
  std::vector<NamedFile> files_;
};

bool suits(mode_t mode, Needs needs) {
  switch (needs) {
    case Needs::regular_file:
      return S_ISREG(mode);
    case Needs::no_folder:
      return !S_ISDIR(mode);
    case Needs::any:
      break;
  }
  return true;
}

}  // namespace

std::optional<MissingFile> missing_file(const std::vector<std::string>& command, const fs::path& folder) {
  const NamedFiles files(command);
  for (const NamedFile& file : files.all()) {
    const std::string path = (folder / file.path).string();
    const bool is_jar = file.path.ends_with(".jar") || file.needs == Needs::regular_file;
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) {
      if (errno != EACCES) return MissingFile{file.path, is_jar, false};
      return MissingFile{file.path, is_jar, true};
    }
    if (!suits(status.st_mode, file.needs)) return MissingFile{file.path, is_jar, false};
    if (::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0)
      return MissingFile{file.path, is_jar, true};
  }
  return std::nullopt;
}

}  // namespace wavewright
