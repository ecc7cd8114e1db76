"""The drop-in LAPACK library under this process's NumPy and SciPy."""

import ctypes
import os
import sys

from ._library import find_library

_NAME = "libhetc_lapack.so"
_CALLERS = ("numpy.linalg._umath_linalg", "scipy.linalg._flapack")


def accelerate():
    """From now on NumPy's and SciPy's LAPACK calls are computed on tiles where that is faster (docs/lapack.md). RuntimeError
    when they are loaded already, which binds their calls for good: then call it first, or start the program by
    `python3 -m hetc script.py`."""
    if _NAME in os.environ.get("LD_PRELOAD", ""):
        return
    loaded = [name for name in _CALLERS if name in sys.modules]
    if loaded:
        raise RuntimeError(f"{', '.join(loaded)} is loaded already, and its calls are bound: start the program by "
                           "'python3 -m hetc script.py'")
    ctypes.CDLL(find_library(_NAME), mode=ctypes.RTLD_GLOBAL)


def run_accelerated(arguments):
    """Replaces this process by a Python that runs these arguments with the library in front of all others."""
    preload = [find_library(_NAME), *filter(None, [os.environ.get("LD_PRELOAD")])]
    os.environ["LD_PRELOAD"] = ":".join(preload)
    os.execv(sys.executable, [sys.executable, *arguments])
