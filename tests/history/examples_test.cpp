// The bundled histories of real Hadoop clusters, read whole: what must hold of every one of them.
#include <set>

#include "tests/history/samples.h"
#include "tests/paths.h"

namespace wavewright {
namespace {

namespace fs = std::filesystem;

const std::vector<FileHistory>& histories() {
  static const auto all = [] {
    std::vector<FileHistory> files;
    read_history_path(wavewright::source_dir() + "/examples/histories", [&](FileHistory&& file) {
      if (!file.format.empty()) files.push_back(std::move(file));
    });
    return files;
  }();
  return all;
}

bool starts(const JobRun& run, std::string_view version) {
  return run.hadoop.starts_with(version);
}

TEST(Examples, EveryHistoryFileGivesItsOneJobAndNoComplaint) {
  std::map<std::string, int> formats;
  for (const FileHistory& file : histories()) {
    EXPECT_EQ(file.runs.size(), 1U) << file.name;
    for (const Diagnostic& diagnostic : file.diagnostics) {
      ADD_FAILURE() << diagnostic.where.text() << ": " << diagnostic.reason << " (" << diagnostic.detail
                    << ")";
    }
    for (const JobRun& run : file.runs) ++formats[run.hadoop];
  }
  EXPECT_GT(formats["3.x jhist (Avro-Binary)"], 0);
  EXPECT_GT(formats["3.x jhist (Avro-Json)"], 0);
  EXPECT_GT(formats["1.x log"], 0);
}

TEST(Examples, NothingNamedLikeAHistoryIsLeftUnread) {
  ASSERT_TRUE(fs::is_directory(wavewright::source_dir() + "/examples/histories"));
  std::size_t named = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(wavewright::source_dir() + "/examples/histories")) {
    const std::string name = entry.path().filename().string();
    const bool other = name.find("_conf.xml") != std::string::npos || name.ends_with(".crc");
    named += entry.is_regular_file() && name.starts_with("job_") && !other ? 1U : 0U;
  }
  EXPECT_EQ(histories().size(), named);
}

// Hadoop 2+ writes into a history's name what the job came to: a second witness.
// job_1_0001-SUBMIT-USER-NAME-FINISH-MAPS-REDUCES-STATE-QUEUE-START.jhist
TEST(Examples, FileNamesAgreeWithWhatWasRead) {
  std::size_t checked = 0;
  for (const FileHistory& file : histories()) {
    std::vector<std::string> words{""};
    for (const char c : std::filesystem::path(file.name).filename().string()) {
      if (c == '-') {
        words.emplace_back();
      } else {
        words.back() += c;
      }
    }
    if (words.size() < 10 || file.runs.empty()) continue;
    ++checked;
    const JobRun& run = file.runs.front();
    const auto done = [&](TaskKind kind) {
      return std::to_string(std::count_if(run.tasks.begin(), run.tasks.end(), [&](const TaskRun& task) {
        return task.kind == kind && task.state == AttemptState::succeeded;
      }));
    };
    EXPECT_EQ(run.id, words[0]);
    EXPECT_EQ(std::to_string(to_ms(run.submit.value())), words[1]) << file.name;
    EXPECT_EQ(run.user, words[2]) << file.name;
    EXPECT_EQ(std::to_string(to_ms(run.finish.value())), words[4]) << file.name;
    EXPECT_EQ(done(TaskKind::map), words[5]) << file.name;
    EXPECT_EQ(done(TaskKind::reduce), words[6]) << file.name;
    EXPECT_EQ(to_string(run.state), words[7]) << file.name;
    EXPECT_EQ(run.queue, words[8]) << file.name;
  }
  EXPECT_GT(checked, 20U);
}

TEST(Examples, SucceededJobsHaveAllTheirTasksAndTimesInOrder) {
  for (const FileHistory& file : histories()) {
    for (const JobRun& run : file.runs) {
      SCOPED_TRACE(file.name);
      ASSERT_TRUE(run.submit && run.finish);
      EXPECT_LE(*run.submit, *run.finish);
      Count maps = 0;
      Count reduces = 0;
      for (const TaskRun& task : run.tasks) {
        maps += task.kind == TaskKind::map ? 1 : 0;
        reduces += task.kind == TaskKind::reduce ? 1 : 0;
        for (const Attempt& attempt : task.attempts) {
          EXPECT_NE(attempt.state, AttemptState::unknown) << attempt.id;
          if (attempt.start && attempt.finish) {
            EXPECT_LE(*attempt.start, *attempt.finish) << attempt.id;
          }
          if (attempt.state == AttemptState::failed) {
            EXPECT_FALSE(attempt.error.empty()) << attempt.id;
          }
        }
        if (task.state != AttemptState::succeeded) continue;
        const auto best =
            std::find_if(task.attempts.begin(), task.attempts.end(),
                         [&](const Attempt& attempt) { return attempt.id == task.successful_attempt; });
        ASSERT_NE(best, task.attempts.end()) << task.id;
        EXPECT_EQ(best->state, AttemptState::succeeded) << task.id;
        EXPECT_TRUE(best->start && best->finish && !best->node.empty()) << task.id;
        EXPECT_TRUE(task.kind != TaskKind::reduce || (best->shuffle_finish && best->sort_finish)) << task.id;
      }
      if (run.state == RunState::succeeded) {
        EXPECT_EQ(maps, run.total_maps);
        EXPECT_EQ(reduces, run.total_reduces);
      }
    }
  }
}

// The JVM of a master begins after the job's submission, and the master initialises before it starts tasks.
TEST(Examples, MastersOfHadoop3AreToldAndStartBetweenSubmissionAndInitialisation) {
  std::size_t masters = 0;
  for (const FileHistory& file : histories()) {
    for (const JobRun& run : file.runs) {
      SCOPED_TRACE(file.name);
      EXPECT_EQ(run.masters.empty(), starts(run, "1.x"));
      for (const MasterRun& master : run.masters) {
        ++masters;
        ASSERT_TRUE(master.start && run.submit);
        EXPECT_GE(*master.start, *run.submit);
        EXPECT_TRUE(master.node.starts_with("node")) << master.node;
        if (run.launch) {
          EXPECT_LT(*run.masters.front().start, *run.launch);
        }
      }
    }
  }
  EXPECT_GT(masters, 20U);
}

// Which fields the succeeded jobs of a format tell at all.
std::set<std::string> kinds_of_data(std::string_view version, std::string_view encoding) {
  std::set<std::string> kinds;
  for (const FileHistory& file : histories()) {
    for (const JobRun& run : file.runs) {
      const bool wanted = starts(run, version) && run.hadoop.find(encoding) != std::string::npos;
      if (!wanted || run.state != RunState::succeeded) continue;
      const auto told = [&](const std::string& what, bool is) {
        if (is) kinds.insert(what);
      };
      told("name", !run.name.empty());
      told("queue", !run.queue.empty());
      told("launch", run.launch.has_value());
      told("counters", !run.counters.empty());
      for (const TaskRun& task : run.tasks) {
        const std::string kind = to_string(task.kind) + " ";
        told(kind + "input", task.input.has_value());
        told(kind + "output", task.output.has_value());
        told(kind + "splits", !task.split_nodes.empty());
        for (const Attempt& attempt : task.attempts) {
          told(kind + "map finish", attempt.map_finish.has_value());
          told(kind + "shuffle finish", attempt.shuffle_finish.has_value());
          told(kind + "sort finish", attempt.sort_finish.has_value());
          told(kind + "rack", !attempt.rack.empty());
        }
      }
    }
  }
  return kinds;
}

TEST(Examples, BothEncodingsTellTheSameKindsOfData) {
  const auto binary = kinds_of_data("3.x", "Binary");
  EXPECT_EQ(binary, kinds_of_data("3.x", "Json"));
  for (const char* kind : {"map input", "map output", "map map finish", "map splits", "reduce input",
                           "reduce output", "reduce shuffle finish", "reduce rack", "counters", "queue"}) {
    EXPECT_TRUE(binary.contains(kind)) << kind;
  }
}

// Hadoop 1 does not tell when a map function ended; all else that profiles are made of is there.
TEST(Examples, Hadoop1TellsWhatProfilesNeed) {
  const auto told = kinds_of_data("1.x", "log");
  for (const char* kind : {"name", "launch", "counters", "map input", "map output", "reduce input",
                           "reduce shuffle finish", "reduce sort finish", "map rack"}) {
    EXPECT_TRUE(told.contains(kind)) << kind;
  }
}

}  // namespace
}  // namespace wavewright
