"""The batches that plans are made for. Files under build/bench-data/plans, made once; equal on any machine."""
import json

from plans.section import run, wavewright, work

# The nine jobs whose best single order is 6,406 and best plan 6,259 on 64 + 64 slots: maps, ms, reduces, ms.
NINE = ((60, 497, 12, 415), (87, 1281, 39, 148), (11, 1082, 45, 2128), (6, 17, 29, 504), (93, 437, 4, 384),
        (15, 1465, 38, 1598), (9, 249, 48, 872), (14, 691, 15, 230), (93, 660, 50, 1923))
NINE_SLOTS = 64


def written(name, lines):
    file = work / f"{name}.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def generated(name, workload, seed, *more):
    """`wavewright workload gen`"""
    file = work / f"{name}.jsonl"
    if not file.exists():
        run(wavewright, "workload", "gen", workload, "--seed", seed, *more, "--out", file)
    return file


def nine():
    return written("nine", ({"id": f"J{i}", "map_ms": [a] * m, "reduce_ms": [b] * r} for i, (m, a, r, b) in enumerate(NINE)))


def nine_like(seed):
    """Nine other jobs: 1 to 100 maps and 1 to 50 reduces, of one length in each job and stage."""
    return generated(f"nine-{seed}", "synthetic-unimodal", seed, "--jobs", 9, "--set", "durations=per-job", "--set", "unit_ms=1")


def flow_shop(jobs, seed):
    """A map and a reduce a job, each of 1 to 100 ms, drawn by the seed."""
    length = {"count": 1, "dist": "uniform(1,100)"}
    drawn = written(f"flow-{jobs}", ({"id": f"J{i}", "map_ms": length, "reduce_ms": length} for i in range(jobs)))
    file = work / f"flow-{jobs}-{seed}.jsonl"
    run(wavewright, "workload", "convert", drawn, file, "--seed", seed)
    return file


def jobs_of(batch):
    return [json.loads(line) for line in open(batch)]


def as_counts(batch, slots):
    """For the rivals that know jobs of alike tasks: jobs and slots, then maps, ms, reduces, ms of each job."""
    jobs = jobs_of(batch)
    file = batch.with_suffix(".counts.txt")
    lines = [f"{len(jobs)} {slots} {slots}"]
    for job in jobs:
        maps, reduces = job.get("map_ms", []), job.get("reduce_ms", [])
        assert len(set(maps)) <= 1 and len(set(reduces)) <= 1
        lines.append(f"{len(maps)} {max(maps, default=0)} {len(reduces)} {max(reduces, default=0)}")
    file.write_text("\n".join(lines) + "\n")
    return file, [job["id"] for job in jobs]
