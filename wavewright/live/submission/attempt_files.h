// The files of an attempt to submit a job, and its processes: shared by ClientProcesses, which starts
// supervisors, and by the supervisor itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wavewright/live/batch/cluster_driver.h"
#include "wavewright/live/submission/descriptor.h"

namespace wavewright {

constexpr int lock_number = 3;  // the supervisor's file descriptor
constexpr int cannot_run = 126, not_found = 127;

// The folder and the tag come from the store: neither may lead to a file of somebody else. Throws InputError.
[[nodiscard]] std::filesystem::path file_of(const ClientAttempt& attempt, const char* suffix);

// As pointers for exec, which wants them ended by a null.
[[nodiscard]] std::vector<char*> pointers_of(const std::vector<std::string>& words);

// The 22nd field of /proc/PID/stat, which tells a process from a later one of the same number; empty if it is
// gone.
[[nodiscard]] std::string start_of_process(int process);

}  // namespace wavewright
