"""Ranks: hetc against ScaLAPACK on as many, against itself on one, and what the way between ranks costs."""

import os
import tempfile

from benchmarks.common import (BIN, ENV, HETC, algorithm_file, call, execute, hetc, machine, measure_limits, median)

RANKS = 2
BLOCKS = (64, 96, 128, 192)  # that ScaLAPACK may choose from
GRIDS = ("1x2", "2x1")
# Lets root, as in a container, run mpirun at all.
RANKS_ENV = dict(ENV, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def launcher(ranks):
    return ("mpirun", "-n", str(ranks), "--bind-to", "none", *(("--oversubscribe",) if ranks > RANKS else ()))


LAUNCHER = launcher(RANKS)

FACTORIZATIONS = (  # algorithm, routine, n, least ratio to ScaLAPACK, to one rank
    ("cholesky", "potrf", 4000, 1.08, 0.93),
    ("cholesky", "potrf", 8000, 1.08, 0.93),
    ("getrf", "getrf", 4000, 1.0, 0.93),
    ("getrf_tntpiv", "getrf", 4000, None, None),
    ("geqrf", "geqrf", 4000, 1.0, 0.93),
    ("qr", "geqrf", 4000, 1.0, 0.93),
)
# The same grid for both: algorithm, routine, and the least ratio to ScaLAPACK. Four ranks share two cores.
SAME_GRIDS = ("2x1", "2x2")
ON_GRIDS = (("getrf", "getrf", 1.2), ("geqrf", "geqrf", 1.2), ("qr", "geqrf", 1.2))
# Of each, one after the other in one process. The first ones take new memory for other ranks' tiles and are slower; of so
# many they do not move the median.
REPEAT = 11


class ScaLapack:
    """ScaLAPACK with the block size and the grid that are best, searched once for a routine and an order."""

    def __init__(self):
        self.program = os.path.join(BIN, "scalapack_peers")
        self.best = {}

    def missing(self):
        return not os.path.exists(self.program)

    def run(self, routine, n, nb, grid, repeat):
        rows, columns = map(int, grid.split("x"))
        return call([*launcher(rows * columns), self.program, routine, "-n", n, "--nb", nb, "--grid", grid, "--repeat",
                     repeat], RANKS_ENV)[0]

    def choose(self, routine, n, grids=GRIDS):
        """The best pair of nb and grid, and the rates of all."""
        if (routine, n, grids) not in self.best:
            rates = {(nb, grid): self.run(routine, n, nb, grid, 1)["gflops"] for grid in grids for nb in BLOCKS}
            self.best[routine, n, grids] = max(rates, key=rates.get), rates
        return self.best[routine, n, grids]


def bar(least):
    return {} if least is None else {"bar": least}


def factorization(report, scalapack, algorithm, routine, n, least, least_of_one, rounds, repeat):
    """Rounds of: ranks of one worker each, ScaLAPACK, one rank with as many workers. Each with its own tile size."""
    on_ranks = {"launcher": LAUNCHER, "env": RANKS_ENV}
    chosen = hetc(algorithm, n, "--threads", 1, **on_ranks)
    alone = hetc(algorithm, n, "--threads", RANKS)
    (block, grid), rates = (None, None), {}
    if not scalapack.missing():
        (block, grid), rates = scalapack.choose(routine, n)
    ranks, theirs, one = [], [], []
    for _ in range(rounds):
        ranks.append(hetc(algorithm, n, *tiles_of(chosen), "--dist", chosen["dist"], "--threads", 1, "--repeat", repeat,
                          **on_ranks))
        if block:
            theirs.append(scalapack.run(routine, n, block, grid, repeat)["gflops"])
        one.append(hetc(algorithm, n, *tiles_of(alone), "--threads", RANKS, "--repeat", repeat))
    ours = [run["gflops"] for run in ranks]
    name, nb, dist = f"{algorithm}, {RANKS} ranks", chosen["nb"], chosen["dist"]
    if block:
        report.compare(name, n, nb, ours, f"pd{routine} nb {block} {grid}", theirs, dist=dist, peer_nb=block,
                       peer_grid=grid, peer_rates={f"{grid} nb {nb}": rate for (nb, grid), rate in rates.items()},
                       **bar(least))
    else:
        report.add(bench=name, n=n, missing="ScaLAPACK (libscalapack-openmpi-dev) was not there when hetc was built")
    report.compare(name, n, nb, ours, f"one rank nb {alone['nb']}", [run["gflops"] for run in one], dist=dist,
                   peer_nb=alone["nb"], **losses(ranks, one), **bar(least_of_one))


def on_grid(report, scalapack, algorithm, routine, n, grid, least, rounds, repeat):
    """hetc and ScaLAPACK on the same grid of ranks, each with its own tile or block size."""
    if scalapack.missing():
        return
    rows, columns = map(int, grid.split("x"))
    more = ("--dist", f"2dbc:{grid}", "--threads", 1)
    on_ranks = {"launcher": launcher(rows * columns), "env": RANKS_ENV}
    chosen = hetc(algorithm, n, *more, **on_ranks)
    (block, _), rates = scalapack.choose(routine, n, (grid,))
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(hetc(algorithm, n, *tiles_of(chosen), *more, "--repeat", repeat, **on_ranks))
        theirs.append(scalapack.run(routine, n, block, grid, repeat)["gflops"])
    report.compare(f"{algorithm}, grid {grid}", n, chosen["nb"], [run["gflops"] for run in ours],
                   f"pd{routine} nb {block} {grid}", theirs, dist=chosen["dist"], peer_nb=block,
                   generator=ours[0]["generator"], peer_rates={f"nb {nb}": rate for (nb, _), rate in rates.items()},
                   **bar(least))


def losses(ranks, one):
    """Why ranks are not as fast as one rank of as many workers, of the last run of each process, medians: `kernels`: seconds
    in tasks over those of one rank; `uneven`: in tasks of the rank with most over the mean, by what it owns or by a core
    that is slower than the other, which workers of one rank balance; `waits`: the part of its time that the rank with most
    was not in tasks."""
    both = [[rank["busy"] for rank in run["per_rank"]] for run in ranks]
    return {"kernels": median([sum(busy) / run["per_rank"][0]["busy"] for busy, run in zip(both, one)]),
            "uneven": median([RANKS * max(busy) / sum(busy) for busy in both]),
            "waits": median([1 - max(busy) / max(rank["seconds"] for rank in run["per_rank"])
                             for busy, run in zip(both, ranks)])}


def tiles_of(chosen):
    """The choices of a search, for the runs that follow."""
    return ["--nb", chosen["nb"], *(f"--set={name}={value}" for name, value in chosen.get("tuned", {}).items())]


def hops(report, order):
    """A chain of tasks that alternates between two ranks; tiles of order x order travel."""
    limits = {"hop": {"bar": 20e3}} if order == 1 else {}
    for row in call([*LAUNCHER, os.path.join(BIN, "hops"), "--json", "--tile", order], RANKS_ENV):
        report.add(**dict(row, bench=f"{row['bench']}, tile {order} x {order}"), **limits.get(row["bench"], {}))


def idle_courier(report, n, nb, rounds):
    """The rate of one worker with a courier that has nothing to do: two ranks, of which one owns no tile that exists."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as table:
        side = n // nb + 2
        table.write("\n".join(" ".join("01"[i == j == side - 1] for j in range(side)) for i in range(side)) + "\n")
        table.flush()
        with_courier, without = [], []
        for _ in range(rounds):
            with_courier.append(hetc("cholesky", n, "--nb", nb, "--threads", 1, "--repeat", 3, "--dist",
                                     "file:" + table.name, launcher=LAUNCHER, env=RANKS_ENV)["gflops"])
            without.append(hetc("cholesky", n, "--nb", nb, "--threads", 1, "--repeat", 3)["gflops"])
    report.compare("idle courier", n, nb, with_courier, "no courier", without, limit=report.limit / RANKS)


def cholesky_tasks(tiles):
    return tiles * (tiles + 1) * (tiles + 2) // 6


def fake_rank(program, tiles, side):
    """How the rank in the middle of a square grid generates its tasks, alone."""
    ranks = side * side
    return call([program, "--tiles", tiles, "--dist", f"2dbc:{side}x{side}", "--fake-rank", f"{ranks // 2}/{ranks}",
                 "--json", "--quiet"])[0]


def own(run):
    return run["own_tasks"] + run["own_sends"] + run["own_receives"]


def generation(report, directory, tiles, side, rounds, slice_tiles=None):
    """A program compiled for the grid against one that was not. Without `slice_tiles` against a single node that has as
    many tasks; with it against the same rank running all loops, extrapolated from so many tiles."""
    dist = f"2dbc:{side}x{side}"
    special, plain = (os.path.join(directory, name) for name in (f"for{side}", "plain"))
    execute([HETC, algorithm_file("cholesky"), "--dist", dist, "-o", special])
    execute([HETC, algorithm_file("cholesky"), "-o", plain])
    runs, peer_seconds = [], []
    for _ in range(rounds):
        runs.append(fake_rank(special, tiles, side))
        if slice_tiles:
            peer, peer_tiles, peer_side = f"all loops, from {slice_tiles} tiles", slice_tiles, side
            scale = cholesky_tasks(tiles) / cholesky_tasks(slice_tiles)
        else:
            peer_tiles, peer_side = round((6 * own(runs[0])) ** (1 / 3)), 1
            peer = f"one node, {cholesky_tasks(peer_tiles)} tasks"
            scale = own(runs[0]) / cholesky_tasks(peer_tiles)
        peer_seconds.append(scale * fake_rank(plain, peer_tiles, peer_side)["seconds"])
    seconds = [run["seconds"] for run in runs]
    report.add(bench="generation, Cholesky", tiles=tiles, dist=dist, seconds=median(seconds), min=min(seconds),
               max=max(seconds), visited=runs[0]["visited"], own=own(runs[0]),
               visited_per_own=runs[0]["visited"] / own(runs[0]), ns_per_own=1e9 * median(seconds) / own(runs[0]),
               peer=peer, peer_seconds=median(peer_seconds),
               ratio=median([b / a for a, b in zip(seconds, peer_seconds)]))


def specialization_seconds(algorithm, dist):
    """The time that the compiler takes to analyze, and to find each node's own loops or to see that it cannot (exit code 2)."""
    done = execute([HETC, "--emit=nodes", "--dist", dist, "--time-stages", algorithm_file(algorithm)], codes=(0, 2))
    return sum(float(line.split()[1]) * 1e-3 for line in done.stderr.splitlines()
               if line.split()[:1] in (["analyze"], ["specialize"]))


def specialization(report, dist):
    algorithms = sorted(name[:-4] for name in os.listdir(os.path.dirname(algorithm_file(""))) if name.endswith(".tla"))
    times = {algorithm: specialization_seconds(algorithm, dist) for algorithm in algorithms}
    limit = 2.0
    for algorithm in times:
        if times[algorithm] > limit / 2:  # the least of three: the work is always the same, what is above was disturbed
            times[algorithm] = min(times[algorithm], *(specialization_seconds(algorithm, dist) for _ in range(2)))
    slowest = max(times, key=times.get)
    report.add(bench=f"specialization, {dist}", seconds=times[slowest], min=min(times.values()), max=times[slowest],
               slowest=slowest, each=times, bar=limit)


def nodes(options):
    rounds, repeat = (2, 1) if options.quick else (5, REPEAT)
    report, core = measure_limits(RANKS)
    scalapack = ScaLapack()
    for algorithm, routine, n, least, least_of_one in FACTORIZATIONS:
        if not options.quick or n < 8000:
            factorization(report, scalapack, algorithm, routine, 2000 if options.quick else n, least, least_of_one, rounds,
                          repeat)
    for grid in SAME_GRIDS:
        for algorithm, routine, least in ON_GRIDS:
            on_grid(report, scalapack, algorithm, routine, 2000 if options.quick else 4000, grid, least, rounds, repeat)
    for order in (1, 200):
        hops(report, order)
    idle_courier(report, 2000 if options.quick else 4000, 200, rounds)
    with tempfile.TemporaryDirectory() as directory:
        generation(report, directory, 100 if options.quick else 400, 8 if options.quick else 32, rounds)
        if not options.quick:
            generation(report, directory, 1000, 100, 1, slice_tiles=250)
    for dist in ("2dbc:2x3",) if options.quick else ("2dbc:2x2", "2dbc:2x3", "2dbc:32x32", "2dbc:1x2,reflected=0:3",
                                                     "2dbc:2x2,reflected=0:3", "2dbc:2x3,reflected=1:2"):
        specialization(report, dist)
    return {"machine": machine(RANKS, core, report.limit), "rows": report.rows}
