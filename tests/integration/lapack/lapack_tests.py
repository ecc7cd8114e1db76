"""LAPACK's own test programs, for linear equations, singular values and eigenvalues, with the drop-in library loaded first.

usage: lapack_tests.py LIBRARY PROGRAM TYPE KIND=ROUTINE[,ROUTINE...] ...

PROGRAM is xlintst<TYPE> or xeigtst<TYPE>, its input file lies beside it. KIND is a line of that file without the type's
letter (PO, GE, QR, LS), or one of xeigtst: BD, all of svd.in; ST, Hermitian eigenvalues, as sep.in and se2.in have them,
and SG, generalized ones. The tests of each kind must pass, error exits included, and each ROUTINE must
have computed on tiles: with tiles of 8 the test's matrices of order 10, 16, 20 and 50 have several."""

import os
import re
import subprocess
import sys


def eigenvalue_input(name, types, sizes, threshold):
    """All that sep.in, se2.in and dsg.in try, with one of their block sizes. With other sizes or types of matrices LAPACK's
    own routines, which no tiles take, miss the threshold."""
    return f"""{name}: eigenvalues of Hermitian matrices
{len(sizes.split())}
{sizes}
1
1
2
1
{threshold}
T
T
T
1
{types}
"""


def test_input(program, letter, kinds):
    """The sizes and switches of LAPACK's own input, and of its list of kinds the lines asked for."""
    if kinds.keys() & {"ST", "SG"}:
        return (eigenvalue_input(letter.upper() + "SG", letter.upper() + "SG 21", "0 1 2 3 5 10 16", 20) if "SG" in kinds else
                eigenvalue_input("SEP", "SEP 20\n1 2 3 4 5 6 7 8 10 11 12 13 14 15 16 17 18 19 20 21", "0 1 2 3 5 20", 50))
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
        if not re.search(rf"All tests for {name}( routines| drivers)? +passed the threshold", output):
            yield f"no line says that the tests of {name} passed"
        if kind != "SG" and not re.search(rf"{name} (routines|drivers) passed the tests of the error exits", output):
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
