"""Emulated accelerators: what dealing columns by measured rates, and updates of a product by octal boxes, brings over
dealing columns in turn, against the sum of the rates. The kernels take the host's cores, so the rates are a small part of these: what is measured is the distribution."""

import os
import subprocess

from benchmarks.common import Report, hetc, machine, median, peer

SPEEDS = {"0.1:0.4": [0.1, 0.4], "0.4:0.32:0.2": [0.4, 0.32, 0.2]}
SIZES = {"cholesky": (1840, 40), "getrf_nopiv": (1840, 40), "qr": (1104, 24)} # 46 columns: two rounds of 10:8:5
PRODUCTS = {"0.1:0.2:0.4": [0.1, 0.2, 0.4], "0.4:0.32:0.2": [0.4, 0.32, 0.2]}
LINKS = "0.04:0.02:0.01" # GB/s: a tile of 40 takes a tenth of its product, or more
PRODUCT = (1280, 40)
BAR, BAR_OF_PRODUCTS = 0.90, 1 / 1.15
LONGEST = 90 # seconds of a run, three times what the longest should take, with what is measured and compiled once


def compare(report, algorithm, n, nb, speeds, weights, rounds, links="", **bar):
    rates = (SPEEDS | PRODUCTS)[speeds]
    devices = f"emulated:{len(rates)},speed={speeds}" + (f",bw={links}" if links else "")
    try:
        runs = [hetc(algorithm, n, "--nb", nb, "--devices", devices, *weights, seconds=LONGEST) for _ in range(rounds)]
    except subprocess.TimeoutExpired:
        dealt = weights[-1] if weights else "by rates"
        return report.add(bench=f"{algorithm} {dealt}", missing=f"{speeds}: a run took more than {LONGEST} s")
    gflops, total = [run["gflops"] for run in runs], sum(rates)
    shares = runs[0]["task_shares"]
    dealt = ("octal " + ":".join(f"{share:.3f}" for share in shares[1:]) if shares
             else ":".join(map(str, runs[0]["device_weights"])))
    dealt += f", links {links}" if links else ""
    report.add(bench=f"{algorithm} {dealt}", type="d", n=n, nb=nb, gflops=median(gflops), min=min(gflops), max=max(gflops),
               peer=f"sum of rates {speeds}", peer_gflops=total, ratio=median(gflops) / total, ratio_min=min(gflops) / total,
               ratio_max=max(gflops) / total, limit_fraction=median(gflops) / total, **bar)


def emulated(options):
    threads = os.cpu_count()
    rounds = 1 if options.quick else 3 # of what has a bar; the others take twice as long, and are there to compare with
    report = Report(1)
    for speeds, rates in SPEEDS.items():
        for algorithm in ["cholesky"] if options.quick else SIZES:
            n, nb = SIZES[algorithm]
            compare(report, algorithm, n, nb, speeds, [], rounds, bar=BAR)
            compare(report, algorithm, n, nb, speeds, ["--device-weights", ":".join("1" * len(rates))], 1)
    for speeds, rates in PRODUCTS.items():
        n, nb = PRODUCT
        for links in ["", LINKS]:
            compare(report, "gemm", n, nb, speeds, ["--tasks", "octal"], rounds, links, bar=BAR_OF_PRODUCTS)
            compare(report, "gemm", n, nb, speeds, [], 1, links)
            compare(report, "gemm", n, nb, speeds, ["--device-weights", ":".join("1" * len(rates))], 1, links)
    core = peer("fma", "--threads", 1)["gflops"]
    return {"machine": machine(threads, core, peer("fma", "--threads", threads)["gflops"]), "rows": report.rows}
