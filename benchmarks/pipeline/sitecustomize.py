"""Where the processor time of a run goes, told by every Python of it when it ends.

Python imports this where the folder is on its path. Each process writes one line of JSON to the file `BREAKDOWN`: its script,
seconds of processor time in imports, in all, and in programs that it started, and when it began and ended.
A copy of a process (`os.fork`) counts from its own beginning.
"""

import atexit
import builtins
import importlib
import json
import os
import sys
import time

spent = {}


def begin():
    """Set the counters of this process to zero; what a fresh process has used so far is its own."""
    used = os.times()
    spent.update(
        imports=0.0,
        importing=False,
        before=used.user + used.system,
        programs=used.children_user + used.children_system,
        begun=time.time(),
    )


def timed(function):
    """The same, and how long the outermost imports take."""

    def importing(*arguments, **keywords):
        # most calls are for what is there already
        if spent["importing"] or (arguments[0] in sys.modules and not (len(arguments) > 3 and arguments[3])):
            return function(*arguments, **keywords)
        spent["importing"], start = True, time.thread_time()
        try:
            return function(*arguments, **keywords)
        finally:
            spent["importing"] = False
            spent["imports"] += time.thread_time() - start

    return importing


def told():
    """Write down what this process has used."""
    used = os.times()
    line = {
        "script": os.path.basename(sys.argv[0]),
        "imports": spent["imports"],
        "python": used.user + used.system - spent["before"],
        "programs": used.children_user + used.children_system - spent["programs"],
        "begun": spent["begun"],
        "ended": time.time(),
    }
    with open(os.environ["BREAKDOWN"], "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def leave(status, leave=os._exit):
    """A copy leaves without what Python does at its end."""
    told()
    leave(status)


if "BREAKDOWN" in os.environ:
    begin()
    spent["before"] = 0.0
    os.register_at_fork(after_in_child=begin)
    builtins.__import__ = timed(builtins.__import__)
    importlib.import_module = timed(importlib.import_module)
    os._exit = leave
    atexit.register(told)
