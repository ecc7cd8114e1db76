"""scikit-learn's GaussianProcessRegressor: the same model with the drop-in library as without, and computed on tiles.

usage: python_gaussian_process.py LIBRARY
       python_gaussian_process.py compute    (what the first form runs twice: prints the model's numbers)"""

import os
import subprocess
import sys

import numpy as np


def compute():
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, WhiteKernel
    generator = np.random.default_rng(1)
    X = generator.uniform(-3, 3, (600, 2))
    y = np.sin(X[:, 0]) * X[:, 1] + 0.01 * generator.standard_normal(len(X))
    model = GaussianProcessRegressor(RBF() + WhiteKernel(1e-4), optimizer=None).fit(X, y)
    mean, deviation = model.predict(generator.uniform(-3, 3, (300, 2)), return_std=True)
    print(*np.concatenate([[model.log_marginal_likelihood_value_], mean, deviation]))


def run(**settings):
    result = subprocess.run([sys.executable, __file__, "compute"], env={**os.environ, **settings}, capture_output=True,
                            text=True, timeout=500, check=False)
    if result.returncode:
        sys.exit(f"FAILED with {settings}: exit code {result.returncode}\n{result.stderr}")
    return np.array(result.stdout.split(), float), result.stderr


def main(library):
    expected, _ = run()
    found, log = run(LD_PRELOAD=library, HETC_VERBOSE="1")
    error = np.abs(expected - found).max() / np.abs(expected).max()
    tiled = log.count(": tiled")
    print(f"{len(expected)} numbers differ by {error:.1e}; {tiled} calls on tiles")
    return 0 if error < 1e-8 and tiled else 1


if sys.argv[1] == "compute":
    compute()
else:
    sys.exit(main(sys.argv[1]))
