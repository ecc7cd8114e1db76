"""Emulated accelerators: what dealing columns by measured rates, and updates of a product by octal boxes, brings over
dealing columns in turn, and tiles by weights of unequal nodes over equal ones, against the sum of the rates.
The kernels take the host's cores, so the rates are a small part of these: what is measured is the distribution."""

import os
import subprocess

from benchmarks.common import Report, hetc, machine, median, peer
from benchmarks.nodes import RANKS_ENV, launcher

SPEEDS = {"0.1:0.4": [0.1, 0.4], "0.4:0.32:0.2": [0.4, 0.32, 0.2]}
SIZES = {"cholesky": (1840, 40), "getrf_nopiv": (1840, 40), "qr": (1104, 24)} # 46 columns: two rounds of 10:8:5
PRODUCTS = {"0.1:0.2:0.4": [0.1, 0.2, 0.4], "0.4:0.32:0.2": [0.4, 0.32, 0.2]}
LINKS = "0.04:0.02:0.01" # GB/s: a tile of 40 takes a quarter of the time of its product, or more
PRODUCT = (1280, 40)
NODES = {"1:3": 0.1, "1:1:2:4": 0.05} # weights, and the speed of weight 1: each rank has one accelerator
BAR_OF_NODES = 0.88
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


def compare_nodes(report, algorithm, weights, dealt, rounds, **bar):
    """Ranks of unequal speed, tiles in proportion to it, or to `dealt`."""
    n, nb = SIZES[algorithm]
    factors = [float(weight) for weight in weights.split(":")]
    devices = f"emulated:1,speed={NODES[weights]},ranks={weights}"
    try:
        gflops = [hetc(algorithm, n, "--nb", nb, "--devices", devices, "--node-weights", dealt, seconds=LONGEST,
                       launcher=launcher(len(factors)), env=RANKS_ENV)["gflops"] for _ in range(rounds)]
    except subprocess.TimeoutExpired:
        return report.add(bench=f"{algorithm} nodes {dealt}", missing=f"{weights}: a run took more than {LONGEST} s")
    total = sum(factors) * NODES[weights]
    report.add(bench=f"{algorithm} nodes {dealt}", type="d", n=n, nb=nb, gflops=median(gflops), min=min(gflops),
               max=max(gflops), peer=f"sum of rates {weights}", peer_gflops=total, ratio=median(gflops) / total,
               ratio_min=min(gflops) / total, ratio_max=max(gflops) / total, limit_fraction=median(gflops) / total, **bar)


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
    for weights in NODES:
        for algorithm in ["cholesky"] if options.quick else ["cholesky", "getrf_nopiv"]:
            compare_nodes(report, algorithm, weights, weights, rounds, bar=BAR_OF_NODES)
            compare_nodes(report, algorithm, weights, ":".join("1" * len(weights.split(":"))), 1)
    core = peer("fma", "--threads", 1)["gflops"]
    return {"machine": machine(threads, core, peer("fma", "--threads", threads)["gflops"]), "rows": report.rows}
