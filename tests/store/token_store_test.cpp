// Tokens of the HTTP API on every kind of database (serve/tokens.h).
#include <gmock/gmock.h>

#include "tests/store/databases.h"
#include "wavewright/core/error.h"
#include "wavewright/serve/tokens.h"

namespace wavewright {
namespace {

using ::testing::IsEmpty;

class TokenStores : public DatabaseTest {};

TEST_P(TokenStores, ATokenIsKnownUntilItIsRemoved) {
  const Store store = this->store();
  const TokenStore tokens(store);
  EXPECT_THAT(tokens.list(), IsEmpty());
  const std::string eyes = tokens.create("eyes", Scope::view, at_ms(1'790'000'000'000));
  const std::string hands = tokens.create("it's Ada's", Scope::submit, at_ms(5));
  EXPECT_EQ(eyes.size(), 3U + 64U);
  EXPECT_NE(eyes, hands);
  ASSERT_TRUE(tokens.find(eyes));
  EXPECT_EQ(tokens.find(eyes)->name, "eyes");
  EXPECT_EQ(tokens.find(eyes)->scope, Scope::view);
  EXPECT_EQ(tokens.find(hands)->scope, Scope::submit);
  EXPECT_EQ(tokens.list().size(), 2U);
  EXPECT_EQ(tokens.list()[0].made, at_ms(1'790'000'000'000));
  for (const std::string& text : {std::string(), eyes + "0", eyes.substr(0, 66), std::string("' or 1=1 --")})
    EXPECT_FALSE(tokens.find(text)) << text;
  tokens.remove("eyes");
  EXPECT_FALSE(tokens.find(eyes));
  EXPECT_TRUE(tokens.find(hands));
  EXPECT_THROW(tokens.remove("eyes"), UsageError);
}

TEST_P(TokenStores, ATokenOfAnotherStoreIsKept) {
  const Store store = this->store();
  const TokenStore tokens(store);
  tokens.keep("ww_of_another", "own", Scope::operate, at_ms(1));
  ASSERT_TRUE(tokens.find("ww_of_another"));
  EXPECT_EQ(tokens.find("ww_of_another")->name, "own");
  EXPECT_EQ(tokens.find("ww_of_another")->scope, Scope::operate);
  EXPECT_THROW(tokens.keep("ww_other", "own", Scope::view, at_ms(1)), UsageError);
  EXPECT_FALSE(tokens.find("ww_other"));
}

TEST_P(TokenStores, ATokenMayBelongToAnAccount) {
  const Store store = this->store();
  const TokenStore tokens(store);
  const std::string token = tokens.create("night", Scope::submit, at_ms(1), "etl");
  (void)tokens.create("plain", Scope::submit, at_ms(1));
  ASSERT_TRUE(tokens.find(token));
  EXPECT_EQ(tokens.find(token)->account, "etl");
  EXPECT_EQ(tokens.list()[0].account, "etl");
  EXPECT_EQ(tokens.list()[1].account, "");
  tokens.remove("night");
  EXPECT_FALSE(tokens.find(token));
  for (const char* wrong : {"-u", "a b", "a;b", "../x", "a:0"})
    EXPECT_THROW((void)tokens.create("x", Scope::submit, at_ms(1), wrong), UsageError) << wrong;
}

TEST_P(TokenStores, NamesAreUniqueAndPlain) {
  const Store store = this->store();
  const TokenStore tokens(store);
  (void)tokens.create("a", Scope::operate, at_ms(1));
  EXPECT_THROW((void)tokens.create("a", Scope::view, at_ms(1)), UsageError);
  EXPECT_THROW((void)tokens.create("", Scope::view, at_ms(1)), UsageError);
  EXPECT_THROW((void)tokens.create("two\nlines", Scope::view, at_ms(1)), UsageError);
  EXPECT_THROW((void)tokens.create("a\x7f", Scope::view, at_ms(1)), UsageError);
  EXPECT_THROW((void)tokens.create(std::string(101, 'a'), Scope::view, at_ms(1)), UsageError);
  EXPECT_EQ(tokens.list().size(), 1U);
  (void)tokens.create(std::string(100, 'a'), Scope::view, at_ms(1));
  EXPECT_EQ(parse_scope("submit"), Scope::submit);
  EXPECT_THROW((void)parse_scope("sumbit"), UsageError);
}

INSTANTIATE_ON_EVERY_DATABASE(TokenStores);

}  // namespace
}  // namespace wavewright
