"""Libraries of BLAS and LAPACK that hetc is measured against beside the system's OpenBLAS: those of today, as PyPI has
them. `tools/bench --install-peers` fetches them into build/peers; nothing else of the machine changes."""

import glob
import os
import subprocess
import sys
import tempfile
import zipfile

from benchmarks.common import ROOT, peer

FOLDER = os.path.join(ROOT, "build", "peers")


class Library:
    """One of PyPI's packages: `files` in the order in which they are loaded, as patterns in its archive."""

    def __init__(self, name, package, files, prefix="", environment=None):
        self.name, self.package, self.prefix = name, package, prefix
        self.folder = os.path.join(FOLDER, package)
        self.patterns, self.environment = files, environment or {}

    def files(self):
        """Nothing where the library is not installed."""
        found = [sorted(glob.glob(os.path.join(self.folder, pattern))) for pattern in self.patterns]
        return [names[0] for names in found if names] if all(found) else []

    def version(self):
        info = glob.glob(os.path.join(self.folder, "*.dist-info"))
        return os.path.basename(info[0]).removesuffix(".dist-info").split("-")[-1] if info else "?"

    def title(self):
        return f"{self.name} {self.version()}"

    def install(self):
        with tempfile.TemporaryDirectory() as archives:
            subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                            "--python-version", "3.11", "--dest", archives, self.package], check=True)
            for archive in os.listdir(archives):
                with zipfile.ZipFile(os.path.join(archives, archive)) as wheel:
                    wheel.extractall(self.folder)

    def run(self, routine, *arguments):
        """The peer that common.peer() makes, with this library."""
        files = self.files()
        more = [option for file in files for option in ("--library", file)]
        if self.prefix:
            more += ["--prefix", self.prefix]
        return peer(routine, *arguments, *more,
                    env={"LD_LIBRARY_PATH": os.path.dirname(files[0]), **self.environment})


LIBRARIES = (
    Library("OpenBLAS", "scipy-openblas32", ["scipy_openblas32/lib/libscipy_openblas.so"], "scipy_"),
    Library("AOCL", "aoclda", ["aoclda.libs/libblis-mt-*.so*", "aoclda.libs/libflame-*.so*"]),
    # GNU's threads, which are there; Intel's are a package of their own.
    Library("MKL", "mkl", ["mkl-*.data/data/lib/libmkl_rt.so*"], environment={"MKL_THREADING_LAYER": "GNU"}),
)


def install():
    for library in LIBRARIES:
        print(f"{library.name}: {library.package}", file=sys.stderr, flush=True)
        library.install()
        if not library.files():
            sys.exit(f"bench: {library.package} {library.version()} does not hold what is expected: {library.patterns}")


def installed():
    return [library for library in LIBRARIES if library.files()]
