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
        self.runs = 0
        self.worse = {"a paper's method": [], "the plain search": []}  # how much, of each plan that was

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
                papers = min(runs[seed if len(runs) > 1 else 0]["value_ms"] for method, runs in made.items() if method not in ("best", PLAIN))
                self.runs += 1
                for excess, value in zip(self.worse.values(), (papers, made[PLAIN][seed]["value_ms"])):
                    if one["value_ms"] > value:
                        excess.append(one["value_ms"] / value - 1)
            for method, runs in made.items():
                values = [one["value_ms"] for one in runs]
                to_known, to_bound = ([value / base - 1 for value in values] for base in (known, bound))
                yield (method, len(runs), known if method == "best" else "", percent(statistics.mean(to_known)), percent(max(to_known)),
                       percent(statistics.mean(to_bound)), percent(max(to_bound)), seconds_of(statistics.mean(one["seconds"] for one in runs)))
        return measure

    def after(self):
        told = [f"{len(excess)} were worse than {whose} with the same seed and time" + (f", by {percent(max(excess))} at most" if excess else "")
                for whose, excess in self.worse.items()]
        return f"Of {self.runs} plans of `best`, {'; '.join(told)}."


def unlimited(workload, slots):
    """`plan` as it is called most: every method, each with as many schedules as it tries by itself."""
    def measure(options):
        batch = instances.generated(workload, workload, 1)
        document = json.loads(run(wavewright, "plan", batch, "--map-slots", slots, "--reduce-slots", slots, "--json"))
        rows = {row["method"]: row for row in document["compared"]}
        best = rows.pop("best")
        other = min(rows.values(), key=lambda row: row["makespan_ms"])
        if best["makespan_ms"] > other["makespan_ms"]:
            raise Wrong(f"best is worse than {other['method']} on {workload} and {slots} slots")
        yield (best["makespan_ms"], percent(best["gap"]), seconds_of(best["seconds"]), other["method"], f"{other['makespan_ms'] / best['makespan_ms']:.5f}",
               seconds_of(other["seconds"]))
    return measure


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
        Section("`best` is never worse",
                "`wavewright plan BATCH --map-slots N --reduce-slots N` on HP's workloads (`wavewright workload gen WORKLOAD --seed 1`): every method, without a time limit, and `best`, "
                "which begins with their plans; its time is what it takes beyond theirs. The run fails where any is better.",
                ["best, ms", "gap", "time", "next best", "theirs / ours", "their time"],
                {f"never-worse-{workload}-{slots}": unlimited(workload, slots) for workload in WORKLOADS for slots in SLOTS}),
        Section("HP's workloads: 100 jobs",
                "`wavewright workload gen WORKLOAD --seed 1`, then `wavewright plan --map-slots N --reduce-slots N --method METHOD --seed S --time-limit {seconds}s` for S from 1 to {seeds} "
                "where the seed matters; beside them a plain local search of one order from Johnson's two on (bench/plain_search.cpp), as long. Best known: the best makespan of all these runs; bound: the largest they prove. Gaps over the seeds: mean and worst.",
                ["method", "runs", "best known, ms", "gap to it", "worst", "gap to the bound", "worst", "time"],
                {f"{workload}-{slots}": compared.row(workload, slots) for workload in WORKLOADS for slots in SLOTS}, compared.after),
        Section("10,000 jobs",
                "`wavewright workload gen WORKLOAD --jobs 10000 --seed 1`, on 1,000 + 1,000 slots: `--method best --time-limit 20s`; the process also reads the file and says what limits the plan.",
                ["workload", "tasks", "makespan ms", "gap", "planning", "whole process"],
                {f"large-{workload}": large(workload) for workload in ("facebook", "synthetic-unimodal")}),
    ]
