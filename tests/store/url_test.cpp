#include "wavewright/store/url.h"

#include <unistd.h>

#include <atomic>
#include <fstream>

#include "tests/store/databases.h"
#include "tests/store/runs.h"
#include "wavewright/core/error.h"
#include "wavewright/store/maintain.h"

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

TEST(StoreUrl, ShowsNoPasswordThatStandsWhereNoneShould) {
  EXPECT_EQ(shown_url("postgresql://ada@host/db?sslmode=require&password=hid&den"),
            "postgresql://ada@host/db?sslmode=require&password=&den");
  EXPECT_EQ(shown_url("postgresql://ada@host:5432/db?p%61ssword=hi@dden"),
            "postgresql://ada@host:5432/db?p%61ssword=");
  EXPECT_EQ(shown_url("postgresql://ada:hidden/db"), "postgresql://ada/db");  // its host was forgotten
  EXPECT_EQ(shown_url("mysql://ada:123456/db"), "mysql://ada/db");
  EXPECT_EQ(shown_url("ada:hidden@host/db"), "ada@host/db");
  EXPECT_EQ(shown_url("postgresql:ada:hidden@host/db"), "postgresql@host/db");
  for (const char* plain :
       {"postgresql://ada@host:5432/db?sslmode=require", "mariadb://[::1]:3306/db", "mariadb://[::1]/db",
        "postgresql:///db?host=/run/pg", "sqlite://a:b@c?password=x"})
    EXPECT_EQ(shown_url(plain), plain);
  for (const char* url : {"postgresql://ada@host/db?password=hidden", "mariadb://ada:hidden/db",
                          "mysql://ada:hidden@host", "postgresql://ada:hidden@host/db?sslmod=x",
                          "ada:hidden@host/db", "postgres://ada:hidden@host:x/db"}) {
    const std::string told = refusal(url);
    EXPECT_EQ(told.find("hidden"), std::string::npos) << told;
    EXPECT_NE(told.find("ada"), std::string::npos) << told;
  }
}

TEST(StoreUrl, KnowsWhetherItHasAPassword) {
  for (const char* url : {"postgresql://ada:secret@host/db", "postgres://ada:s/e@host/db",
                          "mysql://ada:s@host", "mariadb://ada@host/db?password=secret"})
    EXPECT_TRUE(has_password(url)) << url;
  for (const char* url :
       {"postgresql://ada@host:5432/db", "mariadb://ada:@host/db", "mysql://host/db?socket=/a:b",
        "postgresql://ada@host/db?password=", "sqlite:a:b@c.db", "hdfs://ada:secret@host/x", "a:b@c", "etl"})
    EXPECT_FALSE(has_password(url)) << url;
}

TEST(StoreUrl, TakesThePasswordOfTheConfiguredStore) {
  const std::string known = "postgresql://ada:one@db/runs";
  EXPECT_EQ(with_password_of(known, "postgres://ada@DB:5432/runs"), known);
  for (const char* other :
       {"postgresql://ada:two@db/runs", "postgresql://bob@db/runs", "postgresql://ada@db/old",
        "postgresql://ada@db/runs?sslmode=require", "mariadb://ada@db/runs", "sqlite:a.db"})
    EXPECT_EQ(with_password_of(known, other), other);
  EXPECT_EQ(with_password_of("postgresql://ada:one@db", "postgresql://ada@db/runs"),
            "postgresql://ada@db/runs");
  EXPECT_EQ(with_password_of("sqlite:a.db", "postgresql://ada@db/runs"), "postgresql://ada@db/runs");
  EXPECT_THROW((void)with_password_of(known, "oracle://ada@db/runs"), UsageError);
}

TEST(StoreUrl, RefusesWhatIsNoneWithTheNearestWord) {
  EXPECT_NE(refusal("oracle://x:secret@y/z").find("'oracle://x@y/z' is not a store"), std::string::npos);
  EXPECT_NE(refusal("postgresql://x@y/z?sslmod=a").find("did you mean 'sslmode'?"), std::string::npos);
  EXPECT_NE(refusal("postgresql://x@y").find("names no database"), std::string::npos);
  EXPECT_NE(refusal("mariadb://x@y:port/z").find("no port but"), std::string::npos);
  EXPECT_THROW((void)Store::open("sqlite:", Store::Access::create), UsageError);
  EXPECT_NE(refusal("sqlite:/tmp/a \"q\".db").find("names a file with a quote"), std::string::npos);
}

TEST(StoreUrl, AnyPasswordReachesPostgresqlsClientLibrary) {
  const StoreUrl where = parse_store_url("postgresql://ada:p'%5C%20@/:x@localhost/runs");
  EXPECT_EQ(where.password, "p'\\ @/:x");
  const std::string uri = postgresql_uri(where);
  EXPECT_TRUE(uri.starts_with("postgresql://ada:p%27%5C%20%40%2F%3Ax@localhost/runs?")) << uri;
}

TEST(StoreUrl, OneStoreIsKnownUnderItsOtherNames) {
  const auto same = [](const char* a, const char* b) {
    return same_store(parse_store_url(a), parse_store_url(b));
  };
  EXPECT_TRUE(same("sqlite:x.db", "sqlite:./y/../x.db"));
  EXPECT_FALSE(same("sqlite:x.db", "sqlite:y.db"));
  EXPECT_FALSE(same("sqlite::memory:", "sqlite::memory:"));
  EXPECT_TRUE(same("postgres://a:p@Host/db?sslmode=require", "postgresql://a@host:5432/%64b"));
  EXPECT_TRUE(same("mysql://localhost/db", "mariadb://127.0.0.1:3306/db"));
  EXPECT_FALSE(same("mariadb://h/db", "mariadb://h/db2"));
  EXPECT_FALSE(same("mariadb://h:3307/db", "mariadb://h/db"));
  EXPECT_FALSE(same("postgresql:///db?host=/a", "postgresql:///db?host=/b"));
  EXPECT_FALSE(same("postgresql://h/db", "mariadb://h/db"));
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
  } catch (const ExternalError& error) {
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
  EXPECT_THROW((void)Store::open(url("missing.db"), Store::Access::existing), ExternalError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "missing.db"));
  std::ofstream(folder_ / "text.db") << std::string(5'000, 'x');
  EXPECT_THROW((void)Store::open(url("text.db"), Store::Access::create), InputError);
  EXPECT_THROW((void)Store::open(url(""), Store::Access::create), ExternalError);
  std::ofstream(folder_ / "file") << "x";
  EXPECT_THROW((void)Store::open(url("file/store.db"), Store::Access::create), ExternalError);
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

TEST_P(SqliteFile, AForeignTableOfOurNameIsNoStore) {
  url_ = "sqlite:" + (folder_ / "other.db").string();
  std::ofstream(folder_ / "other.db").close();
  execute("create table wavewright_meta (x integer)");
  for (const auto access : {Store::Access::create, Store::Access::existing}) {
    const std::string told = refusal(url_, access);
    EXPECT_NE(told.find("is a database, but not a store of Wavewright"), std::string::npos) << told;
  }
}

TEST_P(SqliteFile, ACopyOntoItselfIsRefusedHoweverItIsNamed) {
  const Store store = this->store();
  const std::filesystem::path file = url_.substr(std::string("sqlite:").size());
  std::filesystem::create_symlink(file.parent_path(), file.parent_path() / "link");
  const std::atomic<bool> never = false;
  for (const char* folder : {"/", "/./", "/link/"}) {
    const Store same = Store::open(
        "sqlite:" + file.parent_path().string() + folder + file.filename().string(), Store::Access::create);
    EXPECT_THROW((void)copy_store(store, same, never), UsageError) << folder;
  }
}

// Root may write everything: what depends on rights is done as nobody.
class AsNobody {
 public:
  AsNobody() : was_(::geteuid()) {
    if (was_ == 0) changed_ = ::seteuid(65534) == 0;
  }
  ~AsNobody() {
    if (changed_) (void)!::seteuid(was_);
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  AsNobody(AsNobody&&) = delete;
  AsNobody& operator=(AsNobody&&) = delete;

 private:
  uid_t was_;
  bool changed_ = false;
};

class ReadOnlyFile : public DatabaseTest {
 protected:
  void SetUp() override {
    DatabaseTest::SetUp();
    file_ = url_.substr(std::string("sqlite:").size());
    place_ = file_.parent_path();
    std::filesystem::permissions(folder_, std::filesystem::perms(0755));
    (void)store().add(std::vector{plausible_run(1, 3, 1)});
  }
  void TearDown() override {
    std::filesystem::permissions(place_, std::filesystem::perms(0755));
    DatabaseTest::TearDown();
  }
  void allow(unsigned of_file, unsigned of_folder) const {
    std::filesystem::permissions(file_, std::filesystem::perms(of_file));
    std::filesystem::permissions(place_, std::filesystem::perms(of_folder));
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(place_), {}));
  }

  std::filesystem::path file_;
  std::filesystem::path place_;
};

TEST_P(ReadOnlyFile, CanBeReadAndIsLeftAsItWas) {
  const std::vector<std::pair<unsigned, unsigned>> rights = {{0444, 0555}, {0666, 0555}, {0444, 0777}};
  for (const auto& [of_file, of_folder] : rights) {
    allow(of_file, of_folder);
    const AsNobody nobody;
    const Store store = Store::open(url_, Store::Access::existing);
    EXPECT_EQ(store.runs({}).size(), 1U);
    EXPECT_EQ(store.run_count(), 1);
    EXPECT_TRUE(check_store(store).empty());
    EXPECT_EQ(files(), 1U) << "nothing beside it";
  }
}

// Another's import is under way: its log holds what the file does not yet.
TEST_P(ReadOnlyFile, TellsWhatAWriterHasInItsLog) {
  Store writer = store();
  (void)writer.add(std::vector{plausible_run(2, 3, 1)});
  allow(0644, 0755);
  const AsNobody nobody;
  EXPECT_EQ(Store::open(url_, Store::Access::existing).run_count(), 2);
}

TEST_P(ReadOnlyFile, AWriteSaysThatItMayOnlyBeRead) {
  allow(0444, 0555);
  const AsNobody nobody;
  try {
    (void)Store::open(url_, Store::Access::existing).add(std::vector{plausible_run(2, 3, 1)});
    FAIL();
  } catch (const ExternalError& error) {
    EXPECT_NE(error.remedy().find("you may only read it"), std::string::npos) << error.what();
  }
}

TEST_P(ReadOnlyFile, AnOlderSchemaIsRefusedInPlainWords) {
  execute("update wavewright_meta set value = '1'");
  allow(0444, 0555);
  const AsNobody nobody;
  const std::string told = refusal(url_, Store::Access::existing);
  EXPECT_NE(told.find("must be updated, but you may only read it"), std::string::npos) << told;
}

TEST_P(ReadOnlyFile, ANewStoreWhereNoneMayBeSpeaksOfTheFile) {
  allow(0444, 0555);
  const AsNobody nobody;
  const std::string told = refusal("sqlite:" + (place_ / "new.db").string());
  EXPECT_NE(told.find("you may read and write the file and its folder"), std::string::npos) << told;
  EXPECT_EQ(told.find("server"), std::string::npos) << told;
}

INSTANTIATE_TEST_SUITE_P(On, ReadOnlyFile, testing::Values(Backend::sqlite));
INSTANTIATE_TEST_SUITE_P(On, SqliteFile, testing::Values(Backend::sqlite));

TEST(StoreUrls, EveryNameOfThisMachineIsOnePlace) {
  const StoreUrl here = parse_store_url("postgresql://ada@localhost/runs");
  for (const char* name : {"127.0.0.1", "[::1]", "LocalHost", "localhost:5432", ""}) {
    EXPECT_TRUE(same_store(here, parse_store_url(fmt::format("postgresql://ada@{}/runs", name)))) << name;
  }
  EXPECT_FALSE(same_store(here, parse_store_url("postgresql://ada@elsewhere/runs")));
}

TEST(StoreUrls, APasswordWithoutAUserReachesTheServer) {
  StoreUrl where;
  where.backend = Backend::postgresql;
  where.database = "runs";
  where.password = "a b";
  EXPECT_NE(postgresql_uri(where).find("&password=a%20b"), std::string::npos) << postgresql_uri(where);
}

}  // namespace
}  // namespace wavewright
