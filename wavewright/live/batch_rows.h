// Rows of live batches: their keys, and a job as a text. Shared by live/batch_store.cpp and
// live/batch_archive.cpp.
#pragma once

#include <string>

#include "wavewright/live/live_batch.h"

namespace wavewright {

[[nodiscard]] std::string batch_row_key(const std::string& batch);
[[nodiscard]] std::string past_row_key(const std::string& batch_key, const std::string& job_id);

// Throws InputError with `store` if the text is damaged.
[[nodiscard]] LiveJob stored_job(const std::string& text, const std::string& store);

}  // namespace wavewright
