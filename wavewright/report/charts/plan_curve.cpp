#include "wavewright/report/charts/plan_curve.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/job/job_labels.h"

namespace wavewright {

namespace {

using AnyJson = nlohmann::json;
constexpr std::size_t largest_curve = std::size_t{64} << 20;
constexpr const char* remedy = "write curves with 'wavewright plan --curve … --out FILE'";

std::int64_t amount(const AnyJson& object, const char* name, const std::string& path) {
  constexpr std::int64_t most = std::int64_t{1} << 61;
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer() || *found < 0 || *found > most)
    throw InputError({path}, fmt::format("a point without '{}'", name), remedy);
  return found->get<std::int64_t>();
}

ReportCurve::Point point_of(const AnyJson& entry, bool makespan, const std::string& path) {
  if (!entry.is_object()) throw InputError({path}, "a point that is no object", remedy);
  return {amount(entry, "slots", path),
          {amount(entry, "map_slots", path), amount(entry, "reduce_slots", path)},
          ms(amount(entry, makespan ? "makespan_ms" : "total_completion_ms", path)),
          ms(amount(entry, "lower_bound_ms", path)),
          amount(entry, "idle_map_slots", path) + amount(entry, "idle_reduce_slots", path) > 0};
}

}  // namespace

ReportCurve read_curve(const std::string& path, const Workload& batch) {
  const AnyJson document = AnyJson::parse(read_file(path, largest_curve), nullptr, false);
  if (!document.is_object() || !document.contains("axis") || !document["axis"].is_string() ||
      !document.contains("points") || !document["points"].is_array() || document["points"].empty())
    throw InputError({path}, "no curve", remedy);
  if (document.value("jobs", AnyJson()) != batch.jobs.size())
    throw InputError({path}, "a curve of another batch", "make the curve from this workload");
  const bool makespan = document.value("objective", AnyJson()) != "total-completion";
  ReportCurve curve;
  curve.axis = document["axis"].get<std::string>();
  std::replace(curve.axis.begin(), curve.axis.end(), '-', ' ');
  curve.value = makespan ? "makespan" : "total completion time";
  for (const AnyJson& entry : document["points"]) {
    const ReportCurve::Point point = point_of(entry, makespan, path);
    if (point.slots < 1 || (!curve.points.empty() && point.slots <= curve.points.back().slots))
      throw InputError({path}, "points that do not grow", remedy);
    if (document.value("knee", AnyJson()) == point.slots) curve.knee = curve.points.size();
    curve.points.push_back(point);
  }
  return curve;
}

ReportLimits report_limits(const Bottlenecks& limits, const Workload& batch) {
  using By = Bottleneck::By;
  const JobLabels labels(batch.jobs);
  ReportLimits shown{in_words(limits, batch, labels), {}};
  for (const Bottleneck& span : limits.spans) {
    const std::string& job = labels[span.job];
    std::string what;
    if (span.by == By::submission) {
      what = fmt::format("until {} is submitted", job);
    } else if (span.by == By::map_slots || span.by == By::reduce_slots) {
      what = fmt::format("{} slots, {:.0f} % in use", span.by == By::map_slots ? "map" : "reduce",
                         100 * span.use);
    } else {
      what = fmt::format("{} {} of {}", name_of(span.kind), span.task, job);
    }
    if (span.by == By::job) what += fmt::format(", for which {} waits", labels[span.waiting]);
    shown.spans.push_back({std::string(name_of(span.by)), what, span.from - Time{}, span.to - Time{}});
  }
  return shown;
}

}  // namespace wavewright
