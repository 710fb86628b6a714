#!/bin/sh
# The state of job $1 in one word: running (or waiting), success or failed.
state=$(squeue --noheader --format=%T --states=all --jobs="$1" 2>/dev/null | head -n 1)
case "$state" in
    COMPLETED) echo success ;;
    # nothing: the scheduler does not answer just now
    PENDING | CONFIGURING | RUNNING | COMPLETING | SUSPENDED | "") echo running ;;
    *) echo failed ;;
esac
