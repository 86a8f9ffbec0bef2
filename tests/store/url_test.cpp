#include "wavewright/store/url.h"

#include <fstream>

#include "tests/store/databases.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

std::string refusal(const std::string& url, Store::Access access = Store::Access::create) {
  try {
    (void)Store::open(url, access);
  } catch (const Error& error) {
    return error.what();
  }
  return "opened";
}

TEST(StoreUrl, TakesAServersAddressApart) {
  const StoreUrl where = parse_store_url("postgresql://ada:s%3Ac%20ret@db.example:5433/runs?sslmode=require");
  EXPECT_EQ(where.backend, Backend::postgresql);
  EXPECT_EQ(where.user, "ada");
  EXPECT_EQ(where.password, "s:c ret");
  EXPECT_EQ(where.host, "db.example");
  EXPECT_EQ(where.port, "5433");
  EXPECT_EQ(where.database, "runs");
  EXPECT_EQ(where.options.at("sslmode"), "require");
  EXPECT_EQ(parse_store_url("mysql://u:p/w@h@[::1]:3306/d").host, "::1");
  EXPECT_EQ(parse_store_url("mysql://u:p/w@h@[::1]:3306/d").password, "p/w@h");
  EXPECT_EQ(parse_store_url("postgresql:///d?host=/run/pg").options.at("host"), "/run/pg");
}

TEST(StoreUrl, ShowsNoPassword) {
  EXPECT_EQ(shown_url("postgresql://ada:secret@host/db"), "postgresql://ada@host/db");
  EXPECT_EQ(shown_url("mariadb://ada:sec@ret@host/db"), "mariadb://ada@host/db");
  EXPECT_EQ(shown_url("sqlite:a@b:c.db"), "sqlite:a@b:c.db");
  for (const char* scheme : {"postgresql", "mariadb"}) {
    const std::string told = refusal(std::string(scheme) + "://ada:hidden@127.0.0.1:1/db");
    EXPECT_EQ(told.find("hidden"), std::string::npos) << told;
    EXPECT_NE(told.find("ada@127.0.0.1:1/db"), std::string::npos) << told;
    EXPECT_NE(told.find("check that the server runs"), std::string::npos) << told;
    EXPECT_EQ(told.find('\n'), std::string::npos) << told;
  }
}

TEST(StoreUrl, RefusesWhatIsNoneWithTheNearestWord) {
  EXPECT_NE(refusal("oracle://x:secret@y/z").find("'oracle://x@y/z' is not a store"), std::string::npos);
  EXPECT_NE(refusal("postgresql://x@y/z?sslmod=a").find("did you mean 'sslmode'?"), std::string::npos);
  EXPECT_NE(refusal("postgresql://x@y").find("names no database"), std::string::npos);
  EXPECT_NE(refusal("mariadb://x@y:port/z").find("no port but"), std::string::npos);
  EXPECT_THROW((void)Store::open("sqlite:", Store::Access::create), UsageError);
}

TEST(StoreUrl, AnyPasswordReachesPostgresqlsClientLibrary) {
  const StoreUrl where = parse_store_url("postgresql://ada:p'%5C%20@/:x@localhost/runs");
  EXPECT_EQ(where.password, "p'\\ @/:x");
  const std::string uri = postgresql_uri(where);
  EXPECT_TRUE(uri.starts_with("postgresql://ada:p%27%5C%20%40%2F%3Ax@localhost/runs?")) << uri;
}

class MariaDbServer : public DatabaseTest {};

// A password that every layer between here and the server would like to read as something else.
TEST_P(MariaDbServer, AnyPasswordReachesIt) {
  (void)store();
  execute("create or replace user 'ada'@'localhost' identified by 'p''\\\\ @/:x'");
  execute("grant all on *.* to 'ada'@'localhost'");
  const std::string place = url_.substr(url_.rfind('/', url_.find('?')));
  EXPECT_EQ(refusal("mariadb://ada:p'%5C%20@/:x@localhost" + place), "opened");
  const std::string bad = refusal("mariadb://ada:wrong@localhost" + place);
  EXPECT_NE(bad.find("check user, rights and password"), std::string::npos) << bad;
}

TEST_P(MariaDbServer, ARunThatIsTooLargeForItSaysWhatToRaise) {
  Store store = this->store();
  PackedRun run;
  run.header.id = "job_1_0001";
  run.identity = "job_1_0001@1";
  run.tasks = std::string(20'000'000, 'x');
  try {
    (void)store.add(std::vector{run});
    FAIL() << "more than the default max_allowed_packet";
  } catch (const OutsideError& error) {
    EXPECT_NE(std::string(error.what()).find("raise max_allowed_packet"), std::string::npos)
        << std::string(error.what()).substr(0, 500);
  }
  EXPECT_EQ(Store::open(url_, Store::Access::existing).run_count(), 0);
}

std::vector<Backend> mariadb_where_tested() {
  std::vector<Backend> tested = tested_backends();
  std::erase_if(tested, [](Backend backend) { return backend != Backend::mariadb; });
  return tested;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MariaDbServer);
INSTANTIATE_TEST_SUITE_P(On, MariaDbServer, testing::ValuesIn(mariadb_where_tested()));

class SqliteFile : public DatabaseTest {};

TEST_P(SqliteFile, SaysWhatIsWrongWithAStoreThatIsNone) {
  const auto url = [&](const std::string& name) { return "sqlite:" + (folder_ / name).string(); };
  EXPECT_THROW((void)Store::open(url("missing.db"), Store::Access::existing), OutsideError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "missing.db"));
  std::ofstream(folder_ / "text.db") << std::string(5'000, 'x');
  EXPECT_THROW((void)Store::open(url("text.db"), Store::Access::create), OutsideError);
  EXPECT_THROW((void)Store::open(url(""), Store::Access::create), OutsideError);
  std::ofstream(folder_ / "file") << "x";
  EXPECT_THROW((void)Store::open(url("file/store.db"), Store::Access::create), OutsideError);
}

TEST_P(SqliteFile, SomebodyElsesDatabaseStaysAsItWas) {
  url_ = "sqlite:" + (folder_ / "other.db").string();
  std::ofstream(folder_ / "other.db").close();
  execute("create table theirs (x integer)");
  std::ifstream before_file(folder_ / "other.db", std::ios::binary);
  const std::string before{std::istreambuf_iterator<char>(before_file), {}};
  for (const auto access : {Store::Access::create, Store::Access::existing}) {
    EXPECT_NE(refusal(url_, access).find("is a database, but not a store of Wavewright"), std::string::npos);
  }
  std::ifstream after_file(folder_ / "other.db", std::ios::binary);
  EXPECT_EQ(before, (std::string{std::istreambuf_iterator<char>(after_file), {}}));
}

INSTANTIATE_TEST_SUITE_P(On, SqliteFile, testing::Values(Backend::sqlite));

}  // namespace
}  // namespace wavewright
