"""The whole: `python -m tests.faults [kills] [seed]` kills runs of the study of every rule; same bytes?"""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults.conftest import make_every_rule
from tests.faults.killing import killed_until_done


def main(kills: int = 50, seed: int = 1, a_study: int = 10) -> int:
    """Kill so many times, `a_study` of them in each study; 1 if the bytes of any differ from those of an undisturbed run."""
    with tempfile.TemporaryDirectory(prefix="benchmill-faults-") as scratch:
        undisturbed = make_every_rule(Path(scratch) / "undisturbed" / "work")
        start = time.monotonic()
        run = undisturbed.run()
        if run.code:
            print(run.output)
            return 1
        seconds, expected = time.monotonic() - start, undisturbed.contents()
        print(f"undisturbed: {len(expected)} files, {len(run.jobs)} jobs, {seconds:.0f} s", flush=True)
        done, different, ways = 0, 0, Counter()
        while done < kills:
            workspace = make_every_rule(Path(scratch) / f"killed{done}" / "work")
            told = killed_until_done(workspace, min(a_study, kills - done), seconds / 6, seed + done)
            done += sum(" after " in line for line in told)
            ways.update(line.split(" after ")[0] for line in told)
            found = workspace.contents()
            wrong = sorted(name for name in {*expected, *found} if expected.get(name) != found.get(name))
            again = workspace.run()
            if again.jobs or again.code:
                wrong.append(f"a run more had something to do: {again.jobs}")
            different += bool(wrong)
            print(f"{done} kills: {'; '.join(told)}; {wrong or 'same bytes'}", flush=True)
        print(dict(ways))
        return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
