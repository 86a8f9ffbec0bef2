#include "wavewright/history/text.h"
#include "tests/property.h"

#include <rapidcheck.h>
#include <simdjson.h>

namespace wavewright {
namespace {

TEST(CleanText, AnyBytesBecomeUtf8AndUtf8Stays) {
  holds_always([](const std::string& bytes) {
    const std::string clean = clean_text(bytes, Lines::keep);
    RC_ASSERT(simdjson::validate_utf8(clean.data(), clean.size()));
    RC_ASSERT(clean_text(clean, Lines::keep) == clean);
    const bool plain = std::none_of(bytes.begin(), bytes.end(), [](char c) {
      return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
    });
    if (plain && simdjson::validate_utf8(bytes.data(), bytes.size())) RC_ASSERT(clean == bytes);
  });
}

// All sequences of two to four bytes at the borders of what UTF-8 allows, against simdjson's validator.
TEST(CleanText, AgreesWithAValidatorAtTheBorders) {
  const std::string borders(
      "\x00\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xEC\xED\xEF\xF0\xF4\xF5\xFF", 20);
  for (const char a : borders) {
    for (const char b : borders) {
      for (const char c : borders) {
        for (const char d : borders) {
          const std::string text = {a, b, c, d};
          const std::string clean = clean_text(text);
          ASSERT_TRUE(simdjson::validate_utf8(clean.data(), clean.size()));
          if (text.find_first_of(std::string("\0\x7F", 2)) == std::string::npos) {
            ASSERT_EQ(clean == text, simdjson::validate_utf8(text.data(), text.size()));
          }
        }
      }
    }
  }
}

TEST(Hosts, AreFoundInEveryFormThatHadoopWrites) {
  EXPECT_EQ(host_of("/default-rack/host1"), "host1");
  EXPECT_EQ(host_of("host1:8041"), "host1");
  EXPECT_EQ(host_of("host1"), "host1");
  EXPECT_EQ(host_of("tracker_host1:localhost/127.0.0.1:4711"), "host1");
  EXPECT_EQ(host_of("fe80::1:2"), "fe80::1:2");
  EXPECT_EQ(host_of("UNKNOWN"), "");
  EXPECT_EQ(host_of(""), "");
  EXPECT_EQ(rack_of("/dc/rack/host1"), "/dc/rack");
  EXPECT_EQ(rack_of("host1"), "");
  EXPECT_EQ(rack_of(""), "");
}

TEST(Ids, TellKindNumberAndJob) {
  EXPECT_EQ(task_kind("", "task_1_0001_r_000004"), TaskKind::reduce);
  EXPECT_EQ(task_kind("JOB_SETUP", "task_1_0001_m_000004"), TaskKind::setup);
  EXPECT_EQ(trailing_number("attempt_1_0001_m_000004_1000"), 1000);
  EXPECT_EQ(trailing_number("attempt_99999999999"), 0);
  EXPECT_EQ(job_of("attempt_1700_0001_m_000004_0"), "job_1700_0001");
  EXPECT_EQ(job_of("task_1700"), "");
}

}  // namespace
}  // namespace wavewright
