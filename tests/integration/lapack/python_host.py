"""Solvers of NumPy and SciPy: the same answers with the drop-in library loaded first as without it.

Matrices that LAPACK scales, or whose numbers are not finite, it computes without the library's tiles, down to the last part.

usage: python_host.py LIBRARY ROUTINE ...   (those that must have computed on tiles, as dpotrf)
       python_host.py compute FILE.npz     (what the first form runs in a process with and one without the library)

Without SciPy only NumPy's solvers are compared."""

import os
import re
import subprocess
import sys
import tempfile

import numpy as np

try:
    import scipy.linalg
except ImportError:
    scipy = None

N = 150
TYPES = (np.float32, np.float64, np.complex64, np.complex128)


def random(generator, dtype, *shape):
    values = generator.standard_normal(shape)
    if np.issubdtype(dtype, np.complexfloating):
        values = values + 1j * generator.standard_normal(shape)
    return values.astype(dtype)


def results(dtype):
    """Name and value of what is compared; values that do not depend on signs that a factorization may choose freely."""
    generator = np.random.default_rng(1)
    A, B = random(generator, dtype, N, N), random(generator, dtype, N, 40)
    tall = random(generator, dtype, 2 * N, N)
    spd = A @ A.conj().T + N * np.eye(N, dtype=dtype)
    well = A + 2 * np.sqrt(N) * np.eye(N, dtype=dtype)
    yield "numpy.cholesky", np.linalg.cholesky(spd)
    yield "numpy.solve", np.linalg.solve(well, B)
    yield "numpy.inv", np.linalg.inv(well)
    yield "numpy.lstsq", np.linalg.lstsq(tall, np.vstack([B, B]), rcond=None)[0]
    yield "numpy.lstsq square", np.linalg.lstsq(well, B[:, 0], rcond=None)[0]
    yield "numpy.svd, values", np.linalg.svd(A, compute_uv=False)
    yield "numpy.svd, values of a wide matrix", np.linalg.svd(tall.T, compute_uv=False)
    yield from vectors(np.linalg.svd, "numpy", A, tall)
    yield "numpy.pinv", np.linalg.pinv(tall)
    yield from eigenvalues(np.linalg, "numpy", A)
    q, r = np.linalg.qr(tall)
    yield "numpy.qr q", q
    yield "numpy.qr r", r
    if scipy is None:
        return
    yield "scipy.cholesky lower", scipy.linalg.cholesky(spd, lower=True)
    yield "scipy.cholesky upper", scipy.linalg.cholesky(spd)
    yield "scipy.cho_solve", scipy.linalg.cho_solve(scipy.linalg.cho_factor(spd), B)
    p, l, u = scipy.linalg.lu(well)
    yield "scipy.lu", np.vstack([p, l, u])
    yield "scipy.lu_solve", scipy.linalg.lu_solve(scipy.linalg.lu_factor(well), B, trans=1)
    yield "scipy.solve", scipy.linalg.solve(well, B)
    yield "scipy.solve pos", scipy.linalg.solve(spd, B, assume_a="pos")
    yield "scipy.inv", scipy.linalg.inv(well)
    q, r = scipy.linalg.qr(tall, mode="economic")
    yield "scipy.qr q", q
    yield "scipy.qr r", r
    yield "scipy.svdvals", scipy.linalg.svdvals(tall)
    yield "scipy.svd, values, QR", scipy.linalg.svd(A, compute_uv=False, lapack_driver="gesvd")
    for driver in "gesdd", "gesvd":
        yield from vectors(lambda a, full_matrices: scipy.linalg.svd(a, full_matrices, lapack_driver=driver), f"scipy {driver}", A, tall)
    yield from eigenvalues(scipy.linalg, "scipy", A)
    H = A + A.conj().T
    for driver in "ev", "evd", "evr", "evx":
        for lower in True, False:
            w, v = scipy.linalg.eigh(H, driver=driver, lower=lower)
            yield f"scipy.eigh {driver} {lower}", w
            yield f"scipy.eigh {driver} {lower} vectors", (v * w) @ v.conj().T
    for driver in "evr", "evx":
        w, v = scipy.linalg.eigh(H, driver=driver, subset_by_index=(10, 29))
        yield f"scipy.eigh {driver} by number", np.concatenate([w, (np.abs(v) ** 2).sum(1)])
        w, v = scipy.linalg.eigh(H, driver=driver, subset_by_value=(-3.3, 7.7))
        yield f"scipy.eigh {driver} by value", np.concatenate([w, (np.abs(v) ** 2).sum(1)])
    for driver in "gv", "gvd", "gvx":
        for kind in 1, 2, 3:
            yield f"scipy.eigh {driver} {kind}", scipy.linalg.eigh(H, spd / N, driver=driver, type=kind)[0]
    yield "scipy.lstsq", scipy.linalg.lstsq(tall, np.vstack([B, B]), lapack_driver="gelsy")[0]


def vectors(svd, name, square, tall):
    """Products of singular vectors: the matrix again, and the identity."""
    for what, a in ("square", square), ("tall", tall), ("wide", tall.T):
        for full in True, False:
            u, s, vh = svd(a, full_matrices=full)
            k = len(s)
            yield f"{name}.svd, {what}, {full}", (u[:, :k] * s) @ vh[:k]
            yield f"{name}.svd, {what}, {full}, orthogonality of u", u.conj().T @ u
            yield f"{name}.svd, {what}, {full}, orthogonality of v", vh @ vh.conj().T


def eigenvalues(linalg, name, A):
    """The eigenvalues of a Hermitian matrix, and what its eigenvectors make of them again."""
    H = A + A.conj().T
    w, v = linalg.eigh(H)
    yield f"{name}.eigh", w
    yield f"{name}.eigh, vectors", (v * w) @ v.conj().T
    yield f"{name}.eigh, orthogonality", v.conj().T @ v
    yield f"{name}.eigvalsh", linalg.eigvalsh(H)


def outcome(call):
    """The value, or a text of the error's kind."""
    try:
        return np.asarray(call())
    except (ValueError, np.linalg.LinAlgError, SystemError) as error:
        return np.asarray(type(error).__name__)


def unusual(dtype):
    """Does the same with matrices that are left to LAPACK for their numbers: tall ones, of which it computes a factorization first. NumPy
    computes in double precision: a single tiny number is none there."""
    tall = random(np.random.default_rng(2), dtype, 3 * N, N)
    tiny = tall * dtype(np.finfo(dtype).tiny * 8)
    for name, value in ("inf", np.inf), ("nan", np.nan), *([("tiny", None)] if np.finfo(dtype).bits == 64 else []):
        A = tiny if value is None else tall.copy()
        if value is not None:
            A[7, 5] = value
        yield f"values of {name}", outcome(lambda: np.linalg.svd(A, compute_uv=False))
        yield f"vectors of {name}", outcome(lambda: np.linalg.svd(A, full_matrices=False)[1])
        yield f"condition of {name}", outcome(lambda: np.linalg.cond(A))
        if value is not None:
            H = A[:N] + A[:N].conj().T
            yield f"eigenvalues of {name}", outcome(lambda: np.linalg.eigvalsh(H))
            yield f"eigenvectors of {name}", outcome(lambda: np.linalg.eigh(H)[0])
        yield f"lstsq of {name}", outcome(lambda: np.linalg.lstsq(A, tall[:, :2], rcond=None)[0])


def compute(path, results=results):
    np.savez(path, **{f"{np.dtype(t).name} {name}": value for t in TYPES for name, value in results(t)})


def run(path, what="compute", **settings):
    result = subprocess.run([sys.executable, __file__, what, path], env={**os.environ, **settings},
                            capture_output=True, text=True, timeout=500, check=False)
    if result.returncode:
        sys.exit(f"FAILED with {settings}: exit code {result.returncode}\n{result.stderr}")
    return result.stderr


def unusual_failures(folder, library):
    plain, tiled = os.path.join(folder, "plain_unusual.npz"), os.path.join(folder, "tiled_unusual.npz")
    run(plain, "unusual")
    log = run(tiled, "unusual", LD_PRELOAD=library, HETC_NB="32", HETC_MIN_N="0", HETC_THREADS="2", HETC_VERBOSE="1")
    expected, found = np.load(plain), np.load(tiled)

    def is_same(a, b):
        if a.dtype != b.dtype or a.dtype.kind == "U":
            return a.dtype == b.dtype and a == b
        return np.allclose(a, b, rtol=0, atol=10 * N * np.finfo(a.dtype).eps * np.nan_to_num(np.abs(a), posinf=0).max(), equal_nan=True)

    wrong = [name for name in expected if not is_same(expected[name], found[name])]
    parts = sorted(set(re.findall(r"^hetc: (\w+) .*: tiled", log, re.M)))
    if not re.search("passed on .to be scaled.", log):
        parts.append("all")
    for text in [f"{name} is not what LAPACK makes" for name in wrong] + [f"{part} on tiles" for part in parts]:
        print(f"FAILED: of matrices that are left to LAPACK: {text}")
    return len(wrong) + len(parts)


def main(library, wanted):
    with tempfile.TemporaryDirectory() as folder:
        plain, tiled = os.path.join(folder, "plain.npz"), os.path.join(folder, "tiled.npz")
        run(plain)
        log = run(tiled, LD_PRELOAD=library, HETC_NB="32", HETC_MIN_N="0", HETC_THREADS="2", HETC_VERBOSE="1")
        expected, found = np.load(plain), np.load(tiled)
        failures = 0
        for name in expected:
            a, b = expected[name], found[name]
            error = np.abs(a - b).max() / (np.abs(a).max() * N * np.finfo(a.dtype).eps)
            if not error < 10:
                print(f"FAILED: {name} differs by {error:.3g} units")
                failures += 1
        failures += unusual_failures(folder, library)
    routines = sorted(set(re.findall(r"^hetc: (\w+) .*: tiled", log, re.M)))
    print(f"{len(expected)} results compared; on tiles: {' '.join(routines)}")
    for routine in wanted:
        if routine not in routines:
            print(f"FAILED: {routine} never computed on tiles")
            failures += 1
    return 1 if failures else 0


if sys.argv[1] == "compute":
    compute(sys.argv[2])
elif sys.argv[1] == "unusual":
    compute(sys.argv[2], unusual)
else:
    sys.exit(main(sys.argv[1], sys.argv[2:]))
