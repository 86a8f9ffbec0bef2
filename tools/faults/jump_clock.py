"""The daemon's wall clock jumps forward and back by an hour, twice (libfaketime)."""
import pathlib
import time

from faults.run import Run


def library():
    return next((str(each) for each in pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)


def run(bench):
    own = Run(bench, "clock-jumped")
    clock = own.folder / "clock"

    def set_clock(text):
        fresh = clock.with_suffix(".new")
        fresh.write_text(text + "\n")
        fresh.rename(clock)

    set_clock("+0")
    own.start(environment={"LD_PRELOAD": library(), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1",
                           "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"})
    own.wait_for_leader()
    own.add_jobs(seconds=120)
    for offset in ("+3600", "+0", "-3600", "+0"):
        time.sleep(25)
        set_clock(offset)
        own.say(f"the daemon's clock is off by {offset} s; {dict(own.states())}")
    result = own.finish(told=[("ClockJumped", 4)])
    result["what"] = "forward by an hour, back, back by an hour, forward"
    return result
