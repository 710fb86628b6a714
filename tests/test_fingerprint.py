"""The digest of a rule's code changes with the code that the rule uses, and with nothing else."""

import shutil
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
        for cached in (module._path, module._code, module._imports):
            cached.cache_clear()
        return module.fingerprint(script, *modules)

    yield root, script, digest
    for cached in (module._path, module._code, module._imports):
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
