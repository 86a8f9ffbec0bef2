"""Small random batches: ties, tasks of length 0, skew, late submissions, workflows."""
import collections
import copy
import random

MOST_TASKS = 12  # before the last job; CP-SAT proves the optimum of nearly all such batches
Batch = collections.namedtuple("Batch", "jobs slots objective")


def tasks_of(job):
    return len(job["map_ms"]) + len(job["reduce_ms"])


def random_batch(seed, number):
    """Equal arguments give equal batches."""
    draw = random.Random(f"{seed}-{number}")
    length = draw.choice([
        lambda: draw.randint(1, 12),
        lambda: draw.randint(1, 100),
        lambda: draw.choice([0, 0, draw.randint(1, 9)]),
        lambda: draw.choice([1, 2, 3, draw.randint(20, 60)]),  # skewed
    ])
    alike = draw.random() < 0.3

    def lengths(count):
        one = length()
        return [one if alike else length() for _ in range(count)]

    jobs = []
    while len(jobs) < 2 or (len(jobs) < 6 and sum(map(tasks_of, jobs)) < MOST_TASKS and draw.random() < 0.75):
        jobs.append({"id": f"J{len(jobs)}", "map_ms": lengths(draw.randint(1, 4)), "reduce_ms": lengths(draw.randint(0, 3))})
    if draw.random() < 0.4:
        latest = draw.choice([5, 30, 100])
        for job in jobs:
            job["submit_ms"] = draw.randint(0, latest)
    if draw.random() < 0.3:
        order = draw.sample(jobs, len(jobs))
        for i, job in enumerate(order[1:], 1):
            if draw.random() < 0.5:
                job["after"] = [other["id"] for other in draw.sample(order[:i], draw.randint(1, min(2, i)))]
    slots = (1, 1) if draw.random() < 0.4 else (draw.randint(1, 4), draw.randint(1, 3))
    return Batch(jobs, slots, ("makespan", "total-completion")[number % 2])


def smaller(batch):
    """Batches that are one step smaller."""
    jobs, slots, objective = batch
    for i, job in enumerate(jobs):
        others = copy.deepcopy(jobs[:i] + jobs[i + 1:])
        for other in others:
            if job["id"] in other.get("after", []):
                other["after"] = [name for name in other["after"] if name != job["id"]]
        if others:
            yield Batch(others, slots, objective)
        for change in changes(job):
            yield Batch(jobs[:i] + [change] + jobs[i + 1:], slots, objective)


def changes(job):
    for field in ("after", "submit_ms"):
        if job.get(field):
            yield {name: value for name, value in job.items() if name != field}
    for kind in ("map_ms", "reduce_ms"):
        tasks = job[kind]
        for k, length in enumerate(tasks):
            yield {**job, kind: tasks[:k] + tasks[k + 1:]}
            for less in {0, 1, length // 2, length - 1}:
                if 0 <= less < length:
                    yield {**job, kind: tasks[:k] + [less] + tasks[k + 1:]}
