import numpy as np
import hetc

A = np.full((500, 330), 3.0, order="F")
x, y = np.ones((500, 1)), np.full((330, 1), 2.0)
outer = hetc.algorithm("outer.tla")
outer(x, y, A)
print(A[0, 0], A[-1, -1])

S = np.diag([4.0, 9.0, 16.0])
print(hetc.cholesky(S).diagonal())
