import sys
import numpy as np

if sys.argv[1] == "make":
    random = np.random.default_rng(2)
    noise = random.standard_normal((150, 150))
    np.save("A.npy", np.asfortranarray(4 * np.eye(150) + (noise + noise.T) / 20)) # eigenvalues about 4
else:
    A, X = np.load("A.npy"), np.load("X.npy")
    print("|A X - I| below 1e-12:", np.linalg.norm(A @ X - np.eye(len(A))) < 1e-12)
