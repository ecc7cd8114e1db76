"""Functions that all benchmarks share: how programs are run, and how rows are kept and shown."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.path.join(ROOT, "build", "release", "bin")
HETC = os.path.join(BIN, "hetc")


# Programs are compiled and tile sizes searched as for a new user.
CACHE = tempfile.TemporaryDirectory(prefix="hetc-bench-")


def environment():
    env = dict(os.environ, HETC_CACHE_DIR=CACHE.name)
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_NUM_THREADS", "HETC_KERNELS"):
        env.pop(name, None)
    return env


ENV = environment()


def execute(arguments, env=None, codes=(0,), seconds=None):
    """Runs a program to its end; an exit code that is not expected ends the benchmark with what the program said. Raises
    subprocess.TimeoutExpired when it takes longer than it may."""
    done = subprocess.run(list(map(str, arguments)), env=env or ENV, capture_output=True, text=True, timeout=seconds)
    if done.returncode not in codes:
        sys.exit(f"bench: {' '.join(map(str, arguments))} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done


def call(arguments, env=None, seconds=None):
    """Runs a program and returns what it prints, as parsed JSON lines."""
    lines = execute(arguments, env, seconds=seconds).stdout.splitlines()
    return [json.loads(line.rstrip(",")) for line in lines if line.startswith("{")]


def say(text):
    print(text, file=sys.stderr, flush=True)



def median(values):
    return statistics.median(values)


class Report:
    """Rows in the order in which they were measured. A row with a "bar" has "met": ratios must reach theirs, times stay
    within theirs."""

    def __init__(self, limit):
        self.rows = []
        self.limit = limit

    def add(self, **row):
        if "bar" in row:
            row["met"] = (row["ratio"] >= row["bar"] if "ratio" in row else
                          next(row[key] for key in ("words_per_n2", "ns", "seconds") if key in row) <= row["bar"])
        self.rows.append(row)
        say("  " + describe(row))

    def compare(self, bench, n, nb, ours, peer, theirs, limit=None, **more):
        ratios = [a / b for a, b in zip(ours, theirs)]
        self.add(bench=bench, type="d", **more, n=n, nb=nb, gflops=median(ours), min=min(ours), max=max(ours), peer=peer,
                 peer_gflops=median(theirs), ratio=median(ratios), ratio_min=min(ratios), ratio_max=max(ratios),
                 limit_fraction=median(ours) / (limit or self.limit))


def describe(row):
    return describe_figures(row) + describe_bar(row)


def describe_bar(row):
    if "bar" not in row:
        return ""
    unit = "" if "ratio" in row else " n^2 words" if "words_per_n2" in row else " ns" if "ns" in row else " s"
    return f"   {'meets' if row['met'] else 'MISSES'} the bar of {row['bar']:g}{unit}"


def describe_figures(row):
    if "missing" in row:
        return f"{row['bench']:<28} not measured: {row['missing']}"
    if "words_per_n2" in row:
        return (f"{row['bench']:<16} {row['tiles']:>4} tiles, {row['dist']:<12} {row['words_per_n2']:7.2f} n^2 words "
                f"(bound {row['bound_per_n2'] or 0:.2f}), {row['messages']:>9} messages, uneven {row['uneven']:.3f}, "
                f"{row['generator']:<6} counted in {row['seconds']:.2f} s, with the compiler {row['first_seconds']:.1f} s")
    if "visited" in row:
        return (f"{row['bench']:<28} {row['tiles']} x {row['tiles']} tiles, {row['dist']}: {row['seconds']:.4f} s "
                f"({row['min']:.4f} .. {row['max']:.4f}), visited / own {row['visited_per_own']:.2f}, "
                f"{row['ns_per_own']:.0f} ns per own instance; {row['peer']} {row['peer_seconds']:.4f} s, "
                f"ratio {row['ratio']:.3f}")
    if "stages" in row:
        most = sorted(row["stages"], key=row["stages"].get, reverse=True)[:4]
        before = f", before {row['peer_seconds']:.2f} s, {row['ratio']:.2f} times as long" if "ratio" in row else ""
        return (f"{row['bench']:<28} {row['seconds']:7.2f} s of processors ("
                + ", ".join(f"{stage} {row['stages'][stage]:.2f}" for stage in most) + ")" + before
                + ("" if row.get("loops", True) else ", no loops"))
    if "peer_seconds" in row:
        return (f"{row['bench']:<16} n = {row['n']:<6} {1e3 * row['seconds']:9.3f} ms   {row['peer']:<16} "
                f"{1e3 * row['peer_seconds']:9.3f} ms   ratio {row['ratio']:.3f}")
    if "ratio" in row and "n" in row:
        size = f"{row['m']} x {row['n']}" if "m" in row else f"n = {row['n']}"
        losses = (f"   kernels x{row['kernels']:.3f}, uneven x{row['uneven']:.3f}, waits {100 * row['waits']:.1f}%"
                  if "waits" in row else "")
        return (f"{row['bench']:<14} {size:<12} nb = {row['nb']:<5} {row['gflops']:7.1f} Gflop/s   "
                f"{row['peer']:<26} {row['peer_gflops']:7.1f}   ratio {row['ratio']:.3f} "
                f"({row['ratio_min']:.3f} .. {row['ratio_max']:.3f})   {100 * row['limit_fraction']:.0f}% of the limit"
                + losses)
    if "gflops" in row:
        return (f"{row['bench']:<28} {row['gflops']:7.1f} Gflop/s" +
                (f"   {100 * row['limit_fraction']:.0f}% of the limit" if "limit_fraction" in row else ""))
    if "ns" in row:
        extra = f", {row['bytes_per_task']:.0f} bytes per task in flight" if row.get("bytes_per_task") else ""
        return f"{row['bench']:<28} {row['ns']:7.1f} ns ({row['min']:.1f} .. {row['max']:.1f}){extra}"
    slowest = f", slowest: {row['slowest']}" if "slowest" in row else ""
    return f"{row['bench']:<28} {row['seconds']:7.3f} s ({row['min']:.3f} .. {row['max']:.3f}){slowest}"


def peer(bench, *arguments, env=None):
    return call([os.path.join(BIN, "peers"), bench, *arguments], dict(ENV, **(env or {})))[0]


def algorithm_file(name):
    return os.path.join(ROOT, "algorithms", name + ".tla")


def hetc(algorithm, n, *arguments, launcher=(), env=None, seconds=None):
    """One run without a check, as its JSON report; `launcher`: what starts it on several ranks."""
    return call([*launcher, HETC, "run", algorithm_file(algorithm), "-n", n, "--no-check", "--json", "--quiet",
                 *arguments], env, seconds)[0]


def measure_limits(threads):
    """The FMA peak of one core and of all threads; the rows that say so stand first. The best of some seconds: for a
    moment a virtual machine's cores may be one of the processor's."""
    def best(count):
        rates = []
        for _ in range(8):
            rates.append(peer("fma", "--threads", count)["gflops"])
            time.sleep(0.5)
        return max(rates)

    core, limit = best(1), best(threads)
    report = Report(limit)
    report.add(bench="FMA peak, one core", gflops=core)
    report.add(bench="FMA peak, all cores", gflops=limit)
    return report, core


def processor():
    with open("/proc/cpuinfo") as info:
        for line in info:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown"


def machine(threads, core, all_cores):
    return {"processor": processor(), "threads": threads, "fma_core_gflops": core, "fma_all_gflops": all_cores,
            "openblas_core": peer("gemm", "-n", 64)["core"], "date": time.strftime("%Y-%m-%d")}
