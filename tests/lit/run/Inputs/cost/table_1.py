"""What hetc counts for the two algorithms of [Song12] beside its Table 1: words and messages of all P nodes, on square
grids and with virtual tiles of v tiles. Words are at most the paper's. Two things make them fewer on small problems: the
chain of QR ends at the last tile, and what is broadcast goes to no node twice. Messages of QR also carry the triangular
factors, which have few words, and the two halves of diagonal tiles.

  table_1.py HETC cholesky.tla qr_flat.tla"""

import json
import math
import subprocess
import sys

hetc, cholesky, qr = sys.argv[1:]


def count(file, tiles, side, v):
    grid = f"2dbc:{side}x{side}" + (f",v={v}" if v > 1 else "")
    done = subprocess.run([hetc, "cost", file, "--tiles", str(tiles), "--nb", "64", "--dist", grid, "--json", "--quiet"],
                          capture_output=True, text=True, check=True)
    cost = json.loads(done.stdout)
    return cost["bytes"] / 8 / 64 ** 2, cost["messages"]


def check(name, tiles, side, v, formula, bounds):
    """The paper's words are its messages times the words of a tile."""
    counted = count(cholesky if name == "cholesky" else qr, tiles, side, v)
    for what, count_of, (low, high) in zip(("words", "messages"), counted, bounds, strict=True):
        ratio = count_of / formula
        print(f"{name} {side}x{side} T={tiles} v={v}: {what} / formula = {ratio:.3f}")
        if not low <= ratio <= high:
            sys.exit(f"outside {low} .. {high}")


for side in (2, 4, 8):
    log = math.log2(side * side)
    for tiles in (24, 48):
        check("cholesky", tiles, side, 1, (log / 4 + 1 / 2) * tiles ** 2 * side, ((0.3, 0.5), (0.3, 0.5)))
        for v in (1, 2, 4):
            low = {2: 0.95, 4: 0.7, 8: 0.45}[side]
            check("qr", tiles, side, v, tiles ** 3 / (3 * v) + log / 4 * tiles ** 2 * side, ((low, 1), (low, 1.3)))
