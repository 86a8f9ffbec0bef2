// The jobs that wait for containers under EFH, and the rounds in which they get some (energy/efh.h).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wavewright/energy/dispatcher.h"
#include "wavewright/energy/efh.h"
#include "wavewright/energy/ranking.h"

namespace wavewright {

class EfhJobs {
 public:
  EfhJobs(const EfhOptions& options, bool places) : options_(options), places_(places) {}

  void begin(const View& view) { containers_.begin(view); }
  // The job arrived, or is told of after a restart. Returns when it has waited too long.
  std::optional<Time> add(JobIndex job, Time arrived, const View& view);
  // The job is over. True if it waited for containers.
  bool remove(JobIndex job);
  // One of its maps ended or was lost: it may have to run again.
  void may_want(JobIndex job);
  void node_changed(NodeIndex node, const View& view) { containers_.refresh(node, view); }
  // A map took its slot, or left it.
  void started(const Event& event);
  void left(const Event& event, const View& view);

  // Gives out all free containers anew. `changed`: a job that may hold fewer than at the last round.
  void round(std::optional<JobIndex> changed, const View& view, Decisions& decisions);
  // The task of the job that the last round sent to the node; each is returned once.
  [[nodiscard]] std::optional<TaskIndex> take(JobIndex job, NodeIndex node, const View& view);

 private:
  struct Waiting {
    JobIndex job = 0;
    std::size_t arrival = 0;
    std::optional<Time> patience;  // until then it is in the regular queue
    Ranking ranking;
    std::unordered_map<NodeIndex, std::vector<TaskIndex>> tasks_on;  // maps with a block there, ascending
    std::vector<Count> capped;                                       // by class: the cap in force
    TaskIndex first_pending = 0;                                     // no map below it is pending
    bool named = false;  // a remark said that it wants more than all containers
  };
  struct Turn {
    Waiting* of = nullptr;
    Count wanted = 0;  // maps that have not started
    Count asked = 0;   // R of step 2
    bool waited = false;
    Count free = 0;  // of its optset
    std::vector<Grant> grants{};
  };
  void find_turns(const View& view, Decisions& decisions);
  void give_out();
  void grant(Turn& turn, Count count);
  void limit(Waiting& of, const std::vector<Grant>& grants, const View& view, Decisions& decisions);
  void send_tasks(const Turn& turn, const View& view);
  [[nodiscard]] std::vector<QueuedTask> queued(const Turn& turn, Count containers, const View& view);

  EfhOptions options_;
  bool places_;
  FreeContainers containers_;
  std::map<JobIndex, Waiting> jobs_;  // that are not over
  std::set<JobIndex> wanting_;        // all of these that have maps to start, and perhaps others
  std::vector<JobIndex> got_;         // those that got something in the last round, ascending
  std::size_t arrivals_ = 0;
  std::vector<Turn> turns_;  // of the jobs that want containers, in this round
  struct Attempt {
    JobIndex job = 0;
    TaskIndex task = 0;
    std::uint32_t number = 0;
    friend bool operator==(const Attempt&, const Attempt&) = default;
  };
  std::vector<std::vector<Attempt>> on_slot_;                                        // some may share one
  std::unordered_map<NodeIndex, std::vector<std::pair<JobIndex, TaskIndex>>> sent_;  // by the last round
};

}  // namespace wavewright
