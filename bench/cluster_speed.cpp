// How fast a cluster of nodes is simulated: a random workload at a given load, under any policy.
//
//   cluster_speed [KEY=VALUE ...]
//
// nodes=4000 jobs=20000 tasks=100 (a job, on average) load=0.9 policy=fair heartbeat=3000 (ms; 0 = at once)
// span=0 (days over which the jobs arrive; 0 = tasks of 5 to 60 s) places=1 faults=0 speculation=0 shuffle=0
// network=0 (1 = blocks and shuffles go over cards of 1 Gbit/s and uplinks of 40) stream=0 (1 = every
// attempt's record is handed on) classes=1 (of nodes, rack by rack; each has a power of its own, the last a
// label, and each job an efficiency there) deadline=0 (each job's, from its submission: a number between 1
// and twice this less 1, drawn, times what it takes alone by its longest tasks; 0 = none).
//
// Prints one JSON object. `attempts`: arrivals of jobs and ends of attempts, as `simulate` counts them.
// `events`: starts and ends of attempts, ends of transfers, and heartbeats that assign or report something,
// each once. The time is the same for both.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/energy/policies.h"
#include "wavewright/realtime/policies.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

using namespace wavewright;

namespace {

constexpr int map_slots = 6, reduce_slots = 2;  // of a node
constexpr int racks = 40;

std::map<std::string, std::string> settings = {
    {"nodes", "4000"},  {"jobs", "20000"}, {"tasks", "100"}, {"load", "0.9"},  {"policy", "fair"},
    {"heartbeat", "0"}, {"span", "0"},     {"places", "0"},  {"faults", "0"},  {"speculation", "0"},
    {"shuffle", "0"},   {"stream", "0"},   {"network", "0"}, {"classes", "1"}, {"deadline", "0"}};

double number(const std::string& key) {
  return std::atof(settings.at(key).c_str());
}
bool on(const std::string& key) {
  return number(key) != 0;
}

int classes() {
  return static_cast<int>(number("classes"));
}

Cluster cluster_of() {
  const auto nodes = static_cast<Count>(number("nodes"));
  Cluster cluster;
  for (int rack = 0; rack < racks; ++rack) {
    NodeGroup group;
    group.count = nodes / racks + (rack < nodes % racks ? 1 : 0);
    group.rack = fmt::format("/rack{}", rack);
    group.slots = {map_slots, reduce_slots};
    if (classes() > 1) {
      const int number = rack % classes();
      group.node_class = fmt::format("class{}", number);
      group.power_idle_w = 100;
      NodeClass& of = cluster.classes[group.node_class];
      of.map_w = 10 + number;
      if (number + 1 == classes()) of.label = "last";
    }
    if (group.count > 0) cluster.nodes.push_back(group);
  }
  cluster.mode.heartbeat = ms(static_cast<std::int64_t>(number("heartbeat")));
  cluster.mode.launch = cluster.mode.heartbeat == Duration{} ? Duration{} : ms(1500);
  cluster.mode.slowstart = 0.8;
  if (on("places")) cluster.reads = {Reads::Kind::slowdown, 1.2, 1.6};
  if (on("network")) {
    cluster.reads.kind = Reads::Kind::network;
    cluster.network = {.card_mbps = 1000, .uplink_mbps = 40'000, .shuffle = true};
  }
  if (on("faults")) {
    cluster.faults.task_failure = 0.01;
    cluster.faults.straggler = 0.02;
    cluster.faults.straggler_slowdown = 3;
    cluster.faults.blacklist_after = 3;
  }
  cluster.mode.speculation = on("speculation");
  return cluster;
}

// Jobs of 1 to 2·mean tasks, a fifth of them reduces; ten queues and a hundred users. Durations are around a
// mean of the job's own. Jobs arrive at random over so long that the work is `load` of the slots' time.
class Workloads {
 public:
  explicit Workloads(const Cluster& cluster) : cluster_(cluster) {}

  Workload make() {
    workload_.jobs.resize(static_cast<std::size_t>(number("jobs")));
    for (Job& job : workload_.jobs) draw(job);
    double span = std::max(maps_.span(1), reduces_.span(1));
    if (on("span")) {
      constexpr double day = 86'400'000;
      span = number("span") * day;
      stretch(std::min(maps_.longer(span), reduces_.longer(span)));
    }
    submit(span);
    return std::move(workload_);
  }

 private:
  // What tasks of a kind take of its slots, ms.
  struct Load {
    int slots = 0;  // of a node
    double work = 0;
    double besides = 0;

    // How long jobs must arrive for the load to be as told, with work so much longer; and the other way
    // round.
    [[nodiscard]] double span(double longer) const {
      return (work * longer + besides) / (slots_in_all() * number("load"));
    }
    [[nodiscard]] double longer(double span) const {
      return (span * slots_in_all() * number("load") - besides) / work;
    }
    [[nodiscard]] double slots_in_all() const { return number("nodes") * slots; }
  };

  void draw(Job& job) {
    const auto tasks = random_.integer(1, 2 * static_cast<Count>(number("tasks")) - 1);
    const auto reduces = tasks / 5;
    const double mean = random_.uniform(5'000, 60'000);
    draw(job.maps, tasks - reduces, mean, maps_);
    draw(job.reduces, reduces, mean, reduces_);
    if (!on("shuffle")) return;
    Load none;
    draw(job.first_shuffles, reduces, mean / 10, none);
    draw(job.shuffles, reduces, mean / 5, reduces_);
  }
  // What each takes of its slot besides its own time: launch, half a heartbeat until its end is known, and
  // what stragglers and blocks elsewhere add on average.
  void draw(std::vector<Duration>& into, Count count, double around, Load& load) {
    const double slower =
        (on("places") ? 1.2 : 1) * (1 + cluster_.faults.straggler * (cluster_.faults.straggler_slowdown - 1) +
                                    cluster_.faults.task_failure);
    const auto besides = static_cast<double>(to_ms(cluster_.mode.launch)) +
                         static_cast<double>(to_ms(cluster_.mode.heartbeat));
    into.reserve(static_cast<std::size_t>(count));
    for (Count i = 0; i < count; ++i) {
      into.push_back(ms(static_cast<std::int64_t>(random_.uniform(0.5 * around, 1.5 * around))));
      load.work += static_cast<double>(to_ms(into.back())) * slower;
      load.besides += besides;
    }
  }
  void stretch(double by) {
    for (Job& job : workload_.jobs) {
      for (std::vector<Duration>* const each :
           {&job.maps, &job.reduces, &job.first_shuffles, &job.shuffles}) {
        for (Duration& time : *each)
          time = ms(static_cast<std::int64_t>(static_cast<double>(to_ms(time)) * by));
      }
    }
  }
  void submit(double span) {
    std::vector<std::int64_t> submits;
    for (std::size_t i = 0; i < workload_.jobs.size(); ++i)
      submits.push_back(static_cast<std::int64_t>(random_.uniform(0, span)));
    std::sort(submits.begin(), submits.end());
    for (std::size_t i = 0; i < workload_.jobs.size(); ++i) {
      Job& job = workload_.jobs[i];
      job.id = fmt::format("J{}", i);
      job.submit = at_ms(submits[i]);
      job.queue = fmt::format("q{}", random_.below(10));
      job.user = fmt::format("u{}", random_.below(100));
      if (on("deadline")) job.deadline = job.submit + ms(static_cast<std::int64_t>(alone(job) * patience()));
      if (classes() > 1)
        job.classes[fmt::format("class{}", classes() - 1)].energy_factor = random_.uniform(0.8, 1.5);
      constexpr std::int64_t block = std::int64_t{128} << 20;
      if (on("network")) job.shuffled = Bytes{static_cast<std::int64_t>(job.maps.size()) * block / 4};
    }
  }

  // How long the job takes at most if all slots are free, ms: its longest map, far from its block, and its
  // longest reduce, with launches; each waits for a heartbeat until it starts and one until its end is known.
  [[nodiscard]] double alone(const Job& job) const {
    const auto longest = [](const std::vector<Duration>& times) {
      return times.empty() ? 0.0 : static_cast<double>(to_ms(*std::max_element(times.begin(), times.end())));
    };
    const ClusterMode& mode = cluster_.mode;
    return longest(job.maps) * (on("places") ? cluster_.reads.off_rack : 1) + longest(job.reduces) +
           2 * static_cast<double>(to_ms(mode.launch)) + 4 * static_cast<double>(to_ms(mode.heartbeat));
  }
  [[nodiscard]] double patience() { return random_.uniform(1, 2 * number("deadline") - 1); }

  const Cluster& cluster_;
  Random random_{1, "cluster_speed"};
  Workload workload_;
  Load maps_{map_slots}, reduces_{reduce_slots};
};

// Adds up what every attempt was, as a writer of rows would look at each.
class Sum final : public TaskSink {
 public:
  void begin(const std::vector<std::string>&) override {}
  void add(const TaskRecord& record) override {
    ++attempts;
    busy += record.end - record.start;
  }
  std::uint64_t attempts = 0;
  Duration busy{};
};

std::uint64_t events_of(const SimulationResult& result) {
  const std::uint64_t ends = result.events - result.jobs.size();  // all jobs have arrived
  return result.starts + ends + result.transfers + result.heartbeats;
}

Count rejected(const SimulationResult& result) {
  return std::count_if(result.jobs.begin(), result.jobs.end(), [](const auto& job) { return job.rejected; });
}
Count late(const SimulationResult& result, const Workload& workload) {
  Count late = 0;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const JobOutcome& outcome = result.jobs[i];
    const auto& deadline = workload.jobs[i].deadline;
    late += !outcome.rejected && deadline && outcome.finish > *deadline ? 1 : 0;
  }
  return late;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string setting = argv[i];
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || !settings.contains(setting.substr(0, equals))) {
      std::fputs("usage: cluster_speed [KEY=VALUE ...]; keys:", stderr);
      for (const auto& [key, value] : settings) std::fputs(fmt::format(" {}={}", key, value).c_str(), stderr);
      std::fputs("\n", stderr);
      return 2;
    }
    settings[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  try {
    ClusterOptions options;
    options.cluster = cluster_of();
    Sum sum;
    if (on("stream")) options.sink = &sum;
    const Workload workload = Workloads(options.cluster).make();
    PolicyRegistry registry = standard_policies();
    for (PolicyEntry& entry : energy_policies()) registry.add(std::move(entry));
    for (PolicyEntry& entry : realtime_policies()) registry.add(std::move(entry));
    Policy policy = make_policy_on(settings.at("policy"), options.cluster, registry);
    const std::clock_t began = std::clock();
    const SimulationResult result = simulate_cluster(workload, policy, options);
    const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    const SlotPool slots = options.cluster.total_slots();
    const std::uint64_t events = events_of(result);
    std::fputs(
        fmt::format(
            R"({{"attempts":{},"events":{},"seconds":{:.4f},"processor_seconds":{:.4f},)"
            R"("attempts_per_second":{:.0f},"events_per_second":{:.0f},"makespan_ms":{},"map_utilisation":{:.3f},)"
            R"("reduce_utilisation":{:.3f},"rejected":{},"late":{},"streamed":{}}})"
            "\n",
            result.events, events, result.engine_seconds, seconds,
            static_cast<double>(result.events) / seconds, static_cast<double>(events) / seconds,
            to_ms(result.makespan), result.map_utilisation(slots), result.reduce_utilisation(slots),
            rejected(result), late(result, workload), sum.attempts)
            .c_str(),
        stdout);
  } catch (const Error& error) {
    std::fputs(error.what(), stderr);
    return 1;
  }
  return 0;
}
