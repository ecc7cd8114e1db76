"""Singular values and vectors, named and judged as NumPy's are, and the pseudoinverse."""

import numpy
from numpy.linalg import LinAlgError

from ._algorithm import algorithm
from ._arrays import as_matrix
from ._linalg import qr
from ._numbers import whole


def _tile(n):
    """The order of tiles, which is the width of the band between the two reductions."""
    return 64 if n < 3000 else 96


def _completed(u, threads):
    """The orthonormal columns of u, and others that are orthogonal to them, as many as it has rows."""
    rows, columns = u.shape
    if rows == columns:
        return u
    if columns == 0:
        return numpy.eye(rows, dtype=u.dtype)
    return numpy.concatenate((u, qr(u, "complete", threads=threads)[0][:, columns:]), axis=1)


def svd(a, full_matrices=True, compute_uv=True, *, k=None, threads=None):
    """(u, s, vh): a = u[:, :len(s)] @ diag(s) @ vh[:len(s)], s in descending order, u and vh unitary; without `full_matrices` only
    len(s) columns of u and rows of vh. s alone where not `compute_uv`. k=...: only the k largest singular values and their vectors;
    it costs its part. LinAlgError for NaN and infinity."""
    matrix = as_matrix(a, "a")
    (m, n), dtype = matrix.shape, matrix.dtype
    least = min(m, n)
    count = least if k is None else whole("k", k, 0, least)
    s = numpy.zeros(count, numpy.empty(0, dtype).real.dtype)
    u, vh = (numpy.zeros(shape, dtype, order="F") for shape in ((m, count), (count, n)))
    if count:
        stored = numpy.asfortranarray(matrix)
        name, arrays = ("gesvd", (stored, s, u, vh)) if compute_uv else ("gesvd_values", (stored, s))
        try:
            algorithm(name)(*arrays, count=count, threads=threads, tile=_tile(least))
        except LinAlgError:
            raise LinAlgError("a has NaN or infinity in it") from None
    if not compute_uv:
        return s
    if full_matrices and k is None:
        u, vh = _completed(u, threads), _completed(vh.conj().T, threads).conj().T
    return u, s, vh


def pinv(a, rtol=None, *, threads=None):
    """The Moore-Penrose pseudoinverse of a; singular values up to rtol times the largest one are taken as zero, rtol=None: max(m, n)
    units of roundoff."""
    u, s, vh = svd(a, full_matrices=False, threads=threads)
    if rtol is None:
        rtol = max(u.shape[0], vh.shape[1]) * numpy.finfo(s.dtype).eps
    rank = int(numpy.count_nonzero(s > rtol * s.max(initial=0)))
    return (vh[:rank].conj().T / s[:rank]) @ u[:, :rank].conj().T
