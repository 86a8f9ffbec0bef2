#include "wavewright/store/read_ahead.h"

namespace wavewright {

std::size_t ReadFile::bytes() const {
  std::size_t sum = sizeof(ReadFile) + file.name.size();
  for (const PackedRun& run : runs) sum += sizeof(PackedRun) + run.tasks.size() + run.phases.size();
  for (const Diagnostic& diagnostic : diagnostics) {
    sum += sizeof(Diagnostic) + diagnostic.reason.size() + diagnostic.detail.size();
  }
  return sum;
}

ReadAhead::ReadAhead(unsigned threads, std::function<ReadFile(const HistoryFile&)> read)
    : read_(std::move(read)) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

ReadAhead::~ReadAhead() {
  stop();
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  to_read_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool ReadAhead::full() const {
  const std::lock_guard lock(mutex_);
  return slots_.size() >= most_files;
}

bool ReadAhead::empty() const {
  const std::lock_guard lock(mutex_);
  return slots_.empty();
}

void ReadAhead::put(HistoryFile&& file) {
  {
    const std::lock_guard lock(mutex_);
    slots_.push_back(std::make_unique<Slot>(Slot{std::move(file), std::nullopt, false}));
  }
  to_read_.notify_one();
}

std::optional<ReadFile> ReadAhead::take(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (slots_.empty()) return std::nullopt;
  to_take_.wait_for(lock, patience, [&] { return slots_.front()->result.has_value(); });
  if (!slots_.front()->result) return std::nullopt;
  std::optional<ReadFile> taken = std::move(slots_.front()->result);
  slots_.pop_front();
  --begun_;
  waiting_bytes_ -= taken->bytes();
  lock.unlock();
  to_read_.notify_all();
  return taken;
}

void ReadAhead::stop() {
  const std::lock_guard lock(mutex_);
  slots_.resize(begun_);
}

ReadAhead::Slot* ReadAhead::next_to_read() {
  if (begun_ == slots_.size()) return nullptr;
  // The next file to take is always started, however much waits.
  if (begun_ > 0 && waiting_bytes_ > most_bytes) return nullptr;
  Slot* const next = slots_[begun_].get();
  if (reading_ > 0 && reading_bytes_ + next->file.bytes > most_read_bytes) return nullptr;
  return next;
}

void ReadAhead::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    Slot* slot = nullptr;
    to_read_.wait(lock, [&] { return closed_ || (slot = next_to_read()) != nullptr; });
    if (slot == nullptr) return;
    ++begun_;
    ++reading_;
    const std::size_t bytes = slot->file.bytes;
    reading_bytes_ += bytes;
    lock.unlock();
    ReadFile result;
    try {
      result = read_(slot->file);
    } catch (...) {
      result.error = std::current_exception();
    }
    lock.lock();
    --reading_;
    reading_bytes_ -= bytes;
    if (bytes > 0) to_read_.notify_all();
    waiting_bytes_ += result.bytes();
    slot->result = std::move(result);
    to_take_.notify_one();
  }
}

}  // namespace wavewright
