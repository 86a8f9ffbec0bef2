// The plan and agents of `reservations` against Hadoop's own classes: the same random requests for both,
// answer by answer. Hadoop's run in a Java program, tests/realtime/hadoop/HadoopPlan.java, with the jars of
// the testbed.
//
// Hadoop has one pool of memory, ours has maps and reduces apart. Here each reservation is added to both
// kinds: stages of a job follow each other, so that ours is one pool, too. Hadoop is told times that are
// multiples of the step.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/paths.h"
#include "tests/property.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/child_program.h"
#include "wavewright/core/error.h"
#include "wavewright/core/program_answer.h"
#include "wavewright/core/random.h"
#include "wavewright/realtime/reservation_plan.h"

namespace wavewright {
namespace {

namespace hadoop_plan {

namespace fs = std::filesystem;
using Block = ReservationPlan::Block;
using Stage = ReservationPlan::Stage;
using Reservation = ReservationPlan::Reservation;

// As the testbed finds them.
fs::path jars() {
  const auto of = [](const char* name) -> std::string {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return value == nullptr ? "" : value;
  };
  const std::string cache = of("XDG_CACHE_HOME").empty() ? of("HOME") + "/.cache" : of("XDG_CACHE_HOME");
  const std::string testbed = of("WAVEWRIGHT_TESTBED_DIR");
  return fs::path(testbed.empty() ? cache + "/wavewright/testbed" : testbed) / "jars" / "hadoop3";
}

// Why Hadoop cannot be asked; empty if it can.
std::string missing() {
  std::error_code ignored;
  if (!fs::exists(jars() / ".complete", ignored))
    return fmt::format("no jars of Hadoop in {}; 'testbed/hadoop3 up' fetches them", jars().string());
  try {
    if (ask_program({"javac", "-version"}, ms(60'000)).good()) return "";
  } catch (const Error&) {
  }
  return "no Java compiler; './bootstrap packages' lists what to install";
}

struct Request {
  std::int64_t now = 0, from = 0, deadline = 0;  // ms
  Stage maps, reduces;
  std::optional<std::size_t> deleted;  // before it, the reservation of an earlier one
};

struct Setting {
  std::string agent, costs;  // as the Java program names them
  std::int64_t step = 1;     // ms
  Count slots = 1;
  std::vector<Request> requests;
};

struct Answer {
  bool accepted = false;
  std::string refusal;
  std::vector<Block> blocks;
};

Setting some_setting(const std::string& agent, const std::string& costs, std::uint64_t index) {
  Random random(1, "hadoop-plan", index);
  Setting setting{agent, costs, random.below(3) == 0 ? 1 : random.below(2) == 0 ? 7 : 1'000, 1, {}};
  const bool any = agent.starts_with("greedy") || costs == "exact";
  setting.slots = any ? random.integer(1, 40) : Count{1} << random.below(6);
  const bool whole = random.below(3) == 0;  // all times are multiples of the step
  const auto length = [&] {
    const std::int64_t steps = random.integer(1, 12);
    return ms(whole ? steps * setting.step
                    : random.integer((steps - 1) * setting.step + 1, steps * setting.step));
  };
  std::int64_t now = 0;
  const std::int64_t gap = random.integer(1, 12);
  for (std::size_t i = 0; i < 30; ++i) {
    Request request;
    now += random.integer(0, gap) * setting.step;
    request.now = now;
    request.from = now + random.integer(0, 5) * setting.step;
    if (random.below(8) > 0) request.maps = {random.integer(1, 3 * setting.slots), length()};
    if (random.below(3) > 0 || request.maps.tasks == 0)
      request.reduces = {random.integer(1, setting.slots), length()};
    Count waves = 0;  // steps that it takes alone
    for (const Stage& stage : {request.maps, request.reduces})
      waves += (stage.tasks + setting.slots - 1) / setting.slots * (to_ms(stage.length) / setting.step + 1);
    request.deadline = request.from + random.integer(waves / 2, waves * 4) * setting.step;
    if (!whole) {
      request.from += random.integer(0, setting.step - 1);
      request.deadline += random.integer(0, setting.step - 1);
    }
    if (i > 0 && random.below(4) == 0) request.deleted = static_cast<std::size_t>(random.below(i));
    setting.requests.push_back(request);
  }
  return setting;
}

// Hadoop's plan takes any times. They are rounded for it as ours rounds them.
void write(std::ostream& out, const Setting& setting) {
  const std::int64_t step = setting.step;
  out << fmt::format("plan {} {} {} {}\n", setting.agent, setting.costs, setting.step, setting.slots);
  for (std::size_t i = 0; i < setting.requests.size(); ++i) {
    const Request& request = setting.requests[i];
    out << fmt::format("now {}\n", request.now);
    if (request.deleted) out << fmt::format("delete {}\n", *request.deleted);
    out << fmt::format("request {} {} {}", i, (request.from + step - 1) / step * step,
                       request.deadline / step * step);
    for (const Stage& stage : {request.maps, request.reduces})
      if (stage.tasks > 0) out << fmt::format(" {} {}", stage.tasks, to_ms(stage.length));
    out << '\n';
  }
}

// One for each request of each setting.
std::vector<Answer> ask(const std::vector<Setting>& settings) {
  const TemporaryFolder folder;
  {
    std::ofstream file(folder.path() / "requests");
    for (const Setting& setting : settings) write(file, setting);
  }
  const fs::path program = fs::path(source_dir()) / "tests/realtime/hadoop/HadoopPlan.java";
  const ProgramEnd end = run_program({"java", "-Xmx256m", "-cp", jars().string() + "/*", program.string(),
                                      (folder.path() / "requests").string()},
                                     folder.path() / "answers", {});
  EXPECT_TRUE(end.good()) << end.complaints;
  std::vector<Answer> answers;
  std::ifstream file(folder.path() / "answers");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Answer answer;
    std::string decision;
    words >> decision;
    answer.accepted = decision == "accepted";
    if (!answer.accepted) words >> answer.refusal;
    std::int64_t from = 0, to = 0;
    Count slots = 0;
    while (answer.accepted && words >> from >> to >> slots)
      answer.blocks.push_back({at_ms(from), at_ms(to), slots});
    answers.push_back(std::move(answer));
  }
  return answers;
}

// By how much the slots change, and when.
std::map<Time, Count> changes(const std::vector<Block>& blocks) {
  std::map<Time, Count> all;
  for (const Block& block : blocks) {
    all[block.from] += block.slots;
    all[block.to] -= block.slots;
  }
  std::erase_if(all, [](const auto& change) { return change.second == 0; });
  return all;
}

struct Counts {
  int accepted = 0, rejected = 0;  // by both
  int over_committed = 0;          // those of them that Hadoop's plan refuses, not its agent
  int fits = 0;                    // those that are accepted if nothing is forgotten
};

// Says where ours answers otherwise. After each request ours reserves what Hadoop's has reserved.
Counts compare(const Setting& setting, std::span<const Answer> answers) {
  Counts counts;
  ReservationPlan plan(ms(setting.step), !setting.agent.ends_with("-each"));
  ReservationPlan counting(ms(setting.step), false);
  const ReservationAgent agent =
      setting.agent.starts_with("greedy") ? ReservationAgent::greedy : ReservationAgent::aligned;
  std::map<std::size_t, Reservation> kept;
  for (std::size_t i = 0; i < setting.requests.size(); ++i) {
    const Request& request = setting.requests[i];
    const Answer& theirs = answers[i];
    const auto old = request.deleted ? kept.extract(*request.deleted) : decltype(kept)::node_type();
    for (ReservationPlan* each : {&plan, &counting}) {
      each->forget_before(at_ms(request.now));
      if (old) each->remove(old.mapped(), at_ms(request.now));
    }
    const auto room_in = [&](const ReservationPlan& each) {
      return each.find(agent, {setting.slots, setting.slots}, request.maps, request.reduces,
                       at_ms(request.from), at_ms(request.deadline));
    };
    const auto ours = room_in(plan);
    if (theirs.refusal == "ResourceOverCommitException") {
      ++counts.over_committed;
      counts.fits += room_in(counting).has_value();
    }
    std::vector<Block> blocks;
    if (ours) {
      blocks = ours->maps;
      blocks.insert(blocks.end(), ours->reduces.begin(), ours->reduces.end());
    }
    if (ours.has_value() != theirs.accepted || changes(blocks) != changes(theirs.blocks)) {
      std::ostringstream text;
      write(text, setting);
      ADD_FAILURE() << "request " << i << " is " << (ours ? "accepted" : "rejected") << " by ours and "
                    << (theirs.accepted ? "accepted" : theirs.refusal)
                    << " by Hadoop's, or placed elsewhere:\n"
                    << text.str();
      break;
    }
    ++(theirs.accepted ? counts.accepted : counts.rejected);
    if (!theirs.accepted) continue;
    plan.add({theirs.blocks, theirs.blocks});
    counting.add({theirs.blocks, theirs.blocks});
    kept.emplace(i, Reservation{theirs.blocks, theirs.blocks});
  }
  return counts;
}

// `exact` costs for any number of slots. With Hadoop's own, in single precision, numbers of slots are powers
// of two, by which equal costs are equal there, too.
TEST(HadoopReservations, AnswerAsOurs) {
  if (const std::string why = missing(); !why.empty()) GTEST_SKIP() << why;
  std::vector<Setting> settings;
  for (const auto& [agent, costs] :
       {std::pair("greedy-each", "float"), std::pair("aligned-each", "exact"),
        std::pair("aligned-each", "float"), std::pair("greedy", "float"), std::pair("aligned", "float")}) {
    for (int i = 0; i < fewer(40, 10); ++i) settings.push_back(some_setting(agent, costs, settings.size()));
  }
  const std::vector<Answer> answers = ask(settings);
  std::size_t asked = 0;
  for (const Setting& setting : settings) asked += setting.requests.size();
  ASSERT_EQ(answers.size(), asked);

  std::map<std::string, Counts> all;
  std::size_t next = 0;
  for (const Setting& setting : settings) {
    const Counts counts = compare(setting, std::span(answers).subspan(next, setting.requests.size()));
    next += setting.requests.size();
    Counts& sum = all[setting.agent];
    sum.accepted += counts.accepted;
    sum.rejected += counts.rejected;
    sum.over_committed += counts.over_committed;
    sum.fits += counts.fits;
  }
  for (const auto& [agent, counts] : all) {
    SCOPED_TRACE(agent);
    EXPECT_GT(counts.accepted, fewer(200, 50));
    EXPECT_GT(counts.rejected, fewer(100, 20));
    // Its greedy agent forgets what it has placed, unless it is asked for one container at a time.
    if (agent.ends_with("-each")) {
      EXPECT_EQ(counts.over_committed, 0);
    } else {
      EXPECT_GT(counts.fits, 0);
    }
  }
}

}  // namespace hadoop_plan

}  // namespace
}  // namespace wavewright
