"""Builds what the preset cuda has besides the others, in a folder of its own, and runs those of its tests that need no
device: the compiler of the CUDA toolkit is on many machines that have none.

  build_and_test.py SOURCE_DIR BUILD_DIR [NVCC]    # the compiler's name, for the test of a machine that has none

Host code is not optimized, and device code is made for sm_90 alone: this is about what compiles and links. Exits 77
where there is no nvcc, as ctest's SKIP_RETURN_CODE has it; 1 when something does not build or a test fails.
"""

import os
import shutil
import subprocess
import sys

SKIPPED = 77
TARGETS = ["tla_cuda", "kernels_cuda_products_test", "tuning_cuda_device_test"]
TESTS = "^unit[.](tuning_cuda_device_test|kernels_cuda_products_test)$"  # the second finds a device or says that it skips


def find_nvcc(name):
    """Where cmake/TlaCuda.cmake looks for it; the usual folder counts where none is named."""
    homes = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)] or ["/usr/local/cuda"]
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", "")] + [home + "/bin" for home in homes]))


def run(*command):
    print("+", *command, flush=True)
    if subprocess.run(command, stdin=subprocess.DEVNULL).returncode != 0:
        sys.exit(1)


def main(source, build, compiler="nvcc"):
    if not find_nvcc(compiler):
        print(f"skipped: there is no {compiler}; install the CUDA toolkit, or set CUDA_HOME to its folder")
        return SKIPPED
    run("cmake", "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DTLA_CUDA=ON",
        "-DCMAKE_CUDA_ARCHITECTURES=90-real", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON")
    run("cmake", "--build", build, "--parallel", str(min(2, os.cpu_count() or 1)), "--target", *TARGETS)
    run("ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error", "-R", TESTS)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
