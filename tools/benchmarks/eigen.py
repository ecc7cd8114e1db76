"""Eigenvalues, with vectors and without, against the libraries of LAPACK that are there: OpenBLAS and what is installed beside it."""

import os

from benchmarks.common import HETC, algorithm_file, call, machine, measure_limits, median, peer
from benchmarks.libraries import installed

# Least ratios to OpenBLAS on few cores.
BARS = {"heev": 1.0, "heev_values": 1.3}
PEERS = {"heev": ("syevd", "syevr"), "heev_values": ("syevd_values",)}


def ours(algorithm, n, threads, nb, repeat):
    """Seconds of a run: the least of its repetitions, as others may have the machine."""
    return call([HETC, "run", algorithm_file("heev"), "--algorithm", algorithm, "-n", n, "--nb", nb, "--threads", threads,
                 "--repeat", repeat, "--no-check", "--json", "--quiet"])[0]["seconds_min"]


def eigen(options):
    """Each round has hetc and all its peers once: a ratio is one of times that were taken together."""
    threads = os.cpu_count()
    report, core = measure_limits(threads)
    sizes, rounds = ((500, 1000), 3) if options.quick else ((1000, 2000, 4000), 5)
    libraries = [("OpenBLAS", peer)] + [(library.title(), library.run) for library in installed()]
    for algorithm, routines in PEERS.items():
        for n in sizes:
            nb = 96 if n >= 4000 else 64
            times = []
            theirs = {(title, routine): [] for title, _ in libraries for routine in routines}
            for _ in range(rounds):
                times.append(ours(algorithm, n, threads, nb, 1 if n > 2000 else 3))
                for title, run in libraries:
                    for routine in routines:
                        theirs[title, routine].append(run(routine, "-n", n, "--threads", threads, "--repeat", 1)["seconds"])
            for (title, routine), each in theirs.items():
                ratios = [b / a for a, b in zip(times, each)]
                bar = {"bar": BARS[algorithm]} if title == "OpenBLAS" and routine != "syevr" else {}
                report.add(bench=algorithm, type="d", n=n, nb=nb, seconds=median(times), min=min(times), max=max(times),
                           peer=f"{title} d{routine}", peer_seconds=median(each), ratio=median(ratios), **bar)
    return {"machine": machine(threads, core, report.limit), "rows": report.rows}
