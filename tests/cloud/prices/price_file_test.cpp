#include "wavewright/cloud/prices/price_file.h"

#include <sstream>

#include <gmock/gmock.h>

#include "tests/property.h"
#include "wavewright/cloud/prices/price_rows.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

using testing::HasSubstr;

PriceFile read(const std::string& text, const PriceReadOptions& options = {}) {
  return prices_of_text(text, "prices", options);
}

std::string refusal(const std::string& text, const PriceReadOptions& options = {}) {
  try {
    (void)read(text, options);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    EXPECT_LT(std::string(error.what()).size(), 400u) << error.what();
    return error.what();
  }
  return "it was read";
}

std::string row(const std::string& zone, const std::string& price, const std::string& time) {
  return R"({"AvailabilityZone":")" + zone +
         R"(","InstanceType":"m3.medium","ProductDescription":"Linux/UNIX","SpotPrice":")" + price +
         R"(","Timestamp":")" + time + R"("})";
}

std::string json(const std::vector<std::string>& rows, const std::string& more = "") {
  std::string text = R"({"SpotPriceHistory":[)";
  for (std::size_t i = 0; i < rows.size(); ++i) text += (i > 0 ? "," : "") + rows[i];
  return text + "]" + more + "}";
}

const std::string a = row("us-east-1a", "0.008100", "2015-03-02T14:03:15.000Z");
const std::string b = row("us-east-1a", "0.0100", "2015-03-02T13:00:00+00:00");
const std::string c = row("us-east-1b", "0.07", "2015-03-02T12:00:00Z");
constexpr std::int64_t noon = 1'425'297'600'000;  // 2015-03-02T12:00:00Z, by date(1)

TEST(PriceFile, ReadsWhatTheAwsCommandPrints) {
  const PriceFile file = read(json({a, b, c}, R"(,"NextToken":"")"));
  ASSERT_EQ(file.histories.size(), 2u);
  EXPECT_EQ(file.rows, 3);
  EXPECT_TRUE(file.notes.empty());
  const PriceHistory& first = file.histories.front();
  EXPECT_EQ(first.market(), (Market{"m3.medium", "us-east-1a", "Linux/UNIX"}));
  EXPECT_EQ(first.points(), (std::vector<PricePoint>{{at_ms(noon + 3'600'000), {10'000}},
                                                     {at_ms(noon + 2 * 3'600'000 + 195'000), {8'100}}}));
  EXPECT_EQ(first.end(), first.points().back().from);
  EXPECT_EQ(read("[" + c + "]").histories, (std::vector{file.histories.back()}));  // the list alone
}

TEST(PriceFile, SaysThatThereAreMorePages) {
  EXPECT_THAT(read(json({a}, R"(,"NextToken":"abc")")).notes, testing::ElementsAre(HasSubstr("more pages")));
}

TEST(PriceFile, PassesOverOtherFieldsHoweverNested) {
  const std::string odd =
      R"({"SpotPrice":0.0081,"Timestamp":"2015-03-02T14:03:15Z","x":{"SpotPrice":"9","y":[1,{"Timestamp":3}]}})";
  const PriceFile file = read(R"({"Meta":[],"SpotPriceHistory":[)" + odd + "]}");
  ASSERT_EQ(file.histories.size(), 1u);
  EXPECT_EQ(file.histories[0].points()[0].per_hour.micro_usd, 8'100);
}

TEST(PriceFile, ReadsCsvByTheNamesOfItsColumns) {
  const PriceFile cli = read(
      "SpotPrice,Timestamp,InstanceType,AvailabilityZone,ProductDescription,Note\r\n"
      "0.0081,2015-03-02T12:00:00Z,\"m3.medium\",us-east-1a,\"Linux/\"\"UNIX\"\"\",x\r\n");
  EXPECT_EQ(cli.histories.at(0).market().product, "Linux/\"UNIX\"");
  EXPECT_EQ(cli.histories.at(0).points().at(0), (PricePoint{at_ms(noon), {8'100}}));
  EXPECT_THAT(cli.notes, testing::ElementsAre(HasSubstr("Note")));
  const PriceFile simple = read("\xef\xbb\xbftime_ms,price\n0,1e-2\n\n5000,0.02");
  EXPECT_EQ(simple.histories.at(0).points(),
            (std::vector<PricePoint>{{at_ms(0), {10'000}}, {at_ms(5000), {20'000}}}));
  EXPECT_EQ(read("time,price\n1425297600,0.1\n1425297600001,0.2\n").histories.at(0).points(),
            (std::vector<PricePoint>{{at_ms(noon), {100'000}}, {at_ms(noon + 1), {200'000}}}));
}

TEST(PriceFile, SortsAndSaysSo) {
  const PriceFile file = read("time_ms,price\n5,1\n0,2\n9,3\n0,2\n5,4\n");
  EXPECT_EQ(
      file.histories.at(0).points(),
      (std::vector<PricePoint>{{at_ms(0), {2'000'000}}, {at_ms(5), {4'000'000}}, {at_ms(9), {3'000'000}}}));
  EXPECT_THAT(file.notes, testing::ElementsAre(HasSubstr("out of order"), HasSubstr("1 rows stand twice"),
                                               HasSubstr("higher one is kept")));
  EXPECT_TRUE(read("time_ms,price\n9,1\n5,2\n").notes.empty());  // newest first, as the AWS command prints
}

TEST(PriceFile, SaysGaps) {
  const std::string text = "time_ms,price\n0,1\n3600000,2\n100000000,3\n100000001,4\n";
  EXPECT_TRUE(read(text).notes.empty());
  EXPECT_THAT(read(text, {.wanted = {}, .longest_gap = ms(3'600'000)}).notes,
              testing::ElementsAre(
                  testing::AllOf(HasSubstr("1 gaps of more than 1h"), HasSubstr("from 1970-01-01"))));
}

TEST(PriceFile, ChoosesAMarket) {
  const std::string text = json({a, c});
  EXPECT_EQ(read(text, {.wanted = {"", "us-east-1b", ""}}).histories.size(), 1u);
  EXPECT_THAT(refusal(text, {.wanted = {"", "us-east-1z", ""}}), HasSubstr("us-east-1a"));
  try {
    (void)only_history(read(text));
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.remedy(), HasSubstr("m3.medium us-east-1b Linux/UNIX"));
  }
}

TEST(PriceFile, RefusesBadInputInOneLine) {
  EXPECT_THAT(refusal(""), HasSubstr("empty"));
  EXPECT_THAT(refusal(" \n"), HasSubstr("empty"));
  EXPECT_THAT(refusal(json({})), HasSubstr("no price in it"));
  EXPECT_THAT(refusal("{}"), HasSubstr("no list SpotPriceHistory"));
  EXPECT_THAT(refusal("time,price\n"), HasSubstr("no price in it"));
  const std::string whole = json({a, b});
  EXPECT_THAT(refusal(whole.substr(0, whole.size() - 20)), HasSubstr("@"));  // the byte
  EXPECT_THAT(refusal(whole + "x"), HasSubstr("JSON"));
  EXPECT_THAT(refusal(json({a, row("z", "-0.1", "2015-03-02T14:03:15Z")})),
              testing::AllOf(HasSubstr("row 2"), HasSubstr("below 0")));
  EXPECT_THAT(refusal(json({row("z", "much", "2015-03-02T14:03:15Z")})), HasSubstr("'much' is no price"));
  EXPECT_THAT(refusal(json({row("z", "nan", "2015-03-02T14:03:15Z")})), HasSubstr("no price"));
  EXPECT_THAT(refusal(json({row("z", "1e9", "2015-03-02T14:03:15Z")})), HasSubstr("above 10000"));
  EXPECT_THAT(refusal(json({row("z", "0.1", "yesterday")})), HasSubstr("'yesterday' is no time"));
  EXPECT_THAT(refusal(json({row("z", "0.1", "2015-02-30T14:03:15Z")})), HasSubstr("is no time"));
  EXPECT_THAT(refusal(json({R"({"SpotPrice":"0.1"})"})), HasSubstr("without Timestamp"));
  EXPECT_THAT(refusal(json({R"({"Timestamp":"2015-03-02T14:03:15Z"})"})), HasSubstr("without SpotPrice"));
  EXPECT_THAT(refusal(json({R"({"SpotPrice":true,"Timestamp":"2015-03-02T14:03:15Z"})"})),
              HasSubstr("true or false"));
  EXPECT_THAT(refusal(json({R"({"SpotPrice":"1","Timestamp":"2015-03-02T14:03:15Z","Currency":"EUR"})"})),
              HasSubstr("'EUR'"));
  EXPECT_THAT(refusal(json({"5"})), HasSubstr("no object"));
  EXPECT_THAT(refusal(std::string(1000, '[')), HasSubstr("nested too deeply"));
  EXPECT_THAT(refusal("time,cost\n0,1\n"), HasSubstr("no column of prices"));
  EXPECT_THAT(refusal("when,price\n0,1\n"), HasSubstr("no column of times"));
  EXPECT_THAT(refusal("time,price,Price\n0,1\n"), HasSubstr("two columns"));
  EXPECT_THAT(refusal("time_ms,price\n0,1\n5\n"),
              testing::AllOf(HasSubstr("prices:3"), HasSubstr("1 fields")));
  EXPECT_THAT(refusal("time_ms,price,currency\n0,1,CNY\n"), HasSubstr("'CNY'"));
  EXPECT_THAT(refusal("time_ms,price,unit\n0,1,second\n"), HasSubstr("per 'second'"));
  EXPECT_THAT(refusal("time_ms,price\n-5,1\n"), HasSubstr("no time in ms"));
  EXPECT_THAT(refusal("time_ms,price\n5,\"1\n"), HasSubstr("quote"));
  EXPECT_THAT(refusal("time_ms,price\n5," + std::string(100'000, '1') + "\n"), HasSubstr("1000 characters"));
  EXPECT_THAT(refusal(std::string(300, ',') + "\n"), HasSubstr("100 columns"));
}

// Any text is read or refused in a line, nothing else.
TEST(PriceFile, HostileTextIsReadOrRefused) {
  const std::string good = json({a, b, c});
  const std::string table =
      "time,instance_type,price\n2015-03-02T14:03:15Z,m3,0.1\n2015-03-02T15:03:15Z,m3,0.2\n";
  holds_always(
      [&](std::uint64_t seed) {
        Random random(seed, "hostile");
        std::string text = random.below(2) == 0 ? good : table;
        for (int i = 0; i < 3; ++i) text[random.below(text.size())] = static_cast<char>(random.below(256));
        text.resize(1 + random.below(text.size()));
        try {
          (void)read(text);
        } catch (const InputError& error) {
          RC_ASSERT(std::string(error.what()).size() < 600u);
        }
      },
      2'000);
}

TEST(PriceFile, WhatIsWrittenReadsTheSame) {
  holds_always([](std::uint64_t seed) {
    Random random(seed, "written");
    std::vector<PricePoint> points;
    Time now = at_ms(random.integer(0, 2'000'000'000'000));
    for (std::int64_t i = random.integer(1, 20); i > 0; --i, now += ms(random.integer(1, 100'000'000)))
      points.push_back({now, Money{random.integer(0, 2'000'000)}});
    const PriceHistory prices({"m3.medium", "us-east-1a", "Linux/UNIX, \"x\""}, points, now);
    for (auto* write : {write_prices_csv, write_prices_json}) {
      std::ostringstream out;
      write(out, prices);
      const PriceFile back = read(out.str());
      RC_ASSERT(back.histories.size() == 1u);
      RC_ASSERT(back.histories[0].without_repeats() == prices.without_repeats());
    }
  });
}

TEST(PriceFile, RowsOfAClusterFile) {
  std::ostringstream out;
  write_prices_toml(out, {{}, {{at_ms(5'000), {8'100}}, {at_ms(6'000), {1'070'000}}}, at_ms(9'000)});
  EXPECT_EQ(out.str(), "spot = [[0, 0.008100],\n  [1000, 1.070000]]\n");
}

}  // namespace
}  // namespace wavewright
