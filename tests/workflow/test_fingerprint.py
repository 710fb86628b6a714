"""The digest of a rule's code changes with the code that the rule uses, and with nothing else."""

import ast
import os
import shutil
import subprocess
import sys
import time
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import SimpleNamespace

import pytest

import benchmill
from benchmill.workflow import fingerprint as module


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package in which files may be edited."""
    root = tmp_path / "benchmill"
    shutil.copytree(Path(benchmill.__file__).parent, root)
    monkeypatch.setattr(module, "_ROOT", root)
    script = tmp_path / "script.py"
    script.write_text('"""Say what it does."""\nfrom benchmill.core.seeds import stream\n\nprint(stream(1))\n')

    def digest(*modules, memory=None):
        forget()
        return module.fingerprint(script, *modules, memory=memory)

    yield root, script, digest
    forget()


def forget():
    """Know what a new process knows."""
    for cached in (
        module._path,
        module._content,
        module._remember,
        module._read,
        module._imports,
        module._libraries,
        module.versions,
        module._distribution,
    ):
        cached.cache_clear()
    module._KNOWN.clear()


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_changed_kernel_changes_it(package):
    root, _, digest = package
    before = digest()
    edit(root / "core/seeds.py", '"<u4"', '">u4"')
    assert digest() != before


def test_a_changed_docstring_or_comment_does_not(package):
    root, script, digest = package
    before = digest()
    edit(root / "core/seeds.py", "random numbers", "numbers at random")
    edit(root / "core/seeds.py", "    return np.random.Generator", "    # a comment\n    return np.random.Generator")
    edit(script, "Say what", "Tell what")
    edit(script, "print", "# why\nprint")
    assert digest() == before


def test_a_changed_script_does(package):
    _, script, digest = package
    before = digest()
    edit(script, "stream(1)", "stream(2)")
    assert digest() != before


def test_what_is_kept_of_a_text_is_what_is_found_in_it(package, tmp_path, monkeypatch):
    root, script, digest = package
    memory = tmp_path / "kept.json"
    before = digest()
    assert digest(memory=memory) == before
    with monkeypatch.context() as patched:
        patched.setattr(module, "_digest", None)
        assert digest(memory=memory) == before
    edit(root / "core/seeds.py", '"<u4"', '">u4"')
    script.write_text("from benchmill.text import labels\n" + script.read_text())
    after = digest()
    assert digest(memory=memory) == after != before
    for damaged in (b"", b"[]", b"{}", b"\xff", b'{"a": 1}', b'{"a": ["b", [["benchmill", 5]]]}', memory.read_bytes()[:-9]):
        memory.write_bytes(damaged)
        assert digest(memory=memory) == after
    assert digest(memory=tmp_path) == after


def test_what_is_kept_is_for_all_studies_where_python_keeps_what_it_compiles(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    in_the_run = Path(".snakemake/benchmill-code.json")
    assert module.memory() == in_the_run, "there is no such folder yet"
    beside = tmp_path / Path(module.__file__).parent.relative_to("/")
    beside.mkdir(parents=True)
    assert module.memory().parent == beside
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert module.memory() == in_the_run


def test_a_module_that_is_not_used_does_not(package):
    root, _, digest = package
    before = digest()
    edit(root / "text/labels.py", "_LONGEST_FILE_NAME = 100", "_LONGEST_FILE_NAME = 99")
    assert digest() == before
    assert digest("benchmill.text.labels") != before


def test_entries_count_where_their_registry_is_read_and_what_their_modules_compute_where_it_is_asked_for(package):
    root, script, digest = package
    script.write_text("from benchmill.registry import variants\n")
    before = digest(), digest("benchmill.profiles.data")
    edit(root / "profiles/data.py", "reals(dimensions) + 1", "reals(dimensions) + 2")
    computed = digest(), digest("benchmill.profiles.data")
    assert (computed[0] == before[0], computed[1] == before[1]) == (True, False)
    edit(root / "profiles/data.py", "is the share of {what}", "is a share of {what}")
    assert digest() != computed[0]


def test_data_beside_a_module_count_with_it_alone(package):
    root, _, digest = package
    others, before = digest(), digest("benchmill.registry.bibliography")
    edit(root / "registry/bibliography.bib", "Constraint", "Restraint")
    assert digest("benchmill.registry.bibliography") != before
    assert digest() == others


def test_all_data_but_lists_of_archives_stand_beside_a_module_under_its_name():
    root = Path(benchmill.__file__).parent
    data = [
        path
        for suffix in ("bib", "csv", "json", "toml")
        for path in root.rglob(f"*.{suffix}")
        if path.parent.name != "__pycache__"
    ]
    assert len(data) > 10
    assert [path for path in data if not path.with_suffix(".py").is_file()] == []


def test_imports_of_imports_count(package):
    root, script, digest = package
    script.write_text("from benchmill.core import schema\n")
    before = digest()
    edit(root / "core/__init__.py", "class UserError(Exception):", "class UserError(ValueError):")
    assert digest() != before


def test_imports_inside_functions_count(package):
    root, script, digest = package
    script.write_text("def f():\n    from benchmill.text import labels\n    return labels\n")
    before = digest()
    edit(root / "text/labels.py", "_LONGEST_FILE_NAME = 100", "_LONGEST_FILE_NAME = 99")
    assert digest() != before


def test_the_digest_is_the_same_in_every_process(package):
    """Strings hash differently in every process, which shows in the order of sets."""
    script = package[1]
    script.write_text("def f(x):\n    return x in {'a', 'b', 'c', 'd', 'e', 'f'}\n")
    say = f"from pathlib import *; from benchmill.workflow.fingerprint import fingerprint; print(fingerprint({script!r}))"
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
        "import benchmill.text.labels",
        "import benchmill.text.labels as l",
        "from benchmill.text.labels import figure",
        "from benchmill.text import (\n    display,\n    labels,\n)",
        "class C:\n    def f(self):\n        from benchmill.text import labels",
        # places of names and of constants that do not fit into a byte
        "; ".join(f"x{i} = {i + 0.5}" for i in range(300)) + "\nfrom benchmill.text import labels",
    ],
)
def test_every_form_of_import_is_seen(package, statement):
    script = package[1]
    script.write_text(statement + "\n")
    assert "benchmill.text.labels" in module._imports(script)


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


def test_every_library_that_the_project_imports_has_a_version():
    """One whose name is not that of its distribution would else be watched by one file alone."""
    optional = {"botocore"}
    scripts = Path(__file__).parents[2] / "scripts"
    for path in [*scripts.glob("*.py"), *Path(benchmill.__file__).parent.rglob("*.py")]:
        for library in set(module._libraries(path)) - optional:
            (first, *_) = module.versions(library)
            assert first[1][0].isdigit(), library


@pytest.fixture
def installed(monkeypatch):
    """Versions of libraries that may be changed."""
    versions = {"numpy": "2.0.0", "scipy": "1.15.0", "pyyaml": "6.0", "pillow": "11.0", "matplotlib": "3.9"}
    requires = {"matplotlib": ["pillow>=8", "numpy (>=1.23)", "absent>1", "scipy; extra == 'dev'"]}

    def distribution(name):
        if name not in versions:
            raise module.PackageNotFoundError(name)
        return SimpleNamespace(version=versions[name], requires=requires.get(name))

    monkeypatch.setattr(module, "distribution", distribution)
    return versions


@pytest.mark.parametrize(
    ("text", "library", "counts"),
    [
        ("import numpy as np\n", "numpy", True),
        ("def f():\n    from scipy.stats import norm\n", "scipy", True),
        ("import yaml\n", "pyyaml", True),
        ("import matplotlib\n", "pillow", True),
        ("from matplotlib import pyplot\n", "numpy", True),
        ("import matplotlib\n", "scipy", False),
        ("import json\n", "numpy", False),
        # by the modules of the package, not by the script
        ("from benchmill import __version__\n", "numpy", False),
        ("from benchmill.core import step_functions\n", "numpy", True),
    ],
)
def test_versions_of_the_libraries_that_are_used_count(package, installed, text, library, counts):
    _, script, digest = package
    script.write_text(text)
    before = digest()
    installed[library] = "99"
    assert (digest() != before) == counts


@pytest.mark.parametrize("name", ["benchmill.exhibits.tables.missing", "benchmill.no_such_room.x", "no_such_package", "math"])
def test_a_module_that_is_not_found_is_an_error(package, name):
    with pytest.raises(ModuleNotFoundError, match="whose code was to be watched"):
        package[2](name)


def test_a_plug_in_counts_with_its_file_and_its_libraries(package, installed, tmp_path, monkeypatch):
    script, digest = package[1:]
    monkeypatch.syspath_prepend(tmp_path / "plug_ins")
    (tmp_path / "plug_ins").mkdir()
    (tmp_path / "plug_ins" / "our_format.py").write_text("import scipy, our_names\nx = 1\n")
    (tmp_path / "plug_ins" / "our_names.py").write_text("y = 1\n")
    script.write_text("pass\n")
    seen = [digest("our_format")]
    installed["scipy"] = "99"
    seen.append(digest("our_format"))
    edit(tmp_path / "plug_ins" / "our_names.py", "1", "2")
    seen.append(digest("our_format"))
    edit(tmp_path / "plug_ins" / "our_format.py", "x = 1", "x = 2")
    seen.append(digest("our_format"))
    assert len(set(seen)) == 4


def test_a_plug_in_without_a_source_counts_with_its_version(package, installed, tmp_path, monkeypatch):
    script, digest = package[1:]
    monkeypatch.syspath_prepend(tmp_path / "plug_ins")
    (tmp_path / "plug_ins").mkdir()
    (tmp_path / "plug_ins" / f"compiled_format{EXTENSION_SUFFIXES[0]}").write_bytes(b"")
    script.write_text("pass\n")
    with pytest.raises(ModuleNotFoundError, match="whose code was to be watched"):
        digest("compiled_format")
    seen = []
    for version in ("1", "2"):
        installed["compiled-format"] = version
        seen.append(digest("compiled_format"))
    assert seen[0] != seen[1]


@pytest.fixture
def begun(package, monkeypatch):
    """A run of a script has begun; the file of a job."""
    root, script, _ = package
    monkeypatch.setenv(module._BEGUN_WITH, "")
    loaded = {f"benchmill.{name}": str(root / f"{name.replace('.', '/')}.py") for name in ("core.seeds", "text.labels")}
    monkeypatch.setattr(module, "loaded", lambda: loaded)
    module.watch(script.parent)
    job = script.parent / "of_a_job"
    job.write_bytes(b"import sys\n" + module.PREAMBLE_END + script.read_bytes())
    return root, job, loaded


def test_a_job_knows_that_the_code_is_what_it_was(begun):
    _, job, _ = begun
    assert module.check(job) is None


def test_a_module_that_was_edited_and_put_back_is_told(begun):
    root, job, _ = begun
    path = root / "core/seeds.py"
    text, state = path.read_bytes(), path.stat()
    path.write_bytes(text + b"\n")
    path.write_bytes(text)
    # clocks of file systems tick slowly: an edit by hand comes later
    wait_for_another_time(path, state)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert module.check(job) == "src/benchmill/core/seeds.py"


def wait_for_another_time(path, state):
    deadline = time.monotonic() + 20
    while path.stat().st_ctime_ns == state.st_ctime_ns:
        assert time.monotonic() < deadline
        path.write_bytes(path.read_bytes())


def test_a_module_that_the_job_has_not_imported_is_its_own_matter(begun):
    root, job, _ = begun
    edit(root / "core/__init__.py", "class UserError(Exception):", "class UserError(ValueError):")
    assert module.check(job) is None


def test_a_module_that_is_new_or_gone_is_told(begun):
    root, job, loaded = begun
    (root / "new.py").write_text("")
    loaded["benchmill.new"] = str(root / "new.py")
    assert module.check(job) == "src/benchmill/new.py"
    del loaded["benchmill.new"]
    (root / "core/seeds.py").unlink()
    assert module.check(job) == "src/benchmill/core/seeds.py"


def test_a_script_that_is_another_is_told(begun):
    _, job, _ = begun
    job.write_bytes(job.read_bytes() + b"# other\n")
    assert module.check(job) == "its script"


def test_without_a_run_nothing_is_told(package, monkeypatch, tmp_path):
    monkeypatch.delenv(module._BEGUN_WITH, raising=False)
    assert module.check(tmp_path / "absent") is None
