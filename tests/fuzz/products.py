#!/usr/bin/env python3
"""Products at random, whose updates are dealt to the host and emulated accelerators (--tasks octal), against the plain
programs: other loop orders, conditions, scalars of the loops, tasks beside the step's loop, workspaces, vectors, with
shares, memories and sizes at random. hetc's own validation looks at each before it runs; what is compared here is what
ran on devices, with what was counted for it.

  products.py HETC [--cases N] [--seed S] [--keep DIR]

Prints what fails with the program's file; exits 1 where something did, or nothing was dealt."""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy


def condition(draw):
    return draw.choice([""] * 6 + ["k <= i", "i != j", "k % 2 == 0", "i < C.mt()", "k != 0", "j <= i && k < 3"])


def update(draw, source):
    """A call that adds op(A) op(B) to C(i, j)."""
    transposed = draw.random() < 0.3
    A = f"{'A' if transposed else source}({'k, i' if transposed else 'i, k'})"
    if transposed:
        A = "At(k, i)"
    B, op = draw.choice([("B(k, j)", "NoTrans"), ("Bt(j, k)", "Trans")])
    alpha = draw.choice(["T(1)", "T(-2)", "k % 2 == 0 ? T(1) : T(3)", "i == j ? T(2) : T(1)", "alpha"])
    beta = draw.choice(["T(1)"] * 4 + ["k == 0 ? T(0) : T(1)", "k == 0 ? beta : T(1)"])
    return f"gemm({'Trans' if transposed else 'NoTrans'}, {op}, {alpha}, {A}, {B}, {beta}, C(i, j));"


def program(draw):
    """The text, or that of a product with a vector."""
    vector = draw.random() < 0.15
    order = draw.choice(["ijk", "jik", "kij", "ikj", "jki", "kji"])
    workspace = draw.random() < 0.3
    body = []
    for _ in range(draw.choice([1, 1, 1, 2])):
        test = condition(draw)
        call = update(draw, "W" if workspace else "A")
        body.append((f"if ({test}) {{\n" if test else "{\n") + f"#pragma tla task\n{call}\n}}")
    ends = {"i": draw.choice(["C.mt()", "C.mt()", "A.mt()"]), "j": draw.choice(["C.nt()", "B.nt()"]), "k": "A.nt()"}
    if vector:
        order = order.replace("j", "")
        body = [part.replace("(i, j)", "(i, 0)").replace("(k, j)", "(k, 0)").replace("(j, k)", "(0, k)")
                .replace("i == j", "i == 1").replace("i != j", "i != 1").replace("j <= i", "1 <= i") for part in body]
    text = "\n".join(body)
    for depth, name in enumerate(reversed(order)):
        if depth == 1 and order[-1] == "k" and draw.random() < 0.4:
            beside = f"{{\n#pragma tla task\nscal(T({draw.choice([2, -1])}), C(i, {0 if vector else 'j'}));\n}}"
            text = beside + "\n" + text if draw.random() < 0.5 else text + "\n" + beside
        text = f"for (int {name} = 0; {name} < {ends[name]}; ++{name}) {{\n{text}\n}}"
    before = ("tla::Workspace<T> W(A.m(), A.n(), A.nb());\n"
              "for (int i = 0; i < A.mt(); ++i)\nfor (int k = 0; k < A.nt(); ++k) {\n#pragma tla task\nlaset(T(0), T(0), W(i, k));\n#pragma tla task\ngeadd(T(3), A(i, k), T(1), W(i, k));\n}\n"
              if workspace else "")
    columns = "1" if vector else "n"
    return f"""#include <tla/tla.hpp>
#pragma tla algorithm shape(A(m, k), At(k, m), B(k, {columns}), Bt({columns}, k), C(m, {columns})) default(alpha : -0.5, beta : 2) \\
    input(A : random, At : random, B : random, Bt : random, C : random)
template <typename T>
void product(T alpha, T beta, tla::Matrix<T> A, tla::Matrix<T> At, tla::Matrix<T> B, tla::Matrix<T> Bt, tla::Matrix<T> C) {{
{before}{text}
}}
"""


class Case:
    def __init__(self, hetc, draw, folder, number):
        self.hetc, self.draw, self.number = hetc, draw, number
        self.file = os.path.join(folder, f"product{number}.tla")
        self.paths = [os.path.join(folder, f"{name}{number}") for name in ("octal", "plain")]
        with open(self.file, "w") as source:
            source.write(program(draw))

    def say(self, text):
        print(f"{self.file}: {text}", flush=True)
        return False

    def run(self):
        """Returns whether all was right; None where hetc says why it deals nothing."""
        for path, tasks in zip(self.paths, ("octal", "owner")):
            made = subprocess.run([self.hetc, self.file, "--tasks", tasks, "-o", path], capture_output=True, text=True)
            if made.returncode and "a task map deals the updates of products" in made.stderr:
                return None
            if made.returncode:
                return self.say(f"--tasks {tasks}: exit {made.returncode}\n{made.stderr}")
        return all(self.compare() for _ in range(3))

    def compare(self):
        draw = self.draw
        sizes = [str(word) for size in "mnk" for word in (f"-{size}", draw.choice([0, 1, 5, 17, 40, 64, 73]))]
        if " 1)" in open(self.file).read().split("input")[0]:
            sizes = sizes[:2] + sizes[4:] # a vector has no n
        count = draw.choice([1, 2, 3])
        weights = ":".join(str(draw.randint(1, 9)) for _ in range(count))
        memory = draw.choice(["", "", ",mem=40K", ",mem=16K"])
        common = sizes + ["--nb", str(draw.choice([8, 16])), "--seed", str(draw.randint(1, 999)), "--quiet"]
        devices = ["--devices", f"emulated:{count}{memory}", "--device-weights", weights]
        outputs = [path + ".npy" for path in self.paths]
        done = [subprocess.run([path, *common, *more, "--no-check", "--output", f"C={output}"], capture_output=True, text=True)
                for path, more, output in zip(self.paths, (devices + ["--json", self.paths[0] + ".json"], []), outputs)]
        where = " ".join(common + devices)
        if any(run.returncode for run in done):
            return self.say(f"{where}: exits {[run.returncode for run in done]}\n{done[0].stderr}{done[1].stderr}")
        octal, plain = map(numpy.load, outputs)
        if not numpy.allclose(octal, plain, rtol=1e-11, atol=1e-11 * max(1, numpy.abs(plain).max(initial=0))):
            return self.say(f"{where}: results differ by {numpy.abs(octal - plain).max()}")
        counted = subprocess.run([self.paths[0], "cost", *common, *devices, "--json"], capture_output=True, text=True)
        keys = ("tasks", "bytes_in", "bytes_out", "bytes_peer")
        with open(self.paths[0] + ".json") as report:
            ran = [[device[key] for key in keys] for device in json.load(report)["devices"]]
        if counted.returncode:
            return self.say(f"{where}: cost exits {counted.returncode}\n{counted.stderr}")
        said = [[device[key] for key in keys] for device in json.loads(counted.stdout)["per_node"][0]["devices"]]
        return ran == said or self.say(f"{where}: ran {ran}, counted {said}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("hetc")
    parser.add_argument("--cases", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="where programs stay")
    arguments = parser.parse_args()
    dealt = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.cases):
            case = Case(arguments.hetc, random.Random(arguments.seed * 100_000 + number), arguments.keep or folder, number)
            right = case.run()
            dealt += right is not None
            failed += right is False
    print(f"{arguments.cases} programs, {dealt} dealt, {failed} failed")
    return 1 if failed or not dealt else 0


if __name__ == "__main__":
    sys.exit(main())
