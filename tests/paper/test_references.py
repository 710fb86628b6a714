"""What a study has to cite: its methods, formats, suites and data, and nothing that it does not use."""

import shutil
import subprocess

import pytest

from benchmill.core import UserError
from benchmill.paper.references import bibliography, used
from benchmill.text.bibliography import given, merged

BARE = {"profiles": [], "measures": {}, "indicators": {}, "inference": {}}
REPORT = {"source": "Powell", "format": "table", "suites": ["mine"], "algorithms": ["Powell"], "sha256": "ab" * 32}
OWN = "@article{ours2024,\n  title = {A {Solver}},\n\n  note = {100\\% of x}\n}"


def inference(**settings):
    usual = {"methods": ["friedman"], "comparisons": ["net_wins"], "corrections": ["holm"], "bayes": []}
    return {**BARE, "inference": {**usual, **settings}}


def test_a_study_of_a_table_cites_nothing_but_benchmill():
    assert used(BARE, [REPORT], []) == {}
    assert bibliography("s", BARE, [REPORT], [], {}).count("@") == 1


def test_what_is_used_is_cited_for_what_it_is_used():
    config = {**BARE, "profiles": [{"variant": "nested"}], "measures": {"rate": {"kind": "feasible_rate"}}}
    logs = {**REPORT, "format": "ioh", "suites": ["BBOB"]}
    found = used(config, [logs], ["attainment"])
    assert found["hekmati2018"] == ["nested profile"]
    assert found["barbosa2010"] == ["feasible rate"]
    assert found["lopezibanez2025"] == ["empirical attainment curves"]
    assert found["doerr2018"] == ["logs of IOHprofiler"]
    assert found["hansen2009"] == ["the suite BBOB"]
    # every profile is made of ratios as these authors define them
    assert found["dolan2002"] == ["Performance profiles"]
    assert "morales2002" not in found


def test_a_correction_is_cited_where_a_comparison_takes_it():
    assert "holm1979" not in used(inference(), [], [])
    assert used(inference(comparisons=["net_wins", "wilcoxon"]), [], [])["holm1979"] == ["Holm’s correction"]
    assert used(inference(), [], [])["iman1980"] == ["Friedman"]
    assert "friedman1937" not in used(BARE, [], [])


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            {"citation": "A. Solver, personal_communication"},
            "@misc{s_Powell,\n  key = {s\\_Powell},\n  note = {A. Solver, personal\\_communication},\n}",
        ),
        ({"citation": OWN}, "% data: Powell\n@article{ours2024,\n  title = {A {Solver}},\n  note = {100\\% of x}\n}\n"),
        ({"url": "https://data.example/a b}.tgz"}, "\\url{https://data.example/a%20b%7D.tgz}"),
        ({"url": "https://data.example/a.tgz"}, "title = {{Data of Powell on mine}}"),
        ({"url": "https://data.example/a.tgz"}, f"note = {{SHA-256 {'ab' * 32}}}"),
    ],
)
def test_data_are_cited(source, said):
    assert said in bibliography("s", BARE, [REPORT], [], {"Powell": source})


def test_what_a_background_was_made_of_is_cited_too():
    made_of = [
        {"name": "Alpha", "algorithms": ["A"], "sha256": "cd" * 32, "url": "https://data.example/a.tgz"},
        {"name": "Beta", "algorithms": ["B"], "sha256": "ef" * 32, "citation": OWN},
    ]
    text = bibliography("s", BARE, [{**REPORT, "made_of": made_of}], [], {})
    assert "% data: Alpha in Powell\n@misc{s_Powell:Alpha," in text
    assert "title = {{Data of A on mine}}" in text
    assert f"note = {{SHA-256 {'cd' * 32}}}" in text
    assert "% data: Beta in Powell\n@article{ours2024_" in text
    assert "  title = {A {Solver}}," in text


@pytest.mark.parametrize(
    ("citation", "cited"),
    [
        (
            "@misc{a, note = {\\input{/etc/passwd}}}",
            r"note = {Cited as: @misc\textbraceleft{}a, note~=~\textbraceleft{}\textbackslash{}input",
        ),
        ("@misc{a, note = {^^5cinput{/etc/passwd}}}", r"\textasciicircum{}5cinput"),
        ("@misc{a, note = {5 $}}", r"5 \$"),
        ("@preamble{a, x}", "Cited as: @preamble"),
        ("@misc{a, note = {x}", "Cited as: @misc"),
        ("@misc{benchmill, note = {x}}", "@misc{benchmill_"),
        ('@misc{dolan2002, author = {M{\\"u}ller and \\v{C}ech}}', 'author = {M{\\"u}ller and \\v{C}ech}'),
        ("A\n\n@misc{b, note = {x}}", "Cited as: A @misc"),
    ],
)
def test_what_a_strangers_background_says_is_text(citation, cited):
    one = {"name": "x @y", "algorithms": ["A"], "sha256": "\\input{x}", "url": "https://x.example/a"}
    text = bibliography("s", BARE, [{**REPORT, "made_of": [one, {**one, "name": "y", "citation": citation}]}], [], {})
    assert cited in text
    assert "\\input" not in text
    assert r"note = {SHA-256 \textbackslash{}input" in text


def test_an_entry_stands_once_with_all_that_it_is_cited_for():
    reports = [REPORT, {**REPORT, "source": "CMA-ES"}]
    text = bibliography("s", BARE, reports, [], {name: {"citation": OWN} for name in ("Powell", "CMA-ES")})
    assert text.count("@article{ours2024") == 1
    assert "% data: Powell\n% data: CMA-ES\n@article{ours2024" in text
    assert merged([text, text]) == text
    with pytest.raises(UserError, match="'ours2024' stands for different entries"):
        merged([text, text.replace("A {Solver}", "Another")])


@pytest.mark.parametrize(
    ("citation", "mistake"),
    [
        ("@article{a, title={x}", "'a' is not closed"),
        ("@article{a, title={x}} and more", "found 'and more', expected entries of BibTeX"),
        ('@preamble{"\\input{x}"}', "expected entries of BibTeX"),
        ("@book{a, title={x}}\n@book{a, title={y}}", "found the key 'a' twice"),
    ],
)
def test_what_is_no_bibtex_is_refused(citation, mistake):
    with pytest.raises(UserError) as told:
        given(citation, "key")
    assert mistake in str(told.value)


@pytest.mark.skipif(not shutil.which("bibtex"), reason="needs BibTeX")
def test_bibtex_takes_the_file(tmp_path):
    sources = {"Powell": {"citation": OWN}, "B": {"url": "https://x.example/é_%.tgz"}, "C": {"citation": "Ünal & Co., $5 {"}}
    reports = [{**REPORT, "source": name, "algorithms": ["A_{%", "ψ"]} for name in sources]
    (tmp_path / "all.bib").write_text(bibliography("my study", BARE, reports, [], sources), "utf-8")
    (tmp_path / "all.aux").write_text("\\citation{*}\n\\bibstyle{unsrt}\n\\bibdata{all}\n", "utf-8")
    done = subprocess.run(["bibtex", "all"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "all.bbl").read_text("utf-8").count("\\bibitem{") == 4
