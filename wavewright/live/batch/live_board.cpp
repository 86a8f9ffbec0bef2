#include "wavewright/live/batch/live_board.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace wavewright {

namespace {

constexpr std::size_t most_kept = 20'000;
constexpr std::size_t most_at_once_told = 500;
constexpr std::size_t most_decisions = 1'000;

}  // namespace

void LiveBoard::reset(const LiveBatch& batch, std::int64_t events, std::vector<LiveEvent> latest) {
  const std::scoped_lock lock(mutex_);
  head_ = batch;
  head_.jobs.clear();
  head_.round.reset();  // the driver's own affair; it may name thousands of jobs
  jobs_.clear();
  places_.clear();
  counts_.clear();
  for (const LiveJob& job : batch.jobs) put(job);
  events_.clear();
  last_ = events - std::ssize(latest);
  for (LiveEvent& event : latest) keep(std::move(event));
  changed_.notify_all();
}

void LiveBoard::update(const std::vector<LiveJob>& jobs, const std::vector<LiveEvent>& events) {
  if (jobs.empty() && events.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (const LiveJob& job : jobs) put(job);
  for (const LiveEvent& event : events) keep(event);
  changed_.notify_all();
}

void LiveBoard::add(const std::vector<LiveJob>& jobs) {
  const std::scoped_lock lock(mutex_);
  for (const LiveJob& job : jobs) {
    if (!places_.contains(job.id)) put(job);
  }
}

void LiveBoard::remove(const std::vector<LiveJob>& jobs) {
  if (jobs.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (const LiveJob& job : jobs) {
    const auto known = places_.find(job.id);
    if (known == places_.end()) continue;
    --counts_[jobs_[known->second].state];
    places_.erase(known);
  }
  std::erase_if(jobs_, [&](const LiveJob& job) { return !places_.contains(job.id); });
  for (std::size_t place = 0; place < jobs_.size(); ++place) places_[jobs_[place].id] = place;
}

void LiveBoard::show(std::shared_ptr<const Outlook> outlook) {
  const std::scoped_lock lock(mutex_);
  outlook_ = std::move(outlook);
}

std::shared_ptr<const Outlook> LiveBoard::outlook() const {
  const std::scoped_lock lock(mutex_);
  return outlook_;
}

void LiveBoard::decided(double took_ms) {
  const std::scoped_lock lock(mutex_);
  ++decisions_;
  decided_ms_.push_back(took_ms);
  if (decided_ms_.size() > most_decisions) decided_ms_.pop_front();
}

DecisionTimes LiveBoard::decisions() const {
  std::vector<double> latest;
  DecisionTimes told;
  {
    const std::scoped_lock lock(mutex_);
    if (decided_ms_.empty()) return told;
    told.count = decisions_;
    told.last_ms = decided_ms_.back();
    latest.assign(decided_ms_.begin(), decided_ms_.end());
  }
  const auto at = latest.begin() + static_cast<std::ptrdiff_t>(latest.size() * 99 / 100);
  std::nth_element(latest.begin(), at, latest.end());
  told.p99_ms = *at;
  return told;
}

void LiveBoard::put(const LiveJob& job) {
  const auto [known, fresh] = places_.try_emplace(job.id, jobs_.size());
  ++counts_[job.state];
  if (fresh) {
    jobs_.push_back(job);
  } else {
    LiveJob& there = jobs_[known->second];
    --counts_[there.state];
    there = job;
  }
}

void LiveBoard::keep(LiveEvent event) {
  events_.push_back({++last_, std::move(event)});
  if (events_.size() > most_kept) events_.pop_front();
}

void LiveBoard::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

bool LiveBoard::closed() const {
  const std::scoped_lock lock(mutex_);
  return closed_;
}

LiveBatch LiveBoard::head() const {
  const std::scoped_lock lock(mutex_);
  return head_;
}

std::optional<JobPage> LiveBoard::page(const std::string& behind, std::size_t limit,
                                       std::optional<LiveState> state) const {
  const std::scoped_lock lock(mutex_);
  std::size_t place = 0;
  if (!behind.empty()) {
    const auto found = places_.find(behind);
    if (found == places_.end()) return std::nullopt;
    place = found->second + 1;
  }
  JobPage page;
  for (; place < jobs_.size(); ++place) {
    if (state && jobs_[place].state != *state) continue;
    if (page.jobs.size() == limit) {
      page.more = true;
      break;
    }
    page.jobs.push_back(jobs_[place]);
  }
  return page;
}

std::vector<LiveJob> LiveBoard::ended(const EndedQuestion& question) const {
  std::vector<std::pair<EndedPlace, std::size_t>> asked;
  const std::scoped_lock lock(mutex_);
  for (std::size_t place = 0; place < jobs_.size(); ++place) {
    if (is_asked_for(question, jobs_[place])) asked.emplace_back(ended_place(jobs_[place]), place);
  }
  const std::size_t count = std::min(asked.size(), question.limit + 1);
  std::partial_sort(asked.begin(), asked.begin() + static_cast<std::ptrdiff_t>(count), asked.end(),
                    std::greater<>());
  std::vector<LiveJob> jobs;
  jobs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) jobs.push_back(jobs_[asked[i].second]);
  return jobs;
}

std::optional<LiveJob> LiveBoard::find(const std::string& id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = places_.find(id);
  return found == places_.end() ? std::nullopt : std::optional(jobs_[found->second]);
}

std::vector<LiveJob> LiveBoard::all() const {
  const std::scoped_lock lock(mutex_);
  return jobs_;
}

void LiveBoard::look(const std::function<void(std::span<const LiveJob>)>& reader) const {
  const std::scoped_lock lock(mutex_);
  reader(jobs_);
}

std::vector<std::string> LiveBoard::ids() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> ids;
  ids.reserve(jobs_.size());
  for (const LiveJob& job : jobs_) ids.push_back(job.id);
  return ids;
}

std::map<LiveState, std::size_t> LiveBoard::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

std::int64_t LiveBoard::last_event() const {
  const std::scoped_lock lock(mutex_);
  return last_;
}

std::vector<NumberedEvent> LiveBoard::events(std::int64_t behind, std::chrono::milliseconds patience) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return closed_ || last_ > behind; });
  const std::int64_t passed =
      std::clamp<std::int64_t>(behind - (last_ - std::ssize(events_)), 0, std::ssize(events_));
  const auto first = events_.begin() + static_cast<std::ptrdiff_t>(passed);
  const auto count = std::min<std::ptrdiff_t>(events_.end() - first, most_at_once_told);
  return {first, first + count};
}

}  // namespace wavewright
