// An entry's result as text for people.
#pragma once

#include "apps/context.h"

namespace wavewright::app {

// `result`: see result_of().
void print_entry(const Json& result);

}  // namespace wavewright::app
