#include "wavewright/job/swim.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/job/line_reader.h"
#include "wavewright/job/validator.h"

namespace wavewright {

namespace {

struct Row {
  std::string_view id;
  std::int64_t submit_s = 0, gap_s = 0, input = 0, shuffle = 0, output = 0;
};

// The reason why a line is no row; nothing if it is one.
std::optional<std::string> parse_row(std::string_view line, Row& row) {
  std::array<std::string_view, 6> columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto tab = line.find('\t');
    if ((tab == std::string_view::npos) != (i + 1 == columns.size())) return "not 6 columns";
    columns.at(i) = line.substr(0, tab);
    line.remove_prefix(std::min(line.size(), columns.at(i).size() + 1));
  }
  row.id = columns[0];
  if (row.id.empty()) return "no job id";
  constexpr std::int64_t most = std::int64_t{1} << 60;
  const std::array<std::int64_t*, 5> targets = {&row.submit_s, &row.gap_s, &row.input, &row.shuffle,
                                                &row.output};
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::string_view text = columns.at(i + 1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *targets.at(i));
    if (error != std::errc{} || end != text.data() + text.size() || *targets.at(i) < 0 ||
        *targets.at(i) > most) {
      return fmt::format("column {} is not a whole number from 0", i + 2);
    }
  }
  if (row.submit_s > to_ms(longest_duration) / 1000) return "submitted too late";
  return std::nullopt;
}

Duration time_for(std::int64_t bytes, Bytes rate) {
  const double value = static_cast<double>(bytes) * 1000.0 / static_cast<double>(rate.count);
  return ms(static_cast<std::int64_t>(std::min(value, static_cast<double>(to_ms(longest_duration)) / 4)));
}

struct Tally {
  Count maps = 0;
  Count reduces = 0;
  Count without_input = 0;
  Count without_shuffle = 0;
};

void impute_maps(Job& job, const Row& row, Count maps, bool map_only, const SwimModel& model,
                 Random& random) {
  if (model.map_durations) {
    job.maps = draw(*model.map_durations, maps, random);
    return;
  }
  const Duration output = map_only ? time_for(row.output / maps, model.write_rate) : Duration{};
  const Duration whole = model.start + time_for(model.block.count, model.map_rate) + output;
  job.maps.assign(static_cast<std::size_t>(maps), whole);
  const std::int64_t rest = row.input - (maps - 1) * model.block.count;
  job.maps.back() = model.start + time_for(rest, model.map_rate) + output;
}

void impute_reduces(Job& job, const Row& row, Count reduces, const SwimModel& model, Random& random) {
  if (reduces == 0) return;
  if (model.reduce_durations) {
    job.reduces = draw(*model.reduce_durations, reduces, random);
    return;
  }
  const std::int64_t bytes = row.shuffle / reduces;
  const auto count = static_cast<std::size_t>(reduces);
  job.shuffles.assign(count, time_for(bytes, model.shuffle_rate));
  job.first_shuffles = job.shuffles;
  job.reduces.assign(count, model.start + time_for(bytes, model.reduce_rate) +
                                time_for(row.output / reduces, model.write_rate));
}

Job to_job(const Row& row, const SwimModel& model, Tally& tally) {
  Job job;
  job.id = std::string(row.id);
  job.submit = at_ms(row.submit_s * 1000);
  job.input = Bytes{row.input};
  job.shuffled = Bytes{row.shuffle};
  job.output = Bytes{row.output};
  const Count maps = std::max<Count>(1, divide_up(row.input, model.block.count));
  const Count reduces = std::min(model.most_reduces, divide_up(row.shuffle, model.per_reduce.count));
  tally.maps += maps;
  tally.reduces += reduces;
  tally.without_input += row.input == 0 ? 1 : 0;
  tally.without_shuffle += reduces == 0 ? 1 : 0;
  if (tally.maps + tally.reduces > most_tasks()) {
    throw UsageError("that makes " + too_many_tasks(most_tasks()), "take larger blocks");
  }
  Random random(model.seed, job.id + "\nswim");
  impute_maps(job, row, maps, reduces == 0, model, random);
  impute_reduces(job, row, reduces, model, random);
  return job;
}

void explain(Conversion& result, const SwimModel& model, const Tally& tally, const std::string& why_dropped) {
  const auto jobs = result.workload.jobs.size();
  result.kept.push_back(fmt::format("{} jobs: id, submission, input, shuffle and output bytes", jobs));
  result.dropped.emplace_back("the column of gaps, which the submissions repeat");
  if (result.dropped_rows > 0) {
    result.dropped.push_back(fmt::format("{} rows; the first: {}", result.dropped_rows, why_dropped));
  }
  result.imputed.push_back(fmt::format("{} maps: one a block of {}, at least 1 ({} jobs tell no input)",
                                       tally.maps, format_bytes(model.block), tally.without_input));
  result.imputed.push_back(
      fmt::format("{} reduces: one a {} of shuffle, at most {}; none in {} jobs without shuffle",
                  tally.reduces, format_bytes(model.per_reduce), model.most_reduces, tally.without_shuffle));
  const auto rate = [](Bytes bytes) { return format_bytes(bytes) + "/s"; };
  result.imputed.push_back(
      model.map_durations
          ? "map durations: drawn from " + to_string(*model.map_durations)
          : fmt::format("map durations: {} + bytes at {}, written at {} where there is no reduce",
                        format_duration(model.start), rate(model.map_rate), rate(model.write_rate)));
  result.imputed.push_back(
      model.reduce_durations
          ? "reduce durations, shuffle included: drawn from " + to_string(*model.reduce_durations)
          : fmt::format("reduce durations: shuffle at {}, then {} + bytes at {}, written at {}",
                        rate(model.shuffle_rate), format_duration(model.start), rate(model.reduce_rate),
                        rate(model.write_rate)));
}

void check_model(const SwimModel& model) {
  for (const Bytes each : {model.block, model.per_reduce, model.map_rate, model.shuffle_rate,
                           model.reduce_rate, model.write_rate}) {
    if (each.count < 1)
      throw UsageError("a size or rate of 0 bytes", "give sizes and rates of at least 1 byte");
  }
  if (model.most_reduces < 1) throw UsageError("at most 0 reduces", "allow at least 1");
}

}  // namespace

Conversion read_swim(const std::filesystem::path& path, const SwimModel& model) {
  check_model(model);
  LineReader lines(path);
  Conversion result;
  WorkloadValidator validator(lines.source());
  std::unordered_set<std::string> ids;
  Tally tally;
  std::string why_dropped;
  while (const auto line = lines.next()) {
    if (line->find_first_not_of(" \t") == std::string_view::npos) continue;
    Row row;
    auto why = parse_row(*line, row);
    if (!why && !ids.insert(std::string(row.id)).second) why = "the job id was used before";
    if (why) {
      if (result.dropped_rows++ == 0) why_dropped = fmt::format("line {}: {}", lines.line(), *why);
      continue;
    }
    Job job = to_job(row, model, tally);
    validator.add(job, lines.line());
    result.workload.jobs.push_back(std::move(job));
  }
  if (result.workload.jobs.empty()) {
    throw InputError({lines.source()}, why_dropped.empty() ? "holds no job" : "holds no job; " + why_dropped,
                     "a SWIM row is: id, submit s, gap s, input, shuffle, output bytes, separated by tabs");
  }
  explain(result, model, tally, why_dropped);
  return result;
}

}  // namespace wavewright
