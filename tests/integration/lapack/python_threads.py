"""Several Python threads solve at once with the drop-in library: each has the answer that one thread alone has.

usage: LD_PRELOAD=LIBRARY python_threads.py [THREADS [ROUNDS]]

NumPy lets go of the interpreter's lock while LAPACK computes, so the calls meet: one is on tiles, the others go on to
NumPy's own LAPACK."""

import sys
import threading

import numpy as np

N = 300


def problem(seed):
    generator = np.random.default_rng(seed)
    A = generator.standard_normal((N, N)) + 2 * np.sqrt(N) * np.eye(N)
    return A, A @ A.T, generator.standard_normal((N, 3))


def results(seed):
    A, spd, B = problem(seed)
    return [np.linalg.solve(A, B), np.linalg.inv(A), np.linalg.cholesky(spd), np.linalg.qr(A)[1],
            np.linalg.lstsq(A, B, rcond=None)[0]]


def main(threads, rounds):
    expected = [results(seed) for seed in range(threads)]
    wrong = []

    def work(seed):
        for _ in range(rounds):
            for k, (a, b) in enumerate(zip(expected[seed], results(seed))):
                if not np.allclose(a, b, rtol=1e-9, atol=1e-9 * np.abs(a).max()):
                    wrong.append((seed, k))

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(f"{threads} threads, {rounds} rounds: {len(wrong)} wrong")
    return 1 if wrong else 0


arguments = [int(argument) for argument in sys.argv[1:]]
sys.exit(main(*arguments, *(8, 5)[len(arguments):]))
