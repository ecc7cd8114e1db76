"""A program that knows nothing of hetc, R or Octave, with the drop-in library loaded first.

usage: other_hosts.py LIBRARY ROUTINE,... PROGRAM SCRIPT

The script prints lines of a name and an error, which must be small; each ROUTINE must have computed on tiles."""

import os
import re
import subprocess
import sys


def main():
    library, routines, *command = sys.argv[1:]
    settings = {"LD_PRELOAD": library, "HETC_MIN_N": "0", "HETC_NB": "32", "HETC_THREADS": "2", "HETC_VERBOSE": "1"}
    result = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True, timeout=250, check=False)
    failures = []
    lines = re.findall(r"^(.+) ([-+.\deE]+|NaN|Inf) *$", result.stdout, re.M)
    for name, error in lines:
        print(name, error)
        if not float(error) < 1e-9:
            failures.append(f"{name} is wrong by {error}")
    if len(lines) < 7:
        failures.append(f"{len(lines)} results, exit code {result.returncode}: {result.stdout}{result.stderr[-2000:]}")
    for routine in routines.split(","):
        if not re.search(rf"^hetc: {routine} .*: tiled", result.stderr, re.M):
            failures.append(f"{routine} never computed on tiles")
    for failure in failures:
        print("FAILED:", failure)
    return 1 if failures else 0


sys.exit(main())
