"""One node: hetc against OpenBLAS and the best of all libraries that are installed, what a task costs, and how long a
start takes."""

import os
import tempfile
import time

from benchmarks.common import (BIN, ENV, HETC, algorithm_file, call, hetc, machine, measure_limits, median, peer)
from benchmarks.libraries import installed

# Least ratios to the best library, whichever that is.
OF_THE_BEST = {"cholesky": 1.20, "qr": 1.25, "geqrf": 1.12, "getrf": 1.08, "gemm": 1.02}


def against_openblas(report, algorithm, routine, n, threads, rounds, repeat, m=None):
    """hetc chooses nb, and what else it tunes, in the first run; all rounds use that. Each round has all libraries."""
    size = ["-m", m] if m else []
    chosen = hetc(algorithm, n, "--threads", threads, *size)
    tuned = [f"--set={name}={value}" for name, value in chosen.get("tuned", {}).items()]
    call_of_theirs = (routine, "-n", n, *size, "--threads", threads, "--repeat", repeat)
    others = installed()
    ours, theirs, of_others = [], [], [[] for _ in others]
    for _ in range(rounds):
        ours.append(hetc(algorithm, n, *size, "--nb", chosen["nb"], *tuned, "--threads", threads, "--repeat",
                         repeat)["gflops"])
        theirs.append(peer(*call_of_theirs)["gflops"])
        for library, rates in zip(others, of_others, strict=True):
            rates.append(library.run(*call_of_theirs)["gflops"])
    more = {**({"m": m} if m else {}), **({"tuned": chosen["tuned"]} if tuned else {})}
    report.compare(algorithm, n, chosen["nb"], ours, f"OpenBLAS d{routine}", theirs, **more)
    if others:
        against_best(report, algorithm, n, chosen["nb"], ours,
                     {"OpenBLAS": theirs, **{library.title(): rates for library, rates in zip(others, of_others)}},
                     **more)


def against_best(report, algorithm, n, nb, ours, rates, **more):
    """`rates` by library; the best is that of the largest median."""
    best = max(rates, key=lambda name: median(rates[name]))
    if algorithm in OF_THE_BEST and "m" not in more:
        more["bar"] = OF_THE_BEST[algorithm]
    report.compare(algorithm, n, nb, ours, "best: " + best, rates[best],
                   peer_rates={name: median(each) for name, each in rates.items()}, **more)


def drop_in(report, quick):
    """The library that programs preload, and the one under it: least times of calls in turn."""
    sizes = ["-n", "100", "500", "1000", "2000"] if quick else []
    for row in call([os.path.join(BIN, "drop_in"), "--json", "--repeat", "3", *sizes]):
        report.add(bench="drop-in " + row["routine"], type=row["routine"][0], n=row["n"], seconds=row["seconds"],
                   peer="OpenBLAS", peer_seconds=row["under_seconds"], ratio=row["ratio"])


def scaling(report, n, threads, rounds):
    nb = hetc("cholesky", n, "--threads", threads)["nb"]
    many, one = [], []
    for _ in range(rounds):
        many.append(hetc("cholesky", n, "--nb", nb, "--threads", threads)["gflops"])
        one.append(hetc("cholesky", n, "--nb", nb, "--threads", 1)["gflops"])
    report.compare("scaling", n, nb, many, "one worker", one)


def empty_tasks(report, threads):
    for row in call([os.path.join(BIN, "empty_tasks"), "--json"]):
        if row.get("threads", threads) == threads:
            report.add(**row)


def compile_times(report, rounds):
    """From the start of 'hetc run' to the end of a run that takes no time itself."""
    cold, warm = [], []
    with tempfile.TemporaryDirectory() as directory:
        env = dict(ENV, HETC_CACHE_DIR=directory)
        command = [HETC, "run", algorithm_file("cholesky"), "-n", "64", "--nb", "64", "--no-check",
                   "--quiet"]
        for _ in range(rounds):
            for times, extra in ((cold, ["--fresh"]), (warm, [])):
                begin = time.perf_counter()
                call(command + extra, env)
                times.append(time.perf_counter() - begin)
    for name, times in (("cold compile and start", cold), ("warm start", warm)):
        report.add(bench=name, seconds=median(times), min=min(times), max=max(times))


def one_node(options):
    threads = len(os.sched_getaffinity(0))
    rounds = 2 if options.quick else 5
    sizes = [1000, 2000] if options.quick else [1000, 2000, 4000, 8000]
    report, core = measure_limits(threads)
    top = sizes[-1] if options.quick else 4000
    report.add(bench="OpenBLAS dgemm, one core", n=top, gflops=(one := peer("gemm", "-n", top, "--threads", 1)["gflops"]),
               limit_fraction=one / core)
    report.add(bench="OpenBLAS dgemm, all cores", n=top, gflops=(every := peer("gemm", "-n", top)["gflops"]),
               limit_fraction=every / report.limit)
    for n in sizes:
        against_openblas(report, "cholesky", "potrf", n, threads, rounds if n < 8000 else max(3, rounds - 2), 3)
    for n in sizes:
        against_openblas(report, "gemm", "gemm", n, threads, rounds if n < 8000 else 2, 3 if n < 4000 else 1)
    for n in sizes:
        against_openblas(report, "getrf", "getrf", n, threads, rounds if n < 8000 else max(3, rounds - 2), 3)
    for n in sizes:
        for algorithm in ("geqrf", "qr"):
            against_openblas(report, algorithm, "geqrf", n, threads, rounds if n < 8000 else max(2, rounds - 3), 1)
    tall = (20000 if options.quick else 100000, 200)
    for algorithm in ("qr_tree", "geqrf"):
        against_openblas(report, algorithm, "geqrf", tall[1], threads, rounds, 3, m=tall[0])
    drop_in(report, options.quick)
    scaling(report, sizes[-1], threads, max(2, rounds - 2))
    empty_tasks(report, threads)
    compile_times(report, rounds)
    return {"machine": machine(threads, core, report.limit), "rows": report.rows}
