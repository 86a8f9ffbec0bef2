#include "wavewright/job/job_parser.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/nearest.h"
#include "wavewright/job/distribution.h"

namespace wavewright {

namespace {

using simdjson::dom::array;
using simdjson::dom::element_type;
using simdjson::dom::object;

constexpr std::size_t deepest = 64;

}  // namespace

JobParser::JobParser(std::string source, const WorkloadReadOptions& options)
    : fields_(std::move(source)), options_(options) {
  if (parser_.allocate(std::size_t{1} << 16, deepest) != simdjson::SUCCESS) throw std::bad_alloc();
}

JobParser::Element JobParser::document(std::string_view text, bool unfinished) {
  Element root;
  const auto error = parser_.parse(text.data(), text.size(), false).get(root);
  if (error == simdjson::SUCCESS) return root;
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error == simdjson::UTF8_ERROR)
    fields_.refuse("not UTF-8 text", "convert the file, for instance with iconv");
  if (error == simdjson::DEPTH_ERROR) {
    fields_.refuse(fmt::format("nested deeper than {}", deepest), "flatten the value");
  }
  if (unfinished && !text.ends_with('}')) {
    fields_.refuse("the file ends in the middle of a job", "write or fetch the file again");
  }
  if (text.find("NaN") != std::string_view::npos || text.find("Infinity") != std::string_view::npos) {
    fields_.refuse("not JSON: it has no NaN and no Infinity", "leave the field out where nothing is known");
  }
  if (error == simdjson::NUMBER_ERROR) {
    fields_.refuse("a number is malformed or does not fit into 64 bits", "durations are whole milliseconds");
  }
  fields_.refuse("not one JSON object a line",
                 "see docs/formats/workload-file.md; 'wavewright workload convert' reads other formats");
}

Job JobParser::parse(std::string_view text, std::int64_t line, bool last_line_unfinished, Count tasks_left) {
  fields_.begin(line);
  object root;
  if (document(text, last_line_unfinished).get(root) != simdjson::SUCCESS) {
    fields_.refuse("not a JSON object", "write one object a line, as in docs/formats/workload-file.md");
  }
  Job job;
  sort_fields(root, job);
  if (!fields_.field("id")) fields_.refuse("a job without 'id'", "give every job an id of its own");
  job.id = fields_.text_of("id");
  job.name = fields_.text_of("name");
  job.user = fields_.text_of("user");
  job.queue = fields_.text_of("queue");
  if (const auto command = fields_.field("command")) job.command = fields_.texts(*command, "command");
  job.several_applications = fields_.truth_of("several_applications").value_or(false);
  job.profile = fields_.text_of("profile");
  job.submit = at_ms(fields_.integer_of("submit_ms").value_or(0));
  if (const auto not_before = fields_.integer_of("not_before_ms")) {
    job.not_before = at_ms(*not_before);
    job.submit = std::max(job.submit, *job.not_before);
  }
  if (const auto submitted = fields_.integer_of("submitted_ms")) job.submitted = at_ms(*submitted);
  job.maps = tasks("map_ms", job.id, tasks_left);
  job.reduces = tasks("reduce_ms", job.id, tasks_left - static_cast<Count>(job.maps.size()));
  const auto reduces = static_cast<Count>(job.reduces.size());
  const Limit as_reduces{reduces, fmt::format("more entries than the job's {} reduces", reduces),
                         "give one entry for each reduce"};
  job.first_shuffles = durations("first_shuffle_ms", job.id, as_reduces);
  job.shuffles = durations("shuffle_ms", job.id, as_reduces);
  if (const auto deadline = fields_.integer_of("deadline_ms")) job.deadline = at_ms(*deadline);
  if (const auto after = fields_.field("after")) job.after = fields_.texts(*after, "after");
  job.input = fields_.bytes_of("input_bytes");
  job.shuffled = fields_.bytes_of("shuffle_bytes");
  job.output = fields_.bytes_of("output_bytes");
  read_splits(job);
  read_classes(job);
  job.memory = {fields_.mebibytes_of("master_memory_mb"), fields_.mebibytes_of("map_memory_mb"),
                fields_.mebibytes_of("reduce_memory_mb")};
  job.processor_bound = fields_.truth_of("processor_bound").value_or(false);
  job.task_failure = fields_.number_of("task_failure").value_or(0);
  if (!(job.task_failure >= 0 && job.task_failure <= 1))
    fields_.refuse(fmt::format("task_failure is {}", job.task_failure), "write a probability, 0 to 1");
  job.value = fields_.number_of("value");
  job.delay_cost_per_s = fields_.number_of("delay_cost_per_s");
  if (!job.profile.empty() && job.maps.empty() && job.reduces.empty() && options_.tasks_of_profile)
    take_tasks_of_profile(job, tasks_left);
  return job;
}

void JobParser::take_tasks_of_profile(Job& job, Count left) const {
  const auto refuse_job = [&](const Error& error) {
    fields_.refuse(fmt::format("job '{}': {}", job.id, error.problem()), error.remedy());
  };
  try {
    const ProfiledTasks tasks = options_.tasks_of_profile(job);
    if (tasks.maps > left || tasks.reduces > left - tasks.maps)
      throw UsageError(too_many_tasks(options_.most_tasks), "split the workload");
    const auto drawn = [&](const std::optional<DurationRange>& range, Count count, std::string_view field) {
      Random random = stream_of(job.id, field);
      return range ? draw(*range, count, random) : std::vector<Duration>();
    };
    job.maps = drawn(tasks.lengths.maps, tasks.maps, "map_ms");
    job.reduces = drawn(tasks.lengths.reduces, tasks.reduces, "reduce_ms");
    job.first_shuffles = drawn(tasks.lengths.first_shuffles, tasks.reduces, "first_shuffle_ms");
    job.shuffles = drawn(tasks.lengths.shuffles, tasks.reduces, "shuffle_ms");
  } catch (const UsageError& error) {
    refuse_job(error);
  } catch (const Infeasible& error) {
    refuse_job(error);
  }
}

void JobParser::sort_fields(simdjson::dom::object object, Job& job) {
  std::vector<std::string_view> others;
  for (const auto [name, value] : object) {
    if (!JobFields::knows(name)) {
      if (std::find(others.begin(), others.end(), name) != others.end()) {
        fields_.refuse(fmt::format("the field '{}' appears twice", name), "keep one");
      }
      others.push_back(name);
      keep_unknown(name, value, job);
      continue;
    }
    fields_.put(name, value);
  }
  if (!job.unknown_fields.empty()) job.unknown_fields += '}';
}

namespace {

// Normalises a name: people write `Maps`, `map` or `mapMs` for `map_ms`.
std::string folded(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c != '_' && c != '-') text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (const std::string_view unit : {"ms", "bytes", "s"}) {
    if (text.size() > unit.size() + 1 && text.ends_with(unit)) {
      text.resize(text.size() - unit.size());
      break;
    }
  }
  return text;
}

std::optional<std::string> meant_field(const std::string& name) {
  if (name.starts_with("x_")) return std::nullopt;
  for (const std::string& known : workload_fields()) {
    if (folded(known) == folded(name)) return known;
  }
  return nearest(name, workload_fields());
}

}  // namespace

void JobParser::keep_unknown(std::string_view name, Element value, Job& job) {
  const std::string key(name);
  if (warned_.insert(key).second) {
    if (const auto meant = meant_field(key)) {
      fields_.refuse(fmt::format("unknown field '{}'; did you mean '{}'?", key, *meant),
                     "name a field of your own 'x_…' to keep it");
    }
    if (options_.warn) {
      options_.warn(fmt::format("{}:{}: unknown field '{}' is kept but has no effect", fields_.source(),
                                fields_.line(), key));
    }
  }
  job.unknown_fields += job.unknown_fields.empty() ? '{' : ',';
  job.unknown_fields +=
      fmt::format("{}:{}", nlohmann::json(key).dump(), std::string(simdjson::minify(value)));
}

std::vector<Duration> JobParser::durations(std::string_view name, const std::string& id,
                                           const Limit& limit) const {
  const auto value = fields_.field(name);
  if (!value) return {};
  array list;
  if (value->get(list) == simdjson::SUCCESS) return listed(list, name, limit);
  object form;
  if (value->get(form) == simdjson::SUCCESS) return drawn(form, name, id, limit);
  fields_.refuse(fmt::format("{} is {}", name, kind_of(*value)),
                 R"(write [4000,4100], {"count":…,"dist":"…"} or {"count":…,"profile":{…}})");
}

std::vector<Duration> JobParser::listed(array list, std::string_view name, const Limit& limit) const {
  std::vector<Duration> result;
  result.reserve(std::min(list.size(), static_cast<std::size_t>(limit.most)));
  for (const Element each : list) {
    std::int64_t value = 0;
    if (each.type() != element_type::INT64 || each.get(value) != simdjson::SUCCESS) {
      fields_.refuse(
          fmt::format("{}[{}] is {}, not a whole number of milliseconds", name, result.size(), kind_of(each)),
          "round it, or give a distribution");
    }
    if (static_cast<Count>(result.size()) >= limit.most)
      fields_.refuse(fmt::format("{}: {}", name, limit.reason), limit.remedy);
    result.push_back(ms(value));
  }
  return result;
}

std::vector<Duration> JobParser::tasks(std::string_view name, const std::string& id, Count left) const {
  if (left <= most_tasks_of_job)
    return durations(name, id, {left, too_many_tasks(options_.most_tasks), "split the workload"});
  return durations(
      name, id, {most_tasks_of_job, fmt::format("more than {} in one job", most_tasks_of_job), "split it"});
}

std::vector<Duration> JobParser::drawn(object form, std::string_view name, const std::string& id,
                                       const Limit& limit) const {
  std::int64_t count = -1;
  std::optional<Distribution> distribution;
  std::optional<DurationRange> range;
  try {
    for (const auto [key, value] : form) {
      std::string_view text;
      object profile;
      if (key == "count" && value.type() == element_type::INT64) {
        count = value.get_int64();
      } else if (key == "dist" && value.get(text) == simdjson::SUCCESS) {
        distribution = parse_distribution(text);
      } else if (key == "profile" && value.get(profile) == simdjson::SUCCESS) {
        range.emplace();
        int seen = 0;
        for (const auto [part, number_value] : profile) {
          double* const target = part == "min"   ? &range->min
                                 : part == "avg" ? &range->mean
                                 : part == "max" ? &range->max
                                                 : nullptr;
          if (target == nullptr)
            throw UsageError(fmt::format("unknown '{}' in profile", part), "it has min, avg and max");
          *target = fields_.number(number_value, fmt::format("{}.profile.{}", name, part));
          ++seen;
        }
        if (seen != 3)
          throw UsageError("profile needs min, avg and max, each once", "see docs/formats/workload-file.md");
      } else {
        throw UsageError(fmt::format("'{}' is unknown or {}", key, kind_of(value)),
                         R"(it has "count" and "dist" or "profile")");
      }
    }
    if (count < 0 || distribution.has_value() == range.has_value()) {
      throw UsageError(R"(it needs a "count" from 0 and one of "dist" and "profile")",
                       "see docs/formats/workload-file.md");
    }
    if (count > limit.most) throw UsageError(fmt::format("count {}: {}", count, limit.reason), limit.remedy);
    Random random = stream_of(id, name);
    return distribution ? draw(*distribution, count, random) : draw(*range, count, random);
  } catch (const UsageError& error) {
    fields_.refuse(fmt::format("{}: {}", name, error.problem()), error.remedy());
  }
}

void JobParser::read_splits(Job& job) const {
  const auto value = fields_.field("splits");
  if (!value) return;
  constexpr const char* remedy = R"(write [["node3","node7"],…], one list a map)";
  array list;
  if (value->get(list) != simdjson::SUCCESS)
    fields_.refuse(fmt::format("splits is {}", kind_of(*value)), remedy);
  for (const Element each : list) {
    if (each.type() != element_type::ARRAY) {
      fields_.refuse(fmt::format("splits[{}] is {}, not a list of hosts", job.splits.size(), kind_of(each)),
                     remedy);
    }
    job.splits.push_back(fields_.texts(each, fmt::format("splits[{}]", job.splits.size())));
  }
}

void JobParser::read_classes(Job& job) const {
  const auto value = fields_.field("classes");
  if (!value) return;
  const std::vector<std::string> known = {"speed", "parallelism", "energy_factor", "power_w"};
  object classes;
  if (value->get(classes) != simdjson::SUCCESS) {
    fields_.refuse(fmt::format("classes is {}", kind_of(*value)), R"(write {"gpu":{"speed":4.2}})");
  }
  for (const auto [class_name, entry] : classes) {
    object parts;
    if (entry.get(parts) != simdjson::SUCCESS) {
      fields_.refuse(fmt::format("class '{}' is {}", class_name, kind_of(entry)),
                     R"(write {"gpu":{"speed":4.2}})");
    }
    ClassSpeed speed;
    for (const auto [part, part_value] : parts) {
      const std::string name(part);
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        fields_.refuse(fmt::format("class '{}': unknown field '{}'", class_name, name),
                       suggestion(name, known));
      }
      if (part_value.is_null()) continue;
      const double given = fields_.number(part_value, name);
      if (name == "speed") speed.speed = given;
      if (name == "energy_factor") speed.energy_factor = given;
      if (name == "power_w") speed.power_w = given;
      if (name == "parallelism") {
        if (given != std::floor(given) || std::abs(given) > 1e6) {
          fields_.refuse(fmt::format("class '{}': parallelism is {}", class_name, given),
                         "write a whole number from 1 to 1000000");
        }
        speed.parallelism = static_cast<int>(given);
      }
    }
    if (!job.classes.emplace(class_name, speed).second) {
      fields_.refuse(fmt::format("class '{}' appears twice", class_name), "keep one");
    }
  }
}

}  // namespace wavewright
