"""Ranks of an MPI program, by mpi4py: matrices of which each rank has a part."""

import ctypes

import numpy

from ._arrays import dtype_of, is_column_major, letter_of
from ._library import check, library, make_executor_of_ranks, Matrix
from ._numbers import whole

_DTYPES = [dtype_of(letter) for letter in "sdczi"]


class Ranks:
    """The ranks of a communicator, and who owns which tile: all ranks make one together, and call algorithms on its matrices
    together.

    `comm`: mpi4py's, or what else has py2f(). `dist`: as --dist has it, "2dbc:2x2", "row:4", for as many nodes as there are ranks;
    without it the most square grid. `tile`: rows and columns of a tile, the same for all matrices. `threads` of each rank; without
    it the ranks of a machine share its cores. `devices` of each rank, as use_devices() takes them, without it those in use: ranks
    of a machine deal its CUDA devices among themselves."""

    def __init__(self, comm, dist=None, tile=256, threads=None, devices=None):
        if not hasattr(comm, "py2f"):
            raise TypeError(f"comm is a {type(comm).__name__}; it must be a communicator of mpi4py, as MPI.COMM_WORLD")
        self.comm, self._tile = comm, whole("tile", tile, least=1)
        self.executor = make_executor_of_ranks(comm.py2f(), None if dist is None else str(dist), threads, devices)
        self.rank, self.size = library.hetc_executor_rank(self.executor), library.hetc_executor_ranks(self.executor)

    def __repr__(self):
        return f"<hetc.Ranks {self.rank} of {self.size}>"

    @property
    def tile(self):
        return self._tile

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None: # the other ranks may not come here
            self.close()

    def close(self):
        """Collective, and before MPI.Finalize(); not needed at the end of a program."""
        executor, self.executor = self.executor, None
        if executor:
            library.hetc_executor_destroy(executor)

    def matrix(self, m, n=1, dtype=float, array=None):
        """An m x n matrix of zeros, of which each rank has its part; or one whose part is `array`, column-major (order="F")."""
        if array is not None and not isinstance(array, numpy.ndarray):
            raise TypeError(f"array is a {type(array).__name__}; it must be a NumPy array")
        return LocalMatrix(self, whole("m", m), whole("n", n), numpy.dtype(dtype if array is None else array.dtype), array)

    def indices(self, m, n):
        """The rows and the columns of an m x n matrix that are on this rank, from 0: two arrays."""
        self.require_open()
        m, n = whole("m", m), whole("n", n)
        sizes = ctypes.c_int64(), ctypes.c_int64()
        check(library.hetc_local_size(self.executor, m, n, self.tile, *map(ctypes.byref, sizes)))
        rows, columns = (numpy.empty(size.value, numpy.int64) for size in sizes)
        check(library.hetc_local_indices(self.executor, m, n, self.tile,
                                         *(array.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)) for array in (rows, columns))))
        return rows, columns

    def require_open(self):
        """Raises ValueError after close()."""
        if not self.executor:
            raise ValueError("these ranks have been closed")


class LocalMatrix:
    """A rank's part of a matrix: `array`, whose element (p, q) is element (rows[p], columns[q]) of the whole, which has `shape`."""

    def __init__(self, ranks, m, n, dtype, array):
        if dtype not in _DTYPES:
            raise TypeError(f"a matrix of {dtype}; it must be one of {', '.join(map(str, _DTYPES))}")
        self.ranks, self.shape, self.dtype = ranks, (m, n), dtype
        self.rows, self.columns = ranks.indices(m, n)
        size = len(self.rows), len(self.columns)
        self.array = numpy.zeros(size, dtype, order="F") if array is None else array

    @property
    def array(self):
        return self._array

    @array.setter
    def array(self, array):
        """Puts another array of the same size and type in the part's place."""
        size = len(self.rows), len(self.columns)
        if array.shape != size:
            m, n = self.shape
            raise ValueError(f"the part of a matrix of {m} x {n} on rank {self.ranks.rank} is {size[0]} x {size[1]}, but the array is "
                             f"{' x '.join(map(str, array.shape))}")
        if array.dtype != self.dtype:
            raise TypeError(f"the matrix is of {self.dtype}, but the array of {array.dtype}: convert it with astype()")
        if array.size and not is_column_major(array):
            raise ValueError("the array is not column-major: make it with order='F'")
        self._array = array

    def __repr__(self):
        return f"<hetc.LocalMatrix {self.array.shape} of {self.shape}, {self.dtype}, on rank {self.ranks.rank}>"

    def fill(self, function):
        """Sets the elements to function(i, j), called with arrays of rows and columns that NumPy broadcasts; returns self."""
        self.array[...] = function(self.rows[:, numpy.newaxis], self.columns[numpy.newaxis, :])
        return self

    def gather(self, root=0):
        """Returns the whole matrix as an array on rank `root`, None on others; collective."""
        parts = self.ranks.comm.gather((self.rows, self.columns, self.array), root=root)
        if parts is None:
            return None
        whole = numpy.zeros(self.shape, self.dtype, order="F")
        for rows, columns, array in parts:
            whole[numpy.ix_(rows, columns)] = array
        return whole

    def window(self):
        """The window for the C interface. It checks the array again, as NumPy lets one change its shape and type in place."""
        self.array = self._array
        several = self.array.size and len(self.columns) > 1
        leading = self.array.strides[1] // self.array.itemsize if several else len(self.rows)
        return Matrix(self.array.ctypes.data, *self.shape, max(1, leading))
