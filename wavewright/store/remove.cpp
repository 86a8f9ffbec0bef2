#include "wavewright/store/remove.h"

#include "wavewright/store/table.h"

namespace wavewright {

void remove_runs(soci::session& session, std::span<const std::string> identities) {
  each_chunk(identities, [&](const std::string& list, const Row& uses) {
    for (const char* table : {"wavewright_tasks", "wavewright_phases", "wavewright_run"}) {
      execute(session, std::string("delete from ") + table + " where identity in " + list, uses);
    }
  });
}

}  // namespace wavewright
