// Bytes made to hurt: whatever they say, a reader answers with a run or a reason, soon and in little memory.
#include <simdjson.h>
#include <sys/resource.h>

#include "tests/history/samples.h"
#include "tests/paths.h"
#include "wavewright/core/file.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

using namespace tests;

// Reading may not throw, and must say something of what yields nothing; all texts stay UTF-8.
Outcome expect_an_answer(std::string_view bytes) {
  Outcome told = read(bytes);
  EXPECT_FALSE(told.runs.empty() && told.diagnostics.empty());
  for (const JobRun& run : told.runs) {
    EXPECT_FALSE(run.id.empty());
    const std::string text = describe(run);
    EXPECT_TRUE(simdjson::validate_utf8(text.data(), text.size()));
    EXPECT_TRUE(run.state != RunState::unknown || !told.diagnostics.empty()) << "an unended job in silence";
  }
  for (const Diagnostic& diagnostic : told.diagnostics) EXPECT_FALSE(diagnostic.reason.empty());
  return told;
}

std::string trace(const std::string& name) {
  return read_file(wavewright::source_dir() + "/data/formats/" + name);
}

std::string file_of(int kind) {
  if (kind == 2) return word_count_log();
  if (kind == 3) return trace("rumen/small.json");
  if (kind == 4) return trace("sls/small.json");
  return jhist(schema_3(), word_count(), kind == 0 ? Encoding::json : Encoding::binary);
}

class AnyFormat : public ::testing::TestWithParam<int> {};
std::string format_name(const ::testing::TestParamInfo<int>& info) {
  const std::array names = {"Json", "Binary", "Hadoop1", "Rumen", "Sls"};
  return names[static_cast<std::size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Formats, AnyFormat, ::testing::Values(0, 1, 2, 3, 4), format_name);

TEST_P(AnyFormat, EveryPrefixGivesARunOrAReason) {
  const std::string whole = file_of(GetParam());
  // The schema's parse is the same for most prefixes of it: a step there, every byte after it.
  const std::size_t events = GetParam() >= 2 ? 0 : whole.find('\n', 12) - 50;
  std::size_t last_tasks = 0;
  for (std::size_t length = 0; length < whole.size(); length += length < events ? 97 : 1) {
    const std::string cut = whole.substr(0, length);  // a copy of its own, so that sanitizers see its end
    const Outcome told = expect_an_answer(cut);
    if (told.runs.empty()) continue;
    EXPECT_GE(told.runs.front().tasks.size(), last_tasks) << "a longer prefix told less";
    last_tasks = told.runs.front().tasks.size();
  }
  EXPECT_GE(last_tasks, 3U);
}

// One bit, one byte, or a piece of a few bytes; half of the wounds go to the events, which the schema would
// otherwise hide by its length.
void wound(std::string& bytes, std::size_t events, Random& random) {
  const std::size_t from = random.below(2) == 0 ? std::min(events, bytes.size() - 1) : 0;
  const std::size_t at = from + random.below(bytes.size() - from);
  switch (random.below(3)) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
      break;
    case 1:
      bytes[at] = static_cast<char>(random.below(256));
      break;
    default:
      bytes.erase(at, random.below(20));
  }
}

TEST_P(AnyFormat, ThousandsOfWoundedFilesGiveARunOrAReason) {
  const std::string whole = file_of(GetParam());
  const std::size_t events = GetParam() >= 2 ? 0 : whole.find('\n', 12);
  int runs = 0;
  int reasons = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    SCOPED_TRACE(i);
    Random random(1, "wounds", i);
    std::string bytes = whole;
    for (auto wounds = 1 + random.below(8); wounds > 0; --wounds) wound(bytes, events, random);
    const Outcome told = expect_an_answer(bytes);
    runs += told.runs.empty() ? 0 : 1;
    reasons += told.diagnostics.empty() ? 0 : 1;
  }
  EXPECT_GT(runs, 300);  // else the wounds only ever hit the schema, and test nothing else
  EXPECT_GT(reasons, 300);
}

// ---- binary lengths that lie

std::string binary_with(const Json& schema, const std::string& events) {
  return "Avro-Binary\n" + schema.dump() + "\n" + events;
}

Json schema_of(const std::string& body) {
  return Json::parse(R"({"type": "record", "name": "Event", "fields": [
    {"name": "type", "type": {"type": "enum", "name": "EventType", "symbols": ["JOB_SUBMITTED"]}},
    {"name": "event", "type": )" +
                     body + "}]}");
}

std::int64_t peak_memory_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// Reads in under a second and with at most 64 MB more than before.
Outcome read_soon(const std::string& bytes) {
  const std::int64_t before = peak_memory_kb();
  const auto begin = std::chrono::steady_clock::now();
  Outcome told = read(bytes);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  EXPECT_LT(peak_memory_kb() - before, 64 * 1024);
  EXPECT_TRUE(told.runs.empty());
  EXPECT_FALSE(told.diagnostics.empty());
  return told;
}

TEST(Hostile, ALengthBeyondTheFileIsNotAllocated) {
  const Json schema =
      schema_of(R"({"type": "record", "name": "J", "fields": [{"name": "jobid", "type": "string"}]})");
  for (const std::int64_t length : {std::int64_t{1} << 60, INT64_MAX, std::int64_t{100}}) {
    EXPECT_TRUE(read_soon(binary_with(schema, avro_long(0) + avro_long(length) + "job_1_1"))
                    .says("cut off in the middle of an event"));
  }
  EXPECT_TRUE(read_soon(binary_with(schema, avro_long(0) + avro_long(-5) + "job_1_1"))
                  .says("text of negative length"));
}

TEST(Hostile, ArraysOfNothingCannotSpin) {
  const Json schema = schema_of(R"({"type": "record", "name": "J", "fields": [
      {"name": "x", "type": {"type": "array", "items": "null"}}]})");
  for (const std::int64_t count :
       {std::int64_t{1} << 60, INT64_MIN, INT64_MIN + 1, std::int64_t{1'000'000'000'000}}) {
    read_soon(binary_with(schema, avro_long(0) + avro_long(count) + avro_long(8) + "padding"));
  }
}

// Records of no bytes within one another: twenty levels of two would be visited 2^20 times an event.
TEST(Hostile, RecordsOfNothingCannotMultiply) {
  std::string type = R"({"type": "record", "name": "R0", "fields": [{"name": "n", "type": "null"}]})";
  for (int i = 1; i < 18; ++i) {
    type = fmt::format(R"({{"type": "record", "name": "R{}", "fields": [
      {{"name": "a", "type": {}}}, {{"name": "b", "type": "R{}"}}]}})",
                       i, type, i - 1);
  }
  const Outcome told = read_soon(binary_with(schema_of(type), std::string(100, '\0')));
  EXPECT_TRUE(told.says("event with more values than bytes"));
}

TEST(Hostile, ASchemaWithinItselfIsFollowedOnlySoDeep) {
  const Json schema =
      schema_of(R"({"type": "record", "name": "J", "fields": [{"name": "next", "type": ["null", "J"]}]})");
  std::string events;
  for (int i = 0; i < 200'000; ++i) events += avro_long(1);
  EXPECT_TRUE(
      read_soon(binary_with(schema, avro_long(0) + events)).says("event nested deeper than 64 levels"));
}

TEST(Hostile, EventsOfNoBytesEnd) {
  const Json schema = Json::parse(R"({"type": "record", "name": "Event", "fields": [
    {"name": "type", "type": "null"}, {"name": "event", "type": "null"}]})");
  EXPECT_TRUE(read_soon(binary_with(schema, "x")).says("event of no bytes"));
}

// An enum's symbol takes a byte in a datum, however long its name is.
TEST(Hostile, LongSymbolsCannotMultiply) {
  const std::string symbol(100'000, 'x');
  const Json schema =
      schema_of(fmt::format(R"({{"type": "enum", "name": "Long", "symbols": ["{}"]}})", symbol));
  EXPECT_TRUE(read_soon(binary_with(schema, std::string(1000, '\0')))
                  .says("schema cannot be read: an enum whose symbols are no names"));
}

TEST(Hostile, LongCounterGroupsDoNotMultiply) {
  std::vector<Json> events = word_count();
  std::vector<Counted> values;
  for (int i = 0; i < 20'000; ++i) values.push_back({std::string(20'000, 'g'), std::to_string(i), i});
  events.back()["event"]["totalCounters"] = counters(values);
  const std::string bytes = jhist(schema_3(), events, Encoding::binary);
  const std::int64_t before = peak_memory_kb();
  const Outcome told = read(bytes);  // 20,000 names of 20,000 bytes would be 400 MB
  EXPECT_LT(peak_memory_kb() - before, 64 * 1024);
  EXPECT_EQ(told.runs.at(0).state, RunState::succeeded);
}

TEST(Hostile, DeepSchemasAreOneReason) {
  for (const std::string& open :
       {std::string("["), std::string(R"({"type":)"), std::string(R"({"type":"array","items":)")}) {
    std::string schema;
    for (int i = 0; i < 20'000; ++i) schema += open;
    const Outcome told = read_soon("Avro-Binary\n" + schema + "\nevents");
    EXPECT_EQ(told.diagnostics.size(), 1U);
    EXPECT_EQ(told.diagnostics.at(0).where.text(), "f:2");
  }
  std::string closed;
  for (int i = 0; i < 200; ++i) closed += "[";
  for (int i = 0; i < 200; ++i) closed += "]";
  EXPECT_TRUE(read_soon("Avro-Json\n" + closed + "\n{}\n")
                  .says("schema cannot be read: nested deeper than 64 levels"));
}

TEST(Hostile, DeepEventsAreOneReason) {
  std::string deep = R"({"type":"JOB_SUBMITTED","event":)";
  for (int i = 0; i < 100'000; ++i) deep += "[";
  const std::string line = deep + "\n";
  const Outcome told = read_soon("Avro-Json\n" + schema_3().dump() + "\n" + line + line + line);
  EXPECT_TRUE(told.says("event that cannot be read"));
  EXPECT_TRUE(told.says("no event that names a job"));
  EXPECT_EQ(told.diagnostics.size(), 2U);
}

TEST(Hostile, OtherSchemasAreAReason) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"("string")", "schema is not that of a job history"},
      {R"({"type": "record", "name": "User", "fields": [{"name": "mail", "type": "string"}]})",
       "schema is not that of a job history"},
      {R"({"type": "record", "name": "E", "fields": [{"name": "type", "type": "Unknown"}]})",
       "schema cannot be read: a type that it does not define"},
      {R"({"type": "record", "name": "E")", "schema cannot be read: not JSON"},
      {"3", "schema cannot be read: a type that is neither name, list nor object"},
      {R"({"type": "record", "fields": []})",
       "schema cannot be read: a record, enum or fixed without a name"},
      {R"({"type": "enum", "name": "E"})", "schema cannot be read: an enum without symbols"},
      {R"({"type": "array"})", "schema cannot be read: an array or map without a type of items"},
  };
  for (const auto& [schema, reason] : cases) {
    const Outcome told = read_soon("Avro-Binary\n" + schema + "\nevents");
    EXPECT_TRUE(told.says(reason)) << schema << ": " << told.diagnostics.at(0).reason;
  }
}

}  // namespace
}  // namespace wavewright
