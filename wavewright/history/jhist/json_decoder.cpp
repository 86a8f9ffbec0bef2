#include "wavewright/history/jhist/json_decoder.h"

namespace wavewright::jhist {

namespace {

using simdjson::SUCCESS;
using simdjson::ondemand::array;
using simdjson::ondemand::json_type;
using simdjson::ondemand::object;

// Finds a record's fields by name. Writers keep the schema's order, so the next one is tried first.
class FieldFinder {
 public:
  explicit FieldFinder(const Type& record) : fields_(record.fields) {}

  const Field* find(std::string_view name) {
    for (std::size_t step = 0; step < fields_.size(); ++step) {
      const std::size_t i = (next_ + step) % fields_.size();
      if (fields_[i].name == name) {
        next_ = i + 1;
        return &fields_[i];
      }
    }
    return nullptr;
  }

 private:
  const std::vector<Field>& fields_;
  std::size_t next_ = 0;
};

// Calls `each(field, value)` for the object's fields that the record's schema has.
template <class Each>
simdjson::error_code for_fields(simdjson::ondemand::value value, const Type& record, Each each) {
  object members;
  if (const auto error = value.get_object().get(members)) return error;
  FieldFinder finder(record);
  for (auto member : members) {
    std::string_view key;
    if (const auto error = member.unescaped_key().get(key)) return error;
    const Field* const field = finder.find(key);
    if (field == nullptr || field->use.what == Use::What::skip) continue;
    simdjson::ondemand::value inner;
    if (const auto error = member.value().get(inner)) return error;
    if (const auto error = each(*field, inner)) return error;
  }
  return SUCCESS;
}

template <class Each>
simdjson::error_code for_items(simdjson::ondemand::value value, Each each) {
  array items;
  if (const auto error = value.get_array().get(items)) return error;
  for (auto item : items) {
    simdjson::ondemand::value inner;
    if (const auto error = item.get(inner)) return error;
    if (const auto error = each(inner)) return error;
  }
  return SUCCESS;
}

}  // namespace

std::string_view JsonDecoder::decode(std::string_view line, std::size_t readable, Event& event) {
  event.clear();
  if (readable < line.size() + simdjson::SIMDJSON_PADDING) {
    copy_.assign(line);
    copy_.resize(line.size() + simdjson::SIMDJSON_PADDING, ' ');
    line = std::string_view(copy_).substr(0, line.size());
    readable = copy_.size();
  }
  const Failure error = parse(simdjson::padded_string_view(line.data(), line.size(), readable), event);
  return error == SUCCESS ? std::string_view{} : std::string_view(simdjson::error_message(error));
}

JsonDecoder::Failure JsonDecoder::parse(simdjson::padded_string_view line, Event& event) {
  simdjson::ondemand::document document;
  if (const auto error = parser_.iterate(line).get(document)) return error;
  Value root;
  if (const auto error = document.get_value().get(root)) return error;
  const auto error =
      for_fields(root, schema_[schema_.root], [&](const Field& member, Value value) -> Failure {
        if (member.use.what == Use::What::type) return value.get_string().get(event.type);
        if (member.use.what != Use::What::body) return SUCCESS;
        Branch taken;
        if (const auto failure = branch(value, schema_[member.type], taken)) return failure;
        return taken.type == nullptr ? SUCCESS : body(taken.value, *taken.type, event);
      });
  if (error != SUCCESS) return error;
  const char* rest = nullptr;  // stays null if the line holds one event and nothing else
  return document.current_location().get(rest) == SUCCESS ? simdjson::TRAILING_CONTENT : SUCCESS;
}

// Follows a union to the branch that the value names; `taken.type` stays null for null.
JsonDecoder::Failure JsonDecoder::branch(Value value, const Type& type, Branch& taken) {
  taken = {&type, value};
  if (type.kind != Kind::choice) return SUCCESS;
  taken.type = nullptr;
  json_type shape{};
  if (const auto error = value.type().get(shape)) return error;
  if (shape == json_type::null) return SUCCESS;
  object wrapper;
  if (const auto error = value.get_object().get(wrapper)) return error;
  for (auto member : wrapper) {
    std::string_view name;
    if (const auto error = member.unescaped_key().get(name)) return error;
    if (const auto error = member.value().get(taken.value)) return error;
    for (const TypeId part : type.parts) {
      if (schema_[part].name == name) taken.type = &schema_[part];
    }
    return taken.type == nullptr ? simdjson::NO_SUCH_FIELD : SUCCESS;
  }
  return simdjson::NO_SUCH_FIELD;
}

JsonDecoder::Failure JsonDecoder::body(Value value, const Type& type, Event& event) {
  if (type.kind != Kind::record) return SUCCESS;
  return for_fields(value, type,
                    [&](const Field& member, Value inner) { return field(inner, member, event); });
}

JsonDecoder::Failure JsonDecoder::field(Value value, const Field& member, Event& event) {
  using What = Use::What;
  const What what = member.use.what;
  if (what != What::text && what != What::number && what != What::counters) return SUCCESS;
  Branch taken;
  if (const auto error = branch(value, schema_[member.type], taken)) return error;
  if (taken.type == nullptr) return SUCCESS;
  if (what == What::text) return taken.value.get_string().get(event.texts[member.use.slot]);
  if (what == What::counters) return counters(taken.value, *taken.type, event);
  std::int64_t number = 0;
  if (const auto error = taken.value.get_int64().get(number)) return error;
  event.numbers[member.use.slot] = number;
  return SUCCESS;
}

JsonDecoder::Failure JsonDecoder::counters(Value value, const Type& type, Event& event) {
  if (type.kind != Kind::record) return SUCCESS;
  return for_fields(value, type, [&](const Field& member, Value list) -> Failure {
    const Type& groups = schema_[member.type];
    if (member.use.what != Use::What::groups || groups.kind != Kind::array) return SUCCESS;
    const Type& item = schema_[groups.parts[0]];
    return for_items(list, [&](Value one) { return group(one, item, event); });
  });
}

JsonDecoder::Failure JsonDecoder::group(Value value, const Type& type, Event& event) {
  if (type.kind != Kind::record) return SUCCESS;
  std::string_view name;
  return for_fields(value, type, [&](const Field& member, Value inner) -> Failure {
    if (member.use.what == Use::What::name) return inner.get_string().get(name);
    const Type& counts = schema_[member.type];
    if (member.use.what != Use::What::counts || counts.kind != Kind::array) return SUCCESS;
    const Type& item = schema_[counts.parts[0]];
    return for_items(inner, [&](Value one) { return counter(one, item, name, event); });
  });
}

JsonDecoder::Failure JsonDecoder::counter(Value value, const Type& type, std::string_view group_name,
                                          Event& event) {
  if (type.kind != Kind::record) return SUCCESS;
  CounterValue told{group_name, {}, 0};
  const auto error = for_fields(value, type, [&](const Field& member, Value inner) -> Failure {
    if (member.use.what == Use::What::name) return inner.get_string().get(told.name);
    if (member.use.what == Use::What::value) return inner.get_int64().get(told.value);
    return SUCCESS;
  });
  if (error == SUCCESS && !told.name.empty()) event.counters.push_back(told);
  return error;
}

}  // namespace wavewright::jhist
