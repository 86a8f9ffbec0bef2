#!/usr/bin/env python3
"""A rival: OR-Tools' CP-SAT on a batch, two workers, an interval a task (tools/exact/cpsat.py).

  cpsat.py BATCH.jsonl SLOTS makespan|total-completion SECONDS

SLOTS map and as many reduce slots. Prints one JSON line.
"""
import json, pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from exact.cpsat import solve  # noqa: E402


def main(file, slots, objective, seconds):
    found = solve([json.loads(line) for line in open(file)], (slots, slots), objective, num_workers=2, max_time_in_seconds=seconds)
    print(json.dumps({"seconds": found.seconds, "proved": found.proved, "value": found.value, "bound": found.bound}))


main(sys.argv[1], int(sys.argv[2]), sys.argv[3], float(sys.argv[4]))
