// Which of several copies of a job's run the store keeps.
//
// The store may get a run more than once: from copies of its history, from two servers, while the job runs
// and after its end. Two copies with the same job id are of one job if no more of their submissions, launches
// and finishes differ than agree; of copies with different names, more must agree than differ. If they have
// no instant in common, the id decides. So one unreadable instant or name makes no second job. An id that
// comes again does: after a restart of the cluster, or from a JobTracker that began in the same minute as
// another. A live cluster reports another submission than the history: up to ten minutes apart count as equal
// unless both have ended.
//
// Of two copies the store keeps the one with an outcome; of two with an outcome the fuller one
// (store/fullness.h). Of two that are equally full it keeps the first, unless the later one comes from the
// same file, which has changed. A damaged row gives way to any copy.
#pragma once

#include <optional>
#include <string>

#include "wavewright/store/fullness.h"
#include "wavewright/store/store.h"

namespace wavewright {

struct RunCopy {
  std::string identity;
  std::string id;
  std::string name;
  std::string source;
  RunState state = RunState::unknown;
  std::optional<Time> submit;
  std::optional<Time> launch;
  std::optional<Time> finish;
  std::string content;               // equal for equal runs, whatever file they come from
  std::optional<Fullness> fullness;  // absent if the row is damaged
};

[[nodiscard]] bool same_job(const RunCopy& a, const RunCopy& b);

// Does the choice between them depend on their contents?
[[nodiscard]] bool needs_content(const RunCopy& a, const RunCopy& b);

enum class CopyEffect : std::uint8_t {
  nothing_new,  // the store keeps what is there
  completes,    // the later one has an outcome, the other has none
  updates       // the later one tells more, or is newer
};

// What a later copy of the same job does to the one that is there.
[[nodiscard]] CopyEffect effect_of(const RunCopy& later, const RunCopy& there);

}  // namespace wavewright
