// The jobs that may start a task of one kind, where groups order or limit them: a tree of groups, each with
// its eligible children in a heap of its own. A child is eligible while it is below its limit and has
// something to start; each start or end touches the path to the root. O(depth · log children).
#pragma once

#include <optional>
#include <tuple>
#include <vector>

#include "wavewright/core/prefetch.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// Where a child of a `fair` group stands: what it holds by its minimum or weight, in parts of 2^20, those
// below their minimum first.
[[nodiscard]] inline Key fair_key(Count held, const Share& share) {
  constexpr Key satisfied = Key{1} << 62;
  if (held < share.minimum) return (held << 20) / share.minimum;
  if (share.weight_thousandths == 1000) return satisfied + (held << 20);  // what the next line gives, sooner
  return satisfied + (held << 20) / share.weight_thousandths * 1000 +
         (held << 20) % share.weight_thousandths * 1000 / share.weight_thousandths;
}

class OrderTree {
  struct Entry;

 public:
  static constexpr bool limited = true;

  OrderTree(std::size_t jobs, Kind kind);

  // Groups. Throw InternalError on one that does not exist, or that changes its parent.
  void group(GroupId id, GroupId parent, const Limits& guaranteed, const Limits& max, std::uint64_t sequence);
  void rank_group(GroupId id, Key key);
  void order(GroupId id, Ordering ordering);
  void share_group(GroupId id, const Share& share);

  // Jobs. A rank, a share or a cap may be given before the job is admitted.
  void admit(JobIndex index, GroupId group, std::uint64_t sequence);
  void rank(JobIndex index, Key key);
  [[nodiscard]] Key rank_of(JobIndex index) const { return jobs_[index].key; }
  void share(JobIndex index, const Share& share);
  void cap(JobIndex index, Count count);
  void add(JobIndex index);     // it has a task to start
  void remove(JobIndex index);  // it has none left
  // It takes, or gives back, so much of what is shared out: a slot, or a container's memory.
  void started(JobIndex job, Count amount = 1) { change(job, amount); }
  void ended(JobIndex job, Count amount = 1) { change(job, -amount); }

  // The job will take or give back something soon.
  void expect(JobIndex job) const {
    __builtin_prefetch(&jobs_[job]);
    __builtin_prefetch(&positions_[job]);
  }

  [[nodiscard]] bool wants(JobIndex job) const { return jobs_[job].ready; }
  [[nodiscard]] Count held(JobIndex job) const { return jobs_[job].held; }
  [[nodiscard]] bool any() const { return !groups_[root_group].children.empty(); }
  [[nodiscard]] JobIndex best() const;
  [[nodiscard]] bool eligible(JobIndex index) const;  // it and every group above it
  [[nodiscard]] Count used(GroupId group) const {
    return group < groups_.size() ? groups_[group].self.held : 0;
  }

  // What the groups above the job leave below their limits and guarantees, 0 at least. O(depth).
  [[nodiscard]] Count headroom(JobIndex index) const;

  // The eligible jobs in order, one a call, while the tree stays as it is.
  class Walk {
   public:
    explicit Walk(const OrderTree& tree) : tree_(tree) {}
    void restart();
    [[nodiscard]] std::optional<JobIndex> next();

   private:
    struct Frame {
      struct At {  // a place in a group's heap
        GroupId group = root_group;
        std::uint32_t position = 0;
      };
      std::vector<At> frontier;  // itself a heap: of the group's, and of those whose children are as its own
    };
    void enter(GroupId group);
    void reach(Frame& frame, GroupId group, std::size_t position) const;
    [[nodiscard]] const Entry& entry(const Frame::At& at) const {
      return tree_.groups_[at.group].children[at.position];
    }

    const OrderTree& tree_;
    std::vector<Frame> frames_;
    std::size_t depth_ = 0;  // frames in use; those beyond keep their memory
  };

 private:
  static constexpr std::uint32_t group_bit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t absent = ~std::uint32_t{0};

  struct Entry {
    Key key = 0;
    std::uint64_t sequence = 0;
    std::uint32_t child = 0;  // job, or group with group_bit

    friend bool operator==(const Entry&, const Entry&) = default;
    friend bool operator<(const Entry& a, const Entry& b) {
      return std::tie(a.key, a.sequence, a.child) < std::tie(b.key, b.sequence, b.child);
    }
  };
  struct alignas(cache_line) Child {
    Key key = 0;
    std::uint64_t sequence = 0;
    Share share;
    Count held = 0;
    Count limit = unlimited;
    GroupId parent = root_group;
    bool ready = false;  // of a job: it has a task to start
  };
  struct Group {
    Child self;
    std::uint32_t position = absent;
    Count guaranteed = unlimited;
    Ordering ordering = Ordering::ranked;
    bool exists = false;
    std::vector<Entry> children;  // the eligible ones, a heap with four children a node
  };

  [[nodiscard]] Group& known(GroupId id);
  [[nodiscard]] Child& job(JobIndex index);
  [[nodiscard]] Child& child(std::uint32_t id) {
    return (id & group_bit) != 0 ? groups_[id & ~group_bit].self : jobs_[id];
  }
  // Where the child stands in its parent's heap. Those of jobs lie apart: moving an entry touches no more.
  [[nodiscard]] std::uint32_t& position(std::uint32_t id) {
    return (id & group_bit) != 0 ? groups_[id & ~group_bit].position : positions_[id];
  }
  [[nodiscard]] Entry entry(const Child& child, std::uint32_t id) const;
  [[nodiscard]] bool eligible(const Child& child, std::uint32_t id) const;
  bool settle(std::uint32_t id);
  void refresh(std::uint32_t id);
  void change(JobIndex index, Count by);

  void put(Group& group, std::size_t position, const Entry& entry) {
    group.children[position] = entry;
    this->position(entry.child) = static_cast<std::uint32_t>(position);
  }
  void sift(Group& group, std::size_t position, const Entry& entry);
  void take_out(Group& group, std::size_t position);

  Kind kind_;
  std::vector<Child> jobs_;
  std::vector<std::uint32_t> positions_;  // by job
  std::vector<Group> groups_;
};

}  // namespace wavewright
