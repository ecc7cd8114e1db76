"""Times hetc itself: processor seconds to compile a program for the first time, which other work of the machine changes little."""

import glob
import os
import resource
import tempfile

from benchmarks.common import HETC, ROOT, Report, execute

BEFORE = os.environ.get("HETC_BEFORE")
ON_NODES = (None, "2dbc:2x1", "2dbc:2x2")


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compile_once(hetc, file, dist):
    """Processor seconds, those of each stage where hetc tells them, and why nodes have no loops (None: they have)."""
    with tempfile.TemporaryDirectory(prefix="hetc-compile-") as folder:
        command = [hetc, file, "--time-stages", "-o", os.path.join(folder, "out")] + (["--dist", dist] if dist else [])
        begin = processor_seconds()
        done = execute(command, dict(os.environ, HETC_CACHE_DIR=folder))
        seconds = processor_seconds() - begin
    stages = {}
    for line in done.stderr.splitlines():
        words = line.split()
        if words[3:4] == ["processors"] and words[0] != "total":
            stages[words[0]] = stages.get(words[0], 0) + float(words[4]) * 1e-3
    replays = [line for line in done.stderr.splitlines() if "in replay mode" in line or "no loops for the nodes" in line]
    return seconds, stages, replays[0] if replays else None


def measure(file, dist, rounds):
    runs, before = [], []
    for _ in range(rounds):
        runs.append(compile_once(HETC, file, dist))
        if BEFORE:
            before.append(compile_once(BEFORE, file, dist)[0])
    least = min(runs, key=lambda run: run[0])  # the work is always the same: what is above was disturbed
    name = os.path.splitext(os.path.basename(file))[0]
    row = {"bench": f"{name}, {dist or 'one node'}", "compiled": name, "dist": dist, "seconds": least[0],
           "min": least[0], "max": max(run[0] for run in runs), "stages": least[1]}
    if dist:
        row["loops"] = least[2] is None
    if BEFORE:
        row.update(peer="before", peer_seconds=min(before), ratio=min(before) / least[0])
    return row


def compilations(options):
    report = Report(None)
    for file in options.files or sorted(glob.glob(os.path.join(ROOT, "algorithms", "*.tla"))):
        for dist in ON_NODES[:2] if options.quick else ON_NODES:
            report.add(**measure(file, dist, 1 if options.quick else 3))
    return {"machine": {"threads": os.cpu_count()}, "rows": report.rows}
