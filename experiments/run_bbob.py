"""Run one solver on the BBOB problems through an official logger; pack its logs.

All settings are arguments, so that the command written into the archive says
everything; the Snakefile takes them from ``config.yaml``.
"""

import argparse
import csv
import io
import json
import lzma
import platform
import re
import tarfile
import tempfile
import time
import zipfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
from harness import FINAL_TARGET, Problem, load_solver, run_trial, trial_seed

PACKAGES = {"coco": "coco-experiment", "ioh": "ioh"}


def run_coco(solve, info, folder, settings):
    """Run all trials with the logger of the COCO platform.

    Parameters
    ----------
    solve : callable
        The solver.
    info : str
        A line about the solver for the ``.info`` files.
    folder : pathlib.Path
        Where the logger makes its folder.
    settings : argparse.Namespace
        The settings of the experiment.

    Yields
    ------
    tuple of int
        Function, dimension, instance and seed of a finished trial.
    """
    # Imported here, so that one logger is enough to run the experiment.
    import cocoex

    cocoex.log_level("warning")
    suite = cocoex.Suite(
        "bbob",
        f"instances: {settings.instances}",
        f"function_indices: {settings.functions} dimensions: {settings.dimensions}",
    )
    observer = cocoex.Observer(
        "bbob",
        f'outer_folder: "{folder}" result_folder: {slug(settings.name)} '
        f'algorithm_name: "{settings.name}" algorithm_info: "{info}" '
        f"{settings.observer}",
    )
    for inner in suite:
        inner.observe_with(observer)
        trial = inner.id_function, inner.dimension, inner.id_instance
        seed = trial_seed(settings.seed, settings.name, *trial)
        budget = settings.budget_factor * inner.dimension
        problem = Problem(
            inner,
            evaluations=lambda inner=inner: inner.evaluations,
            target_hit=lambda inner=inner: inner.final_target_hit,
            lower=inner.lower_bounds,
            upper=inner.upper_bounds,
            initial_solution=inner.initial_solution,
            budget=budget,
        )
        run_trial(solve, problem, budget, np.random.default_rng(seed))
        # The logger writes the end of a trial when its problem is freed.
        inner.free()
        yield *trial, seed


def run_ioh(solve, info, folder, settings):
    """Run all trials with the logger of IOHexperimenter.

    Parameters, and what is yielded, are those of :func:`run_coco`.
    """
    import ioh

    suite = ioh.suite.BBOB(
        numbers(settings.functions),
        numbers(settings.instances),
        numbers(settings.dimensions),
    )
    logger = ioh.logger.Analyzer(
        root=str(folder),
        folder_name=slug(settings.name),
        algorithm_name=settings.name,
        algorithm_info=info,
    )
    suite.attach_logger(logger)
    for inner in suite:
        meta = inner.meta_data
        trial = meta.problem_id, meta.n_variables, meta.instance
        seed = trial_seed(settings.seed, settings.name, *trial)
        budget = settings.budget_factor * meta.n_variables
        target = inner.optimum.y + FINAL_TARGET
        problem = Problem(
            inner,
            evaluations=lambda inner=inner: inner.state.evaluations,
            target_hit=lambda inner=inner, target=target: inner.state.current_best.y <= target,
            lower=inner.bounds.lb,
            upper=inner.bounds.ub,
            # The suite proposes none; COCO's is the centre of the domain.
            initial_solution=np.zeros(meta.n_variables),
            budget=budget,
        )
        run_trial(solve, problem, budget, np.random.default_rng(seed))
        inner.reset()
        yield *trial, seed
    logger.close()


def provenance(module, settings):
    """Describe how the logs were made, without anything that differs by machine.

    Parameters
    ----------
    module : module
        The solver's file.
    settings : argparse.Namespace
        The settings of the experiment.

    Returns
    -------
    dict
        The content of ``PROVENANCE.json``.
    """
    packages = ("numpy", "scipy", "cma", PACKAGES[settings.logger])
    return {
        "algorithm": settings.name,
        "description": first_line(module),
        "suite": "bbob",
        "logger": settings.logger,
        "functions": settings.functions,
        "dimensions": settings.dimensions,
        "instances": settings.instances,
        "budget": f"{settings.budget_factor} x dimension evaluations",
        "final_target": FINAL_TARGET,
        "seed": settings.seed,
        "seeds_of_trials": "seeds.csv",
        "command": command(module, settings),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "packages": {name: version(name) for name in packages},
    }


def command(module, settings):
    """Return the command line which makes this archive, from the project's root."""
    words = [
        "python experiments/run_bbob.py",
        f"--solver experiments/solvers/{module.__name__}.py",
        f'--name "{settings.name}" --logger {settings.logger}',
        f"--functions {settings.functions} --dimensions {settings.dimensions}",
        f"--instances {settings.instances}",
        f"--budget-factor {settings.budget_factor} --seed {settings.seed}",
    ]
    if settings.logger == "coco" and settings.observer:
        words.append(f'--observer "{settings.observer}"')
    words.append(f"--output {settings.output.name}")
    return " ".join(words)


def pack(folder, archive):
    """Pack a folder so that the same logs give the same bytes.

    Names are sorted; times, owners and modes are fixed.

    Parameters
    ----------
    folder : pathlib.Path
        The folder; its name is the only one at the top of the archive.
    archive : pathlib.Path
        A path which ends in ``.tar.xz`` or ``.zip``.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [path.relative_to(folder.parent).as_posix() for path in files]
    archive.parent.mkdir(parents=True, exist_ok=True)
    # Written beside and renamed, so that the archive is there completely or not.
    partial = archive.with_name(archive.name + ".part")
    if archive.name.endswith(".zip"):
        with zipfile.ZipFile(partial, "w") as packed:
            for path, name in zip(files, names, strict=True):
                member = zipfile.ZipInfo(name)
                member.create_system = 3
                member.external_attr = 0o100644 << 16
                member.compress_type = zipfile.ZIP_DEFLATED
                packed.writestr(member, path.read_bytes(), compresslevel=9)
    else:
        with (
            lzma.open(partial, "wb", preset=9 | lzma.PRESET_EXTREME) as stream,
            tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as tar,
        ):
            for path, name in zip(files, names, strict=True):
                content = path.read_bytes()
                member = tarfile.TarInfo(name)
                member.size = len(content)
                member.mode = 0o644
                tar.addfile(member, io.BytesIO(content))
    partial.replace(archive)


def slug(name):
    """Return `name` as part of a file name."""
    return re.sub(r"[^A-Za-z0-9.+-]+", "-", name)


def first_line(module):
    """Return the first line of a file's docstring."""
    return (module.__doc__ or module.__name__).strip().splitlines()[0]


def numbers(text):
    """Read ``"1-3,7"``, as COCO writes a list, into ``[1, 2, 3, 7]``."""
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def list_of_numbers(text):
    """Return `text` when it is a list of numbers; argparse reports the error."""
    numbers(text)
    return text


def parse(arguments=None):
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--solver", type=Path, required=True, help="a file of experiments/solvers/")
    add("--name", required=True, help="the solver's name in the logs")
    add("--logger", choices=PACKAGES, default="coco")
    add("--functions", type=list_of_numbers, required=True, help="for example 1-24")
    add("--dimensions", type=list_of_numbers, required=True, help="for example 2,3,5,10")
    add("--instances", type=list_of_numbers, required=True, help="for example 1-15")
    add("--budget-factor", type=int, required=True, help="evaluations per variable")
    add("--seed", type=int, required=True, help="the seed of the whole experiment")
    add("--observer", default="", help="further options of COCO's observer")
    add("--output", type=Path, required=True, help="the archive: .tar.xz or .zip")
    settings = parser.parse_args(arguments)
    if '"' in settings.name:
        # COCO's option parser has no escape for it.
        parser.error('a name cannot contain "')
    return settings


def main(arguments=None):
    """Run, describe, pack."""
    settings = parse(arguments)
    module = load_solver(settings.solver)
    run = {"coco": run_coco, "ioh": run_ioh}[settings.logger]
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / slug(settings.name)
        trials = list(run(module.solve, first_line(module), Path(scratch), settings))
        with open(folder / "seeds.csv", "w", newline="") as stream:
            table = csv.writer(stream, lineterminator="\n")
            table.writerow(["function", "dimension", "instance", "seed"])
            table.writerows(trials)
        text = json.dumps(provenance(module, settings), indent=2, ensure_ascii=False)
        (folder / "PROVENANCE.json").write_text(text + "\n", encoding="utf-8")
        pack(folder, settings.output)
    seconds = time.perf_counter() - started
    print(f"{settings.output.name}: {len(trials)} trials in {seconds:.0f} s")


if __name__ == "__main__":
    main()
