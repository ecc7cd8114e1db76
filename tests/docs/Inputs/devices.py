import numpy as np

import hetc

n = 600
M = np.random.default_rng(1).standard_normal((n, n))
S = M @ M.T + n * np.eye(n)
A = np.asfortranarray(S)
potrf, potrs = hetc.algorithm("cholesky"), hetc.algorithm("potrs")
with potrf.resident(A):
    potrf(A)
    for seed in range(3):
        b = np.random.default_rng(seed).standard_normal((n, 1))
        x = np.asfortranarray(b)
        potrs(A, x)
        print("residual", np.linalg.norm(S @ x - b) < 1e-8)
print("factor", np.allclose(np.tril(A) @ np.tril(A).T, S))
