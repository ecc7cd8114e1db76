# The compiler's tests: each file says how to run hetc on it and what to expect (RUN and CHECK lines).
import os
import platform
import shutil
import subprocess

import lit.formats

config.name = "hetc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".tla", ".space", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.hetc_build, "tests", "lit")

# "address" or "thread" in sanitized builds.
if config.hetc_sanitizer:
    config.available_features.add(config.hetc_sanitizer)

config.available_features.add(platform.machine())

# As kernels/tuning/cuda/library.cpp looks for it.
cuda = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
if any(os.path.exists(os.path.join(cuda, "lib64", f"libnvrtc.so.{version}")) for version in (12, 13)):
    config.available_features.add("nvrtc")
for name in ("CUDA_HOME", "CUDA_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Mounts of a test's own.
unshare = shutil.which("unshare")
if unshare and subprocess.run([unshare, "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0:
    config.available_features.add("namespaces")

if os.path.exists(os.path.join(config.hetc_build, "lib", "libtla_simgrid.so")):
    config.available_features.add("simgrid")

tools = os.path.join(config.llvm_tools, "bin")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.hetc_build, "bin"), tools, os.environ.get("PATH", "")]
)
# A cache of the tests' own, and no pins on the speed of kernels.
config.environment["HETC_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "HETC_KERNELS"):
    config.environment.pop(name, None)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%hetc", os.path.join(config.hetc_build, "bin", "hetc")))
config.substitutions.append(("%algorithms", os.path.join(config.hetc_source, "algorithms")))
config.substitutions.append(("%profiles", os.path.join(config.hetc_source, "runtime", "predict", "machine", "profiles")))
config.substitutions.append(("%source", config.hetc_source))
config.substitutions.append(("%build", config.hetc_build))
