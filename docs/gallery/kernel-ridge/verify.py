import sys
import numpy as np

if sys.argv[1] == "make":
    random = np.random.default_rng(3)
    X = random.uniform(-1, 1, (300, 2))
    np.save("X.npy", np.asfortranarray(X))
    np.save("y.npy", np.sin(3 * X[:, :1]) * np.cos(2 * X[:, 1:]))
else:
    X, y, a = np.load("X.npy"), np.load("y.npy"), np.load("a.npy")
    kernel = lambda P: np.exp(-((P[:, None, :] - X[None, :, :]) ** 2).sum(-1) / (2 * 0.5 ** 2))
    print("the system is solved:", np.linalg.norm(kernel(X) @ a + 1e-3 * a - y) < 1e-10 * np.linalg.norm(a))
    new = np.random.default_rng(4).uniform(-0.9, 0.9, (100, 2))
    print("largest error at 100 new points below 0.01:",
          abs(kernel(new) @ a - np.sin(3 * new[:, :1]) * np.cos(2 * new[:, 1:])).max() < 0.01)
