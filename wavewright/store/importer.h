// The import pipeline: a source is listed, its files read and packed by several threads, and written by one,
// many files in a transaction and none across two.
//
// What is stored does not depend on which thread was faster: transactions are cut by the order of the listing
// and by what the files hold. Memory is bounded whatever the number of files: so many files are under way,
// and no more is read while much that was read waits to be written. An import that stops (interrupted,
// killed, the disk full, the server gone) has stored a number of whole files; the next one passes over them.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "wavewright/history/source.h"
#include "wavewright/store/store.h"

namespace wavewright {

struct ImportOptions {
  bool again = false;    // also files that gave jobs before and did not change since
  unsigned readers = 0;  // threads; 0 = one a core
};

struct ImportSummary {
  struct Format {
    Count files = 0;
    Count jobs = 0;
  };
  // Equal reasons together, with the first case as the example.
  struct Reason {
    std::string text;
    Count count = 0;
    std::string example;
    std::string detail;
  };

  Count files = 0;        // looked into
  Count passed_over = 0;  // stand beside histories, empty folders
  Count already_read = 0;
  Count gave_none = 0;
  Store::Added jobs;
  std::map<std::string, Format> formats;
  std::vector<Reason> skipped;
  std::vector<Reason> warnings;
  std::vector<Reason> notes;  // what was kept and imputed of foreign traces
  bool partial = false;       // interrupted

  [[nodiscard]] Count usable() const { return jobs.fresh + jobs.completed + jobs.updated + jobs.known; }
};

// Adds to `summary` as it goes, so that it is true also where this throws: ExternalError where the source or
// the store is gone, after what was read before is stored. `progress` is called after each transaction and
// some times a second. Looks at `interrupted` all the time.
void import_from(const HistorySource& source, Store& store, const ImportOptions& options,
                 const std::atomic<bool>& interrupted, ImportSummary& summary,
                 const std::function<void(const ImportSummary&)>& progress);

}  // namespace wavewright
