#!/usr/bin/env python3
"""Runs every algorithm of algorithms/ with its exact check, for all types, on sizes and options that differ.

  check_algorithms.py HETC ALGORITHMS_DIR [--type s|d|c|z] [--devices LIST [--device-weights W]] [--split S] [--part P/N] [NAME ...]

Each case is one 'hetc run --check=full': it passes when hetc judged the result and found it right.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile

SQUARE = [["-n", 53, "--nb", 16], ["-n", 1, "--nb", 4], ["-n", 64, "--nb", 16], ["-n", 150, "--nb", 64]]
RECTANGLES = [["-m", m, "-n", n, "--nb", nb] for m, n, nb in
              [(53, 53, 16), (70, 31, 16), (31, 70, 16), (64, 32, 16), (32, 64, 16), (40, 33, 16), (33, 40, 16), (200, 9, 8),
               (9, 200, 8), (5, 3, 16), (3, 5, 16), (1, 1, 4), (200, 130, 64), (130, 200, 64)]]


def options(**choices):
    """All combinations of --set NAME=VALUE."""
    names = list(choices)
    return [[f"--set={name}={value}" for name, value in zip(names, values)]
            for values in itertools.product(*choices.values())]


UPLO, DIAG, SIDE = ["Lower", "Upper"], ["NonUnit", "Unit"], ["Left", "Right"]


def cases(name):
    ops = ["NoTrans", "Trans", "ConjTrans"]
    adjoint = ["NoTrans", "ConjTrans"]
    small = [["-m", 37, "-n", 26, "--nb", 8], ["-m", 16, "-n", 40, "--nb", 16]]
    table = {
        "trsm": (small, options(side=SIDE, uplo=UPLO, op=ops, diag=["NonUnit"])),
        "trmm": (small, options(side=SIDE, uplo=UPLO, op=ops, diag=DIAG)),
        "symm": (small, options(side=SIDE, uplo=UPLO, alpha=["-0.5"], beta=["0", "2"])),
        "syrk": ([["-n", 37, "-k", k, "--nb", 8] for k in (0, 5, 26)],
                 options(uplo=UPLO, op=["NoTrans", "Trans"], alpha=["-0.5"], beta=["0", "2"])),
        "gemm": ([["-m", 37, "-n", 26, "-k", k, "--nb", 8] for k in (0, 19)], options(opA=ops, opB=ops)),
        "gemv": (RECTANGLES, options(op=ops, alpha=["-0.5"], beta=["0", "2"])),
        "trtri": (SQUARE, options(uplo=UPLO, diag=["NonUnit"])),
        "lauum": (SQUARE, options(uplo=UPLO)),
        "potri": (SQUARE, options(uplo=UPLO)),
        "gels": ([size + ["-k", k] for size in RECTANGLES for k in (1, 20)], options(op=adjoint)),
        "ge2gb": ([size for size in RECTANGLES if size[1] >= size[3]], [[]]),
        "gesvd": ([size + choice for size in RECTANGLES for choice in ([], ["--set=count=1"])],
                  [[], ["--set=sweeps=5", "--set=chunks=1", "--set=ib=7", "--set=wide=3"]]),
        "heev": (SQUARE, [[], ["--set=il=1", "--set=iu=1"], ["--set=sweeps=5", "--set=chunks=1", "--set=ib=7", "--set=wide=3"]]),
        "hegst": (SQUARE, options(itype=[1, 2])),
        "hegv": (SQUARE, options(itype=[1, 2, 3])),
        "hb2st": (SQUARE, options(G=[1, 5, 20], C=[1, 3])),
        "qr": (RECTANGLES, options(ib=[1, 5, 32])),
        "qr_tree": (RECTANGLES, options(ib=[5, 32], h=[1, 2, 3])),
    }
    plain = RECTANGLES if name in ("geqrf", "getrf", "getrf_nopiv", "getrf_tntpiv") else SQUARE
    if name in ("posv", "potrs", "potrs_upper", "gesv"):
        plain = [size + ["-k", k] for size in SQUARE for k in (1, 20)]
    sizes, choices = table.get(name, (plain, [[]]))
    return [size + choice for size in sizes for choice in choices]


def run(hetc, file, type_letter, case, environment, more=()):
    command = [hetc, "run", file, "--type", type_letter, "--check=full", "--json", "--quiet", *map(str, case),
               *more]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    try:
        result = json.loads(done.stdout)
        if done.returncode == 0 and result["passed"]:
            return None
    except (ValueError, KeyError):
        pass
    return f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}{done.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("hetc")
    parser.add_argument("directory")
    parser.add_argument("--type", default="sdcz")
    parser.add_argument("--devices", default="", help="accelerators of each run")
    parser.add_argument("--device-weights", default="", help="their rates, which each program measures otherwise")
    parser.add_argument("--split", default="", help="slices of each tile")
    parser.add_argument("--part", default="0/1", help="part P of N, 0 <= P < N, of each algorithm's cases")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_intermixed_args()
    files = sorted(file for file in os.listdir(arguments.directory) if file.endswith(".tla"))
    more = ["--devices", arguments.devices] if arguments.devices else []
    more += ["--device-weights", arguments.device_weights] if arguments.device_weights else []
    more += ["--split", arguments.split] if arguments.split else []
    part, parts = map(int, arguments.part.split("/"))
    failures = total = 0
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ, HETC_CACHE_DIR=cache)
        for file in files:
            name = file[:-len(".tla")]
            if arguments.names and name not in arguments.names:
                continue
            for letter in arguments.type:
                for case in cases(name)[part::parts]:
                    total += 1
                    failure = run(arguments.hetc, os.path.join(arguments.directory, file), letter, case, environment,
                                  more)
                    if failure:
                        failures += 1
                        print(failure, flush=True)
    print(f"{total} cases, {failures} failures")
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
