#include "apps/command_list.h"

#include <algorithm>
#include <array>

#include "apps/commands/energy_commands.h"
#include "apps/commands/live_commands.h"
#include "apps/commands/rent_commands.h"

namespace wavewright::app {

namespace {

struct Command {
  std::string_view name;
  void (*add)(CLI::App&, Context&);
};

// `hold`, `release` and `cancel` are declared together.
constexpr Command commands[] = {{"import", add_import},
                                {"jobs", add_jobs},
                                {"store", add_store},
                                {"profile", add_profile},
                                {"predict", add_predict},
                                {"slots", add_slots},
                                {"rent", add_rent},
                                {"plan", add_plan},
                                {"simulate", add_simulate},
                                {"queue", add_queue},
                                {"run", add_run},
                                {"submit", add_submit},
                                {"why", add_why},
                                {"night", add_night},
                                {"hold", add_live_jobs},
                                {"release", add_live_jobs},
                                {"cancel", add_live_jobs},
                                {"events", add_events},
                                {"serve", add_serve},
                                {"token", add_token},
                                {"prices", add_prices},
                                {"instances", add_instances},
                                {"cost", add_cost},
                                {"machines", add_machines},
                                {"sweep", add_sweep},
                                {"compare", add_compare},
                                {"energy", add_energy},
                                {"workload", add_workload},
                                {"reproduce", add_reproduce},
                                {"report", add_report},
                                {"init", add_init},
                                {"doctor", add_doctor},
                                {"config", add_config},
                                {"completion", add_completion},
                                {"man", add_man}};

constexpr std::array<std::string_view, 5> of_all = {"help", "completion", "man", "--help", "-h"};
constexpr std::string_view version_word = "version";  // declared with the line itself (main.cpp)

}  // namespace

void add_commands(CLI::App& root, Context& context, std::span<const std::string_view> words) {
  const auto among = [&](std::string_view name) {
    return std::find(words.begin(), words.end(), name) != words.end();
  };
  const bool named =
      among(version_word) || std::any_of(std::begin(commands), std::end(commands),
                                         [&](const Command& each) { return among(each.name); });
  const bool all = !named || std::any_of(of_all.begin(), of_all.end(), among);
  void (*added)(CLI::App&, Context&) = nullptr;
  for (const Command& command : commands) {
    if (command.add == added || !(all || among(command.name))) continue;
    added = command.add;
    command.add(root, context);
  }
}

}  // namespace wavewright::app
