"""What a section of the planning page is, and what its rows are made with."""
import dataclasses, json, os, pathlib, subprocess, sys, time
from typing import Callable

from measured.process import run

root = pathlib.Path(__file__).resolve().parents[2]
peers = pathlib.Path(os.environ.get("WAVEWRIGHT_PEERS", root / "../shared/peers")).resolve()
wavewright, work = root / "build/wavewright", root / "build/bench-data/plans"


@dataclasses.dataclass
class Section:
    heading: str
    text: str  # what is measured, and how to do it by hand
    columns: list
    rows: dict  # name -> function of the options: lines of cells, a table line each
    after: Callable = lambda: ""  # what the rows together say, once they were measured


class Wrong(SystemExit):
    """Two programs disagree, or a proof is broken: no figures then."""

    def __init__(self, what):
        super().__init__(f"bench: {what}")


def plan(batch, slots, method, *more, objective="makespan", out=None):
    """The plan and the seconds of the whole process; the command that made it is the page's."""
    command = [wavewright, "plan", batch, "--map-slots", slots, "--reduce-slots", slots, "--method", method,
               "--objective", objective, "--json", *more, *(["--out", out] if out else [])]
    began = time.monotonic()
    made = json.loads(run(*command))
    made["whole_seconds"] = time.monotonic() - began
    made["value_ms"] = made["makespan_ms" if objective == "makespan" else "total_completion_ms"]
    if made["value_ms"] < made["lower_bound_ms"]:
        raise Wrong(f"{method} on {batch.name}: {made['value_ms']} is below its own bound {made['lower_bound_ms']}")
    return made


def simulated(batch, slots, map_order, reduce_order=None):
    """The makespan that Wavewright's simulator gives a rival's orders, ms."""
    document = {"order": map_order, "pools": [{"map_slots": slots, "reduce_slots": slots, "jobs": map_order}]}
    if reduce_order:
        document.update(map_order=map_order, reduce_order=reduce_order)
    file = work / "rival.plan.json"
    file.write_text(json.dumps(document))
    return json.loads(run(wavewright, "simulate", batch, "--map-slots", slots, "--reduce-slots", slots, "--plan", file, "--json"))["makespan_ms"]


def rival(name):
    """A rival's program, made from its source; None where that is not at hand."""
    source, program = peers / f"{name}.cpp", work / name
    if not source.exists():
        return None
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        run("g++", "-std=c++20", "-O3", "-march=native", "-w", source, "-o", program)
    return program


def cpsat():
    """A Python with OR-Tools, None where there is no way to it."""
    found = subprocess.run([root / "tools/exact/python", "--install"], capture_output=True, text=True)
    return found.stdout.strip() if found.returncode == 0 else None


def solved_by_cpsat(python, batch, slots, objective, seconds, ours):
    """CP-SAT's answer on the batch with two workers, held against our value and bound."""
    answer = json.loads(run(python, root / "bench/plans/cpsat.py", batch, slots, objective, seconds))
    if answer["bound"] > ours["value_ms"]:
        raise Wrong(f"CP-SAT proves {answer['bound']} on {batch.name}, our plan has {ours['value_ms']}")
    if answer["value"] is not None and answer["value"] < ours["lower_bound_ms"]:
        raise Wrong(f"CP-SAT has {answer['value']} on {batch.name}, below our bound {ours['lower_bound_ms']}")
    return answer


def percent(share):
    return "–" if share is None else "0" if share == 0 else f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.0f} %"


def seconds_of(value):
    return f"{value * 1e3:.1f} ms" if value < 0.1 else f"{value:.2f} s"
