"""A study whose logs are elsewhere, and one whose results go elsewhere: the same bytes as with everything on this machine."""

import hashlib
import json
import re
import shutil

import pytest

from tests.runs.conftest import PROJECT, Workspace, make_workspace, write_archive

from .conftest import Web, keys, trusting

pytestmark = pytest.mark.remote
NAMES = ("Alpha", "Beta", "Gamma")
FEW = ["results/small/changes.md", "results/small/tables/inventory.tex", "results/small/ecdf/problem.parquet"]


@pytest.fixture(autouse=True)
def plugins():
    """Without the plugins there is nothing to test."""
    pytest.importorskip("snakemake_storage_plugin_http")
    pytest.importorskip("snakemake_storage_plugin_s3")


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """The study with everything on this machine."""
    workspace = make_workspace(tmp_path_factory.mktemp("local") / "work")
    run = workspace.run("--", *FEW)
    assert run.code == 0, run.output
    return workspace


def study(*sources):
    """A configuration with these sources, each a URL and what else its entry says."""
    lines = ["studies:", "  small:", "    title: A small study", "    sources:"]
    for url, more in sources:
        lines.append(f"      - {{path: '{url}', format: coco{more}}}")
    lines += ["    measures:", "      ert: {kind: fixed_target, targets: [10, 1.0e-3]}"]
    lines += ["      quality: {kind: fixed_budget, budgets: [20], floor: 1.0e-8}", ""]
    return "\n".join(lines)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def tells_sources(name):
    """Whether a result says where the sources of a study are."""
    return name.endswith("small/config.yaml") or "/tables/settings." in name


def but_sources(name, content):
    """A result, without what says where the sources of a study are."""
    if not name.endswith("small/exhibits.json"):
        return content
    exhibits = json.loads(content)
    kept = [table for table in exhibits["tables"] if table["name"] != "settings"]
    assert len(kept) == len(exhibits["tables"]) - 1
    return exhibits | {"tables": kept}


def same(name, one, other):
    if "/origins/" in name:
        # notes have digests of settings, which name sources, and of files, which are compared themselves
        one, other = (json.loads(content)["made"] for content in (one, other))
        told = {file for file in one if tells_sources(f"small/{file}") or file == "exhibits.json"}
        return {**one, **dict.fromkeys(told)} == {**other, **dict.fromkeys(told)}
    return tells_sources(name) or but_sources(name, one) == but_sources(name, other)


def test_logs_are_fetched_once_and_never_again(local, folder, certificate, s3, tmp_path):
    """From https and S3; with the servers gone everything can be made again."""
    settings, client = s3
    client.create_bucket(Bucket="entries")
    logs = local.folder / "logs"
    for name in NAMES[:2]:
        shutil.copy(logs / f"{name}.tar.xz", folder)
    client.upload_file(str(logs / "Gamma.tar.xz"), "entries", "2009/Gamma.tar.xz")
    server = Web(folder, certificate)
    workspace = Workspace(tmp_path / "work")
    workspace.folder.mkdir()
    workspace.config.write_text(
        study(
            (f"{server.url}/Alpha.tar.xz", f", sha256: {sha256(logs / 'Alpha.tar.xz')}"),
            (f"{server.url}/Beta.tar.xz", ", size_mb: 0.1"),
            ("s3://entries/2009/Gamma.tar.xz", f", sha256: {sha256(logs / 'Gamma.tar.xz')}"),
        )
    )
    env = {**settings, **trusting(certificate)}
    try:
        plan = workspace.run("-n", "--", *FEW, env=env)
        assert plan.code == 0, plan.output
        assert server.server.asked == []
        run = workspace.run("--", *FEW, env=env)
        assert run.code == 0, run.output
        assert sorted(server.fetched) == ["/Alpha.tar.xz", "/Beta.tar.xz"]
    finally:
        server.stop()
    client.delete_object(Bucket="entries", Key="2009/Gamma.tar.xz")
    found, expected = workspace.contents(), local.contents()
    assert found.keys() == expected.keys()
    assert [name for name in expected if not same(name, found[name], expected[name])] == []
    assert workspace.run("--", *FEW).jobs == []
    shutil.rmtree(workspace.folder / "results")
    again = workspace.run("--", *FEW)
    assert again.code == 0, again.output
    assert workspace.contents() == found
    # a file that was changed where it is kept is not the one that is meant
    kept = next((workspace.folder / "downloads").rglob("Alpha.tar.xz"))
    kept.unlink()
    write_archive(kept, "Alpha", 99)
    changed = workspace.run("--", *FEW)
    assert changed.code == 1
    assert "source Alpha: " in changed.output
    assert "is not the file that is meant" in changed.output


def test_what_cannot_be_fetched_is_told_and_the_rest_goes_on(local, folder, web, tmp_path):
    logs = local.folder / "logs"
    for name in NAMES:
        shutil.copy(logs / f"{name}.tar.xz", folder)
    workspace = Workspace(tmp_path / "work")
    workspace.folder.mkdir()
    sources = [
        (f"{web.url}/Alpha.tar.xz", ", sha256: " + "f" * 64),
        (f"{web.url}/cut/Beta.tar.xz", ""),
        (f"{web.url}/other/Gamma.tar.xz", ""),
        (f"{web.url}/Gamma.tar.xz", ", name: Right"),
    ]
    workspace.config.write_text(study(*sources))
    targets = [f"results/small/ingest/{name}.json" for name in (*NAMES, "Right")]
    run = workspace.run("--keep-going", "--retries", "0", "--", *targets)
    assert run.code == 1
    for (url, _), name, what in zip(sources, NAMES, ("not the file that is meant", "IncompleteRead", "no file"), strict=False):
        line = next(line for line in run.output.splitlines() if line.startswith(f"benchmill: source {name}: "))
        assert url in line
        assert what in line
    assert [path.name for path in (workspace.folder / "downloads").rglob("*") if path.is_file()] == ["Gamma.tar.xz"]
    assert workspace.path("small/ingest/Right.json").exists()
    # the rest comes as soon as it can; what is there is not fetched again
    workspace.config.write_text(study(*((url.replace("/cut/", "/").replace("/other/", "/"), "") for url, _ in sources[:3])))
    assert workspace.run("--", *targets[:3]).code == 0
    assert web.fetched.count("/Gamma.tar.xz") == 1


def test_results_in_an_object_store(local, folder, web, s3, tmp_path):
    """What is fetched goes there as well, for those who make results where no file is shared."""
    settings, client = s3
    client.create_bucket(Bucket="away")
    shutil.copy(local.folder / "logs" / "Alpha.tar.xz", folder)
    workspace = local.copy(tmp_path / "work")
    shutil.rmtree(workspace.folder / "results")
    shutil.rmtree(workspace.folder / ".snakemake")
    workspace.config.write_text(study((f"{web.url}/Alpha.tar.xz", ""), ("logs/Beta.tar.xz", ""), ("logs/Gamma.tar.xz", "")))
    away = ["--default-storage-provider", "s3", "--default-storage-prefix", "s3://away/mine"]
    run = workspace.run(*away, "--", *FEW, env=settings)
    assert run.code == 0, run.output
    assert not (workspace.folder / "results").exists()
    expected = {f"mine/results/{name}": content for name, content in local.contents().items()}
    assert [key for key in keys(client, "away") if "/results/" in key] == sorted(expected)
    for key, content in expected.items():
        assert same(key, client.get_object(Bucket="away", Key=key)["Body"].read(), content), key
    again = workspace.run(*away, "--", *FEW, env=settings)
    assert again.jobs == [], again.output
    assert web.fetched == ["/Alpha.tar.xz"]


def test_results_in_an_object_store_are_held_against_what_is_asked_for(local, s3, tmp_path):
    """With `.snakemake` lost nothing is made again that is as asked for, and everything that is not."""
    settings, client = s3
    client.create_bucket(Bucket="noted")
    sources = [(f"logs/{name}.tar.xz", "") for name in NAMES]
    workspace = local.copy(tmp_path / "work")
    shutil.rmtree(workspace.folder / "results")
    workspace.config.write_text(study(*sources))
    away = ["--default-storage-provider", "s3", "--default-storage-prefix", "s3://noted/mine"]

    def run():
        shutil.rmtree(workspace.folder / ".snakemake", ignore_errors=True)
        found = workspace.run(*away, "--", *FEW, env=settings)
        assert found.code == 0, found.output
        return found

    run()
    assert run().jobs == []
    changed = study(*sources).replace("1.0e-3", "1.0e-2")
    workspace.config.write_text(changed)
    assert "ratios" in run().output
    here = local.copy(tmp_path / "here")
    here.config.write_text(changed)
    assert here.run("--", *FEW).code == 0
    for name, content in here.contents().items():
        assert same(name, client.get_object(Bucket="noted", Key=f"mine/results/{name}")["Body"].read(), content), name
    # a note that is lost tells nothing
    lost = next(key for key in keys(client, "noted") if "/small/origins/ratios/" in key)
    client.delete_object(Bucket="noted", Key=lost)
    assert "ratios" in run().output
    assert lost in keys(client, "noted")


def test_the_profile_for_kubernetes_can_be_planned(s3, tmp_path):
    """Without a cluster this is as far as it goes."""
    pytest.importorskip("snakemake_executor_plugin_kubernetes")
    settings, client = s3
    client.create_bucket(Bucket="my-bucket")
    workspace = Workspace(tmp_path / "work")
    workspace.folder.mkdir()
    workspace.config.write_text(study(*((f"https://localhost/{name}.tgz", "") for name in NAMES)))
    run = workspace.run("--profile", PROJECT / "profiles/kubernetes", "-n", "--", FEW[0], env=settings)
    assert run.code == 0, run.output
    assert re.search(r"^fetch +3$", run.output, re.MULTILINE), run.output
    assert re.search(r"^ratios +2$", run.output, re.MULTILINE), run.output
