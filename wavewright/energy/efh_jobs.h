// The jobs that wait for containers under EFH, and the rounds in which they get some (energy/efh.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "wavewright/energy/efh.h"
#include "wavewright/energy/optset_index.h"
#include "wavewright/energy/sent_tasks.h"

namespace wavewright {

class EfhJobs {
 public:
  EfhJobs(const EfhOptions& options, bool places) : options_(options), places_(places) {}

  void begin(const View& view);
  // The job arrived, or is told of after a restart. Returns when it has waited too long.
  std::optional<Time> add(JobIndex job, Time arrived, const View& view);
  // The job is over. True if it had maps. O(nodes) if tasks of it are on their way.
  bool remove(JobIndex job, const View& view);
  void node_changed(NodeIndex node, const View& view);
  // A map has started.
  void started(const Event& event, const View& view) {
    if (places_) return started_there(event.job, event.task, view);
    took_one(event.job, containers_.class_of(event.node), view);
  }
  // A map left its slot.
  void left(const Event& event, const View& view) {
    if (event.what == Event::What::lost) lost(event, view);
    containers_.expect(event.node);
    if (enough_ > 0 || index_.counts(event.node)) note_containers(event.node, view);
  }

  // True if the job avoids the event's node from now on: an attempt of either kind failed there.
  // O(log nodes that it avoids).
  bool avoids_more(const Event& event, const View& view);

  // Gives out all free containers that none has got, as energy/efh.h says. `changed`: a job that may hold
  // fewer than at the last round.
  void round(std::optional<JobIndex> changed, const View& view, Decisions& decisions) {
    ++rounds_;
    if (skips_ > 0 && !some_patience_is_over(view)) {
      --skips_;
    } else if (!nothing_to_do()) {
      give_out_anew(view, decisions);
    }
    // Most jobs are closed, which is found without a look at them.
    if (changed && *changed < closed_.size() && closed_[*changed] == 0)
      limit_to_held(*changed, view, decisions);
  }
  // Tasks were sent to the node and have not started.
  [[nodiscard]] bool sent_to(NodeIndex node) const { return sent_.any(node); }
  [[nodiscard]] std::optional<JobIndex> only_job_sent_to(NodeIndex node) const {
    return sent_.only_job(node);
  }
  [[nodiscard]] std::span<const std::uint64_t> nodes_sent_to() const { return sent_.named(); }
  // A task of the job that was sent to the node. It is to start at once, and is returned only now.
  [[nodiscard]] std::optional<TaskIndex> take(JobIndex job, NodeIndex node);

 private:
  struct Waiting : OptsetIndex::Job {
    Waiting(JobIndex of, std::size_t came, Ranking ranks, std::optional<Time> until, std::size_t classes)
        : Job(of, came, std::move(ranks)), patience(until), capped(classes, unlimited), given(classes) {}
    std::optional<Time> patience;  // until then it is in the regular queue
    std::vector<Count> capped;     // by class: the cap in force
    // By class: containers that it has been given and no map has taken yet. Without places, if some job
    // avoids nodes: that the last round gave it.
    std::vector<Count> given;
    Count given_in_all = 0;
    SentTasks::Maps maps;
    Count wants = 0;              // R, when it was last looked at
    bool changed = false;         // it is in changed_
    bool unwatched = false;       // it is in unwatched_
    bool queued = false;          // it wants containers
    bool shed = false;            // its ranking has forgotten the blocks
    bool named = false;           // a remark tells why it waits
    std::uint64_t served_in = 0;  // the last round in which it had a turn
    // Its relevant containers, when the containers had that version.
    Count whole = 0;
    std::uint64_t whole_at = ~std::uint64_t{0};

    [[nodiscard]] Count wanted() const { return wants; }
  };
  struct FreshGrant {
    JobIndex job = 0;
    ClassGrant grant;
  };
  struct Turn {
    Waiting* of = nullptr;
    std::size_t first = 0, end = 0;  // of grants_, or of class_grants_
  };
  // Jobs that want containers, by arrival.
  using Queue = std::map<std::size_t, Waiting*>;

  [[nodiscard]] Waiting* find(JobIndex job) const { return job < jobs_.size() ? jobs_[job].get() : nullptr; }
  [[gnu::noinline]] void lost(const Event& event, const View& view);
  void avoid_known(Waiting& of, const View& view);
  void note_change(JobIndex job);
  void note_containers(NodeIndex node, const View& view);
  [[nodiscard]] bool some_patience_is_over(const View& view) const {
    return !impatient_.empty() && impatient_.begin()->first <= view.now();
  }
  void forget_enough() { enough_ = skips_ = 0; }
  void started_there(JobIndex job, TaskIndex map, const View& view);
  void took_one(JobIndex job, ClassId node_class, const View& view);
  void some_job_avoids_nodes();
  // Nobody waits or got anything, so that a round would only limit jobs to what they hold.
  [[nodiscard]] bool nothing_to_do() const {
    return waited_.empty() && regular_.empty() && changed_.empty() && got_.empty() && unnamed_.empty() &&
           version_ == containers_.version();
  }
  template <class Goes>
  void revoke_if(NodeIndex node, const View& view, Goes goes);
  void revoke(NodeIndex node, const View& view);
  void revoke_of(JobIndex job, NodeIndex node, const View& view);
  void revoke_of_class(Waiting& of, ClassId node_class, Count most);
  void revoke_class(ClassId node_class);
  void revoke_fresh(const View& view);
  void update(const View& view);
  void update(Waiting& of, const View& view);
  [[nodiscard]] static Count not_given(const Waiting& of, const View& view) {
    return view.pending(of.job, Kind::map) - of.given_in_all;
  }
  [[nodiscard]] Ranking rank(JobIndex job, const View& view) const;
  void rank_anew(Waiting& of, const View& view) const;
  void leave_queues(Waiting& of);
  void name_oversized(const View& view, Decisions& decisions);
  void limit_all(const View& view, Decisions& decisions);
  void limit_to_held(JobIndex job, const View& view, Decisions& decisions);
  void watch_all();
  void count_ready();
  [[nodiscard]] Waiting* first_ready() const;
  [[nodiscard]] Waiting* next_ready(const Waiting* first);
  void give_out_anew(const View& view, Decisions& decisions);
  void give_out();
  bool serve(Waiting& of, Count count);
  bool serve_whole(Waiting& of);
  bool serve_each_from_one_class();
  [[nodiscard]] Count whole_of(Waiting& of) const;
  [[nodiscard]] Count asks_for(Waiting& of) const;
  [[nodiscard]] Count lacks(Waiting& of) const;
  void take_grants();
  void give_grants_back();
  void give_classes(const Turn& turn, const View& view);
  void limit(Waiting& of, const View& view, Decisions& decisions);
  void send_tasks(const Turn& turn, const View& view);
  void count_given(Waiting& of, NodeIndex node, Count more);
  void count_given_of_class(Waiting& of, ClassId node_class, Count more);
  [[nodiscard]] std::span<const Grant> grants_of(const Turn& turn) const {
    return std::span(grants_).subspan(turn.first, turn.end - turn.first);
  }

  EfhOptions options_;
  bool places_;
  FreeContainers containers_;
  OptsetIndex index_;
  std::vector<std::unique_ptr<Waiting>> jobs_;  // by job; null if it is over or has no maps
  std::vector<std::uint8_t> closed_;            // by job: 1 = it may start nothing anywhere
  std::vector<JobIndex> changed_;  // may want another number of containers than at the last round
  std::uint64_t version_ = 0;      // of the containers, at the last round
  // Want another number than the index knows of; some may have left the queues since.
  std::vector<JobIndex> unwatched_;
  Queue waited_, regular_;
  std::set<std::pair<Time, std::size_t>> impatient_;  // when which of the regular ones will have waited
  std::set<JobIndex> unnamed_;                        // that may wait for long, and no remark says so
  // Jobs whose given containers the last round changed, or an event since; likewise the round before it.
  std::vector<JobIndex> got_, had_;
  // The last round gave nothing out, as its first job asks for so many containers. So will the next ones
  // until as many are free, as long as nothing else changes and none of them is in the optset of a job; 0 =
  // nothing is known.
  Count enough_ = 0;
  Count skips_ = 0;  // so many rounds at least, each after the end of a map, come before that
  std::size_t arrivals_ = 0;
  bool some_avoid_nodes_ = false;                             // of all jobs that there were
  SentTasks sent_;                                            // if blocks have places
  std::optional<std::pair<JobIndex, TaskIndex>> starts_now_;  // that take() has returned
  // Rounds at fresh_at_ sent tasks to these nodes; without places they gave out these containers.
  std::vector<NodeIndex> fresh_;
  std::vector<FreshGrant> fresh_grants_;
  Time fresh_at_{};

  // Of the present round:
  std::uint64_t rounds_ = 0;
  std::vector<OptsetIndex::Counted> ready_;  // jobs whose optset has free containers, beside the index's
  bool ready_is_heap_ = false;
  std::vector<Turn> turns_;
  bool by_class_ = false;      // to no job do nodes of a class differ: class_grants_ are given out
  std::vector<Grant> grants_;  // turn by turn
  std::vector<ClassGrant> class_grants_;
  std::vector<Count> asked_of_class_;
  std::size_t taken_ = 0;  // so many of them are taken from containers_
  Count left_ = 0;         // free containers that nobody got yet
};

}  // namespace wavewright
