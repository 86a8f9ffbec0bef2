#include "apps/commands/profile_lengths.h"

#include "apps/commands/job_predictor.h"
#include "wavewright/core/error.h"
#include "wavewright/live/outlook/outlook_store.h"
#include "wavewright/store/phases.h"

namespace wavewright::app {

TrackRecord record_of(const Store& store, const Predictor& predictor) {
  std::vector<double> errors;
  for (const KeptPromise& each : OutlookStore(store).promises(predictor.name(), runs_of_a_record))
    errors.push_back(each.error());
  return track_record(predictor, errors);
}

std::shared_ptr<const LengthModel> ProfileLengths::of(const LiveJob& job) {
  if (job.profile.empty()) return nullptr;
  constexpr auto fresh = std::chrono::minutes(5);
  const auto now = std::chrono::steady_clock::now();
  const auto known = read_.find(job.profile);
  if (known != read_.end() && now - known->second.at < fresh) return known->second.lengths;
  Read read{now, nullptr, {}};
  try {
    const std::string name = store_.known_name(job.profile);
    const Predictor predictor = job_predictor(store_, name, load_phases(store_, name), {});
    const RunChoice choice = predictor.choose();
    if (!choice.runs.empty()) read.lengths = std::make_shared<const LengthModel>(length_model(choice.runs));
    read.record = record_of(store_, predictor);
  } catch (const UsageError&) {  // the store has no such job
  }
  return read_.insert_or_assign(job.profile, std::move(read)).first->second.lengths;
}

std::map<std::string, TrackRecord> ProfileLengths::records() const {
  std::map<std::string, TrackRecord> records;
  for (const auto& [profile, read] : read_) {
    if (read.lengths) records[profile] = read.record;
  }
  return records;
}

}  // namespace wavewright::app
