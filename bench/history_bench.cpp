// How fast histories are read: bytes a second per format over the bundled real ones, files a second from
// disk, and libavro beside our decoder on the same binary events.
//
// WAVEWRIGHT_HISTORIES names another folder than examples/histories.
#include <avro.h>
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "wavewright/core/file.h"
#include "wavewright/history/source.h"

namespace {

using namespace wavewright;

std::filesystem::path folder() {
  const char* const named = std::getenv("WAVEWRIGHT_HISTORIES");
  return named != nullptr ? named : WAVEWRIGHT_SOURCE_DIR "/examples/histories";
}

// The contents of all histories that begin with `mark`.
std::vector<std::string> contents(std::string_view mark) {
  std::vector<std::string> all;
  read_history_path(folder(), [&](FileHistory&& file) {
    if (file.runs.empty()) return;
    std::string bytes = read_file(file.name);
    if (bytes.starts_with(mark)) all.push_back(std::move(bytes));
  });
  return all;
}

void report(benchmark::State& state, std::size_t bytes, std::size_t files) {
  const auto rounds = static_cast<std::int64_t>(state.iterations());
  state.SetBytesProcessed(rounds * static_cast<std::int64_t>(bytes));
  state.counters["files_per_s"] = benchmark::Counter(static_cast<double>(rounds) * static_cast<double>(files),
                                                     benchmark::Counter::kIsRate);
}

void read_all(benchmark::State& state, const std::string& mark) {
  const std::vector<std::string> files = contents(mark);
  std::size_t bytes = 0;
  for (const std::string& file : files) bytes += file.size();
  if (files.empty()) return state.SkipWithError("no such histories in the folder");
  for (auto _ : state) {
    for (const std::string& file : files) {
      read_history(
          file, "bench", [](JobRun&& run) { benchmark::DoNotOptimize(run.tasks.data()); },
          [](Diagnostic&&) {});
    }
  }
  report(state, bytes, files.size());
}

// libavro into its generic values, from which the fields would still have to be taken.
void libavro(benchmark::State& state) {
  std::size_t bytes = 0;
  const std::vector<std::string> files = contents("Avro-Binary");
  if (files.empty()) return state.SkipWithError("no such histories in the folder");
  for (auto _ : state) {
    for (const std::string& file : files) {
      const std::size_t schema_at = file.find('\n') + 1;
      const std::size_t events_at = file.find('\n', schema_at) + 1;
      avro_schema_t schema = nullptr;
      avro_schema_from_json_length(file.data() + schema_at, events_at - schema_at - 1, &schema);
      avro_value_iface_t* const shape = avro_generic_class_from_schema(schema);
      avro_value_t value;
      avro_generic_value_new(shape, &value);
      const auto length = static_cast<std::int64_t>(file.size() - events_at);
      avro_reader_t const reader = avro_reader_memory(file.data() + events_at, length);
      while (avro_value_read(reader, &value) == 0) avro_value_reset(&value);
      avro_set_error("%s", "");  // it appends to the text of the last error without end
      avro_reader_free(reader);
      avro_value_decref(&value);
      avro_value_iface_decref(shape);
      avro_schema_decref(schema);
    }
  }
  for (const std::string& file : files) bytes += file.size();
  report(state, bytes, files.size());
}

void from_disk(benchmark::State& state) {
  std::size_t files = 0;
  std::size_t bytes = 0;
  for (auto _ : state) {
    files = bytes = 0;
    read_history_path(folder(), [&](FileHistory&& file) {
      if (file.runs.empty()) return;
      ++files;
      bytes += std::filesystem::file_size(file.name);
    });
  }
  report(state, bytes, files);
}

BENCHMARK_CAPTURE(read_all, avro_json, "Avro-Json")->MinTime(0.5);
BENCHMARK_CAPTURE(read_all, avro_binary, "Avro-Binary")->MinTime(0.5);
BENCHMARK_CAPTURE(read_all, hadoop1, "Meta")->MinTime(0.5);
BENCHMARK(libavro)->MinTime(0.5);
BENCHMARK(from_disk)->MinTime(0.5);

}  // namespace
