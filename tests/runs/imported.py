"""Snakemake in a process that has imported what it needs: a run that begins as a copy of it begins a second and a half earlier.

Reads requests from its standard input, one a line, and answers each with the exit status of the run.
"""

import gc
import importlib
import json
import os
import runpy
import sys

#: Nothing of benchmill: a run may be of a copy of the project.
AHEAD = (
    "snakemake.cli",
    "snakemake.report",
    "jsonschema",
    "referencing.jsonschema",
    "pandas",
    "pyarrow.parquet",
    "scipy.special",
)


def become(arguments, environment, folder, output):
    """Do what `python -m snakemake` does, in a session of its own."""
    os.setsid()
    with open(output, "wb", buffering=0) as told, open(os.devnull, "rb") as nothing:
        for ours, theirs in ((nothing, 0), (told, 1), (told, 2)):
            os.dup2(ours.fileno(), theirs)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:1] = [folder, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    sys.argv = ["snakemake", *arguments]
    runpy.run_module("snakemake", run_name="__main__", alter_sys=True)


def main():
    """Answer requests until there are none."""
    for name in AHEAD:
        importlib.import_module(name)
    # what is there is not looked at again: a copy would have to copy all of it
    gc.freeze()
    while request := sys.stdin.buffer.raw.readline():
        pid = os.fork()
        if not pid:
            return become(*json.loads(request))
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
