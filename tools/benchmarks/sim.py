"""What `hetc sim` says of this machine, calibrated in the same minutes, beside runs on it: times in pairs taken in turn; tasks,
messages and bytes, which must be equal."""

import os
import tempfile
import time

from benchmarks.common import HETC, ROOT, call, execute, median, processor, say

ALGORITHMS = ("cholesky", "getrf", "geqrf", "qr")
LAYOUTS = ((1, 2), (2, 1)) # ranks, workers of each
ROUNDS = 5


def tla(algorithm):
    return os.path.join(ROOT, "algorithms", algorithm + ".tla")


def calibrate(path, cores):
    execute([HETC, "sim", tla("cholesky"), "--calibrate", path, "--threads", cores, "--quiet"])


def measured(algorithm, n, nb, ranks, workers, dist):
    command = ["run", tla(algorithm), "-n", n, "--nb", nb, "--threads", workers, "--json", "--quiet", "--no-check"]
    start = ["mpirun", "-n", ranks, "--bind-to", "none", "--oversubscribe"] if ranks > 1 else []
    return call([*start, HETC, *command, *(["--dist", dist] if ranks > 1 else [])])[0]


def predicted(algorithm, n, nb, ranks, workers, dist, platform, tuned):
    """With what the run's search chose: a message's size may depend on it."""
    chosen = [word for name, value in tuned.items() for word in ("--set", f"{name}={value}")]
    return call([HETC, "sim", tla(algorithm), "-n", n, "--nb", nb, "--threads", workers, "--platform", platform, "--nodes", ranks,
                 "--dist", dist, *chosen, "--json", "--quiet"])[0]


def counts(run):
    return {key: run.get(key) for key in ("tasks", "messages", "bytes")}


def compare(algorithm, n, nb, ranks, workers, rounds):
    """Each round calibrates, runs and predicts."""
    dist = f"row:{ranks}" if algorithm == "qr" and ranks > 1 else f"2dbc:1x{ranks}"
    ratios, ours, theirs, equal = [], [], [], True
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="hetc-sim-") as folder:
            platform = os.path.join(folder, "here.json")
            calibrate(platform, ranks * workers)
            real = measured(algorithm, n, nb, ranks, workers, dist)
            virtual = predicted(algorithm, n, nb, ranks, workers, dist, platform, real["tuned"])
        equal &= counts(virtual) == counts(real)
        ours.append(virtual["seconds"])
        theirs.append(real["seconds"])
        ratios.append(virtual["seconds"] / real["seconds"])
    return {"bench": f"sim of {algorithm}", "type": "d", "n": n, "nb": nb, "ranks": ranks, "workers": workers, "dist": dist,
            "seconds": median(ours), "peer": "measured", "peer_seconds": median(theirs), "ratio": median(ratios),
            "ratio_min": min(ratios), "ratio_max": max(ratios), "counts": counts(virtual), "peer_counts": counts(real),
            "equal": equal}


def sim(options):
    rows = []
    for n in (2000,) if options.quick else (2000, 4000):
        for algorithm in ALGORITHMS:
            for ranks, workers in LAYOUTS:
                rows.append(compare(algorithm, n, 200, ranks, workers, 1 if options.quick else ROUNDS))
                row = rows[-1]
                say(f"  {row['bench']:<16} n = {n:<6} {ranks} x {workers}: {row['seconds']:.3f} s, measured "
                    f"{row['peer_seconds']:.3f} s, ratio {row['ratio']:.3f} ({row['ratio_min']:.3f} .. {row['ratio_max']:.3f}), "
                    f"counts {'equal' if row['equal'] else 'DIFFER'}")
    return {"machine": {"processor": processor(), "date": time.strftime("%Y-%m-%d"), "load": os.getloadavg()}, "rows": rows}
