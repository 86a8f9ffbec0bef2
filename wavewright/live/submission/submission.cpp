#include "wavewright/live/submission/submission.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/job/validator.h"
#include "wavewright/live/submission/own_settings.h"
#include "wavewright/live/submission/program_options.h"
#include "wavewright/store/key.h"

namespace wavewright {

namespace {

constexpr std::size_t longest_tag = 100;     // YARN's own limit
constexpr std::size_t longest_text = 1'000;  // of an id, a name, a user, a profile, a queue

void refuse_control_characters(const char* what, const std::string& text) {
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    throw UsageError(fmt::format("its {} holds a control character", what), "change it");
}

class Expansion {
 public:
  Expansion(const Job& job, const SubmissionSettings& settings) : job_(job), settings_(settings) {}

  Submission expand() {
    if (job_.command.empty())
      throw UsageError("it has no command",
                       R"(give it one, such as "command":["hadoop","jar","etl.jar","{options}"])");
    const OptionsPlace place = given_a_place() ? OptionsPlace{} : known_place(job_.command);
    for (std::size_t i = 0; i < job_.command.size(); ++i) {
      if (place.at == i) insert(place.kind);
      argument(job_.command[i], i == 0);
    }
    if (place.at == job_.command.size()) insert(place.kind);
    if (!tagged_) {
      throw UsageError("its command does not say where Hadoop's options go",
                       "put {options} where -D options may stand, such as behind the main class");
    }
    if (!inserted_) tell_unused();
    for (const std::string& key : made_.keys) refuse_own(key);
    const bool queue_told = inserted_ || std::find(used_.begin(), used_.end(), "queue") != used_.end();
    if (is_hive_) made_.notes = hive_notes(theirs_, settings_);
    made_.many_applications |= job_.several_applications || starts_one_per_table(job_.command);
    made_.as_its_account = queue_told && submits_as_its_account(job_.command);
    return std::move(made_);
  }

 private:
  // A command of words only takes just those settings whose words it has.
  void tell_unused() {
    const auto tell = [&](const char* word, bool given) {
      if (given && std::find(used_.begin(), used_.end(), word) == used_.end())
        made_.without.emplace_back(word);
    };
    tell("queue", !settings_.queue.empty());
    tell("priority", settings_.priority.has_value());
    tell("map_limit", settings_.map_limit.has_value());
    tell("reduce_limit", settings_.reduce_limit.has_value());
    tell("slowstart", settings_.slowstart.has_value());
    tell("label", !settings_.map_label.empty());
    tell("reduce_label", settings_.reduce_label != settings_.map_label);
  }

  [[nodiscard]] bool given_a_place() const {
    return std::any_of(job_.command.begin(), job_.command.end(), [](const std::string& argument) {
      return std::any_of(program_kinds.begin(), program_kinds.end(),
                         [&](const KindWords& kind) { return argument == kind.placeholder; });
    });
  }

  void insert(ProgramKind kind) {
    ProgramOptions options = options_for(kind, settings_, job_.command);
    const KindWords& words = words_of(kind);
    for (const ProgramOption& option : options.given) {
      if (std::find(made_.keys.begin(), made_.keys.end(), option.key) == made_.keys.end())
        made_.keys.push_back(option.key);
      const std::string text = option.key + "=" + option.value;
      if (words.joined) {
        made_.command.push_back(std::string(words.option) + text);
      } else {
        made_.command.emplace_back(words.option);
        made_.command.push_back(text);
      }
    }
    for (std::string& each : options.without) {
      if (std::find(made_.without.begin(), made_.without.end(), each) == made_.without.end())
        made_.without.push_back(std::move(each));
    }
    is_hive_ |= kind == ProgramKind::hive;
    made_.many_applications |= kind == ProgramKind::hive || kind == ProgramKind::pig;
    tagged_ = inserted_ = true;
  }

  // Two values of one option are not told apart on a cluster: one of them wins, whoever wrote it.
  void refuse_own(const std::string& key) const {
    const std::optional<CommandOption> own = own_setting(theirs_, key);
    if (!own || (own->name == "--queue" && own->value == settings_.queue)) return;
    throw UsageError(fmt::format("its command sets {} itself", own->name),
                     "take it out; it is set for each run");
  }

  // A short command may ask for a long name again and again.
  void refuse_long(std::size_t more) {
    bytes_ += more;
    if (bytes_ <= longest_command) return;
    throw UsageError("its command is too long with what its words stand for",
                     fmt::format("the longest has {} bytes; put the rest into a file", longest_command));
  }

  void argument(const std::string& text, bool is_program) {
    for (const KindWords& kind : program_kinds) {
      if (text != kind.placeholder) continue;
      if (is_program) throw UsageError("its command begins with " + text, "begin it with a program");
      return insert(kind.kind);
    }
    std::string made;
    for (std::size_t i = 0; i < text.size();) {
      const std::optional<std::string_view> word = word_at(text, i);
      if (!word) {
        made += text[i++];
      } else if (const bool escaped =
                     i > 0 && text[i - 1] == '{' && text.substr(i + word->size() + 2, 1) == "}";
                 escaped) {
        made += fmt::format("{}}}", *word);  // the brace before it is there, and stays
        i += word->size() + 3;
      } else {
        const std::string value = value_of(*word, made.empty());
        refuse_long(value.size());
        made += value;
        i += word->size() + 2;
      }
    }
    theirs_.push_back(made);
    made_.command.push_back(std::move(made));
  }

  // The word of `{word}` at that place.
  static std::optional<std::string_view> word_at(std::string_view text, std::size_t i) {
    if (text[i] != '{') return std::nullopt;
    std::size_t end = i + 1;
    while (end < text.size() && ((text[end] >= 'a' && text[end] <= 'z') || text[end] == '_')) ++end;
    if (end == i + 1 || end == text.size() || text[end] != '}') return std::nullopt;
    return text.substr(i + 1, end - i - 1);
  }

  std::string value_of(std::string_view word, bool first) {
    const auto number = [](const std::optional<Count>& limit) { return std::to_string(limit.value_or(0)); };
    used_.push_back(word);
    if (word == "tags") {
      tagged_ = true;
      return tags_text(settings_);
    }
    if (word == "queue") return settings_.queue.empty() ? "default" : settings_.queue;
    if (word == "priority") return std::to_string(settings_.priority.value_or(0));
    if (word == "map_limit") return number(settings_.map_limit);
    if (word == "reduce_limit") return number(settings_.reduce_limit);
    if (word == "label") return settings_.map_label;
    if (word == "id") return own_text("id", job_.id, first);
    if (word == "name") return own_text("name", job_.name, first);
    if (word == "user") return own_text("user", job_.user, first);
    std::vector<std::string> known = {"queue", "tags", "priority", "map_limit", "reduce_limit",
                                      "label", "id",   "name",     "user"};
    for (const KindWords& kind : program_kinds) {
      if (kind.placeholder == fmt::format("{{{}}}", word))
        throw UsageError(fmt::format("{} is part of an argument", kind.placeholder),
                         "make it one of its own");
      known.emplace_back(kind.placeholder.substr(1, kind.placeholder.size() - 2));
    }
    throw UsageError(
        fmt::format("its command has an unknown {{{}}}", word),
        fmt::format("{}, or write {{{{{}}}}} for the text itself", suggestion(word, known), word));
  }

  // A text of the job's, which must not be taken for an option of the program.
  static std::string own_text(const char* what, const std::string& text, bool first) {
    if (first && text.starts_with('-'))
      throw UsageError(fmt::format("its {} '{}' would be read as an option", what, text), "change it");
    refuse_control_characters(what, text);
    return text;
  }

  const Job& job_;
  const SubmissionSettings& settings_;
  Submission made_;
  std::vector<std::string> theirs_;  // the command without our options
  bool tagged_ = false;
  bool inserted_ = false;
  bool is_hive_ = false;
  std::size_t bytes_ = 0;  // of the values in place of words
  std::vector<std::string_view> used_;
};

bool is_word(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || others.find(c) != std::string_view::npos;
  });
}

// The run's name as far as tags may have it, and a hash.
std::string hashed_tag(std::string_view run, const std::string& hashed) {
  constexpr std::size_t most_of_run = 60;
  std::string tag = "wavewright-";
  for (const char c : run.substr(0, most_of_run)) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    tag += is_word(std::string_view(&lower, 1), "-_.") ? lower : '-';
  }
  constexpr std::size_t digits = 16;
  return tag + '-' + hash_text(hashed).substr(0, digits);
}

}  // namespace

void refuse_long_texts(const Job& job, const std::string& queue) {
  for (const auto& [what, text] :
       {std::pair("id", &job.id), std::pair("name", &job.name), std::pair("user", &job.user),
        std::pair("profile", &job.profile), std::pair("queue", &queue)}) {
    if (text->size() > longest_text)
      throw UsageError(fmt::format("its {} has {} bytes", what, text->size()),
                       fmt::format("give one of {} at most", longest_text));
  }
}

Submission submission_of(const Job& job, const SubmissionSettings& settings) {
  if (settings.tags.empty()) throw InternalError("a job would be submitted without a tag");
  for (const std::string& tag : settings.tags) {
    if (tag.empty() || tag.size() > longest_tag || !is_word(tag, "-_."))
      throw UsageError(fmt::format("'{}' is no tag that YARN takes", tag),
                       fmt::format("at most {} of a-z, 0-9, '-', '_' and '.'", longest_tag));
  }
  refuse_long_texts(job, settings.queue);
  for (const auto& [what, text] : {std::pair("id", &job.id), std::pair("name", &job.name),
                                   std::pair("user", &job.user), std::pair("profile", &job.profile)})
    refuse_control_characters(what, *text);
  if (settings.queue.starts_with('-') || !is_word(settings.queue, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_."))
    throw UsageError(fmt::format("'{}' is no name of a queue", settings.queue),
                     "letters, digits, '-', '_' and '.', as in root.nightly");
  for (const std::string* label : {&settings.map_label, &settings.reduce_label}) {
    if (label->starts_with('-') || !is_word(*label, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_."))
      throw UsageError(fmt::format("'{}' is no node label", *label),
                       "letters, digits, '-', '_' and '.', and no '-' first");
  }
  return Expansion(job, settings).expand();
}

std::string run_tag(std::string_view run) {
  return hashed_tag(run, std::string(run));
}

std::string job_tag(std::string_view run, std::string_view job_id) {
  return hashed_tag(run, fmt::format("{}\n{}", run, job_id));
}

std::string shell_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& argument : command) {
    if (!text.empty()) text += ' ';
    const bool plain = !argument.empty() && is_word(argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:=,@%+");
    if (plain) {
      text += argument;
      continue;
    }
    text += '\'';
    for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace wavewright
