#include "wavewright/report/plan_answers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/plan/analysis/answers.h"

namespace wavewright {

namespace {

using AnyJson = nlohmann::json;
constexpr std::size_t largest_plan = std::size_t{1} << 30;

// Members of an object of the plan file, by name.
class Members {
 public:
  Members(const AnyJson& object, std::string where, const std::string& path)
      : object_(object), where_(std::move(where)), path_(path) {
    if (!object.is_object()) refuse("is no object");
  }
  [[nodiscard]] bool has(const char* name) const { return object_.contains(name); }
  [[nodiscard]] const AnyJson& at(const char* name) const {
    if (!has(name)) refuse(fmt::format("has no '{}'", name));
    return object_.at(name);
  }
  [[nodiscard]] std::int64_t whole(const char* name) const {
    const AnyJson& value = at(name);
    constexpr auto most = static_cast<double>(std::int64_t{1} << 61);
    if (!value.is_number_integer() || std::abs(value.get<double>()) > most)
      refuse(fmt::format("has a '{}' that is no number of ms or draws", name));
    return value.get<std::int64_t>();
  }
  [[nodiscard]] Duration time(const char* name) const { return ms(whole(name)); }
  [[nodiscard]] double share(const char* name) const {
    const AnyJson& value = at(name);
    if (!value.is_number() || value.get<double>() < 0)
      refuse(fmt::format("has a '{}' that is no share", name));
    return value.get<double>();
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError({path_}, fmt::format("its '{}' {}", where_, what),
                     "write plans with 'wavewright plan --out FILE'");
  }

 private:
  const AnyJson& object_;
  std::string where_;
  const std::string& path_;
};

std::vector<ReportRisk::Job> jobs_of(const Members& risk, const Workload& batch, const std::string& path) {
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < batch.jobs.size(); ++i) numbers.emplace(batch.jobs[i].id, i);
  if (!risk.at("jobs").is_array()) risk.refuse("has 'jobs' that are no list");
  std::vector<ReportRisk::Job> jobs;
  for (const AnyJson& entry : risk.at("jobs")) {
    const Members job(entry, "risk", path);
    const AnyJson& id = job.at("id");
    const auto number = id.is_string() ? numbers.find(id.get<std::string>()) : numbers.end();
    if (number == numbers.end()) job.refuse("names a job that the workload has not");
    jobs.push_back({number->second, job.share("critical"), job.time("moves_ms")});
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) { return a.moves > b.moves; });
  return jobs;
}

// Adds the histogram to `shown`. Old files have none.
void read_histogram(ReportRisk& shown, const AnyJson& object, const std::string& path) {
  const Members histogram(object, "risk", path);
  shown.above = histogram.time("above_ms");
  shown.step = histogram.time("step_ms");
  if (!histogram.at("counts").is_array()) histogram.refuse("has 'counts' that are no list");
  Count all = 0;
  for (const AnyJson& entry : histogram.at("counts")) {
    if (!entry.is_number_integer() || entry < 0 || entry > shown.draws)
      histogram.refuse("has an entry of 'counts' that is no number of draws");
    shown.counts.push_back(entry.get<Count>());
    all += shown.counts.back();
  }
  if (shown.step <= Duration{} || all != shown.draws)
    histogram.refuse("has a 'histogram' that does not hold every draw once");
}

std::optional<ReportRisk> risk_in(const AnyJson& document, const Workload& batch, const std::string& path) {
  const auto found = document.find("risk");
  if (found == document.end()) return std::nullopt;
  const Members risk(*found, "risk", path);
  ReportRisk shown;
  shown.draws = risk.whole("samples");
  if (shown.draws < 1) return std::nullopt;  // stopped before the first draw
  const AnyJson& drawn = risk.at("distributions");
  shown.source = in_words(
      LengthsDrawn{drawn.is_boolean() && drawn.get<bool>(), risk.share("spread"), risk.share("job_spread")});
  shown.p50 = risk.time("p50_ms");
  shown.p95 = risk.time("p95_ms");
  shown.longer = risk.share("longer");
  if (risk.has("meets")) {
    const Members meets(risk.at("meets"), "risk", path);
    shown.meets = {meets.share("probability"), meets.share("low"), meets.share("high")};
  }
  shown.jobs = jobs_of(risk, batch, path);
  if (risk.has("histogram")) read_histogram(shown, risk.at("histogram"), path);
  return shown;
}

}  // namespace

ReportAnswers read_answers(const std::string& path, const Workload& batch) {
  const AnyJson document = AnyJson::parse(read_file(path, largest_plan), nullptr, false);
  ReportAnswers answers;
  if (!document.is_object()) return answers;
  if (const auto found = document.find("deadline"); found != document.end())
    answers.deadline = Members(*found, "deadline", path).time("deadline_ms");
  answers.risk = risk_in(document, batch, path);
  return answers;
}

}  // namespace wavewright
