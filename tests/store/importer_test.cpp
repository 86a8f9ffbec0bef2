#include "wavewright/store/importer.h"

#include <thread>

#include "tests/store/databases.h"
#include "tests/store/runs.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using ImportTest = DatabaseTest;

Diagnostic diagnostic(Diagnostic::Severity severity, const std::string& where, const std::string& reason) {
  Diagnostic made;
  made.severity = severity;
  made.where.source = where;
  made.reason = reason;
  return made;
}

// `files` files of `jobs` jobs each; those in `fails` give none, `gone` ends the source.
class MadeUp : public HistorySource {
 public:
  MadeUp(int files, int jobs) : files_(files), jobs_(jobs) {}

  void list(const std::function<bool(HistoryFile&&)>& found,
            const DiagnosticSink& diagnostics) const override {
    diagnostics(diagnostic(Diagnostic::Severity::note, "odd", "passed over: odd"));
    for (int i = 0; i < files_; ++i) {
      if (!found({"file" + std::to_string(i), version, bytes})) return;
    }
  }

  FileHistory read(const HistoryFile& listed) const override {
    const int number = std::stoi(listed.name.substr(4));
    // The first files take longest, so that threads overtake one another.
    std::this_thread::sleep_for(std::chrono::microseconds(number < 10 ? 3'000 : 10));
    ++reads;
    const int now = ++at_once;
    for (int seen = most_at_once; now > seen && !most_at_once.compare_exchange_weak(seen, now);) continue;
    if (bytes > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --at_once;
    if (number == waits) {  // for a server that does not answer
      *stop = true;
      throw Interrupted();
    }
    if (number == gone) throw ExternalError({"server"}, "is gone", "start it");
    FileHistory file{listed.name, "made up", {}, {}};
    if (number == unusable) {
      file.diagnostics.push_back(diagnostic(Diagnostic::Severity::skipped, listed.name, "is empty"));
      return file;
    }
    for (int i = 0; i < jobs_; ++i) {
      file.runs.push_back(plausible_run(number * jobs_ + i, 2, 1));
      file.runs.back().source = listed.name;
    }
    if (number == stop_at && stop != nullptr) *stop = true;
    return file;
  }

  std::string version = "1";
  std::size_t bytes = 0;
  mutable std::atomic<int> at_once = 0;
  mutable std::atomic<int> most_at_once = 0;
  int gone = -1;
  int unusable = -1;
  int stop_at = -1;
  int waits = -1;
  std::atomic<bool>* stop = nullptr;
  mutable std::atomic<int> reads = 0;

 private:
  int files_;
  int jobs_;
};

ImportSummary import(const HistorySource& source, Store& store,
                     const ImportOptions& options = {.readers = 3}) {
  ImportSummary summary;
  const std::atomic<bool> never = false;
  import_from(source, store, options, never, summary, [](const ImportSummary&) {});
  return summary;
}

TEST_P(ImportTest, TakesEveryFileOnceAndCountsThem) {
  Store store = this->store();
  MadeUp source(1'300, 2);
  source.unusable = 700;
  const ImportSummary summary = import(source, store);
  EXPECT_EQ(summary.files, 1'300);
  EXPECT_EQ(summary.gave_none, 1);
  EXPECT_EQ(summary.passed_over, 1);
  EXPECT_EQ(summary.jobs.fresh, 2'598);
  EXPECT_EQ(summary.formats.at("made up").jobs, 2'598);
  ASSERT_EQ(summary.skipped.size(), 1U);
  EXPECT_EQ(summary.skipped[0].text, "is empty");
  EXPECT_EQ(summary.skipped[0].example, "file700");
  EXPECT_EQ(store.run_count(), 2'598);
}

TEST_P(ImportTest, LargeFilesAreReadOneAtATimeAndSmallOnesSideBySide) {
  Store store = this->store();
  MadeUp large(20, 1);
  large.bytes = std::size_t{200} << 20;
  EXPECT_EQ(import(large, store, {.readers = 4}).jobs.fresh, 20);
  EXPECT_EQ(large.most_at_once, 1);
  MadeUp medium(20, 1);
  medium.bytes = std::size_t{100} << 20;
  EXPECT_EQ(import(medium, store, {.again = true, .readers = 4}).jobs.known, 20);
  EXPECT_LE(medium.most_at_once, 2);
  MadeUp beyond(8, 1);  // more than all that may be read at once: alone, but read
  beyond.bytes = std::size_t{1} << 30;
  EXPECT_EQ(import(beyond, store, {.again = true, .readers = 4}).jobs.known, 8);
  EXPECT_EQ(beyond.most_at_once, 1);
}

TEST_P(ImportTest, PassesOverWhatItReadBeforeUnlessItChanged) {
  Store store = this->store();
  MadeUp source(300, 1);
  source.unusable = 7;
  (void)import(source, store);
  source.reads = 0;
  const ImportSummary again = import(source, store);
  EXPECT_EQ(again.already_read, 299);
  EXPECT_EQ(source.reads, 1) << "one that gave none says so each time";
  EXPECT_EQ(import(source, store, {.again = true}).jobs.known, 299);
  source.version = "2";
  EXPECT_EQ(import(source, store).jobs.known, 299);
  source.version = "";
  EXPECT_EQ(import(source, store).already_read, 0) << "an unknown version may be a new one";
}

TEST_P(ImportTest, AnInterruptedWaitLosesNothingThatWasRead) {
  Store store = this->store();
  MadeUp source(900, 3);
  std::atomic<bool> interrupted = false;
  source.waits = 700;
  source.stop = &interrupted;
  ImportSummary summary;
  import_from(source, store, {.readers = 2}, interrupted, summary, [](const ImportSummary&) {});
  EXPECT_TRUE(summary.partial);
  EXPECT_TRUE(summary.skipped.empty());
  EXPECT_EQ(store.run_count(), summary.files * 3) << "whole files";
  source.waits = -1;
  const ImportSummary rest = import(source, store);
  EXPECT_EQ(rest.already_read, summary.files) << "the file waited for is not taken for read";
  EXPECT_EQ(store.run_count(), 2'700);
}

TEST_P(ImportTest, StoresWhatItReadBeforeTheSourceWasGone) {
  Store store = this->store();
  MadeUp source(900, 3);
  source.gone = 800;
  ImportSummary summary;
  const std::atomic<bool> never = false;
  EXPECT_THROW(import_from(source, store, {}, never, summary, [](const ImportSummary&) {}), ExternalError);
  EXPECT_GE(summary.files, 800);
  EXPECT_EQ(store.run_count(), summary.files * 3) << "whole files";
  source.gone = -1;
  EXPECT_EQ(import(source, store).already_read, summary.files);
  EXPECT_EQ(store.run_count(), 2'700);
}

TEST_P(ImportTest, StopsWhenInterruptedWithWholeFilesStored) {
  Store store = this->store();
  MadeUp source(100'000, 2);
  std::atomic<bool> stop = false;
  source.stop = &stop;
  source.stop_at = 600;
  ImportSummary summary;
  import_from(source, store, {}, stop, summary, [](const ImportSummary&) {});
  EXPECT_TRUE(summary.partial);
  EXPECT_GE(summary.files, 600);
  EXPECT_LT(summary.files, 5'000);
  EXPECT_EQ(store.run_count(), summary.files * 2);
}

// A server that answers slowly: what was read two seconds ago is stored, whatever comes next.
TEST_P(ImportTest, AfterTwoSecondsWhatWasReadIsStored) {
  class Slow : public MadeUp {
   public:
    using MadeUp::MadeUp;
    FileHistory read(const HistoryFile& listed) const override {
      const int number = std::stoi(listed.name.substr(4));
      for (int waited = 0; number == 3 && waited < 2'000 && !let_go; ++waited) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      return MadeUp::read(listed);
    }
    mutable std::atomic<bool> let_go = false;
  };
  Store store = this->store();
  const Slow source(4, 1);
  Count stored = 0;
  ImportSummary summary;
  const std::atomic<bool> never = false;
  import_from(source, store, {.readers = 1}, never, summary, [&](const ImportSummary& so_far) {
    if (so_far.jobs.fresh == 0) return;
    if (!source.let_go) stored = so_far.jobs.fresh;
    source.let_go = true;
  });
  EXPECT_EQ(stored, 3) << "before the fourth was read";
  EXPECT_EQ(summary.jobs.fresh, 4);
}

TEST_P(ImportTest, SeveralThreadsAndOneGiveTheSameStore) {
  Store many = this->store();
  const std::string other = empty_database(GetParam(), folder_);
  Store one = Store::open(other, Store::Access::create);
  // Each job lies in two files: the first in the listing's order gives it its source.
  class Doubled : public MadeUp {
   public:
    using MadeUp::MadeUp;
    FileHistory read(const HistoryFile& listed) const override {
      FileHistory file = MadeUp::read(listed);
      for (JobRun& run : file.runs) {
        JobRun half = plausible_run(std::stoi(run.id.substr(18)) / 2, 2, 1);
        half.source = listed.name;
        run = std::move(half);
      }
      return file;
    }
  };
  (void)import(Doubled(400, 1), many, {.readers = 8});
  (void)import(Doubled(400, 1), one, {.readers = 1});
  EXPECT_EQ(many.run_count(), 200);
  EXPECT_EQ(many.headers({}), one.headers({}));
}

TEST_P(ImportTest, AFileThatCannotBeReadIsCountedAmongTheFiles) {
  class Unreadable : public MadeUp {
   public:
    using MadeUp::MadeUp;
    FileHistory read(const HistoryFile& listed) const override {
      if (listed.name == "file0") return {listed.name, {}, {}, {}};  // nothing known: passed over
      return {listed.name, {}, {}, {diagnostic(Diagnostic::Severity::skipped, listed.name, "no right")}};
    }
  };
  Store store = this->store();
  const ImportSummary summary = import(Unreadable(3, 1), store);
  EXPECT_EQ(summary.files, 2);
  EXPECT_EQ(summary.gave_none, 2);
  EXPECT_EQ(summary.passed_over, 2) << "file0, and what the listing names";
}

TEST_P(ImportTest, AListingThatBreaksOffIsSaidAfterItsFilesAreStored) {
  class BreaksOff : public MadeUp {
   public:
    using MadeUp::MadeUp;
    void list(const std::function<bool(HistoryFile&&)>& found, const DiagnosticSink& sink) const override {
      MadeUp::list(found, sink);
      throw ExternalError({"server"}, "is gone", "start it");
    }
  };
  Store store = this->store();
  EXPECT_THROW((void)import(BreaksOff(250, 2), store), ExternalError);
  EXPECT_EQ(store.run_count(), 400) << "files are looked up 200 at once: the first of them were begun";
}

INSTANTIATE_ON_EVERY_DATABASE(ImportTest);

}  // namespace
}  // namespace wavewright
