"""A host of the drop-in library: solves A x = b with A = I + 0.01."""
import sys

import numpy

n = 400
x = numpy.linalg.solve(numpy.eye(n) + 0.01, numpy.full(n, 1 + 0.01 * n))
sys.exit(0 if abs(x - 1).max() < 1e-10 else 1)
