// An NVML of the tests' own. FAKE_NVML says what each GPU tells, read anew at each question:
// `energy=MILLIJOULES`, `power=MILLIWATTS`, `denied` or `lost`, with blanks between them; `broken` alone: it
// does not start.
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int success = 0, not_supported = 3, no_permission = 4, driver_not_loaded = 9, gpu_is_lost = 15;

std::vector<std::string> devices() {
  const char* const text = std::getenv("FAKE_NVML");
  std::istringstream words(text == nullptr ? "" : text);
  std::vector<std::string> found;
  for (std::string word; words >> word;) found.push_back(word);
  return found;
}

// A device's handle is its place, from 1.
template <class Number>
int ask(void* device, const std::string& what, Number* value) {
  const std::vector<std::string> all = devices();
  const auto place = reinterpret_cast<std::size_t>(device) - 1;
  if (place >= all.size() || all[place] == "lost") return gpu_is_lost;
  if (all[place] == "denied") return no_permission;
  if (!all[place].starts_with(what + "=")) return not_supported;
  *value = static_cast<Number>(std::stoull(all[place].substr(what.size() + 1)));
  return success;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  const std::vector<std::string> all = devices();
  return !all.empty() && all.front() == "broken" ? driver_not_loaded : success;
}
int nvmlShutdown() {
  return success;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(devices().size());
  return success;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = reinterpret_cast<void*>(static_cast<std::size_t>(index) + 1);
  return success;
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  return ask(device, "power", milliwatts);
}
int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules) {
  return ask(device, "energy", millijoules);
}
const char* nvmlErrorString(int status) {
  switch (status) {
    case no_permission:
      return "Insufficient Permissions";
    case driver_not_loaded:
      return "Driver Not Loaded";
    default:
      return "Unknown Error";
  }
}

}  // extern "C"
