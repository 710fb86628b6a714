"""The studies of a configuration: shorthand written out, defaults filled in, mistakes named.

All mistakes are collected and told in one message before any job starts. The schema
(`workflow/schemas/config.schema.yaml`) says what a key may hold and what it holds by default; this
module adds what a schema cannot say: paths that must exist, sources a reader must know, names that
must differ.
"""

from __future__ import annotations

import copy
import difflib
import glob
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.registry import comparisons, tests
from benchmill.registry.figures import KINDS, Kind
from benchmill.registry.measures import MEASURES, RUNNING_TIMES, VALUES
from benchmill.registry.posteriors import POSTERIORS
from benchmill.registry.variants import VARIANTS
from benchmill.text.labels import file_name
from benchmill.workflow import algorithms, remote, yaml_text

#: Measures that a study gets without naming them: hitting times for ECDF curves and for ERT tables, values at budgets.
ECDF_MEASURE = "ecdf"
INDICATOR_MEASURE = "indicators"
VALUE_MEASURE = "values"

#: How a study does without a measure that it has not named, in words.
WITHOUT = {
    ECDF_MEASURE: "set `indicators: {ecdf: {aggregate: []}}`, and the study has no ECDF curves",
    INDICATOR_MEASURE: "set `indicators: {ert: {targets: []}}`, and the study has no table of these targets",
    VALUE_MEASURE: "set `indicators: {values: {budgets: []}}`, and the study has no values at these budgets",
}

#: Options of a source that are the path of another file.
FILES_BESIDE = ("best_known", "lookup")

#: Keys of a source that are no options of its reader.
_OF_ALL_FORMATS = ("path", "parts", "name", "format", "sha256", "size_mb")

#: Folders below `results/` that are no study.
RESERVED_NAMES = ("paper", "reproduction")

#: Weights of problems that need no table.
WEIGHTS = ("equal", "dimension", "baseline", "median_cost")

_ARCHIVE_SUFFIX = re.compile(r"\.(tar(\.(gz|bz2|xz|zst))?|tgz|tbz2?|txz|zip|gz|csv|tsv|parquet|jsonl?|txt)$", re.IGNORECASE)


class Look(Protocol):
    """What a glance at a source tells: `readers.Found` has these attributes."""

    @property
    def format(self) -> str:
        """Name of the reader."""

    @property
    def algorithms(self) -> Sequence[str]:
        """Algorithms named in the first file that was recognised."""


@dataclass(frozen=True)
class Source:
    """One log folder, archive or table of a study.

    Attributes
    ----------
    name : str
        Safe as a file name; unique in its study.
    paths : tuple of pathlib.Path
        As they can be opened from the working directory: one, or those of its parts.
    entry : dict
        As `sources:` says it, of a source that a pattern names as an entry of its own would say it.
    format : str
        Name of the reader.
    algorithms : tuple of str
        Those that a first look shows, as the tables name them; not necessarily all.
    options : dict
        What else the source entry says; passed to the reader.
    url : str or None
        Where it is fetched from; its path is then where the download is kept.
    sha256 : str or None
        What its file must be.
    size_mb : float or None
        How large a file is that is not there yet.
    """

    name: str
    paths: tuple[Path, ...]
    entry: dict[str, Any]
    format: str
    options: dict[str, Any]
    algorithms: tuple[str, ...] = ()
    url: str | None = None
    sha256: str | None = None
    size_mb: float | None = None

    @property
    def shown(self) -> str:
        """Its path or the paths of its parts as the configuration gives them."""
        return ", ".join(self.entry.get("parts") or [self.entry["path"]])

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder, or has a part that is one."""
        return any(path.is_dir() for path in self.paths)


@dataclass(frozen=True, eq=False)
class Study:
    """A study with every default filled in; two studies are never equal.

    Attributes
    ----------
    settings : dict
        As validated; `sources` lists paths as the configuration gives them.
    measures : dict
        Settings of every measure, those a study gets without naming them included; each has `for`, the
        list of stages that use it (`profiles`, `inference`, `indicators`, `ecdf`).
    weights_tables : dict
        The file with the weights of each profile variant that names one, as it can be opened from the working directory.
    bounds_table : Path or None
        The file with the known bounds of the problems, where the study names one.
    paper : Path or None
        The study's own LaTeX paper, where it names one.
    """

    name: str
    title: str
    settings: dict[str, Any]
    sources: tuple[Source, ...]
    measures: dict[str, dict[str, Any]]
    weights_tables: dict[str, Path] = field(default_factory=dict)
    bounds_table: Path | None = None
    paper: Path | None = None

    def source(self, name: str) -> Source:
        """Return the source of that name."""
        return next(source for source in self.sources if source.name == name)

    def measures_for(self, stage: str) -> list[str]:
        """Names of the measures that a stage uses, in the order of the configuration.

        The stage `profiles` uses those of which the study makes a profile.
        """
        wanted = [name for name, measure in self.measures.items() if stage in measure["for"]]
        return [name for name in wanted if self.variants_for(name)] if stage == "profiles" else wanted

    @property
    def variants(self) -> dict[str, dict[str, Any]]:
        """Settings of the profile variants by name."""
        return {profile["name"]: profile for profile in self.settings["profiles"]}

    def variants_for(self, measure: str) -> dict[str, dict[str, Any]]:
        """Settings of the profile variants that are made of a measure, by name.

        A variant is made of the measures that its key `measures` names, by default of all that it is defined for: a data profile
        needs
        evaluations, an accuracy profile values at a budget.
        """
        kind = self.measures[measure]["kind"]
        return {
            name: profile
            for name, profile in self.variants.items()
            if measure in (profile["measures"] or [measure]) and VARIANTS[profile["variant"]].defined_for(kind)
        }

    @property
    def profiled(self) -> list[tuple[str, str]]:
        """The pairs of profile variant and measure that the study makes, variant by variant."""
        return [
            (variant, measure)
            for variant in self.variants
            for measure in self.measures_for("profiles")
            if variant in self.variants_for(measure)
        ]

    @property
    def replicated(self) -> bool:
        """Whether the tests are of single runs, not of one cost a problem."""
        return bool(self.settings["inference"]["design"] == "replicated")

    @property
    def asked_figures(self) -> dict[str, dict[str, Any]]:
        """The figures that the study asks for by their kind, by name, with measures and variants filled in.

        What needs a measure or a variant that the study has not is left as it is.
        """
        found: dict[str, dict[str, Any]] = {}
        for asked in self.settings["figures"]:
            if isinstance(asked, str):
                continue
            kind = KINDS[asked["kind"]]
            measures = asked["measures"] or self.measures_shown(kind)[: kind.measures]
            fitting = [name for name, variant in self.variants.items() if kind.variant in (None, variant["variant"])]
            variants = asked["variants"] or fitting[: None if kind.all_variants else 1]
            if kind.shows in ("indicators", "curves"):
                variants = []
            words = [asked["kind"], *(asked["measures"] or []), *(asked["variants"] or [])]
            found[asked["name"] or "_".join(words)] = {**asked, "measures": measures, "variants": variants}
        return found

    def measures_shown(self, kind: Kind) -> list[str]:
        """Names of the measures that a kind of figure can show."""
        if kind.shows == "curves":
            return []
        if kind.shows != "indicators":
            return self.measures_for("profiles" if kind.shows == "profiles" else "inference")
        wanted = [name for name in self.measures if name != ECDF_MEASURE]
        return [n for n in wanted if not kind.running_times or MEASURES[self.measures[n]["kind"]].running_times]

    @property
    def aggregations(self) -> list[str]:
        """Aggregations of the ECDF; none where no measure reads traces."""
        return self.settings["indicators"]["ecdf"]["aggregate"] if ECDF_MEASURE in self.measures else []

    @property
    def value_ecdfs(self) -> list[tuple[str, str]]:
        """Measures and aggregations of the ECDFs of values reached: those of every fixed-budget measure."""
        budgets = [name for name, measure in self.measures.items() if MEASURES[measure["kind"]].values]
        return [(measure, name) for measure in budgets for name in self.settings["indicators"]["value_ecdf"]["aggregate"]]


def read_studies(
    config: Mapping[str, Any],
    schema: Mapping[str, Any],
    folders: Iterable[str | Path],
    *,
    look: Callable[[Path, str | None], Look],
    options_of: Callable[[str], Mapping[str, Any]],
    figures_of: Callable[[Study], Sequence[str]],
    where: str = "config.yaml",
) -> dict[str, Study]:
    """Turn a configuration into studies, or say everything that is wrong with it.

    Parameters
    ----------
    config : mapping
        As read from YAML.
    schema : mapping
        The JSON schema of the whole configuration.
    folders : iterable of paths
        Where relative paths of sources are looked up, in this order: folders of the configuration, then the working directory.
        A sources sheet may name what is below its own folder and those of the configuration, and nothing else.
    look : callable
        `look(path, format)` tells format and algorithms of a source, or raises `UserError`.
    options_of : callable
        `options_of(format)` gives the JSON schema of the options that a reader takes, by name.
    figures_of : callable
        `figures_of(study)` lists the names of all figures that a study can have.
    where : str
        Name of the configuration in messages.

    Returns
    -------
    dict of str to Study

    Raises
    ------
    UserError
        One message that lists all mistakes, each with its key, what was found and what is allowed.
    """
    mistakes: list[str] = []
    places = [Path(folder) for folder in folders]
    written_out = yaml_text.checked(config, where)
    if isinstance(written_out.get("studies"), dict):
        for name, study in written_out["studies"].items():
            if isinstance(study, dict):
                _write_out(study, f"studies.{name}", places, mistakes)
    written_out = _fill(written_out, schema, schema)
    mistakes += _schema_mistakes(written_out, schema)
    studies = {}
    for name, settings in (written_out.get("studies") or {}).items() if isinstance(written_out.get("studies"), dict) else ():
        key = f"studies.{name}"
        wrong = {mistake.split(":")[0] for mistake in mistakes if mistake.startswith((f"{key}.", f"{key}:"))}
        # sources are looked at even where the rest of the study is wrong, so that one message tells everything
        if f"{key}" not in wrong and isinstance(settings, dict) and not any(w.startswith(f"{key}.sources") for w in wrong):
            sources = _sources(settings["sources"], key, places, look, options_of, mistakes)
            if not wrong:
                studies[name] = _study(name, settings, sources, places, mistakes)
                _check_figures(studies[name], figures_of, mistakes)
                _check_paths(studies[name], mistakes)
    if mistakes:
        count = "one mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
        raise UserError("\n".join([f"{where} has {count}:", *(f"  - {mistake}" for mistake in mistakes)]))
    return studies


# --- shorthand ---------------------------------------------------------------------------------


def _write_out(study: dict[str, Any], key: str, folders: Sequence[Path], mistakes: list[str]) -> None:
    """Write the shorthand forms of a study out, in place."""
    if isinstance(study.get("sources"), str | dict):
        study["sources"] = [study["sources"]]
    if isinstance(study.get("sources"), list):
        study["sources"] = [
            entry
            for item in study["sources"]
            for entry in _sheet({"path": item} if isinstance(item, str) else item, key, folders, mistakes)
        ]
    if isinstance(study.get("profiles"), list):
        study["profiles"] = [{"variant": item} if isinstance(item, str) else item for item in study["profiles"]]
    if isinstance(study.get("figures"), str):
        study["figures"] = [study["figures"]]
    for profile in study.get("profiles", []) if isinstance(study.get("profiles"), list) else []:
        if isinstance(profile, dict) and isinstance(profile.get("by"), str):
            profile["by"] = [profile["by"]]


def _sheet(entry: Any, key: str, folders: Sequence[Path], mistakes: list[str]) -> list[Any]:
    """Entries of a sources sheet (a YAML file), or the entry itself."""
    path = entry.get("path") if isinstance(entry, dict) else None
    if not isinstance(path, str) or remote.is_url(path) or not path.lower().endswith((".yaml", ".yml")):
        return [entry]
    found = _existing(path, folders)
    if not found:
        mistakes.append(f"{key}.sources: there is no sources sheet {path!r}; give the path of a YAML file that lists sources.")
        return []
    try:
        content = yaml_text.read(found[0].read_text(encoding="utf-8"), f"the sources sheet {path!r}")
    except UserError as error:
        mistakes.append(f"{key}.sources: {error}")
        return []
    except (UnicodeDecodeError, OSError) as error:
        mistakes.append(f"{key}.sources: the sources sheet {path!r} cannot be read as text ({_one_line(error)}).")
        return []
    entries = content.get("sources") if isinstance(content, dict) else content
    if not isinstance(entries, list):
        mistakes.append(f"{key}.sources: the sources sheet {path!r} holds {_kind(content)}, expected a list of sources.")
        return []
    folder = Path(path).parent
    # the working directory, the last place where paths are looked up, is none of the study's
    own = [os.path.realpath(place) for place in (found[0].parent, *(folders[:-1] or folders))]
    result = []
    for number, item in enumerate(entries, 1):
        item = {"path": item} if isinstance(item, str) else item
        if isinstance(item, dict):
            # what stands in a sheet is seen from the sheet
            beside: dict[str, Any] = {
                name: str(folder / item[name])
                for name in ("path", *FILES_BESIDE)
                if isinstance(item.get(name), str) and not remote.is_url(item[name])
            }
            if isinstance(item.get("parts"), list):
                beside["parts"] = [str(folder / part) if isinstance(part, str) else part for part in item["parts"]]
            named = {name: [path] if isinstance(path, str) else path for name, path in beside.items()}
            outside = [
                (name, item[name])
                for name, paths in named.items()
                if not all(_inside(_existing(path, folders), own) for path in paths if isinstance(path, str))
            ]
            mistakes += [
                f"{key}.sources: entry {number} of the sources sheet {path!r}: {name} {wrong!r} is outside of the folders "
                "of the sheet and of the configuration; move it there, or list the source in the configuration itself."
                for name, wrong in outside
            ]
            if outside:
                continue
            item = {**item, **beside}
        result.append(item)
    return result


# --- defaults ----------------------------------------------------------------------------------


def _fill(value: Any, node: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Return `value` with the defaults of its schema, numbers written as text read, and targets listed."""
    targets = node.get("$ref") == "#/$defs/targets"
    node = _resolved(node, root)
    if targets:
        value = _target_list(value)
    if "oneOf" in node:
        branch = _branch(value, node, root)
        return value if branch is None else _fill(value, branch, root)
    kinds = node.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(value, str) and {"number", "integer"} & set(kinds) and "string" not in kinds:
        return _number(value)  # YAML reads 1e-3, without a point, as text
    if isinstance(value, dict) and "object" in kinds:
        filled = dict(value)
        for name, child in node.get("properties", {}).items():
            resolved = {**_resolved(child, root), **child}
            if filled.get(name) is None and "default" in resolved:
                filled[name] = copy.deepcopy(resolved["default"])
            if name in filled:
                filled[name] = _fill(filled[name], child, root)
        extra = node.get("additionalProperties")
        if isinstance(extra, dict):
            filled = {
                name: item if name in node.get("properties", {}) else _fill(item, extra, root) for name, item in filled.items()
            }
        return filled
    if isinstance(value, list) and "items" in node:
        return [_fill(item, node["items"], root) for item in value]
    return value


def _resolved(node: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in node:
        target: Any = root
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = {**target, **{key: item for key, item in node.items() if key != "$ref"}}
    return node


def _branch(value: Any, node: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The alternative of a `oneOf` that the value means: by its constants (`kind`, `variant`), else by its type."""
    for branch in node["oneOf"]:
        branch = _resolved(branch, root)
        constants = {name: child["const"] for name, child in branch.get("properties", {}).items() if "const" in child}
        fits = isinstance(value, dict) and all(value.get(name) == constant for name, constant in constants.items())
        if fits if constants else _is_of(value, branch):
            return branch
    return None


def _is_of(value: Any, node: Mapping[str, Any]) -> bool:
    """Whether the value is of the type of a schema; one that lists words is of text."""
    types: dict[str, Any] = {
        "string": str,
        "array": list,
        "object": dict,
        "boolean": bool,
        "null": type(None),
        "number": (int, float),
        "integer": int,
    }
    kinds = node.get("type", "string")
    return any(
        isinstance(value, types[kind]) and (kind == "boolean" or not isinstance(value, bool))
        for kind in ([kinds] if isinstance(kinds, str) else kinds)
    )


def _number(text: str) -> Any:
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if re.fullmatch(r"[+-]?[0-9]+", text) else number


def _target_list(value: Any) -> Any:
    """Write `{from, to, number}` out as that many targets with logarithmic spacing, largest first."""
    if not isinstance(value, dict) or set(value) != {"from", "to", "number"}:
        return value
    first, last, number = (_number(v) if isinstance(v, str) else v for v in (value["from"], value["to"], value["number"]))
    if not all(isinstance(v, int | float) and v > 0 for v in (first, last, number)) or int(number) != number or number < 2:
        return value
    # decimal exponents, rounded, so that a grid meets the powers of ten exactly
    low, high = sorted((math.log10(first), math.log10(last)))
    steps = int(number) - 1
    exponents = [round(high + (low - high) * i / steps, 12) for i in range(steps + 1)]
    return [float(f"{10.0**e:.15g}") for e in exponents]


# --- what the schema says ----------------------------------------------------------------------


def _schema_mistakes(config: Any, schema: Mapping[str, Any]) -> list[str]:
    import jsonschema

    validator = jsonschema.Draft202012Validator(dict(schema))
    errors = sorted(validator.iter_errors(config), key=lambda error: [str(part) for part in error.absolute_path])
    return [message for error in errors for message in _messages(error, schema)]


def _messages(error: Any, root: Mapping[str, Any]) -> list[str]:
    key = _dotted(error.absolute_path)
    found = error.instance
    rule, wanted = error.validator, error.validator_value
    if rule == "oneOf":
        branch = _branch(found, error.schema, root)
        if branch is None:
            return [_no_branch(key, found, error.schema, root)]
        index = [_resolved(b, root) for b in error.schema["oneOf"]].index(branch)
        return [m for e in error.context if e.schema_path[0] == index for m in _messages(e, root)]
    if rule == "additionalProperties":
        allowed = sorted(error.schema.get("properties", {}))
        extra = [name for name in found if name not in allowed]
        return [f"{_join(key, name)}: unknown key{did_you_mean(str(name), allowed)}" for name in extra]
    if rule == "required":
        missing = [name for name in wanted if name not in found]
        return [f"{_join(key, name)}: is missing; {key or 'the configuration'} needs it." for name in missing]
    if (rule == "pattern" and error.parent is not None) or rule == "propertyNames":
        return [f"{key}: {found!r} cannot be a name; use letters, digits and underscores, beginning with a letter."]
    if rule == "enum":
        return [f"{key}: found {found!r}{did_you_mean(str(found), [str(word) for word in wanted])}"]
    if rule == "type":
        return [f"{key or 'the configuration'}: found {_kind(found)}, expected {_expected(error.schema, root)}."]
    if rule in ("exclusiveMinimum", "minimum"):
        return [f"{key}: found {found}, expected a number {'above' if rule == 'exclusiveMinimum' else 'of at least'} {wanted}."]
    if rule in ("exclusiveMaximum", "maximum"):
        return [f"{key}: found {found}, expected a number {'below' if rule == 'exclusiveMaximum' else 'of at most'} {wanted}."]
    if rule in ("minItems", "minProperties", "minLength"):
        return [f"{key}: is empty, expected at least one entry."]
    if rule == "uniqueItems":
        twice = sorted({str(item) for item in found if found.count(item) > 1})
        return [f"{key}: lists {', '.join(twice)} more than once; list each once."]
    if rule == "pattern":
        if "description" not in error.schema:
            return [f"{key}: {found!r} cannot be a name; use letters, digits and underscores, beginning with a letter."]
        wanted = error.schema["description"]
        return [f"{key}: found {found!r}, expected {wanted[0].lower()}{wanted[1:]}"]
    return [f"{key}: {error.message}."]


def _no_branch(key: str, found: Any, node: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    constants: dict[str, list[str]] = {}
    branches = [_resolved(branch, root) for branch in node["oneOf"]]
    for branch in branches:
        for name, child in branch.get("properties", {}).items():
            if "const" in child:
                constants.setdefault(name, []).append(child["const"])
    if not constants:
        expected = " or ".join(_expected({"type": "string", **branch}, root) for branch in branches)
        return f"{key}: found {_kind(found)}, expected {expected}."
    name, allowed = next(iter(constants.items()))
    if not isinstance(found, dict):
        return f"{key}: found {_kind(found)}, expected a mapping with {name!r} ({', '.join(allowed)})."
    if name not in found:
        return f"{_join(key, name)}: is missing; allowed are {', '.join(allowed)}."
    return f"{_join(key, name)}: found {found[name]!r}{did_you_mean(str(found[name]), allowed)}"


def did_you_mean(word: str, allowed: Sequence[str]) -> str:
    """End of a message about an unknown word: the nearest allowed one, and all of them."""
    near = difflib.get_close_matches(word.lower(), [a.lower() for a in allowed], n=1, cutoff=0.5)
    original = next((a for a in allowed if near and a.lower() == near[0]), "")
    hint = f"; did you mean {original!r}?" if original else "."
    return f"{hint} Allowed: {', '.join(allowed)}." if allowed else hint


def _dotted(path: Iterable[Any]) -> str:
    key = ""
    for part in path:
        key = f"{key}[{part + 1}]" if isinstance(part, int) else _join(key, part)
    return key


def _join(key: str, part: Any) -> str:
    return f"{key}.{part}" if key else str(part)


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes/no (true or false)"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text {value!r}"
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else f"a {type(value).__name__}"


def _expected(node: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    words = {
        "number": "a number",
        "integer": "a whole number",
        "string": "text",
        "array": "a list",
        "object": "a mapping",
        "boolean": "true or false",
        "null": "nothing",
    }
    kinds = node["type"]
    kinds = [kinds] if isinstance(kinds, str) else kinds
    text = " or ".join(words[kind] for kind in kinds)
    if kinds == ["array"] and "items" in node:
        item = _resolved(node["items"], root)
        if isinstance(item.get("type"), str):
            text += f" of {words[item['type']].split(' ', 1)[-1]}s" if item["type"] != "string" else " of texts"
    return text


def _one_line(error: object) -> str:
    return " ".join(str(error).split())


# --- what only a look at the files can say -----------------------------------------------------


def _existing(path: str, folders: Sequence[Path]) -> list[Path]:
    """Files and folders that a path or glob names, from the first folder in which it names any."""
    for folder in folders:
        full = os.path.join(folder, os.path.expanduser(path))
        if os.path.exists(full):
            return [Path(os.path.relpath(full) if not os.path.isabs(path) else full)]
        matches = sorted(glob.glob(full, recursive=True), key=natural_key)
        matches = [match for match in matches if not os.path.basename(match.rstrip("/")).startswith(".")]
        if matches:
            return [Path(os.path.relpath(match) if not os.path.isabs(path) else match) for match in matches]
    return []


def _check_paths(study: Study, mistakes: list[str]) -> None:
    """Name the files that Snakemake could not find, because it takes braces in a path for a wildcard."""
    key = f"studies.{study.name}"
    named = [(f"{key}.sources", str(path)) for source in study.sources for path in source.paths]
    named += [
        (f"{key}.sources", str(source.options[option]))
        for source in study.sources
        for option in FILES_BESIDE
        if option in source.options
    ]
    named += [(f"{key}.profiles", str(table)) for table in study.weights_tables.values()]
    named += [(f"{key}.inference.bounds", str(study.bounds_table)), (f"{key}.paper", str(study.paper))]
    for at, path in dict.fromkeys(named):
        if "{" in path or "}" in path:
            mistakes.append(f"{at}: {path!r} has a brace in its path, which Snakemake takes for a wildcard; rename it.")


def _inside(paths: Iterable[Path], folders: Sequence[str]) -> bool:
    """Whether all paths are below one of the folders, wherever links lead to."""
    real = [os.path.realpath(path) for path in paths]
    return all(any(os.path.commonpath([path, folder]) == folder for folder in folders) for path in real)


def _study(
    name: str, settings: dict[str, Any], sources: tuple[Source, ...], folders: Sequence[Path], mistakes: list[str]
) -> Study:
    key = f"studies.{name}"
    if name in RESERVED_NAMES:
        mistakes.append(f"{key}: this name is kept for a folder of its own below `results/`; choose another one.")
    settings = copy.deepcopy(settings)
    settings["title"] = settings["title"] or name
    _name_profiles(settings["profiles"], key, mistakes)
    _check_indicators(settings["indicators"], f"{key}.indicators", mistakes)
    measures = _measures(settings, key, mistakes)
    bounds = _inference(settings, key, folders, mistakes)
    tables = _weights_tables(settings["profiles"], settings["measures"], key, folders, mistakes)
    papers = _existing(settings["paper"], folders) if settings["paper"] else []
    if settings["paper"] and not (papers and papers[0].is_file()):
        mistakes.append(f"{key}.paper: there is no file {settings['paper']!r}; give the path of a LaTeX file.")
    return Study(name, settings["title"], settings, sources, measures, tables, bounds, next(iter(papers), None))


def _sources(
    entries: Sequence[Mapping[str, Any]],
    key: str,
    folders: Sequence[Path],
    look: Callable[[Path, str | None], Look],
    options_of: Callable[[str], Mapping[str, Any]],
    mistakes: list[str],
) -> tuple[Source, ...]:
    sources: list[Source] = []
    # what an entry names by itself is not taken a second time where a pattern names it too
    by_itself = {
        path.resolve()
        for entry in entries
        for named in entry.get("parts") or [entry.get("path")]
        if named and ("parts" in entry or not (glob.has_magic(named) or remote.is_url(named)))
        for path in _existing(named, folders)
    }
    for number, entry in enumerate(entries, 1):
        at = f"{key}.sources[{number}]"
        if ("path" in entry) == ("parts" in entry):
            what = "found both `path` and `parts`" if "path" in entry else "is missing"
            mistakes.append(f"{at}.path: {what}; {at} needs `path`, or `parts` for several that are one source.")
            continue
        found = _parts(entry, at, folders, mistakes) if "parts" in entry else _paths(entry, at, folders, by_itself, mistakes)
        if "name" in entry and len(found) > 1:
            mistakes.append(f"{at}.name: {entry['name']!r} would name {len(found)} sources; name each in an entry of its own.")
            continue
        for paths, own in found:
            source = _source(paths, own, at, folders, look, options_of, mistakes)
            if source is None:
                continue
            other = next((s for s in sources if s.name.lower() == source.name.lower()), None)
            if other:
                mistakes.append(
                    f"{at}: {source.shown!r} and {other.shown!r} both have the source name {source.name!r}; "
                    "give one of them another `name:`."
                )
                continue
            sources.append(source)
    held = [algorithms.Holding(s.name, s.entry, s.format, s.algorithms) for s in sources]
    mistakes += [f"{key}.sources: {message}" for message in algorithms.clashes(held)]
    return tuple(sources)


def _paths(
    entry: Mapping[str, Any], at: str, folders: Sequence[Path], by_itself: set[Path], mistakes: list[str]
) -> list[tuple[tuple[Path, ...], dict[str, Any]]]:
    """The sources that the path of an entry names, each with an entry of its own."""
    if remote.is_url(entry["path"]):
        return [((path,), dict(entry)) for path in _download(entry, at, mistakes)]
    found = _existing(entry["path"], folders)
    several = glob.has_magic(entry["path"])
    if not found:
        what = "no file or folder matches" if several else "there is no file or folder"
        mistakes.append(f"{at}.path: {what} {entry['path']!r}; give a path relative to the configuration or absolute.")
    if not several:
        return [((path,), dict(entry)) for path in found]
    folder = Path(entry["path"]).parent
    return [((path,), {**entry, "path": str(folder / path.name)}) for path in found if path.resolve() not in by_itself]


def _parts(
    entry: Mapping[str, Any], at: str, folders: Sequence[Path], mistakes: list[str]
) -> list[tuple[tuple[Path, ...], dict[str, Any]]]:
    """The one source that an entry with parts is."""
    found: list[Path] = []
    for number, part in enumerate(entry["parts"], 1):
        if remote.is_url(part):
            mistakes.append(f"{at}.parts[{number}]: found the URL {part!r}, expected a path; fetch it and give the file's path.")
            continue
        more = _existing(part, folders)
        if not more:
            mistakes.append(
                f"{at}.parts[{number}]: no file or folder matches {part!r}; give paths relative to the configuration or absolute."
            )
        for path in more:
            if path.resolve() in {other.resolve() for other in found}:
                mistakes.append(f"{at}.parts[{number}]: {str(path)!r} is among the parts already; list each part once.")
            else:
                found.append(path)
    if "sha256" in entry:
        mistakes.append(f"{at}.sha256: a source of parts has none; leave it out.")
    return [(tuple(found), dict(entry))] if found else []


def _download(entry: Mapping[str, Any], at: str, mistakes: list[str]) -> list[Path]:
    """Where the download that a source entry names is kept; nothing if the entry says too little."""
    if "format" not in entry:
        mistakes.append(
            f"{at}.format: is missing; a source by URL is planned before it is there, so name its format (such as coco)."
        )
        return []
    try:
        return [remote.place(entry["path"], entry.get("sha256"))]
    except UserError as error:
        mistakes.append(f"{at}.path: {error}")
        return []


def _weights_tables(
    profiles: Sequence[Mapping[str, Any]],
    measures: Mapping[str, Any],
    key: str,
    folders: Sequence[Path],
    mistakes: list[str],
) -> dict[str, Path]:
    """Files with weights by profile; names what is wrong with weights and measures of a profile."""
    found = {}
    for number, profile in enumerate(profiles, 1):
        at, path = f"{key}.profiles[{number}]", profile["weights_table"]
        for measure in profile["measures"] or []:
            if measure not in measures:
                mistakes.append(f"{at}.measures: found {measure!r}{did_you_mean(measure, sorted(measures))}")
        if path is None:
            if profile["weights"] not in WEIGHTS:
                mistakes.append(f"{at}.weights: found {profile['weights']!r}{did_you_mean(profile['weights'], WEIGHTS)}")
            continue
        files = _existing(path, folders)
        if len(files) != 1 or not files[0].is_file():
            mistakes.append(f"{at}.weights_table: there is no file {path!r}; give the path of a CSV file.")
        elif profile["weights"] == "equal":
            mistakes.append(f"{at}.weights: is 'equal', expected the name of a column of {path!r}.")
        else:
            found[profile["name"]] = files[0]
    return found


def _source(
    paths: tuple[Path, ...],
    entry: dict[str, Any],
    at: str,
    folders: Sequence[Path],
    look: Callable[[Path, str | None], Look],
    options_of: Callable[[str], Mapping[str, Any]],
    mistakes: list[str],
) -> Source | None:
    url = entry["path"] if remote.is_url(entry.get("path", "")) else None
    try:
        # what is not here yet is taken at its entry's word
        found = [look(path, entry.get("format")) for path in paths if url is None or path.exists()]
        format = found[0].format if found else str(entry["format"])
        allowed = options_of(format)
    except UserError as error:
        mistakes.append(f"{at}: {error}")
        return None
    for path, other in zip(paths, found, strict=False):
        if other.format != format:
            mistakes.append(
                f"{at}.parts: the format of {path.name!r} is {other.format!r}, that of {paths[0].name!r} {format!r}, and "
                "all parts of a source have one; give them as sources of their own."
            )
    name = file_name(entry.get("name") or _ARCHIVE_SUFFIX.sub("", paths[0].name))
    options = {key: value for key, value in entry.items() if key not in _OF_ALL_FORMATS}
    mistakes += [
        message if message.startswith(at) else f"{at}.{message}" for message in _option_mistakes(options, allowed, format)
    ]
    if entry.get("sha256") and paths[0].is_dir():
        mistakes.append(f"{at}.sha256: {entry['path']!r} is a folder, and only a file has a sha256; leave it out.")
    for option in FILES_BESIDE:
        beside = options.get(option)
        if not isinstance(beside, str):
            continue
        files = _existing(beside, folders)
        if len(files) == 1 and files[0].is_file():
            options[option] = str(files[0])
        else:
            mistakes.append(f"{at}.{option}: there is no file {beside!r}; give a path relative to the configuration or absolute.")
    in_logs = dict.fromkeys(name for look_at in found for name in look_at.algorithms)
    named = options.get("algorithm")
    held = [named] if isinstance(named, str) else [_renamed(name, named) for name in in_logs]
    return Source(name, paths, entry, format, options, tuple(dict.fromkeys(held)), url, entry.get("sha256"), entry.get("size_mb"))


def _renamed(name: str, names: Any) -> str:
    """An algorithm of a log as the option `algorithm` calls it; a wrong option is told elsewhere."""
    new = names.get(name, name) if isinstance(names, Mapping) else name
    return new if isinstance(new, str) else name


def _option_mistakes(options: Mapping[str, Any], allowed: Mapping[str, Any], format_name: str) -> list[str]:
    schema = {"type": "object", "additionalProperties": False, "properties": dict(allowed)}
    return [
        message.replace("unknown key", f"unknown key of the format {format_name!r}", 1)
        for message in _schema_mistakes(dict(options), schema)
    ]


def _name_profiles(profiles: list[dict[str, Any]], key: str, mistakes: list[str]) -> None:
    seen: dict[str, int] = {}
    for number, profile in enumerate(profiles, 1):
        parts = [profile["variant"]]
        if profile.get("model", "normal") != "normal":
            parts.append(profile["model"])
        if profile.get("rule", "wins") != "wins":
            parts.append(f"by_{profile['rule']}")
        if profile["weights"] != "equal":
            parts.append(f"weighted_by_{re.sub('[^A-Za-z0-9]+', '_', profile['weights'])}")
        if profile["by"]:
            parts.append("by_" + "_and_".join(profile["by"]))
        profile.setdefault("name", "_".join(parts))
        if profile["name"] in seen:
            mistakes.append(
                f"{key}.profiles[{number}]: has the name {profile['name']!r} of profiles[{seen[profile['name']]}]; "
                "give one of them another `name:`."
            )
        seen[profile["name"]] = number


def _measures(settings: Mapping[str, Any], key: str, mistakes: list[str]) -> dict[str, dict[str, Any]]:
    measures = {
        name: {**measure, "for": ["profiles", "inference", "indicators"]} for name, measure in settings["measures"].items()
    }
    ert, ecdf = settings["indicators"]["ert"], settings["indicators"]["ecdf"]
    common = {"kind": RUNNING_TIMES, "aggregate": "ert", "missing": "common", "exclude": []}
    extra = {}
    if ert["targets"]:
        extra[INDICATOR_MEASURE] = {**common, "targets": ert["targets"], "scale": "logged", "for": ["indicators"]}
    if ecdf["aggregate"] and any(MEASURES[measure["kind"]].traced for measure in measures.values()):
        extra[ECDF_MEASURE] = {**common, "targets": ecdf["targets"], "scale": ecdf["scale"], "for": ["ecdf"]}
    values = settings["indicators"]["values"]
    if values["budgets"]:
        fixed = {"kind": VALUES, "aggregate": "median", "floor": None, "negate": True}
        extra[VALUE_MEASURE] = {**common, **fixed, **values, "for": ["indicators"]}
    for name in extra:
        if name in measures:
            mistakes.append(f"{key}.measures.{name}: this name is kept for the indicators; choose another one.")
    return {**measures, **extra}


def _check_indicators(indicators: Mapping[str, Any], key: str, mistakes: list[str]) -> None:
    ecdf = indicators["ecdf"]
    if indicators["common_budget"] is not None and indicators["budget_rule"] != "common":
        mistakes.append(
            f"{key}.common_budget: is {indicators['common_budget']}, but budget_rule is {indicators['budget_rule']!r}; "
            "set budget_rule: common or leave it out."
        )
    if "group" in [*ecdf["aggregate"], *indicators["value_ecdf"]["aggregate"]] and not ecdf["groups"]:
        mistakes.append(f"{key}.ecdf.groups: is missing; the aggregation 'group' needs the problems of each group.")
    if ecdf["target_set"] is not None and ecdf["target_set"] not in indicators["target_sets"]:
        mistakes.append(
            f"{key}.ecdf.target_set: there is no target set {ecdf['target_set']!r}"
            f"{did_you_mean(ecdf['target_set'], list(indicators['target_sets']))}"
        )
    if ecdf["restarts"] and ecdf["bands"] is not None:
        mistakes.append(f"{key}.ecdf.bands: bands are of trials as they are; leave them out or set restarts: 0.")
    values = indicators["attainment"]
    if values["value_from"] >= values["value_to"] or (values["value_log"] and values["value_from"] <= 0):
        mistakes.append(
            f"{key}.attainment.value_from: found {values['value_from']} with value_to {values['value_to']}, expected a smaller "
            "number (above 0, or set value_log: false)."
        )
    area = ecdf["area"]
    if area["to"] is not None and area["to"] <= area["from"]:
        mistakes.append(f"{key}.ecdf.area.to: found {area['to']}, expected a number above {area['from']} (from).")


def _inference(settings: Mapping[str, Any], key: str, folders: Sequence[Path], mistakes: list[str]) -> Path | None:
    """Fill in the tests that suit the design, check what refers to other keys, and find the file with known bounds."""
    inference = settings["inference"]
    replicated = inference["design"] == "replicated"
    if inference["methods"] is None:
        inference["methods"] = list(tests.USUAL[inference["design"]])
    if inference["comparisons"] is None:
        inference["comparisons"] = list(comparisons.USUAL[inference["design"]])
    blocks = (inference["blocks"] if replicated else None) or settings["problem_keys"]
    for name in inference["stratify"]:
        if name not in blocks:
            mistakes.append(f"{key}.inference.stratify: {name!r} is not among the keys of a block ({', '.join(blocks)}).")
    if replicated and "problem" not in blocks:
        mistakes.append(f"{key}.inference.blocks: found {', '.join(blocks)}, expected problem among them.")
    for name in settings["indicators"]["quantiles"]:
        if name not in settings["measures"]:
            mistakes.append(
                f"{key}.indicators.quantiles: there is no measure {name!r}{did_you_mean(name, list(settings['measures']))}"
            )
    believed = [POSTERIORS[name] for name in inference["bayes"]]
    for name in (method.name for method in believed if method.replicated and not replicated):
        mistakes.append(f"{key}.inference.bayes: {name} needs the runs of a replicated design; set design: replicated.")
    for name in (method.name for method in believed if method.positive_rope and not inference["rope"] > 0):
        mistakes.append(f"{key}.inference.rope: is {inference['rope']:g}, expected more than 0 for the {name} comparison.")
    if inference["bounds"] is None:
        return None
    if inference["normalise"] not in ("e1", "e2"):
        mistakes.append(f"{key}.inference.bounds: normalise is {inference['normalise']}, and bounds are for e1 and e2 only.")
    if inference["lower"] is not None:
        mistakes.append(f"{key}.inference.bounds: the lower bound is given twice; put `lower` into the file.")
    files = _existing(inference["bounds"], folders)
    if len(files) != 1 or not files[0].is_file():
        mistakes.append(f"{key}.inference.bounds: there is no file {inference['bounds']!r}; give the path of a CSV file.")
        return None
    return files[0]


def _check_figures(study: Study, figures_of: Callable[[Study], Sequence[str]], mistakes: list[str]) -> None:
    key = f"studies.{study.name}.figures"
    wrong: list[str] = []
    for name, asked in study.asked_figures.items():
        kind = KINDS[asked["kind"]]
        measures = study.measures_shown(kind)
        for word, known, found in (
            ("measure", measures, asked["measures"]),
            ("measure", asked["measures"], [asked["main"]] if asked["main"] else []),
            ("variant", list(study.variants), asked["variants"]),
        ):
            wrong += [
                f"{key}: {name}: there is no {word} {item!r}{did_you_mean(item, known)}" for item in found if item not in known
            ]
        compared = study.settings["inference"]["comparisons"]
        if asked["method"] is not None and asked["method"] not in compared:
            wrong.append(
                f"{key}: {name}: the study makes no comparison {asked['method']!r}{did_you_mean(asked['method'], compared)}"
            )
        if asked["kind"] in ("critical_differences", "pair_matrix") and not compared:
            wrong.append(f"{key}: {name}: the study makes no comparisons; name some in inference.comparisons.")
        if asked["kind"] == "posteriors" and not study.settings["inference"]["bayes"]:
            wrong.append(f"{key}: {name}: the study makes no Bayesian comparisons; name some in inference.bayes.")
        made = {variant for measure in asked["measures"] if measure in measures for variant in study.variants_for(measure)}
        if kind.shows == "profiles" and not made & set(asked["variants"]):
            wrong.append(f"{key}: {name}: found no profile of these measures and variants, expected one; see the key profiles.")
        if kind.measures == 1 and len(asked["measures"]) != 1:
            wrong.append(f"{key}: {name}: found {len(asked['measures'])} measures, expected one; name it (measures: [...]).")
        fitting = [v["name"] for v in study.settings["profiles"] if v["variant"] == kind.variant]
        if kind.variant and (len(asked["variants"]) != 1 or asked["variants"][0] not in fitting):
            wrong.append(
                f"{key}: {name}: found no {kind.variant} variant, expected one of the study's profiles; "
                f"add `{kind.variant}` there."
            )
        wrong += [f"{key}: {name}: {what}" for what in _wrong_indicator_figure(study, asked)]
    n_asked = sum(isinstance(item, dict) for item in study.settings["figures"])
    if n_asked != len(study.asked_figures):
        wrong.append(f"{key}: found two figures of the same name, expected different ones; give each a name (name: ...).")
    if not wrong:
        available = [*figures_of(study), "all"]
        wrong += [
            f"{key}: there is no figure {figure!r}{did_you_mean(figure, available)}"
            for figure in study.settings["figures"]
            if isinstance(figure, str) and figure not in available
        ]
    mistakes += wrong


def _wrong_indicator_figure(study: Study, asked: Mapping[str, Any]) -> list[str]:
    """What is wrong with a figure of indicators or curves."""
    shows = KINDS[asked["kind"]].shows
    if shows == "curves" and not study.aggregations:
        return ["the study has no ECDF curves to draw, expected indicators.ecdf.aggregate and a measure that reads traces."]
    if asked["kind"] == "areas" and asked["aggregation"] not in study.aggregations:
        return [f"there is no aggregation {asked['aggregation']!r}{did_you_mean(asked['aggregation'], study.aggregations)}"]
    if asked["target"] is not None and shows == "indicators":
        targets = [t for name in asked["measures"] if name in study.measures for t in study.measures[name].get("targets", [])]
        if asked["target"] not in targets:
            listed = ", ".join(f"{target:g}" for target in targets) or "no target"
            return [f"target: found {asked['target']:g}, expected one of the measure ({listed})."]
    return []
