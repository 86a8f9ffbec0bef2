#include "wavewright/live/yarn/yarn_words.h"

#include <algorithm>
#include <thread>

#include "wavewright/core/error.h"
#include "wavewright/history/json.h"
#include "wavewright/history/rest/answers.h"

namespace wavewright {

namespace {

using json::for_each;
using json::member;
using json::Value;

constexpr std::size_t most_words = 400;

std::optional<Value> parsed(json::Document& document, std::string_view text) {
  try {
    return document.parse(text, "answer");
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// On one line, without the details behind it.
std::string shortened(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, most_words)) line += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  const std::size_t last = line.find_last_not_of(" ;");
  line.resize(last == std::string::npos ? 0 : last + 1);
  return line;
}

void add_words(Value node, std::vector<std::string>& words, int depth) {
  constexpr int deepest = 8;
  if (depth > deepest) return;
  std::string said = shortened(json::text(node, "diagnostic"));
  if (!said.empty() && std::find(words.begin(), words.end(), said) == words.end())
    words.push_back(std::move(said));
  for_each(node, "children", [&](Value child) { add_words(child, words, depth + 1); });
}

}  // namespace

std::string parse_diagnostics(std::string_view text) {
  json::Document document;
  const auto answer = parsed(document, text);
  const auto app = answer ? member(*answer, "app") : std::nullopt;
  return app ? shortened(json::text(*app, "diagnostics")) : "";
}

Activities parse_activities(std::string_view text) {
  json::Document document;
  const auto answer = parsed(document, text);
  const auto told = answer ? member(*answer, "appActivities") : std::nullopt;
  Activities found;
  if (!told) return found;
  for_each(*told, "allocations", [&](Value each) {
    found.noted = true;
    add_words(each, found.words, 0);
  });
  return found;
}

YarnWords yarn_words(const WebServer& resource_manager, const std::string& application,
                     std::chrono::milliseconds patience) {
  YarnWords words;
  json::Document document;
  const ServerAnswer metrics = resource_manager.json("/ws/v1/cluster/metrics");
  if (const auto answer = metrics.good() ? parsed(document, metrics.body) : std::nullopt) {
    const auto told = member(*answer, "clusterMetrics");
    const auto free = told ? json::integer(*told, "availableMB") : std::nullopt;
    words.has_room = free.has_value();
    words.room = {std::max<std::int64_t>(0, free.value_or(0)) << 20};
  }
  if (!rest::is_application_id(application)) return words;
  const ServerAnswer app = resource_manager.json("/ws/v1/cluster/apps/" + application);
  if (app.good()) words.diagnostics = parse_diagnostics(app.body);
  const std::string path =
      "/ws/v1/cluster/scheduler/app-activities/" + application + "?groupBy=diagnostic&summarize=true&limit=5";
  for (int asked = 0; asked < 2; ++asked) {
    const ServerAnswer answer = resource_manager.json(path);
    if (!answer.good()) break;  // another scheduler, or an older Hadoop
    Activities noted = parse_activities(answer.body);
    words.activities = std::move(noted.words);
    if (noted.noted || asked == 1) break;
    std::this_thread::sleep_for(patience);
  }
  return words;
}

}  // namespace wavewright
