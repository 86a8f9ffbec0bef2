// epEDF: earliest deadline first by epochs [CLOUD §4.4.2]. A job waits for the end of the epoch in which it
// arrives, then begins; the earliest deadline goes first. Epochs are counted from time 0. The paper does not
// give their length, and it decides much: a job whose deadline ends before its epoch is lost.
#pragma once

#include "wavewright/cloud/deadline/deadline_policy.h"

namespace wavewright {

struct EpedfOptions {
  Duration epoch = ms(60'000);  // above 0
};

[[nodiscard]] std::unique_ptr<Allocator> make_epedf(const DeadlineOptions& options, const EpedfOptions& own);

}  // namespace wavewright
