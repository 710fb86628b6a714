"""References: each once, known where they are named, and BibTeX that BibTeX itself takes."""

import re
import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest

from benchmill.exhibits.sentences import methods
from benchmill.registry import bibliography, formats, tables
from benchmill.registry.bibliography import CITATION, REFERENCES, SUITES, cited
from benchmill.registry.conventions import CONVENTIONS
from benchmill.registry.criteria import CRITERIA
from benchmill.registry.figures import KINDS
from benchmill.registry.indicators import INDICATORS
from benchmill.registry.inference import REGISTRIES
from benchmill.registry.measures import MEASURES
from benchmill.registry.variants import VARIANTS
from benchmill.text.bibliography import bibtex, plain

ENTRIES = [
    entry
    for registry in (
        VARIANTS,
        MEASURES,
        INDICATORS,
        CONVENTIONS,
        CRITERIA,
        KINDS,
        tables.KINDS,
        formats.FORMATS,
        *REGISTRIES.values(),
    )
    for entry in registry.values()
]


def test_what_is_named_is_known_and_what_is_known_is_named():
    named = {key for entry in ENTRIES for key in entry.references} | {key for keys in SUITES.values() for key in keys}
    named |= set(CITATION.findall(Path(methods.__file__).with_suffix(".j2").read_text("utf-8"))) - {"key"}
    assert named == set(REFERENCES)


def test_no_entry_of_the_file_is_passed_over():
    text = Path(bibliography.__file__).with_suffix(".bib").read_text("utf-8")
    assert text.count("\n@") == len(REFERENCES)
    assert text.count(" = {") == sum(3 + len(reference.fields) for reference in REFERENCES.values())


@pytest.mark.parametrize("key", REFERENCES)
def test_a_reference_is_complete(key):
    reference = REFERENCES[key]
    assert key == reference.key
    assert CITATION.fullmatch(f"[{key}]")
    assert 1900 < reference.year < 2100
    assert all(re.fullmatch(r"(\w\.(-\w\.)* )+[\w –-]+", author) for author in reference.authors)
    needed = {
        "article": {"journal", "volume"},
        "book": {"publisher"},
        "incollection": {"booktitle", "publisher"},
        "inproceedings": {"booktitle"},
        "misc": {"howpublished"},
        "phdthesis": {"school"},
        "techreport": {"institution"},
    }
    assert needed[reference.kind] <= set(reference.fields)
    assert re.fullmatch(r"10\.\d{4,5}/\S+", reference.fields.get("doi", "10.1000/none"))
    surname = reference.authors[0].rpartition(". ")[2]
    letters = "".join(c for c in unicodedata.normalize("NFD", surname) if c.isalpha() and c.isascii()).lower()
    assert key.startswith(letters)


def test_references_of_each_kind_are_printed_as_people_print_them():
    assert plain(REFERENCES["dolan2002"]) == (
        "E. D. Dolan and J. J. Moré. Benchmarking optimization software with performance profiles. "
        "Mathematical Programming 91(2), 201–213, 2002."
    )
    assert plain(REFERENCES["conover1999"]) == "W. J. Conover. Practical Nonparametric Statistics, third edition. Wiley, 1999."
    assert plain(REFERENCES["hansen2009"]) == (
        "N. Hansen, S. Finck, R. Ros and A. Auger. Real-parameter black-box optimization benchmarking 2009: noiseless functions "
        "definitions. Technical report, INRIA, RR-6829, 2009."
    )
    assert "In " not in plain(REFERENCES["barreto2010"])


def test_bibtex_has_names_that_bibtex_understands():
    assert bibtex(REFERENCES["siqueira2016"]).startswith(
        "@article{siqueira2016,\n  author = {Siqueira, A. S. and Costa da Silva, R. G. and Santos, L.-R.},\n"
    )
    assert r"Tu\v{s}ar, T." in bibtex(REFERENCES["tusar2019"])
    assert "  pages = {201--213},\n" in bibtex(REFERENCES["dolan2002"])
    assert "  doi = {10.1162/evco_a_00298},\n" in bibtex(REFERENCES["brockhoff2022"])


def test_texts_cite_in_the_order_of_the_bibliography():
    assert cited(["so [holm1979] and [nobody2000]", "so [dolan2002][holm1979]"]) == ["dolan2002", "holm1979"]


@pytest.mark.skipif(not shutil.which("bibtex"), reason="needs BibTeX")
def test_bibtex_takes_all(tmp_path):
    entries = [bibtex(reference) for reference in REFERENCES.values()]
    (tmp_path / "all.bib").write_text("\n\n".join(entries), "utf-8")
    (tmp_path / "all.aux").write_text("\\citation{*}\n\\bibstyle{plain}\n\\bibdata{all}\n", "utf-8")
    done = subprocess.run(["bibtex", "all"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "Warning" not in done.stdout
    assert (tmp_path / "all.bbl").read_text("utf-8").count("\\bibitem{") == len(REFERENCES)
