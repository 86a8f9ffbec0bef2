// A promise of a placer that searches nodes (Placer::searches_nodes): where it passes for a node that holds
// no block of a pending map, it forgets this at the next arrival of a job, and it takes such a node only if
// it passed for it since the last arrival.
//
// So a driver need not offer such a node at a heartbeat if a job has come since the one before and another
// will come until the next: the placer would pass, and forget it.
#pragma once

namespace wavewright {

struct ForgetsPasses {
  virtual ~ForgetsPasses() = default;
};

}  // namespace wavewright
