// Walks folders of HDFS from the newest to the oldest.
#pragma once

#include "wavewright/history/source/webhdfs.h"

namespace wavewright {

class HdfsWalk {
 public:
  struct Place {
    std::string prefix;  // precedes paths in names
    std::optional<Time> since;
    std::function<HdfsListing(const std::string& path)>
        listing;  // throws InputError for what cannot be listed
  };
  HdfsWalk(Place place, const std::function<bool(HistoryFile&&)>& found, const DiagnosticSink& diagnostics)
      : place_(std::move(place)), found_(found), diagnostics_(diagnostics) {}

  // False: `found` wants no more.
  bool folder(const std::string& path, int depth);
  bool file(const std::string& path, const HdfsEntry& entry);

 private:
  bool pass(const std::string& path, Diagnostic::Severity severity, const std::string& reason);

  Place place_;
  const std::function<bool(HistoryFile&&)>& found_;
  const DiagnosticSink& diagnostics_;
};

// Does `path` end in a day's folder (`…/2026/11/20`) that lies before `since` in any time zone?
[[nodiscard]] bool day_before(std::string_view path, Time since);

}  // namespace wavewright
