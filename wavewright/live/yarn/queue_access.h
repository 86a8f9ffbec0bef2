// May a user submit to a queue? The ResourceManager is asked before anything is submitted.
//
// Source: Hadoop 3. When YARN gets an application, with `yarn.acl.enable`, its Capacity scheduler wants its
// user to have SUBMIT_APPLICATIONS or ADMINISTER_QUEUE in the queue or in one above it (RMAppManager). Both
// are asked for at `/ws/v1/cluster/queues/QUEUE/access` (RMWebServices.checkUserAccessToQueue).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/source/server.h"

namespace wavewright {

// Who submits to YARN when a command runs.
struct Submitter {
  std::string account = {};                   // another than this program's; empty = this program's
  std::vector<std::string> environment = {};  // of the command, `NAME=value` each; of this program's account
};

// A user is refused where YARN is sure to refuse them. It is not known, and nothing is refused:
//
// - where the ResourceManager does not tell: it is older, or lets only administrators of the queue ask;
// - under another scheduler than Capacity;
// - in the default queue and where placement rules may choose another queue, which then decides;
// - in a queue that is not there yet, or whose name means several;
// - with Kerberos, for other accounts than this program's, and where the ResourceManager does not call who
//   asks by the name of this account: the ticket of the command may be another user's.
class QueueAccess {
 public:
  // `resource_managers`: web addresses of one and its standbys.
  QueueAccess(const std::vector<std::string>& resource_managers, const std::string& ca_file,
              InterruptFlag interrupted = nullptr);

  // Throws UsageError if YARN will refuse the submitter's applications in that queue, which is named as YARN
  // takes it; Interrupted. Asks each time; the cluster's queues and settings once in ten seconds.
  void require(const std::string& queue, const Submitter& submitter);

  // As QueueNames::tls_failure.
  [[nodiscard]] const std::string& tls_failure() const { return tls_failure_; }

 private:
  struct Rules {
    bool hold = false;      // users are refused, by the queues that they name
    bool kerberos = false;  // a user is the one of a ticket
    std::vector<Queue> queues = {};
  };

  void learn();
  [[nodiscard]] std::optional<std::string> user_of(const Submitter& submitter) const;
  [[nodiscard]] bool may(const std::string& user, const std::string& right, const std::string& queue,
                         const std::string& asks) const;

  WebServer plain_;
  WebServer named_;  // is told who asks, and remembers it by a cookie
  Rules rules_;
  std::string tls_failure_;
  std::optional<std::chrono::steady_clock::time_point> learned_;
};

// From `/ws/v1/cluster/queues/QUEUE/access`: absent if the answer does not tell. Hadoop writes the truth as
// one or as a text, in an object or in one within it.
[[nodiscard]] std::optional<bool> parse_queue_access(std::string_view text, const std::string& url);

}  // namespace wavewright
