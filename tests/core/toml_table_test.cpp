// Which texts go to the TOML parser: its own tables do not know every character, so that those beyond ASCII
// are let through only inside of quotes and comments.
#include "wavewright/core/toml_table.h"

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

TEST(ParseToml, TakesAnyCharacterInsideOfQuotesAndComments) {
  for (const char* text :
       {"a = \"Ŝ\"", "a = 'Ŝ' # Ŝ", "a = [\"Ŝ\", 'Ŝ',\n 'Ŝ']", "a = { \"Ŝ\" = 1, 'Ŝŝ' = 2 }", "'Ŝ' = 1",
        "[['Ŝ']]", "a = \"\"\"Ŝ\"\"\"", "a = \"x\\\"Ŝ\"", "a=\"Ŝ\""}) {
    EXPECT_NO_THROW((void)parse_toml(text, "t.toml", "the page")) << text;
  }
}

TEST(ParseToml, RefusesThemElsewhereNamingTheLine) {
  for (const char* text :
       {"x = 1\na = Ŝ", "x = 1\nŜ = 1", "x = 1\nt = 0||s'Ŝthfk", "x = 1\na = 1 \"Ŝ\"", "x = 1\na = 1.'Ŝx"}) {
    try {
      (void)parse_toml(text, "t.toml", "the page");
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("t.toml:2"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("outside of quotes"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace wavewright
