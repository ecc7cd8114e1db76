#!/usr/bin/env python3
"""Singular values and vectors of gesvd, and values alone, of families of matrices that are hard for it, against LAPACK's.

  check_singular_values.py HETC ALGORITHMS_DIR [--type s|d|c|z] [--sizes MxN:NB,...] [--algorithms NAME,...]

The families follow those of LAPACK's own tests: zero, identity, equal and clustered singular values, graded, rank deficient, near the
ends of the range, bidiagonal, and with zero rows and columns. Needs NumPy.
"""

import sys

import numpy

sys.dont_write_bytecode = True
from spectra import check, dense, loss_of_orthogonality, parse  # noqa: E402


def families(m, n, letter):
    """Names and m x n matrices."""
    numbers = numpy.random.default_rng(1000 * m + n)
    k = numpy.arange(min(m, n))

    def random(rows=m, columns=n):
        return dense(numbers, letter, rows, columns)

    left, right = (numpy.linalg.qr(random(size, size))[0][:, :len(k)] for size in (m, n))

    def spectrum(values):
        return left * values @ right.conj().T

    exponent, tiny = (300, 1e-300) if letter in "dz" else (36, 1e-36)
    yield "random", random()
    yield "zero", numpy.zeros((m, n))
    yield "identity", numpy.eye(m, n)
    yield "rank one", numpy.ones((m, n))
    yield "rank deficient", random(m, 3) @ random(3, n)
    yield "cluster", spectrum(1 + 1e-14 * k)
    yield "two values", spectrum(numpy.where(k < len(k) // 2, 1.0, 1e-8))
    yield "graded", spectrum(10.0 ** (-16 * k / len(k)))
    yield "graded rows", random() * 10.0 ** (-30 * numpy.arange(m) / m)[:, None]
    yield "small", random() * 10.0 ** -exponent
    yield "small cluster", spectrum(1 + 1e-14 * k) * 10.0 ** -exponent
    yield "large", random() * 10.0 ** exponent
    yield "one large", numpy.where(numpy.arange(m)[:, None] + numpy.arange(n) == 3, 1.0, tiny * random())
    yield "diagonal", numpy.eye(m, n) * numbers.standard_normal(n)
    yield "bidiagonal", numpy.triu(numpy.tril(random(), 1))
    yield "zero rows and columns", random() * (numpy.arange(m) % 3 > 0)[:, None] * (numpy.arange(n) % 4 > 0)
    yield "Kahan", numpy.triu(numpy.where(numpy.eye(m, n) > 0, 1.0, -0.3)) * (0.95 ** numpy.arange(m))[:, None]


def ratios(A, eps, s, U=None, VH=None):
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
            result["orthogonality of " + name] = loss_of_orthogonality(Q, eps)
    return result


if __name__ == "__main__":
    sys.exit(check(parse(__doc__, "1x1:16,4x3:16,85x85:16,100x45:16,45x100:16", "gesvd,gesvd_values"), "gesvd.tla", families,
                   {"gesvd": ("s", "U", "VH"), "gesvd_values": "s"}, ratios))
