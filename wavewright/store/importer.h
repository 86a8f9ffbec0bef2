// The import pipeline: a source is listed, several threads read and pack its files, and one thread writes
// them. A transaction holds many files; a file is never split between two.
//
// A transaction takes up to 500 files or 16 MB, and is written after two seconds at the latest, so that a
// slow source loses little when it is interrupted. What is stored does not depend on the threads' timing:
// files are taken in the order of the listing. Memory is bounded: the number of files in progress is limited,
// and reading pauses while much waits to be written. An import that stops (interrupted, killed, disk full,
// server gone) has stored whole files only; the next one skips them.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "wavewright/history/source.h"
#include "wavewright/store/read_ahead.h"
#include "wavewright/store/store.h"

namespace wavewright {

struct ImportOptions {
  bool again = false;    // also unchanged files that gave jobs before
  unsigned readers = 0;  // threads; 0 = one per core
};

struct ImportSummary {
  struct Format {
    Count files = 0;
    Count jobs = 0;
  };
  // Equal reasons are counted together, with the first case as the example.
  struct Reason {
    std::string text;
    Count count = 0;
    std::string example;
    std::string detail;
  };

  Count files = 0;        // examined
  Count passed_over = 0;  // stand beside histories, empty folders
  Count already_read = 0;
  Count gave_none = 0;
  Store::Added jobs;
  std::map<std::string, Format> formats;
  std::vector<Reason> skipped;
  std::vector<Reason> warnings;
  std::vector<Reason> notes;  // kept and imputed data of foreign traces
  bool partial = false;       // interrupted

  [[nodiscard]] Count usable() const { return jobs.fresh + jobs.completed + jobs.updated + jobs.known; }
};

// Updates `summary` continuously, so it is right even after an exception. Throws ExternalError if the source
// or the store is gone; files read before that are stored. Calls `progress` after each transaction and
// several times per second. Checks `interrupted` all the time.
void import_from(const HistorySource& source, Store& store, const ImportOptions& options,
                 const std::atomic<bool>& interrupted, ImportSummary& summary,
                 const std::function<void(const ImportSummary&)>& progress);

// A listed file, read and packed. Throws as HistorySource::read.
[[nodiscard]] ReadFile read_and_pack(const HistorySource& source, const HistoryFile& listed);

// The same import, of files that `source` lists and `read` reads, in several threads at once.
using FileReading = std::function<ReadFile(const HistoryFile&)>;
void import_from(const HistorySource& source, const FileReading& read, Store& store,
                 const ImportOptions& options, const std::atomic<bool>& interrupted, ImportSummary& summary,
                 const std::function<void(const ImportSummary&)>& progress);

}  // namespace wavewright
