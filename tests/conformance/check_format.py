"""All sources are as clang-format writes them (.clang-format).

usage: check_format.py CLANG_FORMAT SOURCE_DIR; exits 1 and names the first line of each file that differs."""

import concurrent.futures
import os
import re
import subprocess
import sys

SOURCES = (".cpp", ".hpp", ".h", ".cu", ".cuh")
# What pages of docs/ show is set for their width.
FOLDERS = ("algorithms", "c", "compiler", "dsl", "kernels", "lapack", "runtime", "tests", "tools")
FILES_A_CALL = 60


def sources(root):
    for folder in FOLDERS:
        for path, folders, names in os.walk(os.path.join(root, folder)):
            # Inputs of tests are wrong on purpose, or stand as their authors left them.
            folders[:] = sorted(each for each in folders if each not in ("Inputs", "build", "__pycache__"))
            yield from (os.path.join(path, name) for name in sorted(names) if name.endswith(SOURCES))


def differences(clang_format, files):
    """Pairs of a file and its first line that differs."""
    run = subprocess.run([clang_format, "--dry-run", *files], stderr=subprocess.PIPE, text=True, check=False)
    found = {}
    for file, line in re.findall(r"^(.+?):(\d+):\d+: (?:warning|error): ", run.stderr, re.MULTILINE):
        found.setdefault(file, line)
    if run.returncode and not found:
        sys.exit(f"{clang_format} has failed: {run.stderr.strip()}")
    return list(found.items())


def main():
    clang_format, root = sys.argv[1:]
    files = list(sources(root))
    calls = [files[begin:begin + FILES_A_CALL] for begin in range(0, len(files), FILES_A_CALL)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [pair for pairs in pool.map(lambda call: differences(clang_format, call), calls) for pair in pairs]
    for file, line in found:
        name = os.path.relpath(file, root)
        print(f"{name}:{line}: clang-format writes this otherwise; 'clang-format -i {name}' puts it right")
    print(f"{len(files)} files, {len(found)} out of place")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
