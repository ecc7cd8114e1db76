#!/usr/bin/env python3
"""Eigenvalues and eigenvectors of heev, and eigenvalues alone, of families of matrices that are hard for an eigensolver, against LAPACK's.

  check_eigenvalues.py HETC ALGORITHMS_DIR [--type s|d|c|z] [--sizes N:NB,...]

The families follow those of LAPACK's own tests: zero, identity, equal and clustered eigenvalues, graded, near the ends of the
range, glued Wilkinson matrices, bands. Needs NumPy.
"""

import sys

import numpy

sys.dont_write_bytecode = True
from spectra import check, dense, loss_of_orthogonality, parse  # noqa: E402


def families(n, letter):
    """Names and Hermitian matrices of order n."""
    numbers = numpy.random.default_rng(n)
    k = numpy.arange(n)

    def square():
        return dense(numbers, letter, n, n)

    unitary = numpy.linalg.qr(square())[0]

    def spectrum(values):
        return unitary * values @ unitary.conj().T

    exponent = 150 if letter in "dz" else 25
    yield "random", square()
    yield "zero", numpy.zeros((n, n))
    yield "identity", numpy.eye(n)
    yield "rank one", numpy.ones((n, n))
    yield "cluster", spectrum(1 + 1e-14 * k)
    yield "two values", spectrum(numpy.where(k < n // 2, -1.0, 1.0))
    yield "graded", spectrum(10.0 ** (-16 * k / n))
    yield "small", square() * 10.0 ** -exponent
    yield "small cluster", spectrum(1 + 1e-14 * k) * 10.0 ** -exponent
    yield "large", square() * 10.0 ** exponent
    yield "diagonal", numpy.diag(numbers.standard_normal(n))
    yield "band", numpy.triu(numpy.tril(square(), 3), -3)
    off = numpy.where(k % 21 == 20, 1e-8, 1.0)[:n - 1]
    yield "glued Wilkinson", numpy.diag(abs(k % 21 - 10.0)) + numpy.diag(off, 1) + numpy.diag(off, -1)


def ratios(A, eps, w, Z=None):
    """By name, what must stay below LIMIT."""
    n, size = len(A), numpy.linalg.norm(A, 2) or 1
    A, w = A / size, w / size  # in double, whatever the type: no square leaves the range
    result = {"values": abs(w - numpy.linalg.eigvalsh(A)).max() / (n * eps), "order": 0 if (numpy.diff(w) >= 0).all() else numpy.inf}
    if Z is not None:
        result["residual"] = numpy.linalg.norm(A @ Z - Z * w, 2) / (n * eps)
        result["orthogonality"] = loss_of_orthogonality(Z, eps)
        room = 8 * numpy.sqrt(eps)  # of several that nearly agree the rule may take any
        turned = (abs(Z) >= abs(Z).max(0) * (1 - room)) & (Z.real > 0) & (abs(Z.imag) <= room)
        result["signs"] = 0 if turned.any(0).all() else numpy.inf
    return result


def hermitian(n, letter):
    for name, A in families(n, letter):
        yield name, (A + A.conj().T) / 2


if __name__ == "__main__":
    sys.exit(check(parse(__doc__, "1:16,3:16,85:16", "heev,heev_values"), "heev.tla", hermitian, {"heev": "wZ", "heev_values": "w"}, ratios))
