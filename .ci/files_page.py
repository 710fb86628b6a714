"""Write docs/files.md: its tables come from benchmill.core.schema, so the page cannot disagree with the files."""

from __future__ import annotations

from pathlib import Path

from benchmill.core.schema import TABLES, TEXT

HERE = Path(__file__).parents[1]

HEAD = """\
# The files

Made by `make lock` from `src/benchmill/core/schema.py`; a test compares the two.

Every file below can be asked for by name (`snakemake --cores all results/bbob/ratios/ert.parquet`), looked at, and used by
scripts of your own; the paths and the columns stay stable. `<study>`, `<measure>` and `<variant>` are the names in your
configuration; `<source>` is made from the name of a log folder or archive (its suffix cut off, unsafe characters replaced).

| file | one row (or what it is) |
| --- | --- |
| `results/<study>/config.yaml` | the study with every default filled in |
| `results/<study>/trials/<source>.parquet` | a run of an algorithm on a problem instance |
| `results/<study>/traces/<source>.parquet` | an improvement within a trial |
| `results/<study>/ingest/<source>.json` | what the reader found, repaired, refused and missed (`docs/formats.md`) |
| `results/<study>/algorithms.parquet` | an algorithm, and the one source that holds it |
| `results/<study>/contradictions.parquet` | a problem on which runs of different sources claim what cannot all be true
(studies of solver runs from several sources) |
| `results/<study>/costs/<measure>/<source>.parquet` | a trial × target or budget |
| `results/<study>/ratios/<measure>.parquet` | an algorithm × problem × target or budget |
| `results/<study>/changes.md` | for each algorithm, what its presence changes: baselines, problems left out, places, and why |
| `results/<study>/profiles/<measure>/<variant>.parquet` | an algorithm × break point of its profile |
| `results/<study>/profile_measures/<measure>/<variant>.parquet` | an algorithm: area, reliability, wins, ranks |
| `results/<study>/profile_pairs/<measure>/<variant>.parquet` | an ordered pair of algorithms: does one profile dominate the
other |
| `results/<study>/profile_intervals/<measure>/<variant>.parquet` | an algorithm × quantity with its bootstrap interval |
| `results/<study>/profile_warnings/<measure>/<variant>.parquet` | an algorithm × problem at which the model of the variant is
doubtful |
| `results/<study>/standings/profiles.parquet` | an algorithm × variant × measure × criterion: its rank, and over all measures |
| `results/<study>/fronts/profiles.parquet` | an algorithm × variant × measure × pair of criteria: its Pareto front |
| `results/<study>/log_ratios/<measure>/<variant>.parquet` | log-ratio profiles: a problem, in the order of its log ratio |
| `results/<study>/waves/<measure>/<variant>.parquet` | nested profiles: an algorithm × wave, and who is eliminated |
| `results/<study>/wave_profiles/<measure>/<variant>.parquet` | nested profiles: an algorithm × wave × break point |
| `results/<study>/stability/<measure>/<variant>.parquet` | nested profiles: a pair whose order changes when an algorithm is left
out |
| `results/<study>/indicators/<source>.parquet` | an algorithm × problem × measure × target or budget |
| `results/<study>/ecdf/<aggregation>.parquet` | an algorithm × step of its ECDF |
| `results/<study>/ecdf_curves/<aggregation>.parquet` | a curve: the trials and targets behind it, the area under it |
| `results/<study>/target_sets/ecdf.parquet` | a target of a set on a problem |
| `results/<study>/target_sensitivity/ecdf.parquet` | an algorithm × set of targets × dimension: area under its ECDF, rank |
| `results/<study>/densities/<source>.parquet` | a point or bar of the density of an algorithm's costs |
| `results/<study>/attainment/<source>.parquet` | an algorithm × problem × share of trials × improvement of that share |
| `results/<study>/convergence/<source>.parquet` | an algorithm × problem: area over the convergence curve (AOCC) |
| `results/<study>/value_ecdf/<measure>/<aggregation>.parquet` | an algorithm × step of its ECDF of values reached |
| `results/<study>/value_ecdf_curves/<measure>/<aggregation>.parquet` | a curve of these: what is behind it |
| `results/<study>/designs/<measure>.parquet` | a design that was tested: blocks, runs, and how the costs became it |
| `results/<study>/tests/<measure>.parquet` | a test |
| `results/<study>/ranks/<measure>.parquet` | an algorithm: its average rank |
| `results/<study>/comparisons/<measure>.parquet` | a pair of algorithms |
| `results/<study>/posteriors/<measure>.parquet` | a pair of algorithms: probabilities that one is practically better |
| `results/<study>/intervals/<measure>.parquet` | an algorithm × method: its mean with the minimum significant difference |
| `results/<study>/assumptions/<measure>.parquet` | a check of what parametric methods assume |
| `results/<study>/rank_sums/<measure>.parquet` | an algorithm × problem × target: is the best one there better? |
| `results/<study>/figures/<figure>.{pdf,svg,png,txt}` | a figure, and its caption; `<figure>.pgf` with `pgf: true` |
| `results/<study>/tables/<table>.tex` | a table to `\\input` in a paper (packages `booktabs`, `longtable`; `siunitx` where
asked for) |
| `results/<study>/tables/<table>.{csv,md,txt}` | the same rows with the same rounding as CSV and Markdown; its caption |
| `results/<study>/numbers.tex` | a macro for every headline number, used as `\\benchmill{key}`; the file lists the keys |
| `results/reproduction.parquet`, `.tex`, `.csv`, `.md` | a number printed in a published paper, and the recomputed one (with the
studies of those papers) |
| `results/paper/paper.tex`, `results/paper.pdf` | the paper of all studies |
| `results/<study>/paper.pdf` | the paper that the study brings (key `paper`) |
| `results/report.html` | the report of all studies, one file that works offline |

A Parquet file carries what it was made from: the metadata key `benchmill` holds JSON with the name of the table, the version, the
digest of every input and the settings (`benchmill.core.storage.origin_of(path)`). Text columns are dictionaries (pandas:
categorical).
The keys are `suite`, `problem`, `dimension`, `instance`, `algorithm` and `run`; `trial` joins `trials`, `traces` and `costs` of
one source. In ratios and indicators a key column that is not among the study's `problem_keys` is empty.

The figures of a study are `profile_<measure>_<variant>`, `ecdf_<aggregation>`, `ranks_<measure>`, and those it
asks for by their kind (`figures` in config/README.md); the tables `inventory`,
`irregularities`, `ert_<measure>`, `profile_<measure>_<variant>` and `tests_<measure>`.
"""

TITLES = {
    "trials": "A trial that is missing has no row: missing trials are listed in the ingest report and counted in `indicators`.",
    "traces": "Rows of a trial stand together, by increasing evaluations and strictly better values.",
}


def page() -> str:
    """The text of docs/files.md."""
    parts = [HEAD]
    for name, schema in TABLES.items():
        parts.append(f"\n## {name}\n\n{TITLES.get(name, '')}\n".replace("\n\n\n", "\n"))
        parts.append("\n| column | type | unit | meaning |\n| --- | --- | --- | --- |\n")
        for field in schema:
            kind = "text" if field.type == TEXT else str(field.type).replace("double", "float64")
            kind += ", may be empty" if field.nullable else ""
            note = {key.decode(): value.decode() for key, value in field.metadata.items()}
            parts.append(f"| `{field.name}` | {kind} | {note['unit']} | {note['meaning']} |\n")
    return "".join(parts)


if __name__ == "__main__":
    (HERE / "docs/files.md").write_text(page(), "utf-8")
