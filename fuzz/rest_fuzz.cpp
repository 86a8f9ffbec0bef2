// Answers of the JobHistory server, the ResourceManager and application masters; the first byte says which.
#include "fuzz/history.h"
#include "wavewright/core/error.h"
#include "wavewright/history/rest/answers.h"
#include "wavewright/history/settings.h"
#include "wavewright/live/yarn/resource_manager.h"

using namespace wavewright;

namespace {

void take_all(std::string_view answer) {
  RunBuilder builder;
  builder.name_job("job_1700000000000_0001");
  // Whatever one answer lacks, the others are taken into the same run.
  const auto take = [&](auto part) {
    try {
      part();
    } catch (const InputError&) {
    }
  };
  const std::string task = "task_1700000000000_0001_m_000000";
  take([&] { rest::take_job(answer, "url", builder); });
  take([&] { rest::take_job_counters(answer, "url", builder); });
  take([&] { rest::take_tasks(answer, "url", builder); });
  take([&] { rest::take_attempts(answer, "url", task, builder); });
  take([&] { rest::take_task_counters(answer, "url", task, builder); });
  hand_over(std::move(builder), "input", [](JobRun&& run) { fuzz::use_run(run); }, [](Diagnostic&&) {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view answer = fuzz::view(data + 1, size - 1);
  try {
    switch (data[0] % 6) {
      case 0:
        static_cast<void>(rest::listed_jobs(answer, "url"));
        break;
      case 1:
        static_cast<void>(rest::applications(answer, "url"));
        static_cast<void>(rest::application(answer, "url"));
        break;
      case 2:
        take_all(answer);
        break;
      case 3:
        static_cast<void>(settings_of_rest(answer));
        static_cast<void>(rest::remote_message(answer));
        break;
      case 4:
        static_cast<void>(settings_of_xml(answer));
        break;
      default: {
        Cluster cluster = flat_cluster({1, 1});
        apply_configuration(answer, "url", cluster);
        static_cast<void>(parse_nodes(answer, "url"));
        static_cast<void>(parse_queues(answer, "url"));
      }
    }
  } catch (const InputError&) {
  } catch (const ExternalError&) {
  }
  return 0;
}
