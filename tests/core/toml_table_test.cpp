// Which texts go to the TOML parser: its own tables do not know every character, so that it sees ASCII alone
// and the texts come back as written.
#include "wavewright/core/toml_table.h"

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

TEST(ParseToml, GivesTextsAsTheyWereWritten) {
  const std::vector<std::pair<const char*, std::string>> written = {
      {"a = \"Ŝ\"", "Ŝ"},
      {"a = 'Ŝ 100%' # Ŝ", "Ŝ 100%"},
      {"\xEF\xBB\xBF# Ŝ\na = \"%C5%9C\"", "%C5%9C"},
      {"a = \"\"\"Ŝ\n\"\"\"", "Ŝ\n"},
      {"a = \"x\\\"Ŝ\"", "x\"Ŝ"},
      {"a=\"\\u015C\"", "Ŝ"},
      {"a = \"\\U0000015C%\"", "Ŝ%"},
  };
  for (const auto& [text, value] : written) {
    EXPECT_EQ(parse_toml(text, "t.toml", "the page")["a"].value<std::string>(), value) << text;
  }
}

TEST(ParseToml, GivesKeysAsTheyWereWritten) {
  const toml::table table = parse_toml(
      "\"Ŝ\" = { '%ŝ' = [1, { 'é' = 2 }] }\n[['ü']]\nx = 'y'\n[['ü']]\nx = 'ÿ'\n", "t.toml", "the page");
  EXPECT_EQ(table["Ŝ"]["%ŝ"][1]["é"].value<int>(), 2);
  EXPECT_EQ(table["ü"][1]["x"].value<std::string>(), "ÿ");
  EXPECT_EQ(table.size(), 2U);
}

TEST(ParseToml, RefusesCharactersBeyondAsciiElsewhereNamingTheLine) {
  for (const char* text :
       {"x = 1\na = Ŝ", "x = 1\nŜ = 1", "x = 1\nt = 0||s'Ŝthfk", "x = 1\na = 1 \"Ŝ\"", "x = 1\na = 1.'Ŝx",
        "x = 1\na = \"\"\"\\\xEF\xBB\xBF\"\"\"", "x = 1\na\xC2\xA0= 1"}) {
    try {
      (void)parse_toml(text, "t.toml", "the page");
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("t.toml:2"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("beyond ASCII in quotes"), std::string::npos) << error.what();
    }
  }
}

TEST(ParseToml, RefusesANameThatWouldOverflowTheStack) {
  std::string tight = "a", wide = "a";
  for (int i = 0; i < 20; ++i) {
    tight += ".a";
    wide += " . 'a'";
  }
  for (const std::string& text :
       {tight + " = 1", wide + " = 1", "[" + tight + "]", "a = {" + tight + " = 1}"}) {
    try {
      (void)parse_toml("x = 1\n" + text, "t.toml", "the page");
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("t.toml:2: not TOML: a name of more"), std::string::npos)
          << error.what();
    }
  }
}

TEST(ParseToml, TakesPointsThatMakeNoName) {
  std::string numbers, sentences, keys;
  for (int i = 0; i < 50; ++i) {
    numbers += "0.5, ";
    sentences += "So be it. ";
    keys += "'k'.k" + std::to_string(i) + " = 1\n";
  }
  for (const std::string& text :
       {"x = [" + numbers + "]", "# " + std::string(100, '.'), "# " + numbers + "\nx = 'a.b.example.org'",
        std::string("a.b.c.d.e = 1"), keys, "x = '" + sentences + "' # " + sentences}) {
    EXPECT_NO_THROW((void)parse_toml(text, "t.toml", "the page")) << text;
  }
}

TEST(ParseToml, RefusesAnEscapedPercentSignThatWouldBreakUtf8) {
  EXPECT_THROW((void)parse_toml("a = \"\\u0025C5\"", "t.toml", "the page"), InputError);
}

}  // namespace
}  // namespace wavewright
