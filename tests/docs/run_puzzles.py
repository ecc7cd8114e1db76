"""The puzzles' solutions are solutions, and what is none is told.

usage: run_puzzles.py HETC PUZZLES_DIR"""

import os
import re
import subprocess
import sys
import tempfile

hetc, puzzles = sys.argv[1:3]

# Puzzle: a change of its solution, the exit code, and what is said.
MISTAKES = {
    1: [("l == 0 ? T(0) : T(1)", "T(1)", 1, "wrong"), ("l < A.nt()", "l <= A.nt()", 2, "this reads A(0, 1)"),
        ("multiply", "product", 2, "undeclared identifier 'multiply'")],
    4: [("Trans, T(1), A(l, j)", "Trans, T(2), A(l, j)", 1, "wrong")],
    5: [("if (k + 1 < A.mt())", "if (k < A.mt())", 2, "this writes A(1, 0)")],
    8: [("; d *= 2)\n    for (int i = 0; i + d < x.mt(); i += 2 * d)", "; ++d)\n    for (int i = 0; i < 1; ++i)", 1,
         "too many: at most 8"),
        ("geadd(T(1), W(i + d, 0), T(1), W(i, 0))", "geadd(T(1), W(i + d, 0), T(2), W(i, 0))", 1, "wrong")],
    10: [("ttqrt(16, A(i, 0).upper(), A(i + d, 0).upper()", "ttqrt(16, A(i, 0).upper(), A(i, 0).upper()", 2, "ttqrt"),
         ("T(1), A(0, 0), R", "T(3), A(0, 0), R", 1, "wrong")],
}
failures = 0


def judge(number, file, code, *texts):
    global failures
    done = subprocess.run([hetc, "puzzle", str(number), file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != code or not all(text in done.stdout for text in texts):
        failures += 1
        print(f"puzzle {number}, {file}: exit code {done.returncode}, not {code} with {texts}:\n{done.stdout}")


with tempfile.TemporaryDirectory() as folder:
    os.environ["HETC_CACHE_DIR"] = os.path.join(folder, "cache")
    names = sorted(os.listdir(os.path.join(puzzles, "solutions")), key=lambda name: int(re.match(r"\d+", name).group()))
    for name in names:
        judge(int(name.split(".")[0]), os.path.join(puzzles, "solutions", name), 0, "solved")
    for number, mistakes in MISTAKES.items():
        with open(os.path.join(puzzles, "solutions", f"{number}.tla"), encoding="utf-8") as file:
            solution = file.read()
        for old, new, code, text in mistakes:
            assert old in solution, old
            wrong = os.path.join(folder, "wrong.tla")
            with open(wrong, "w", encoding="utf-8") as file:
                file.write(solution.replace(old, new))
            judge(number, wrong, code, text)
    judge(11, os.path.join(puzzles, "solutions", "1.tla"), 2, "there are puzzles 1 to 10")
    judge(1, "none.tla", 2, "none.tla")
print(f"{len(names)} solutions, {sum(map(len, MISTAKES.values()))} mistakes, {failures} wrong")
sys.exit(1 if failures or len(names) != 10 else 0)
