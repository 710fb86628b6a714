#!/usr/bin/env python3
"""Run `benchmill compare` in continuous integration, and keep one comment on the pull or merge request up to date.

    python compare.py [--name NAME] [--output FOLDER] -- BASE NEW [options of `benchmill compare`]

On GitHub Actions and GitLab CI the request is found in the environment that these set. The comment is written with the token in
`GITHUB_TOKEN`, or `GITLAB_TOKEN` (a project access token with the scope `api`); without one, and anywhere else, the comparison is
printed and nothing is sent. The exit code is that of `benchmill compare`. A comment that cannot be written is no failure: the
comparison stands in the job's log, on GitHub in its summary, and in the folder.

Only Python's standard library and the command `benchmill` are needed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Characters of a comment; GitHub takes 65536, GitLab more.
_LONGEST = 60_000
#: Comments that a page of the interface holds, and pages that are looked through.
_A_PAGE, _MOST_PAGES = 100, 50
_SECONDS = 30


@dataclass(frozen=True)
class Forge:
    """Where comments of a request are.

    Attributes
    ----------
    comments : str
        The address at which they are listed and made.
    change : str
        The address of one of them, with `{id}`.
    method : str
        What changes one.
    headers : dict
        What says who asks.
    """

    comments: str
    change: str
    method: str
    headers: dict[str, str]


def forge(environment: dict[str, str]) -> Forge | None:
    """The forge that runs this, by the environment; None elsewhere, outside a request, and without a token."""
    token = environment.get("GITHUB_TOKEN")
    event = environment.get("GITHUB_EVENT_PATH")
    if token and event and environment.get("GITHUB_REPOSITORY"):
        number = json.loads(Path(event).read_text(encoding="utf-8")).get("pull_request", {}).get("number")
        if not isinstance(number, int):
            return None
        root = environment.get("GITHUB_API_URL", "https://api.github.com")
        issues = f"{root}/repos/{environment['GITHUB_REPOSITORY']}/issues"
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        return Forge(f"{issues}/{number}/comments", f"{issues}/comments/{{id}}", "PATCH", headers)
    token = environment.get("GITLAB_TOKEN")
    request = environment.get("CI_MERGE_REQUEST_IID")
    if token and request:
        project = urllib.parse.quote(environment["CI_PROJECT_ID"], safe="")
        notes = f"{environment['CI_API_V4_URL']}/projects/{project}/merge_requests/{request}/notes"
        return Forge(notes, f"{notes}/{{id}}", "PUT", {"PRIVATE-TOKEN": token})
    return None


def keep_comment(where: Forge, marker: str, text: str) -> None:
    """Write the comment that begins with `marker`: that there is already, where it can be changed, else a new one."""
    body = {"body": f"{marker}\n{text}"}
    for comment in _comments(where):
        if str(comment.get("body", "")).startswith(marker):
            try:
                _ask(where.method, where.change.format(id=int(comment["id"])), where.headers, body)
                return
            except urllib.error.HTTPError as error:
                # somebody else has written a comment that begins so
                if error.code not in (403, 404):
                    raise
    _ask("POST", where.comments, where.headers, body)


def _comments(where: Forge) -> Iterator[dict[str, Any]]:
    for page in range(1, _MOST_PAGES + 1):
        found = _ask("GET", f"{where.comments}?per_page={_A_PAGE}&page={page}", where.headers)
        yield from found
        if len(found) < _A_PAGE:
            return


def _ask(method: str, address: str, headers: dict[str, str], body: dict[str, str] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {**headers, "Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
        return json.load(answer)


def shortened(text: str) -> str:
    """The text, or as many whole lines of it as a comment takes."""
    if len(text) <= _LONGEST:
        return text
    kept = text[:_LONGEST].rpartition("\n")[0]
    # a table that is folded stays closed
    closing = "\n</details>" if kept.count("<details>") > kept.count("</details>") else ""
    return f"{kept}\n{closing}\n\nThe rest is on the page.\n"


def main(arguments: list[str] | None = None) -> int:
    """Compare, tell, and return the exit code of the comparison."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--name", default="", help="tells several comparisons of a request apart: each has its own comment")
    parser.add_argument("--output", default="benchmill-compare", help="folder of comparison.md, .json and .html")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="-- BASE NEW ...", help="arguments of `benchmill compare`")
    options = parser.parse_args(arguments)
    if not re.fullmatch(r"[\w .-]*", options.name):
        parser.error(f"--name: found {options.name!r}, expected letters, digits, blanks, '.', '_' and '-'")
    command = ["benchmill", "compare", *options.command[options.command[:1] == ["--"] :], "--output", options.output]
    # the process that reads logs has no token
    without = {name: value for name, value in os.environ.items() if not name.endswith("_TOKEN")}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, env=without)
    print(done.stdout, end="")
    print(done.stderr, end="", file=sys.stderr)
    said = done.stdout
    if done.returncode not in (0, 1):
        # indented, so that nothing in it is read as Markdown
        lines = [f"    {line}" for line in (done.stderr or "It ended without a word.").splitlines()]
        said = "\n".join([f"{said}\n" if said else "", "## benchmill could not decide", "", *lines, ""]).lstrip("\n")
    if options.name:
        said = f"**{options.name}**\n\n{said}"
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with open(summary, "a", encoding="utf-8") as stream:
            stream.write(said)
    try:
        where = forge(dict(os.environ))
        if where is not None:
            keep_comment(where, f"<!-- benchmill compare {options.name} -->", shortened(said))
    except (OSError, ValueError, KeyError) as error:
        print(f"compare.py: the comment is not written ({error}).", file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
