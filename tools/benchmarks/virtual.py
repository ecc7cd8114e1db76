"""Runs in virtual time on machines that are known by their profiles: what hetc's own choices give there, against the rate of
gemm or what has been published. The figures are as good as the profiles; the decisions and the order of tasks are a run's."""

import time

from benchmarks.common import Report, hetc, processor

# Published, Gflop/s: [Song12] section 7, one node of Keeneland.
KEENELAND = {"cholesky": 750, "qr": 440}
KEENELAND_PEAK = 3 * 304.7 + 12 * 10.0
H200_DGEMM = 56000 # as the profile has it
# Algorithm, n, devices, bar: part of gemm's rate on one device. QR by tiles waits for tsqrt there, and has none.
H200 = (("cholesky", 32000, "", 0.80), ("cholesky", 100000, ",mem=20G", 0.75), ("getrf", 32000, "", 0.65),
        ("geqrf", 32000, "", 0.60), ("qr", 32000, "", None))
SCALING = 100000, 4, 3.5 # n, devices, bar


def add(report, algorithm, n, devices, peer, peer_gflops, limit, *words, **more):
    begin = time.monotonic()
    run = hetc(algorithm, n, "--devices", "profile:" + devices, *words)
    ratio = run["gflops"] / peer_gflops
    report.add(bench=", ".join([algorithm, devices, *words]), type="d", n=n, nb=run["nb"], gflops=run["gflops"], min=run["gflops"],
               max=run["gflops"], peer=peer, peer_gflops=peer_gflops, ratio=ratio, ratio_min=ratio, ratio_max=ratio,
               limit_fraction=run["gflops"] / limit, host_weight=run["host_weight"],
               device_weights=run["device_weights"], threads=run["threads"], seconds=time.monotonic() - begin, **more)
    return run["gflops"]


def virtual(options):
    report = Report(None)
    for algorithm, n, more, bar in H200[:1] if options.quick else H200:
        bars = {} if bar is None else {"bar": bar}
        add(report, algorithm, n, "h200-sxm" + more, "gemm of the device", H200_DGEMM, H200_DGEMM, **bars)
        if not more:
            add(report, algorithm, n, "h200-sxm", "gemm of the device", H200_DGEMM, H200_DGEMM, "--resident", **bars)
    if not options.quick:
        n, devices, bar = SCALING
        one = add(report, "cholesky", n, "h200-sxm", "gemm of the device", H200_DGEMM, H200_DGEMM)
        add(report, "cholesky", n, f"h200-sxm,n={devices}", "one device", one, devices * H200_DGEMM, bar=bar)
    for algorithm, gflops in KEENELAND.items():
        add(report, algorithm, 34560, "keeneland-m2070", "[Song12] Figure 7", gflops, KEENELAND_PEAK)
    return {"machine": {"processor": processor(), "date": time.strftime("%Y-%m-%d")}, "rows": report.rows}
