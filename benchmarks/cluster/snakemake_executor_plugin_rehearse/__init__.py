"""An executor of Snakemake that starts nothing: it counts what would be submitted, and what each submission asks for.

The file named in `REHEARSAL` gets a line of JSON for each job or group of jobs.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from snakemake.executors.dryrun import Executor as DryRun
from snakemake.executors.dryrun import common_settings
from snakemake.resources import GroupResources

__all__ = ["Executor", "common_settings"]


class Executor(DryRun):
    """A dry run that prints nothing."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.rounds = 0
        self.lines = []

    def sent(self, job):
        """Whether a cluster would get the job: without one all are local, and all groups would be sent."""
        return job.is_group() or not (job.rule.norun or job.rule.name in self.workflow._localrules)

    def run_jobs(self, jobs):
        """Note what is ready at one time."""
        self.rounds += any(map(self.sent, jobs))
        super().run_jobs(jobs)

    def run_job_pre(self, job):
        """Note one of them."""
        asked = job.resources
        if job.is_group():
            # as it is asked of a cluster, where Snakemake would add what jobs of one machine ask for
            asked = GroupResources.basic_layered(job.toposorted, job.global_resources, run_local=False)
        line = {
            "submitted": self.sent(job),
            "round": self.rounds,
            "name": job.groupid if job.is_group() else job.name,
            "jobs": len(job),
            "cores": asked.get("_cores"),
            "mem_mb": asked.get("mem_mb"),
            "minutes": asked.get("runtime"),
        }
        self.lines.append(json.dumps(line))

    def shutdown(self):
        """There is no more."""
        Path(os.environ["REHEARSAL"]).write_text("\n".join(self.lines), encoding="utf-8")
