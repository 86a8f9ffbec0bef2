"""The daemon's wall clock jumps forward and back by an hour, twice (libfaketime).

A promised deadline is an instant of the daemon's wall clock. While that is an hour ahead, a deadline that is less than an hour away is past,
whatever the cluster does. So there are two promises, whose jobs run while the clock jumps. The deadline of one is further away than any jump:
no jump may put it at risk. That of the other is five minutes away: the clock goes over it and comes back. The log must tell at once that it
has passed and that its promise is at risk, and when the clock is right again, that the promise is safe. Both must be kept."""
import pathlib
import time

from faults.run import HOUR, Run

NEAR = 300_000  # ms: a deadline over which the clock jumps
AT_ONCE = 20    # seconds within which the log tells what a jump changes


def library():
    return next((str(each) for each in pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)


def run(bench):
    own = Run(bench, "clock-jumped")
    own.promise()
    own.promise_note = ("two deadlines, and only its clock puts them at risk. One is further away than any jump, and no risk of it is told. The "
                        f"other is {NEAR // 60_000} minutes away. When the clock jumps over it, the log tells that it has passed and that its "
                        "promise is at risk. When the clock is right again, it tells that the promise is safe")
    clock = own.folder / "clock"

    def set_clock(offset):
        fresh = clock.with_suffix(".new")
        fresh.write_text(offset + "\n")
        fresh.rename(clock)

    def jump(offset):
        set_clock(offset)
        own.say(f"the daemon's clock is off by {offset} s; {dict(own.states())}")

    def of_near():
        return [each["what"] for each in own.leader().events(own.token())
                if each["job"] == "P3" and each["what"] in ("Late", "PromiseAtRisk", "PromiseSafe")]

    set_clock("+0")
    own.start(environment={"LD_PRELOAD": library(), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1",
                           "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"})
    own.wait_for_leader()
    own.add_early({"id": "P1", "map_ms": [180_000], "deadline_ms": 10 * HOUR, "command": own.command_of(1, 120_000)})
    own.add_early({"id": "P3", "map_ms": [120_000], "deadline_ms": NEAR, "command": own.command_of(1, 90_000)})
    own.add_jobs(seconds=120)
    own.wait(lambda: own.state("P3") == "running", 90, "P3 runs")
    time.sleep(25)
    if before := of_near():
        own.complain(f"before the clock jumps, the log tells of P3 {before}")
    jump("+3600")
    own.wait(lambda: {"Late", "PromiseAtRisk"} <= set(of_near()), AT_ONCE, "the log tells that P3's deadline has passed, and of its risk")
    time.sleep(25)
    jump("+0")
    own.wait(lambda: of_near()[-1:] == ["PromiseSafe"], AT_ONCE, "the log tells that P3's promise is safe again")
    for offset in ("-3600", "+0"):
        time.sleep(25)
        jump(offset)
    result = own.finish(told=[("ClockJumped", 4)], jumped_over=["P3"])
    result["what"] = "forward by an hour, back, back by an hour, forward"
    return result
