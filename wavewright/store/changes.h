// What a batch of runs changes in the store: which of them it takes, and which rows give way to them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wavewright/store/database.h"
#include "wavewright/store/store.h"

namespace wavewright {

struct Changes {
  std::vector<std::string> removed;  // identities of stored runs
  std::vector<bool> kept;            // of the batch, by place
  Store::Added added;
};

// Compares the runs with each other and with what is stored (store/run_copy.h); changes nothing. Reads the
// tasks of those stored runs only whose contents decide.
[[nodiscard]] Changes changes_of(const Database& database, std::span<const PackedRun> runs);

}  // namespace wavewright
