#!/bin/sh
# The state of the job $1 in one word: running, success or failed.
state=$(squeue --noheader --format=%T --states=all --jobs="$1" 2>/dev/null | head -n 1)
case "$state" in
    COMPLETED) echo success ;;
    PENDING | CONFIGURING | RUNNING | COMPLETING | SUSPENDED | REQUEUED | REQUEUE_HOLD | "") echo running ;;
    *) echo failed ;;
esac
