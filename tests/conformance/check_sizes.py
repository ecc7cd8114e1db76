"""How long a source may be, and how full a folder: 400 lines, 40 sources.

LONG and FULL list what is larger and waits to be split, with what it may have at most: a limit that only falls.

usage: check_sizes.py SOURCE_DIR [LINES FILES]; other limits than 400 and 40. Exits 1 and lists what is larger."""

import os
import sys

TOP = ("dsl", "kernels", "runtime", "compiler", "lapack", "c", "tools", "tests")
SOURCES = (".cpp", ".hpp", ".h", ".cu", ".cuh")
LINES, FILES = (int(number) for number in sys.argv[2:4] or (400, 40))

LONG = {
    "tests/unit/lapack/lapack_test.cpp": 587,
}

FULL = {}


def main():
    root, errors, count = sys.argv[1], [], 0
    for top in TOP:
        for path, folders, names in os.walk(os.path.join(root, top)):
            folders[:] = [each for each in folders if each != "Inputs"]
            folder = os.path.relpath(path, root)
            own = sorted(name for name in names if name.endswith(SOURCES))
            count += len(own)
            most = FULL.get(folder, FILES)
            if len(own) > most:
                errors.append(f"{folder}: {len(own)} sources, more than {most}: make rooms in it")
            for name in own:
                file = f"{folder}/{name}"
                with open(os.path.join(path, name), encoding="utf-8") as source:
                    lines = sum(1 for _ in source)
                most = LONG.get(file, LINES)
                if lines > most:
                    errors.append(f"{file}: {lines} lines, more than {most}: split it by subject")
    print("".join(error + "\n" for error in errors), end="")
    print(f"{count} sources, {len(errors)} sizes out of place")
    return 1 if errors or count == 0 else 0


sys.exit(main())
