"""Kernels of a program's own: the same body in a header and in a .cpp, for this processor and for any."""

import os
import tempfile

from benchmarks.common import HETC, Report, call, machine

BAR = 0.95
FLOPS = "#pragma tla kernel flops(2.0 * A.m() * A.m() * A.n())\n"
HEAD = "template <typename T> void update(tla::ConstTile<T> A, tla::Tile<T> B)"
BODY = """ {
  for (int j = 0; j < B.n(); ++j)
    for (int k = 0; k + 4 <= A.n(); k += 4) {
      const T x = B(k, j), y = B(k + 1, j), z = B(k + 2, j), w = B(k + 3, j);
      for (int i = 0; i < B.m(); ++i)
        B(i, j) = A(i, k) * x + (A(i, k + 1) * y + (A(i, k + 2) * z + (A(i, k + 3) * w + B(i, j))));
    }
}
"""
PROGRAM = """#include "update.hpp"
#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1) input(A : random, B : random)
template <typename T> void updates(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    update(A(i, i), B(i, i));
  }
}
"""


def write(folder, inside):
    """The program with the body in the header, or in the .cpp of the same name."""
    os.mkdir(folder)
    texts = {"update.hpp": f"#pragma once\n#include <tla/tla.hpp>\n{FLOPS}{HEAD}{BODY if inside else ';'}\n", "updates.tla": PROGRAM}
    if not inside:
        texts["update.cpp"] = (f'#include "update.hpp"\n{HEAD}{BODY}'
                               "template void update(tla::ConstTile<double>, tla::Tile<double>);\n")
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    return os.path.join(folder, "updates.tla")


def rate(program, *options):
    """The kernel's rate, in Gflop/s a core."""
    run = call([HETC, "run", program, *options, "-n", 6400, "--nb", 64, "--threads", 1, "--no-check", "--stats", "--json", "--quiet"])
    line = run[0]["statistics"]["classes"][0]
    return line["flops"] / line["seconds"] * 1e-9


def own_kernels(options):
    rounds = 9 if options.quick else 25
    with tempfile.TemporaryDirectory(prefix="hetc-own-") as folder:
        header, separate = write(os.path.join(folder, "header"), True), write(os.path.join(folder, "separate"), False)
        rates = {"in a header": [], "in a .cpp": [], "header, all": [], "header, base": []}
        for _ in range(rounds):
            rates["in a header"].append(rate(header))
            rates["in a .cpp"].append(rate(separate))
            rates["header, all"].append(rate(header, "--march", "all"))
            rates["header, base"].append(rate(header, "--march", "base"))
    report = Report(max(max(each) for each in rates.values()))
    for ours, theirs, bar in (("in a header", "in a .cpp", {"bar": BAR}), ("header, all", "in a .cpp", {}),
                              ("header, base", "in a .cpp", {})):
        # Of many short runs the best: what is slower was disturbed.
        report.compare(ours, 6400, 64, [max(rates[ours])], theirs, [max(rates[theirs])], **bar)
    return {"machine": machine(1, report.limit, report.limit), "rows": report.rows}
