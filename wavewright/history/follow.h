// Follows a source that grows: finds everything new since the last look, nothing lost and nothing twice.
//
// A JobHistory server lists a job only some time after its finish time, because the job's files are moved
// first and the clocks of application masters differ. Two jobs may finish in the same millisecond. So each
// look goes back by `overlap` behind the last one and skips names that it found before with the same version.
// A file without version (a running job) is found at each look.
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

  // Calls `found` for each file that is new or changed since the last look, the newest first. The first look
  // finds all since `options.since`. If `found` returns false, this file and the following ones are found
  // again next time. `now` is the instant of this look. Throws what listing throws; then nothing counts as
  // seen.
  void look(Time now, const std::function<bool(HistoryFile&&)>& found, const DiagnosticSink& diagnostics);

  // The source as last listed, for `read`; valid until the next look.
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
  std::optional<Time> last_;  // the last complete look
  std::map<std::string, Seen> seen_;
};

// A source whose every listing has only files and diagnostics that are new since the last listing. After a
// listing or its import has failed, call `forget`: the next listing then has every file.
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
  mutable std::set<std::pair<std::string, std::string>> told_;  // diagnostics reported: where, and why
};

}  // namespace wavewright
