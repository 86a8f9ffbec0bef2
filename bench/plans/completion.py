"""Minimal total completion time, against OR-Tools' CP-SAT with the same time."""
from plans import instances
from plans.section import Section, cpsat, percent, plan, seconds_of, solved_by_cpsat

SIX = 6  # times as long for jobs with tasks


def row(make_batch, slots, longer=1):
    def measure(options):
        batch = make_batch()
        seconds = longer * options.rival_seconds
        made = plan(batch, slots, "best", "--time-limit", f"{seconds}s", objective="total-completion")
        cells = [made["value_ms"], percent(made["gap"]), "yes" if made["proved_optimal"] else "no", seconds_of(made["seconds"])]
        python = cpsat()
        if not python:
            yield *cells, "–", "–", "–", "–"
            return
        answer = solved_by_cpsat(python, batch, slots, "total-completion", seconds, made)
        value, bound = answer["value"], answer["bound"]
        yield (*cells, value or "none", percent((value - bound) / bound) if value and bound else "–", seconds_of(answer["seconds"]),
               f"{value / made['value_ms']:.3f}" if value else "–")
    return measure


def sections():
    columns = ["best, ms", "gap", "proved", "time", "CP-SAT, ms", "its gap", "its time", "its value / ours"]
    shop = {f"flow-shop-20-{seed}": row(lambda seed=seed: instances.flow_shop(20, seed), 1) for seed in (1, 2, 3)}
    tasks = {"nine-completion": row(instances.nine, instances.NINE_SLOTS, SIX)}
    tasks.update({f"nine-completion-{seed}": row(lambda seed=seed: instances.nine_like(seed), instances.NINE_SLOTS, SIX) for seed in (1, 2)})
    return [
        Section("Total completion time: 20 jobs in a flow shop of two stages",
                "One map and one reduce a job, 1 to 100 ms by the seed, on 1 + 1 slots; NP-hard. `wavewright plan --objective total-completion --method best --time-limit "
                "{rival_seconds}s`, and CP-SAT 9.15 with two workers and as long. Gap: (value − bound) / bound, each with its own bound.", columns, shop),
        Section("Total completion time: nine jobs with tasks",
                "The nine jobs of above, and two of the other batches, on 64 + 64 slots; likewise, with six times as long.", columns, tasks),
    ]
