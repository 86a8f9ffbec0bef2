// The two encodings are two implementations of one decoding: random jobs must come out the same.
#include <rapidcheck.h>

#include "tests/history/samples.h"
#include "tests/property.h"

namespace wavewright {
namespace {

using namespace tests;

std::string any_text() {
  static const std::vector<std::string> texts = {"",          "host1",  "a \"b\" \\c/",     "\t\n\r\x01",
                                                 "Übergröße", "日本語", "\xF0\x9F\x90\x98", "null",
                                                 "UNKNOWN",   "x:1"};
  return *rc::gen::elementOf(texts);
}

std::int64_t any_number() {
  return *rc::gen::oneOf(rc::gen::element<std::int64_t>(-1, 0, INT64_MAX, INT64_MIN, 1'700'000'000'000),
                         rc::gen::arbitrary<std::int64_t>());
}

// A value for any type of the schema.
Json any_value(const Json& type, const std::map<std::string, Json>& named, int depth) {
  if (type.is_array()) {
    const Json& branch = type[*rc::gen::inRange<std::size_t>(0, type.size())];
    if (branch == "null" || depth > 6) return nullptr;
    return any_value(branch, named, depth);
  }
  const std::string what = type.is_string() ? type.get<std::string>() : type["type"].get<std::string>();
  if (named.contains(what)) return any_value(named.at(what), named, depth);
  if (what == "string") return any_text();
  if (what == "long") return any_number();
  if (what == "int") return *rc::gen::arbitrary<std::int32_t>();
  if (what == "boolean") return *rc::gen::arbitrary<bool>();
  if (what == "enum") return type["symbols"][*rc::gen::inRange<std::size_t>(0, type["symbols"].size())];
  if (what == "map") return {{"key", any_value(type["values"], named, depth + 1)}};
  if (what == "array") {
    Json items = Json::array();
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
      items.push_back(any_value(type["items"], named, depth + 1));
    return items;
  }
  Json record = {{"@", type["name"]}};
  for (const Json& field : type["fields"]) {
    const auto name = field["name"].get<std::string>();
    record[name] = any_value(field["type"], named, depth + 1);
    if (name == "jobid") record[name] = "job_1_0001";
    if (name == "taskid") record[name] = fmt::format("task_1_0001_m_{:06}", *rc::gen::inRange(0, 3));
    if (name == "attemptId")
      record[name] = fmt::format("attempt_1_0001_m_000000_{}", *rc::gen::inRange(0, 3));
  }
  return record;
}

void learn(const Json& type, std::map<std::string, Json>& named) {
  if (type.is_array()) {
    for (const Json& inner : type) learn(inner, named);
  } else if (type.is_object()) {
    if (type.contains("name")) named[type["name"]] = type;
    if (type.contains("items")) learn(type["items"], named);
    if (type.contains("fields")) {
      for (const Json& field : type["fields"]) learn(field["type"], named);
    }
  }
}

TEST(Encodings, TheSameEventsGiveTheSameRun) {
  for (const Json& schema : {schema_3(), schema_0_23()}) {
    std::map<std::string, Json> named;
    learn(schema, named);
    holds_always([&] {
      std::vector<Json> events;
      for (int i = *rc::gen::inRange(1, 12); i > 0; --i) events.push_back(any_value(schema, named, 0));
      const Outcome json = read(jhist(schema, events, Encoding::json));
      const Outcome binary = read(jhist(schema, events, Encoding::binary));
      RC_ASSERT(json.runs.size() == binary.runs.size());
      if (!json.runs.empty()) RC_ASSERT(describe(json.runs[0]) == describe(binary.runs[0]));
      RC_ASSERT(json.diagnostics.size() == binary.diagnostics.size());
      for (std::size_t i = 0; i < json.diagnostics.size(); ++i) {
        RC_ASSERT(json.diagnostics[i].reason == binary.diagnostics[i].reason);
        RC_ASSERT(json.diagnostics[i].detail == binary.diagnostics[i].detail);
      }
    });
  }
}

}  // namespace
}  // namespace wavewright
