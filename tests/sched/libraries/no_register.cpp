// The tag alone.
#include "wavewright/sched/registry.h"

WAVEWRIGHT_POLICY_LIBRARY
