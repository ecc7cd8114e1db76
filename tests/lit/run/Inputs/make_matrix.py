"""Writes small matrix files without numpy: make_matrix.py FILE KIND N [J] [--scale S]

KIND: spd (tridiagonal 4, -1), indefinite (spd, but entry J of the diagonal is -1), nan, inf, rectangular, lower (spd, with NaN above
the diagonal), dense (of no structure, from -1 to 1). FILE ends in .npy or .mtx. All is multiplied by S."""

import struct
import sys


def entry(kind, i, j, where):
    if kind == "dense":
        return ((i * 61 + j + 1) * 2654435761 % 2**32) / 2**31 - 1
    if i == j:
        if i == where:
            return {"indefinite": -1.0, "nan": float("nan"), "inf": float("inf")}.get(kind, 4.0)
        return 4.0
    if kind == "lower" and i < j:
        return float("nan")
    return -1.0 if abs(i - j) == 1 else 0.0


def main():
    scale = 1.0
    if "--scale" in sys.argv:
        scale = float(sys.argv.pop())
        sys.argv.pop()
    path, kind, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
    where = int(sys.argv[4]) - 1 if len(sys.argv) > 4 else -1
    cols = n - 1 if kind == "rectangular" else n
    values = [[scale * entry(kind, i, j, where) for j in range(cols)] for i in range(n)]
    if path.endswith(".mtx"):
        with open(path, "w") as out:
            out.write(f"%%MatrixMarket matrix array real general\n{n} {cols}\n")
            for j in range(cols):
                for i in range(n):
                    out.write(f"{values[i][j]}\n")
        return
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({n}, {cols}), }}".encode()
    header += b" " * ((64 - (len(header) + 11) % 64) % 64) + b"\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        for row in values:
            out.write(struct.pack(f"<{cols}d", *row))


main()
