#include "wavewright/live/batch/batch_rows.h"

#include <array>
#include <charconv>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/or_null.h"
#include "wavewright/store/key.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;

Json work_document(const StageWork& work) {
  return {work.tasks, to_ms(work.mean)};
}

StageWork work_of(const Json& document) {
  const auto numbers = document.get<std::array<std::int64_t, 2>>();
  return {numbers[0], ms(numbers[1])};
}

Json document_of(const std::optional<LiveTarget>& target) {
  if (!target) return nullptr;
  return {target->map_rank, target->reduce_rank, or_null(target->maps), or_null(target->reduces)};
}

std::optional<LiveTarget> target_of(const Json& document) {
  if (document.is_null()) return std::nullopt;
  const auto limit = [&](std::size_t at) {
    return document.at(at).is_null() ? std::nullopt : std::optional(document.at(at).get<Count>());
  };
  return LiveTarget{document.at(0).get<std::int64_t>(), document.at(1).get<std::int64_t>(), limit(2),
                    limit(3)};
}

Json document_of(const ListMark& mark) {
  return {mark.incarnation, mark.ended, mark.kept, mark.began, mark.listed};
}

ListMark mark_of(const Json& document) {
  auto numbers = document.get<std::vector<std::int64_t>>();
  numbers.resize(5);  // older programs wrote three
  return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

Json document_of(const JobMemory& memory) {
  Json each = Json::array();
  for (const std::optional<Bytes>& bytes : {memory.master, memory.map, memory.reduce})
    each.push_back(bytes ? Json(bytes->count) : Json(nullptr));
  return each;
}

JobMemory memory_of(const Json& document) {
  JobMemory memory;
  if (document.is_null()) return memory;  // older programs wrote none
  const auto at = [&](std::size_t i) {
    const Json& bytes = document.at(i);
    return bytes.is_null() ? std::optional<Bytes>() : Bytes{bytes.get<std::int64_t>()};
  };
  return {at(0), at(1), at(2)};
}

Json document_of(const std::optional<TaskBounds>& bounds) {
  if (!bounds) return nullptr;
  return {bounds->maps, bounds->reduces, to_ms(bounds->map), to_ms(bounds->reduce)};
}

std::optional<TaskBounds> bounds_of(const Json& document) {
  if (document.is_null()) return std::nullopt;  // older programs wrote none
  const auto numbers = document.get<std::array<std::int64_t, 4>>();
  return TaskBounds{numbers[0], numbers[1], ms(numbers[2]), ms(numbers[3])};
}

Json document_of(const std::optional<DeadlinePromise>& promise) {
  if (!promise) return nullptr;
  return {{"tasks_from_ms", to_ms(promise->tasks_from)},
          {"end_ms", to_ms(promise->end)},
          {"confidence", promise->confidence},
          {"at_risk", promise->at_risk}};
}

std::optional<DeadlinePromise> promise_of(const Json& document) {
  if (document.is_null()) return std::nullopt;  // likewise
  return DeadlinePromise{at_ms(document.at("tasks_from_ms").get<std::int64_t>()),
                         at_ms(document.at("end_ms").get<std::int64_t>()),
                         document.at("confidence").get<std::string>(), document.at("at_risk").get<bool>()};
}

}  // namespace

std::string batch_row_key(const std::string& batch) {
  return hash_text(batch);
}

std::string numbered_row_key(const std::string& batch_key, std::int64_t number) {
  return fmt::format("{}.{:012}", batch_key, number);
}

std::int64_t number_in_row_key(const std::string& row_key) {
  std::int64_t number = 0;
  const std::size_t dot = row_key.rfind('.') + 1;
  std::from_chars(row_key.data() + dot, row_key.data() + row_key.size(), number);
  return number;
}

std::string past_row_key(const std::string& batch_key, const std::string& job_id) {
  return batch_key + "." + hash_text(job_id);
}

std::string stored_text(const std::optional<LiveOrdering>& ordering) {
  if (!ordering) return "null";
  Json document = {{"when", ordering->when},
                   {"objective", to_string(ordering->objective)},
                   {"mode", engine_name(engine_of(*ordering))},
                   {"search_up_to", ordering->search_up_to},
                   {"pool", {ordering->pool.map_slots, ordering->pool.reduce_slots}}};
  if (ordering->planned)
    document["planner"] = {{"evaluations", ordering->planned->evaluations},
                           {"seed", ordering->planned->seed}};
  return document.dump();
}

std::optional<LiveOrdering> stored_ordering(const std::string& text, const std::string& store) {
  try {
    const Json document = Json::parse(text);
    if (document.is_null()) return std::nullopt;
    const auto pool = document.at("pool").get<std::array<std::int64_t, 2>>();
    const auto mode = document.at("mode").get<std::string>();
    const bool by_planner = document.contains("planner");
    LiveOrdering ordering{document.at("when").get<std::string>(),
                          parse_objective(document.at("objective").get<std::string>(), queue_objectives),
                          by_planner ? OrderingMode::sim : parse_ordering_mode(mode),
                          document.at("search_up_to").get<std::size_t>(),
                          {pool[0], pool[1]}};
    if (by_planner) {
      const Json& told = document.at("planner");
      ordering.planned =
          PlannedBy{mode, told.at("evaluations").get<std::uint64_t>(), told.at("seed").get<std::uint64_t>()};
      check(engine_of(ordering));
    }
    return ordering;
  } catch (const Json::exception&) {
  } catch (const UsageError&) {
  }
  throw InputError({store}, "the ordering of a live batch is damaged", "restore the store from a copy");
}

std::string stored_text(const std::vector<std::string>& ids) {
  return Json(ids).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string> stored_ids(const std::string& text, const std::string& store) {
  try {
    return Json::parse(text).get<std::vector<std::string>>();
  } catch (const Json::exception&) {
    throw InputError({store}, "the order of a live batch's jobs is damaged", "restore the store from a copy");
  }
}

std::string stored_text(const LiveJob& job) {
  return Json{{"id", job.id},
              {"name", job.name},
              {"profile", job.profile},
              {"queue", job.queue},
              {"after", job.after},
              {"not_before_ms", to_ms(job.not_before)},
              {"command", job.command.words()},
              {"directory", job.directory},
              {"account", job.account},
              {"seal", job.seal},
              {"tag", job.tag},
              {"many_applications", job.many_applications},
              {"maps", work_document(job.maps)},
              {"reduces", work_document(job.reduces)},
              {"deadline_ms", or_null(job.deadline)},
              {"weight", job.weight},
              {"memory_bytes", document_of(job.memory)},
              {"target", document_of(job.target)},
              {"map_drift", or_null(job.map_drift)},
              {"reduce_drift", or_null(job.reduce_drift)},
              {"expected_start_ms", or_null(job.expected_start)},
              {"expected_end_ms", or_null(job.expected_end)},
              {"bounds", document_of(job.bounds)},
              {"promise", document_of(job.promise)},
              {"state", to_string(job.state)},
              {"attempts", job.attempts},
              {"lost_attempts", job.lost_attempts},
              {"machine", job.machine},
              {"cluster_away", job.cluster_away},
              {"cancel", job.cancel},
              {"late", job.late},
              {"unread", job.unread},
              {"unkilled", job.unkilled},
              {"mark", document_of(job.mark)},
              {"submitting_since_ms", or_null(job.submitting_since)},
              {"accepted_ms", or_null(job.accepted_at)},
              {"started_ms", or_null(job.started_at)},
              {"ended_ms", or_null(job.ended_at)},
              {"applications", job.applications},
              {"placed_queue", job.placed_queue},
              {"master_node", job.master_node},
              {"reason", job.reason}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

LiveJob stored_job(const std::string& text, const std::string& store) {
  try {
    const Json document = Json::parse(text);
    const auto at = [&](const char* key) {
      const Json& value = document.at(key);
      return value.is_null() ? std::optional<Time>() : at_ms(value.get<std::int64_t>());
    };
    const auto factor = [&](const char* key) {
      const auto value = document.find(key);
      return value == document.end() || value->is_null() ? std::nullopt : std::optional(value->get<double>());
    };
    LiveJob job;
    document.at("id").get_to(job.id);
    document.at("name").get_to(job.name);
    job.profile = document.value("profile", "");  // jobs of older programs have none of these
    job.queue = document.value("queue", "");
    job.map_drift = factor("map_drift");
    job.reduce_drift = factor("reduce_drift");
    document.at("after").get_to(job.after);
    job.not_before = at_ms(document.at("not_before_ms").get<std::int64_t>());
    job.command = document.at("command").get<std::vector<std::string>>();
    document.at("directory").get_to(job.directory);
    job.account = document.value("account", "");  // older programs wrote neither
    job.seal = document.value("seal", "");
    document.at("tag").get_to(job.tag);
    document.at("many_applications").get_to(job.many_applications);
    job.maps = work_of(document.at("maps"));
    job.reduces = work_of(document.at("reduces"));
    job.deadline = at("deadline_ms");
    document.at("weight").get_to(job.weight);
    job.memory = memory_of(document.value("memory_bytes", Json()));
    job.target = target_of(document.at("target"));
    job.expected_start = at("expected_start_ms");
    job.expected_end = at("expected_end_ms");
    job.bounds = bounds_of(document.value("bounds", Json()));
    job.promise = promise_of(document.value("promise", Json()));
    job.state = parse_live_state(document.at("state").get<std::string>(), store);
    document.at("attempts").get_to(job.attempts);
    job.lost_attempts = document.value("lost_attempts", 0);  // older programs wrote none, nor `late`
    document.at("machine").get_to(job.machine);
    document.at("cluster_away").get_to(job.cluster_away);
    document.at("cancel").get_to(job.cancel);
    job.late = document.value("late", false);
    job.unread = document.value("unread", false);
    job.unkilled = document.value("unkilled", false);
    job.mark = mark_of(document.at("mark"));
    job.submitting_since = at("submitting_since_ms");
    job.accepted_at = at("accepted_ms");
    job.started_at = at("started_ms");
    job.ended_at = at("ended_ms");
    document.at("applications").get_to(job.applications);
    job.placed_queue = document.value("placed_queue", "");  // older programs wrote neither
    job.master_node = document.value("master_node", "");
    document.at("reason").get_to(job.reason);
    return job;
  } catch (const Json::exception&) {
    throw InputError({store}, "a job of a live batch is damaged", "restore the store from a copy");
  }
}

}  // namespace wavewright
