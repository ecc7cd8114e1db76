import sys
import numpy as np

m, n, k = 400, 250, 30
if sys.argv[1] == "make":
    random = np.random.default_rng(11)
    left, right = np.linalg.qr(random.standard_normal((m, n)))[0], np.linalg.qr(random.standard_normal((n, n)))[0]
    np.save("A.npy", np.asfortranarray(left * 0.7 ** np.arange(n) @ right.T))
    np.save("G.npy", np.asfortranarray(random.standard_normal((n, k))))
else:
    A, U, s, V = (np.load(name + ".npy") for name in "AUsV")
    exact = np.linalg.svd(A, compute_uv=False)
    print("columns are orthonormal:", max(np.linalg.norm(Q.T @ Q - np.eye(k)) for Q in (U, V)) < 1e-12)
    print("the ten largest singular values to six digits:", abs(s[:10, 0] / exact[:10] - 1).max() < 1e-6)
    print("error over that of the best approximation of rank 30:", (np.linalg.norm(A - U * s.T @ V.T, 2) / exact[k]).round(1))
