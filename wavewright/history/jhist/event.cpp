#include "wavewright/history/jhist/event.h"

#include <algorithm>
#include <iterator>

namespace wavewright::jhist {

namespace {

struct Known {
  std::string_view name;
  Use use;
};

constexpr Known text(std::string_view name, Text slot) {
  return {name, {Use::What::text, static_cast<std::uint8_t>(slot)}};
}
constexpr Known number(std::string_view name, Number slot) {
  return {name, {Use::What::number, static_cast<std::uint8_t>(slot)}};
}

constexpr Known known_fields[] = {
    text("applicationAttemptId", Text::application_attempt_id),
    text("attemptId", Text::attempt_id),
    {"counters", {Use::What::counters, 0}},
    {"counts", {Use::What::counts, 0}},
    text("diagnostics", Text::diagnostics),
    text("error", Text::error),
    {"event", {Use::What::body, 0}},
    number("finishTime", Number::finish_time),
    {"groups", {Use::What::groups, 0}},
    text("hostname", Text::host),
    text("jobName", Text::job_name),
    text("jobQueueName", Text::job_queue),
    text("jobStatus", Text::job_status),
    text("jobid", Text::job_id),
    number("launchTime", Number::launch_time),
    number("mapFinishTime", Number::map_finish_time),
    {"name", {Use::What::name, 0}},
    text("nodeManagerHost", Text::node_manager),
    text("rackname", Text::rack),
    number("shuffleFinishTime", Number::shuffle_finish_time),
    number("sortFinishTime", Number::sort_finish_time),
    text("splitLocations", Text::split_locations),
    number("startTime", Number::start_time),
    text("status", Text::status),
    number("submitTime", Number::submit_time),
    text("successfulAttemptId", Text::successful_attempt),
    text("taskStatus", Text::status),
    text("taskType", Text::task_type),
    text("taskid", Text::task_id),
    {"totalCounters", {Use::What::counters, 0}},
    number("totalMaps", Number::total_maps),
    number("totalReduces", Number::total_reduces),
    text("trackerName", Text::tracker),
    {"type", {Use::What::type, 0}},
    text("userName", Text::user),
    {"value", {Use::What::value, 0}},
};
static_assert(std::is_sorted(std::begin(known_fields), std::end(known_fields),
                             [](const Known& a, const Known& b) { return a.name < b.name; }));

}  // namespace

Use use_of(std::string_view field_name) {
  const auto* const found =
      std::lower_bound(std::begin(known_fields), std::end(known_fields), field_name,
                       [](const Known& entry, std::string_view name) { return entry.name < name; });
  return found != std::end(known_fields) && found->name == field_name ? found->use : Use{};
}

}  // namespace wavewright::jhist
