import sys
import numpy as np

m, n = 50, 30
if sys.argv[1] == "make":
    random = np.random.default_rng(10)
    triangle = lambda size: np.triu(random.standard_normal((size, size))) + size / 4 * np.eye(size)
    for name, matrix in dict(A=triangle(m), B=triangle(n), C=random.standard_normal((m, n))).items():
        np.save(name + ".npy", np.asfortranarray(matrix))
else:
    A, B, C, X = (np.load(name + ".npy") for name in "ABCX")
    dense = np.kron(np.eye(n), A) + np.kron(B.T, np.eye(m)) # one system of m n unknowns, column by column
    expected = np.linalg.solve(dense, C.ravel(order="F")).reshape((m, n), order="F")
    print("largest difference to a dense solve below 1e-12:", abs(X - expected).max() < 1e-12)
