"""hetc.Ranks under mpirun: mpirun -n RANKS python3 ranks_program.py. Prints "right" on rank 0."""

import sys

import numpy as np
from mpi4py import MPI

import hetc

COMM = MPI.COMM_WORLD


def fails(kind, text, call):
    try:
        call()
    except kind as error:
        assert text in str(error), f"rank {COMM.rank}: {error}"
    else:
        raise AssertionError(f"rank {COMM.rank}: no {kind} with '{text}'")


def value(i, j):
    return np.cos(3.0 * i + 7.0 * j + i * j)


def dense(m, n, function=value):
    return np.asfortranarray(function(*np.ogrid[:m, :n]))


def definite(i, j):
    return 1 / (1 + abs(i - j)) + 10.0 * (i == j)


def products(ranks):
    """The bits are those of one process."""
    for dtype in (np.float32, np.complex128):
        A, B = ranks.matrix(70, 33, dtype).fill(value), ranks.matrix(33, 50, dtype).fill(value)
        C = ranks.matrix(70, 50, dtype).fill(lambda i, j: value(j, i))
        gemm = hetc.algorithm("gemm")
        gemm("N", "N", -0.5, A, B, 2, C)
        whole = C.gather()
        c = dense(70, 50, lambda i, j: value(j, i)).astype(dtype, order="F")
        gemm("N", "N", -0.5, dense(70, 33).astype(dtype, order="F"), dense(33, 50).astype(dtype, order="F"), 2, c, tile=16)
        assert (whole is None) == (COMM.rank != 0)
        assert whole is None or (whole == c).all()


def factorizations(ranks):
    A = ranks.matrix(90, 90).fill(definite)
    hetc.algorithm("cholesky")(A)
    whole = A.gather()
    if whole is not None:
        L = np.tril(whole)
        assert abs(L @ L.T - dense(90, 90, definite)).max() < 1e-12
    LU, pivots = ranks.matrix(60, 40).fill(value), ranks.matrix(40, 1, np.int32)
    hetc.algorithm("getrf")(LU, pivots)
    whole, rows = LU.gather(), pivots.gather()
    if whole is not None:
        a = dense(60, 40)
        for i, pivot in enumerate(rows[:, 0]):
            a[[i, pivot - 1]] = a[[pivot - 1, i]]
        L, U = np.tril(whole, -1) + np.eye(60, 40), np.triu(whole[:40])
        assert abs(L @ U - a).max() < 1e-12


def own_algorithm(ranks, file):
    """A .tla of the caller's, on arrays that the caller has made."""
    rows, columns = ranks.indices(50, 30)
    part = np.zeros((len(rows) + 5, len(columns)), order="F")[:len(rows)]
    part[...] = value(rows[:, np.newaxis], columns[np.newaxis, :])
    before = part.copy()
    hetc.algorithm(file)(ranks.matrix(50, 30, array=part))
    assert (part == 2 * before).all()


def mistakes(ranks):
    cholesky, last = hetc.algorithm("cholesky"), COMM.rank == COMM.size - 1
    A = ranks.matrix(40, 40).fill(lambda i, j: np.where((i == 20) & (j == 20), -1.0, definite(i, j)))
    fails(np.linalg.LinAlgError, "info = 21", lambda: cholesky(A))
    fails(TypeError, "same hetc.Ranks", lambda: hetc.algorithm("gemm")(A, np.zeros((40, 40)), A))
    fails(TypeError, "how large tiles are", lambda: cholesky(A, tile=8))
    fails(TypeError, "1 arrays are needed", lambda: cholesky(A, A))
    fails(ValueError, "overlap", lambda: hetc.algorithm("gemm")(A, A, A))
    fails(ValueError, "the array is", lambda: ranks.matrix(40, 40, array=np.zeros((1, 2), order="F")))
    fails(TypeError, "int64", lambda: ranks.matrix(40, 40, np.int64))
    fails(TypeError, "float64", lambda: hetc.algorithm("getrf")(A, ranks.matrix(40, 1)))
    if COMM.size > 1:
        fails(ValueError, "30 x 30", lambda: cholesky(ranks.matrix(30, 30) if last else A))
        fails(ValueError, "column-major", lambda: ranks.matrix(400, 400, array=np.zeros(
            tuple(map(len, ranks.indices(400, 400))))))
    fails(TypeError, "mpi4py", lambda: hetc.Ranks(3))
    fails(ValueError, "21 nodes", lambda: hetc.Ranks(COMM, "2dbc:3x7"))


def mistakes_of_one(ranks):
    """An error on the last rank is an exception on all, and the call after it succeeds."""
    last = COMM.rank == COMM.size - 1
    cholesky, gemm = hetc.algorithm("cholesky"), hetc.algorithm("gemm")
    A, B = ranks.matrix(40, 40).fill(definite), ranks.matrix(40, 40).fill(value)
    C = ranks.matrix(40, 40)
    read_only = ranks.matrix(40, 40)
    read_only.array.flags.writeable = False
    fails(ValueError, "read-only", lambda: gemm(A, B, read_only if last else C))
    fails((TypeError, ValueError), "int32", lambda: gemm(A, ranks.matrix(40, 40, np.int32) if last else B, C))
    fails(ValueError, "'Q'", lambda: gemm("Q" if last else "N", "N", 1, A, B, 0, C))
    fails((TypeError, ValueError), "3 arrays are needed", lambda: gemm(*([A, B] if last else [A, B, C])))
    fails((TypeError, ValueError), "threads", lambda: hetc.Ranks(COMM, threads=0 if last else 1))
    gemm("N", "N", np.array(0.5), A, B, np.array(0.0), C)
    cholesky(A)


def parts():
    """A matrix has the tiles that it began with, and takes other arrays of the same kind only."""
    with hetc.Ranks(COMM, tile=4) as ranks:
        A = ranks.matrix(20, 20).fill(definite)
        fails(AttributeError, "", lambda: setattr(ranks, "tile", 8))
        fails(ValueError, "the array is", lambda: setattr(A, "array", A.array[:-1]))
        fails(TypeError, "float32", lambda: setattr(A, "array", A.array.astype(np.float32)))
        fails(TypeError, "m is 1.5", lambda: ranks.matrix(1.5, 3))
        fails(ValueError, "n is", lambda: ranks.indices(3, 2**64 + 3))
        if A.array.shape[0] > 1 and A.array.shape[1] > 1:
            fails(ValueError, "column-major", lambda: setattr(A, "array", np.ascontiguousarray(A.array)))
    fails(TypeError, "tile is", lambda: hetc.Ranks(COMM, tile=2.5))
    fails(ValueError, "tile is", lambda: hetc.Ranks(COMM, tile=2**32 + 16))
    fails(ValueError, "tile is", lambda: hetc.Ranks(COMM, tile=0))


def devices():
    """The bits are those of the host."""
    with hetc.Ranks(COMM, tile=16, threads=1, devices="emulated:2") as ranks:
        products(ranks)
        factorizations(ranks)
    with hetc.use_devices("emulated:1"):
        with hetc.Ranks(COMM, tile=16, threads=1) as ranks:
            products(ranks)
    fails(ValueError, "devices: ", lambda: hetc.Ranks(COMM, devices="emulated:x" if COMM.rank == COMM.size - 1 else "none"))
    fails((TypeError, ValueError), "str" if COMM.rank == 0 else "threads", lambda: hetc.Ranks(COMM, devices=2 if COMM.rank == 0 else "none"))


def main():
    ranks = hetc.Ranks(COMM, tile=16)
    products(ranks)
    factorizations(ranks)
    own_algorithm(ranks, sys.argv[1])
    mistakes(ranks)
    parts()
    devices()
    if COMM.size > 1:
        mistakes_of_one(ranks)
    with hetc.Ranks(COMM, f"row:{COMM.size}", tile=9, threads=1) as rows:
        other = rows.matrix(20, 20).fill(definite)
        hetc.algorithm("cholesky")(other)
    fails(ValueError, "closed", lambda: rows.matrix(2, 2))
    fails(ValueError, "closed", lambda: hetc.algorithm("cholesky")(other))
    COMM.Barrier()
    if COMM.rank == 0:
        print("right", flush=True)
    MPI.Finalize() # nothing of hetc's is closed behind it


main()
