import numpy as np
from mpi4py import MPI
import hetc

comm = MPI.COMM_WORLD
ranks = hetc.Ranks(comm, "2dbc:2x2", tile=64)
A = ranks.matrix(500, 500).fill(lambda i, j: 1 / (1 + abs(i - j)) + 500 * (i == j))
B = ranks.matrix(500, 3).fill(lambda i, j: i + j + 1.0)
hetc.algorithm("posv")(A, B)
X = B.gather()
if comm.rank == 0:
    print(f"X is {X.shape}; of A this rank has {A.array.shape}, from rows {A.rows[0]}, {A.rows[64]}, ...")
