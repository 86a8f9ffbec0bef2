#include "wavewright/store/packed.h"

#include <stdexcept>

#include "wavewright/core/error.h"
#include "wavewright/store/key.h"
#include "wavewright/store/phases_codec.h"
#include "wavewright/store/row.h"
#include "wavewright/store/task_codec.h"

namespace wavewright {

PackedRun pack_run(const JobRun& run) {
  PackedRun packed;
  packed.header = header_of(run);
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
  JobRun run = run_of(from_row(row));
  try {
    unpack_tasks(tasks, run);
  } catch (const std::runtime_error& error) {
    throw ExternalError({store}, "run " + run.id + " is damaged: " + error.what(),
                        "'wavewright store check' names all such runs and what to do");
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
