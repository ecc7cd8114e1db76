import numpy as np
import hetc

a = np.random.default_rng(1).standard_normal((300, 300))
spd = a @ a.T + 300 * np.eye(300)
print("cholesky", np.abs(hetc.cholesky(spd) - np.linalg.cholesky(spd)).max())
lu, p = hetc.lu(a)
print("lu      ", np.abs((np.tril(lu, -1) + np.eye(300)) @ np.triu(lu) - a[p]).max())
q, r = hetc.qr(a)
print("qr      ", np.abs(q @ r - a).max())
print("solve   ", np.abs(a @ hetc.solve(a, a.sum(1)) - a.sum(1)).max())
gemm, c = hetc.algorithm("gemm"), np.zeros((300, 300), order="F")
gemm(a, a, c)
print("gemm    ", np.abs(c - a @ a).max())
