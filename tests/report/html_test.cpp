#include "wavewright/report/page/html.h"

#include <rapidcheck.h>
#include <nlohmann/json.hpp>

namespace wavewright::report {
namespace {

TEST(ReportHtml, MarkupInANameIsText) {
  EXPECT_EQ(escape("<script>alert('x') & \"y\"</script>"),
            "&lt;script&gt;alert(&#39;x&#39;) &amp; &quot;y&quot;&lt;/script&gt;");
}

TEST(ReportHtml, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(clean_utf8("a\xFF"
                       "b"),
            "a\uFFFDb");
  EXPECT_EQ(clean_utf8("\xC0\xAF"), "\uFFFD\uFFFD");            // overlong slash
  EXPECT_EQ(clean_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // surrogate
  EXPECT_EQ(clean_utf8("caf\u00E9 \u4E2D"), "caf\u00E9 \u4E2D");
  EXPECT_EQ(clean_utf8(std::string_view("a\0b\n", 4)), "a\uFFFDb ");
}

TEST(ReportHtml, AnyBytesBecomeSafeTextAndTheSameTextInJson) {
  EXPECT_TRUE(rc::check("any bytes", [](const std::string& bytes) {
    const std::string clean = clean_utf8(bytes);
    RC_ASSERT(clean_utf8(clean) == clean);
    RC_ASSERT(escape(bytes).find_first_of("<>\"'") == std::string::npos);
    const std::string json = json_string(bytes);
    RC_ASSERT(json.find_first_of("<>&") == std::string::npos);
    RC_ASSERT(nlohmann::json::parse(json).get<std::string>() == clean);  // throws on invalid UTF-8
  }));
}

TEST(ReportHtml, ShorteningCountsCharactersNotBytes) {
  EXPECT_EQ(shortened("wordcount", 20), "wordcount");
  EXPECT_EQ(shortened("wordcount", 5), "word\u2026");
  EXPECT_EQ(shortened("\u00E9\u00E9\u00E9\u00E9", 3), "\u00E9\u00E9\u2026");
}

}  // namespace
}  // namespace wavewright::report
