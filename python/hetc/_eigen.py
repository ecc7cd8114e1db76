"""Hermitian eigenvalue problems, standard and generalized, named and judged as NumPy's and SciPy's are."""

import functools

import numpy
from numpy.linalg import LinAlgError

from ._algorithm import algorithm
from ._arrays import as_matrix, is_column_major, require_separate, require_square, require_writeable
from ._linalg import _run
from ._numbers import whole

_algorithm = functools.cache(algorithm)


def _tile(n):
    """The order of tiles, which is the width of the band between the two reductions."""
    return 64 if n < 3000 else 96


def _lower(matrix, name, lower, overwrite):
    """A column-major array whose lower triangle may be overwritten: the given one where that is wanted and it is one, else
    a copy. An upper triangle is the lower one of the conjugate transpose."""
    is_complex = numpy.iscomplexobj(matrix)
    stored = matrix if lower else matrix.T
    if overwrite:
        require_writeable(matrix, name)
    if not (overwrite and is_column_major(stored) and (lower or not is_complex)):
        stored = numpy.array(stored, order="F", copy=True)
        if not lower and is_complex:
            numpy.conjugate(stored, out=stored)
    if is_complex:
        numpy.einsum("ii->i", stored).imag[...] = 0 # whatever the caller has there, as in LAPACK
    return stored


def _numbers_of(subset, n):
    """The numbers of the first and the last eigenvalue, counted from 1."""
    if subset is None:
        return 1, n
    try:
        first, last = subset
    except (TypeError, ValueError):
        raise ValueError(f"subset is {subset!r}; it must be the numbers of the first and the last eigenvalue") from None
    first, last = whole("subset[0]", first, 0, n), whole("subset[1]", last, 0, n)
    if first > last:
        raise ValueError(f"subset is {(first, last)}; its first number must not be above the last one")
    return first + 1, last + 1


def _within(interval, values):
    """The numbers of the first and the last of the ascending values in (low, high], counted from 1; last < first: none is."""
    try:
        low, high = (float(end) for end in interval)
    except (TypeError, ValueError):
        raise ValueError(f"interval is {interval!r}; it must be two numbers, the lower one first") from None
    if not low < high:
        raise ValueError(f"interval is {(low, high)}; its lower end must be below its upper one")
    return (int(numpy.searchsorted(values, low, side="right")) + 1, int(numpy.searchsorted(values, high, side="right")))


def _problem(a, b, lower, overwrite_a, overwrite_b):
    """a and b as matrices of one type that may be overwritten."""
    matrix = as_matrix(a, "a")
    require_square(matrix, "a")
    if b is None:
        return _lower(matrix, "a", lower, overwrite_a), None
    other = as_matrix(b, "b")
    require_square(other, "b")
    if other.shape != matrix.shape:
        raise ValueError(f"b is {other.shape[0]} x {other.shape[1]}, but a is {matrix.shape[0]} x {matrix.shape[1]}")
    if overwrite_a or overwrite_b:
        require_separate(matrix, other, "a and b")
    dtype = numpy.result_type(matrix, other)
    return (_lower(matrix.astype(dtype, copy=False), "a", lower, overwrite_a),
            _lower(other.astype(dtype, copy=False), "b", lower, overwrite_b))


def _to_standard_form(stored, factor, threads):
    """b becomes its Cholesky factor L, and a becomes L^-1 a L^-H."""
    info = _run("cholesky", factor.dtype, [factor], threads=threads)
    if info:
        raise LinAlgError(f"b is not positive definite: its leading minor of order {info} is not positive")
    _algorithm("hegst")(stored, factor, itype=1, threads=threads)


def _solve(stored, first, last, threads, vectors):
    """Eigenvalues from number first to last, and vectors, of the matrix whose lower triangle is given and overwritten."""
    n, dtype = stored.shape[0], stored.dtype
    w = numpy.empty(max(0, last - first + 1), numpy.empty(0, dtype).real.dtype)
    z = numpy.empty((n, w.size), dtype, order="F") if vectors else None
    if w.size:
        name, arrays = ("heev", (stored, w, z)) if vectors else ("heev_values", (stored, w))
        _algorithm(name)(*arrays, il=first, iu=last, threads=threads, tile=_tile(n))
    return w, z


def _compute(a, b, subset, interval, lower, overwrite_a, overwrite_b, threads, vectors):
    if subset is not None and interval is not None:
        raise ValueError("subset and interval are given; which eigenvalues are wanted is said by one of them")
    if interval is not None:
        _within(interval, numpy.empty(0))
    stored, factor = _problem(a, b, lower, overwrite_a, overwrite_b)
    first, last = _numbers_of(subset, stored.shape[0])
    if factor is not None and stored.size:
        _to_standard_form(stored, factor, threads)
    try:
        if interval is None:
            w, z = _solve(stored, first, last, threads, vectors)
        else: # all eigenvalues say which numbers the interval has
            again = stored.copy(order="F") if vectors else stored
            w, z = _solve(stored, first, last, threads, False)[0], None
            first, last = _within(interval, w)
            w = w[first - 1:last].copy()
            if vectors:
                w, z = _solve(again, first, last, threads, True)
    except LinAlgError:
        raise LinAlgError("a has NaN or infinity in it" if factor is None else
                          "a, or L^-1 a L^-H with the Cholesky factor L of b, has NaN or infinity in it") from None
    if vectors and factor is not None and z.size:
        _algorithm("trsm")("L", "L", "C", "N", 1, factor, z, threads=threads)
    return w, z


def eigh(a, b=None, *, subset=None, interval=None, lower=True, overwrite_a=False, overwrite_b=False, threads=None):
    """(w, v): the eigenvalues of a Hermitian a, in ascending order, and its eigenvectors as columns of v: a v = v diag(w).
    With a Hermitian positive definite b: a v = b v diag(w), the vectors orthonormal with respect to b. Only the lower
    triangles are read, the upper ones where not `lower`. subset=(first, last): only these, counted from 0, last included; it costs its
    part. interval=(low, high): only those above low and not above high; all eigenvalues are computed first, without vectors. overwrite_a, overwrite_b: in place of a copy. LinAlgError for NaN and infinity, and where b is not positive
    definite."""
    return _compute(a, b, subset, interval, lower, overwrite_a, overwrite_b, threads, True)


def eigvalsh(a, b=None, *, subset=None, interval=None, lower=True, overwrite_a=False, overwrite_b=False, threads=None):
    """The eigenvalues that eigh() has, without vectors: in a third of the operations and a fifth of the memory."""
    return _compute(a, b, subset, interval, lower, overwrite_a, overwrite_b, threads, False)[0]
