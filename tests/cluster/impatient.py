"""Snakemake that asks Slurm once a second: a real cluster is asked every 20 s, and 10 s later each time no job has ended."""

import asyncio
import sys

from snakemake.cli import main
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor


async def sleep(self):
    await asyncio.sleep(1)


RemoteExecutor.sleep = sleep
sys.exit(main())
