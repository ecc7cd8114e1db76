"""Who may include what: each foreign library has one home, and the project's own folders depend downwards only.

usage: check_includes.py SOURCE_DIR; exits 1 and lists every include that breaks a rule."""

import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')

# Foreign header -> folders that may include it. Tests and tools may use what they test.
HOMES = {
    r"mpi\.h": ["runtime/transport/mpi", "tests"],
    r"(cuda|cublas|cusolver|nvrtc)": ["runtime/device/cuda", "kernels/cuda", "kernels/tuned", "kernels/tuning", "tests"],
    r"clang/": ["compiler/frontend", "compiler/codegen"],
    r"llvm/": ["compiler/frontend", "compiler/codegen", "compiler/driver", "compiler/support"],
    r"isl/": ["compiler/dependence", "compiler/specialize", "tests/unit/compiler", "tests/unit/runtime/distribution"],
    r"boost/": ["dsl/annotations", "kernels/tuning"],
    r"(cblas|f77blas|openblas_config|lapacke?)\.h": ["kernels/openblas", "tests"],
    r"hwloc": ["runtime/core"],
    r"CLI/": ["runtime/bootstrap", "tools", "tests"],
    r"nlohmann/": ["tools/tuner", "runtime/bootstrap", "runtime/trace", "tools", "tests"],
    r"gtest/|gmock/": ["tests/unit"],
}

# Folder -> prefixes of the project's own headers that it may include (its own prefix is implied).
LAYERS = {
    "dsl/include": ["tla/"],
    "dsl/annotations": [],
    "kernels/tuning/spaces": ["kernels/reference", "kernels/tuned", "tla/"],
    "tools/tuner": ["tla/", "compiler/codegen/backend.hpp", "compiler/driver", "compiler/support",
                             "kernels/reference", "kernels/tuning", "kernels/winners.hpp"],
    "kernels/tuning": ["tla/kernels/", "dsl/annotations"],
    "kernels/include/tla/kernels/split": ["tla/"],
    "kernels": ["tla/kernels/", "tla/types.hpp", "tla/tile.hpp", "tla/storage.hpp", "tla/matrix.hpp"],
    "runtime/include": ["tla/"],
    "runtime/core": ["tla/", "runtime/device", "runtime/distribution", "runtime/transport"],
    "runtime/device": ["tla/", "runtime/core", "kernels/open_module.hpp", "kernels/cuda"],
    "runtime/distribution": [],
    "runtime/transport": ["tla/", "kernels/open_module.hpp"],
    "runtime/trace": ["tla/"],
    "runtime/validation": ["tla/", "runtime/core", "runtime/distribution"],
    "runtime/bootstrap": ["tla/", "runtime/trace", "runtime/core", "runtime/device", "runtime/distribution",
                          "runtime/transport"],
    "lapack": ["tla/", "runtime/bootstrap"],
    "compiler/support": [],
    "compiler/ir": ["compiler/support"],
    "compiler/frontend": ["compiler/ir", "compiler/support", "dsl/annotations"],
    "compiler/split": ["compiler/ir"],
    "compiler/dependence": ["compiler/ir", "compiler/support"],
    "compiler/specialize": ["compiler/ir", "compiler/dependence", "runtime/distribution"],
    "compiler/codegen": ["compiler/ir", "compiler/support", "compiler/specialize/node_program.hpp"],
    "compiler/driver": ["compiler/", "runtime/distribution"],
    "tools/hetc": ["compiler/driver", "compiler/ir", "compiler/support", "kernels/tuning",
                   "kernels/winners.hpp", "runtime/host/plan/device_report.hpp",
                   "runtime/host/base/progress_line.hpp", "runtime/host/plan/split_choice.hpp",
                   "runtime/host/base/text.hpp", "runtime/transport/launch.hpp", "tla/"],
}

# What every compilation of a .tla parses, and the headers of the standard library that are small enough for that:
# <string> alone doubles the time.
PARSED_BY_PROGRAMS = re.compile(r"dsl/include/tla/\w+\.hpp|kernels/include/tla/kernels/(kernels|blas|lu|qr|triangular)\.hpp")
SMALL = ("cstddef", "exception", "new")

OWN = ("tla/", "dsl/", "compiler/", "runtime/", "kernels/", "lapack/", "tools/", "tests/")


def sources(root):
    for folder in ("dsl", "kernels", "runtime", "compiler", "lapack", "tools", "tests"):
        for path, folders, names in os.walk(os.path.join(root, folder)):
            if "Inputs" in folders:
                folders.remove("Inputs")
            for name in sorted(names):
                if name.endswith((".cpp", ".hpp", ".h", ".cu", ".tla")):
                    yield os.path.relpath(os.path.join(path, name), root)


def foreign_error(path, header):
    for pattern, homes in HOMES.items():
        if re.match(pattern, header) and not any(path.startswith(home + "/") for home in homes):
            return f"<{header}> belongs to {', '.join(homes)}"
    return None


def layer_error(path, header):
    if not header.startswith(OWN):
        return None
    for folder, allowed in LAYERS.items():
        if path.startswith(folder + "/"):
            if header.startswith((folder + "/", *allowed)):
                return None
            return f"{folder} may not use \"{header}\""
    return None


def weight_error(path, header):
    if PARSED_BY_PROGRAMS.fullmatch(path) and not header.startswith(OWN) and header not in SMALL:
        return f"every program would parse <{header}>; small enough are {', '.join(SMALL)}"
    return None


def main():
    root = sys.argv[1]
    files = errors = 0
    for path in sources(root):
        files += 1
        with open(os.path.join(root, path), encoding="utf-8") as source:
            for number, line in enumerate(source, 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                error = foreign_error(path, match.group(1)) or layer_error(path, match.group(1)) or \
                    weight_error(path, match.group(1))
                if error:
                    errors += 1
                    print(f"{path}:{number}: {error}")
    print(f"{files} files, {errors} includes out of place")
    return 1 if errors or files == 0 else 0


sys.exit(main())
