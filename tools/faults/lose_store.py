"""The store is away for a minute: PostgreSQL is stopped, then hangs; a SQLite file is locked by another program."""
import contextlib
import os
import signal
import sqlite3
import time

import databases
from faults.run import Run

MINUTE = 60


def postgresql(bench):
    server = bench.postgresql()
    own = Run(bench, "store-away", server.database())
    own.promise()
    own.start()
    own.wait_for_leader()
    own.add_promised(bound_ms=120_000, map_ms=70_000)  # its risk shows while the store is away, and is told before its deadline
    own.add_jobs(seconds=150)
    time.sleep(25)
    own.say("PostgreSQL is stopped for a minute")
    server.kill()
    time.sleep(MINUTE)
    server.start()
    own.wait(lambda: own.states()["done"] >= 6, 240, "jobs go on")
    own.say("PostgreSQL hangs for a minute")
    processes = databases.tree(server.process.pid)
    for each in processes:
        with contextlib.suppress(ProcessLookupError):  # one that serves a connection may end at any time
            os.kill(each, signal.SIGSTOP)
    time.sleep(MINUTE)
    for each in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGCONT)
    result = own.finish(told=[("Away", 1), ("Back", 1), ("Slow", 1)])
    server.stop()
    result["what"] = "PostgreSQL stopped for a minute, and later hanging (SIGSTOP) for one"
    return result


def sqlite(bench):
    own = Run(bench, "store-locked")
    own.promise()
    own.start()
    own.wait_for_leader()
    own.add_promised(bound_ms=150_000, map_ms=80_000)  # likewise
    own.add_jobs(seconds=120)
    time.sleep(25)
    own.say("another program locks the file for 90 s")
    other = sqlite3.connect(own.folder / "store.db", isolation_level=None, timeout=30)
    other.execute("begin exclusive")
    time.sleep(90)
    other.execute("rollback")
    other.close()
    result = own.finish(told=[("Away", 1), ("Back", 1)])
    result["what"] = "the SQLite file locked by another program for 90 s"
    return result
