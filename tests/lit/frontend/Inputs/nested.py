"""A program with much of one thing: nested.py WHAT COUNT."""

import sys

what, count = sys.argv[1], int(sys.argv[2])
TASK = "{\n    #pragma tla task\n    potrf(Lower, A(%s, k));\n  }"
BODIES = {
    "negated": lambda: TASK % ("- " * count + "k"),
    "casts": lambda: TASK % ("(int)" * count + "k"),
    "sum": lambda: TASK % ("k" + " + k" * count),
    "conditions": lambda: "if (k > 0) " * count + TASK % "k",
    "elses": lambda: "if (k > 0) " + TASK % "k" + " else if (k > 1) {}" * count,
    "doubled": lambda: "const int a0 = k;"
    + "".join("const int a%d = a%d + a%d;" % (i, i - 1, i - 1) for i in range(1, count))
    + TASK % ("a%d" % (count - 1)),
}
if what == "table":
    rows = ", ".join("{%d, -%d}" % (i, i) for i in range(count))
    print("constexpr int table[][2] = {%s};" % rows)
    BODIES[what] = lambda: TASK % "k"
print("""#include <tla/tla.hpp>
#pragma tla algorithm input(A : spd)
template <typename T> void nested(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
  %s
  }
}""" % BODIES[what]())
