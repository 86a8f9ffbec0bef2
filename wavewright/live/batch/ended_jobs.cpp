#include "wavewright/live/batch/ended_jobs.h"

#include <algorithm>
#include <iterator>

#include "wavewright/store/key.h"

namespace wavewright {

EndedPlace ended_place(const LiveJob& job) {
  return {job.ended_at.value_or(Time{}), hash_text(job.id)};
}

bool is_asked_for(const EndedQuestion& question, const LiveJob& job) {
  return has_ended(job.state) && (!question.state || job.state == *question.state) &&
         (!question.behind || ended_place(job) < *question.behind);
}

JobPage ended_page(std::vector<LiveJob> live, std::vector<LiveJob> past, std::size_t limit) {
  std::vector<std::pair<EndedPlace, LiveJob>> placed;
  for (std::vector<LiveJob>* each : {&live, &past}) {
    for (LiveJob& job : *each) placed.emplace_back(ended_place(job), std::move(job));
  }
  const auto later = [](const auto& a, const auto& b) { return a.first > b.first; };
  std::stable_sort(placed.begin(), placed.end(), later);
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  placed.erase(std::unique(placed.begin(), placed.end(), same), placed.end());
  JobPage page{{}, placed.size() > limit};
  for (std::size_t i = 0; i < std::min(limit, placed.size()); ++i)
    page.jobs.push_back(std::move(placed[i].second));
  return page;
}

}  // namespace wavewright
