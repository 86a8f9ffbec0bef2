// Which of a cluster's ResourceManagers is the active one: the only one that knows the applications.
//
// A standby answers `/ws/v1/cluster/info` itself and says there what it is. All other questions it passes on
// (Hadoop's RMWebAppFilter).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/core/time.h"
#include "wavewright/history/source/server.h"

namespace wavewright {

// What a ResourceManager says that it is: ACTIVE, STANDBY, INITIALIZING, STOPPING; ACTIVE if it is too old to
// tell. From `/ws/v1/cluster/info`; `url` is for errors. Throws ExternalError if it is none of a
// ResourceManager.
[[nodiscard]] std::string parse_ha_state(std::string_view text, const std::string& url);
// Likewise: its version of Hadoop, such as `3.4.2`; empty if it tells none.
[[nodiscard]] std::string parse_hadoop_version(std::string_view text, const std::string& url);

// A ResourceManager of a Hadoop that Wavewright does not drive.
class OtherHadoop : public ExternalError {
 public:
  using ExternalError::ExternalError;
};

// Throws OtherHadoop unless the version is one of Hadoop 3. One that begins with no number passes: a build
// without its properties calls itself `Unknown`.
void require_hadoop(const std::string& version, const std::string& url);

// How far a clock that showed `told`, without the rest of its second, at an instant from `before` to `after`
// of ours is ahead of ours at least; below 0 if it is behind.
[[nodiscard]] Duration clock_ahead(Time told, Time before, Time after);

class ActiveServer {
 public:
  // The servers must outlive it.
  explicit ActiveServer(const WebServer& servers) : servers_(servers), of_(servers.bases().size()) {}

  // Asks each address what it is, and makes the active one the first to be asked from now on. One that gave
  // no answer is left alone for ten seconds while another is active. Throws ExternalError if none is active,
  // or if two say that they are: then one of them does not know better yet, and its list is old.
  void find();
  // As parse_hadoop_version, of the one that `find` found.
  [[nodiscard]] const std::string& version() const { return version_; }
  // So much is its clock ahead of ours at least, by the date of its answer: below 0 if it is behind, 0 if
  // that cannot be told.
  [[nodiscard]] Duration clock_ahead() const { return clock_ahead_; }

 private:
  struct Asked {
    Duration silent_until{};  // by the steady clock
    std::string problem, remedy;
    bool starts = false;
    std::string version = {};
    Duration clock_ahead{};
  };
  [[nodiscard]] bool is_active(std::size_t which);
  [[noreturn]] void refuse() const;

  const WebServer& servers_;
  std::vector<Asked> of_;  // by place
  std::string version_;
  Duration clock_ahead_{};
};

// Makes the active ResourceManager the first to be asked. Throws as ActiveServer::find and require_hadoop.
void find_resource_manager(const WebServer& servers);

}  // namespace wavewright
