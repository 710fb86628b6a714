"""Look for known vulnerabilities in the pinned versions, with pip-audit; `make audit` and continuous integration run this.

Ends with 1 where a pinned version has a known vulnerability that `.ci/audit-ignored.txt` does not name, and with 0 otherwise.
Where no index of vulnerabilities can be reached, it says that nothing was audited: that is no reason to fail, nor to say that
all is well.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
LOCKS = ["requirements.lock", "experiments/requirements.lock"]
SECONDS = 120


def ignored(text: str) -> list[str]:
    """The vulnerabilities that a list names: one a line, then `#` and why it does not concern benchmill."""
    names = []
    for line in text.splitlines():
        name, mark, why = line.partition("#")
        if not name.strip():
            continue
        if not mark or not why.strip():
            raise SystemExit(f".ci/audit-ignored.txt: {name.strip()} has no reason; write it after a #.")
        names.append(name.strip())
    return names


def verdict(output: str) -> tuple[int, str]:
    """Exit code and message for what pip-audit printed as JSON (nothing of it where it could not ask)."""
    try:
        found = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return 0, "not audited: no index of vulnerabilities can be reached"
    audited = [package for package in found if "skip_reason" not in package]
    lines = [
        f"{package['name']} {package['version']}: {flaw['id']}, fixed in {', '.join(flaw['fix_versions']) or 'no version'}"
        for package in audited
        for flaw in package["vulns"]
    ]
    if lines:
        return 1, "\n".join(
            [*lines, "Pin fixed versions (`make lock`), or say in .ci/audit-ignored.txt why they do not concern us."]
        )
    if not audited:
        return 0, f"not audited: the index knows none of the {len(found)} packages"
    return 0, f"no known vulnerability in {len(audited)} of {len(found)} packages; of the others the index says nothing"


def main() -> int:
    """Audit every lock."""
    names = ignored((HERE / "audit-ignored.txt").read_text("utf-8"))
    worst = 0
    for lock in LOCKS:
        command = [sys.executable, "-m", "pip_audit", "--require-hashes", "--disable-pip", "--requirement", lock]
        command += ["--format", "json", "--timeout", "10", "--progress-spinner", "off"]
        command += [part for name in names for part in ("--ignore-vuln", name)]
        try:
            run = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, timeout=SECONDS, check=False)
            code, message = verdict(run.stdout)
        except subprocess.TimeoutExpired:
            code, message = 0, f"not audited: no answer within {SECONDS} seconds"
        print(f"{lock}: {message}")
        worst = max(worst, code)
    return worst


if __name__ == "__main__":
    sys.exit(main())
