#!/usr/bin/env python3
"""Singular values and vectors of gesvd, and values alone, of families of matrices that are hard for it, against LAPACK's.

  check_singular_values.py HETC ALGORITHMS_DIR [--type s|d|c|z] [--sizes MxN:NB,...] [--algorithms NAME,...]

The families follow those of LAPACK's own tests: zero, identity, equal and clustered singular values, graded, rank deficient, near the
ends of the range, bidiagonal, and with zero rows and columns. Needs NumPy.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import numpy

DTYPES = {"s": "f4", "d": "f8", "c": "c8", "z": "c16"}
LIMIT = 10.0  # of what LAPACK's tests call ratios: residuals over max(m, n) norm(A) eps


def families(m, n, letter):
    """Names and m x n matrices."""
    numbers = numpy.random.default_rng(1000 * m + n)
    k = numpy.arange(min(m, n))

    def dense(rows=m, columns=n):
        values = numbers.standard_normal((rows, columns))
        return values + 1j * numbers.standard_normal((rows, columns)) if letter in "cz" else values

    left, right = (numpy.linalg.qr(dense(size, size))[0][:, :len(k)] for size in (m, n))

    def spectrum(values):
        return left * values @ right.conj().T

    exponent, tiny = (300, 1e-300) if letter in "dz" else (36, 1e-36)
    yield "random", dense()
    yield "zero", numpy.zeros((m, n))
    yield "identity", numpy.eye(m, n)
    yield "rank one", numpy.ones((m, n))
    yield "rank deficient", dense(m, 3) @ dense(3, n)
    yield "cluster", spectrum(1 + 1e-14 * k)
    yield "two values", spectrum(numpy.where(k < len(k) // 2, 1.0, 1e-8))
    yield "graded", spectrum(10.0 ** (-16 * k / len(k)))
    yield "graded rows", dense() * 10.0 ** (-30 * numpy.arange(m) / m)[:, None]
    yield "small", dense() * 10.0 ** -exponent
    yield "small cluster", spectrum(1 + 1e-14 * k) * 10.0 ** -exponent
    yield "large", dense() * 10.0 ** exponent
    yield "one large", numpy.where(numpy.arange(m)[:, None] + numpy.arange(n) == 3, 1.0, tiny * dense())
    yield "diagonal", numpy.eye(m, n) * numbers.standard_normal(n)
    yield "bidiagonal", numpy.triu(numpy.tril(dense(), 1))
    yield "zero rows and columns", dense() * (numpy.arange(m) % 3 > 0)[:, None] * (numpy.arange(n) % 4 > 0)
    yield "Kahan", numpy.triu(numpy.where(numpy.eye(m, n) > 0, 1.0, -0.3)) * (0.95 ** numpy.arange(m))[:, None]


def run(arguments, algorithm, nb, folder):
    command = [arguments.hetc, "run", os.path.join(arguments.directory, "gesvd.tla"), "--algorithm", algorithm, "--type", arguments.type,
               "--nb", str(nb), "--input", f"A={folder}/A.npy", "--output", f"s={folder}/s.npy", "--check", "--quiet"]
    if algorithm == "gesvd":
        command += ["--output", f"U={folder}/U.npy", "--output", f"VH={folder}/VH.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, " ".join(command) + "\n" + done.stdout + done.stderr


def ratios(A, s, U, VH, eps):
    """By name, what must stay below LIMIT."""
    size = abs(A).max() or 1
    A, s = A / size, s / size  # in double, whatever the type: no square leaves the range
    exact = numpy.linalg.svd(A)[1]  # with vectors: without, clusters may be n eps apart from what they are
    unit = max(A.shape) * eps
    norm = exact[0] or 1
    result = {"values": abs(s - exact).max() / (unit * norm),
              "order": 0 if (numpy.diff(s) <= 0).all() and (s >= 0).all() else numpy.inf}
    if U is not None:
        result["residual"] = numpy.linalg.norm(A - U * s @ VH, 2) / (unit * norm)
        for name, Q in ("U", U), ("V", VH.conj().T):
            result["orthogonality of " + name] = numpy.linalg.norm(Q.conj().T @ Q - numpy.eye(len(s)), 2) / (len(Q) * eps)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("hetc")
    parser.add_argument("directory")
    parser.add_argument("--type", default="d")
    parser.add_argument("--sizes", default="1x1:16,4x3:16,85x85:16,100x45:16,45x100:16")
    parser.add_argument("--algorithms", default="gesvd,gesvd_values")
    arguments = parser.parse_args()
    eps = numpy.finfo(DTYPES[arguments.type]).eps / 2
    wide = "c16" if arguments.type in "cz" else "f8"
    total = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for size, nb in (size.split(":") for size in arguments.sizes.split(",")):
            for name, A in families(*map(int, size.split("x")), arguments.type):
                A = A.astype(DTYPES[arguments.type])
                numpy.save(f"{folder}/A.npy", A)
                for algorithm in arguments.algorithms.split(","):
                    total += 1
                    code, text = run(arguments, algorithm, nb, folder)
                    found = {"exit code": numpy.inf}
                    if code == 0:
                        s = numpy.load(f"{folder}/s.npy").ravel().astype("f8")
                        U, VH = (numpy.load(f"{folder}/{part}.npy").astype(wide) if algorithm == "gesvd" else None for part in ("U", "VH"))
                        found = ratios(A.astype(wide), s, U, VH, eps)
                    wrong = {what: value for what, value in found.items() if not value < LIMIT}
                    if wrong:
                        failures += 1
                        print(f"{algorithm}, {name}, {size}: {wrong}\n{text}", flush=True)
    print(f"{total} runs, {failures} failures")
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
