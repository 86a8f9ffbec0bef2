// A mapper for Hadoop Streaming: units of work in, results out, on the device that the container was given;
// and its reducer, which adds up results of units of equal size.
//
//   mapred streaming -files adaptive-mapper -D mapreduce.job.reduces=0 -input units -output results
//     -mapper './adaptive-mapper --device auto' -inputformat org.apache.hadoop.mapred.lib.NLineInputFormat
//
// With sums: -D mapreduce.job.reduces=1 -mapper './adaptive-mapper --results sums'
//            -reducer './adaptive-mapper --sum-up'
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <iostream>
#include <string>

#include "choose_device.h"
#include "sums.h"
#include "units.h"
#include "workers.h"

namespace {

constexpr const char* usage =
    "usage: adaptive-mapper [--device auto|cpu|gpu|emulated] [--threads N] [--lose-device-after CALLS] "
    "[--results each|sums] <units >results\n"
    "       adaptive-mapper --sum-up <results >sums\n"
    "A unit is a line: 'md SEED PARTICLES STEPS' or 'kmeans SEED POINTS CLUSTERS DIMENSIONS ROUNDS'.\n"
    "Example: echo 'md 1 4000 500' | adaptive-mapper --device cpu\n";

struct Flags {
  adaptive::DeviceChoice choice;
  adaptive::Results results = adaptive::Results::each;
};

int count_of(const std::string& flag, const std::string& text, int least) {
  int count = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, count);
  if (read.ec != std::errc{} || read.ptr != end || count < least)
    throw std::invalid_argument(flag + " is '" + text + "', not a whole number from " +
                                std::to_string(least));
  return count;
}

Flags flags_of(int argc, char** argv) {
  Flags flags;
  adaptive::DeviceChoice& choice = flags.choice;
  choice.threads = adaptive::given_processors();
  for (int i = 1; i < argc; i += 2) {
    const std::string flag = argv[i];
    if (i + 1 == argc) throw std::invalid_argument(flag + " wants a value");
    const std::string value = argv[i + 1];
    if (flag == "--device") {
      choice.wanted = value;
    } else if (flag == "--threads") {
      choice.threads = count_of(flag, value, 1);
    } else if (flag == "--lose-device-after") {
      choice.lose_after = count_of(flag, value, 0);
    } else if (flag == "--results" && (value == "each" || value == "sums")) {
      flags.results = value == "sums" ? adaptive::Results::sums : adaptive::Results::each;
    } else if (flag == "--results") {
      throw std::invalid_argument("--results are each or sums, not '" + value + "'");
    } else {
      throw std::invalid_argument("unknown flag " + flag);
    }
  }
  return flags;
}

// Hadoop Streaming's counters.
void count(const std::string& what, long long number = 1) {
  std::cerr << "reporter:counter:Adaptive," << what << ',' << number << '\n' << std::flush;
}

// The processor time of all threads of this process, up to now.
long long processor_ms() {
  timespec time{};
  static_cast<void>(::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time));
  return time.tv_sec * 1000LL + time.tv_nsec / 1'000'000;
}

// A line of NLineInputFormat begins with its place in the file and a tab.
std::string unit_of(const std::string& line) {
  const std::size_t tab = line.find('\t');
  return tab == std::string::npos ? line : line.substr(tab + 1);
}

void work(adaptive::Device& device, adaptive::Results results) {
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::string unit = unit_of(line);
    if (unit.empty()) continue;
    const std::string result =
        adaptive::do_unit(unit, device, [] { std::cerr << "reporter:status:at work\n"; }, results);
    std::cout << result << '\n';
    count("units on " + device.name());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::cout << usage;
    return 0;
  }
  try {
    if (argc == 2 && std::strcmp(argv[1], "--sum-up") == 0) {
      adaptive::add_up(std::cin, std::cout);
      std::cout.flush();
      return std::cout ? 0 : 4;
    }
    const Flags flags = flags_of(argc, argv);
    const auto device = adaptive::choose_device(
        flags.choice,
        adaptive::granted_gpu([](const char* name) -> const char* { return std::getenv(name); }),
        [](const std::string& reason) {
          std::cerr << "adaptive-mapper: the processor takes over: " << reason << '\n';
          count("devices lost");
        });
    std::cerr << "adaptive-mapper: on " << device->name() << '\n';
    work(*device, flags.results);
    count("processor ms", processor_ms());
    std::cout.flush();
    return std::cout ? 0 : 4;
  } catch (const std::invalid_argument& error) {
    std::cerr << "adaptive-mapper: " << error.what() << "; see --help\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "adaptive-mapper: " << error.what() << '\n';
    return 4;
  }
}
