"""Algorithms as Python functions: those in the library, and compiled .tla files."""

import ctypes
import difflib
import os
import re

import numpy
from numpy.linalg import LinAlgError

from ._arrays import (dtype_of, is_column_major, letter_of, LETTERS, require_dense, require_separate, require_writeable,
                      viewed, window)
from ._compiler import algorithm_name, compile_library, find_source
from ._devices import Residence
from ._documentation import algorithms_in, documentation, Documentation
from ._library import (Matrix, MatrixParameter, Scalar, ScalarParameter, check, find, library, require_here,
                       run)
from ._numbers import number, shown, whole
from ._ranks import LocalMatrix

_OPTIONS = {
    "Op": {"NoTrans": 111, "Trans": 112, "ConjTrans": 113, "N": 111, "T": 112, "C": 113},
    "Uplo": {"Upper": 121, "Lower": 122, "U": 121, "L": 122},
    "Diag": {"NonUnit": 131, "Unit": 132, "N": 131, "U": 132},
    "Side": {"Left": 141, "Right": 142, "L": 141, "R": 142},
}


class _Compiled:
    """An algorithm for one element type."""

    def __init__(self, handle):
        self.handle = handle
        self.matrices = [self._described(library.hetc_matrix_at, MatrixParameter, i)
                         for i in range(library.hetc_matrix_count(handle))]
        self.scalars = [self._described(library.hetc_scalar_at, ScalarParameter, i)
                        for i in range(library.hetc_scalar_count(handle))]

    def _described(self, ask, kind, i):
        parameter = kind()
        check(ask(self.handle, i, ctypes.byref(parameter)))
        return parameter


class Algorithm:
    __doc__ = Documentation("""A function of NumPy arrays, or others that share their memory (DLPack, the buffer protocol), which
    it changes in place. Arrays and numbers are given in the algorithm's own order, numbers and options by name, too;
    workspaces are not given. Arrays that are not column-major (order='F') are copied there and back. help() of one says what
    it takes.""")

    def __init__(self, name, source, options):
        self.name, self.source, self._options = name, source, options
        self._compiled = {}

    def __repr__(self):
        return f"<hetc.Algorithm {' of '.join(filter(None, (self.name, self.source)))}>"

    def documentation(self):
        """The text that help() shows: the call, the algorithm's own comment, and its parameters."""
        compiled = next(iter(self._compiled.values()), None) or (None if self.source else self._for_type("d"))
        return documentation(self.name, self.source, compiled)

    def _for_type(self, letter):
        compiled = self._compiled.get(letter)
        if compiled is None:
            compiled = self._compiled[letter] = _Compiled(self._load(letter))
        return compiled

    def _load(self, letter):
        if not self.source:
            return find(self.name, letter)
        file = compile_library(self.source, letter, self.name, self._options)
        name, handle = self.name or algorithm_name(file, letter), ctypes.c_void_p()
        check(library.hetc_load(os.fsencode(file), name.encode(), letter.encode(), ctypes.byref(handle)))
        return handle

    def __call__(self, *arguments, threads=None, tile=0, **named):
        """Runs the algorithm on these arrays and numbers and waits; LinAlgError with LAPACK's info where a kernel stops it.
        `threads`: None: all cores; `tile`: rows and columns of a tile, 0: hetc chooses."""
        if any(isinstance(a, LocalMatrix) for a in arguments):
            return self._call_on_ranks(arguments, threads, tile, named)
        for number, argument in enumerate(arguments, 1):
            require_dense(argument, f"argument {number}")
        arguments = [viewed(a) for a in arguments]
        arrays = [a for a in arguments if isinstance(a, numpy.ndarray) and a.ndim > 0]
        compiled = self._for_type(_common_letter(arrays))
        windows = _Windows(compiled.matrices, arrays)
        numbers = [a for a in arguments if not (isinstance(a, numpy.ndarray) and a.ndim > 0)]
        info = run(compiled.handle, windows.matrices, _scalars(compiled.scalars, numbers, named), threads, tile)
        windows.copy_back()
        self._require_success(info)
        return None

    def resident(self, *arguments, threads=None, tile=0, **named):
        """A context in which the matrices of this call, but for workspaces, stay with the devices (hetc.use_devices): they go
        there at its beginning, and come back at its end. Calls in it of algorithms that take the same part of them, as
        "cholesky" and "potrs" take a lower triangle, find them there and leave them there. Their arrays, which must be
        column-major, are not to be looked at before update_host(), nor to be written but before update_devices()."""
        if any(isinstance(a, LocalMatrix) for a in arguments):
            raise TypeError("matrices that ranks have parts of cannot be resident")
        for number, argument in enumerate(arguments, 1):
            require_dense(argument, f"argument {number}")
        arguments = [viewed(a) for a in arguments]
        arrays = [a for a in arguments if isinstance(a, numpy.ndarray) and a.ndim > 0]
        for array in arrays:
            if not is_column_major(array if array.ndim == 2 else array[:, numpy.newaxis]):
                raise ValueError("resident matrices must be column-major (order='F'): others are copied for each call")
        compiled = self._for_type(_common_letter(arrays))
        windows = _Windows(compiled.matrices, arrays)
        numbers = [a for a in arguments if not (isinstance(a, numpy.ndarray) and a.ndim > 0)]
        scalars = _scalars(compiled.scalars, numbers, named)
        by_window = {(w.data, w.rows, w.columns, w.leading): a for w, a in zip(map(window, arrays), arrays)}
        return Residence(compiled.handle, windows.matrices, by_window, scalars, threads, tile)

    def _call_on_ranks(self, arguments, threads, tile, named):
        """Runs on all ranks; an error on this rank is told to the others, which wait for its call."""
        ranks = next(a for a in arguments if isinstance(a, LocalMatrix)).ranks
        ranks.require_open()
        try:
            compiled, matrices, scalars = self._prepare_on_ranks(ranks, arguments, threads, tile, named)
        except Exception as error:
            library.hetc_refuse(ranks.executor, str(error).encode())
            raise
        self._require_success(run(compiled.handle, matrices, scalars, tile=ranks.tile, executor=ranks.executor))

    def _prepare_on_ranks(self, ranks, arguments, threads, tile, named):
        if threads is not None or tile:
            raise TypeError("hetc.Ranks() has said how many threads there are, and how large tiles are")
        matrices = [a for a in arguments if isinstance(a, LocalMatrix)]
        given = [viewed(a) for a in arguments if not isinstance(a, LocalMatrix)]
        if any(m.ranks is not ranks for m in matrices) or any(isinstance(a, numpy.ndarray) and a.ndim > 0 for a in given):
            raise TypeError("all matrices of a call must be of the same hetc.Ranks")
        compiled = self._for_type(_common_letter([m.array for m in matrices]))
        return compiled, _parts(compiled.matrices, matrices), _scalars(compiled.scalars, given, named)

    def _require_success(self, info):
        if info:
            raise LinAlgError(f"{self.name or self.source}: info = {info}")


def algorithm(name, *, algorithm=None, kernels=(), options=()):
    """An algorithm as a function: "gemm", one in this library, or "FILE.tla", which the command hetc compiles when it is first
    called with a type, cached. `algorithm`: which one of the file; `kernels`: files with bodies of kernels, C++ or compiled; `options`:
    others of hetc's, such as -I."""
    name = os.fspath(name)
    if not name.endswith(".tla"):
        _require_known(name, algorithms())
        return Algorithm(name, None, ())
    source = find_source(name)
    for file in (source, *kernels):
        if not os.path.exists(file):
            raise FileNotFoundError(f"there is no {os.fspath(file)}")
    if algorithm is not None:
        _require_in_file(algorithm, source)
    extra = [word for kernel in kernels for word in ("--kernel", os.path.realpath(kernel))]
    return Algorithm(algorithm, source, (*options, *extra))


def algorithms():
    """The names of the algorithms in this library: those that algorithm() has without a compiler."""
    names = []
    while (name := library.hetc_name(len(names))) is not None:
        names.append(name.decode())
    return names


def _require_known(name, known):
    if name in known:
        return
    near = difflib.get_close_matches(name, known, 1)
    raise ValueError(f"no algorithm '{name}' in this library" + (f"; did you mean '{near[0]}'?" if near else "") +
                     "; hetc.algorithms() lists them, and the name of a file of your own ends in .tla")


def _require_in_file(name, source):
    """Raises ValueError where a file that includes no other of the author's has no algorithm of this name."""
    with open(source, encoding="utf-8", errors="replace") as file:
        text = file.read()
    found = algorithms_in(text)
    if name in found or re.search(r'^\s*#\s*include\s*"', text, re.M):
        return
    raise ValueError(f"no algorithm '{name}' in {source}; there is {', '.join(found) or 'none'}")


def _common_letter(arrays):
    for array in arrays:
        if letter_of(array.dtype):
            return letter_of(array.dtype)
    given = ", ".join(str(a.dtype) for a in arrays) or "no array"
    raise TypeError(f"one of the arrays must have dtype {', '.join(LETTERS)}; given: {given}")


def _wanted(parameters, arrays):
    """The parameters for which the caller gives arrays: all but workspaces."""
    wanted = [p for p in parameters if not p.workspace]
    if len(arrays) != len(wanted):
        names = ", ".join(p.name.decode() for p in wanted)
        raise TypeError(f"{len(wanted)} arrays are needed ({names}), {len(arrays)} given")
    return wanted


def _require_type(parameter, dtype):
    expected = dtype_of(parameter.type.decode())
    if dtype != expected:
        raise TypeError(f"{parameter.name.decode()} has dtype {dtype}; it must be {expected}: convert it with astype()")


def _require_separate(parameters, arrays):
    for i, (one, first) in enumerate(zip(parameters, arrays)):
        for other, second in list(zip(parameters, arrays))[:i]:
            if one.written or other.written:
                require_separate(first, second, f"{other.name.decode()} and {one.name.decode()}")


def _parts(parameters, given):
    """The windows on this rank's parts of the matrices, one for each parameter; empty for workspaces."""
    wanted = _wanted(parameters, given)
    for parameter, matrix in zip(wanted, given):
        _require_type(parameter, matrix.array.dtype)
        if parameter.written and matrix.array.size:
            require_writeable(matrix.array, parameter.name.decode())
    _require_separate(wanted, [m.array for m in given])
    remaining = iter(given)
    return [Matrix() if p.workspace else next(remaining).window() for p in parameters]


class _Windows:
    def __init__(self, parameters, arrays):
        wanted = _wanted(parameters, arrays)
        self._copies = []
        remaining = iter(arrays)
        self._used = []
        self.matrices = [Matrix() if p.workspace else self._window(p, next(remaining)) for p in parameters]
        _require_separate(wanted, arrays)

    def _window(self, parameter, array):
        name = parameter.name.decode()
        _require_type(parameter, array.dtype)
        if array.ndim > 2:
            raise ValueError(f"{name} is {array.ndim}-dimensional; it must be a matrix ({parameter.shape.decode()})")
        if parameter.written:
            require_writeable(array, name)
        columns = is_column_major(array if array.ndim == 2 else array[:, numpy.newaxis])
        require_here(array, name, not columns)
        if not columns:
            copy = array.copy(order="F")
            if parameter.written:
                self._copies.append((array, copy))
            array = copy
        self._used.append(array)
        return window(array)

    def copy_back(self):
        for array, copy in self._copies:
            array[...] = copy


def _scalars(parameters, numbers, named):
    """The values of the scalars in the algorithm's order: given ones, named ones, defaults."""
    if len(numbers) > len(parameters):
        raise TypeError(f"{len(parameters)} numbers and options at most "
                        f"({', '.join(p.name.decode() for p in parameters) or 'none'}), {len(numbers)} given")
    known = [p.name.decode() for p in parameters]
    for name in named:
        if name not in known:
            raise TypeError(f"there is no parameter '{name}'; there is {', '.join(known) or 'none'}")
        if name in known[:len(numbers)]:
            raise TypeError(f"'{name}' is given twice")
    values = []
    for i, parameter in enumerate(parameters):
        if i < len(numbers):
            values.append(_scalar(parameter, numbers[i]))
        elif known[i] in named:
            values.append(_scalar(parameter, named[known[i]]))
        elif parameter.has_default:
            values.append(parameter.value)
        else:
            raise TypeError(f"'{known[i]}' has no default and must be given")
    return values


def _scalar(parameter, value):
    name, kind = parameter.name.decode(), parameter.type.decode()
    if kind in _OPTIONS:
        option = _OPTIONS[kind].get(value) if isinstance(value, str) else None
        if option is None:
            raise ValueError(f"{name} is {shown(value)}; it must be one of {', '.join(map(repr, _OPTIONS[kind]))}")
        return Scalar(integer=option)
    if kind == "int":
        return Scalar(integer=whole(name, value))
    given = number(name, kind, value)
    return Scalar(real=given.real, imag=given.imag)
