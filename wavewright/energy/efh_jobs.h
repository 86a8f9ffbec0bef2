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
#include "wavewright/energy/optset_index.h"

namespace wavewright {

class EfhJobs {
 public:
  EfhJobs(const EfhOptions& options, bool places) : options_(options), places_(places) {}

  void begin(const View& view);
  // The job arrived, or is told of after a restart. Returns when it has waited too long.
  std::optional<Time> add(JobIndex job, Time arrived, const View& view);
  // The job is over. True if it waited for containers.
  bool remove(JobIndex job);
  void node_changed(NodeIndex node, const View& view);
  // A map took its slot, or left it.
  void started(const Event& event);
  void left(const Event& event, const View& view);

  // Gives out all free containers anew. `changed`: a job that may hold fewer than at the last round.
  void round(std::optional<JobIndex> changed, const View& view, Decisions& decisions);
  // The last round sent tasks to the node that were not taken yet.
  [[nodiscard]] bool sent_to(NodeIndex node) const;
  // The task of the job that the last round sent to the node; each is returned once.
  [[nodiscard]] std::optional<TaskIndex> take(JobIndex job, NodeIndex node, const View& view);

 private:
  struct Waiting {
    OptsetIndex::Job in_optset;
    std::optional<Time> patience;                                    // until then it is in the regular queue
    std::unordered_map<NodeIndex, std::vector<TaskIndex>> tasks_on;  // maps with a block there, ascending
    std::vector<Count> capped;                                       // by class: the cap in force
    TaskIndex first_pending = 0;                                     // no map below it is pending
    bool named = false;       // a remark said that it wants more than all containers
    std::uint64_t round = 0;  // that it was last served in

    [[nodiscard]] JobIndex job() const { return in_optset.job; }
    [[nodiscard]] Count wanted() const { return in_optset.asked; }  // maps that have not started
  };
  struct Turn {
    Waiting* of = nullptr;
    Count wanted = 0;  // still
    std::vector<Grant> grants{};
  };
  // Jobs that want containers, by arrival.
  using Queue = std::map<std::size_t, Waiting*>;
  // A job whose optset has free containers.
  struct Ready {
    Waiting* of = nullptr;
    Count free = 0;
    bool waited = false;
  };
  void update(const View& view);
  void update(JobIndex job, const View& view);
  void leave_queues(Waiting& of);
  void name_oversized(const View& view, Decisions& decisions);
  [[nodiscard]] std::vector<Ready> ready() const;
  void give_out();
  bool serve(Waiting& of, Count count);
  void limit(Waiting& of, const std::vector<Grant>& grants, const View& view, Decisions& decisions);
  void send_tasks(const Turn& turn, const View& view);
  [[nodiscard]] std::vector<QueuedTask> queued(const Turn& turn, Count containers, const View& view);

  EfhOptions options_;
  bool places_;
  FreeContainers containers_;
  OptsetIndex index_;
  std::map<JobIndex, Waiting> jobs_;  // that are not over
  std::vector<JobIndex> changed_;     // may want another number of containers than at the last round
  std::uint64_t version_ = 0;         // of the containers, at the last round
  Queue waited_, regular_;
  std::set<std::pair<Time, std::size_t>> impatient_;  // when which of the regular ones will have waited
  std::vector<JobIndex> got_;                         // something in the last round, ascending
  std::size_t arrivals_ = 0;
  std::uint64_t rounds_ = 0;
  std::vector<Turn> turns_;  // of the jobs that were served in this round
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
