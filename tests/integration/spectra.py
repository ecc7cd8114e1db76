"""Parts of the checks of eigenvalues and of singular values: runs of hetc on families of matrices, and how they are judged."""

import argparse
import os
import subprocess
import tempfile

import numpy

DTYPES = {"s": "f4", "d": "f8", "c": "c8", "z": "c16"}
LIMIT = 10.0  # of what LAPACK's tests call ratios: residuals over n norm(A) eps


def parse(description, sizes, algorithms):
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("hetc")
    parser.add_argument("directory")
    parser.add_argument("--type", default="d", choices=DTYPES)
    parser.add_argument("--sizes", default=sizes)
    parser.add_argument("--algorithms", default=algorithms)
    return parser.parse_args()


def dense(numbers, letter, m, n):
    """Normally distributed elements."""
    values = numbers.standard_normal((m, n))
    return values + 1j * numbers.standard_normal((m, n)) if letter in "cz" else values


def loss_of_orthogonality(Q, eps):
    return numpy.linalg.norm(Q.conj().T @ Q - numpy.eye(Q.shape[1]), 2) / (len(Q) * eps)


def run(arguments, file, algorithm, nb, folder, outputs):
    """The exit code, and what to show of a run that failed."""
    command = [arguments.hetc, "run", os.path.join(arguments.directory, file), "--algorithm", algorithm, "--type", arguments.type,
               "--nb", nb, "--input", f"A={folder}/A.npy", "--check", "--quiet"]
    for name in outputs:
        command += ["--output", f"{name}={folder}/{name}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, " ".join(command) + "\n" + done.stdout + done.stderr


def load(folder, name, letter):
    """In double, whatever the type is; vectors, which have lower case names, are real and flat."""
    array = numpy.load(f"{folder}/{name}.npy")
    return array.ravel().astype("f8") if name.islower() else array.astype("c16" if letter in "cz" else "f8")


def check(arguments, file, families, outputs, ratios):
    """Runs each algorithm on each of families(*dimensions, letter), names and matrices, and judges ratios(A, eps, output, ...) by name.
    `outputs` has the names of an algorithm's results. Returns an exit code."""
    letter = arguments.type
    eps = numpy.finfo(DTYPES[letter]).eps / 2
    total = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for size, nb in (size.split(":") for size in arguments.sizes.split(",")):
            for name, A in families(*map(int, size.split("x")), letter):
                A = A.astype(DTYPES[letter])
                numpy.save(f"{folder}/A.npy", A)
                for algorithm in arguments.algorithms.split(","):
                    total += 1
                    code, text = run(arguments, file, algorithm, nb, folder, outputs[algorithm])
                    found = {"exit code": numpy.inf}
                    if code == 0:
                        found = ratios(A.astype("c16" if letter in "cz" else "f8"), eps,
                                       *(load(folder, output, letter) for output in outputs[algorithm]))
                    wrong = {what: value for what, value in found.items() if not value < LIMIT}
                    if wrong:
                        failures += 1
                        print(f"{algorithm}, {name}, {size}: {wrong}\n{text}", flush=True)
    print(f"{total} runs, {failures} failures")
    return 1 if failures or not total else 0
