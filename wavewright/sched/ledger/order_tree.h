// The jobs that may start a task of one kind, with groups that order or limit them: a tree of groups, each
// with a heap of its eligible children. A child is eligible while it is below its limit and has a task to
// start. Each start or end updates the path to the root: O(depth · log children).
//
// On request the tree also knows on which classes of nodes each job may start a task. Every place of a heap
// then holds the classes that are open to the jobs below it, so that a walk for one class leaves out the
// others: it finds the first job in O(log jobs), however many wait at their caps.
#pragma once

#include <optional>
#include <tuple>
#include <vector>

#include "wavewright/core/prefetch.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// Sort key of a child of a `fair` group: held / minimum or held / weight, in units of 2^-20. Children below
// their minimum sort first.
[[nodiscard]] inline Key fair_key(Count held, const Share& share) {
  constexpr Key satisfied = Key{1} << 62;
  if (held < share.minimum) return (held << 20) / share.minimum;
  if (share.weight_thousandths == 1000) return satisfied + (held << 20);  // same as the next line, faster
  return satisfied + (held << 20) / share.weight_thousandths * 1000 +
         (held << 20) % share.weight_thousandths * 1000 / share.weight_thousandths;
}

class OrderTree {
  struct Entry;

 public:
  static constexpr bool limited = true;

  OrderTree(std::size_t jobs, Kind kind);

  // Groups. Throw InternalError for a group that does not exist or changes its parent.
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
  // Classes of nodes as bits: class c is bit c % 64. On clusters of more classes, a bit is set if any of its
  // classes is open.
  using Classes = std::uint64_t;
  static constexpr std::uint32_t distinct_classes = 64;
  [[nodiscard]] static Classes classes_of(ClassId node_class) {
    return Classes{1} << (node_class % distinct_classes);
  }
  // Starts to know which classes are open: all of the cluster's, for each job. O(jobs).
  void keep_classes(std::size_t classes = distinct_classes);
  [[nodiscard]] bool keeps_classes() const { return !open_.empty(); }
  // The classes on which the job may start a task. O(depth · log children).
  void open(JobIndex index, Classes classes);
  [[nodiscard]] Classes open(JobIndex index) const { return open_[index]; }
  // The classes on which an eligible job may start a task; all if any is eligible and classes are not kept.
  [[nodiscard]] Classes open() const { return any() ? open_below(root_group, 0) : 0; }
  // Walks for classes leave out hidden jobs, open() and first() too. hide() has no effect unless allowed.
  // O(depth · log children); the first time O(jobs), as classes are kept from then on.
  void allow_hiding() { may_hide_ = true; }
  void hide(JobIndex index, bool hidden);
  [[nodiscard]] bool is_hidden(JobIndex index) const { return !hidden_.empty() && hidden_[index] != 0; }
  [[nodiscard]] bool has_hidden() const { return !hidden_.empty(); }  // once any was
  // The bits of all classes.
  [[nodiscard]] Classes all_classes() const { return all_classes_; }

  void add(JobIndex index);     // it has a task to start
  void remove(JobIndex index);  // it has none left
  // The job takes or gives back one slot, or a container's memory in MiB.
  void started(JobIndex job, Count amount = 1) { change(job, amount); }
  void ended(JobIndex job, Count amount = 1) { change(job, -amount); }

  // Prefetches the job, which will start or end a task soon.
  void expect(JobIndex job) const {
    __builtin_prefetch(&jobs_[job]);
    __builtin_prefetch(&positions_[job]);
  }

  [[nodiscard]] bool wants(JobIndex job) const { return jobs_[job].ready; }
  [[nodiscard]] Count held(JobIndex job) const { return jobs_[job].held; }
  [[nodiscard]] bool any() const { return !groups_[root_group].children.empty(); }
  [[nodiscard]] JobIndex best() const;
  // The first job of a walk for these classes, of which one must be open to some eligible job. O(log jobs);
  // O(1) if it is asked for again and nothing has moved.
  [[nodiscard]] JobIndex first(Classes classes) const {
    if (classes != found_for_) {
      found_ = find_first(classes);
      found_for_ = classes;
    }
    return found_;
  }
  [[nodiscard]] bool eligible(JobIndex index) const;  // the job and every group above it
  // True if a walk for these classes gives the job. O(depth).
  [[nodiscard]] bool gives(JobIndex index, Classes classes) const {
    return eligible(index) && (!keeps_classes() || (open_to_child(index) & classes) != 0);
  }
  [[nodiscard]] Count used(GroupId group) const {
    return group < groups_.size() ? groups_[group].self.held : 0;
  }

  // True if a walk gives `a` before `b`. Both must be eligible. O(depth).
  [[nodiscard]] bool before(JobIndex a, JobIndex b) const;

  // Do the limits of the groups above the job leave room for that much more? O(depth).
  [[nodiscard]] bool has_room(JobIndex index, Count amount) const;

  // Amount left below the limits and guarantees of the groups above the job, at least 0. O(depth).
  [[nodiscard]] Count headroom(JobIndex index) const;

  // The eligible jobs in order, one for each call. The tree must not change meanwhile.
  class Walk {
   public:
    explicit Walk(const OrderTree& tree) : tree_(tree) {}
    void restart() { restart(every_class); }
    // Only jobs to which one of these classes is open.
    void restart(Classes classes);
    [[nodiscard]] std::optional<JobIndex> next();

   private:
    struct Frame {
      struct At {  // a place in a group's heap
        GroupId group = root_group;
        std::uint32_t position = 0;
      };
      std::vector<At> frontier;  // a heap, over the group's heap and those of child groups if `by_best`
    };
    void enter(GroupId group);
    void reach(Frame& frame, GroupId group, std::size_t position) const;
    [[nodiscard]] bool takes(Classes open) const { return classes_ == every_class || (open & classes_) != 0; }
    [[nodiscard]] const Entry& entry(const Frame::At& at) const {
      return tree_.groups_[at.group].children[at.position];
    }

    const OrderTree& tree_;
    Classes classes_ = every_class;
    std::vector<Frame> frames_;
    std::size_t depth_ = 0;  // frames in use; the others keep their memory
  };

 private:
  static constexpr std::uint32_t group_bit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t absent = ~std::uint32_t{0};
  static constexpr Classes every_class = ~Classes{0};

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
    bool ready = false;  // for a job: it has a task to start
  };
  struct Group {
    Child self;
    std::uint32_t position = absent;
    Count guaranteed = unlimited;
    Ordering ordering = Ordering::ranked;
    bool exists = false;
    bool last_may_exceed = false;
    std::vector<Entry> children;  // the eligible ones, a 4-ary heap
    std::vector<Classes> open;    // by place of the heap: to the jobs there and below; empty unless kept
  };

  [[nodiscard]] Group& known(GroupId id);
  [[nodiscard]] Child& job(JobIndex index);
  [[nodiscard]] Child& child(std::uint32_t id) {
    return (id & group_bit) != 0 ? groups_[id & ~group_bit].self : jobs_[id];
  }
  // Index of the child in its parent's heap. Jobs' indices are in their own vector: fewer cache misses.
  [[nodiscard]] std::uint32_t& position(std::uint32_t id) {
    return (id & group_bit) != 0 ? groups_[id & ~group_bit].position : positions_[id];
  }
  [[nodiscard]] Entry entry(const Child& child, std::uint32_t id) const;
  // The way of an eligible job from its group to the root. `entry`: by which the job is compared with others
  // in `group`.
  struct Ascent {
    GroupId group;
    const Entry* entry;
  };
  [[nodiscard]] Ascent ascent(JobIndex index) const {
    const GroupId parent = jobs_[index].parent;
    return {parent, &groups_[parent].children[positions_[index]]};
  }
  void go_up(Ascent& at) const;
  [[nodiscard]] std::size_t depth(GroupId group) const;
  [[nodiscard]] bool eligible(const Child& child, std::uint32_t id) const;
  // The child's place or eligibility may change with what it holds.
  [[nodiscard]] bool depends_on_held(const Child& child) const {
    return child.limit != unlimited || groups_[child.parent].ordering == Ordering::fair;
  }
  bool settle(std::uint32_t id);
  void refresh(std::uint32_t id);
  void change(JobIndex index, Count by);

  void put(Group& group, std::size_t position, const Entry& entry) {
    group.children[position] = entry;
    this->position(entry.child) = static_cast<std::uint32_t>(position);
  }
  void sift(GroupId id, std::size_t position, const Entry& entry);
  void take_out(GroupId id, std::size_t position);
  // Open to the jobs in the heap's place and below it.
  [[nodiscard]] Classes open_below(GroupId group, std::size_t position) const {
    return keeps_classes() ? groups_[group].open[position] : every_class;
  }
  [[nodiscard]] Classes open_to_child(std::uint32_t id) const;
  void renew_open(JobIndex index);
  void renew_open(GroupId id, std::size_t deepest, std::size_t highest);
  [[nodiscard]] JobIndex find_first(Classes classes) const;
  void find_first(const Group& group, std::size_t position, Classes classes, const Entry*& first) const;

  Kind kind_;
  std::vector<Child> jobs_;
  std::vector<std::uint32_t> positions_;  // by job
  std::vector<Classes> open_;             // by job; empty unless kept
  Classes all_classes_ = every_class;
  bool may_hide_ = false;
  std::vector<std::uint8_t> hidden_;  // by job; empty while none ever was
  std::vector<Group> groups_;
  // The answer of first(), while nothing has moved since.
  mutable Classes found_for_ = 0;  // 0 = there is none
  mutable JobIndex found_ = 0;
};

}  // namespace wavewright
