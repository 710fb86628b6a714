"""Fuzz one target, or all.

python -m tests.fuzz                    the names of the targets
python -m tests.fuzz coco 5000          so many damaged samples, the same in every run
python -m tests.fuzz coco --guided DIR  guided by coverage (pip install atheris): samples into DIR, and what they lead to;
                                        arguments that follow go to libFuzzer, such as -max_total_time=600
"""

import hashlib
import sys
from pathlib import Path


def main(arguments):
    guided = "--guided" in arguments
    if guided:
        import atheris

        with atheris.instrument_imports(include=["benchmill"]):
            import benchmill.readers
            import benchmill.registry.formats
            import benchmill.study.study
            import benchmill.workflow.commands

            for format in benchmill.registry.formats.FORMATS.values():
                format.load()
    from tests.fuzz import mutation, targets

    known = targets.all_targets()
    if not arguments or arguments[0] not in known:
        sys.exit("targets: " + " ".join(known))
    name = arguments[0]
    run, seeds = known[name]
    if not guided:
        for number in range(int(arguments[1]) if len(arguments) > 1 else 1000):
            data = mutation.mutated(seeds, number, name)
            try:
                run(data)
            except BaseException:
                print(f"sample {number} of {name}: {data!r}", file=sys.stderr)
                raise
        return
    at = arguments.index("--guided")
    corpus = Path(arguments[at + 1])
    corpus.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        (corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    atheris.Setup([sys.argv[0], str(corpus), "-timeout=20", "-max_len=20000", *arguments[at + 2 :]], run)
    atheris.Fuzz()


main(sys.argv[1:])
