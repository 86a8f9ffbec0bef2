#include "workers.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace adaptive {

namespace {

// Processors of the quota `200000 100000`; none for `max`.
int quota() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string most;
  double period = 0;
  if (!(file >> most >> period) || most == "max" || period <= 0) return 1 << 20;
  return std::max(1, static_cast<int>(std::ceil(std::stod(most) / period)));
}

}  // namespace

int given_processors() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  const int usable = ::sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 1;
  return std::max(1, std::min(usable, quota()));
}

void share_out(int threads, int count, const std::function<void(int, int)>& part) {
  const int parts = std::clamp(threads, 1, std::max(1, count));
  const auto bound = [&](int i) { return static_cast<int>(static_cast<long long>(count) * i / parts); };
  std::vector<std::jthread> others;
  for (int i = 1; i < parts; ++i) others.emplace_back([&, i] { part(bound(i), bound(i + 1)); });
  part(bound(0), bound(1));
}

}  // namespace adaptive
