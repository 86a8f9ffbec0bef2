// Refused promises as text and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/or_null.h"
#include "wavewright/core/when.h"
#include "wavewright/live/outlook/outlook_document.h"
#include "wavewright/live/promise/promises.h"
#include "wavewright/realtime/counter_offer.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;

std::string all_texts(const std::vector<PromiseRefusal>& refusals) {
  std::string text;
  for (const PromiseRefusal& each : refusals) text += (text.empty() ? "" : "; ") + refusal_text(each);
  return text;
}

}  // namespace

NotPromised::NotPromised(std::vector<PromiseRefusal> refusals)
    : Infeasible("not promised: " + all_texts(refusals)), refusals_(std::move(refusals)) {}

std::string refusal_text(const PromiseRefusal& refusal) {
  std::string text = refusal.job + ": " + refusal.sentence;
  if (refusal.earliest_deadline)
    text += "; with a deadline of " + format_instant(*refusal.earliest_deadline) + " it would be promised";
  if (refusal.lacks) text += ", or with " + further_slots_text(*refusal.lacks);
  if (!refusal.give_way.empty()) text += fmt::format(", or without {}", fmt::join(refusal.give_way, ", "));
  if (!refusal.record) return text;
  if (const std::string errors = record_text(*refusal.record); !errors.empty())
    text += fmt::format("; estimates of {}: {}", refusal.profile, errors);
  if (const std::string change = change_text(*refusal.record); !change.empty())
    text += fmt::format("; WARNING: {} has changed: {}", refusal.profile, change);
  return text;
}

Json refusal_document(const PromiseRefusal& refusal) {
  return {{"job", refusal.job},
          {"code", refusal.code},
          {"sentence", refusal.sentence},
          {"end_ms", or_null(refusal.end)},
          {"earliest_deadline_ms", or_null(refusal.earliest_deadline)},
          {"lacks", refusal.lacks ? Json{{"map_slots", refusal.lacks->map_slots},
                                         {"reduce_slots", refusal.lacks->reduce_slots}}
                                  : Json(nullptr)},
          {"give_way", refusal.give_way},
          {"profile", refusal.profile},
          {"record", refusal.record ? document_of(*refusal.record) : Json(nullptr)}};
}

PromiseRefusal refusal_from_document(const Json& document, const std::string& source) try {
  const auto at = [&](const char* field) {
    const Json& value = document.at(field);
    return value.is_null() ? std::nullopt : std::optional(at_ms(value.get<std::int64_t>()));
  };
  PromiseRefusal refusal;
  document.at("job").get_to(refusal.job);
  document.at("code").get_to(refusal.code);
  document.at("sentence").get_to(refusal.sentence);
  refusal.end = at("end_ms");
  refusal.earliest_deadline = at("earliest_deadline_ms");
  if (const Json& lacks = document.at("lacks"); !lacks.is_null())
    refusal.lacks = SlotPool{lacks.at("map_slots").get<Count>(), lacks.at("reduce_slots").get<Count>()};
  document.at("give_way").get_to(refusal.give_way);
  document.at("profile").get_to(refusal.profile);
  if (const Json& record = document.at("record"); !record.is_null())
    refusal.record = record_from_document(record);
  return refusal;
} catch (const Json::exception&) {
  throw InputError({source}, "is no refusal of a deadline", "it may come from another version of Wavewright");
}

}  // namespace wavewright
