// The contract of cluster drivers: start a job's command, see what became of it, end it.
//
// A command is a client of the cluster: a process of its own, which may outlive the program that started it
// and may submit at any moment while it lives. YARN is one driver (live/yarn/yarn_driver.h), a simulated
// cluster for tests another (tests/live/simulated_cluster.h).
//
// What an implementer promises:
// - `start` of one attempt starts its command at most once, whoever calls it how often;
// - once `client` has answered `never` or `gone` for an attempt, its command does not run and never will;
// - the applications of a client that ended with 0 are in each list that is asked for later, but for those
//   of a ResourceManager that another has just replaced: its lists end `settling` after the replacement. A
//   request of any other client may still be on its way: the cluster takes it within `settling` of time in
//   which it answers;
// - a command runs on the machine that started it; `client` of another one answers `elsewhere`;
// - a list lacks no application but those that `lacks_none` excepts; its mark is of the same instant, or of a
//   later one, before the answer.
// Every function throws ExternalError if it cannot tell; then nothing is known of whether it had its effect.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/live/batch/live_batch.h"

namespace wavewright {

enum class ApplicationState : std::uint8_t {
  accepted,  // it waits for the cluster
  running,
  succeeded,
  failed,
  killed
};
[[nodiscard]] constexpr bool has_ended(ApplicationState state) {
  return state >= ApplicationState::succeeded;
}

struct Application {
  std::string id;  // application_1700000000000_0001
  ApplicationState state{};
  std::vector<std::string> tags = {};
  std::optional<Time> accepted_at = std::nullopt;
  std::optional<Time> started_at = std::nullopt;
  std::optional<Time> ended_at = std::nullopt;
  std::string diagnostics = {};  // the cluster's own words
  std::string type = {};   // the cluster's word for its framework, such as MAPREDUCE, SPARK; empty = not told
  std::string queue = {};  // that the cluster put it in; empty = not told
  // HOST:PORT of the web server of the node that its master runs on; empty = not told.
  std::string master_node = {};
};

struct Applications {
  std::vector<Application> list;  // in order of acceptance
  ListMark mark = {};
  // So much is the clock of `accepted_at` and the like ahead of ours at least; below 0: behind; 0 if not
  // known.
  Duration clock_ahead = {};
};

// Does a list of now hold each application that was accepted after a list of then?
[[nodiscard]] constexpr bool lacks_none(const ListMark& then, const ListMark& now) {
  if (then.incarnation != now.incarnation) return false;
  const bool comparable = then.began == now.began && then.ended <= now.ended;
  return comparable ? now.ended - then.ended < now.kept : now.listed < now.kept;
}

// An attempt at a job, by which its command is found again after a crash.
struct ClientAttempt {
  std::string folder;        // LiveBatch::submissions
  std::string directory;     // LiveBatch::directory
  std::string tag;           // of the job
  int number = 0;            // from 1
  std::string machine;       // LiveJob::machine
  std::string account = {};  // LiveJob::account
  std::string seal = {};     // LiveJob::seal
};

enum class ClientState : std::uint8_t {
  never,  // it was not started; each later answer is the same
  alive,
  ended,     // by itself, with an exit status
  gone,      // it was started and does not live; its exit status is not known, or it was killed
  elsewhere  // its machine alone can tell
};
struct Client {
  ClientState state{};
  int exit_status = 0;     // if it has ended
  std::string last_words;  // last line of its output, if it has ended or is gone
};

// The history answers, but cannot tell now of the application, or of each application whether it has the tag:
// it is to be asked again. `found` are those that have the tag, as far as it can tell.
class HistoryUnread : public ExternalError {
 public:
  explicit HistoryUnread(const ExternalError& error, std::vector<Application> found = {})
      : ExternalError(error), found_(std::move(found)) {}

  [[nodiscard]] const std::vector<Application>& found() const { return found_; }

 private:
  std::vector<Application> found_;
};

class ClusterDriver {
 public:
  virtual ~ClusterDriver() = default;

  // All applications with the tag that the cluster knows.
  [[nodiscard]] virtual Applications applications(const std::string& tag) = 0;
  // The history of ended applications tells of those that the cluster no longer lists. These two throw
  // HistoryUnread, too.
  [[nodiscard]] virtual std::optional<Application> ended_application(const std::string& id) = 0;
  [[nodiscard]] virtual std::vector<Application> ended_with(const std::string& tag, Time since) = 0;
  // Asks the cluster to end an application of the attempt's job, as the account of the attempt may, which is
  // believed by `command`, the job's own, as in `start`. It need not wait for the answer: it is to be called
  // with each list that has the application as not ended, and throws, too, if an earlier request was refused.
  virtual void kill_application(const ClientAttempt& attempt, const std::vector<std::string>& command,
                                const std::string& id) = 0;

  // The machine of this program; others have other names.
  [[nodiscard]] virtual std::string machine() = 0;
  virtual void start(const ClientAttempt& attempt, const std::vector<std::string>& command) = 0;
  [[nodiscard]] virtual Client client(const ClientAttempt& attempt) = 0;
  virtual void kill_client(const ClientAttempt& attempt) = 0;
  // Its job has left the batch: nobody asks for the attempt again, and what it left on this machine may go.
  virtual void forget(const ClientAttempt& /*attempt*/) {}
};

// The clocks of a driver. The wall clock may jump; the steady one does not, and means nothing to another
// process.
class Clocks {
 public:
  virtual ~Clocks() = default;
  [[nodiscard]] virtual Time wall() = 0;
  [[nodiscard]] virtual Duration steady() = 0;
};

}  // namespace wavewright
