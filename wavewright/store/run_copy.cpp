#include "wavewright/store/run_copy.h"

#include <array>

namespace wavewright {

namespace {

constexpr Duration same_submission = std::chrono::minutes(10);

bool ended(const RunCopy& copy) {
  return copy.state != RunState::running && copy.state != RunState::unknown;
}

}  // namespace

bool same_job(const RunCopy& a, const RunCopy& b) {
  if (a.identity == b.identity) return true;
  if (a.id.empty() || a.id != b.id) return false;
  const Duration tolerance = ended(a) && ended(b) ? Duration{} : same_submission;
  int agree = 0, differ = 0;
  for (const auto instant : {&RunCopy::submit, &RunCopy::launch, &RunCopy::finish}) {
    const auto& [one, other] = std::pair(a.*instant, b.*instant);
    if (!one || !other) continue;
    const bool equal =
        std::chrono::abs(*one - *other) <= (instant == &RunCopy::submit ? tolerance : Duration{});
    ++(equal ? agree : differ);
  }
  const bool other_name = !a.name.empty() && !b.name.empty() && a.name != b.name;
  return agree + differ == 0 || agree > differ || (agree == differ && !other_name);
}

bool needs_content(const RunCopy& a, const RunCopy& b) {
  if (ended(a) && ended(b)) return true;
  return a.state == RunState::unknown && b.state == RunState::unknown;
}

CopyEffect effect_of(const RunCopy& later, const RunCopy& there) {
  if (!there.fullness) return later.fullness ? CopyEffect::updates : CopyEffect::nothing_new;
  if (ended(there) && !ended(later)) return CopyEffect::nothing_new;
  if (ended(later) && !ended(there)) return CopyEffect::completes;
  if (!needs_content(there, later)) return CopyEffect::updates;  // a running job: the newer copy
  if (there.content == later.content || !later.fullness) return CopyEffect::nothing_new;
  if (*later.fullness > *there.fullness) return CopyEffect::updates;
  const bool rewritten = *later.fullness == *there.fullness && there.source == later.source;
  return rewritten ? CopyEffect::updates : CopyEffect::nothing_new;
}

}  // namespace wavewright
