"""Singular values, with vectors and without, against gesdd of the libraries of LAPACK that are there: OpenBLAS and what is installed
beside it."""

import os

from benchmarks.common import HETC, algorithm_file, call, machine, measure_limits, median, peer
from benchmarks.libraries import installed

# Least ratios on few cores, by what is computed: all vectors of square matrices and of tall ones, values alone, a leading part.
BARS = {"gesvd": 1.15, "gesvd tall": 1.5, "gesvd_values": 1.3, "gesvd part": 3.0}


def cases(quick):
    """Yields a name, hetc's algorithm, m, n, count (0: all), and the peer's routine, which has no parts."""
    square, tall, part = ((500, 1000), (3000, 200), 1000) if quick else ((1000, 2000, 4000), (20000, 500), 4000)
    for n in square:
        yield "gesvd", "gesvd", n, n, 0, "gesdd"
        yield "gesvd_values", "gesvd_values", n, n, 0, "gesdd_values"
    yield "gesvd tall", "gesvd", *tall, 0, "gesdd"
    yield "gesvd part", "gesvd", part, part, 50, "gesdd"


def ours(algorithm, m, n, nb, count, threads, repeat):
    """Seconds of a run: the least of its repetitions, as others may have the machine."""
    return call([HETC, "run", algorithm_file("gesvd"), "--algorithm", algorithm, "-m", m, "-n", n, "--nb", nb, "--set", f"count={count}",
                 "--threads", threads, "--repeat", repeat, "--no-check", "--json", "--quiet"])[0]["seconds_min"]


def svd(options):
    """Each round has hetc and all its peers once: a ratio is one of times that were taken together."""
    threads = os.cpu_count()
    report, core = measure_limits(threads)
    libraries = [("OpenBLAS", peer)] + [(library.title(), library.run) for library in installed()]
    for name, algorithm, m, n, count, routine in cases(options.quick):
        nb = 96 if n >= 3000 else 64
        times, theirs = [], {title: [] for title, _ in libraries}
        for _ in range(3):
            times.append(ours(algorithm, m, n, nb, count, threads, 1 if n > 2000 else 3))
            for title, run in libraries:
                theirs[title].append(run(routine, "-m", m, "-n", n, "--threads", threads, "--repeat", 1)["seconds"])
        for title, each in theirs.items():
            report.add(bench=name, type="d", m=m, n=n, nb=nb, seconds=median(times), min=min(times), max=max(times),
                       peer=f"{title} d{routine}", peer_seconds=median(each), ratio=median([b / a for a, b in zip(times, each)]),
                       bar=BARS[name])
    return {"machine": machine(threads, core, report.limit), "rows": report.rows}
