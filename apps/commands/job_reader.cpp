#include "apps/commands/job_reader.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "apps/commands/job_predictor.h"
#include "apps/open_store.h"
#include "wavewright/profile/open_durations.h"
#include "wavewright/store/phases.h"

namespace wavewright::app {

// What the store says of jobs that are to run.
class JobReader::Profiles {
 public:
  explicit Profiles(const Context& context) : context_(context) {}

  void fill(Job& job, std::uint64_t seed) {
    const Tasks& tasks = tasks_of(job.profile, job.input);
    const auto drawn = [&](const std::optional<DurationRange>& range, Count count, const char* field) {
      Random random(seed, job.id + '\n' + field);
      return range ? draw(*range, count, random) : std::vector<Duration>();
    };
    job.maps = drawn(tasks.lengths.maps, tasks.maps, "map_ms");
    job.reduces = drawn(tasks.lengths.reduces, tasks.reduces, "reduce_ms");
    job.first_shuffles = drawn(tasks.lengths.first_shuffles, tasks.reduces, "first_shuffle_ms");
    job.shuffles = drawn(tasks.lengths.shuffles, tasks.reduces, "shuffle_ms");
  }

 private:
  struct Tasks {
    Count maps = 0;
    Count reduces = 0;
    OpenDurations lengths;
  };

  const Tasks& tasks_of(const std::string& profile, std::optional<Bytes> input) {
    const std::scoped_lock lock(mutex_);
    const auto key = std::pair(profile, input ? input->count : -1);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (!store_) store_.emplace(open_store(context_));
    const std::string name = store_->known_name(profile);
    RunQuestion question;
    question.size.input = input;
    const RunChoice choice = job_predictor(*store_, name, load_phases(*store_, name), {}).choose(question);
    const ScaledProfile scaled = scaled_profile(name, choice.runs, question.size);
    Tasks tasks{scaled.job.maps, scaled.job.reduces, open_durations(scaled.profile)};
    // Of a kind of shuffle that no run had, the other kind tells most (predict/statistics.h).
    if (!tasks.lengths.first_shuffles) tasks.lengths.first_shuffles = tasks.lengths.shuffles;
    if (!tasks.lengths.shuffles) tasks.lengths.shuffles = tasks.lengths.first_shuffles;
    return known_.emplace(key, tasks).first->second;
  }

  const Context& context_;
  std::mutex mutex_;
  std::optional<Store> store_;
  std::map<std::pair<std::string, std::int64_t>, Tasks> known_;  // by profile and input
};

JobReader::JobReader(const Context& context)
    : context_(context), profiles_(std::make_shared<Profiles>(context)) {}

WorkloadReadOptions JobReader::options(std::uint64_t seed, bool warns) const {
  WorkloadReadOptions options;
  options.seed = seed;
  if (warns) options.warn = [&context = context_](const std::string& warning) { context.note(warning); };
  options.tasks_of_profile = [profiles = profiles_, seed](Job& job) { profiles->fill(job, seed); };
  return options;
}

Workload JobReader::read(const std::string& path) const {
  return read_workload(path, options(context_.seed, true));
}

Workload JobReader::read_again(const std::string& path, std::uint64_t seed) const {
  return read_workload(path, options(seed, false));
}

}  // namespace wavewright::app
