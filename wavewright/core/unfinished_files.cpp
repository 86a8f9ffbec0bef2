#include "wavewright/core/unfinished_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <string>

namespace wavewright {

namespace {

// A handler of signals may neither wait nor allocate.
enum class State { free, written, named, removing, removed };
static_assert(std::atomic<State>::is_always_lock_free);
struct Entry {
  std::atomic<State> state = State::free;
  std::array<char, PATH_MAX> name{};
};
constexpr std::size_t most = 16;
constinit std::array<Entry, most> entries{};

bool goes(Entry& entry, State from, State to) {
  return entry.state.compare_exchange_strong(from, to);
}

}  // namespace

UnfinishedFile::UnfinishedFile(const std::filesystem::path& path) : entry_(most) {
  const std::string& name = path.native();
  if (name.size() >= PATH_MAX) return;
  for (entry_ = 0; entry_ < most; ++entry_) {
    Entry& entry = entries[entry_];
    if (!goes(entry, State::free, State::written)) continue;
    entry.name[name.copy(entry.name.data(), name.size())] = '\0';
    entry.state = State::named;
    return;
  }
}

// An entry that a handler reads stays as it is.
UnfinishedFile::~UnfinishedFile() {
  if (entry_ == most) return;
  Entry& entry = entries[entry_];
  if (!goes(entry, State::named, State::free)) (void)goes(entry, State::removed, State::free);
}

void remove_unfinished_files() noexcept {
  for (Entry& entry : entries) {
    if (!goes(entry, State::named, State::removing)) continue;
    ::unlink(entry.name.data());
    entry.state = State::removed;
  }
}

}  // namespace wavewright
