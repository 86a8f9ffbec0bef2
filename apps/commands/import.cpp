// `wavewright import PATH…`: histories into the store.
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "apps/context.h"
#include "apps/progress.h"
#include "wavewright/core/error.h"
#include "wavewright/history/source.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

namespace {

struct Interrupted {};

// Equal reasons counted, with the first case as the example.
struct Reason {
  std::string text;
  Count files = 0;
  std::string example;
  std::string detail;
};

void count_reason(std::vector<Reason>& reasons, const Diagnostic& diagnostic) {
  for (Reason& reason : reasons) {
    if (reason.text != diagnostic.reason) continue;
    ++reason.files;
    return;
  }
  reasons.push_back({diagnostic.reason, 1, diagnostic.where.text(), diagnostic.detail});
}

struct Summary {
  Count files = 0;  // looked into
  Count passed_over = 0;
  Count gave_none = 0;
  Store::Added jobs;
  std::vector<Reason> skipped;
  std::vector<Reason> warnings;
  bool partial = false;

  [[nodiscard]] Count usable() const { return jobs.fresh + jobs.completed + jobs.known; }
};

// Takes files as they are read and adds them to the store, many in a transaction, each in one.
class Import {
 public:
  Import(Store& store, const Context& context) : store_(store), context_(context), progress_(context) {}

  void take(FileHistory&& file) {
    if (context_.interrupted) throw Interrupted{};
    note(file);
    for (JobRun& run : file.runs) {
      waiting_tasks_ += run.tasks.size();
      waiting_.push_back(std::move(run));
    }
    if (waiting_.size() >= most_waiting || waiting_tasks_ >= most_waiting_tasks) flush();
    progress_.show(fmt::format("{} files read, {} jobs new, {} already there", summary_.files,
                               summary_.jobs.fresh, summary_.jobs.known));
  }

  void flush() {
    const Store::Added added = store_.add(waiting_);
    summary_.jobs.fresh += added.fresh;
    summary_.jobs.completed += added.completed;
    summary_.jobs.known += added.known;
    waiting_.clear();
    waiting_tasks_ = 0;
  }

  Summary& summary() { return summary_; }

 private:
  static constexpr std::size_t most_waiting = 500;
  static constexpr std::size_t most_waiting_tasks = 200'000;  // some 100 MB

  void note(const FileHistory& file) {
    bool skipped = false;
    for (const Diagnostic& diagnostic : file.diagnostics) {
      if (diagnostic.severity == Diagnostic::Severity::skipped) {
        count_reason(summary_.skipped, diagnostic);
        skipped = true;
      } else if (diagnostic.severity == Diagnostic::Severity::warning) {
        count_reason(summary_.warnings, diagnostic);
      }
    }
    if (file.runs.empty() && !skipped && file.format.empty()) {
      ++summary_.passed_over;
      return;
    }
    ++summary_.files;
    if (file.runs.empty()) ++summary_.gave_none;
  }

  Store& store_;
  const Context& context_;
  Progress progress_;
  Summary summary_;
  std::vector<JobRun> waiting_;
  std::size_t waiting_tasks_ = 0;
};

void require_paths(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
      throw OutsideError({path}, error ? "cannot read: " + error.message() : "no such file or folder",
                         "check the path; nothing was imported");
    }
  }
}

Summary import_all(const std::vector<std::string>& paths, Store& store, const Context& context) {
  Import import(store, context);
  try {
    for (const std::string& path : paths) {
      read_history_path(path, [&](FileHistory&& file) { import.take(std::move(file)); });
    }
  } catch (const Interrupted&) {
    import.summary().partial = true;
  }
  import.flush();
  return import.summary();
}

Json to_json(const std::vector<Reason>& reasons) {
  Json list = Json::array();
  for (const Reason& reason : reasons) {
    list.push_back({{"reason", reason.text},
                    {"count", reason.files},
                    {"example", reason.example},
                    {"detail", reason.detail}});
  }
  return list;
}

Json to_json(const Summary& summary, const std::string& store) {
  return {{"store", store},
          {"files", summary.files},
          {"files_without_jobs", summary.gave_none},
          {"passed_over", summary.passed_over},
          {"jobs",
           {{"new", summary.jobs.fresh},
            {"completed", summary.jobs.completed},
            {"already_there", summary.jobs.known}}},
          {"skipped", to_json(summary.skipped)},
          {"warnings", to_json(summary.warnings)},
          {"partial", summary.partial}};
}

void tell(const std::vector<Reason>& reasons, const std::string& what, const Context& context) {
  for (const Reason& reason : reasons) {
    std::string line = fmt::format("  {} {}: {}; e.g. {}", reason.files, what, reason.text, reason.example);
    if (!reason.detail.empty()) line += " (" + reason.detail + ")";
    context.note(line);
  }
}

void tell(const Summary& summary, const std::string& store, const Context& context) {
  std::string line = fmt::format("{}: {} files read, {} jobs new, {} already there", store, summary.files,
                                 summary.jobs.fresh, summary.jobs.known);
  if (summary.jobs.completed > 0) line += fmt::format(", {} now complete", summary.jobs.completed);
  if (summary.gave_none > 0) line += fmt::format("; {} files gave none", summary.gave_none);
  if (summary.passed_over > 0) line += fmt::format("; {} passed over", summary.passed_over);
  context.note(line);
  tell(summary.skipped, "skipped", context);
  tell(summary.warnings, "with a warning", context);
  if (summary.partial)
    context.note("interrupted: what was read so far is in the store; import again for the rest");
}

int run_import(const std::vector<std::string>& paths, const Context& context) {
  context.ends_itself = true;
  require_paths(paths);
  const std::string url = context.store_url();
  Store store = Store::open(url, Store::Access::create);
  const Summary summary = import_all(paths, store, context);
  if (context.json) context.print(to_json(summary, url));
  if (!context.json) tell(summary, url, context);
  if (summary.partial) return static_cast<int>(ExitStatus::interrupted);
  if (summary.usable() == 0) {
    const std::string why = summary.skipped.empty() ? "no histories in it" : summary.skipped.front().text;
    throw InputError({paths.front()}, fmt::format("no job in {} files: {}", summary.files, why),
                     "name finished job histories (job_*.jhist, Hadoop 1 job logs) or a folder of them");
  }
  return 0;
}

}  // namespace

void add_import(CLI::App& root, Context& context) {
  CLI::App* command = root.add_subcommand("import", "Read job histories into the store");
  command->footer("Example: wavewright import /var/log/hadoop/history job_1_0001.jhist.gz");
  const auto paths = std::make_shared<std::vector<std::string>>();
  command
      ->add_option("path", *paths,
                   "files and folders: jhist (Hadoop 2 and later), Hadoop 1 logs, gzip or not")
      ->required()
      ->type_name("PATH");
  command->callback(
      [paths, &context] { context.run = [paths, &context] { return run_import(*paths, context); }; });
}

}  // namespace wavewright::app
