// Writes runs and their files in the caller's transaction.
#pragma once

#include "wavewright/store/database.h"
#include "wavewright/store/store.h"
#include "wavewright/store/table.h"

namespace wavewright {

class RunWriter {
 public:
  explicit RunWriter(const Database& database);

  // As Store::add, without the transaction.
  Store::Added add(std::span<const PackedRun> runs, std::span<const ImportedFile> files);

 private:
  // A server closes the connection silently if a statement exceeds its limit.
  void refuse_too_large(std::span<const PackedRun> runs) const;
  void add_files(std::span<const ImportedFile> files);

  const Database& database_;
  BulkInsert runs_;
  BulkInsert tasks_;
  BulkInsert phases_;
  BulkInsert files_;
  std::size_t most_bytes_;  // of one statement
};

// The key of a file's name in wavewright_file.
[[nodiscard]] std::string file_key(const std::string& name);

}  // namespace wavewright
