"""Checks for words that the sources may say in one place only, since elsewhere they were a fault: a table of rules, each
with the place where it may stand and what to write instead.

usage: check_words.py SOURCE_DIR; exits 1 and lists every line that breaks a rule."""

import os
import re
import sys

SOURCES = (".cpp", ".hpp", ".h", ".cu", ".cuh")
LIBRARIES = ("dsl", "kernels", "runtime", "c", "lapack")
ALL = LIBRARIES + ("compiler", "tools")

# What is forbidden, in which folders, but not in these files or folders, and why.
RULES = [
    (r"std::(j?thread\b(?!::)|async\b)|\bpthread_create\b|\bllvm::thread\b", ALL, ("dsl/base/thread.", "dsl/base/deep_call."),
     "threads are started by dsl/base/thread.hpp: their stack suffices under any limit"),
    # A tool's own process has no host; the generator of candidates is a tool's.
    (r"std::[io]?(string|f)stream\b", LIBRARIES, ("dsl/base/streams.hpp", "kernels/tuning"),
     "streams are those of dsl/base/streams.hpp: the host's locale does not change their numbers"),
    # Numbers that from_chars() refuses are read by strtod() where files are read, in processes of hetc's own.
    (r"\b(strtod|strtof|strtold|atof|std::sto[fd]|std::stold)\s*\(", LIBRARIES, ("runtime/host/files/line_scanner.cpp",),
     "real numbers are read by parseReal() of dsl/base/text.hpp: it has no locale"),
    (r"\b(f|s|sn|vsn)?printf\s*\(.*%[-+ #0-9.*]*[aefgAEFG]", LIBRARIES, ("dsl/base/text.",),
     "real numbers are written by format() of dsl/base/text.hpp: it has no locale"),
    (r"\bthread_local\b(?!.*(\*|\b(bool|int|Period|List|Message|dim3)\b).*[;={])", LIBRARIES,
     ("kernels/reference/scratch.hpp",),
     "an object of a thread has no destructor: calls come from where it has run (KeptMemory in kernels/reference/scratch.hpp)"),
]


def without_comments(line):
    return re.sub(r"//.*", "", line)


def sources(root, tops):
    for top in tops:
        for path, folders, names in os.walk(os.path.join(root, top)):
            if "Inputs" in folders:
                folders.remove("Inputs")
            for name in sorted(names):
                if name.endswith(SOURCES):
                    yield os.path.relpath(os.path.join(path, name), root)


def main():
    root, errors, files = sys.argv[1], [], 0
    for path in sources(root, ALL):
        files += 1
        with open(os.path.join(root, path), encoding="utf-8") as source:
            for number, line in enumerate(source, 1):
                for pattern, folders, homes, why in RULES:
                    if path.split("/")[0] in folders and not path.startswith(homes) and re.search(
                            pattern, without_comments(line)):
                        errors.append(f"{path}:{number}: {why}")
    print("".join(error + "\n" for error in errors), end="")
    print(f"{files} files, {len(errors)} lines out of place")
    return 1 if errors or files == 0 else 0


sys.exit(main())
