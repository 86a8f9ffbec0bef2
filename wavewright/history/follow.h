// Keeps up with a place that grows: what is new since it was last looked at, nothing lost and nothing twice.
//
// A job is in a JobHistory server's list only some time after its finish time (its files are moved there
// first; application masters' clocks differ), and two may finish in the same millisecond. So each look goes
// back by `overlap` behind the latest one seen, and what was found there before, with the same version, is
// passed over. A file without a version (a running job) is found at each look.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "wavewright/history/source.h"

namespace wavewright {

class Follower {
 public:
  // `overlap`: how late a job may turn up; also how long versions are remembered.
  explicit Follower(std::string where, SourceOptions options = {}, Duration overlap = ms(3'600'000));

  // Calls `found` for each file that is new or changed since the last look, the newest first; at the first
  // look for all since `options.since`. A file for which `found` gives false (and those after it) will be
  // found again. `now` is the instant of this look. Throws what listing throws; then nothing counts as seen.
  void look(Time now, const std::function<bool(HistoryFile&&)>& found, const DiagnosticSink& diagnostics);

  // The place as last listed, for `read`; valid until the next look.
  [[nodiscard]] const HistorySource& source() const { return *source_; }

 private:
  struct Seen {
    std::string version;
    Time looked;  // the last look that listed it
  };

  std::string where_;
  SourceOptions options_;
  Duration overlap_;
  std::unique_ptr<HistorySource> source_;
  std::optional<Time> last_;  // the last whole look
  std::map<std::string, Seen> seen_;
};

// A place that grows, as a source whose every listing tells what is new since the one before: files and
// diagnostics. After a listing or an import of it has failed, `forget` makes the next one list every file.
class FollowedSource : public HistorySource {
 public:
  explicit FollowedSource(const std::string& where, const SourceOptions& options = {});

  void list(const std::function<bool(HistoryFile&&)>& found,
            const DiagnosticSink& diagnostics) const override;
  [[nodiscard]] FileHistory read(const HistoryFile& file) const override;
  void forget();

 private:
  std::string where_;
  SourceOptions options_;
  mutable std::optional<Follower> follower_;                    // none after `forget`
  mutable std::set<std::pair<std::string, std::string>> told_;  // diagnostics: where, and why
};

}  // namespace wavewright
