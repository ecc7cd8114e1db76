"""Factorizations and solvers, named and judged as NumPy's and SciPy's are. A row-major array is, to the algorithms, its
transpose: what can be computed of that is, in place; the rest is copied."""

import numpy
from numpy.linalg import LinAlgError

from ._arrays import as_matrix, is_column_major, letter_of, own, require_separate, require_square, window
from ._library import Scalar, find, run

_NO_TRANS, _TRANS, _CONJ_TRANS = (Scalar(integer=op) for op in (111, 112, 113))
_found = {}


def _algorithm(name, dtype):
    key = name, dtype
    handle = _found.get(key)
    if handle is None:
        handle = _found[key] = find(name, letter_of(dtype))
    return handle


def _run(name, dtype, arrays, scalars=None, threads=None):
    return run(_algorithm(name, dtype), [window(a) for a in arrays], scalars, threads)


_BLOCK = 64
_above = ~numpy.tri(_BLOCK, dtype=bool)


def _clear_above(array):
    """Writes zeros strictly above the diagonal."""
    n = array.shape[0]
    for begin in range(0, n, _BLOCK):
        end = min(begin + _BLOCK, n)
        array[begin:end, end:] = 0
        array[begin:end, begin:end][_above[:end - begin, :end - begin]] = 0


def cholesky(a, *, lower=True, overwrite_a=False, threads=None):
    """The factor of a Hermitian positive definite matrix: L with a = L L^H, or U with a = U^H U where not `lower`. Only that
    triangle of a is read. overwrite_a: in place, in either order; returns a then. LinAlgError when a is not positive
    definite."""
    matrix = as_matrix(a, "a")
    require_square(matrix, "a")
    factor = own(matrix, "a", a, overwrite_a)
    if factor.size:
        columns = is_column_major(factor)
        name = "cholesky" if columns == lower else "cholesky_upper"
        info = _run(name, factor.dtype, [factor if columns else factor.T], threads=threads)
        if info:
            raise LinAlgError(f"a is not positive definite: its leading minor of order {info} is not positive")
        _clear_above(factor if lower else factor.T)
    return factor


def _permutation(pivots, rows):
    order = numpy.arange(rows)
    for i, pivot in enumerate((pivots - 1).tolist()):
        if pivot != i:
            order[i], order[pivot] = order[pivot], order[i]
    return order


def lu(a, *, overwrite_a=False, threads=None):
    """(lu, p): L below the diagonal, with ones on it, and U; a[p] = L @ U. overwrite_a: in place when a is column-major
    (order='F'). A zero on the diagonal of U is no error, as in scipy.linalg.lu."""
    matrix = as_matrix(a, "a")
    factors = own(matrix, "a", a, overwrite_a)
    if not is_column_major(factors):
        factors = numpy.asfortranarray(factors)
    pivots = numpy.empty(min(factors.shape), numpy.int32)
    if factors.size:
        _run("getrf", factors.dtype, [factors, pivots], threads=threads)
    return factors, _permutation(pivots, factors.shape[0])


def qr(a, mode="reduced", *, overwrite_a=False, threads=None):
    """Q, R with a = Q R; modes as in numpy.linalg.qr: "reduced", "complete", and "r", R alone."""
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"mode is {mode!r}; it must be 'reduced', 'complete' or 'r'")
    matrix = own(as_matrix(a, "a"), "a", a, overwrite_a)
    if not is_column_major(matrix):
        matrix = numpy.asfortranarray(matrix)
    m, n = matrix.shape
    k = min(m, n)
    tau = numpy.empty(k, matrix.dtype)
    if k:
        _run("geqrf", matrix.dtype, [matrix, tau], threads=threads)
    columns = m if mode == "complete" else k
    r = numpy.triu(matrix[:columns])
    if mode == "r":
        return r
    q = matrix[:, :columns]
    if columns > n:
        q = numpy.zeros((m, columns), matrix.dtype, order="F")
        q[:, :n] = matrix
    if k:
        _run("orgqr", matrix.dtype, [q, tau], threads=threads)
    elif columns:
        q[...] = numpy.eye(m, columns)
    return q, r


def _system(a, b):
    """Returns a and b as matrices of one type."""
    matrix = as_matrix(a, "a")
    right = as_matrix(b, "b", (1, 2))
    dtype = numpy.result_type(matrix, right)
    if right.shape[0] != matrix.shape[0]:
        raise ValueError(f"b has {right.shape[0]} rows, but a has {matrix.shape[0]}")
    return matrix.astype(dtype, copy=False), right.astype(dtype, copy=False)


def _solution(right, rows, overwrite, b):
    """A column-major matrix of so many rows that begins with the right-hand sides."""
    columns = right if right.ndim == 2 else right[:, numpy.newaxis]
    if overwrite and rows == columns.shape[0]:
        owned = own(columns, "b", b, True)
        return owned if is_column_major(owned) else numpy.asfortranarray(owned)
    x = numpy.zeros((rows, columns.shape[1]), right.dtype, order="F")
    x[:columns.shape[0]] = columns
    return x


def solve(a, b, *, assume_a="gen", overwrite_a=False, overwrite_b=False, threads=None):
    """x with a x = b, for one right-hand side or the columns of a matrix. assume_a="pos": a is Hermitian positive definite, and
    its lower triangle is read. LinAlgError when a is singular or not positive definite."""
    if assume_a not in ("gen", "pos"):
        raise ValueError(f"assume_a is {assume_a!r}; it must be 'gen' or 'pos'")
    matrix, right = _system(a, b)
    require_square(matrix, "a")
    if overwrite_a or overwrite_b:
        require_separate(matrix, right, "a and b")
    factors = own(matrix, "a", a, overwrite_a)
    x = _solution(right, right.shape[0], overwrite_b, b)
    if x.size:
        columns = is_column_major(factors)
        stored = factors if columns else factors.T
        if assume_a == "pos":
            _solve_positive(stored, x, columns, threads)
        else:
            _solve_general(stored, x, _NO_TRANS if columns else _TRANS, threads)
    return x if right.ndim == 2 else x[:, 0]


def _solve_general(stored, x, op, threads):
    pivots = numpy.empty(stored.shape[0], numpy.int32)
    zero = _run("getrf", stored.dtype, [stored, pivots], threads=threads)
    if zero:
        raise LinAlgError(f"a is singular: pivot {zero} is exactly zero")
    _run("getrs", stored.dtype, [stored, pivots, x], [op], threads)


def _solve_positive(stored, x, columns, threads):
    """Solves with a Hermitian a; where it is row-major its transpose is its conjugate: conj(a) conj(x) = conj(b)."""
    suffix = "" if columns else "_upper"
    info = _run("cholesky" + suffix, stored.dtype, [stored], threads=threads)
    if info:
        raise LinAlgError(f"a is not positive definite: its leading minor of order {info} is not positive")
    conjugate = not columns and numpy.iscomplexobj(x)
    if conjugate:
        numpy.conjugate(x, out=x)
    _run("potrs" + suffix, stored.dtype, [stored, x], threads=threads)
    if conjugate:
        numpy.conjugate(x, out=x)


def lstsq(a, b, *, overwrite_a=False, threads=None):
    """The x that minimizes |b - a x|, or, where there are many, the shortest one. a must have full rank: LinAlgError when it is
    exactly singular; a rank that is nearly deficient is not noticed (numpy.linalg.lstsq is for that)."""
    matrix, right = _system(a, b)
    m, n = matrix.shape
    if overwrite_a:
        require_separate(matrix, right, "a and b")
    factors = own(matrix, "a", a, overwrite_a)
    x = _solution(right, max(m, n), False, b)
    if factors.size and x.size:
        columns = is_column_major(factors)
        conjugate = not columns and numpy.iscomplexobj(x) # a^T x = b by the stored matrix's conjugate transpose
        if conjugate:
            numpy.conjugate(x, out=x)
        zero = _run("gels", factors.dtype, [factors if columns else factors.T, x], [_NO_TRANS if columns else _CONJ_TRANS],
                    threads)
        if zero:
            raise LinAlgError(f"a has not full rank: element {zero} on the diagonal of its triangular factor is zero")
        if conjugate:
            numpy.conjugate(x, out=x)
    else:
        x[...] = 0
    x = x[:n]
    return x if right.ndim == 2 else x[:, 0]
