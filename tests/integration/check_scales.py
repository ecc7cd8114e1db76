#!/usr/bin/env python3
"""The judge is judged: algorithms with one operation changed must fail their checks, unchanged ones pass, at every scale of the input.

  check_scales.py HETC ALGORITHMS_DIR [--type s|d|c|z] [NAME ...]

An algorithm runs on matrices from files, multiplied by 1e-290 .. 1e290 (float: 1e-30 .. 1e30). Needs NumPy.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import numpy

N, NB = 30, 8
DTYPES = {"s": "f4", "d": "f8", "c": "c8", "z": "c16"}
SCALES = {"s": [-30, 0, 30], "d": [-290, -150, 150, 290], "c": [-25, 25], "z": [-290, 0, 290]}

# By algorithm: which file has the operation that is changed, the operation before and after; and the matrices, each with its kind
# and the part that it has in the exponent, so that neither the result nor what it is made of leaves the range of the type.
HALF = ("gemm(NoTrans, NoTrans, T(-1)", "gemm(NoTrans, NoTrans, T(-0.5)")
PLAIN, B = {"A": ("random", 1)}, {"B": ("random", 1)}
TABLE = {
    "cholesky": ("cholesky", "T(-1), A(i, k)", "T(-0.5), A(i, k)", {"A": ("spd", 1)}),
    "cholesky_upper": ("cholesky_upper", "T(-1), A(k, i)", "T(-0.5), A(k, i)", {"A": ("spd", 1)}),
    "ldlt_nopiv": ("ldlt_nopiv", "ConjTrans, T(-1), A(i, k)", "ConjTrans, T(-0.5), A(i, k)", {"A": ("spd", 1)}),
    "posv": ("cholesky", "T(-1), A(i, k)", "T(-0.5), A(i, k)", {"A": ("spd", 1), **B}),
    "potrs": ("potrs", *HALF, {"L": ("dominant", 0.4), **B}),
    "potrs_upper": ("potrs_upper", *HALF, {"U": ("dominant", 0.4), **B}),
    "getrf": ("getrf", *HALF, PLAIN),
    "getrf_nopiv": ("getrf_nopiv", *HALF, {"A": ("dominant", 1)}),
    "getrf_tntpiv": ("getrf_tntpiv", *HALF, PLAIN),
    "gesv": ("getrf", *HALF, {**PLAIN, **B}),
    "geqrf": ("geqrf", "larfb_grid(ConjTrans, k, j, A, W, U, X, A)", "larfb_grid(NoTrans, k, j, A, W, U, X, A)", PLAIN),
    "gelqf": ("gelqf", "trmm(Right, Upper, NoTrans, NonUnit, T(1), W(k, 0)", "trmm(Right, Upper, ConjTrans, NonUnit, T(1), W(k, 0)", PLAIN),
    "ge2gb": ("ge2gb", "larfb_right(NoTrans, k, i, V, Z, U, X, A)", "larfb_right(ConjTrans, k, i, V, Z, U, X, A)", PLAIN),
    "he2hb": ("he2hb", "T(-0.5), F(k, 0), M(k, k)", "T(-0.25), F(k, 0), M(k, k)", {"A": ("spd", 1)}),
    "heev": ("heev", "unmtr_he2hb(A, F, Z);", "", {"A": ("spd", 1)}),
    "hegst": ("hegst", "T(-0.5), A(k, k), L(i, k)", "T(-0.25), A(k, k), L(i, k)", {"A": ("spd", 1), "L": ("dominant", 0)}),
    "hegv": ("hegst", "T(-0.5), A(k, k), L(i, k)", "T(-0.25), A(k, k), L(i, k)", {"A": ("spd", 1), "B": ("spd", 0)}),
    "qr": ("qr", "tsmqr(ConjTrans, ib, A(i, j)", "tsmqr(NoTrans, ib, A(i, j)", PLAIN),
    "qr_tree": ("qr_tree", "tsmqr(ConjTrans, ib, A(i, j)", "tsmqr(NoTrans, ib, A(i, j)", PLAIN),
    "bdsdc": ("bdsdc", "bdsdcLeaf(t + 1 < nt ? 1 : 0", "bdsdcLeaf(0", {"d": ("real", 1), "e": ("real", 1)}),
    "gesvd": ("gesvd", "ge2gb_p(NoTrans, R, taup, Z);", "", PLAIN),
    "gels": ("gels", *HALF, {**PLAIN, **B}),
    "hb2st": ("eigen/chase", "bandTile(A(t, t), A(t + 1, t), B(t * p, 0))", "bandTileLast(A(t, t), B(t * p, 0))", {"A": ("hermitian", 1)}),
    "stedc": ("stedc", "stedcLeaf(t > 0 ? 1 : 0", "stedcLeaf(0", {"d": ("real", 1), "e": ("real", 1)}),
    "stedc_values": ("stedc_values", "sturmValues(t * w.nb()", "sturmValues(0 * t", {"d": ("vector", 1), "e": ("vector", 1)}),
    "trtri": ("trtri", "gemm(NoTrans, NoTrans, T(1)", "gemm(NoTrans, NoTrans, T(0.5)", {"A": ("dominant", 1)}),
    "lauum": ("lauum", "gemm(ConjTrans, NoTrans, T(1)", "gemm(ConjTrans, NoTrans, T(0.5)", {"A": ("dominant", 0.5)}),
    "potri": ("lauum", "gemm(ConjTrans, NoTrans, T(1)", "gemm(ConjTrans, NoTrans, T(0.5)", {"A": ("dominant", 0.5)}),
    "gemm": ("gemm", "l == 0 ? beta : T(1)", "l == 0 ? beta : T(0.5)", {"A": ("random", 0.5), "B": ("random", 0.5), "C": ("random", 1)}),
    "gemv": ("gemv", "k == 0 ? beta : T(1)", "k == 0 ? beta : T(0.5)", {"A": ("random", 0.5), "x": ("vector", 0.5), "y": ("vector", 1)}),
    "symm": ("symm", "k == 0 ? beta : T(1)", "k == 0 ? beta : T(0.5)", {"A": ("random", 0.5), "B": ("random", 0.5), "C": ("random", 1)}),
    "syrk": ("syrk", "l == 0 ? beta : T(1)", "l == 0 ? beta : T(0.5)", {"A": ("random", 0.5), "C": ("random", 1)}),
    "trmm": ("trmm", "gemm(op, NoTrans, alpha", "gemm(op, NoTrans, T(0.5)", {"A": ("random", 0.5), "B": ("random", 0.5)}),
    "trsm": ("trsm", "gemm(op, NoTrans, T(-1)", "gemm(op, NoTrans, T(-0.5)", {"A": ("dominant", 0.5), **B}),
}


def matrix(kind, letter, exponent):
    numbers = numpy.random.default_rng(7)
    shape = (N, 1) if kind in ("vector", "real") else (N, N)
    values = numbers.uniform(-1, 1, shape)
    if kind == "real":
        letter = {"c": "s", "z": "d"}.get(letter, letter)
    if letter in "cz":
        values = values + 1j * numbers.uniform(-1, 1, shape)
    if kind == "spd":
        values = values @ values.conj().T + N * numpy.eye(N)
        values = (values + values.conj().T) / 2  # the diagonal is real
    elif kind == "hermitian":
        values = values + values.conj().T
    elif kind == "dominant":
        values = values + 2 * N * numpy.eye(N)
    return (values * 10.0 ** exponent).astype(DTYPES[letter])


def verdict(hetc, program, name, letter, scale, matrices, folder, mode):
    command = [hetc, "run", program, "--algorithm", name, "--type", letter, "--nb", str(NB), "--check=" + mode, "--quiet", "--json"]
    for key, (kind, part) in matrices.items():
        path = os.path.join(folder, key + ".npy")
        numpy.save(path, matrix(kind, letter, part * scale))
        command += ["--input", key + "=" + path]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, " ".join(command) + "\n" + done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("hetc")
    parser.add_argument("directory")
    parser.add_argument("--type", default="d")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_intermixed_args()
    found = {file[:-len(".tla")] for file in os.listdir(arguments.directory) if file.endswith(".tla")}
    failures = [f"{name}: no program that is wrong on purpose" for name in sorted(found - set(TABLE))]
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (file, before, after, matrices) in TABLE.items():
            if arguments.names and name not in arguments.names:
                continue
            wrong = os.path.join(folder, name)
            shutil.copytree(arguments.directory, wrong)
            changed = os.path.join(wrong, file + ".tla")
            with open(changed) as text:
                source = text.read()
            if before not in source:
                failures.append(f"{file}.tla: has no '{before}' to be changed")
                continue
            with open(changed, "w") as text:
                text.write(source.replace(before, after))
            for letter in arguments.type:
                for scale in SCALES[letter]:
                    for directory, code in ((arguments.directory, 0), (wrong, 1)):
                        total += 1
                        got, text = verdict(arguments.hetc, os.path.join(directory, name + ".tla"), name, letter, scale, matrices,
                                            folder, "full" if scale > 0 else "probe")
                        if got != code:
                            failures.append(f"exit code {got} for {code}, 1e{scale}: {text}")
    print("\n".join(failures))
    print(f"{total} runs, {len(failures)} failures")
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
