// A store of which pages are lost: its check names them, and a salvage takes the rest.
#include <fstream>

#include <fmt/format.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include "tests/property.h"
#include "tests/store/databases.h"
#include "tests/store/runs.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/store/connect.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/packed.h"

namespace wavewright {
namespace {

constexpr int runs = 200;

JobRun run_of(int number) {
  return plausible_run(number, 12, 3);
}

const std::atomic<bool> never = false;

class Salvage : public DatabaseTest {
 protected:
  void SetUp() override {
    DatabaseTest::SetUp();
    Store store = this->store();
    std::vector<PackedRun> packed;
    std::vector<ImportedFile> files;
    for (int i = 0; i < runs; ++i) {
      packed.push_back(pack_run(run_of(i)));
      files.push_back({packed.back().header.source, "7@1", 1, {}});
    }
    (void)store.add(packed, files);
  }

  // The store is copied as far as it can be; every run of the copy is as it was.
  [[nodiscard]] Copied salvaged() const {
    const Store damaged = Store::open(url_, Store::Access::damaged);
    const Store copy = Store::open(empty_database(GetParam(), folder_), Store::Access::create);
    Copied copied = salvage_store(damaged, copy, never);
    EXPECT_TRUE(check_store(copy).empty()) << check_store(copy)[0].what;
    EXPECT_EQ(copy.run_count(), copied.runs);
    for (const JobRun& run : copy.runs({})) {
      const JobRun original = run_of(std::stoi(run.id.substr(18)));
      EXPECT_EQ(header_of(run), header_of(original));
      EXPECT_EQ(pack_run(run).tasks, pack_run(original).tasks);
    }
    EXPECT_EQ(salvage_store(damaged, copy, never).runs, 0) << "again: all are there";
    return copied;
  }
};

TEST_P(Salvage, OfASoundStoreIsACopy) {
  const Copied copied = salvaged();
  EXPECT_EQ(copied.runs, runs);
  EXPECT_EQ(copied.files, runs);
  EXPECT_EQ(copied.lost, 0);
}

TEST_P(Salvage, LeavesDamagedRunsAndNamesThem) {
  execute("update wavewright_tasks set tasks = 'x' where identity like '%_0004@%'");
  execute("update wavewright_run set maps = 2147483647 where job_id like '%_0005'");
  execute("update wavewright_phases set phases = '' where identity like '%_0006@%'");
  execute("delete from wavewright_tasks where identity like '%_0007@%'");
  const Copied copied = salvaged();
  EXPECT_EQ(copied.runs, runs - 3);
  EXPECT_EQ(copied.lost, 3);
  EXPECT_EQ(copied.files, 0) << "an import must read the files of the lost runs again";
  ASSERT_EQ(copied.losses.size(), 3U);
  EXPECT_NE(copied.losses[1].find("_0005"), std::string::npos) << copied.losses[1];
  EXPECT_NE(copied.losses[1].find("its maps is 2147483647"), std::string::npos) << copied.losses[1];
}

TEST_P(Salvage, OntoItselfIsRefused) {
  const Store store = Store::open(url_, Store::Access::existing);
  EXPECT_THROW((void)salvage_store(store, store, never), UsageError);
}

INSTANTIATE_ON_EVERY_DATABASE(Salvage);

// Pages of SQLite's file that a disk lost.
class LostPages : public Salvage {
 protected:
  static constexpr int page_size = 4096;

  void SetUp() override {
    Salvage::SetUp();
    execute("pragma wal_checkpoint(truncate)");
  }

  [[nodiscard]] std::filesystem::path file() const { return url_.substr(7); }

  // Pages of a table or index by kind, from SQLite's own format: byte 0 of a page is 13 for a table's leaf, 5
  // for its inner page, 10 and 2 for those of an index.
  [[nodiscard]] std::vector<int> pages_of_kind(int kind) const {
    const std::string bytes = read_file(file());
    std::vector<int> pages;
    for (std::size_t at = page_size; at < bytes.size(); at += page_size) {
      if (static_cast<int>(static_cast<unsigned char>(bytes[at])) == kind)
        pages.push_back(static_cast<int>(at / page_size));
    }
    return pages;
  }

  void zero(int page) const {
    std::fstream out(file(), std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(std::streamoff{page} * page_size);
    const std::string zeros(page_size, '\0');
    out.write(zeros.data(), page_size);
  }
};

TEST_P(LostPages, AreNamedByCheckAndTheRestIsTaken) {
  const std::string sound = read_file(file());
  int some_lost = 0;
  const auto tried = static_cast<std::size_t>(fewer(4, 1));  // pages of a kind
  for (const int kind : {13, 10, 5, 2}) {
    const std::vector<int> pages = pages_of_kind(kind);
    ASSERT_FALSE(pages.empty()) << kind;
    for (std::size_t i = 0; i < pages.size(); i += std::max<std::size_t>(1, pages.size() / tried)) {
      write_file(file(), [&](std::ostream& out) { out << sound; });
      zero(pages[i]);
      const std::vector<Damage> damages = check_store(Store::open(url_, Store::Access::damaged));
      ASSERT_FALSE(damages.empty()) << "page " << pages[i];
      for (const Damage& damage : damages) {
        EXPECT_EQ(damage.where.find("select"), std::string::npos) << damage.where;
        EXPECT_EQ(damage.where.find("sqlite3_"), std::string::npos) << damage.where;
      }
      EXPECT_FALSE(damages[0].remedy.empty());
      const Copied copied = salvaged();
      EXPECT_LE(copied.runs + copied.lost, runs);
      const Count least = kind == 13  ? runs - 40
                          : kind == 5 ? 0
                                      : runs;  // a leaf has few; an index is not needed
      EXPECT_GE(copied.runs, least) << "page " << pages[i] << " of kind " << kind;
      some_lost += copied.runs < runs ? 1 : 0;
    }
  }
  EXPECT_GT(some_lost, 0);
}

// Less than the first page is left: the answer does not send the user back to what was just tried.
TEST_P(LostPages, OfWhichNothingIsLeftAreToldAsSuch) {
  std::filesystem::resize_file(file(), 100);
  try {
    (void)Store::open(url_, Store::Access::damaged);
    FAIL() << "it was opened";
  } catch (const InputError& error) {
    EXPECT_NE(error.remedy().find("nothing in it can be read"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(On, LostPages, testing::Values(Backend::sqlite));

}  // namespace
}  // namespace wavewright
