// Which settings a known program takes, as which of its options, and where in its command these stand
// (submission.h has the table).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/live/submission/submission.h"

namespace wavewright {

enum class ProgramKind : std::uint8_t { hadoop, pig, spark, hive };

struct KindWords {
  ProgramKind kind;
  std::string_view placeholder;
  std::string_view option;  // stands before `key=value`
  bool joined;              // as one argument with it
};
inline constexpr std::array<KindWords, 4> program_kinds = {
    {{ProgramKind::hadoop, "{options}", "-D", false},
     {ProgramKind::pig, "{pig_options}", "-D", true},
     {ProgramKind::spark, "{spark_options}", "--conf", false},
     {ProgramKind::hive, "{hive_options}", "--hiveconf", false}}};
[[nodiscard]] const KindWords& words_of(ProgramKind kind);

// The tags as one value.
[[nodiscard]] std::string tags_text(const SubmissionSettings& settings);

struct ProgramOption {
  std::string key, value;
};
struct ProgramOptions {
  std::vector<ProgramOption> given;
  std::vector<std::string> without;  // as in Submission
};
// The settings as the program takes them. O(bytes of the command).
[[nodiscard]] ProgramOptions options_for(ProgramKind kind, const SubmissionSettings& settings,
                                         const std::vector<std::string>& command);

struct OptionsPlace {
  ProgramKind kind = ProgramKind::hadoop;
  std::size_t at = nowhere;  // before this argument

  static constexpr std::size_t nowhere = std::string::npos;
};
// Where the options of a known program go; nowhere in any other. Throws UsageError if the command starts a
// service of Hive that takes none, or if Sqoop's tool does not come first. The command is not empty.
// O(bytes of the command).
[[nodiscard]] OptionsPlace known_place(const std::vector<std::string>& command);

// Notes on a command of Hive whose tags do not reach its applications: a sentence each. O(bytes of the
// command).
[[nodiscard]] std::vector<std::string> hive_notes(const std::vector<std::string>& command,
                                                  const SubmissionSettings& settings);

// Sqoop's `import-all-tables` starts an application for each table.
[[nodiscard]] bool starts_one_per_table(const std::vector<std::string>& command);

// Does the program submit as the user of its account, to the queue that it is told? O(bytes of the command).
[[nodiscard]] bool submits_as_its_account(const std::vector<std::string>& command);

}  // namespace wavewright
