#!/bin/sh
# Streaming mapper of which every attempt fails.
cat >/dev/null
echo "this mapper always fails" >&2
exit 3
