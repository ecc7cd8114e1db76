"""Solvers of NumPy and SciPy: the same answers with the drop-in library loaded first as without it.

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
    yield "scipy.lstsq", scipy.linalg.lstsq(tall, np.vstack([B, B]), lapack_driver="gelsy")[0]


def compute(path):
    np.savez(path, **{f"{np.dtype(t).name} {name}": value for t in TYPES for name, value in results(t)})


def run(path, **settings):
    result = subprocess.run([sys.executable, __file__, "compute", path], env={**os.environ, **settings},
                            capture_output=True, text=True, timeout=500, check=False)
    if result.returncode:
        sys.exit(f"FAILED with {settings}: exit code {result.returncode}\n{result.stderr}")
    return result.stderr


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
    routines = sorted(set(re.findall(r"^hetc: (\w+) .*: tiled", log, re.M)))
    print(f"{len(expected)} results compared; on tiles: {' '.join(routines)}")
    for routine in wanted:
        if routine not in routines:
            print(f"FAILED: {routine} never computed on tiles")
            failures += 1
    return 1 if failures else 0


if sys.argv[1] == "compute":
    compute(sys.argv[2])
else:
    sys.exit(main(sys.argv[1], sys.argv[2:]))
