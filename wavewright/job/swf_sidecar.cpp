#include "wavewright/job/swf_sidecar.h"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {

namespace {

constexpr std::string_view key = "x_swf_job";

struct Taken {
  std::optional<std::int64_t> number;  // none if absent or not a whole number from 1
  std::string rest;                    // the other fields
};
Taken take_number(const std::string& unknown_fields) {
  if (unknown_fields.find(key) == std::string::npos) return {std::nullopt, unknown_fields};
  auto fields = nlohmann::ordered_json::parse(unknown_fields);
  const auto found = fields.find(std::string(key));
  if (found == fields.end()) return {std::nullopt, unknown_fields};
  Taken taken;
  if (found->is_number_integer() && found->get<std::int64_t>() >= 1)
    taken.number = found->get<std::int64_t>();
  fields.erase(found);
  if (!fields.empty()) taken.rest = fields.dump();
  return taken;
}

}  // namespace

std::string sidecar_line(const Job& job, std::int64_t number) {
  const Taken taken = take_number(job.unknown_fields);
  std::string line;
  if (taken.rest == job.unknown_fields) {
    line = to_line(job);
  } else {
    Job bare = job;
    bare.unknown_fields = taken.rest;
    line = to_line(bare);
  }
  return fmt::format("{{\"{}\":{},{}", key, number, line.substr(1));
}

SwfSidecar read_sidecar(const std::filesystem::path& path) {
  SwfSidecar sidecar;
  read_workload(path, {}, [&](Job&& job) {
    Taken taken = take_number(job.unknown_fields);
    if (!taken.number) {
      throw InputError({path.string()}, fmt::format("job '{}' does not name its row in {}", job.id, key),
                       "remove the sidecar to read the table alone");
    }
    if (!sidecar.by_number.emplace(*taken.number, sidecar.jobs.size()).second) {
      throw InputError({path.string()}, fmt::format("two jobs name row {} in {}", *taken.number, key),
                       "remove the sidecar to read the table alone");
    }
    job.unknown_fields = std::move(taken.rest);
    sidecar.jobs.push_back(std::move(job));
  });
  return sidecar;
}

}  // namespace wavewright
