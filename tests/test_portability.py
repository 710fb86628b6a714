"""What only some systems have is used where it is guarded, and nowhere else."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src/benchmill"
FILES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))

#: What Windows, or macOS, does not have or does otherwise.
NAMES = {
    "os": {"chown", "fork", "forkpty", "geteuid", "getuid", "killpg", "link", "mkfifo", "rename", "setsid", "symlink", "wait"},
    "signal": {"SIGALRM", "SIGCHLD", "SIGKILL", "pthread_sigmask", "setitimer"},
    "socket": {"AF_UNIX", "SOCK_SEQPACKET"},
}
MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios"}

#: Where it is used all the same, and why that does no harm.
GUARDED = {
    "workflow/fork_server.py": "runs on Linux alone; elsewhere Python starts for every job",
    "workflow/typesetting.py": "asks first whether the system has it",
    "archives/transfer.py": "Windows locks in its own way",
    "workflow/remote.py": "copies where there can be no link",
}


def found(tree):
    """What a module uses of these, and text files that it opens in an encoding of the system's choice."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in NAMES.get(node.value.id, ()):
            yield f"{node.value.id}.{node.attr}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = {alias.name for alias in node.names} if isinstance(node, ast.Import) else {node.module}
            yield from sorted(modules & MODULES)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(("/tmp", "/proc", "/dev/")):
            yield node.value
        if isinstance(node, ast.Call):
            yield from calls(node)


def calls(node):
    """What is wrong with a call: text without an encoding, or a shell."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    named = {keyword.arg for keyword in node.keywords}
    if "shell" in named:
        yield f"{called}(shell=...)"
    places = {"read_text": 0, "write_text": 1}
    is_method = isinstance(node.func, ast.Attribute)
    if is_method and called in places and "encoding" not in named and len(node.args) <= places[called]:
        yield called
    mode = next(
        (a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str) and len(a.value) < 4), "r"
    )
    if called == "open" and not is_method and "b" not in mode and "encoding" not in named:
        yield "open"


@pytest.mark.parametrize("name", [name for name in FILES if name not in GUARDED])
def test_nothing_is_used_that_only_some_systems_have(name):
    assert list(found(ast.parse((SOURCE / name).read_text("utf-8")))) == []


def test_the_guards_are_there():
    server, typesetting, transfer, remote = ((SOURCE / name).read_text("utf-8") for name in GUARDED)
    assert 'if sys.platform != "linux"' in server
    assert 'getattr(os, "killpg", os.kill)(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))' in typesetting
    assert '.prctl, 1, signal.SIGKILL) if sys.platform == "linux" else None' in typesetting
    assert 'if sys.platform == "win32"' in transfer
    assert set(found(ast.parse(transfer))) == {"fcntl"}
    assert "except (AttributeError, OSError): shutil.copyfile" in " ".join(remote.split())
    assert set(found(ast.parse(remote))) == {"os.link"}
    assert set(found(ast.parse(typesetting))) == {"signal.SIGKILL"}
