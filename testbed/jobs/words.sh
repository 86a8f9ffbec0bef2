#!/bin/sh
# Streaming mapper: one line "word<TAB>1" a word.
exec awk '{ for (i = 1; i <= NF; i++) print $i "\t1" }'
