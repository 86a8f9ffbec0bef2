// Names of machines and programs, by which programs that share a store know one another.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wavewright {

// Its host name and machine id: `etl1/0123…`. The same for all programs of this machine.
[[nodiscard]] const std::string& this_machine();

// This process: the machine, its id and its start, so that a later process with that id has another name.
[[nodiscard]] std::string this_program();

// Is that a process of this machine that no longer runs? False for one of another machine.
[[nodiscard]] bool has_died_here(const std::string& program);

// The environment with which that process was started, `NAME=value` each. Absent unless it runs on this
// machine under this account. O(bytes of it).
[[nodiscard]] std::optional<std::vector<std::string>> environment_of_program(const std::string& program);

}  // namespace wavewright
