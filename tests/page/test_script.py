"""The page's script: modules that say what they need and give, put together into one scope."""

import re
from collections import Counter

import pytest

from benchmill.page import page

FOLDER = page._SCRIPT
MODULES = {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.js")}
NAME = r"[A-Za-z_$][\w$]*"
#: Before a name that is used: no letter, and no point but those of `...`
USED = r"(?<![\w$])(?<![^.]\.)"


def exported(text):
    return set(re.findall(rf"^export (?:async function|function|const|let) ({NAME})", text, re.M))


def declared(text):
    """Names at the top of a module; of `let a = 1, b = 2` and of destructuring too."""
    names = re.findall(rf"^(?:export )?(?:async )?function ({NAME})", text, re.M)
    for line in re.findall(r"^(?:export )?(?:const|let) (.*)$", text, re.M):
        names += re.findall(rf"(?:^|, )({NAME}) = ", line.split("=>")[0])[: 1 if "=>" in line else None]
    return names


def test_every_module_is_reached_and_every_import_is_given():
    whole = page.script()
    for name, text in MODULES.items():
        imported = re.findall(r'^import (?:\{ ([^}]*) \} from )?"\./([a-z]+)\.js";$', text, re.M)
        assert len(imported) == len(re.findall("^import ", text, re.M)), name
        for names, source in imported:
            wanted = {one.strip() for one in names.split(",") if one.strip()}
            assert wanted <= exported(MODULES[source]), (name, source)
            body = re.sub(r"^import .*$|//.*$", "", text, flags=re.M)
            # nothing is imported that is not used
            assert all(re.search(rf"{USED}{re.escape(one)}(?![\w$])", body) for one in wanted), (name, source, wanted)
        assert page._EXPORT.sub("", page._IMPORT.sub("", text)) in whole
    assert not re.search(r"^(import|export) ", whole, re.M)


def test_no_module_calls_what_it_does_not_import():
    """In one scope a missing import would go unseen."""
    given = {one for text in MODULES.values() for one in exported(text)}
    for name, text in MODULES.items():
        imported = set(re.findall(NAME, " ".join(re.findall(r"^import \{ ([^}]*) \}", text, re.M))))
        called = set(re.findall(rf"{USED}({NAME})\(", re.sub("//.*$|^import .*$", "", text, flags=re.M)))
        assert called & given <= imported | set(declared(text)), name


def test_no_two_modules_have_a_name_in_common():
    counts = Counter(name for text in MODULES.values() for name in declared(text))
    assert [name for name, n in counts.items() if n > 1] == []


def test_a_module_comes_after_what_it_imports():
    whole = page.script()
    places = {name: whole.index(page._EXPORT.sub("", page._IMPORT.sub("", text))) for name, text in MODULES.items()}
    for name, text in MODULES.items():
        assert all(places[source] < places[name] for source in page._IMPORT.findall(text))


def test_modules_in_a_circle_are_a_mistake(tmp_path, monkeypatch):
    from graphlib import CycleError

    for name, other in (("main", "a"), ("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.js").write_text(f'import "./{other}.js";\n', "utf-8")
    monkeypatch.setattr(page, "_SCRIPT", tmp_path)
    with pytest.raises(CycleError):
        page.script()
