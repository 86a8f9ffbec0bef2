#!/usr/bin/env python3
"""A rival: OR-Tools' CP-SAT on a batch, two workers, an interval a task.

  cpsat.py BATCH.jsonl SLOTS makespan|total-completion SECONDS

SLOTS map and as many reduce slots; a job's reduces start after its last map. Tasks of a job that are alike start in
their order, which loses nothing. The schedule is checked task by task before it counts. Prints one JSON line.
"""
import json, sys, time

from ortools.sat.python import cp_model


def stage(model, lengths, horizon):
    """Starts, intervals, and of each run of tasks that are alike the first start and the last end."""
    starts = [model.new_int_var(0, horizon, "") for _ in lengths]
    first, last = [], []
    for i, (start, length) in enumerate(zip(starts, lengths)):
        if i > 0 and lengths[i - 1] == length:
            model.add(starts[i - 1] <= start)
            last[-1] = start + length
        else:
            first.append(start)
            last.append(start + length)
    return starts, [model.new_fixed_size_interval_var(start, length, "") for start, length in zip(starts, lengths)], first, last


def share(model, intervals, slots):
    if slots == 1:
        model.add_no_overlap(intervals)
    else:
        model.add_cumulative(intervals, [1] * len(intervals), slots)


def check(jobs, starts, ends, slots):
    """Whether starts (of maps and reduces by job) respect the slots, the stages and the jobs' ends."""
    events = ([], [])
    for (maps, reduces), (map_starts, reduce_starts), end in zip(jobs, starts, ends):
        maps_done = max((s + d for s, d in zip(map_starts, maps)), default=0)
        if any(start < maps_done for start in reduce_starts):
            return False
        if end < max([maps_done] + [s + d for s, d in zip(reduce_starts, reduces)]):
            return False
        for list_, tasks in ((events[0], zip(map_starts, maps)), (events[1], zip(reduce_starts, reduces))):
            for start, length in tasks:
                if start < 0:
                    return False
                list_ += [(start, 1), (start + length, -1)]
    for list_ in events:
        busy = 0
        for _, change in sorted(list_):
            busy += change
            if busy > slots:
                return False
    return True


def main(file, slots, objective, seconds):
    jobs = [(job.get("map_ms", []), job.get("reduce_ms", [])) for job in map(json.loads, open(file))]
    horizon = sum(max(tasks, default=0) * -(-len(tasks) // slots) for job in jobs for tasks in job)
    model = cp_model.CpModel()
    starts, ends, all_maps, all_reduces = [], [], [], []
    for maps, reduces in jobs:
        map_starts, map_intervals, _, maps_done = stage(model, maps, horizon)
        reduce_starts, reduce_intervals, reduces_begin, reduces_done = stage(model, reduces, horizon)
        for map_done in maps_done:
            for begin in reduces_begin:
                model.add(begin >= map_done)
        end = model.new_int_var(0, horizon, "")
        for done in reduces_done or maps_done:
            model.add(end >= done)
        starts.append((map_starts, reduce_starts))
        ends.append(end)
        all_maps += map_intervals
        all_reduces += reduce_intervals
    share(model, all_maps, slots)
    share(model, all_reduces, slots)
    if objective == "makespan":
        value = model.new_int_var(0, horizon, "")
        for end in ends:
            model.add(value >= end)
        model.minimize(value)
    else:
        model.minimize(sum(ends))

    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds, solver.parameters.num_workers = seconds, 2
    began = time.perf_counter()
    status = solver.solve(model)
    answer = {"seconds": time.perf_counter() - began, "proved": status == cp_model.OPTIMAL, "value": None, "bound": int(solver.best_objective_bound)}
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        answer["value"] = int(solver.objective_value)
        at = [tuple([solver.value(start) for start in list_] for list_ in job) for job in starts]
        done = [solver.value(end) for end in ends]
        total = max(done) if objective == "makespan" else sum(done)
        if total != answer["value"] or not check(jobs, at, done, slots):
            raise SystemExit("cpsat: not a schedule")
    print(json.dumps(answer))


main(sys.argv[1], int(sys.argv[2]), sys.argv[3], float(sys.argv[4]))
