"""A batch as a model of OR-Tools' CP-SAT: the exact rival of tests and benchmarks.

Jobs are dicts as in the workload file, with listed durations. A map takes one of the map slots, a reduce one of the
reduce slots, without interruption and in any order. A job's tasks start once it is submitted and the jobs in its
`after` are done, its reduces after its last map. A task of length 0 needs a slot that is free at its instant.
"""
import dataclasses
import time

from exact.schedule import Schedule
from ortools.sat.python import cp_model


@dataclasses.dataclass
class Answer:
    proved: bool
    bound: int  # no schedule has a smaller value
    seconds: float
    value: int | None = None
    schedule: Schedule | None = None


class Stage:
    """The maps, or the reduces, of one job: variables for their starts and intervals."""

    def __init__(self, model, lengths, horizon):
        self.lengths = lengths
        self.starts = [model.new_int_var(0, horizon, "") for _ in lengths]
        self.intervals = [model.new_fixed_size_interval_var(start, length, "") for start, length in zip(self.starts, lengths)]
        # Of each run of alike tasks, which start in their order: the first start and the last end.
        self.first, self.last = [], []
        for i, (start, length) in enumerate(zip(self.starts, lengths)):
            if i > 0 and lengths[i - 1] == length:
                model.add(self.starts[i - 1] <= start)
                self.last[-1] = start + length
            else:
                self.first.append(start)
                self.last.append(start + length)


def share(model, stages, slots):
    """Tasks of all these stages share the slots."""
    tasks = [task for stage in stages for task in zip(stage.starts, stage.lengths, stage.intervals)]
    if slots == 1:
        model.add_no_overlap([interval for _, _, interval in tasks])
        return
    model.add_cumulative([interval for _, _, interval in tasks], [1] * len(tasks), slots)
    longer = [task for task in tasks if task[1] > 0]
    for at, length, _ in tasks:
        if length == 0:  # which a cumulative constraint does not see
            model.add(sum(surrounds(model, start, long, at) for start, long, _ in longer) < slots)


def surrounds(model, start, length, at):
    """A variable that must be 1 if start < at < start + length."""
    before, after, inside = (model.new_bool_var("") for _ in range(3))
    model.add(at <= start).only_enforce_if(before)
    model.add(at >= start + length).only_enforce_if(after)
    model.add_bool_or(before, after, inside)
    return inside


def horizon_of(jobs, slots):
    """Some best schedule ends by then: none of its slots is idle while a task could start. And there is room for the jobs
    one after the other, which CP-SAT finds soon."""
    latest = max(job.get("submit_ms", 0) for job in jobs)
    kinds = ("map_ms", "reduce_ms")
    if any(job.get("after") for job in jobs):
        return latest + sum(sum(job.get(kind, [])) for job in jobs for kind in kinds)
    stages = [[(job.get(kind, []), count) for job in jobs] for kind, count in zip(kinds, slots)]
    one_after_the_other = sum(max(tasks, default=0) * -(-len(tasks) // count) for stage in stages for tasks, count in stage)
    return latest + one_after_the_other + sum(max(max(tasks, default=0) for tasks, _ in stage) for stage in stages)


def solve(jobs, slots, objective, **parameters):
    """The best schedule on (map, reduce) slots; the parameters are the solver's. Raises if CP-SAT's is none."""
    model, horizon = cp_model.CpModel(), horizon_of(jobs, slots)
    stages, ends = [], {}
    for job in jobs:
        maps, reduces = (Stage(model, job.get(kind, []), horizon) for kind in ("map_ms", "reduce_ms"))
        for done in maps.last:
            for begin in reduces.first:
                model.add(begin >= done)
        ends[job["id"]] = model.new_int_var(job.get("submit_ms", 0), horizon, "")
        for done in reduces.last or maps.last:
            model.add(ends[job["id"]] >= done)
        stages.append((maps, reduces))
    for job, (maps, reduces) in zip(jobs, stages):
        ready = [job["submit_ms"]] if job.get("submit_ms") else []
        for instant in ready + [ends[other] for other in job.get("after", [])]:
            for begin in maps.first or reduces.first or [ends[job["id"]]]:
                model.add(begin >= instant)
    for kind in (0, 1):
        share(model, [both[kind] for both in stages], slots[kind])
    if objective == "makespan":
        value = model.new_int_var(0, horizon, "")
        for end in ends.values():
            model.add(value >= end)
        model.minimize(value)
    else:
        model.minimize(sum(ends.values()) - sum(job.get("submit_ms", 0) for job in jobs))
    return answer(model, jobs, slots, objective, stages, parameters)


def answer(model, jobs, slots, objective, stages, parameters):
    solver = cp_model.CpSolver()
    for name, setting in parameters.items():
        setattr(solver.parameters, name, setting)
    began = time.perf_counter()
    status = solver.solve(model)
    found = Answer(status == cp_model.OPTIMAL, round(solver.best_objective_bound), time.perf_counter() - began)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        found.value = round(solver.objective_value)
        found.schedule = Schedule(jobs, [[[solver.value(start) for start in stage.starts] for stage in both] for both in stages])
        if wrong := found.schedule.wrong(slots):
            raise SystemExit(f"cpsat: not a schedule: {wrong}")
        if found.schedule.value(objective) > found.value:
            raise SystemExit("cpsat: the schedule's value is another")
    return found
