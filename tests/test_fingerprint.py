"""The digest of a rule's code changes with the code that the rule uses, and with nothing else."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import benchmill
from benchmill import fingerprint as module


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package in which files may be edited."""
    root = tmp_path / "benchmill"
    shutil.copytree(Path(benchmill.__file__).parent, root)
    monkeypatch.setattr(module, "_ROOT", root)
    script = tmp_path / "script.py"
    script.write_text('"""Say what it does."""\nfrom benchmill.seeds import stream\n\nprint(stream(1))\n')

    def digest(*modules):
        for cached in (module._path, module._compiled, module._code, module._imports):
            cached.cache_clear()
        return module.fingerprint(script, *modules)

    yield root, script, digest
    for cached in (module._path, module._compiled, module._code, module._imports):
        cached.cache_clear()


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_changed_kernel_changes_it(package):
    root, _, digest = package
    before = digest()
    edit(root / "seeds.py", '"<u4"', '">u4"')
    assert digest() != before


def test_a_changed_docstring_or_comment_does_not(package):
    root, script, digest = package
    before = digest()
    edit(root / "seeds.py", "One stream", "A stream")
    edit(root / "seeds.py", "Random numbers for", "# a comment\n    Random numbers for")
    edit(script, "Say what", "Tell what")
    edit(script, "print", "# why\nprint")
    assert digest() == before


def test_a_changed_script_does(package):
    _, script, digest = package
    before = digest()
    edit(script, "stream(1)", "stream(2)")
    assert digest() != before


def test_a_module_that_is_not_used_does_not(package):
    root, _, digest = package
    before = digest()
    edit(root / "labels.py", "_LONGEST_FILE_NAME = 100", "_LONGEST_FILE_NAME = 99")
    assert digest() == before
    assert digest("benchmill.labels") != before


def test_imports_of_imports_count(package):
    root, script, digest = package
    script.write_text("from benchmill import schema\n")
    before = digest()
    edit(root / "errors.py", "class UserError(Exception):", "class UserError(ValueError):")
    assert digest() != before


def test_imports_inside_functions_count(package):
    root, script, digest = package
    script.write_text("def f():\n    from benchmill import labels\n    return labels\n")
    before = digest()
    edit(root / "labels.py", "_LONGEST_FILE_NAME = 100", "_LONGEST_FILE_NAME = 99")
    assert digest() != before


def test_the_digest_is_the_same_in_every_process(package):
    """Strings hash differently in every process, which shows in the order of sets."""
    script = package[1]
    script.write_text("def f(x):\n    return x in {'a', 'b', 'c', 'd', 'e', 'f'}\n")
    say = f"from benchmill.fingerprint import fingerprint; print(fingerprint({str(script)!r}))"
    digests = {
        subprocess.run(
            [sys.executable, "-c", say], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(digests) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "import benchmill.labels",
        "import benchmill.labels as l",
        "from benchmill.labels import figure",
        "from benchmill import (\n    errors,\n    labels,\n)",
        "class C:\n    def f(self):\n        from benchmill import labels",
    ],
)
def test_every_form_of_import_is_seen(package, statement):
    script = package[1]
    script.write_text(statement + "\n")
    assert "benchmill.labels" in module._imports(script)


def test_imports_are_those_of_the_syntax_tree():
    """None is missed, and none is added."""
    for path in sorted(Path(benchmill.__file__).parent.rglob("*.py")):
        stated = set()
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                stated.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                stated.add(node.module)
                stated.update(f"{node.module}.{alias.name}" for alias in node.names)
        stated = {name for name in stated if name.split(".")[0] == "benchmill" and module._path(name) is not None}
        # an import for type checkers alone is in the code too, as a branch not taken; packages above are imported first
        above = {name.rsplit(".", i)[0] for name in stated for i in range(name.count(".") + 1)}
        assert set(module._imports(path)) == above, path
