"""HP's workloads under every method with ten seeds, and batches of 10,000 jobs."""
import json, statistics

from plans import instances
from plans.section import Section, Wrong, percent, plan, root, run, seconds_of, simulated, wavewright

WORKLOADS = ("facebook", "m45-unimodal", "m45-bimodal", "synthetic-unimodal", "synthetic-bimodal")
SLOTS = (30, 64, 128, 256)
SEEDED = ("best", "genetic", "balanced-pools-genetic")  # what they find depends on the seed
SORTED = ("johnson", "balanced-pools", "spt")
PLAIN = "plain search of one order"


def by_plain_search(batch, slots, seed, seconds):
    """A plan's fields, of a rival that shares no code; its order is simulated."""
    text = batch.with_suffix(f".{slots}.txt")
    if not text.exists():
        run(wavewright, "workload", "convert", batch, text, "--to", "text", "--map-slots", slots, "--reduce-slots", slots)
    found = json.loads(run(root / "build/plain_search", text, seconds, seed))
    ids = [job["id"] for job in instances.jobs_of(batch)]
    if simulated(batch, slots, [ids[job] for job in found["order"]]) != found["makespan_ms"]:
        raise Wrong(f"plain_search says {found['makespan_ms']} of {batch.name}, the simulator does not")
    return {"value_ms": found["makespan_ms"], "lower_bound_ms": 0, "seconds": seconds}


class Compared:
    """Each workload on each number of slots, a row each of a line a method."""

    def __init__(self):
        self.runs = self.worse = 0
        self.largest = 0.0

    def row(self, workload, slots):
        def measure(options):
            batch = instances.generated(workload, workload, 1)
            made = {}
            for method in (*SEEDED, *SORTED):
                seeds = range(1, options.seeds + 1) if method in SEEDED else (1,)
                made[method] = [plan(batch, slots, method, "--seed", seed, "--time-limit", f"{options.seconds}s") for seed in seeds]
            made[PLAIN] = [by_plain_search(batch, slots, seed, options.seconds) for seed in range(1, options.seeds + 1)]
            known = min(one["value_ms"] for runs in made.values() for one in runs)
            bound = max(one["lower_bound_ms"] for runs in made.values() for one in runs)
            for seed, one in enumerate(made["best"]):
                others = min(runs[seed if len(runs) > 1 else 0]["value_ms"] for method, runs in made.items() if method != "best")
                self.runs += 1
                self.worse += one["value_ms"] > others
                self.largest = max(self.largest, one["value_ms"] / others - 1)
            for method, runs in made.items():
                values = [one["value_ms"] for one in runs]
                to_known, to_bound = ([value / base - 1 for value in values] for base in (known, bound))
                yield (method, len(runs), known if method == "best" else "", percent(statistics.mean(to_known)), percent(max(to_known)),
                       percent(statistics.mean(to_bound)), percent(max(to_bound)), seconds_of(statistics.mean(one["seconds"] for one in runs)))
        return measure

    def after(self):
        if self.worse:
            return (f"Of {self.runs} plans of `best`, {self.worse} were worse than another method's with the same seed and time, by "
                    f"{percent(self.largest)} at most.")
        return f"None of {self.runs} plans of `best` was worse than another method's with the same seed and time."


def large(workload):
    def measure(options):
        batch = instances.generated(f"{workload}-10000", workload, 1, "--jobs", 10000)
        made = plan(batch, 1000, "best", "--time-limit", "20s")
        tasks = sum(len(job.get("map_ms", [])) + len(job.get("reduce_ms", [])) for job in instances.jobs_of(batch))
        yield workload, tasks, made["value_ms"], percent(made["gap"]), seconds_of(made["seconds"]), seconds_of(made["whole_seconds"])
    return measure


def sections():
    compared = Compared()
    return [
        Section("HP's workloads: 100 jobs",
                "`wavewright workload gen WORKLOAD --seed 1`, then `wavewright plan --map-slots N --reduce-slots N --method METHOD --seed S --time-limit {seconds}s` for S from 1 to {seeds} "
                "where the seed matters; beside them a plain local search of one order from Johnson's on (bench/plain_search.cpp), as long. Best known: the best makespan of all these runs; bound: the largest they prove. Gaps over the seeds: mean and worst.",
                ["method", "runs", "best known, ms", "gap to it", "worst", "gap to the bound", "worst", "time"],
                {f"{workload}-{slots}": compared.row(workload, slots) for workload in WORKLOADS for slots in SLOTS}, compared.after),
        Section("10,000 jobs",
                "`wavewright workload gen WORKLOAD --jobs 10000 --seed 1`, on 1,000 + 1,000 slots: `--method best --time-limit 20s`; the process also reads the file and says what limits the plan.",
                ["workload", "tasks", "makespan ms", "gap", "planning", "whole process"],
                {f"large-{workload}": large(workload) for workload in ("facebook", "synthetic-unimodal")}),
    ]
