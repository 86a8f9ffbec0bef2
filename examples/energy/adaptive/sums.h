// The reducer: sums of what `--results sums` gives, key by key.
//
//     md-500<tab>1 -4.512345 -4.512301 0.721034      in:  a unit, or the sums of some
//     md-500<tab>6 -27.071020 -27.070512 4.331245    out: the sums of all lines with that key
//
// It can be a combiner, too. Numbers are added up in whole millionths, so that the order of lines is of no
// matter.
#pragma once

#include <istream>
#include <ostream>

namespace adaptive {

// Lines of a key follow each other. The first column is a whole number of units, of which others have up to
// six decimals. Throws std::invalid_argument for a line that is malformed, or has other columns than the one
// before with its key, and for numbers above 10^9.
void add_up(std::istream& in, std::ostream& out);

}  // namespace adaptive
