// A rival that knows nothing of Wavewright: plain simulated annealing over two orders of jobs, one for maps
// and one for reduces, with heaps.
//
//   plain_annealing BATCH.txt makespan|total-completion PROCESSOR_SECONDS SEED
//
// BATCH: "jobs map-slots reduce-slots", then a line a job: arrival, numbers of maps, reduces and
// predecessors, their lengths in ms, and the predecessors by number, from 0. From the best of three orders, a
// job to another place or two jobs swapped, in either order or both, half of the moves to one of the nearest
// ten places; geometric cooling. Prints value, tries and both orders.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <numeric>
#include <queue>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

struct Job {
  std::int64_t arrival = 0;
  std::vector<std::int64_t> maps, reduces;
  std::vector<std::size_t> after, before;
};
using Order = std::vector<std::size_t>;
template <class T>
using Heap = std::priority_queue<T, std::vector<T>, std::greater<>>;

std::vector<Job> jobs;
std::size_t map_slots = 0, reduce_slots = 0;
bool of_total = false, workflow = false;

// A free slot takes the next task of the first ready job; ends by job.
std::vector<std::int64_t> stage(const Order& order, const std::vector<std::int64_t>& ready,
                                std::vector<std::int64_t> Job::* tasks, std::size_t slots) {
  std::vector<std::int64_t> ends = ready;
  std::vector<std::size_t> by_ready, position(order.size()), next(order.size(), 0);
  for (std::size_t at = 0; at < order.size(); ++at) {
    position[order[at]] = at;
    if (!(jobs[order[at]].*tasks).empty()) by_ready.push_back(order[at]);
  }
  std::sort(by_ready.begin(), by_ready.end(),
            [&](std::size_t a, std::size_t b) { return ready[a] < ready[b]; });
  Heap<std::int64_t> free(std::greater<>(), std::vector<std::int64_t>(slots, 0));
  Heap<std::size_t> waiting;
  std::int64_t now = 0;
  for (std::size_t at = 0; at < by_ready.size() || !waiting.empty();) {
    now = std::max(now, free.top());
    if (waiting.empty()) now = std::max(now, ready[by_ready[at]]);
    for (; at < by_ready.size() && ready[by_ready[at]] <= now; ++at) waiting.push(position[by_ready[at]]);
    const std::size_t job = order[waiting.top()];
    const std::int64_t end = now + (jobs[job].*tasks)[next[job]];
    if (++next[job] == (jobs[job].*tasks).size()) waiting.pop();
    free.pop();
    free.push(end);
    ends[job] = std::max(ends[job], end);
  }
  return ends;
}

// The same where jobs wait for others, event by event.
std::vector<std::int64_t> events(const Order& maps, const Order& reduces) {
  enum Kind { arrival, map_end, reduce_end };
  struct Stage {
    const Order& order;
    std::vector<std::int64_t> Job::* tasks;
    Kind end;
    std::size_t free;
    std::vector<std::size_t> position, next, left;
    Heap<std::size_t> waiting;
  };
  Heap<std::tuple<std::int64_t, Kind, std::size_t>> queue;
  std::vector<std::int64_t> ends(jobs.size(), 0);
  std::vector<std::size_t> waits_for;
  Stage stages[] = {{maps, &Job::maps, map_end, map_slots, {}, {}, {}, {}},
                    {reduces, &Job::reduces, reduce_end, reduce_slots, {}, {}, {}, {}}};
  for (Stage& stage : stages) {
    stage.position.resize(jobs.size());
    stage.next.assign(jobs.size(), 0);
    for (std::size_t at = 0; at < jobs.size(); ++at) stage.position[stage.order[at]] = at;
    for (const Job& job : jobs) stage.left.push_back((job.*stage.tasks).size());
  }
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    waits_for.push_back(jobs[job].after.size());
    if (waits_for[job] == 0) queue.emplace(jobs[job].arrival, arrival, job);
  }
  std::int64_t now = 0;
  // The job enters its next stage with tasks, or ends.
  const std::function<void(std::size_t, std::size_t)> enter = [&](std::size_t job, std::size_t from) {
    for (; from < 2; ++from) {
      if (stages[from].left[job] > 0) return stages[from].waiting.push(stages[from].position[job]);
    }
    ends[job] = now;
    for (const std::size_t other : jobs[job].before) {
      if (--waits_for[other] == 0) queue.emplace(std::max(now, jobs[other].arrival), arrival, other);
    }
  };
  while (!queue.empty()) {
    now = std::get<0>(queue.top());
    while (!queue.empty() && std::get<0>(queue.top()) == now) {
      const auto [at, kind, job] = queue.top();
      queue.pop();
      if (kind == arrival) {
        enter(job, 0);
        continue;
      }
      Stage& stage = stages[kind == map_end ? 0 : 1];
      ++stage.free;
      if (--stage.left[job] == 0) enter(job, kind == map_end ? 1 : 2);
    }
    for (Stage& stage : stages) {
      for (; stage.free > 0 && !stage.waiting.empty(); --stage.free) {
        const std::size_t job = stage.order[stage.waiting.top()];
        queue.emplace(now + (jobs[job].*stage.tasks)[stage.next[job]], stage.end, job);
        if (++stage.next[job] == (jobs[job].*stage.tasks).size()) stage.waiting.pop();
      }
    }
  }
  return ends;
}

std::int64_t value(const Order& maps, const Order& reduces) {
  std::vector<std::int64_t> ends;
  if (workflow) {
    ends = events(maps, reduces);
  } else {
    std::vector<std::int64_t> arrivals;
    for (const Job& job : jobs) arrivals.push_back(job.arrival);
    ends = stage(reduces, stage(maps, arrivals, &Job::maps, map_slots), &Job::reduces, reduce_slots);
  }
  if (!of_total) return *std::max_element(ends.begin(), ends.end());
  std::int64_t sum = 0;
  for (std::size_t job = 0; job < jobs.size(); ++job) sum += ends[job] - jobs[job].arrival;
  return sum;
}

bool read(const char* path) {
  std::ifstream file(path);
  std::size_t count = 0;
  file >> count >> map_slots >> reduce_slots;
  jobs.resize(file ? count : 0);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    Job& job = jobs[i];
    std::size_t maps = 0, reduces = 0, after = 0;
    file >> job.arrival >> maps >> reduces >> after;
    for (auto [tasks, number] : {std::pair(&job.maps, maps), std::pair(&job.reduces, reduces)}) {
      tasks->resize(number);
      for (std::int64_t& task : *tasks) file >> task;
      std::sort(tasks->begin(), tasks->end(), std::greater<>());
    }
    job.after.resize(after);
    for (std::size_t& other : job.after) {
      file >> other;
      if (other >= jobs.size()) return false;
      jobs[other].before.push_back(i);
    }
    workflow = workflow || after > 0;
  }
  return file && jobs.size() > 1;
}

// As submitted, shortest first, Johnson's by work a slot.
std::vector<Order> starts() {
  std::vector<double> a, b;
  const auto work = [](const std::vector<std::int64_t>& tasks, std::size_t slots) {
    return std::accumulate(tasks.begin(), tasks.end(), 0.0) / static_cast<double>(slots);
  };
  for (const Job& job : jobs) {
    a.push_back(work(job.maps, map_slots));
    b.push_back(work(job.reduces, reduce_slots));
  }
  Order submitted(jobs.size());
  std::iota(submitted.begin(), submitted.end(), std::size_t{0});
  Order shortest = submitted, johnson = submitted;
  std::stable_sort(shortest.begin(), shortest.end(),
                   [&](std::size_t x, std::size_t y) { return a[x] + b[x] < a[y] + b[y]; });
  std::stable_sort(johnson.begin(), johnson.end(), [&](std::size_t x, std::size_t y) {
    const bool early_x = a[x] <= b[x], early_y = a[y] <= b[y];
    if (early_x != early_y) return early_x;
    return early_x ? a[x] < a[y] : b[x] > b[y];
  });
  return {submitted, shortest, johnson};
}

void move(Order& order, std::size_t from, std::size_t to, bool swaps) {
  const auto at = [&](std::size_t place) { return order.begin() + static_cast<std::ptrdiff_t>(place); };
  if (swaps) {
    std::iter_swap(at(from), at(to));
  } else if (from < to) {
    std::rotate(at(from), at(from + 1), at(to + 1));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
}

void change(Order& maps, Order& reduces, std::mt19937_64& random) {
  const std::size_t from = random() % jobs.size(), which = random() % 3;
  std::size_t to = random() % jobs.size();
  if (random() % 2 == 0) {
    const std::size_t low = from - std::min<std::size_t>(from, 10),
                      high = std::min(jobs.size() - 1, from + 10);
    to = low + random() % (high - low + 1);
  }
  const bool swaps = random() % 2 == 0;
  if (which == 0) return move(reduces, from, to, swaps);
  const std::size_t job = maps[from], other = maps[to];
  move(maps, from, to, swaps);
  if (which == 1) return;
  const auto place = [&](std::size_t of) {
    return static_cast<std::size_t>(std::find(reduces.begin(), reduces.end(), of) - reduces.begin());
  };
  move(reduces, place(job), place(other), swaps);
}

void print(const char* name, const Order& order) {
  std::printf(",\"%s\":[", name);
  for (std::size_t i = 0; i < order.size(); ++i) std::printf("%s%zu", i == 0 ? "" : ",", order[i]);
  std::printf("]");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  if (!read(argv[1])) return 3;
  of_total = std::string(argv[2]) == "total-completion";
  const double seconds = std::atof(argv[3]);
  std::mt19937_64 random(static_cast<std::uint64_t>(std::atoll(argv[4])));
  Order maps, reduces;
  std::int64_t now = INT64_MAX;
  for (const Order& start : starts()) {
    const std::int64_t found = value(start, start);
    if (found >= now) continue;
    now = found;
    maps = reduces = start;
  }
  Order best_maps = maps, best_reduces = reduces;
  std::int64_t best = now;
  constexpr double of_mean = 0.04, of_makespan = 0.002, coldest = 1e-3;
  const double warmest =
      static_cast<double>(now) * (of_total ? of_mean / static_cast<double>(jobs.size()) : of_makespan);
  double warmth = warmest;
  long tried = 0;
  for (;; ++tried) {
    if (tried % 16 == 0) {
      const double gone = static_cast<double>(std::clock()) / CLOCKS_PER_SEC / seconds;
      if (gone >= 1) break;
      warmth = warmest * std::pow(coldest, gone);
    }
    Order tried_maps = maps, tried_reduces = reduces;
    change(tried_maps, tried_reduces, random);
    const std::int64_t found = value(tried_maps, tried_reduces);
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    if (found > now && std::exp(static_cast<double>(now - found) / warmth) <= unit) continue;
    maps.swap(tried_maps);
    reduces.swap(tried_reduces);
    now = found;
    if (now >= best) continue;
    best = now;
    best_maps = maps;
    best_reduces = reduces;
  }
  std::printf("{\"value_ms\":%lld,\"tried\":%ld", static_cast<long long>(best), tried);
  print("maps", best_maps);
  print("reduces", best_reduces);
  std::printf("}\n");
}
