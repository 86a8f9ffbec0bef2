// Speed of admission [wavewright/realtime/admission.h]: one job against a thousand that were accepted.
//
//   admission_speed [JOBS [MAP_SLOTS [REDUCE_SLOTS]]]      1000 4000 1000
//
// Jobs of 1 to 400 maps and 0 to 80 reduces come until so many are waiting; deadlines are wide enough for
// most. Then 20,000 more come, of which half are accepted; for each that is, the first in the queue starts
// and ends early. Prints the processor time of answers, refusals with their counter-offer apart, and the
// steps of all vectors.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/random.h"
#include "wavewright/realtime/admission.h"

using namespace wavewright;  // NOLINT(google-build-using-namespace)

namespace {

Count argument(int count, char** values, int at, Count otherwise) {
  return count > at ? std::atoll(values[at]) : otherwise;
}

double processor_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

void print(const char* what, std::vector<double> us) {
  if (us.empty()) return;
  std::sort(us.begin(), us.end());
  const auto at = [&](double share) {
    return us[static_cast<std::size_t>(share * static_cast<double>(us.size() - 1))];
  };
  fmt::print("{}: {} answers, p50 {:.0f} us, p99 {:.0f} us, most {:.0f} us\n", what, us.size(), at(0.5),
             at(0.99), us.back());
}

}  // namespace

int main(int count, char** values) {
  const auto waiting = static_cast<std::size_t>(argument(count, values, 1, 1000));
  const SlotPool slots{argument(count, values, 2, 4000), argument(count, values, 3, 1000)};
  AdmissionController controller(slots, {.feedback = Feedback::jobs});
  Random random(1, "bench_admission");
  std::int64_t now = 0;
  JobIndex number = 0;
  const auto job = [&](double room) {
    RealtimeJob made{.job = number++};
    made.maps = 1 + static_cast<Count>(random.below(400));
    made.reduces = static_cast<Count>(random.below(80));
    made.map = ms(5'000 + static_cast<std::int64_t>(random.below(60'000)));
    made.reduce = ms(5'000 + static_cast<std::int64_t>(random.below(60'000)));
    made.deadline = at_ms(now + static_cast<std::int64_t>(room * (0.5 + 2 * random.unit())));
    return made;
  };
  // A queue of so many jobs lasts about so long.
  const double length = 200.0 * 35'000 * static_cast<double>(waiting) / static_cast<double>(slots.map_slots);
  while (controller.queue().size() < waiting) (void)controller.admit(job(0.7 * length), at_ms(now));
  std::vector<double> accepted, refused;
  for (int i = 0; i < 20'000; ++i) {
    now += 10;
    const RealtimeJob next = job((i % 4 == 0 ? 0.02 : 0.7) * length);
    const double from = processor_us();
    const AdmissionAnswer answer = controller.admit(next, at_ms(now));
    const double us = processor_us() - from;
    (answer.accepted ? accepted : refused).push_back(us);
    if (!answer.accepted || controller.queue().size() <= waiting) continue;
    const JobIndex first = controller.queue().front();
    controller.started(first, at_ms(now));
    controller.finished(first, {}, {}, at_ms(now));
  }
  print("accepted", accepted);
  print("refused, with the earliest deadline", refused);
  fmt::print("{} jobs, {} steps in {} vectors\n", controller.queue().size(), controller.steps(),
             2 * controller.queue().size());
}
