// A rival that knows nothing of Wavewright: plain local search over one order of jobs, a heap operation a
// task.
//
//   plain_search BATCH.txt SECONDS [SEED]
//
// BATCH is the text that `wavewright workload convert --to text` writes, all jobs there at once. From
// Johnson's order, one job at another place or two jobs swapped; what is not worse stays. Prints the
// makespan, how many orders were tried and the best one (jobs by number, from 0).
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <numeric>
#include <queue>
#include <random>
#include <vector>

namespace {

struct Job {
  std::vector<std::int64_t> maps, reduces;
};
using Order = std::vector<std::size_t>;
using Heap = std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>>;

std::vector<Job> jobs;
std::size_t map_slots = 0, reduce_slots = 0;

Heap free_at(std::size_t slots) {
  return Heap(std::greater<>(), std::vector<std::int64_t>(slots, 0));
}

std::int64_t serve(Heap& slots, const std::vector<std::int64_t>& tasks, std::int64_t last) {
  for (const std::int64_t task : tasks) {
    const std::int64_t end = slots.top() + task;
    slots.pop();
    slots.push(end);
    last = std::max(last, end);
  }
  return last;
}

std::int64_t makespan(const Order& order) {
  Heap maps = free_at(map_slots), reduces = free_at(reduce_slots);
  std::vector<std::int64_t> ready;
  std::int64_t last = 0;
  for (const std::size_t job : order) ready.push_back(serve(maps, jobs[job].maps, 0));
  std::vector<std::size_t> next(order.size(), 0);
  for (;;) {  // the slot that is free first takes the next reduce of the first job whose maps have ended
    const std::int64_t now = reduces.top();
    std::int64_t soonest = INT64_MAX;
    std::size_t at = 0;
    for (; at < order.size(); ++at) {
      if (next[at] == jobs[order[at]].reduces.size()) continue;
      if (ready[at] <= now) break;
      soonest = std::min(soonest, ready[at]);
    }
    if (at == order.size() && soonest == INT64_MAX) break;
    reduces.pop();
    if (at == order.size()) {
      reduces.push(soonest);
      continue;
    }
    reduces.push(now + jobs[order[at]].reduces[next[at]++]);
    last = std::max(last, now + jobs[order[at]].reduces[next[at] - 1]);
  }
  return std::max(last, ready.empty() ? 0 : *std::max_element(ready.begin(), ready.end()));
}

// By the stages' lengths of each job alone, or by their work on one slot's share.
Order johnson(bool alone) {
  std::vector<std::int64_t> a, b;
  const auto length = [&](const std::vector<std::int64_t>& tasks, std::size_t slots) {
    Heap heap = free_at(slots);
    if (alone) return serve(heap, tasks, 0);
    return std::accumulate(tasks.begin(), tasks.end(), std::int64_t{0}) / static_cast<std::int64_t>(slots);
  };
  for (const Job& job : jobs) {
    a.push_back(length(job.maps, map_slots));
    b.push_back(length(job.reduces, reduce_slots));
  }
  Order order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const bool early_x = a[x] <= b[x], early_y = a[y] <= b[y];
    if (early_x != early_y) return early_x;
    return early_x ? a[x] < a[y] : b[x] > b[y];
  });
  return order;
}

Order neighbour(Order order, std::mt19937_64& random) {
  const std::size_t from = random() % order.size(), to = random() % order.size();
  const auto at = [&](std::size_t place) { return order.begin() + static_cast<std::ptrdiff_t>(place); };
  if (random() % 2 == 0) {
    std::swap(order[from], order[to]);
  } else if (from < to) {
    std::rotate(at(from), at(from + 1), at(to + 1));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
  return order;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  std::ifstream file(argv[1]);
  std::size_t count = 0;
  file >> count >> map_slots >> reduce_slots;
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t arrival = 0;
    std::size_t maps = 0, reduces = 0;
    file >> arrival >> maps >> reduces;
    Job& job = jobs.emplace_back(Job{std::vector<std::int64_t>(maps), std::vector<std::int64_t>(reduces)});
    for (auto* stage : {&job.maps, &job.reduces})
      for (std::int64_t& task : *stage) file >> task;
  }
  if (!file || jobs.size() < 2) return 3;

  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> half(std::atof(argv[2]) / 2);
  std::mt19937_64 random(argc > 3 ? static_cast<std::uint64_t>(std::atoll(argv[3])) : 1);
  Order best;
  std::int64_t least = INT64_MAX;
  long tried = 0;
  for (const bool alone : {true, false}) {
    const auto until = Clock::now() + half;
    Order order = johnson(alone);
    std::int64_t value = makespan(order);
    for (++tried; Clock::now() < until; ++tried) {
      Order changed = neighbour(order, random);
      const std::int64_t found = makespan(changed);
      if (found > value) continue;
      value = found;
      order = std::move(changed);
    }
    if (value >= least) continue;
    least = value;
    best = std::move(order);
  }
  std::printf("{\"makespan_ms\":%lld,\"tried\":%ld,\"order\":[", static_cast<long long>(least), tried);
  for (std::size_t i = 0; i < best.size(); ++i) std::printf("%s%zu", i == 0 ? "" : ",", best[i]);
  std::printf("]}\n");
}
