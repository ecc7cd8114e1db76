#!/usr/bin/env python3
"""Compiles a host program, which includes all public headers, with a C++ compiler.

usage: check_host_headers.py COMPILER SOURCE_DIR; exits 1 where it does not compile, 77 where there is no such compiler."""

import os
import shutil
import subprocess
import sys
import tempfile

INCLUDES = ("dsl/include", "kernels/include", "runtime/include")


def public_headers(root):
    # split.hpp is what split rules see, and no host; generated code's own are not for hosts either.
    yield "tla/tla.hpp"
    folder = os.path.join(root, "runtime/include/tla/runtime")
    yield from (f"tla/runtime/{name}" for name in sorted(os.listdir(folder)) if name.endswith(".hpp"))


def main():
    compiler, root = sys.argv[1:]
    if not shutil.which(compiler):
        print(f"skipped: there is no {compiler}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "host.cpp")
        with open(source, "w", encoding="utf-8") as out:
            out.writelines(f"#include <{header}>\n" for header in public_headers(root))
            out.write("int main() {\n  tla::runtime::Executor executor({.threads = 1});\n"
                      "  tla::Matrix<double> A(8, 8, 4);\n"
                      "  return executor.threads() - 1 + A.nt() - 2;\n}\n")
        command = [compiler, "-std=c++20", "-Wall", "-Werror", "-Wno-unknown-pragmas", "-fsyntax-only", source]
        command += [f"-I{os.path.join(root, include)}" for include in INCLUDES]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
