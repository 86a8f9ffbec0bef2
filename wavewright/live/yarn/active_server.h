// Which of a cluster's ResourceManagers is the active one: the only one that knows the applications.
//
// A standby answers `/ws/v1/cluster/info` itself and says there what it is. All other questions it passes on
// (Hadoop's RMWebAppFilter).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/history/source/server.h"

namespace wavewright {

// What a ResourceManager says that it is: ACTIVE, STANDBY, INITIALIZING, STOPPING; ACTIVE if it is too old to
// tell. From `/ws/v1/cluster/info`; `url` is for errors. Throws ExternalError if it is none of a
// ResourceManager.
[[nodiscard]] std::string parse_ha_state(std::string_view text, const std::string& url);

class ActiveServer {
 public:
  // The servers must outlive it.
  explicit ActiveServer(const WebServer& servers) : servers_(servers), of_(servers.bases().size()) {}

  // Asks each address what it is, and makes the active one the first to be asked from now on. One that gave
  // no answer is left alone for ten seconds while another is active. Throws ExternalError if none is active,
  // or if two say that they are: then one of them does not know better yet, and its list is old.
  void find();

 private:
  struct Asked {
    Duration silent_until{};  // by the steady clock
    std::string problem, remedy;
    bool starts = false;
  };
  [[nodiscard]] bool is_active(std::size_t which);
  [[noreturn]] void refuse() const;

  const WebServer& servers_;
  std::vector<Asked> of_;  // by place
};

}  // namespace wavewright
