// How much memory containers may take in all, so that a further one surely finds room on some node, wherever
// the others are.
//
// A container of e MiB finds no room on a node of M MiB only if more than M − e are in use there. What is in
// use is a sum of sizes of containers: let b be the least such sum. If no node has room, at least B(e) is in
// use, the sum of b over the nodes. So while less than B(e) is in use, some node has room. If containers are
// granted so that all together are never above `sure_memory`, the least B(e) + e − 1 of the sizes, then each
// that has been granted and has no node yet finds one: the others take less than B(e).
//
// With one size this is exact, ⌊M / e⌋ on each node. With several, the largest size less their common divisor
// may be left over on each node. Containers that are placed by chance may leave that much, so B(e) is the
// best that can be said where nobody chooses the nodes.
#pragma once

#include <span>
#include <vector>

#include "wavewright/core/quantity.h"

namespace wavewright {

struct EqualNodes {
  Count nodes = 0;
  Count memory = 0;  // MiB, of each
};

// B(e) of a size. Sizes are above 0, and `size` is one of them. O(nodes' largest memory · sizes).
[[nodiscard]] Count least_without_room(std::span<const EqualNodes> nodes, std::span<const Count> sizes,
                                       Count size);

// Sizes that no node holds do not count; 0 if there are no others. Likewise.
[[nodiscard]] Count sure_memory(std::span<const EqualNodes> nodes, std::span<const Count> sizes);

}  // namespace wavewright
