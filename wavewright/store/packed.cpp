#include "wavewright/store/packed.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/history/limits.h"
#include "wavewright/store/key.h"
#include "wavewright/store/phases_codec.h"
#include "wavewright/store/row.h"
#include "wavewright/store/task_codec.h"

namespace wavewright {

PackedRun pack_run(const JobRun& run) {
  for (const Count planned : {run.total_maps, run.total_reduces}) {
    if (planned >= 0 && planned <= most_tasks_of_a_run) continue;
    throw InputError({run.source}, fmt::format("number of planned tasks that cannot be: {}", planned),
                     "the history is damaged, take another copy of it");
  }
  PackedRun packed;
  packed.header = header_of(run);
  packed.fullness = fullness_of(run);
  packed.tasks = pack_tasks(run);
  packed.phases = phases_text_of(run);
  const bool named = !run.id.empty() && run.submit;
  packed.identity = storable(run_identity(run, named ? std::string() : pack_tasks(run, TaskFormat::v1)));
  return packed;
}

JobRun run_of(const RunHeader& header) {
  JobRun run;
  run.id = header.id;
  run.name = header.name;
  run.user = header.user;
  run.queue = header.queue;
  run.state = header.state;
  run.submit = header.submit;
  run.launch = header.launch;
  run.finish = header.finish;
  run.total_maps = header.maps;
  run.total_reduces = header.reduces;
  run.hadoop = header.hadoop;
  run.source = header.source;
  return run;
}

JobRun unpacked(const std::string& store, const Row& row, const std::string& tasks) {
  const RunHeader header = from_row(row);
  JobRun run = run_of(header);
  try {
    if (!header.damage.empty()) throw std::runtime_error(header.damage);
    unpack_tasks(tasks, run);
  } catch (const std::runtime_error& error) {
    throw ExternalError({store}, "run " + run.id + " is damaged: " + error.what(), damaged_remedy);
  }
  return run;
}

std::string phases_text_of(const JobRun& run) {
  // As they will be unpacked: with the stored id and the header's task counts, raised to the tasks seen.
  RunPhases phases = phases_of(run);
  phases.id = storable(phases.id);
  return pack_phases(phases);
}

}  // namespace wavewright
