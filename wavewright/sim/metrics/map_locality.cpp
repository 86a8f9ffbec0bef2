#include "wavewright/sim/metrics/map_locality.h"

#include "wavewright/sim/metrics/waiting.h"

namespace wavewright {

namespace {

std::optional<double> mean_ms(Duration sum, Count count) {
  if (count == 0) return std::nullopt;
  return static_cast<double>(to_ms(sum)) / static_cast<double>(count);
}

}  // namespace

std::optional<double> MapLocality::rate() const {
  if (maps() == 0) return std::nullopt;
  return static_cast<double>(local) / static_cast<double>(maps());
}
std::optional<double> MapLocality::response_ms() const {
  return mean_ms(local_time + elsewhere_time, maps());
}
std::optional<double> MapLocality::local_response_ms() const {
  return mean_ms(local_time, local);
}
std::optional<double> MapLocality::elsewhere_response_ms() const {
  return mean_ms(elsewhere_time, elsewhere);
}

void MapLocalitySums::add(const TaskRecord& task) {
  if (task.kind != Kind::map || task.outcome != AttemptOutcome::done) return;
  std::vector<Ends>& of = task.locality == Locality::node ? local_ : elsewhere_;
  if (task.job >= of.size()) of.resize(std::size_t{task.job} + 1);
  ++of[task.job].maps;
  of[task.job].sum += task.end - Time{};
}

MapLocality MapLocalitySums::finish(const SimulationResult& result, const Workload& workload) const {
  const std::vector<Time> released = release_times(result, workload);
  MapLocality all;
  const auto add = [&](const std::vector<Ends>& of, Count& maps, Duration& time) {
    for (std::size_t job = 0; job < of.size(); ++job) {
      maps += of[job].maps;
      time += of[job].sum - of[job].maps * (released[job] - Time{});
    }
  };
  add(local_, all.local, all.local_time);
  add(elsewhere_, all.elsewhere, all.elsewhere_time);
  return all;
}

MapLocality map_locality(const SimulationResult& result, const Workload& workload) {
  MapLocalitySums sums;
  for (const TaskRecord& task : result.trace) sums.add(task);
  return sums.finish(result, workload);
}

}  // namespace wavewright
