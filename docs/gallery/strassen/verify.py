import sys
import numpy as np

if sys.argv[1] == "make":
    random = np.random.default_rng(5)
    np.save("A.npy", np.asfortranarray(random.standard_normal((250, 250))))
    np.save("B.npy", np.asfortranarray(random.standard_normal((250, 250))))
else:
    A, B, C = np.load("A.npy"), np.load("B.npy"), np.load("C.npy")
    print("largest difference to A B below 1e-11:", abs(C - A @ B).max() < 1e-11)
