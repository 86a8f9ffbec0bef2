#include "wavewright/store/importer.h"

#include <chrono>
#include <thread>

#include "wavewright/store/packed.h"
#include "wavewright/store/read_ahead.h"

namespace wavewright {

namespace {

using Severity = Diagnostic::Severity;

void count_reason(std::vector<ImportSummary::Reason>& reasons, const Diagnostic& diagnostic) {
  for (ImportSummary::Reason& reason : reasons) {
    if (reason.text != diagnostic.reason) continue;
    ++reason.count;
    return;
  }
  reasons.push_back({diagnostic.reason, 1, diagnostic.where.text(), diagnostic.detail});
}

void count_diagnostic(ImportSummary& summary, const Diagnostic& diagnostic) {
  if (diagnostic.severity == Severity::skipped) count_reason(summary.skipped, diagnostic);
  if (diagnostic.severity == Severity::warning) count_reason(summary.warnings, diagnostic);
  // Other notes are about skipped files, which are counted separately.
  const bool of_trace = diagnostic.severity == Severity::note && diagnostic.reason.starts_with("trace:");
  if (of_trace) count_reason(summary.notes, diagnostic);
}

class Pipeline {
 public:
  Pipeline(const HistorySource& source, const FileReading& read, Store& store, const ImportOptions& options,
           const std::atomic<bool>& interrupted, ImportSummary& summary,
           const std::function<void(const ImportSummary&)>& progress)
      : source_(source),
        store_(store),
        options_(options),
        interrupted_(interrupted),
        summary_(summary),
        progress_(progress),
        ahead_(threads(options), read) {}

  void run() {
    std::exception_ptr stopped;
    try {
      source_.list([&](HistoryFile&& file) { return listed(std::move(file)); },
                   [&](Diagnostic&& diagnostic) { passed(diagnostic); });
      hand_on();
    } catch (const Interrupted&) {
    } catch (const Error&) {
      if (store_failed_) throw;
      stopped = std::current_exception();  // the source is gone: files already begun are still taken
    }
    if (interrupted_) ahead_.stop();
    while (!ahead_.empty()) take(std::chrono::milliseconds(100));
    write();
    if (interrupted_) summary_.partial = true;
    if (stopped) std::rethrow_exception(stopped);
  }

 private:
  static unsigned threads(const ImportOptions& options) {
    if (options.readers > 0) return options.readers;
    return std::max(1U, std::thread::hardware_concurrency());
  }

  // Some hundred files are looked up in the store at once.
  bool listed(HistoryFile&& file) {
    if (interrupted_) return false;
    listed_.push_back(std::move(file));
    if (listed_.size() >= look_up) hand_on();
    return !interrupted_;
  }

  void hand_on() {
    std::vector<ImportedFile> asked;
    asked.reserve(listed_.size());
    for (const HistoryFile& file : listed_) asked.push_back({file.name, file.version, 0, {}});
    store_failed_ = true;
    const std::vector<bool> unchanged =
        options_.again ? std::vector<bool>(asked.size(), false) : store_.unchanged(asked);
    store_failed_ = false;
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      if (unchanged[i]) {
        ++summary_.already_read;
        continue;
      }
      while (ahead_.full()) take(std::chrono::milliseconds(100));
      ahead_.put(std::move(listed_[i]));
    }
    listed_.clear();
    tell();
  }

  // A diagnostic of the listing: there is nothing to read.
  void passed(const Diagnostic& diagnostic) {
    count_diagnostic(summary_, diagnostic);
    if (diagnostic.severity == Severity::skipped) {
      ++summary_.files;
      ++summary_.gave_none;
    } else {
      ++summary_.passed_over;
    }
  }

  void take(std::chrono::milliseconds patience) {
    if (interrupted_) ahead_.stop();
    std::optional<ReadFile> file = ahead_.take(patience);
    tell();
    const bool long_ago = std::chrono::steady_clock::now() - waiting_since_ >= longest_wait;
    if (!waiting_.empty() && long_ago) write();
    if (!file) return;
    if (file->error && interrupted_) return;
    if (file->error) {
      ahead_.stop();
      write();
      std::rethrow_exception(file->error);
    }
    if (waiting_.empty()) waiting_since_ = std::chrono::steady_clock::now();
    waiting_bytes_ += file->bytes();
    waiting_.push_back(*std::move(file));
    if (waiting_.size() >= most_files || waiting_bytes_ >= most_bytes) write();
  }

  void write() {
    std::vector<PackedRun> runs;
    std::vector<ImportedFile> files;
    for (ReadFile& file : waiting_) {
      for (PackedRun& run : file.runs) runs.push_back(std::move(run));
      files.push_back(file.file);
    }
    store_failed_ = true;
    if (!files.empty()) summary_.jobs += store_.add(runs, files);
    store_failed_ = false;
    for (const ReadFile& file : waiting_) count(file);  // only what is stored
    waiting_.clear();
    waiting_bytes_ = 0;
  }

  void count(const ReadFile& file) {
    bool skipped = false;
    for (const Diagnostic& diagnostic : file.diagnostics) {
      count_diagnostic(summary_, diagnostic);
      skipped = skipped || diagnostic.severity == Severity::skipped;
    }
    if (file.file.jobs == 0 && !skipped && file.format.empty()) {
      ++summary_.passed_over;
      return;
    }
    ++summary_.files;
    if (file.file.jobs == 0) ++summary_.gave_none;
    if (!file.format.empty()) {
      ImportSummary::Format& format = summary_.formats[file.format];
      ++format.files;
      format.jobs += file.file.jobs;
    }
  }

  void tell() {
    const auto now = std::chrono::steady_clock::now();
    if (now - told_ < std::chrono::milliseconds(200)) return;
    told_ = now;
    progress_(summary_);
  }

  static constexpr std::size_t look_up = 200;
  static constexpr std::size_t most_files = 500;
  static constexpr std::size_t most_bytes = std::size_t{16} << 20;
  static constexpr std::chrono::seconds longest_wait{2};

  const HistorySource& source_;
  Store& store_;
  const ImportOptions& options_;
  const std::atomic<bool>& interrupted_;
  ImportSummary& summary_;
  const std::function<void(const ImportSummary&)>& progress_;
  std::vector<HistoryFile> listed_;
  std::vector<ReadFile> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::chrono::steady_clock::time_point waiting_since_;
  bool store_failed_ = false;
  std::chrono::steady_clock::time_point told_;
  ReadAhead ahead_;
};

}  // namespace

ReadFile read_and_pack(const HistorySource& source, const HistoryFile& listed) {
  FileHistory history = source.read(listed);
  ReadFile file;
  file.file = {listed.name, listed.version, static_cast<Count>(history.runs.size()), {}};
  file.format = std::move(history.format);
  file.diagnostics = std::move(history.diagnostics);
  file.runs.reserve(history.runs.size());
  for (JobRun& run : history.runs) {
    file.runs.push_back(pack_run(run));
    run = JobRun();  // frees memory: a file of many runs need not be held twice
  }
  for (const Diagnostic& diagnostic : file.diagnostics) {
    if (file.runs.empty() && file.file.reason.empty()) file.file.reason = diagnostic.reason;
  }
  return file;
}

void import_from(const HistorySource& source, Store& store, const ImportOptions& options,
                 const std::atomic<bool>& interrupted, ImportSummary& summary,
                 const std::function<void(const ImportSummary&)>& progress) {
  import_from(
      source, [&](const HistoryFile& file) { return read_and_pack(source, file); }, store, options,
      interrupted, summary, progress);
}

void import_from(const HistorySource& source, const FileReading& read, Store& store,
                 const ImportOptions& options, const std::atomic<bool>& interrupted, ImportSummary& summary,
                 const std::function<void(const ImportSummary&)>& progress) {
  Pipeline(source, read, store, options, interrupted, summary, progress).run();
}

}  // namespace wavewright
