#include "apps/commands/profile_lengths.h"

#include <iostream>

#include <fmt/format.h>

#include "apps/commands/job_predictor.h"
#include "apps/open_store.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/live/outlook/outlook_document.h"
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

std::map<std::string, TrackRecord> records_of(const Context& context, const std::set<std::string>& profiles) {
  if (profiles.empty()) return {};
  try {
    const Store store = open_store(context);
    ProfileLengths lengths(store);
    for (const std::string& profile : profiles) {
      LiveJob live;
      live.profile = profile;
      (void)lengths.of(live);
    }
    return lengths.records();
  } catch (const ExternalError&) {  // jobs with tasks of their own need no store
    return {};
  }
}

std::map<std::string, TrackRecord> records_of(const Context& context, const Workload& workload) {
  std::set<std::string> profiles;
  for (const Job& job : workload.jobs) {
    if (!job.profile.empty()) profiles.insert(job.profile);
  }
  return records_of(context, profiles);
}

void show_records(const std::map<std::string, TrackRecord>& records) {
  for (const auto& [profile, record] : records) {
    if (const std::string text = record_text(record); !text.empty())
      std::cout << harmless(fmt::format("estimates of {}: {}", profile, text)) << '\n';
    if (const std::string text = change_text(record); !text.empty())
      std::cout << harmless(fmt::format("WARNING: {} has changed: {}", profile, text)) << '\n';
  }
}

void add_records(Json& document, const std::map<std::string, TrackRecord>& records) {
  for (const auto& [profile, record] : records) document["records"][profile] = document_of(record);
}

}  // namespace wavewright::app
