#include "apps/commands/job_reader.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "apps/commands/job_predictor.h"
#include "apps/open_store.h"
#include "wavewright/profile/open_durations.h"
#include "wavewright/store/phases.h"

namespace wavewright::app {

// Tasks that the store's runs predict, by profile and input.
class JobReader::Profiles {
 public:
  explicit Profiles(const Context& context) : context_(context) {}

  ProfiledTasks tasks_of(const std::string& profile, std::optional<Bytes> input) {
    const std::scoped_lock lock(mutex_);
    const auto key = std::pair(profile, input ? input->count : -1);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (!store_) store_.emplace(open_store(context_));
    const std::string name = store_->known_name(profile);
    RunQuestion question;
    question.size.input = input;
    const RunChoice choice = job_predictor(*store_, name, load_phases(*store_, name), {}).choose(question);
    const ScaledProfile scaled = scaled_profile(name, choice.runs, question.size);
    ProfiledTasks tasks{scaled.job.maps, scaled.job.reduces, open_durations(scaled.profile)};
    // Where no run had one kind of shuffle, the other kind stands for it (predict/statistics.h).
    OpenDurations& lengths = tasks.lengths;
    if (!lengths.first_shuffles) lengths.first_shuffles = lengths.shuffles;
    if (!lengths.shuffles) lengths.shuffles = lengths.first_shuffles;
    return known_.emplace(key, tasks).first->second;
  }

 private:
  const Context& context_;
  std::mutex mutex_;
  std::optional<Store> store_;
  std::map<std::pair<std::string, std::int64_t>, ProfiledTasks> known_;
};

JobReader::JobReader(const Context& context)
    : context_(context), profiles_(std::make_shared<Profiles>(context)) {}

WorkloadReadOptions JobReader::options(std::uint64_t seed, bool warns) const {
  WorkloadReadOptions options;
  options.seed = seed;
  if (warns) options.warn = [&context = context_](const std::string& warning) { context.note(warning); };
  options.tasks_of_profile = [profiles = profiles_](const Job& job) {
    return profiles->tasks_of(job.profile, job.input);
  };
  return options;
}

Workload JobReader::read(const std::string& path) const {
  return read_workload(path, options(context_.seed, true));
}

Workload JobReader::read_more(const std::string& path, std::vector<std::string> elsewhere) const {
  WorkloadReadOptions how = options(context_.seed, true);
  how.elsewhere = std::move(elsewhere);
  return read_workload(path, how);
}

Workload JobReader::parse_more(const std::string& text, const std::string& source,
                               std::vector<std::string> elsewhere, Count most_tasks) const {
  WorkloadReadOptions how = options(context_.seed, true);
  how.elsewhere = std::move(elsewhere);
  how.most_tasks = std::min(most_tasks, how.most_tasks);
  return parse_workload(text, source, how);
}

Workload JobReader::read_again(const std::string& path, std::uint64_t seed) const {
  return read_workload(path, options(seed, false));
}

}  // namespace wavewright::app
