"""Tile algorithms for NumPy: dense linear algebra on all cores.

    L = hetc.cholesky(A)            # A = L L^H
    lu, p = hetc.lu(A)              # A[p] = L U
    Q, R = hetc.qr(A)
    x = hetc.solve(A, b)
    x = hetc.lstsq(A, b)
    w, V = hetc.eigh(A)             # A V = V diag(w)
    U, s, Vh = hetc.svd(A)          # A = U diag(s) Vh
    f = hetc.algorithm("sylvester.tla"); help(f); hetc.algorithms()
    with hetc.use_devices("cuda"): L = hetc.cholesky(A)
    ranks = hetc.Ranks(MPI.COMM_WORLD, "2dbc:2x2"); f(ranks.matrix(m, n), ...)
    hetc.cost("qr.tla", n=40000, dist="2dbc:4x4")

Arrays are float32, float64, complex64 or complex128. The GIL is released, Ctrl-C stops a run. See docs/python.md."""

import importlib

_HOMES = {
    "_algorithm": ("Algorithm", "algorithm", "algorithms"),
    "_compiler": ("CompileError", "CompilerNotFound", "cost"),
    "_devices": ("use_devices",),
    "_dropin": ("accelerate",),
    "_eigen": ("eigh", "eigvalsh"),
    "_library": ("Error", "__version__"),
    "_ranks": ("LocalMatrix", "Ranks"),
    "_linalg": ("cholesky", "lstsq", "lu", "qr", "solve"),
    "_svd": ("pinv", "svd"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(name for name in _HOME_OF if not name.startswith("_"))


def __getattr__(name):
    """Loads each name when it is first used: accelerate() must come before NumPy is loaded."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'hetc' has no attribute '{name}'")
    value = globals()[name] = getattr(importlib.import_module("." + _HOME_OF[name], __name__), name)
    return value


def __dir__():
    return sorted(set(globals()) | set(_HOME_OF))
