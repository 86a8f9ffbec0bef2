"""`best` against plain annealing over two orders, with equal processor time, on batches of many shapes."""
import json, random, statistics

from measured.process import run, timed
from plans.section import Section, Wrong, percent, root, wavewright, work

MAP_SLOTS, REDUCE_SLOTS = 16, 8
OBJECTIVES = {"makespan": "makespan_ms", "total-completion": "total_completion_ms"}


def lengths(draw, fewest, most, shortest=1000, longest=8000):
    return [draw.randint(shortest, longest) for _ in range(draw.randint(fewest, most))]


def small(draw, jobs=400):
    return [{"map_ms": lengths(draw, 1, 3), "reduce_ms": lengths(draw, 0, 2)} for _ in range(jobs)]


def thousand(draw):
    return small(draw, 1000)


def one_huge_task(draw):
    return [{"map_ms": lengths(draw, 2, 10) + [draw.randint(30000, 90000)], "reduce_ms": lengths(draw, 1, 4)} for _ in range(60)]


def wide_reduces(draw):
    return [{"map_ms": lengths(draw, 1, 10), "reduce_ms": lengths(draw, 8, 24, 2000, 9000)} for _ in range(60)]


def skewed_reduces(draw):
    return [{"map_ms": lengths(draw, 2, 12),
             "reduce_ms": [500 + int(1000 * draw.paretovariate(1.1)) % 120000 for _ in range(draw.randint(1, 8))]} for _ in range(80)]


def releases(draw):
    return [{"submit_ms": draw.randint(0, 300000), "map_ms": lengths(draw, 1, 12), "reduce_ms": lengths(draw, 0, 6)} for _ in range(120)]


def workflows(draw):
    jobs = []
    for i in range(100):
        job = {"map_ms": lengths(draw, 1, 8), "reduce_ms": lengths(draw, 0, 4)}
        if i > 0 and draw.random() < 0.6:
            job["after"] = [f"J{other}" for other in sorted(draw.sample(range(i), min(i, draw.randint(1, 2))))]
        jobs.append(job)
    return jobs


SHAPES = (small, thousand, one_huge_task, wide_reduces, skewed_reduces, releases, workflows)


def batch(shape, seed):
    """The batch for us and for the rival."""
    jobs = [{"id": f"J{i}", **job} for i, job in enumerate(shape(random.Random(f"{shape.__name__} {seed}")))]
    ours = work / f"{shape.__name__}-{seed}.jsonl"
    ours.write_text("".join(json.dumps(job) + "\n" for job in jobs))
    lines = [f"{len(jobs)} {MAP_SLOTS} {REDUCE_SLOTS}"]
    for job in jobs:
        after = [int(other[1:]) for other in job.get("after", ())]
        lines.append(" ".join(map(str, (job.get("submit_ms", 0), len(job["map_ms"]), len(job["reduce_ms"]), len(after),
                                        *job["map_ms"], *job["reduce_ms"], *after))))
    ours.with_suffix(".txt").write_text("\n".join(lines) + "\n")
    return ours, jobs


def simulated(ours, jobs, orders, value):
    """What Wavewright's simulator says of the rival's orders, ms."""
    names = {stage: [jobs[job]["id"] for job in orders[stage]] for stage in ("maps", "reduces")}
    plan = work / "rival.plan.json"
    plan.write_text(json.dumps({"order": names["maps"], "map_order": names["maps"], "reduce_order": names["reduces"], "task_order": "longest-first",
                                "pools": [{"map_slots": MAP_SLOTS, "reduce_slots": REDUCE_SLOTS, "jobs": names["maps"]}]}))
    slots = ("--map-slots", MAP_SLOTS, "--reduce-slots", REDUCE_SLOTS)
    return json.loads(run(wavewright, "simulate", ours, *slots, "--plan", plan, "--json"))[value]


def row(shape, objective):
    def measure(options):
        above, gaps, value = [], [], OBJECTIVES[objective]
        for seed in range(1, options.seeds + 1):
            ours, jobs = batch(shape, seed)
            made = timed(wavewright, "plan", ours, "--map-slots", MAP_SLOTS, "--reduce-slots", REDUCE_SLOTS, "--objective", objective, "--method", "best",
                         "--seed", seed, "--time-limit", f"{options.annealing_seconds}s", "--json")
            plan = json.loads(made.output)
            rival = json.loads(run(root / "build/plain_annealing", ours.with_suffix(".txt"), objective, f"{made.processor_seconds:.2f}", seed))
            if seed == 1 and simulated(ours, jobs, rival, value) != rival["value_ms"]:
                raise Wrong(f"plain_annealing says {rival['value_ms']} of {ours.name}, the simulator does not")
            above.append(plan[value] / rival["value_ms"] - 1)
            gaps.append(plan["gap"])
        signed = lambda share: f"{100 * share:+.2f} %"
        yield objective, len(above), signed(statistics.mean(above)), signed(max(above)), percent(statistics.mean(gaps))
    return measure


def sections():
    rows = {f"annealing-{shape.__name__.replace('_', '-')}-{objective}": row(shape, objective) for shape in SHAPES for objective in OBJECTIVES}
    return [Section("Plain annealing over two orders",
                    f"Batches on {MAP_SLOTS} + {REDUCE_SLOTS} slots (bench/plans/annealing.py has their shapes): `wavewright plan --method best --time-limit "
                    "{annealing_seconds}s`, and simulated annealing over two orders (bench/plain_annealing.cpp) with as much processor time as that took. "
                    "Ours / theirs − 1: below 0 is better than the rival.",
                    ["objective", "batches", "mean", "worst", "our gap to the bound"], rows)]
