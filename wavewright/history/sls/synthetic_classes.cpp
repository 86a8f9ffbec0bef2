#include "wavewright/history/sls/synthetic_classes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/parameters.h"
#include "wavewright/core/time.h"

namespace wavewright::sls {

namespace {

using json::Value;

// A value of the file with its place, for errors.
class Field {
 public:
  Field(Value value, std::string place, const std::string& source)
      : value_(value), place_(std::move(place)), source_(source) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError({source_}, (place_.empty() ? "" : place_ + ": ") + why,
                     "see 'Synthetic workloads of SLS' in docs/formats/workload-file.md");
  }

  [[nodiscard]] std::optional<Field> find(const std::string& key) const {
    const auto found = json::member(value_, key);
    if (!found || found->is_null()) return std::nullopt;
    return Field(*found, place_.empty() ? key : place_ + "." + key, source_);
  }

  [[nodiscard]] Field at(const std::string& key) const {
    const std::optional<Field> found = find(key);
    if (!found) refuse(fmt::format("no '{}'", key));
    return *found;
  }

  // A list with at least one item.
  [[nodiscard]] std::vector<Field> items() const {
    std::vector<Field> all;
    simdjson::dom::array array;
    if (value_.get(array) != simdjson::SUCCESS) refuse("it is no list");
    for (const Value each : array) {
      all.emplace_back(each, fmt::format("{}[{}]", place_, all.size()), source_);
    }
    if (all.empty()) refuse("the list is empty");
    return all;
  }

  // Not negative; a number in a text counts, as in Hadoop.
  [[nodiscard]] double number() const {
    double told = -1;
    if (value_.get(told) != simdjson::SUCCESS) {
      std::string_view text;
      if (value_.get(text) == simdjson::SUCCESS) told = finite_number(std::string(text)).value_or(-1);
    }
    if (!(told >= 0 && std::isfinite(told))) refuse("it is no number from 0");
    return told;
  }
  [[nodiscard]] double number(const std::string& key, double absent) const {
    const auto found = find(key);
    return found ? found->number() : absent;
  }

  [[nodiscard]] std::string text(const std::string& key) const {
    return std::string(json::text(value_, key));
  }
  [[nodiscard]] std::int64_t whole(const std::string& key) const {
    const auto told = json::integer(value_, key);
    if (!told) at(key).refuse("it is no whole number");
    return *told;
  }

 private:
  Value value_;
  std::string place_;
  const std::string& source_;
};

void check_weights(const Field& choice, const std::vector<double>& weights) {
  if (std::none_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; })) {
    choice.refuse("no weight is above 0");
  }
}

// [SynthUtils]: the lognormal distribution of this mean and deviation.
Distribution spread(double mean, double deviation, bool normal) {
  if (mean == 0) return {};
  if (deviation == 0) deviation = mean / 6;
  if (normal) return {Distribution::Shape::normal, mean, deviation};
  const double variance = std::log1p(deviation * deviation / (mean * mean));
  return {Distribution::Shape::lognormal, std::log(mean) - variance / 2, std::sqrt(variance)};
}

Sample constant(double value) {
  return {{Distribution::Shape::constant, value, 0}, {}, {}};
}

// `{"val": 5, "std": 1, "dist": "NORM"}` or `{"discrete": [1, 2], "weights": [3, 1]}`.
Sample sample_of(const Field& told) {
  if (const auto mean = told.find("val")) {
    const auto deviation = told.find("std");
    if (!deviation) return constant(mean->number());
    const std::string shape = told.text("dist");
    if (!shape.empty() && shape != "NORM" && shape != "LOGNORM") {
      told.at("dist").refuse("it is neither NORM nor LOGNORM");
    }
    return {spread(mean->number(), deviation->number(), shape == "NORM"), {}, {}};
  }
  Sample sample;
  for (const Field& each : told.at("discrete").items()) sample.values.push_back(each.number());
  sample.weights.assign(sample.values.size(), 1.0);
  if (const auto weights = told.find("weights")) {
    const std::vector<Field> listed = weights->items();
    if (listed.size() != sample.values.size()) weights->refuse("not one weight for each value");
    for (std::size_t i = 0; i < listed.size(); ++i) sample.weights[i] = listed[i].number();
  }
  check_weights(told, sample.weights);
  return sample;
}

Sample sample_or(const Field& of, const std::string& key, double absent) {
  const auto told = of.find(key);
  return told ? sample_of(*told) : constant(absent);
}

// `mtime_avg` and `mtime_stddev`, the older form.
Sample average_of(const Field& told, const std::string& key) {
  return {spread(told.number(key + "_avg", 0), told.number(key + "_stddev", 0), false), {}, {}};
}

JobClass older_class(const Field& told) {
  JobClass made;
  made.duration_s = average_of(told, "dur");
  made.deadline_factor = average_of(told, "deadline_factor");
  made.reservation = constant(told.number("chance_of_reservation", 0));
  made.tasks = {
      {"map", average_of(told, "mtasks"), average_of(told, "mtime"), average_of(told, "map_max_memory")},
      {"reduce", average_of(told, "rtasks"), average_of(told, "rtime"),
       average_of(told, "reduce_max_memory")}};
  return made;
}

JobClass newer_class(const Field& told, const Field& tasks) {
  JobClass made;
  made.duration_s = sample_or(told, "duration", 0);
  made.deadline_factor = sample_or(told, "deadline_factor", 0);
  made.reservation = sample_or(told, "reservation", 0);
  for (const Field& task : tasks.items()) {
    made.tasks.push_back({task.text("type"), sample_of(task.at("count")), sample_of(task.at("time")),
                          sample_or(task, "max_memory", 0)});
  }
  return made;
}

JobClass class_of(const Field& told) {
  const auto tasks = told.find("tasks");
  if (!tasks && !told.find("mtasks_avg") && !told.find("rtasks_avg"))
    told.refuse("no 'tasks' and no 'mtasks_avg'");
  JobClass made = tasks ? newer_class(told, *tasks) : older_class(told);
  made.name = told.text("class_name");
  if (made.name.empty()) told.refuse("no 'class_name'");
  made.user = told.text("user_name");
  return made;
}

void take_buckets(const Field& told, Mix& mix) {
  const Field list = told.at("time_distribution");
  for (const Field& bucket : list.items()) {
    const double begin = bucket.at("time").number();
    if (begin > static_cast<double>(to_ms(longest_duration)) / 4000) bucket.refuse("it is too late");
    mix.bucket_s.push_back(static_cast<std::int64_t>(begin));
    mix.bucket_weights.push_back(bucket.number("weight", 0));
  }
  check_weights(list, mix.bucket_weights);
}

Mix mix_of(const Field& told) {
  Mix mix;
  mix.queue = told.text("queue_name");
  const Field classes = told.at("job_classes");
  for (const Field& each : classes.items()) {
    mix.classes.push_back(class_of(each));
    mix.class_weights.push_back(each.number("class_weight", 0));
  }
  check_weights(classes, mix.class_weights);
  take_buckets(told, mix);
  return mix;
}

}  // namespace

SyntheticFile parse_synthetic(Value root, const std::string& source) {
  const Field told(root, "", source);
  SyntheticFile file;
  file.seed = static_cast<std::uint64_t>(told.find("rand_seed") ? told.whole("rand_seed") : 0);
  file.jobs = told.whole("num_jobs");
  if (file.jobs < 1) told.at("num_jobs").refuse("it is not above 0");
  file.nodes = told.find("num_nodes") ? told.whole("num_nodes") : 0;
  const Field mixes = told.at("workloads");
  for (const Field& each : mixes.items()) {
    file.mixes.push_back(mix_of(each));
    file.mix_weights.push_back(each.number("workload_weight", 0));
  }
  check_weights(mixes, file.mix_weights);
  return file;
}

}  // namespace wavewright::sls
