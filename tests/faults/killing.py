"""Runs that are killed at random moments, in the four ways that a run can be: politely, all of it, its head, one of its jobs."""

import os
import random
import signal
import subprocess
import time

#: No run takes so many seconds more than ten times what an undisturbed one takes.
_LONGEST = 300

WAYS = ("asked to end", "killed with its jobs", "killed without its jobs", "one job killed")


def jobs_of(process):
    """Processes of the jobs of a Snakemake process, and the server that they are copies of."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=", "-o", "ppid="], capture_output=True, text=True, check=False)
    parents = dict(map(int, line.split()) for line in listed.stdout.splitlines())
    found = [process.pid]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found[1:]


def kill(process, way, choose):
    """Kill a run that is under way; nothing happens where it has ended."""
    try:
        if way == "asked to end":
            process.terminate()
        elif way == "killed with its jobs":
            os.killpg(process.pid, signal.SIGKILL)
        elif way == "killed without its jobs":
            process.kill()
        elif jobs := jobs_of(process):
            os.kill(choose.choice(jobs), signal.SIGKILL)
    except ProcessLookupError:
        pass


def killed_until_done(workspace, kills, seconds, seed, *arguments):
    """Start a run again and again, `kills` times with a kill on the way, until a run ends well.

    Returns what was done to it, one line per run. A lock that is left is taken away in the way that the message says.
    """
    choose, told, left = random.Random(seed), [], kills
    while True:
        process = workspace.start(*arguments)
        moment = choose.uniform(0, seconds)
        if left:
            way = WAYS[left % len(WAYS)]
            deadline = time.monotonic() + moment
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            if process.poll() is None:
                kill(process, way, choose)
                left -= 1
                told.append(f"{way} after {moment:.1f} s")
        try:
            output, _ = process.communicate(timeout=_LONGEST + 10 * seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise AssertionError(f"hangs: {told}\n{process.communicate()[0]}") from None
        if "cannot be locked" in output:
            assert "--unlock" in output
            assert workspace.run("--unlock").code == 0
            told.append("unlocked")
        elif process.returncode == 0:
            return [*told, "done"]
        else:
            assert told, output
            assert "UserError" not in output, output
            told.append(f"ended with {process.returncode}")
        if len(told) > 4 * kills + 4:
            raise AssertionError(f"does not end: {told}\n{output}")
