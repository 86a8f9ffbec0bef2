// YARN's own words about an application that waits: its diagnostics, and the notes of the Capacity scheduler
// from its last look at the application.
//
// The scheduler notes its activities for some seconds after somebody has asked for them
// (`/ws/v1/cluster/scheduler/app-activities/ID`, Hadoop 3.3 and later): the first answer has none. Other
// schedulers say that they note nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/history/source/server.h"

namespace wavewright {

struct YarnWords {
  std::string diagnostics;              // of the application; empty = none
  std::vector<std::string> activities;  // why it was given no container, each once, the latest first
  Bytes room{};                         // memory that no container holds, on the whole cluster
  bool has_room = false;                // `room` is known
};

// Asks at most four times; waits `patience` for the scheduler's next round. Throws ExternalError if the
// ResourceManager gives no answer.
[[nodiscard]] YarnWords yarn_words(const WebServer& resource_manager, const std::string& application,
                                   std::chrono::milliseconds patience = std::chrono::milliseconds(2'500));

// The steps on an answer's text. Nothing is found in a text of another form.
[[nodiscard]] std::string parse_diagnostics(std::string_view text);
struct Activities {
  bool noted = false;  // false: there was no round since they were asked for
  std::vector<std::string> words;
};
[[nodiscard]] Activities parse_activities(std::string_view text);

}  // namespace wavewright
