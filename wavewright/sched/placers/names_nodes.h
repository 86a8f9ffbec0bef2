// A placer that names the nodes on which it would start a map. A driver may leave out the offers of all
// others, and those that no job may take: the placer would let them go, and remember nothing of them.
#pragma once

#include <cstdint>
#include <span>

namespace wavewright {

struct NamesNodes {
  virtual ~NamesNodes() = default;
  // A bit for each node; node n is bit n % 64 of word n / 64. Events and offers change it.
  [[nodiscard]] virtual std::span<const std::uint64_t> nodes_for_maps() const = 0;
};

}  // namespace wavewright
