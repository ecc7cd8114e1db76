"""Compares the predictions of `hetc sim` for this machine, calibrated in the same minutes, with runs on it: times in
pairs taken in turn; tasks, messages and bytes, which must be equal; and the most memory of others' tiles on a node, which
in a run depends on when tasks end, and is within what `hetc cost` says."""

import os
import tempfile
import time

from benchmarks.common import HETC, ROOT, call, execute, median, processor, say

ALGORITHMS = ("cholesky", "getrf", "geqrf", "qr")
LAYOUTS = ((1, 2), (2, 1)) # ranks, workers of each
ROUNDS = 5


def tla(algorithm):
    return os.path.join(ROOT, "algorithms", algorithm + ".tla")


def calibrate(path, cores, nb):
    execute([HETC, "sim", tla("cholesky"), "--calibrate", path, "--threads", cores, "--nb", nb, "--watch", 0, "--quiet"])


def measured(algorithm, n, nb, ranks, workers, dist):
    command = ["run", tla(algorithm), "-n", n, "--nb", nb, "--threads", workers, "--json", "--quiet", "--no-check"]
    start = ["mpirun", "-n", ranks, "--bind-to", "none", "--oversubscribe"] if ranks > 1 else []
    return call([*start, HETC, *command, *(["--dist", dist] if ranks > 1 else [])])[0]


def predicted(algorithm, n, nb, ranks, workers, dist, platform, tuned):
    """The prediction with the choices of the run's search: a message's size may depend on it."""
    chosen = [word for name, value in tuned.items() for word in ("--set", f"{name}={value}")]
    return call([HETC, "sim", tla(algorithm), "-n", n, "--nb", nb, "--threads", workers, "--platform", platform, "--nodes", ranks,
                 "--dist", dist, *chosen, "--json", "--quiet"])[0]


def counts(run):
    return {key: run.get(key) for key in ("tasks", "messages", "bytes")}


def foreign(run):
    """Bytes of others' tiles on the node with most, at one time."""
    nodes = run.get("per_node") or run.get("per_rank") or []
    return max((node["foreign_bytes"] for node in nodes), default=0)


def bound(algorithm, n, nb, ranks, dist, tuned):
    chosen = [word for name, value in tuned.items() for word in ("--set", f"{name}={value}")]
    if ranks == 1:
        return 0
    return call([HETC, "cost", tla(algorithm), "-n", n, "--nb", nb, "--dist", dist, *chosen, "--json", "--quiet"])[0]["memory_bytes"]


def distribution(algorithm, ranks):
    return f"row:{ranks}" if algorithm == "qr" and ranks > 1 else f"2dbc:1x{ranks}"


class Pairs:
    """A row for one algorithm on so many ranks: the middle of three runs beside what is predicted, once a round."""
    def __init__(self, algorithm, n, nb, ranks, workers):
        self.case = (algorithm, n, nb, ranks, workers, distribution(algorithm, ranks))
        self.ours, self.theirs, self.memory, self.equal = [], [], [], True

    def add(self, platform):
        runs = sorted((measured(*self.case) for _ in range(3)), key=lambda run: run["seconds"])
        real = runs[1]
        virtual = predicted(*self.case, platform, real["tuned"])
        algorithm, n, nb, ranks, _, dist = self.case
        self.memory.append((foreign(virtual), max(map(foreign, runs)), bound(algorithm, n, nb, ranks, dist, real["tuned"])))
        self.equal &= counts(virtual) == counts(real) and max(self.memory[-1]) <= self.memory[-1][2]
        self.ours.append(virtual["seconds"])
        self.theirs.append(real["seconds"])
        self.counts = counts(virtual)

    def row(self):
        algorithm, n, nb, ranks, workers, dist = self.case
        ratios = [ours / theirs for ours, theirs in zip(self.ours, self.theirs)]
        return {"bench": f"sim of {algorithm}", "type": "d", "n": n, "nb": nb, "ranks": ranks, "workers": workers, "dist": dist,
                "seconds": median(self.ours), "peer": "measured", "peer_seconds": median(self.theirs), "ratio": median(ratios),
                "ratio_min": min(ratios), "ratio_max": max(ratios), "counts": self.counts, "equal": self.equal,
                "foreign_bytes": max(one for one, _, _ in self.memory),
                "peer_foreign_bytes": max(one for _, one, _ in self.memory), "foreign_bytes_bound": self.memory[0][2]}


def sim(options):
    """Each round calibrates, and then runs and predicts everything of one size."""
    rows = []
    for n in (2000,) if options.quick else (2000, 4000, 8000):
        pairs = [Pairs(algorithm, n, 200, *layout) for algorithm in ALGORITHMS for layout in LAYOUTS]
        for _ in range(1 if options.quick else ROUNDS):
            with tempfile.TemporaryDirectory(prefix="hetc-sim-") as folder:
                platform = os.path.join(folder, "here.json")
                for pair in pairs:
                    if pair is pairs[0] or n >= 8000: # within the minute
                        calibrate(platform, 2, 200)
                    pair.add(platform)
        for row in (pair.row() for pair in pairs):
            rows.append(row)
            say(f"  {row['bench']:<16} n = {n:<6} {row['ranks']} x {row['workers']}: {row['seconds']:.3f} s, measured "
                f"{row['peer_seconds']:.3f} s, ratio {row['ratio']:.3f} ({row['ratio_min']:.3f} .. {row['ratio_max']:.3f}), "
                f"counts {'equal' if row['equal'] else 'DIFFER'}, MB of others' tiles {row['foreign_bytes'] * 1e-6:.1f}, "
                f"measured {row['peer_foreign_bytes'] * 1e-6:.1f}, at most {row['foreign_bytes_bound'] * 1e-6:.1f}")
    return {"machine": {"processor": processor(), "date": time.strftime("%Y-%m-%d"), "load": os.getloadavg()}, "rows": rows}
