"""Random small studies, from logs to numbers and verdicts, against the naive way.

python -m tests.reference 500        so many studies of each kind, the same in every run
python -m tests.reference 500 7      so many others

A study that differs is made as small as can be and printed.
"""

import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings

from tests.reference import test_whole_way as way


def main(arguments):
    number, start = [*map(int, arguments), *(100, 1)[len(arguments) :]]
    kinds = (
        (way.studies, way.check_numbers, way.named),
        (way.judged, way.check_verdicts, way.named),
        (way.raced, way.check_summary, dict),
    )
    for drawn, check, made in kinds:
        compare(drawn, check, made, number, start)
        print(f"{check.__name__}: {number} studies agree")


def compare(drawn, check, made, number, start):
    @seed(start)
    @settings(max_examples=number, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(drawn)
    def every(found):
        with tempfile.TemporaryDirectory() as folder:
            check(Path(folder), made(found))

    every()


if __name__ == "__main__":
    main(sys.argv[1:])
