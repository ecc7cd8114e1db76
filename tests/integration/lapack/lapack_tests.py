"""LAPACK's own test programs, for linear equations and for singular values, with the drop-in library loaded before LAPACK.

usage: lapack_tests.py LIBRARY PROGRAM TYPE KIND=ROUTINE[,ROUTINE...] ...

PROGRAM is xlintst<TYPE> or xeigtst<TYPE>, its input file lies beside it. KIND is a line of that file without the type's
letter (PO, GE, QR, LS; of xeigtst BD, all of svd.in); the tests of each kind must pass, error exits included, and each ROUTINE must have computed on tiles: with tiles
of 8 the test's matrices of order 10 and 50 have several."""

import os
import re
import subprocess
import sys


def test_input(program, letter, kinds):
    """The sizes and switches of LAPACK's own input, and of its list of kinds the lines asked for."""
    if os.path.basename(program).startswith("xeig"):
        with open(os.path.join(os.path.dirname(program), "svd.in"), encoding="utf-8") as file:
            return file.read()
    with open(os.path.join(os.path.dirname(program), f"{letter}test.in"), encoding="utf-8") as file:
        lines = file.readlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(f"{letter.upper()}GE"))
    wanted = tuple(letter.upper() + kind for kind in kinds)
    return "".join(lines[:first] + [line for line in lines[first:] if line[:3] in wanted])


def run(library, program, text):
    settings = {"LD_PRELOAD": library, "HETC_NB": "8", "HETC_MIN_N": "0", "HETC_THREADS": "2", "HETC_VERBOSE": "1"}
    return subprocess.run([program], input=text, env={**os.environ, **settings}, capture_output=True, text=True,
                          timeout=1000, check=False)


def complaints(output, letter, kinds):
    """The program's exit code is 0 whatever it finds."""
    for kind in kinds:
        name = letter.upper() + kind
        if not re.search(rf"All tests for {name} (routines|drivers) +passed the threshold", output):
            yield f"no line says that the tests of {name} passed"
        if not re.search(rf"{name} (routines|drivers) passed the tests of the error exits", output):
            yield f"no line says that {name} passed the tests of the error exits"
    for line in output.splitlines():
        if re.search(r"\*\*\*|fail|[Ii]llegal|not recognized", line):
            yield line.strip()
    if "End of tests" not in output:
        yield "the program did not come to its end"


def main():
    library, program, letter = sys.argv[1:4]
    kinds = dict(argument.split("=") for argument in sys.argv[4:])
    result = run(library, program, test_input(program, letter, kinds))
    errors = list(complaints(result.stdout, letter, kinds))
    for routine in ",".join(kinds.values()).split(","):
        tiled = len(re.findall(rf"^hetc: {letter}{routine} .*: tiled", result.stderr, re.M))
        print(f"{letter}{routine}: {tiled} calls on tiles")
        if tiled == 0:
            errors.append(f"{letter}{routine} never computed on tiles")
    foreign = [line for line in result.stderr.splitlines() if not line.startswith("hetc: ")]
    for line in errors + foreign[:20]:
        print("FAILED:", line)
    print("\n".join(line for line in result.stdout.splitlines() if "passed" in line))
    return 1 if errors or foreign or result.returncode else 0


sys.exit(main())
