"""Counts the messages of the algorithms on square grids of nodes: no kernel runs."""

import json
import os
import time

from benchmarks.common import HETC, ROOT, Report, algorithm_file, execute, processor

GRIDS = ((4, 40), (10, 100), (32, 160))  # nodes and tiles of a side
# Words / n^2 on 4 x 4 nodes, at most, whatever the number of tiles.
FLAT = {"getrf": 7.5, "getrf_tntpiv": 7.5, "geqrf": 6.5, "qr": 4.4}
FLAT_TILES = (80, 160)


def algorithms():
    return sorted(name[:-4] for name in os.listdir(os.path.join(ROOT, "algorithms")) if name.endswith(".tla"))


def count(algorithm, side, tiles):
    """The report of a count by loops of nodes or, where there are none, by replay, and the seconds that it took the first
    and the second time."""
    command = [HETC, "cost", algorithm_file(algorithm), "--tiles", tiles, "--dist", f"2dbc:{side}x{side}", "--json",
               "--quiet"]
    loops = [*command, "--generator", "nodes"]
    times = []
    for _ in range(2):
        begin = time.monotonic()
        done = execute(loops, codes=(0, 2))
        if done.returncode:
            loops = command
            done = execute(loops)
        times.append(time.monotonic() - begin)
    return json.loads(done.stdout), *times


def add(report, algorithm, side, tiles, **more):
    counted, first, second = count(algorithm, side, tiles)
    n = tiles * counted["tile"]
    flops = [node["flops"] for node in counted["per_node"]]
    bound = counted["lower_bound_bytes"]
    report.add(bench=algorithm, tiles=tiles, dist=counted["dist"], words_per_n2=counted["bytes"] / 8 / n ** 2,
               messages=counted["messages"], uneven=max(flops) * len(flops) / sum(flops),
               bound_per_n2=bound and bound / 8 / n ** 2, generator=counted["generator"], seconds=second,
               first_seconds=first, **more)


def cost(options):
    report = Report(None)
    for side, tiles in ((4, 20),) if options.quick else GRIDS:
        for algorithm in algorithms():
            add(report, algorithm, side, tiles, **({"bar": FLAT[algorithm]} if side == 4 and algorithm in FLAT else {}))
    for tiles in () if options.quick else FLAT_TILES:
        for algorithm, bar in FLAT.items():
            add(report, algorithm, 4, tiles, bar=bar)
    return {"machine": {"processor": processor(), "date": time.strftime("%Y-%m-%d")}, "rows": report.rows}
