#!/usr/bin/env python3
"""Programs on several ranks of this machine, started by mpirun.

  check_ranks.py --mpiexec MPIEXEC --hetc HETC --algorithms DIR [--ranks N] [TEST ...]

Of the tests, Programs runs every algorithm on N ranks; the others say their ranks themselves.
"""

import argparse
import filecmp
import glob
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

options = None
folder = None


def environment():
    """Ranks that wait give their core to the others; the rest lets root, as in a container, run mpirun at all."""
    return dict(os.environ, HETC_CACHE_DIR=os.path.join(folder, "cache"), OMPI_MCA_mpi_yield_when_idle="1",
                OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def path(name):
    return os.path.join(folder, name)


def hetc_run(name, *arguments):
    return [options.hetc, "run", os.path.join(options.algorithms, name + ".tla"), *map(str, arguments)]


def mpirun(ranks, *commands):
    """Several commands: as many ranks each, with different arguments."""
    line = [options.mpiexec, "--oversubscribe", "--bind-to", "none"]
    for command in commands:
        line += (["-n", str(ranks)] if command is commands[0] else [":", "-n", str(ranks)]) + command
    return line


class Result:
    def __init__(self, line):
        done = subprocess.run(line, capture_output=True, text=True, env=environment(), timeout=200)
        self.line, self.code, self.out, self.err = " ".join(line), done.returncode, done.stdout, done.stderr

    def __str__(self):
        return f"{self.line}: exit {self.code}\n{self.err}{self.out}"

    def errors(self):
        return [line for line in self.err.splitlines() if line.startswith("hetc: ") and "warning" not in line]

    def json(self):
        return json.loads(self.out)


def write_npy(file, rows):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    header += " " * (64 - (10 + len(header) + 1) % 64) + "\n"
    with open(file, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for row in rows:
            out.write(struct.pack(f"<{len(row)}d", *row))


def content(file):
    with open(file, "rb") as bytes_of:
        return bytes_of.read()


def diagonal(n, value=4.0):
    return [[value if i == j else 0.0 for j in range(n)] for i in range(n)]


class Case(unittest.TestCase):
    def run_ranks(self, ranks, name, *arguments, code=0):
        result = Result(mpirun(ranks, hetc_run(name, *arguments)))
        self.assertEqual(result.code, code, result)
        return result

    def expect_error(self, result, code, pattern):
        """Said once, and by no rank but the first."""
        self.assertEqual(result.code, code, result)
        self.assertEqual(len(result.errors()), 1, result)
        self.assertRegex(result.errors()[0], pattern)


class Predicted(Case):
    """Algorithms at sizes of their own, and what hetc cost says of them."""
    sizes = {"gemm": ["-m", 101, "-n", 53, "-k", 67], "symm": ["-m", 71, "-n", 53], "trmm": ["-m", 71, "-n", 53],
             "trsm": ["-m", 71, "-n", 53], "syrk": ["-n", 71, "-k", 53]}

    def expect_predicted(self, name, sizes, letter, result):
        """The counts of hetc cost for the distribution of the run are those of the run."""
        file = os.path.join(options.algorithms, name + ".tla")
        cost = Result([options.hetc, "cost", file, *map(str, sizes), "--nb", "16", "--type", letter,
                       "--dist", result["dist"], "--json"]).json()
        for key in ("tasks", "messages", "bytes"):
            self.assertEqual(result[key], cost[key], key)
        for rank, node in zip(result["per_rank"], cost["per_node"], strict=True):
            for key in ("tasks", "messages", "bytes", "received", "received_bytes"):
                self.assertEqual(rank[key], node[key], key)


class Programs(Predicted):
    """Every algorithm, judged by its check, with as many tasks as on one rank."""
    # What they do depends on how tiles repeat over nodes, and for some grids there are no loops.
    asking = ("bdsdc", "ge2gb", "geqrf", "gels", "gesv", "gesvd", "getrf", "getrf_tntpiv", "hb2st", "he2hb", "heev", "hegv", "qr", "qr_tree", "stedc")
    rectangular = ("ge2gb", "geqrf", "gesvd", "getrf", "getrf_nopiv", "getrf_tntpiv", "qr", "qr_tree", "gels")

    def test_algorithms(self):
        names = sorted(file[:-4] for file in os.listdir(options.algorithms) if file.endswith(".tla"))
        if options.programs:
            names = options.programs.split(",")
        elif options.ranks in (2, 3):  # one half each: most of the time goes into compiling
            names = names[options.ranks - 2::2]
        for name in names:
            sizes = self.sizes.get(name, ["-m", 133, "-n", 91] if name in self.rectangular else ["-n", 119])
            both = ("qr",) if options.ranks == 4 else ("cholesky", "getrf", "qr")
            for letter in ("d", "z") if name in both else ("d",):
                with self.subTest(algorithm=name, type=letter):
                    common = [*sizes, "--nb", 16, "--type", letter, "--json", "--quiet"]
                    result = self.run_ranks(options.ranks, name, *common).json()
                    alone = Result(hetc_run(name, *common)).json()
                    self.assertEqual(result["ranks"], options.ranks)
                    self.assertTrue(result["passed"])
                    if name not in self.asking:
                        self.assertEqual(result["tasks"], alone["tasks"])
                    self.assertEqual(len(result["per_rank"]), options.ranks)
                    if name not in self.asking:
                        self.assertEqual(result["generator"], "nodes")
                    for total, part in (("tasks", "tasks"), ("messages", "messages"), ("bytes", "bytes"),
                                        ("messages", "received"), ("bytes", "received_bytes")):
                        self.assertEqual(result[total], sum(rank[part] for rank in result["per_rank"]), part)
                    self.assertGreater(result["messages"], 0)
                    self.expect_predicted(name, sizes, letter, result)

    def test_distributions(self):
        n = options.ranks
        table = path("table.txt")
        with open(table, "w") as out:
            for row in ([*range(n), n - 1], [*reversed(range(n)), 0]):
                out.write(" ".join(map(str, row)) + "\n")
        specs = [f"2dbc:{n}x1", f"2dbc:1x{n}", f"2dbc:{n}x1,v=2", f"row:{n}", f"file:{table}"]
        if n == 3:
            specs.append("sbc:3")
        for spec in specs:
            for name in ("cholesky", "getrf", "qr"):
                with self.subTest(spec=spec, algorithm=name):
                    result = self.run_ranks(n, name, "-n", 93, "--nb", 8, "--dist", spec, "--json", "--quiet").json()
                    self.assertTrue(result["passed"])
                    self.assertIn("2dbc" if spec.startswith("row") else spec.split(":")[0], result["dist"])

    def test_node_weights(self):
        """Tiles by the speeds of nodes: the bits of one rank, and what hetc cost says."""
        n = options.ranks
        if n not in (2, 4):
            self.skipTest("two and four nodes")
        weights = {2: "1:3", 4: "1:1:2:4"}[n]
        for name, period in [("cholesky", [])] if n == 2 else [("getrf", ["--period", "4x2"])]:
            with self.subTest(algorithm=name):
                common = ["-n", 119, "--nb", 16, "--json", "--quiet", *period]
                files = [path(f"{name}_one.npy"), path(f"{name}_many.npy")]
                result = self.run_ranks(n, name, *common, "--node-weights", weights, "--output", f"A={files[1]}").json()
                Result(hetc_run(name, *common, "--output", f"A={files[0]}")).json()
                self.assertEqual(result["dist"].split(",")[0], f"weighted:{weights}")
                flops = [rank["flops"] for rank in result["per_rank"]]
                self.assertGreater(max(flops), 1.3 * min(flops))
                self.expect_predicted(name, ["-n", 119], "d", result)
                self.assertTrue(filecmp.cmp(*files, shallow=False))

    def test_eigenvectors(self):
        """A grid of 2 x 2 has the bits of one rank with the same period."""
        if options.ranks != 4:
            self.skipTest("four ranks")
        files = {}
        for name in ("many", "one"):
            files[name] = [path(f"{name}_{matrix}.npy") for matrix in "wZ"]
            common = ["-n", 119, "--nb", 16, "--json", "--quiet", *(f"--output={matrix}={file}" for matrix, file in zip("wZ", files[name]))]
            if name == "many":
                self.assertTrue(self.run_ranks(4, "heev", *common, "--dist", "2dbc:2x2").json()["passed"])
            else:
                Result(hetc_run("heev", *common, "--period", "2x2")).json()
        for many, one in zip(files["many"], files["one"]):
            self.assertTrue(filecmp.cmp(many, one, shallow=False))

    def test_exact_check(self):
        for name in ("cholesky", "getrf", "qr"):
            result = self.run_ranks(options.ranks, name, "-n", 53, "--nb", 16, "--check=full", "--json", "--quiet")
            result = result.json()
            self.assertTrue(result["passed"])

    def test_small(self):
        """Fewer tiles than ranks, and none."""
        for n in (0, 1, 17):
            result = self.run_ranks(options.ranks, "posv", "-n", n, "-k", 1, "--nb", 16, "--json", "--quiet").json()
            self.assertTrue(result["passed"])


class Counts(Case):
    """Compares the predictions of hetc cost, and the reports of runs, with the messages that MPI itself
    was asked to send. Each run takes a compilation."""
    sizes = {"gemm": ["-m", 150, "-n", 110, "-k", 70], "syrk": ["-n", 130, "-k", 60],
             "trsm": ["-m", 130, "-n", 110], "cholesky": ["-n", 170], "posv": ["-n", 130, "-k", 20],
             "getrf": ["-m", 170, "-n", 130], "qr": ["-m", 170, "-n", 130]}

    def grids(self, ranks, turn):
        """All for cholesky; of the others one in turn."""
        grids = [f"2dbc:{p}x{ranks // p}" for p in range(1, ranks + 1) if ranks % p == 0]
        return grids if turn is None else [grids[turn % len(grids)]]

    def counted(self, ranks, name, *arguments):
        file = path("count")
        for rank in range(ranks):
            if os.path.exists(f"{file}.{rank}"):
                os.remove(f"{file}.{rank}")
        line = mpirun(ranks, ["env", f"LD_PRELOAD={options.message_count}", f"TLA_MESSAGE_COUNT={file}",
                              *hetc_run(name, *arguments)])
        result = Result(line)
        self.assertEqual(result.code, 0, result)
        return result.json(), [json.loads(content(f"{file}.{rank}")) for rank in range(ranks)]

    def test_against_mpi(self):
        delegated = 0
        for turn, (name, sizes) in enumerate(self.sizes.items()):
            for ranks in (2, 3, 4, 6) if name == "cholesky" else range(2 + turn % 2, 9, 2):
                for grid in self.grids(ranks, None if name == "cholesky" else turn + ranks):
                    with self.subTest(algorithm=name, grid=grid):
                        delegated += self.compare(ranks, name, grid, [*sizes, "--nb", 16])
        self.assertGreater(delegated, 0)

    def compare(self, ranks, name, grid, sizes):
        """How many messages were delegated."""
        file = os.path.join(options.algorithms, name + ".tla")
        cost = Result([options.hetc, "cost", file, *map(str, sizes), "--dist", grid, "--json"]).json()
        # Checks of QR are runs of their own, with messages of their own.
        run, counts = self.counted(ranks, name, *sizes, "--dist", grid, "--json", "--quiet", "--threads", 1, "--no-check")
        nothing = [0, 0]
        for node, rank, count in zip(cost["per_node"], run["per_rank"], counts, strict=True):
            sent = [node[key] - rank[f"delegated{suffix}"] + rank[f"forwarded{suffix}"]
                    for key, suffix in (("messages", ""), ("bytes", "_bytes"))]
            # The first communicator is for data, the second for all else.
            self.assertEqual(count.get("Issend 0", nothing), sent)
            self.assertEqual(count.get("Imrecv", nothing), [node["received"], node["received_bytes"]])
            self.assertNotIn("Isend 0", count)
            self.assertNotIn("Issend 1", count)
        for number, key in enumerate(("messages", "bytes")):
            self.assertEqual(sum(count.get("Issend 0", nothing)[number] for count in counts), cost[key])
        return sum(rank["delegated"] for rank in run["per_rank"])


class Slices(Case):
    """Tiles that are cut, on ranks with an accelerator each: by loops of the nodes and by replay."""

    def test_run_is_what_cost_says(self):
        for name, more in (("cholesky", []), ("qr", []), ("gemm", []), ("getrf", ["--generator", "replay"])):
            sizes = ["-n", 200, "--nb", 24, "--slice", 5, "--split", 3, "--dist", "2dbc:2x2", "--devices", "emulated:1",
                     "--threads", 1, *more]
            with self.subTest(name):
                run = Result(mpirun(4, hetc_run(name, *sizes, "--json", "--quiet", "--check=full")))
                self.assertEqual(run.code, 0, run)
                cost = Result([options.hetc, "cost", *hetc_run(name, *sizes, "--json", "--quiet")[2:]])
                self.assertEqual(cost.code, 0, cost)
                counted, ranks = cost.json()["per_node"], run.json()["per_rank"]
                self.assertEqual([rank["bytes"] for rank in ranks], [node["bytes"] for node in counted])
                self.assertGreater(run.json()["bytes"], 0)
                for device, node in zip(run.json()["devices"], counted):
                    for key, value in node["devices"][0].items():
                        if key not in ("evicted_bytes", "least_bytes"):  # which a run does not say
                            self.assertEqual(device[key], value, key)


class Copies(Predicted):
    """Nodes that stand several times: the bits of one rank with as many copies, judged, and what hetc cost says."""
    written = {"gemm": "C", "syrk": "C", "trsm": "B"}

    def test_algorithms(self):
        grids = ("2dbc:1x2,copies=2", "2dbc:1x1,copies=4", "2dbc:2x1,reflected=1:0,copies=2", "sbc:2,copies=2")
        for name in ("cholesky", "gemm", "getrf_nopiv", "syrk", "trsm"):
            for grid in {"cholesky": grids, "gemm": grids[:2]}.get(name, grids[:1]): # each takes a compilation
                with self.subTest(algorithm=name, grid=grid):
                    sizes = self.sizes.get(name, ["-n", 119])
                    common = [*sizes, "--nb", 16, "--json", "--quiet"]
                    output = [path("one.npy"), path("ranks.npy")]
                    matrix = self.written.get(name, "A")
                    result = self.run_ranks(4, name, *common, "--dist", grid, "--output", f"{matrix}={output[1]}").json()
                    self.assertTrue(result["passed"])
                    if name not in ("syrk", "trsm") and "reflected" not in grid: # isl does not finish
                        self.assertEqual(result["generator"], "nodes")
                    self.expect_predicted(name, sizes, "d", result)
                    one = Result(hetc_run(name, *common, "--copies", grid[-1], "--output", f"{matrix}={output[0]}"))
                    self.assertEqual(one.code, 0, one)
                    self.assertTrue(content(output[0]) == content(output[1]))
                    plain = Result(hetc_run(name, *common, "--output", f"{matrix}={output[0]}"))
                    self.assertEqual(plain.code, 0, plain)
                    self.assertFalse(content(output[0]) == content(output[1]), "no sum is in another order")

    def test_mistakes(self):
        self.expect_error(Result(mpirun(2, hetc_run("cholesky", "-n", 50, "--dist", "2dbc:1x2,copies=2"))), 2,
                          "is for 4 nodes, but this run has 2 ranks")
        result = Result(mpirun(2, hetc_run("qr", "-n", 50, "--dist", "2dbc:1x1,copies=2")))
        self.assertEqual(result.code, 2, result)
        self.assertIn("copies of the nodes, which share them, are for affine programs", result.err)


class Bounds(Case):
    """Bounds that take a division, and grids whose loops test remainders: by loops of the nodes, by replay and on one rank
    the same bits."""
    half = """#include <tla/tla.hpp>
#pragma tla algorithm input(A : random)
template <typename T> void half(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < (A.nt() + 1) / 2; ++j) {
      #pragma tla task
      scal(T(2), A(i, j));
    }
}
"""

    def outputs_of(self, file, ranks, *arguments):
        results = []
        for count, generator in ((1, "replay"), (ranks, "replay"), (ranks, "nodes")):
            output = path(f"bounds_{count}_{generator}.npy")
            command = [options.hetc, "run", file, *map(str, arguments), "--output", f"A={output}", "--quiet"]
            if count > 1:
                command += ["--generator", generator]
            result = Result(mpirun(count, command) if count > 1 else command)
            self.assertEqual(result.code, 0, result)
            results.append(content(output))
        return results

    def test_divided_bounds(self):
        with open(path("half.tla"), "w") as out:
            out.write(self.half)
        for columns in (60, 170):
            with self.subTest(columns=columns):
                one, replay, nodes = self.outputs_of(path("half.tla"), 2, "-m", 100, "-n", columns, "--nb", 32)
                self.assertTrue(one == replay == nodes)

    def test_slices(self):
        for name, grid in (("qr", "2dbc:2x1"), ("cholesky_upper", "2dbc:2x1"), ("getrf_nopiv", "2dbc:2x1"),
                           ("cholesky", "2dbc:1x2,reflected=0:1"), ("cholesky", "2dbc:1x2,reflected=0:3")):
            with self.subTest(algorithm=name, grid=grid):
                results = []
                for generator in ("replay", "nodes"):
                    output = path(f"slices_{generator}.npy")
                    run = self.run_ranks(2, name, "-n", 300, "--nb", 64, "--split", 2, "--dist", grid, "--generator",
                                         generator, "--output", f"A={output}", "--quiet")
                    self.assertEqual(run.err, "", run)
                    results.append(content(output))
                self.assertTrue(results[0] == results[1])


class Files(Case):
    def outputs(self, name, ranks, *arguments):
        """The bytes of A after a run on one rank and on several."""
        results = []
        for count in (1, ranks):
            file = path(f"{name}_{count}.npy")
            command = hetc_run(name, *arguments, "--output", f"A={file}", "--quiet")
            result = Result(mpirun(count, command) if count > 1 else command)
            self.assertEqual(result.code, 0, result)
            results.append(content(file))
        self.assertEqual([file for file in os.listdir(folder) if file.endswith(".tmp")], [])
        return results

    def test_outputs_are_those_of_one_rank(self):
        for name in ("cholesky", "cholesky_upper", "getrf", "qr"):
            for ranks in (2, 4):
                with self.subTest(algorithm=name, ranks=ranks):
                    period = ["--period", "2x2"] if name == "qr" else []
                    alone, together = self.outputs(name, ranks, "-n", 77, "--nb", 16, *period)
                    self.assertTrue(alone == together)

    def test_inputs(self):
        n, numbers = 61, random.Random(1)
        rows = [[numbers.random() + (n if i == j else 0) for j in range(n)] for i in range(n)]
        write_npy(path("A.npy"), rows)
        with open(path("A.mtx"), "w") as out:
            out.write(f"%%MatrixMarket matrix coordinate real general\n{n} {n} {n * n}\n")
            out.writelines(f"{i + 1} {j + 1} {rows[i][j]!r}\n" for i in range(n) for j in range(n))
        first = None
        for file in ("A.npy", "A.mtx"):
            alone, together = self.outputs("getrf_nopiv", 3, "--input", f"A={path(file)}", "--nb", 8)
            first = first or alone
            self.assertTrue(alone == together == first, file)

    def test_output_replaces_input(self):
        write_npy(path("B.npy"), diagonal(40))
        self.run_ranks(2, "cholesky", "--input", f"A={path('B.npy')}", "--output", f"A={path('B.npy')}", "--nb", 8)
        self.assertTrue(content(path("B.npy")).endswith(struct.pack("<d", 2.0)))

    def test_trace_of_all_ranks(self):
        self.run_ranks(2, "cholesky", "-n", 80, "--nb", 16, "--trace", path("trace.json"), "--json", path("run.json"),
                       "--quiet")
        events = json.loads(content(path("trace.json")))
        slices = [event for event in events if event["ph"] == "X"]
        tasks = [event for event in slices if event["cat"] != "message"]
        self.assertEqual(len(tasks), 35)
        self.assertEqual(len({event["tid"] for event in tasks}), 2)
        self.assertEqual({event["pid"] for event in tasks}, {0, 1})
        messages = json.loads(content(path("run.json")))["messages"]
        self.assertGreater(messages, 0)
        self.assertEqual(len(slices) - len(tasks), 2 * messages)
        for phase in ("s", "f"):
            self.assertEqual(len({event["id"] for event in events if event["ph"] == phase}), messages)


class Errors(Case):
    def test_distribution_of_another_size(self):
        result = Result(mpirun(3, hetc_run("cholesky", "-n", 50, "--dist", "2dbc:2x2")))
        self.expect_error(result, 2, "--dist 2dbc:2x2 is for 4 nodes, but this run has 3 ranks; "
                                     "--dist 2dbc:1x3 would fit")

    def test_different_options(self):
        result = Result(mpirun(1, hetc_run("cholesky", "-n", 50), hetc_run("cholesky", "-n", 51)))
        self.expect_error(result, 2, r"rank 1 has other options than rank 0: '-n 51' instead of '-n 50'")

    def test_different_programs(self):
        result = Result(mpirun(1, hetc_run("cholesky", "-n", 50), hetc_run("cholesky", "-n", 50, "--type=z")))
        self.expect_error(result, 2, r"rank 1 has another program than rank 0: cholesky \(complex double.*instead of")

    def test_different_kernels(self):
        pinned = [["env", f"OPENBLAS_CORETYPE={core}", *hetc_run("cholesky", "-n", 50)] for core in ("Core2", "Nehalem")]
        result = Result(mpirun(1, *pinned))
        self.expect_error(result, 2, "rank 1 has another set of kernels than rank 0: openblas .*Nehalem.* instead of "
                                     ".*Core2.*; results would differ in the last bits: use --kernels reference")
        for kernels in ("reference", "tuned"):  # the same on both
            result = Result(mpirun(1, *[line + ["--kernels", kernels] for line in pinned]))
            self.assertEqual(result.code, 0, result)

    def test_usage(self):
        self.expect_error(Result(mpirun(2, hetc_run("cholesky", "--nope"))), 2, "unknown option '--nope'")

    def test_what_does_not_compile(self):
        with open(path("broken.tla"), "w") as out:
            out.write("#include <tla/tla.hpp>\n#pragma tla algorithm\n"
                      "template <typename T> void broken(tla::Matrix<T> A) { x; }\n")
        result = Result(mpirun(3, [options.hetc, "run", path("broken.tla")]))
        self.assertEqual(result.code, 2, result)
        self.assertEqual(result.err.count("error: "), 1, result)

    def test_too_large(self):
        result = Result(mpirun(2, hetc_run("cholesky", "-n", 3000000, "--nb", 500)))
        self.expect_error(result, 2, r"needs .* TiB, .* available")

    def test_not_a_number_in_a_file(self):
        rows = diagonal(40)
        rows[33][7] = rows[7][33] = rows[12][30] = rows[30][12] = float("nan")
        write_npy(path("nan.npy"), rows)
        for ranks in (2, 4):
            result = Result(mpirun(ranks, hetc_run("getrf", "--input", f"A={path('nan.npy')}", "--nb", 4)))
            self.expect_error(result, 2, r"A\(34, 8\) is nan")

    def test_numerical_stop(self):
        rows = diagonal(60)
        rows[37][37] = -1.0
        write_npy(path("indefinite.npy"), rows)
        result = Result(mpirun(3, hetc_run("cholesky", "--input", f"A={path('indefinite.npy')}", "--nb", 8, "--json")))
        self.expect_error(result, 3, r"the leading minor of order 38 is not positive definite \(potrf on A\(4, 4\)")
        self.assertEqual(result.json()["info"], 38)

    def test_info_after_which_the_run_goes_on(self):
        rows = [[0.0] * 12 for _ in range(12)]
        for i in range(12):
            rows[i][i] = float(i != 7)
        write_npy(path("singular.npy"), rows)
        files = []
        for ranks in (1, 3):
            files.append(path(f"lu{ranks}.npy"))
            result = Result(mpirun(ranks, hetc_run("getrf", "--input", f"A={path('singular.npy')}", "--nb", 4, "--json",
                                                   "--output", f"A={files[-1]}")))
            self.expect_error(result, 3, r"U\(8, 8\) is exactly zero \(getrf on A\(1, 1\)")
            self.assertEqual((result.json()["info"], result.json()["passed"]), (8, True))
        self.assertEqual(content(files[0]), content(files[1]))

    def test_failed_kernel(self):
        with open(path("failing.hpp"), "w") as out:
            out.write("#include <tla/tla.hpp>\n#include <stdexcept>\n#pragma tla kernel flops(1)\n"
                      "template <typename T> void touch(int i, tla::Tile<T> A) {\n"
                      '  if (i == 5) throw std::runtime_error("no five");\n}\n')
        with open(path("failing.tla"), "w") as out:
            out.write('#include "failing.hpp"\n#pragma tla algorithm\n'
                      "template <typename T> void failing(tla::Matrix<T> A) {\n"
                      "  for (int i = 0; i < A.mt(); ++i)\n    for (int j = 0; j < A.nt(); ++j) {\n"
                      "      #pragma tla task\n      touch(i, A(i, j));\n    }\n}\n")
        result = Result(mpirun(3, [options.hetc, "run", path("failing.tla"), "-m", "80", "-n", "8", "--nb", "8"]))
        self.expect_error(result, 4, r"no five \(touch on A\(5, 0\), .*failing.tla:7\)")


    def test_crashed_kernel(self):
        with open(path("crashing.hpp"), "w") as out:
            out.write("#include <tla/tla.hpp>\n#pragma tla kernel flops(1)\n"
                      "template <typename T> void touch(int i, tla::Tile<T> A) { if (i == 5) __builtin_trap(); }\n")
        with open(path("crashing.tla"), "w") as out:
            out.write('#include "crashing.hpp"\n#pragma tla algorithm\n'
                      "template <typename T> void crashing(tla::Matrix<T> A) {\n"
                      "  for (int i = 0; i < A.mt(); ++i)\n    for (int j = 0; j < A.nt(); ++j) {\n"
                      "      #pragma tla task\n      touch(i, A(i, j));\n    }\n}\n")
        result = Result(mpirun(3, [options.hetc, "run", path("crashing.tla"), "-m", "80", "-n", "8", "--nb", "8"]))
        self.expect_error(result, 4, "crash")


class Ends(Case):
    """Runs that somebody ends from outside."""

    @staticmethod
    def launch(command):
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())

    @staticmethod
    def processes(launcher):
        """The processes of the ranks, as far as they have been started and have not ended."""
        lines = subprocess.run(["ps", "-o", "pid=,stat=", "--ppid", str(launcher.pid)], capture_output=True, text=True)
        return [int(line.split()[0]) for line in lines.stdout.splitlines() if "Z" not in line]

    @staticmethod
    def alive(process):
        """Whether a process runs, also without its launcher; not if it has ended and nobody has looked yet."""
        try:
            with open(f"/proc/{process}/stat") as status:
                return status.read().rsplit(")", 1)[1].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):
            return False

    @staticmethod
    def rank_of(process):
        with open(f"/proc/{process}/environ") as variables:
            return int(dict(line.split("=", 1) for line in variables.read().split("\0") if "=" in line)
                       ["OMPI_COMM_WORLD_RANK"])

    def started(self, ranks):
        """A run of minutes that computes, as its progress bar says, and the processes of its ranks."""
        self.run_ranks(ranks, "cholesky", "-n", 50)  # compiled
        self.err = open(path("ends.txt"), "w+")
        self.addCleanup(self.err.close)
        command = mpirun(ranks, hetc_run("cholesky", "-n", 3000, "--nb", 30, "--kernels", "reference", "--repeat", 500,
                                         "--progress", "always"))
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.err, text=True, env=environment())
        self.addCleanup(process.kill)
        begin = time.monotonic()
        while not re.search(r" [1-9]\d?% ", Silence.text(self.err)) and process.poll() is None:
            self.assertLess(time.monotonic() - begin, Silence.patience, "waited for a run that computes")
            time.sleep(0.05)
        children = self.processes(process)
        self.assertEqual(len(children), ranks)
        return process, children

    def finish(self, process):
        """All that was said, each line of the progress bar as one of its own; fails where the end does not come."""
        out, _ = process.communicate(timeout=Silence.patience)
        return out + re.sub("\r|\x1b\\[K", "\n", Silence.text(self.err))

    def test_killed_rank(self):
        process, ranks = self.started(3)
        os.kill(ranks[1], signal.SIGKILL)
        text = self.finish(process)
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(text, r"process rank \d+ with PID|rank \d+")

    def test_killed_at_any_moment(self):
        """While ranks start, fill their tiles, compute and forward tiles to each other, check, and end."""
        ranks, moments = 6, 8
        command = mpirun(ranks, hetc_run("getrf", "-n", 1000, "--nb", 25, "--dist", f"2dbc:1x{ranks}", "--threads", 1,
                                         "--kernels", "reference", "--check=full"))
        for _ in range(2):  # the first compiles
            begin = time.monotonic()
            self.assertEqual(Result(command).code, 0)
            whole = time.monotonic() - begin
        results = []
        for attempt in range(5 * moments):
            if attempt >= moments and results.count("killed") >= 5:
                break
            moment = attempt % moments
            with self.subTest(moment=f"{moment} of {moments}, in a run of {whole:.1f} s"):
                process = self.launch(command)
                time.sleep((moment + random.random()) / moments * whole)
                while not (children := self.processes(process)) and process.poll() is None:
                    time.sleep(0.01)
                results.append(self.kill_one(process, children))
                if results[-1] == "over":  # the run that was timed had been a slow one
                    whole *= 0.8
        self.assertGreaterEqual(results.count("killed"), 5, results)
        # Open MPI 4.1's mpirun now and then waits for itself when a rank dies while it starts (in PMIx_server_finalize, for
        # a lock). All ranks have ended then; it has not looked.
        self.assertLessEqual(results.count("launcher hangs"), 2, results)

    def kill_one(self, process, children):
        """Nobody hangs, nobody is left, and the victim is named."""
        try:
            victim = random.choice(children)
            try:
                rank = self.rank_of(victim)
            except KeyError:  # it has just been forked
                rank = r"\d+"
            os.kill(victim, signal.SIGKILL)
        except (IndexError, FileNotFoundError, ProcessLookupError):  # all have ended, or this one
            process.communicate(timeout=Silence.patience)
            return "over"
        begin = time.monotonic()
        while any(self.alive(child) for child in children if child != victim):
            time.sleep(0.01)
            self.assertLess(time.monotonic() - begin, Silence.patience, "of the other ranks some are left")
        try:
            text = "".join(process.communicate(timeout=20))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return "launcher hangs"
        self.assertNotEqual(process.returncode, 0, text)
        # The second where the rank had finished with MPI.
        self.assertRegex(text, rf"process rank {rank} with PID .* exited on signal 9|1 process returned\na non-zero exit")
        return "killed"

    def test_interrupted_rank(self):
        process, ranks = self.started(2)
        os.kill(ranks[1], signal.SIGINT)
        text = self.finish(process)
        self.assertEqual(process.returncode, 130, text)
        self.assertEqual(re.findall("^hetc: .*", text, re.M), ["hetc: cholesky: interrupted"])

    def test_interrupted_launcher(self):
        process, _ = self.started(2)
        process.send_signal(signal.SIGINT)
        text = self.finish(process)
        self.assertNotEqual(process.returncode, 0, text)  # Open MPI's own
        # It sends SIGINT, and a second later SIGTERM: on a busy machine a rank may have begun to end and meets both.
        said = re.findall("^hetc: .*", text, re.M)
        self.assertIn(said[-1:], (["hetc: cholesky: interrupted"], ["hetc: interrupted"]), text)
        self.assertLessEqual(set(said), {"hetc: cholesky: interrupted", "hetc: interrupted"})


class Silence(Case):
    """Ranks of which nothing is heard any more, and such that do not end. Upper limits are generous: machines are loaded."""
    patience = 90  # seconds

    def started(self, ranks, *arguments):
        """A long run that computes, as its progress bar says; its launcher, its ranks' processes by rank, its stderr."""
        self.run_ranks(ranks, "qr", "-n", 50)  # compiled
        err = open(path("progress.txt"), "w+")
        self.addCleanup(err.close)
        process = subprocess.Popen(mpirun(ranks, hetc_run("qr", "--kernels", "reference", "--progress", "always", *arguments)),
                                   stdout=subprocess.DEVNULL, stderr=err, env=environment())
        self.addCleanup(process.kill)
        self.wait("a run that computes", lambda: re.search(r" [1-9]\d?% ", self.text(err)) or process.poll() is not None)
        self.assertIsNone(process.poll(), self.text(err))
        children = {Ends.rank_of(child): child for child in Ends.processes(process)}
        self.assertEqual(sorted(children), list(range(ranks)))
        return process, children, err

    def wait(self, what, come):
        begin = time.monotonic()
        while not come():
            self.assertLess(time.monotonic() - begin, self.patience, f"waited for {what}")
            time.sleep(0.05)

    @staticmethod
    def text(file):
        file.seek(0)
        return file.read()

    def expect_end(self, process, children, err, pattern):
        self.wait("the launcher's end", lambda: process.poll() is not None)
        self.assertEqual(process.returncode, 4, self.text(err))
        self.assertRegex(self.text(err), pattern)
        self.wait("the end of all ranks", lambda: not any(map(Ends.alive, children.values())))

    def test_stopped_rank(self):
        for victim in (2, 0):
            with self.subTest(rank=victim):
                process, children, err = self.started(4, "-n", 6000, "--nb", 60, "--watchdog", 3)
                os.kill(children[victim], signal.SIGSTOP)
                self.expect_end(process, children, err,
                                rf"hetc: rank {(victim - 1) % 4}: rank {victim} has not answered for \d")

    def test_stopped_and_continued(self):
        """For longer than nothing may happen: the one that stood still may still go on."""
        process, children, err = self.started(3, "-n", 1500, "--nb", 50, "--watchdog", 1,
                                               "--repeat", 2, "--check")
        os.kill(children[1], signal.SIGSTOP)
        time.sleep(2)
        os.kill(children[1], signal.SIGCONT)
        self.wait("the end of the run", lambda: process.poll() is not None)
        self.assertEqual(process.returncode, 0, self.text(err))

    def test_kernel_that_does_not_return(self):
        with open(path("hanging.hpp"), "w") as out:
            out.write("#include <tla/tla.hpp>\n#pragma tla kernel flops(1)\n"
                      "template <typename T> void touch(int i, tla::Tile<T> A) {\n"
                      "  for (volatile bool forever = i == 5; forever;) {}\n}\n")
        with open(path("hanging.tla"), "w") as out:
            out.write('#include "hanging.hpp"\n#pragma tla algorithm\n'
                      "template <typename T> void hanging(tla::Matrix<T> A) {\n"
                      "  for (int i = 0; i < A.mt(); ++i)\n    for (int j = 0; j < A.nt(); ++j) {\n"
                      "      #pragma tla task\n      touch(i, A(i, j));\n    }\n}\n")
        result = Result(mpirun(3, [options.hetc, "run", path("hanging.tla"), "-m", "80", "-n", "8", "--nb", "8",
                                   "--watchdog", "0.5"]))
        self.assertEqual(result.code, 4, result)
        self.assertRegex(result.err, r"hetc: rank \d: nothing has finished for .* s; still running:\n"
                                     r"  kernel touch on A\(5, 0\) has been running for")
        self.assertRegex(result.err, r"hetc: rank \d: this rank does not end:\n  kernel touch on A\(5, 0\) has been")


class Phases(Case):
    """A rank that stands still, or is slow, in any phase of a run. Seven runs at a time, of three ranks each."""
    patience = 90  # seconds

    def test_rank_that_stands_still_in_any_phase(self):
        """Before any of its collectives, while the others wait in it: from the agreement of the ranks over the loops, the reading, the filling, the
        check and the output to the end of MPI. One that is only slow there is waited for."""
        ranks, victim, size = 3, 2, 60
        write_npy(path("still.npy"), diagonal(size))

        def start(moment, **freeze):
            variables = dict(freeze, LD_PRELOAD=options.freeze_rank, TLA_FREEZE_RANK=victim, TLA_FREEZE_AT=moment)
            run = hetc_run("cholesky", "--nb", 16, "--input", f"A={path('still.npy')}", "--check=full", "--threads", 1, "--quiet",
                           "--output", f"A={path(f'still-{moment}.npy')}", "--watchdog", 1)
            line = mpirun(ranks, ["env", *(f"{name}={value}" for name, value in variables.items()), *run])
            process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment())
            self.addCleanup(process.kill)
            return process

        def finish(process):
            text = process.communicate(timeout=self.patience)[1]
            return process.returncode, text

        self.assertEqual(finish(start("never", TLA_FREEZE_COUNT=path("collectives.txt"))), (0, ""))
        count = int(content(path("collectives.txt")).split()[0])
        self.assertGreater(count, 20)
        still = {at: start(at) for at in [0, count // 3, 2 * count // 3, count - 1, "end"]}
        slow = {at: start(at, TLA_FREEZE_FOR=7, TLA_FREEZE_COUNT=path(f"slow-{at}.txt")) for at in (1, count // 3)}
        for moment, process in still.items():
            with self.subTest(f"collective {moment} of {count}"):
                code, text = finish(process)
                self.assertEqual(code, 4, text)
                others = r"hetc: rank [01] has waited for the others to end for \d"
                named = rf"hetc: rank {victim - 1}: rank {victim} has not answered for \d"
                self.assertRegex(text, others if moment == "end" else named)
        for moment, process in slow.items():
            with self.subTest(f"slow at collective {moment} of {count}"):
                self.assertEqual(finish(process), (0, ""))
        # It sleeps where it pauses, which it need not do after each collective; while another rank compiles it does.
        self.assertTrue(any(b"slept" in content(path(f"slow-{moment}.txt")) for moment in slow))


class Owners(Case):
    """Without --nb the search of the tile size says who owns the tiles, the next run remembers; with --nb bytes do."""

    def run_on_two(self, *arguments):
        result = Result(mpirun(2, hetc_run("cholesky", "-n", 600, "--threads", 1, "--json", "--quiet", *arguments)))
        self.assertEqual(result.code, 0, result)
        return result.json()

    def test_the_search_chooses_and_the_memory_keeps(self):
        found = self.run_on_two()
        file = path("cache/tiles.json")
        with open(file) as memory:
            tiles = json.load(memory)
        entry, = (entry for key, entry in tiles["tiles"].items() if "600x600, 2 ranks" in key)
        self.assertEqual((entry["nb"], entry["dist"]), (found["nb"], found["dist"]))
        entry["dist"] = "2dbc:2x1" if found["dist"] != "2dbc:2x1" else "2dbc:1x2"
        with open(file, "w") as memory:
            json.dump(tiles, memory)
        self.assertEqual(self.run_on_two()["dist"], entry["dist"])
        given = self.run_on_two("--nb", entry["nb"])["dist"]
        cost = Result([options.hetc, "cost", os.path.join(options.algorithms, "cholesky.tla"), "-n", "600", "--nb",
                       str(entry["nb"]), "--nodes", "2", "--dist", "auto", "--json"])
        self.assertEqual(cost.code, 0, cost)
        self.assertEqual(given, cost.json()["dist"])

    def test_a_named_distribution_takes_one_compilation(self):
        """The program has the loops of its nodes, and need not ask for them."""
        with unittest.mock.patch.dict(os.environ, HETC_PROGRAMS_DIR=path("programs")):
            self.assertEqual(self.run_on_two("--nb", 100, "--dist", "2dbc:2x1")["generator"], "nodes")
        self.assertEqual(len(glob.glob(path("programs/*/manifest"))), 1)


class Rates(unittest.TestCase):
    """Two ranks, each with accelerators: one of them measures, both deal their columns alike."""

    def test_columns_by_measured_rates(self):
        files = [path("rates-host.npy"), path("rates-devices.npy")]
        size = ["-n", 300, "--nb", 40]
        host = Result(mpirun(2, hetc_run("cholesky", *size, "--devices", "none", "--quiet", "--output", f"A={files[0]}")))
        self.assertEqual(host.code, 0, host)
        devices = Result(mpirun(2, hetc_run("cholesky", *size, "--devices", "emulated:2,speed=1:4", "--json", "--quiet",
                                            "--output", f"A={files[1]}")))
        self.assertEqual(devices.code, 0, devices)
        slow, fast = devices.json()["device_weights"]  # as measured: noise is no fault
        self.assertTrue(2 <= fast / slow <= 8, (slow, fast))
        self.assertEqual(sorted(device["rank"] for device in devices.json()["devices"]), [0, 0, 1, 1])
        self.assertEqual(*map(content, files))


class Devices(unittest.TestCase):
    """Ranks of one machine deal its CUDA devices among themselves: two, which the host plays."""

    def devices(self, ranks, *commands):
        result = Result(mpirun(ranks, *commands))
        self.assertEqual(result.code, 0, result)
        self.assertTrue(result.json()["passed"])
        return [(device["rank"], device["name"].split()[0]) for device in result.json()["devices"]]

    def test_dealt(self):
        run = hetc_run("cholesky", "-n", 300, "--nb", 40, "--devices", "cuda", "--json", "--quiet")
        self.assertEqual(self.devices(1, run), [(0, "cuda:0"), (0, "cuda:1")])
        self.assertEqual(self.devices(2, run), [(0, "cuda:0"), (1, "cuda:1")])
        self.assertEqual(self.devices(3, run), [(0, "cuda:0"), (1, "cuda:0"), (2, "cuda:1")])

    def test_those_that_each_sees_are_its_own(self):
        run = hetc_run("cholesky", "-n", 300, "--nb", 40, "--devices", "cuda:0", "--json", "--quiet")
        each = [["env", f"CUDA_VISIBLE_DEVICES={device}", *run] for device in range(2)]
        self.assertEqual(self.devices(1, *each), [(0, "cuda:0"), (1, "cuda:0")])
        mixed = [["env", f"CUDA_VISIBLE_DEVICES={visible}", *hetc_run("cholesky", "-n", 300, "--devices", "cuda")]
                 for visible in ("0", "0,1")]
        result = Result(mpirun(1, *mixed))
        self.assertEqual(result.code, 2, result)
        self.assertIn("ranks 0 and 1 have chosen some CUDA devices together and others alone", result.err)


def main():
    global options, folder
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--hetc", required=True)
    parser.add_argument("--algorithms", required=True)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--programs", help="names of algorithms, separated by commas, for Programs; default: all")
    parser.add_argument("--message-count", help="the library that counts messages, for Counts")
    parser.add_argument("--freeze-rank", help="the library that stops a rank, for Silence")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = unittest.main(argv=[sys.argv[0], *options.tests], exit=False).result
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
