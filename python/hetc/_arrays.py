"""NumPy arrays as windows: column-major, columns any distance apart."""

import numpy

from ._library import Matrix, require_here

LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
_DTYPES = {letter: numpy.dtype(name) for name, letter in LETTERS.items()}
_LETTER_OF = {dtype: letter for letter, dtype in _DTYPES.items()}


def letter_of(dtype):
    return _LETTER_OF.get(dtype)


def dtype_of(letter):
    return numpy.dtype(numpy.int32) if letter == "i" else _DTYPES[letter]


_HOST_DEVICES = (1, 3, 11, 13) # DLPack: CPU, pinned for CUDA and for ROCm, managed by CUDA


def _from_dlpack(value):
    kind = type(value).__name__
    device = int(value.__dlpack_device__()[0])
    if device not in _HOST_DEVICES:
        raise ValueError(f"a {kind} on a device (DLPack's number {device}): hetc works in the host's memory, pass a copy there")
    try:
        return numpy.from_dlpack(value)
    except (BufferError, RuntimeError) as error:
        raise ValueError(f"a {kind} cannot be used where it is: {error}") from error


def viewed(value):
    """An array of the memory of an object that shares it, by NumPy's interface, DLPack or the buffer protocol; anything else
    as it is. Not by __array__, which may copy: what is written there would be lost."""
    if isinstance(value, (numpy.ndarray, numpy.generic, int, float, complex, str, bytes)):
        return value
    if hasattr(value, "__array_interface__"):
        return numpy.asarray(value)
    if hasattr(value, "__dlpack__"):
        return _from_dlpack(value)
    try:
        return numpy.asarray(memoryview(value))
    except TypeError:
        return value


def require_dense(value, name):
    """Raises TypeError for a matrix of scipy.sparse, or of a package like it, whose elements are in no array."""
    if hasattr(value, "toarray") and hasattr(value, "nnz"):
        raise TypeError(f"{name} is sparse (a {type(value).__name__}): hetc computes with dense matrices; pass its .toarray()")


def as_matrix(array, name, dimensions=(2,)):
    """An array of one of the four types; integers and booleans become float64, as in NumPy."""
    require_dense(array, name)
    only_dlpack = hasattr(array, "__dlpack__") and not hasattr(array, "__array__")
    array = _from_dlpack(array) if only_dlpack else numpy.asarray(array)
    require_here(array, name, True)
    if array.ndim not in dimensions:
        wanted = " or ".join(f"{d}-dimensional" for d in dimensions)
        raise numpy.linalg.LinAlgError(f"{name} is {array.ndim}-dimensional; it must be {wanted}")
    if array.dtype not in _LETTER_OF:
        if array.dtype.kind in "biu":
            return array.astype(numpy.float64)
        if array.dtype.kind in "fc" and array.dtype.newbyteorder("=") in _LETTER_OF:
            return array.astype(array.dtype.newbyteorder("="))
        raise TypeError(f"{name} has dtype {array.dtype}; it must be {', '.join(LETTERS)}: convert it with astype()")
    return array


def require_square(array, name):
    if array.shape[0] != array.shape[1]:
        raise numpy.linalg.LinAlgError(f"{name} is {array.shape[0]} x {array.shape[1]}; it must be square")


def _is_column_major(array):
    """Whether the elements of a column lie side by side, and columns one after another."""
    rows, columns = array.shape
    size = array.itemsize
    down, across = array.strides
    return (rows <= 1 or down == size) and (columns <= 1 or (across >= rows * size and across % size == 0))


def is_column_major(array):
    return array.flags.aligned and array.dtype.isnative and _is_column_major(array)


def is_window(array):
    """Whether an algorithm can work on the array where it is, as it stands or as its transpose."""
    return is_column_major(array) or is_column_major(array.T)


def window(array):
    """The window on a column-major array of one or two dimensions."""
    if array.ndim == 1:
        return Matrix(array.ctypes.data, array.shape[0], 1, max(1, array.shape[0]))
    rows, columns = array.shape
    leading = array.strides[1] // array.itemsize if columns > 1 else rows
    return Matrix(array.ctypes.data, rows, columns, max(1, leading))


def own(array, name, original, overwrite):
    """An array that may be overwritten: `array` itself where that is wanted and works, else a copy in the same order."""
    if overwrite:
        require_writeable(array, name)
        if is_window(array):
            return array
    elif isinstance(original, (list, tuple)) and is_window(array):
        return array # made on the way
    return array.copy(order="A" if is_window(array) and array.flags.forc else "F")


def require_writeable(array, name):
    if not array.flags.writeable:
        foreign = type(array.base).__name__ == "PyCapsule"
        raise ValueError(f"{name} is read-only: pass a copy, or leave overwriting off" +
                         (" (what comes by a DLPack before 1.0 always is, to NumPy and so here)" if foreign else ""))
    if any(stride == 0 and size > 1 for stride, size in zip(array.strides, array.shape)):
        raise ValueError(f"{name} has the same memory for several elements: pass a copy")


def require_separate(first, second, text):
    if numpy.may_share_memory(first, second) and numpy.shares_memory(first, second):
        raise ValueError(f"{text} overlap: pass a copy of one of them")
