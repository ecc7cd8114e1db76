import numpy as np
import hetc

try:
    hetc.algorithm("outer.tla")(np.ones((500, 1)), np.ones((300, 1)), np.ones((500, 330), order="F"))
except ValueError as error:
    print(error)
