#include "tests/history/avro.h"

namespace wavewright::tests {

std::string avro_long(std::int64_t value) {
  auto bits = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  std::string out;
  for (; bits >= 0x80; bits >>= 7) out += static_cast<char>((bits & 0x7F) | 0x80);
  out += static_cast<char>(bits);
  return out;
}

Avro::Avro(Json schema) : schema_(std::move(schema)) {
  learn(schema_, "");
}

void Avro::learn(const Json& type, const std::string& space) {
  if (type.is_array()) {
    for (const Json& branch : type) learn(branch, space);
  } else if (type.is_object()) {
    const std::string inner = type.value("namespace", space);
    if (type.contains("name")) {
      const auto name = type["name"].get<std::string>();
      named_[name] = type;
      full_[name] = inner.empty() ? name : inner + "." + name;
      named_[full_[name]] = type;
    }
    for (const char* key : {"items", "values"}) {
      if (type.contains(key)) learn(type[key], inner);
    }
    if (type.contains("fields")) {
      for (const Json& field : type["fields"]) learn(field["type"], inner);
    }
  }
}

const Json& Avro::resolve(const Json& type) const {
  if (type.is_string()) {
    const auto known = named_.find(type.get<std::string>());
    return known == named_.end() ? type : known->second;
  }
  return type;
}

std::string Avro::kind(const Json& type) const {
  const Json& known = resolve(type);
  if (known.is_array()) return "union";
  return known.is_string() ? known.get<std::string>() : known["type"].get<std::string>();
}

std::size_t Avro::branch(const Json& choice, const Json& value) const {
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const Json& known = resolve(choice[i]);
    if (value.is_null()       ? kind(choice[i]) == "null"
        : value.contains("@") ? known.is_object() && known.value("name", "") == value["@"]
                              : kind(choice[i]) != "null") {
      return i;
    }
  }
  throw std::logic_error("no branch of the schema for " + value.dump());
}

void Avro::write(const Json& declared, const Json& value, std::string& out) const {
  const Json& type = resolve(declared);
  const std::string what = kind(type);
  if (what == "null") return;
  if (what == "union") {
    const std::size_t chosen = branch(type, value);
    out += avro_long(static_cast<std::int64_t>(chosen));
    write(type[chosen], value, out);
  } else if (what == "record") {
    for (const Json& field : type["fields"]) {
      const auto name = field["name"].get<std::string>();
      write(field["type"], value.contains(name) ? value[name] : Json(), out);
    }
  } else if (what == "enum") {
    const auto found = std::find(type["symbols"].begin(), type["symbols"].end(), value);
    if (found == type["symbols"].end()) throw std::logic_error("no symbol " + value.dump());
    out += avro_long(found - type["symbols"].begin());
  } else if (what == "array" || what == "map") {
    if (!value.empty()) out += avro_long(static_cast<std::int64_t>(value.size()));
    for (const auto& [key, item] : value.items()) {
      if (what == "map") write("string", key, out);
      write(type[what == "map" ? "values" : "items"], item, out);
    }
    out += avro_long(0);
  } else if (what == "boolean") {
    out += value.is_boolean() && value.get<bool>() ? '\1' : '\0';
  } else if (what == "int" || what == "long") {
    out += avro_long(value.is_null() ? 0 : value.get<std::int64_t>());
  } else if (what == "string") {
    const std::string text = value.is_null() ? "" : value.get<std::string>();
    out += avro_long(static_cast<std::int64_t>(text.size())) + text;
  } else {
    throw std::logic_error("the test's writer has no " + what);
  }
}

Json Avro::wrap(const Json& declared, const Json& value) const {
  const Json& type = resolve(declared);
  const std::string what = kind(type);
  if (what == "union") {
    const Json& chosen = type[branch(type, value)];
    if (kind(chosen) == "null") return nullptr;
    const Json& known = resolve(chosen);
    const std::string name = known.is_object() ? full_.at(known["name"]) : known.get<std::string>();
    return {{name, wrap(chosen, value)}};
  }
  if (what == "record") {
    Json out = Json::object();
    for (const Json& field : type["fields"]) {
      const auto name = field["name"].get<std::string>();
      out[name] = wrap(field["type"], value.contains(name) ? value[name] : Json());
    }
    return out;
  }
  if (what == "array") {
    Json out = Json::array();
    for (const Json& item : value) out.push_back(wrap(type["items"], item));
    return out;
  }
  if (!value.is_null()) return value;
  if (what == "map") return Json::object();
  if (what == "boolean") return false;
  if (what == "string") return "";
  return what == "null" ? Json() : Json(0);
}

std::string Avro::binary(const Json& value) const {
  std::string out;
  write(schema_, value, out);
  return out;
}

Json Avro::json(const Json& value) const {
  return wrap(schema_, value);
}

std::string jhist(const Json& schema, const std::vector<Json>& events, Encoding encoding) {
  const Avro avro(schema);
  std::string out = (encoding == Encoding::json ? "Avro-Json\n" : "Avro-Binary\n") + schema.dump() + "\n";
  for (const Json& event : events) {
    out += encoding == Encoding::json ? avro.json(event).dump() + "\n" : avro.binary(event);
  }
  return out;
}

}  // namespace wavewright::tests
