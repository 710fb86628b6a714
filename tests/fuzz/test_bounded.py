"""The fuzz targets on a bounded number of damaged samples, the same in every run."""

import os
import signal
import tomllib
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmill.readers import solver_logs
from benchmill.readers.solver_logs import dialect_of
from benchmill.readers.table_options import PRESETS
from tests.fuzz import mutation, samples, targets

#: Damaged samples of each target.
NUMBER = int(os.environ.get("BENCHMILL_FUZZ", "20"))
#: No sample takes longer; a reader that would go on for ever is stopped.
SECONDS = 30
TARGETS = targets.all_targets()
SMALLEST = {
    format: min(((samples.pack(files), options) for files, options in chosen), key=lambda sample: len(sample[0]))
    for format, chosen in samples.READERS.items()
}


@contextmanager
def alarm():
    def stop(*_):
        raise AssertionError(f"it does not end within {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_samples(name):
    run, seeds = TARGETS[name]
    for number in range(max(NUMBER, len(seeds))):
        data = mutation.mutated(seeds, number, name)
        with alarm():
            try:
                run(data)
            except BaseException as error:
                error.add_note(f"sample {number} of {name}: {data[:3000]!r}")
                raise


def test_every_solver_and_every_preset_has_a_sample():
    # several are of solvers that their logs do not name
    names = [*tomllib.loads(Path(solver_logs.__file__).with_suffix(".toml").read_text("utf-8"))]
    assert {names[solver_logs._ALL.index(dialect_of(text))] for text in samples.LOGS.values()} == {*names}
    assert {*PRESETS} == {"criterion", *samples.test_programs.SAMPLES, *samples.test_programs.HISTORIES}


@pytest.mark.parametrize("name", ["archive", "configuration", *samples.READERS])
def test_hostile_samples_as_they_are(name):
    run, seeds = TARGETS[name]
    for data in seeds[:20]:
        with alarm():
            run(data)


@pytest.mark.parametrize("format", SMALLEST)
def test_the_smallest_sample_cut_anywhere(format):
    """At 200 places, or at every byte if more damaged samples are asked for."""
    data, options = SMALLEST[format]
    for end in range(0, len(data), 1 if "BENCHMILL_FUZZ" in os.environ else len(data) // 200 + 1):
        with alarm():
            targets.inspection(format, options, data[:end])
