#include "apps/context.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/harmless.h"

namespace wavewright::app {

std::string Context::store_url() const {
  if (!store.empty()) return store;
  std::string data;
  if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && *xdg != '\0') {
    data = xdg;
  } else {
    const char* home = std::getenv("HOME");
    data = std::string(home != nullptr ? home : ".") + "/.local/share";
  }
  return "sqlite:" + data + "/wavewright/store.db";
}

void Context::note(const std::string& line) const {
  if (verbosity < 0) return;
  for (std::size_t from = 0, end = 0; end != std::string::npos; from = end + 1) {  // it may be several lines
    end = line.find('\n', from);
    std::cerr << harmless(line.substr(from, end - from)) << '\n';
  }
}

void Context::note_passed_over(const Settings& settings) const {
  for (const std::filesystem::path& file : settings.passed_over()) {
    note(file.string() + " belongs to another user and is not read");
  }
}

void Context::print(const Json& document) const {
  // Histories may hold bytes that are not UTF-8; they are replaced.
  std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  const auto is_same = [&](const std::string& one, const std::string& other) {
    if (std::filesystem::is_regular_file(one, ignored))
      return std::filesystem::equivalent(one, other, ignored);
    return std::filesystem::absolute(one, ignored).lexically_normal() ==
           std::filesystem::absolute(other, ignored).lexically_normal();
  };
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->empty() || *output == "-") continue;
    for (const std::string& input : inputs) {
      if (input.empty() || !std::filesystem::is_regular_file(*output, ignored)) continue;
      if (is_same(*output, input))
        throw UsageError("the output '" + *output + "' is the input", "name another file");
    }
    for (auto other = output + 1; other != outputs.end(); ++other) {
      if (!other->empty() && is_same(*output, *other))
        throw UsageError("two outputs go to '" + *output + "'", "name a file for each");
    }
    check_writable(*output);
  }
}

void require_ca_file(const std::string& ca_file) {
  std::error_code error;
  if (ca_file.empty() || std::filesystem::is_regular_file(ca_file, error)) return;
  throw UsageError("--ca-file '" + ca_file + "' is no file", "name a file of certificates (PEM)");
}

}  // namespace wavewright::app
