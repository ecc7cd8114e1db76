#!/usr/bin/env python3
"""Runs one program of this folder in all ways, and judges each result by NumPy.

  run_program.py HETC NAME [--mpiexec MPIEXEC]

The ways: the serial elision, 1 and 2 threads, slices, emulated accelerators, and 2 and 4 ranks (or 4), which must have the bits of one
thread. What a program must refuse is asked, too. What ranks of one that calls itself send is what 'hetc cost' counts.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
NB = 8


def tiles(matrix, i, j):
    return matrix[i * NB:(i + 1) * NB, j * NB:(j + 1) * NB]


def symmetric(tile, lower):
    half = np.tril(tile) if lower else np.triu(tile)
    return half + (np.tril(half, -1) if lower else np.triu(half, 1)).T


def workspace_product(A, B, S):
    m = A.shape[0]
    count = (m + NB - 1) // NB
    X, D = np.zeros((m, m)), np.zeros((m, m))
    for i in range(count):
        for j in range(count):
            tiles(X, i, j)[:] = symmetric(tiles(S, i, i), True) @ tiles(S, i, j)
            tiles(D, i, j)[:] = 2 * tiles(S, i, j) @ symmetric(tiles(S, j, j), False)
    for i in range(count):
        for j in range(count):
            tiles(D, i, j)[:] += tiles(X, 0, i).T @ (2 * tiles(S, 0, j))
    product = A @ B
    return {"C": product @ product.T, "D": D}


def called_requirements(A, X):
    def gram(A):
        n = A.shape[1]
        B = np.zeros((n, n))
        for i in range((n + NB - 1) // NB):
            for j in range((n + NB - 1) // NB):
                tiles(B, i, j)[:] = tiles(A, j, i).T @ tiles(A, j, j)
        return B
    return {"B": gram(A), "Y": gram(X)}


def own_check(A):
    return {"C": 2 * A @ A}


def int_input(ipiv, B):
    B, place = B.copy(), np.arange(len(ipiv), dtype=np.int32).reshape(-1, 1)
    for i, other in enumerate(ipiv[:, 0] - 1):
        for matrix in B, place:
            matrix[[i, other]] = matrix[[other, i]]
    return {"B": B, "place": place}


def two_buffers(A, B, X, Z):
    for _ in range(5):
        X = X + (B - A @ X) / np.diag(A)[:, None]
    before, now = np.zeros_like(Z), Z
    for _ in range(4):
        before, now = now, A @ now / 16 - before
    return {"X": X, "Z": now}


def scratch_cholesky(A, B, S):
    return {"X": np.linalg.lstsq(A, B, rcond=None)[0],
            "S": np.tril(S, -1) + np.linalg.cholesky(S).T}


def d_and_s_mixed(A, B):
    return {"X": np.linalg.solve(A, B)}


def until_settled(A, B, X):
    return {"Z": np.linalg.solve(A, B)}


def newton_until(A):
    return {"X": np.linalg.inv(A)}


def transposed_views(A, B, X, D, S, U):
    return {"X": np.linalg.lstsq(A, B, rcond=None)[0], "D": D @ np.linalg.inv(S),
            "S": np.linalg.cholesky(S), "U": np.linalg.cholesky(U).conj().T}


def blocks_of_blocks(A, B, C, D):
    L, first = np.linalg.cholesky(A), D.copy()
    first[:2 * NB] = B[:2 * NB]
    return {"A": L, "B": np.linalg.solve(L, B), "C": C @ np.linalg.inv(L).conj().T, "D": first}


def recursive_cholesky(A, B, C):
    L = np.linalg.cholesky(A)
    return {"A": L, "B": B @ np.linalg.inv(L).conj().T, "C": 0.5 * np.linalg.solve(L, C)}


def recursive_lu(A):
    A = A.copy()
    for k in range(len(A)):
        A[k + 1:, k] /= A[k, k]
        A[k + 1:, k + 1:] -= np.outer(A[k + 1:, k], A[k, k + 1:])
    return {"A": A}


def linked_lapack(A):
    n = A.shape[0]
    return {"w": np.concatenate([np.linalg.eigvalsh(A[i:i + NB, i:i + NB]) for i in range(0, n, NB)]).reshape(n, 1)}


def block_sparse(A):
    return {"A": np.linalg.cholesky(A)}


def stiffness(random, n):
    """As the Matrix Market file beside this one has it."""
    A = np.zeros((n, n))
    with open(os.path.join(HERE, "bcsstk01.mtx")) as file:
        for line in [line for line in file if not line.startswith("%")][1:]:
            i, j, value = line.split()
            A[int(i) - 1, int(j) - 1] = A[int(j) - 1, int(i) - 1] = float(value)
    return A


def definite_complex(random, m, **sizes):
    A = random.standard_normal([m, m]) + 1j * random.standard_normal([m, m])
    G = A @ A.conj().T  # Hermitian up to rounding
    return (G + G.conj().T) / 2 + m * np.eye(m)


def definite_of_order_n(random, n, **sizes):
    return definite_complex(random, n)


def dominant(random, n, **sizes):
    return random.standard_normal([n, n]) + n * np.eye(n)


def near_identity(random, n, **sizes):
    return np.eye(n) + random.standard_normal([n, n]) / (4 * n)


def definite(random, n, **sizes):
    A = random.standard_normal([n, n])
    return A @ A.T + n * np.eye(n)


def pivots(random, m, n):
    """int64, as NumPy makes them."""
    return np.array([[random.integers(i, m) + 1] for i in range(m)])


# Name: sizes, inputs with theirs or a function of the sizes, the function, and what must be refused: options and a part of the message.
PROGRAMS = {
    "workspace_product": (dict(m=29, n=19), dict(A="mn", B="nm", S="mm"), workspace_product,
                          [(["-m", "5", "-n", "0"], "workspace_product requires A.n() >= 1, but A is 5 x 0")]),
    "two_buffers": (dict(n=29, k=11), dict(A=dominant, B="nk", X="nk", Z="nk"), two_buffers, [
        (["-n", "5", "-k", "1", "--set", "sweeps=-1"], "two_buffers requires sweeps >= 0, but sweeps is -1")]),
    "scratch_cholesky": (dict(m=45, n=21, k=11), dict(A="mn", B="mk", S=definite), scratch_cholesky, []),
    "d_and_s_mixed": (dict(n=37, k=11), dict(A=definite, B="nk"), d_and_s_mixed, []),
    "until_settled": (dict(n=29, k=11), dict(A=dominant, B="nk", X="nk"), until_settled, [
        (["-n", "5", "-k", "1", "--set", "tolerance=x"], "tolerance")]),
    "newton_until": (dict(n=29), dict(A=near_identity), newton_until, [
        (["-n", "0"], "newton_until requires A.m() >= 1, but A is 0 x 0")]),
    "transposed_views": (dict(m=21, n=45, k=11), dict(A="mn", B="mk", X="nk", D="km", S=definite_complex,
                                                      U=definite_complex), transposed_views, [
        (["-m", "5", "-n", "4", "-k", "1"], "transposed_views requires A.m() <= A.n(), but A is 5 x 4")]),
    "blocks_of_blocks": (dict(n=45, k=11), dict(A=definite_of_order_n, B="nk", C="kn", D="nk"), blocks_of_blocks, [
        (["-n", "5", "-k", "0"], "blocks_of_blocks requires B.n() >= 1, but B is 5 x 0")]),
    "recursive_cholesky": (dict(n=45, k=11), dict(A=definite_of_order_n, B="kn", C="nk"), recursive_cholesky, [
        (["-n", "0", "-k", "3"], "recursive_cholesky requires A.m() >= 1, but A is 0 x 0")]),
    "recursive_lu": (dict(n=53), dict(A=dominant), recursive_lu, [
        (["-n", "9", "--set", "leaf=0"], "recursive_lu requires leaf >= 1, but leaf is 0")]),
    "linked_lapack": (dict(n=37), dict(A=definite), linked_lapack, []),
    "block_sparse": (dict(n=48), dict(A=stiffness), block_sparse, [
        (["-n", "50"], "A is 48 x 48 in"), (["--pattern", "A=A.npy"], "--pattern: A is given twice")]),
    "own_check": (dict(n=37), dict(A="nn"), own_check, []),
    "int_input": (dict(m=45, n=11), dict(ipiv=pivots, B="mn"), int_input, [
        (["-m", "5", "-n", "11", "--input", "ipiv={folder}/ipiv.npy"], "ipiv is 45 x 1 in"),
        (["-n", "11", "--input", "ipiv={folder}/B.npy"], "B.npy holds no integers, but ipiv is a matrix of int")]),
    "called_requirements": (dict(m=40, n=27, k=18), dict(A="mn", X="nk"), called_requirements, [
        (["-m", "5", "-n", "6", "-k", "2"],
         "called_requirements, which calls gram, requires A.n() <= A.m(), but A is 5 x 6"),
        (["-m", "6", "-n", "5", "-k", "6"], "!(step == 1) || X.n() <= X.m(), but step is 1; X is 5 x 6"),
        (["-m", "6", "-n", "5", "-k", "6", "--set", "step=0"], "requires step >= 1, but step is 0")]),
}


# Whose loops for other nodes than 2 x 2 are like those of others here.
ON_ONE_GRID = {"until_settled", "newton_until", "two_buffers", "scratch_cholesky", "d_and_s_mixed",
               "transposed_views"}
# What they compute depends on the nodes' columns.
BY_COLUMNS = {"transposed_views"}
COMPLEX = {"transposed_views", "blocks_of_blocks", "recursive_cholesky"}
# Which call themselves: they have no slices, and run in replay mode.
RECURSIVE = {"recursive_cholesky", "recursive_lu"}


# Options of all runs, and tiles of another size: of six degrees of freedom, one point of the structure.
OPTIONS = {"block_sparse": ["--pattern", f"A={HERE}/bcsstk01.mtx,fill", "--nb", "6"]}


def ways(mpiexec, name):
    yield "serial", [], ["--serial"]
    yield "1 thread", [], ["--threads", "1"]
    yield "2 threads", [], ["--threads", "2"]
    if name not in RECURSIVE:
        yield "slices", [], ["--split", "2", "--slice", "4"]
    yield "devices", [], ["--split", "2", "--devices", "emulated:2"]
    for ranks, grid in (2, "1x2"), (4, "4x1" if name in BY_COLUMNS else "2x2"):
        if mpiexec and (ranks == 4 or name not in ON_ONE_GRID):
            yield f"{ranks} ranks", [mpiexec, "--oversubscribe", "--bind-to", "none", "-n", str(ranks)], \
                ["--dist", f"2dbc:{grid}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hetc")
    parser.add_argument("name", choices=PROGRAMS)
    parser.add_argument("--mpiexec", default="")
    options = parser.parse_args()
    sizes, inputs, function, refused = PROGRAMS[options.name]
    random = np.random.default_rng(1)

    def drawn(shape):
        normal = [random.standard_normal([sizes[size] for size in shape]) for _ in range(1 + (options.name in COMPLEX))]
        return np.asfortranarray(normal[0] + 1j * normal[1] if len(normal) == 2 else normal[0])

    matrices = {name: shape(random, **sizes) if callable(shape) else drawn(shape) for name, shape in inputs.items()}
    expected = function(**matrices)
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    program = [options.hetc, "run", os.path.join(HERE, options.name + ".tla"), "--algorithm", options.name, "--quiet",
               "--nb", str(NB)] + (["--type", "z"] if options.name in COMPLEX else []) + \
        OPTIONS.get(options.name, []) + (["--json"] if options.name in RECURSIVE else [])
    bits, failures = {}, 0

    def fail(what, text):
        nonlocal failures
        failures += 1
        print(f"{options.name}, {what}: {text}")

    with tempfile.TemporaryDirectory() as folder:
        for name, matrix in matrices.items():
            np.save(f"{folder}/{name}.npy", matrix)
        for what, launcher, more in ways(options.mpiexec, options.name):
            files = [f"--input={name}={folder}/{name}.npy" for name in matrices]
            files += [f"--output={name}={folder}/out_{name}.npy" for name in expected]
            done = subprocess.run(launcher + program + more + files, env=environment, capture_output=True, text=True)
            if done.returncode:
                fail(what, f"exit code {done.returncode}\n{done.stderr}")
                continue
            if "hetc's own error" in done.stderr:
                fail(what, done.stderr)
            if launcher and options.name in RECURSIVE:
                asked = [option for option in program if option != "--quiet"]
                counted = subprocess.run([asked[0], "cost"] + asked[2:] + more +
                                         [word for size, n in sizes.items() for word in ("-" + size, str(n))],
                                         capture_output=True, text=True)
                cost, run = json.loads(counted.stdout), json.loads(done.stdout.splitlines()[-1])
                for key in "tasks", "messages", "bytes":
                    if cost[key] != run[key]:
                        fail(what, f"{cost[key]} {key} are counted, and the run has {run[key]}")
            for name, right in expected.items():
                result = np.load(f"{folder}/out_{name}.npy")
                if not np.allclose(result, right, rtol=0, atol=1e-12 * max(1, abs(right).max())):
                    fail(what, f"{name} is wrong by {abs(result - right).max()}")
                if "--split" not in more and result.tobytes() != bits.setdefault(name, result.tobytes()):
                    fail(what, f"{name} has other bits than the serial elision")
        for more, message in refused:
            for where in [], ["--serial"]:
                given = [option.replace("{folder}", folder) for option in more]
                done = subprocess.run(program + given + where, capture_output=True, text=True)
                if done.returncode != 2 or message not in done.stderr:
                    fail(" ".join(more + where), f"exit code {done.returncode}, {done.stderr}")
    sys.exit(1 if failures else 0)


main()
