"""Nine jobs: the best single order against plain searches of all orders, and two orders against their rivals."""
import re, time

from plans import instances
from plans.section import Section, Wrong, cpsat, percent, plan, rival, run, seconds_of, simulated, solved_by_cpsat

SLOTS = instances.NINE_SLOTS
ROUNDS = 5  # in turn; the best counts: what else the machine does only adds
TEN = range(1, 11)
PUBLISHED_SECONDS = 97.179  # ORDER's engine on nine jobs of its own [ORDER table 2]


def single_orders(options):
    batch = instances.nine()
    counts, names = instances.as_counts(batch, SLOTS)
    programs = {"plain depth-first search (brute.cpp)": (rival("brute"), "dfs"), "every order from scratch, a heap (brute_naive.cpp)": (rival("brute_naive"),)}
    ours, whole, theirs = [], [], {name: [] for name, (program, *_) in programs.items() if program}
    for round_ in range(ROUNDS):
        made = plan(batch, SLOTS, "exhaustive")
        ours.append(made["seconds"])
        whole.append(made["whole_seconds"])
        for name in theirs:
            program, *mode = programs[name]
            if round_ > 0 and min(theirs[name])[0] > 1:
                continue  # seconds long: once is enough
            out = run(program, counts, *mode)
            value, seconds = int(re.search(r"best (\d+)", out).group(1)), float(re.search(r"wall ([\d.]+) s", out).group(1))
            order = re.search(r"order ([\d ]+) leaves", out)
            theirs[name].append((seconds, value, [names[int(i)] for i in order.group(1).split()] if order else None))
    if not made.get("best_single_order"):
        raise Wrong("the best single order of nine jobs is not proved")
    best = min(ours)
    yield "`exhaustive`, proved", made["value_ms"], seconds_of(best), 1
    yield "the whole process", made["value_ms"], seconds_of(min(whole)), f"{min(whole) / best:.2f}"
    for name, runs in theirs.items():
        seconds, value, order = min(runs)
        if value != made["value_ms"] or (order and simulated(batch, SLOTS, order) != value):
            raise Wrong(f"{name} has {value}, we have {made['value_ms']}")
        yield name, value, seconds_of(seconds), f"{seconds / best:.2f}"
    yield "ORDER's engine, as published, nine jobs of its own", "–", f"{PUBLISHED_SECONDS} s", "–"


def two_orders(options):
    batch = instances.nine()
    quick = plan(batch, SLOTS, "best", "--time-limit", "100ms")
    runs = [plan(batch, SLOTS, "best") for _ in range(ROUNDS)]
    made = min(runs, key=lambda run_: run_["seconds"])
    line = lambda name, one, seconds: (name, one["value_ms"], one["lower_bound_ms"], "yes" if one["proved_optimal"] else "no", seconds_of(seconds), f"{one['value_ms'] / made['value_ms']:.4f}")
    yield line("`best`, 0.1 s", quick, quick["seconds"])
    yield line("`best`", made, made["seconds"])
    yield line("the whole process", made, min(run_["whole_seconds"] for run_ in runs))
    found = by_plain_search(batch, 1)
    if found:
        yield "plain search of two orders (two_order.cpp), 1 s", found[0], "–", "no", f"found after {seconds_of(found[1])}", f"{found[0] / made['value_ms']:.4f}"
    python = cpsat()
    if python:
        answer = solved_by_cpsat(python, batch, SLOTS, "makespan", options.rival_seconds, made)
        yield "CP-SAT 9.15", answer["value"] or "none", answer["bound"], "yes" if answer["proved"] else "no", seconds_of(answer["seconds"]), f"{answer['value'] / made['value_ms']:.4f}" if answer["value"] else "–"


def by_plain_search(batch, seconds):
    """What two_order.cpp finds, and after how many seconds; its orders are simulated."""
    program = rival("two_order")
    if not program:
        return None
    counts, names = instances.as_counts(batch, SLOTS)
    last = re.findall(r"([\d.]+) s best (\d+) map order ([\d ]+) reduce order ([\d ]+)", run(program, counts, seconds))[-1]
    map_order, reduce_order = ([names[int(i)] for i in order.split()] for order in last[2:])
    if simulated(batch, SLOTS, map_order, reduce_order) != int(last[1]):
        raise Wrong(f"two_order.cpp says {last[1]} of {batch.name}, the simulator does not")
    return int(last[1]), float(last[0])


class OtherNine:
    """Ten batches of nine jobs, a row each."""

    def __init__(self):
        self.ratios = []

    def row(self, seed):
        def measure(options):
            batch = instances.nine_like(seed)
            made = plan(batch, SLOTS, "best", "--time-limit", "1s")
            found = by_plain_search(batch, 1)
            if found and found[0] < made["lower_bound_ms"]:
                raise Wrong(f"two_order.cpp has {found[0]} on {batch.name}, below our bound")
            if found:
                self.ratios.append(found[0] / made["value_ms"])
            yield (made["value_ms"], percent(made["gap"]), "yes" if made["proved_optimal"] else "no", seconds_of(made["seconds"]),
                   found[0] if found else "–", seconds_of(found[1]) if found else "–", f"{self.ratios[-1]:.4f}" if found else "–")
        return measure

    def after(self):
        if not self.ratios:
            return ""
        return (f"Theirs over ours: {min(self.ratios):.4f} to {max(self.ratios):.4f}; ours is worse on "
                f"{sum(ratio < 1 for ratio in self.ratios)} of {len(self.ratios)}.")


def sections():
    others = OtherNine()
    return [
        Section("All single orders of nine jobs",
                "`wavewright plan nine.jsonl --map-slots 64 --reduce-slots 64 --method exhaustive`: 388 maps and 280 reduces of nine jobs. The best of "
                f"{ROUNDS} rounds in turn. Rivals' best orders are simulated and must have the same makespan.",
                ["program", "makespan ms", "time", "time / ours"], {"nine-orders": single_orders}),
        Section("Two orders of nine jobs",
                "The same batch with an order for maps and another for reduces: `--method best`. CP-SAT has an interval a task, two workers, and {rival_seconds} s.",
                ["program", "makespan ms", "lower bound ms", "proved", "time", "value / ours"], {"nine-two-orders": two_orders}),
        Section("Ten other batches of nine jobs",
                "`wavewright workload gen synthetic-unimodal --jobs 9 --set durations=per-job --set unit_ms=1 --seed S`, on 64 + 64 slots: `--method best --time-limit 1s`, which ends sooner where "
                "it proves its plan, against a plain local search of two orders (two_order.cpp), which takes its second.",
                ["best, ms", "gap", "proved", "time", "two_order.cpp, ms", "found after", "theirs / ours"],
                {f"nine-{seed}": others.row(seed) for seed in TEN}, others.after),
    ]
