"""Snakemake in a process that has imported what it and the server of its jobs need: a run is a copy of it, and so is the server.

Reads requests from its standard input, one a line, and answers each with the exit status of the run. Its argument is the code
that both begin with.
"""

import fcntl
import gc
import importlib
import json
import os
import runpy
import socket
import sys
from multiprocessing import util

#: Nothing of benchmill: a run may be of a copy of the project.
AHEAD = (
    "snakemake.cli",
    "snakemake.report",
    "jsonschema",
    "referencing.jsonschema",
)


def set_environment(environment, *first):
    """Be as a process that was started with this environment; what libraries read when they were imported stays."""
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:1] = [*first, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]


def serve(requests):
    """Be the server of jobs that is asked for, if one is."""
    told, received, _, _ = socket.recv_fds(requests, 1 << 20, 8)
    if not told:
        return
    code, numbers, environment = json.loads(told)
    above = 1000
    kept = [fcntl.fcntl(each, fcntl.F_DUPFD, above) for each in received]
    os.closerange(3, above)
    for each, number in zip(kept, numbers, strict=True):
        os.dup2(each, number)
        os.close(each)
    set_environment(environment)
    sys.argv = ["-c"]
    exec(code, {"__name__": "__main__"})


def keep_server():
    """Fork what becomes the server of this run's jobs; `multiprocessing` starts that one in place of a Python of its own."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if not pid:
        ours.close()
        try:
            serve(theirs)
        finally:
            os._exit(0)
    theirs.close()
    spawn = util.spawnv_passfds

    def start(path, arguments, passed):
        if "forkserver" not in arguments[-1]:
            return spawn(path, arguments, passed)
        # one that ends and is asked for again is started as ever
        util.spawnv_passfds = spawn
        socket.send_fds(ours, [json.dumps([arguments[-1], passed, {**os.environ}]).encode()], passed)
        ours.close()
        return pid

    util.spawnv_passfds = start


def become(arguments, environment, folder, output, here):
    """Do what `python -m snakemake` does, in a session of its own."""
    os.setsid()
    with open(output, "wb", buffering=0) as told, open(os.devnull, "rb") as nothing:
        for ours, theirs in ((nothing, 0), (told, 1), (told, 2)):
            os.dup2(ours.fileno(), theirs)
    os.chdir(folder)
    if sys.platform == "linux":
        keep_server()
    set_environment(environment, *[folder][:here])
    sys.argv = ["snakemake", *arguments]
    runpy.run_module("snakemake", run_name="__main__", alter_sys=True)


def main():
    """Answer requests until there are none."""
    for name in AHEAD:
        importlib.import_module(name)
    exec(sys.argv[1], {})
    # what is there is not looked at again: a copy would have to copy all of it
    gc.freeze()
    while request := sys.stdin.buffer.raw.readline():
        pid = os.fork()
        if not pid:
            return become(*json.loads(request))
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
