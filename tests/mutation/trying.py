"""Mutants against the tests that run their lines: one collected session of pytest, a fork for each mutant."""

import importlib
import inspect
import json
import os
import random
import shutil
import signal
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.mutation import explained, operators, planting

#: Seconds of the clock for the tests of one mutant, beside ten times what they take without it.
PATIENCE = 60


@dataclass(frozen=True)
class Tried:
    """One mutant and what became of it: killed, timed out, survived, not run by any test."""

    module: str
    mutant: operators.Mutant
    fate: str
    #: The test that failed, last
    test: str = ""


class Trying:
    """The plugin that runs mutants where pytest would run tests."""

    def __init__(self, chosen):
        self.chosen, self.tried, self.failed = chosen, [], None

    def pytest_collection(self, session):
        # here, since pytest wants to import it first
        import hypothesis

        # a failure is enough; nobody reads the smallest example
        phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
        hypothesis.settings.register_profile("mutation", phases=phases)
        hypothesis.settings.load_profile("mutation")

    def pytest_runtest_logreport(self, report):
        self.failed = self.failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        # made here, so that all forks use it
        folder = session.config._tmp_path_factory.getbasetemp()
        files = {inspect.getfile(importlib.import_module(module)) for module in {module for module, _ in self.chosen}}
        covered = json.loads(_forked(lambda: self._cover(session.items, files), 3600)[1])
        if isinstance(covered, str):
            pytest.exit(f"without any mutant {covered} fails", 1)
        for module, mutant in self.chosen:
            file = inspect.getfile(importlib.import_module(module))
            tests = sorted(
                (seconds, i)
                for i, (seconds, lines) in enumerate(covered)
                if _runs(lines.get(file, ()), mutant) or _may_read(session.items[i], module, mutant)
            )
            self.tried.append(self._try(module, mutant, [(session.items[i], seconds) for seconds, i in tests]))
            print(_line(self.tried[-1]), flush=True)
            for path in Path(folder).iterdir():
                shutil.rmtree(path, ignore_errors=True)
        return True

    def _try(self, module, mutant, tests):
        if not tests:
            return Tried(module, mutant, "not run")

        def run():
            planting.plant(sys.modules[module], mutant.tree)
            for item, _ in tests:
                self._run(item)
                if self.failed:
                    return item.nodeid
            return ""

        ended, text = _forked(run, PATIENCE + 10 * sum(seconds for _, seconds in tests))
        if not ended:
            return Tried(module, mutant, "timed out")
        failed = json.loads(text)
        return Tried(module, mutant, "killed" if failed else "survived", failed)

    def _run(self, item):
        self.failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _cover(self, items, files):
        """Seconds of each test, and the lines that it runs; the name of a test where that fails."""
        covered = []
        for item in items:
            lines = {}

            def local(frame, event, _, lines=lines):
                lines.setdefault(frame.f_code.co_filename, {})[frame.f_lineno] = 1
                return local

            def calls(frame, event, _, local=local):
                return local if frame.f_code.co_filename in files else None

            begin = time.monotonic()
            sys.settrace(calls)
            try:
                self._run(item)
            finally:
                sys.settrace(None)
            if self.failed:
                return item.nodeid
            covered.append((time.monotonic() - begin, lines))
        return covered


def _runs(lines, mutant):
    # as text, since they went through JSON
    return any(int(line) in mutant.lines for line in lines)


def _may_read(item, module, mutant):
    """Whether a mistake is in a value of a module that the file of a test imports, or finds by a registry: it may run nothing."""
    if mutant.lines.stop != sys.maxsize:
        return False
    of, here = sys.modules[module], vars(item.module)
    registries = any(getattr(value, "__name__", "").startswith("benchmill.registry.") for value in here.values())
    return registries or of in here.values() or any(n.isupper() and here.get(n) is value for n, value in vars(of).items())


def _forked(work, seconds):
    """Whether a fork of this process ended by itself, and the JSON of what `work` gave there."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        try:
            text = json.dumps(work())
        except BaseException as error:
            text = json.dumps(f"{type(error).__name__}: {error}")
        with os.fdopen(writing, "w") as pipe:
            pipe.write(text)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return status == 0, text


def choose(modules, number=None, seed="1"):
    """Module and index of the mutants of some modules, or of a random sample of them, in the order of the modules."""
    every = [(module, index) for module in modules for index in range(operators.count(_source(module)))]
    if number is None or number >= len(every):
        return every
    return [every[i] for i in sorted(random.Random(seed).sample(range(len(every)), number))]


def _source(module):
    return inspect.getsource(importlib.import_module(module))


def try_all(chosen, tests):
    """What became of each chosen mutant, with the tests of these paths."""
    plugin = Trying([(module, operators.mutant(_source(module), index)) for module, index in chosen])
    # the time limits here are their own
    without = ["-pno:cacheprovider", "-pno:xdist", "-ofaulthandler_timeout=0"]
    status = pytest.main(["-q", "-s", *without, *tests], plugins=[plugin])
    if len(plugin.tried) < len(chosen):
        sys.exit(int(status) or 1)
    return plugin.tried


def report(tried):
    """The table of scores; 1 where a mutant survives and nobody has said why."""
    modules = sorted({found.module for found in tried})
    print(f"{'module':45} mutants  killed  explained  survived")
    open_ones = 0
    for module in modules:
        fates = Counter(_fate(found) for found in tried if found.module == module)
        survived = fates["survived"] + fates["not run"]
        open_ones += survived
        killed = fates["killed"] + fates["timed out"]
        print(f"{module:45} {fates.total():7} {killed:7} {fates['explained']:10} {survived:9}")
    return int(open_ones > 0)


def _fate(found):
    is_open = found.fate in ("survived", "not run")
    return "explained" if is_open and explained.reason(found.module, found.mutant) else found.fate


def _line(found):
    text = f"{_fate(found):9} {found.module}:{found.mutant.line}"
    if found.fate == "killed":
        return f"{text} by {found.test}"
    return f"{text}\n    - {found.mutant.before}\n    + {found.mutant.after}"
