#include "wavewright/job/workload_file.h"

#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/job/job_parser.h"
#include "wavewright/job/line_reader.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) {
  // The text of a history may not be UTF-8; the file must be.
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Appends `,"name":value` to an object's text.
void add(std::string& line, std::string_view name, std::string_view value) {
  fmt::format_to(std::back_inserter(line), "{}\"{}\":{}", line.size() > 1 ? "," : "", name, value);
}

void add_text(std::string& line, std::string_view name, const std::string& text) {
  if (!text.empty()) add(line, name, quoted(text));
}

// Without a fraction if it has none, else with three digits of it.
Json tidy(double milliseconds) {
  const double rounded = std::round(milliseconds * 1000) / 1000;
  if (rounded == std::floor(rounded)) return static_cast<std::int64_t>(rounded);
  return rounded;
}

void add_durations(std::string& line, std::string_view name, const std::vector<Duration>& durations,
                   const std::optional<DurationRange>& open) {
  if (durations.empty()) return;
  if (open) {
    const Json form = {
        {"count", durations.size()},
        {"profile", {{"min", tidy(open->min)}, {"avg", tidy(open->mean)}, {"max", tidy(open->max)}}}};
    return add(line, name, form.dump());
  }
  add(line, name, "[");
  for (std::size_t i = 0; i < durations.size(); ++i) {
    if (i > 0) line += ',';
    const fmt::format_int digits(to_ms(durations[i]));
    line.append(digits.data(), digits.size());
  }
  line += ']';
}

Json classes_of(const Job& job) {
  Json classes = Json::object();
  for (const auto& [name, speed] : job.classes) {
    classes[name] = Json::object();
    if (speed.speed) classes[name]["speed"] = *speed.speed;
    classes[name]["parallelism"] = speed.parallelism;
    if (speed.energy_factor) classes[name]["energy_factor"] = *speed.energy_factor;
    if (speed.power_w) classes[name]["power_w"] = *speed.power_w;
  }
  return classes;
}

}  // namespace

const std::vector<std::string>& workload_fields() {
  static const std::vector<std::string> names = {"id",
                                                 "name",
                                                 "user",
                                                 "queue",
                                                 "command",
                                                 "several_applications",
                                                 "profile",
                                                 "submit_ms",
                                                 "not_before_ms",
                                                 "submitted_ms",
                                                 "map_ms",
                                                 "reduce_ms",
                                                 "first_shuffle_ms",
                                                 "shuffle_ms",
                                                 "deadline_ms",
                                                 "after",
                                                 "input_bytes",
                                                 "shuffle_bytes",
                                                 "output_bytes",
                                                 "splits",
                                                 "classes",
                                                 "master_memory_mb",
                                                 "map_memory_mb",
                                                 "reduce_memory_mb",
                                                 "processor_bound",
                                                 "task_failure",
                                                 "value",
                                                 "delay_cost_per_s"};
  return names;
}

namespace {

Count read_lines(LineReader& lines, const WorkloadReadOptions& options,
                 const std::function<void(Job&&)>& each) {
  JobParser parser(lines.source(), options);
  WorkloadValidator validator(lines.source(), options.most_tasks);
  for (const std::string& id : options.elsewhere) validator.add_elsewhere(id);
  while (const auto text = lines.next()) {
    if (text->find_first_not_of(" \t") == std::string_view::npos) continue;
    Job job = parser.parse(*text, lines.line(), lines.ended_early(), options.most_tasks - validator.tasks());
    validator.add(job, lines.line());
    each(std::move(job));
  }
  if (validator.jobs() == 0) {
    throw InputError({lines.source()}, "holds no job",
                     "write one JSON object a line, as in docs/formats/workload-file.md");
  }
  validator.finish();
  return validator.jobs();
}

}  // namespace

Count read_workload(const std::filesystem::path& path, const WorkloadReadOptions& options,
                    const std::function<void(Job&&)>& each) {
  LineReader lines(path);
  return read_lines(lines, options, each);
}

Workload parse_workload(std::string_view text, const std::string& source,
                        const WorkloadReadOptions& options) {
  LineReader lines(text, source);
  Workload workload;
  read_lines(lines, options, [&](Job&& job) { workload.jobs.push_back(std::move(job)); });
  return workload;
}

Workload read_workload(const std::filesystem::path& path, const WorkloadReadOptions& options) {
  Workload workload;
  read_workload(path, options, [&](Job&& job) { workload.jobs.push_back(std::move(job)); });
  return workload;
}

std::string to_line(const Job& job, const OpenDurations& open) {
  const auto dump = [](const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  std::string line = "{";
  add(line, "id", quoted(job.id));
  add_text(line, "name", job.name);
  add_text(line, "user", job.user);
  add_text(line, "queue", job.queue);
  if (!job.command.empty()) add(line, "command", dump(job.command));
  if (job.several_applications) add(line, "several_applications", "true");
  add_text(line, "profile", job.profile);
  add(line, "submit_ms", std::to_string(to_ms(job.submit)));
  if (job.not_before) add(line, "not_before_ms", std::to_string(to_ms(*job.not_before)));
  if (job.submitted) add(line, "submitted_ms", std::to_string(to_ms(*job.submitted)));
  add_durations(line, "map_ms", job.maps, open.maps);
  add_durations(line, "reduce_ms", job.reduces, open.reduces);
  add_durations(line, "first_shuffle_ms", job.first_shuffles, open.first_shuffles);
  add_durations(line, "shuffle_ms", job.shuffles, open.shuffles);
  if (job.deadline) add(line, "deadline_ms", std::to_string(to_ms(*job.deadline)));
  if (!job.after.empty()) add(line, "after", dump(job.after));
  if (job.input) add(line, "input_bytes", std::to_string(job.input->count));
  if (job.shuffled) add(line, "shuffle_bytes", std::to_string(job.shuffled->count));
  if (job.output) add(line, "output_bytes", std::to_string(job.output->count));
  if (!job.splits.empty()) add(line, "splits", dump(job.splits));
  if (!job.classes.empty()) add(line, "classes", dump(classes_of(job)));
  const auto add_memory = [&](const char* name, const std::optional<Bytes>& memory) {
    if (memory) add(line, name, std::to_string(memory->count >> 20));
  };
  add_memory("master_memory_mb", job.memory.master);
  add_memory("map_memory_mb", job.memory.map);
  add_memory("reduce_memory_mb", job.memory.reduce);
  if (job.processor_bound) add(line, "processor_bound", "true");
  if (job.task_failure > 0) add(line, "task_failure", dump(job.task_failure));
  if (job.value) add(line, "value", dump(*job.value));
  if (job.delay_cost_per_s) add(line, "delay_cost_per_s", dump(*job.delay_cost_per_s));
  if (!job.unknown_fields.empty()) {  // the members without the outer braces
    line += ',';
    line.append(job.unknown_fields, 1, job.unknown_fields.size() - 2);
  }
  line += '}';
  return line;
}

void write_workload(std::ostream& out, const Workload& workload, const std::vector<OpenDurations>& open) {
  for (std::size_t i = 0; i < workload.jobs.size(); ++i)
    out << to_line(workload.jobs[i], open.empty() ? OpenDurations{} : open.at(i)) << '\n';
}

}  // namespace wavewright
