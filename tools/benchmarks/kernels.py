"""The products of tiles on one core and on all: ours against OpenBLAS and BLIS, and against the FMA limit."""

import glob
import os

from benchmarks.common import BIN, ENV, Report, call, machine

# Debian's packages; BLIS's own choice of code knows this CPU or not, its number 0 is that for AVX-512.
LIBRARIES = {"OpenBLAS": "openblas-pthread/libopenblas.so.0", "BLIS": "blis-pthread/libblis.so.4"}
ENVIRONMENT = dict(ENV, OPENBLAS_NUM_THREADS="1", BLIS_NUM_THREADS="1", BLIS_ARCH_TYPE="0", HETC_KERNELS="tuned")


def found_libraries():
    found = {name: glob.glob(f"/usr/lib/*/{file}") for name, file in LIBRARIES.items()}
    return {name: files[0] for name, files in found.items() if files}


def compare(letter, n, seconds, libraries, *arguments):
    """Rows by library of one run of gemm_peers."""
    options = [word for name, file in libraries.items() for word in ("--library", f"{name}={file}")]
    rows = call([os.path.join(BIN, "gemm_peers"), letter, "-n", n, "--seconds", seconds, *arguments, *options],
                ENVIRONMENT)
    return {row["library"]: row for row in rows}


def add(report, bench, letter, n, rates, bars, **more):
    """One row against the limit, and one against each library; a bar of 0 is none."""
    ours = rates["hetc"]
    row = dict(bench=bench, type=letter, n=n, nb=more.get("nb", n), gflops=ours["median"])
    for peer, theirs in rates.items():
        if peer == "hetc":
            continue
        of_limit = peer == "limit"
        ratio = ours["fraction"] if of_limit else ours["fraction"] / theirs["fraction"]
        spread = [ours["fraction_min"], ours["fraction_max"]] if of_limit else [
            ours["fraction_min"] / theirs["fraction"], ours["fraction_max"] / theirs["fraction"]]
        bar = {"bar": bars[peer]} if peer in bars else {}
        report.add(**row, peer=peer, peer_gflops=theirs["median"], ratio=ratio, ratio_min=spread[0],
                   ratio_max=spread[1], limit_fraction=ours["fraction"], **bar)


def kernels(options):
    seconds = 4 if options.quick else 20
    libraries = found_libraries()
    limits = compare("d", 256, 1, {})
    threads = len(os.sched_getaffinity(0))
    all_cores = compare("d", 256, 1, {}, "--threads", threads)
    report = Report(limits["limit"]["gflops"])
    for name in LIBRARIES:
        if name not in libraries:
            report.add(bench="gemm", missing=f"{name} is not installed (tools/packages.txt)")
    for n in ([1000] if options.quick else [2000, 4000]):
        add(report, "dgemm", "d", n, compare("d", n, seconds, libraries),
            {"limit": 0.93, "BLIS": 1.0, "OpenBLAS": 1.15})
    for letter in "scz":
        n = 1000 if options.quick else 2000
        add(report, letter + "gemm", letter, n, compare(letter, n, seconds, libraries), {"OpenBLAS": 1.05})
    for nb in (128, 192, 256, 320):
        n = 1024 // nb * nb
        add(report, "dgemm of tiles", "d", n, compare("d", n, seconds, libraries, "--tile", nb),
            {"limit": 0.88} if nb == 256 else {}, nb=nb)
    if threads > 1:
        n = 1000 if options.quick else 2000
        one, every = compare("d", n, seconds, {}), compare("d", n, seconds, {}, "--threads", threads)
        report.add(bench=f"dgemm, {threads} cores to one", type="d", n=n, nb=n, gflops=every["hetc"]["median"],
                   peer="one core", peer_gflops=one["hetc"]["median"],
                   ratio=every["hetc"]["median"] / one["hetc"]["median"],
                   ratio_min=every["hetc"]["median"] / one["hetc"]["gflops"],
                   ratio_max=every["hetc"]["gflops"] / one["hetc"]["median"],
                   limit_fraction=every["hetc"]["fraction"], bar=1.95 * threads / 2)
    return {"machine": machine(threads, report.limit, all_cores["limit"]["gflops"]), "rows": report.rows}
