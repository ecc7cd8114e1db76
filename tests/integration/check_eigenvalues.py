#!/usr/bin/env python3
"""Eigenvalues and eigenvectors of heev, and eigenvalues alone, of families of matrices that are hard for an eigensolver, against LAPACK's.

  check_eigenvalues.py HETC ALGORITHMS_DIR [--type s|d|c|z] [--sizes N:NB,...]

The families follow those of LAPACK's own tests: zero, identity, equal and clustered eigenvalues, graded, near the ends of the
range, glued Wilkinson matrices, bands. Needs NumPy.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import numpy

DTYPES = {"s": "f4", "d": "f8", "c": "c8", "z": "c16"}
LIMIT = 10.0  # of what LAPACK's tests call ratios: residuals over n norm(A) eps


def families(n, letter):
    """Names and Hermitian matrices of order n."""
    numbers = numpy.random.default_rng(n)
    k = numpy.arange(n)

    def dense():
        values = numbers.standard_normal((n, n))
        return values + 1j * numbers.standard_normal((n, n)) if letter in "cz" else values

    unitary = numpy.linalg.qr(dense())[0]

    def spectrum(values):
        return unitary * values @ unitary.conj().T

    exponent = 150 if letter in "dz" else 25
    yield "random", dense()
    yield "zero", numpy.zeros((n, n))
    yield "identity", numpy.eye(n)
    yield "rank one", numpy.ones((n, n))
    yield "cluster", spectrum(1 + 1e-14 * k)
    yield "two values", spectrum(numpy.where(k < n // 2, -1.0, 1.0))
    yield "graded", spectrum(10.0 ** (-16 * k / n))
    yield "small", dense() * 10.0 ** -exponent
    yield "small cluster", spectrum(1 + 1e-14 * k) * 10.0 ** -exponent
    yield "large", dense() * 10.0 ** exponent
    yield "diagonal", numpy.diag(numbers.standard_normal(n))
    yield "band", numpy.triu(numpy.tril(dense(), 3), -3)
    off = numpy.where(k % 21 == 20, 1e-8, 1.0)[:n - 1]
    yield "glued Wilkinson", numpy.diag(abs(k % 21 - 10.0)) + numpy.diag(off, 1) + numpy.diag(off, -1)


def run(arguments, algorithm, nb, folder):
    command = [arguments.hetc, "run", os.path.join(arguments.directory, "heev.tla"), "--algorithm", algorithm, "--type", arguments.type,
               "--nb", str(nb), "--input", f"A={folder}/A.npy", "--output", f"w={folder}/w.npy", "--check", "--quiet"]
    if algorithm == "heev":
        command += ["--output", f"Z={folder}/Z.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, " ".join(command) + "\n" + done.stdout + done.stderr


def ratios(A, w, Z, eps):
    """By name, what must stay below LIMIT."""
    n, size = len(A), numpy.linalg.norm(A, 2) or 1
    A, w = A / size, w / size  # in double, whatever the type: no square leaves the range
    result = {"values": abs(w - numpy.linalg.eigvalsh(A)).max() / (n * eps), "order": 0 if (numpy.diff(w) >= 0).all() else numpy.inf}
    if Z is not None:
        result["residual"] = numpy.linalg.norm(A @ Z - Z * w, 2) / (n * eps)
        result["orthogonality"] = numpy.linalg.norm(Z.conj().T @ Z - numpy.eye(n), 2) / (n * eps)
        largest = abs(Z) >= abs(Z).max(0) * (1 - 8 * numpy.sqrt(eps))
        turned = numpy.take_along_axis(Z, largest.argmax(0)[None], 0)
        result["signs"] = 0 if (turned.real > 0).all() and (abs(turned.imag) <= 8 * numpy.sqrt(eps)).all() else numpy.inf
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("hetc")
    parser.add_argument("directory")
    parser.add_argument("--type", default="d")
    parser.add_argument("--sizes", default="1:16,3:16,85:16")
    arguments = parser.parse_args()
    eps = numpy.finfo(DTYPES[arguments.type]).eps / 2
    wide = "c16" if arguments.type in "cz" else "f8"
    total = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for n, nb in (map(int, size.split(":")) for size in arguments.sizes.split(",")):
            for name, A in families(n, arguments.type):
                A = ((A + A.conj().T) / 2).astype(DTYPES[arguments.type])
                numpy.save(f"{folder}/A.npy", A)
                for algorithm in ("heev", "heev_values"):
                    total += 1
                    code, text = run(arguments, algorithm, nb, folder)
                    found = {"exit code": numpy.inf}
                    if code == 0:
                        w = numpy.load(f"{folder}/w.npy").ravel().astype("f8")
                        Z = numpy.load(f"{folder}/Z.npy").astype(wide) if algorithm == "heev" else None
                        found = ratios(A.astype(wide), w, Z, eps)
                    wrong = {what: value for what, value in found.items() if not value < LIMIT}
                    if wrong:
                        failures += 1
                        print(f"{algorithm}, {name}, n = {n}: {wrong}\n{text}", flush=True)
    print(f"{total} runs, {failures} failures")
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
