#include "wavewright/sim/nodes/node_blocks.h"

#include <algorithm>
#include <bit>

#include "wavewright/sim/nodes/job_lifecycle.h"

namespace wavewright::sim {

void NodeBlocks::add(JobIndex job) {
  const NodeJob& state = w_.jobs[job];
  if (listed_[job] != 0) {
    const bool doubles = state.maps.pending == 0 && state.attempts != nullptr;
    if (doubles && std::find(doubles_.begin(), doubles_.end(), job) == doubles_.end())
      doubles_.push_back(job);
    return;
  }
  listed_[job] = 1;
  for (std::uint32_t map = 0; map < state.maps.count; ++map) expect(state.local->holders(map));
  for (std::uint32_t map = 0; map < state.maps.count; ++map) give_back(job, map);
}

void NodeBlocks::put(NodeIndex node, const Block& block) {
  OnNode& on = nodes_[node];
  holding_[node / 64] |= std::uint64_t{1} << (node % 64);
  if (on.count < few) {
    on.first[on.count++] = block;
    return;
  }
  if (on.more == 0) {
    more_.emplace_back();
    on.more = static_cast<std::uint32_t>(more_.size());
  }
  more_[on.more - 1].push_back(block);
  ++on.count;
}

void NodeBlocks::take_out(NodeIndex node, std::uint32_t i) {
  OnNode& on = nodes_[node];
  at(on, i) = at(on, on.count - 1);
  if (on.count > few) more_[on.more - 1].pop_back();
  --on.count;
  holding_[node / 64] &= ~(std::uint64_t{on.count == 0} << (node % 64));
}

void NodeBlocks::give_back(JobIndex job, std::uint32_t map) {
  for (const NodeIndex node : w_.jobs[job].local->holders(map)) put(node, {job, map});
}

// Compares all that are there at once, for where the block is cannot be foretold.
std::uint32_t NodeBlocks::find(const OnNode& on, const Block& block) const {
  unsigned found = 0;
  for (std::uint32_t i = 0; i < few; ++i) found |= static_cast<unsigned>(on.first[i] == block) << i;
  found &= (1U << std::min(on.count, few)) - 1;  // places behind hold what was there before
  if (found != 0) return static_cast<std::uint32_t>(std::countr_zero(found));
  const std::vector<Block>& more = more_[on.more - 1];
  return few + static_cast<std::uint32_t>(std::find(more.begin(), more.end(), block) - more.begin());
}

void NodeBlocks::take(JobIndex job, std::uint32_t map) {
  const std::span<const NodeIndex> holders = w_.jobs[job].local->holders(map);
  expect(holders);
  for (const NodeIndex node : holders) {
    take_out(node, find(nodes_[node], {job, map}));
  }
}

void NodeBlocks::forget(JobIndex job) {
  const NodeJob& state = w_.jobs[job];
  if (listed_[job] == 0) return;
  for (std::uint32_t map = 0; map < state.maps.count; ++map) {
    if (state.local->has(map)) take(job, map);
  }
}

bool NodeBlocks::goes_first(JobIndex job, NodeIndex node, const std::optional<TaskChoice>& best) {
  return (!best || w_.maps.ready.before(job, best->job)) && !allocation_.refused(job, Kind::map, node);
}

void NodeBlocks::list_hidden(NodeIndex node, std::vector<JobIndex>& jobs) {
  OnNode& on = nodes_[node];
  for (std::uint32_t i = 0; i < on.count; ++i) {
    const JobIndex job = at(on, i).job;
    if (is_hidden(job, node)) jobs.push_back(job);
  }
  if (!doubles_.empty()) {
    forget_doubles();
    for (const JobIndex job : doubles_) {
      if (w_.jobs[job].maps.pending == 0 && is_hidden(job, node)) jobs.push_back(job);
    }
  }
  if (jobs.size() < 2) return;
  std::sort(jobs.begin(), jobs.end(),
            [this](JobIndex a, JobIndex b) { return a != b && w_.maps.ready.before(b, a); });
  jobs.erase(std::unique(jobs.begin(), jobs.end()), jobs.end());
}

std::optional<TaskChoice> NodeBlocks::search(NodeIndex node) {
  OnNode& on = nodes_[node];
  std::optional<TaskChoice> best;
  for (std::uint32_t i = 0; i < on.count; ++i) {
    const Block block = at(on, i);
    if (best && block.job == best->job) {
      best->task = std::min(best->task, block.map);
    } else if (w_.maps.ready.eligible(block.job)) {
      if (goes_first(block.job, node, best)) best = TaskChoice{block.job, block.map, Locality::node};
    }
  }
  if (!doubles_.empty()) search_doubles(node, best);
  return best;
}

void NodeBlocks::forget_doubles() {
  std::erase_if(doubles_, [this](JobIndex job) {
    const NodeJob& state = w_.jobs[job];
    return state.settled || state.attempts->of(Kind::map).marked.empty();
  });
}

void NodeBlocks::search_doubles(NodeIndex node, std::optional<TaskChoice>& best) {
  forget_doubles();
  for (const JobIndex job : doubles_) {
    if (w_.jobs[job].maps.pending > 0 || !w_.maps.ready.eligible(job) || !goes_first(job, node, best))
      continue;
    if (const auto second = allocation_.second(job, node, Kind::map, Locality::node)) best = second;
  }
}

}  // namespace wavewright::sim
