"""NumPy's solvers in one interpreter with the drop-in LAPACK library and one without, call by call in turn.

usage: PYTHON wheels.py LIBRARY [-n N ...] [--what solve,inv,...] [--pairs P] [--json]
       PYTHON wheels.py --serve   (what the first form runs twice: answers "WHAT N" by seconds)

PYTHON is the interpreter whose NumPy is measured. Prints the least seconds of each, their ratio, which others on the
machine disturb least, and the median of the pairs' ratios: above 1 the drop-in library is the faster."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

WHAT = ("solve", "inv", "cholesky", "qr", "lstsq")


class Problems:
    """The matrices of one size, made once."""

    def __init__(self):
        self.n = None

    def run(self, what, n):
        import numpy as np
        if n != self.n:
            generator = np.random.default_rng(n)
            self.n, self.a, self.b = n, generator.standard_normal((n, n)), generator.standard_normal(n)
            self.spd = (self.a + self.a.T) / 2 + 3 * np.sqrt(n) * np.eye(n)
        calls = {"solve": lambda: np.linalg.solve(self.a, self.b), "inv": lambda: np.linalg.inv(self.a),
                 "cholesky": lambda: np.linalg.cholesky(self.spd), "qr": lambda: np.linalg.qr(self.a),
                 "lstsq": lambda: np.linalg.lstsq(self.a, self.b, rcond=None)}
        repeat = max(1, int(2e7 / n**3))
        begin = time.perf_counter()
        for _ in range(repeat):
            calls[what]()
        return (time.perf_counter() - begin) / repeat


def serve():
    problems = Problems()
    for line in sys.stdin:
        what, n = line.split()
        print(problems.run(what, int(n)), flush=True)


class Worker:
    def __init__(self, **settings):
        self.process = subprocess.Popen([sys.executable, __file__, "--serve"], env={**os.environ, **settings},
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def time(self, what, n):
        self.process.stdin.write(f"{what} {n}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"wheels.py: the process that computes {what} of order {n} ended")
        return float(answer)


def compare(workers, what, n, pairs):
    plain, tiled = [], []
    for pair in range(-1, pairs):  # the first is not counted: tile sizes are searched, threads started
        for worker, seconds in list(zip(workers, (plain, tiled)))[::1 if pair % 2 else -1]:
            measured = worker.time(what, n)
            if pair >= 0:
                seconds.append(measured)
            time.sleep(0.02)  # threads of a BLAS wait actively for a while
    return {"what": what, "n": n, "seconds_plain": min(plain), "seconds_tiled": min(tiled),
            "ratio": min(plain) / min(tiled), "median": statistics.median(p / t for p, t in zip(plain, tiled)),
            "pairs": pairs}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("-n", type=int, nargs="+", default=[50, 100, 200, 300, 500, 1000, 2000, 4000])
    parser.add_argument("--what", default=",".join(WHAT))
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    workers = Worker(), Worker(LD_PRELOAD=arguments.library)
    rows = []
    for what in arguments.what.split(","):
        for n in arguments.n:
            rows.append(compare(workers, what, n, arguments.pairs))
            if not arguments.json:
                row = rows[-1]
                print(f"{what:9s} n={n:<5d} alone {row['seconds_plain']:.6f} s, on tiles {row['seconds_tiled']:.6f} s, "
                      f"ratio {row['ratio']:.2f}, median of pairs {row['median']:.2f}", flush=True)
    if arguments.json:
        print(json.dumps({"rows": rows}))


serve() if sys.argv[1:] == ["--serve"] else main()
