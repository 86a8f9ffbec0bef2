#include "wavewright/job/redact.h"
#include "tests/property.h"

#include <map>
#include <set>

#include <rapidcheck.h>

#include "tests/job/run_command.h"
#include "tests/job/temporary_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string secret_line =
    R"({"id":"secret-id","name":"secret-etl","user":"secret-user","queue":"secret-queue","submit_ms":7,)"
    R"("map_ms":[1,2],"reduce_ms":[3],"deadline_ms":99,"input_bytes":5,"splits":[["secret-n1","secret-n2"],["secret-n1"]],)"
    R"("classes":{"secret-gpu":{"speed":2.0}},"command":["/secret/submit","secret-etl"],"several_applications":true,"profile":"secret-etl","x_path":"/secret/path"})";

TEST(Redact, NoNameIsLeftAndNothingElseChanges) {
  const TemporaryFile file(secret_line + "\n" + R"({"id":"b","user":"secret-user","after":["secret-id"]})" +
                           "\n");
  Pseudonyms pseudonyms;
  std::string text;
  read_workload(file.path(), {}, [&](Job&& job) {
    const Job before = job;
    redact(job, pseudonyms);
    text += to_line(job) + "\n";
    EXPECT_EQ(job.submit, before.submit);
    EXPECT_EQ(job.maps, before.maps);
    EXPECT_EQ(job.reduces, before.reduces);
    EXPECT_EQ(job.deadline, before.deadline);
    EXPECT_EQ(job.input, before.input);
    EXPECT_EQ(job.splits.size(), before.splits.size());
  });
  EXPECT_THAT(text, Not(HasSubstr("secret")));
  EXPECT_THAT(text, Not(HasSubstr("several_applications")));  // it is of the command
  EXPECT_THAT(text, HasSubstr(R"("splits":[["node-1","node-2"],["node-1"]])"));
  EXPECT_THAT(text, HasSubstr(R"("after":["job-1"])"));
  EXPECT_THAT(text, HasSubstr(R"("user":"user-1")"));
  EXPECT_THAT(text, HasSubstr(R"("name":"name-1")"));
  EXPECT_THAT(text, HasSubstr(R"("profile":"name-1")"));
}

TEST(Redact, TheSameNameGetsTheSameWordAndDifferentOnesDiffer) {
  holds_always([] {
    Pseudonyms pseudonyms;
    const auto names = *rc::gen::container<std::vector<std::string>>(rc::gen::arbitrary<std::string>());
    std::map<std::string, std::string> words;
    for (const std::string& name : names) {
      const std::string word = pseudonyms.of("user", name);
      const auto [known, fresh] = words.try_emplace(name, word);
      RC_ASSERT(known->second == word);
    }
    std::set<std::string> different;
    for (const auto& [name, word] : words) different.insert(word);
    RC_ASSERT(different.size() == words.size());
  });
}

TEST(Redact, AMapMakesSeveralFilesAgreeAndLeadsBack) {
  Pseudonyms first;
  EXPECT_EQ(first.of("user", "alice"), "user-1");
  EXPECT_EQ(first.of("user", "b\"ob"), "user-2");
  Pseudonyms second = Pseudonyms::from_json(first.to_json(), "map.json");
  EXPECT_EQ(second.of("user", "b\"ob"), "user-2");
  EXPECT_EQ(second.of("user", "carol"), "user-3");
}

TEST(Redact, AMapThatIsNotOursIsRefused) {
  for (const char* text :
       {"", "[]", "{\"user\":[]}", "{\"user\":{\"a\":1}}", "{\"user\":{\"a\":\"user-9\"}}",
        "{\"user\":{\"a\":\"user-1\",\"b\":\"user-1\"}}", "{\"user\":{\"a\":\"user-01\"}}"}) {
    EXPECT_THROW((void)Pseudonyms::from_json(text, "map.json"), InputError) << text;
  }
}

}  // namespace
}  // namespace wavewright
