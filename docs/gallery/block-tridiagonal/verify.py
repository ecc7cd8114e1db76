import sys
import numpy as np

blocks, size = 12, 25
n = blocks * size
if sys.argv[1] == "make":
    random = np.random.default_rng(6)
    D, E = random.standard_normal((n, size)), random.standard_normal((n, size))
    for i in range(blocks):
        block = D[i * size:(i + 1) * size]
        block[:] = (block + block.T) / 2 + 4 * size * np.eye(size)
    np.save("D.npy", np.asfortranarray(D))
    np.save("E.npy", np.asfortranarray(E))
    np.save("B.npy", np.asfortranarray(random.standard_normal((n, 3))))
else:
    D, E, B, X = (np.load(name + ".npy") for name in "DEBX")
    A = np.zeros((n, n))
    for i in range(blocks):
        here, left = slice(i * size, (i + 1) * size), slice((i - 1) * size, i * size)
        A[here, here] = D[here]
        if i > 0:
            A[here, left] = E[here]
            A[left, here] = E[here].T
    print("largest difference to a dense solve below 1e-12:", abs(X - np.linalg.solve(A, B)).max() < 1e-12)
