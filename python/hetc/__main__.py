"""python3 -m hetc script.py [argument...]: runs a program with LAPACK on tiles under its NumPy and SciPy."""

import sys

from ._dropin import run_accelerated

if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
    print("usage: python3 -m hetc (script.py | -m module | -c command) [argument...]\n\nRuns it with LAPACK on tiles under "
          "its NumPy and SciPy; HETC_VERBOSE=1 shows which calls.", file=sys.stdout if len(sys.argv) > 1 else sys.stderr)
    sys.exit(0 if len(sys.argv) > 1 else 2)
run_accelerated(sys.argv[1:])
