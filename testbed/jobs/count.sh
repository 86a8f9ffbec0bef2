#!/bin/sh
# Streaming reducer: sums up the ones of equal keys, which arrive sorted.
exec awk -F '\t' '$1 != key { if (NR > 1) print key "\t" n; key = $1; n = 0 } { n += $2 } END { if (NR) print key "\t" n }'
