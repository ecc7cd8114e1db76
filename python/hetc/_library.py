"""The C interface (hetc.h), its executors, and runs that Ctrl-C stops."""

import ctypes
import os
import threading
import _thread

from ._numbers import whole

_INTERFACE = 1
_FOLDER = os.path.dirname(os.path.realpath(__file__))
_OK, _NUMERICAL, _USAGE, _FAULT, _INTERRUPTED, _NO_MEMORY = range(6)


class Error(RuntimeError):
    """Raised when a run fails half-way; the matrices that it writes are lost."""


class Matrix(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("rows", ctypes.c_int64), ("columns", ctypes.c_int64),
                ("leading", ctypes.c_int64)]


class Scalar(ctypes.Structure):
    _fields_ = [("integer", ctypes.c_int64), ("real", ctypes.c_double), ("imag", ctypes.c_double)]


class MatrixParameter(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("shape", ctypes.c_char_p), ("type", ctypes.c_char), ("part", ctypes.c_char),
                ("written", ctypes.c_byte), ("workspace", ctypes.c_byte)]


class ScalarParameter(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_char_p), ("has_default", ctypes.c_int), ("value", Scalar)]


class Outcome(ctypes.Structure):
    _fields_ = [("info", ctypes.c_int64), ("tile", ctypes.c_int), ("seconds", ctypes.c_double),
                ("tasks", ctypes.c_uint64)]


def find_library(name):
    """A library of hetc: beside this package, or in HETC_LIB_DIR, or in the build of the source that this package is in."""
    folders = [os.path.join(_FOLDER, "lib"), os.environ.get("HETC_LIB_DIR"),
               os.path.join(_FOLDER, "..", "..", "build", "release", "lib")]
    for folder in filter(None, folders):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            return os.path.realpath(path)
    raise ImportError(f"hetc: there is no {name} in {', '.join(filter(None, folders))}; install the wheel (tools/wheel), "
                      "build it (ninja -C build/release hetc_c hetc_lapack), or name its folder in HETC_LIB_DIR")


def _load():
    try:
        library = ctypes.CDLL(find_library("libhetc_c.so"))
    except OSError as error:
        raise ImportError(f"hetc: {error}") from None
    if library.hetc_interface() != _INTERFACE:
        raise ImportError(f"hetc: {library._name} has interface {library.hetc_interface()}, this package needs "
                          f"{_INTERFACE}: both must come from one version")
    library.hetc_version.restype = library.hetc_message.restype = library.hetc_name.restype = ctypes.c_char_p
    library.hetc_name.argtypes = [ctypes.c_int]
    pointer = ctypes.c_void_p
    library.hetc_executor_create.argtypes = [ctypes.c_int, ctypes.POINTER(pointer)]
    library.hetc_executor_create_devices.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(pointer)]
    library.hetc_executor_create_ranks_devices.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p,
                                                           ctypes.POINTER(pointer)]
    library.hetc_executor_destroy.argtypes = library.hetc_executor_rank.argtypes = library.hetc_executor_ranks.argtypes = [pointer]
    library.hetc_executor_destroy.restype = None
    library.hetc_refuse.argtypes = [pointer, ctypes.c_char_p]
    numbers = ctypes.POINTER(ctypes.c_int64)
    library.hetc_local_size.argtypes = library.hetc_local_indices.argtypes = [
        pointer, ctypes.c_int64, ctypes.c_int64, ctypes.c_int, numbers, numbers]
    library.hetc_interrupt.argtypes = [pointer]
    library.hetc_interrupt.restype = None
    library.hetc_find.argtypes = [ctypes.c_char_p, ctypes.c_char, ctypes.POINTER(pointer)]
    library.hetc_load.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char, ctypes.POINTER(pointer)]
    library.hetc_matrix_count.argtypes = library.hetc_scalar_count.argtypes = [pointer]
    library.hetc_matrix_at.argtypes = [pointer, ctypes.c_int, ctypes.POINTER(MatrixParameter)]
    library.hetc_scalar_at.argtypes = [pointer, ctypes.c_int, ctypes.POINTER(ScalarParameter)]
    call = [pointer, pointer, ctypes.POINTER(Matrix), ctypes.c_int, ctypes.POINTER(Scalar), ctypes.c_int, ctypes.c_int]
    library.hetc_run.argtypes = call + [ctypes.POINTER(Outcome)]
    library.hetc_make_resident.argtypes = call
    for each in library.hetc_update_host, library.hetc_update_devices, library.hetc_end_residence:
        each.argtypes = [pointer, ctypes.POINTER(Matrix), ctypes.c_int]
    return library


library = _load()
__version__ = library.hetc_version().decode()


def check(status):
    """Raises what a status other than success, or a numerical stop, means in Python."""
    if status in (_OK, _NUMERICAL):
        return
    message = library.hetc_message().decode()
    raise {_USAGE: ValueError, _NO_MEMORY: MemoryError}.get(status, Error)(message)


def find(name, letter):
    handle = ctypes.c_void_p()
    check(library.hetc_find(name.encode(), letter.encode(), ctypes.byref(handle)))
    return handle


# One run at a time, since each has all cores. A fork waits for the end of it: in the middle of a kernel a lock of the BLAS may
# be held, which nobody would release in the child. The child has none of the threads, and makes executors of its own.
_run_lock = threading.RLock() # a signal handler may fork
_executors = {} # by threads and devices; the one used last comes last
_MOST_EXECUTORS = 2 # beside those in use: calls with one number of threads and with another take turns
_in_use = [] # executors of the runs of this process: several where a signal's handler calls
_devices = None # of the process, None: those that HETC_DEVICES names
_resident = None # the executor whose devices have matrices that stay
_residents = {} # these: arrays by their windows. In a child that was forked meanwhile they are nowhere


def _forget_executors():
    global _resident
    _executors.clear()
    _in_use.clear()
    _resident = None
    _run_lock.release()


os.register_at_fork(before=_run_lock.acquire, after_in_parent=_run_lock.release, after_in_child=_forget_executors)


def devices_in_use():
    return _devices if _devices is not None else os.environ.get("HETC_DEVICES") or "none"


def set_devices(devices):
    """Sets the choice of devices and returns the earlier one: a text, or None."""
    global _devices
    with _run_lock:
        if _resident is not None:
            raise ValueError("matrices are resident with other devices; end their residence first")
        before, _devices = _devices, devices
    return before


def _executor(threads):
    if _resident is not None:
        return _resident
    devices = devices_in_use()
    executor = _executors.pop((threads, devices), None)
    if executor is None:
        if devices != "none":
            _close_devices()
        executor = ctypes.c_void_p()
        if devices == "none":
            check(library.hetc_executor_create(threads, ctypes.byref(executor)))
        else:
            check(library.hetc_executor_create_devices(threads, devices.encode(), ctypes.byref(executor)))
    _executors[threads, devices] = executor
    _close([key for key in _executors if key[1] == "none"][:-_MOST_EXECUTORS])
    return executor


def _close_devices():
    """Ends executors with devices, since one at a time has the devices' memory; that of resident matrices stays."""
    _close([key for key in _executors if key[1] != "none"])


def _close(keys):
    """Ends the threads of these executors, except those that are needed. The caller holds _run_lock."""
    for key in keys:
        executor = _executors[key]
        if executor not in _in_use and executor is not _resident:
            del _executors[key]
            library.hetc_executor_destroy(executor)


class _Use:
    """Keeps its executor for as long as it is entered. The caller holds _run_lock."""

    def __init__(self, executor):
        self._executor = executor

    def __enter__(self):
        _in_use.append(self._executor)
        return self._executor

    def __exit__(self, *exception):
        if self._executor in _in_use: # else in a child that a signal's handler has forked meanwhile
            _in_use.remove(self._executor)


def open_devices():
    """Opens the devices now, so that a mistake is reported here."""
    with _run_lock:
        _executor(_threads(None))


def _key(window):
    return window.data, window.rows, window.columns, window.leading


def require_here(array, name, copied):
    """Raises where the array has the memory of a matrix that is resident, if it is `copied`, not given to a run as it is."""
    if not _residents or not (copied or _resident is None):
        return
    import numpy # not with this module: accelerate() comes before it

    for resident in _residents.values():
        shared = numpy.may_share_memory(array, resident)
        if shared and array.ndim == resident.ndim == 2 and array.strides == resident.strides:
            shared = numpy.shares_memory(array, resident) # parts of one array, which is not hard to see
        if shared and _resident is None:
            raise Error(f"{name} was resident with devices of the parent process when this one was forked: it has not its content")
        if shared:
            raise ValueError(f"{name} is resident with the devices, and its memory has not its content: give it to an algorithm as "
                             "it is, or leave the resident() block first")


def make_resident(algorithm, windows, arrays, scalars, threads, tile):
    """Keeps the matrices of the call, `arrays` by their windows, with the devices until release(). Returns the windows that were not
    there before."""
    global _resident
    matrices = (Matrix * len(windows))(*windows)
    count = len(scalars) if scalars else 0
    numbers = (Scalar * count)(*scalars) if count else None
    threads, tile = _threads(threads), whole("tile", tile)
    with _run_lock, _Use(_executor(threads)) as executor:
        added = [w for w in windows if w.data and _key(w) not in _residents]

        def call():
            status = library.hetc_make_resident(executor, algorithm, matrices, len(windows), numbers, count, tile)
            return status, (b"" if status == _OK else library.hetc_message())

        try:
            _resident = executor
            status, message = (_interruptible(executor, call)
                               if threading.current_thread() is threading.main_thread() else call())
            if status != _OK:
                kinds = {_USAGE: ValueError, _NO_MEMORY: MemoryError, _INTERRUPTED: KeyboardInterrupt}
                raise kinds.get(status, Error)(message.decode())
            for window in added:
                _residents[_key(window)] = arrays[_key(window)]
        except BaseException:
            _end_residence(executor, added)
            raise
    return added


def _end_residence(executor, windows):
    global _resident
    for window in windows:
        _residents.pop(_key(window), None)
    if not _residents:
        _resident = None
    check(library.hetc_end_residence(executor, (Matrix * len(windows))(*windows), len(windows)))


def update(windows, to_host):
    with _run_lock:
        if _resident is None:
            raise Error("no matrix is resident any more")
        copy = library.hetc_update_host if to_host else library.hetc_update_devices
        check(copy(_resident, (Matrix * len(windows))(*windows), len(windows)))


def release(windows):
    """Copies the parts of them that runs have written to their arrays, and ends their residence."""
    with _run_lock:
        executor = _resident
        if executor is None: # in a child that was forked meanwhile
            return
        try:
            update(windows, True)
        finally:
            _end_residence(executor, windows)


def _threads(threads):
    if threads is None:
        text = os.environ.get("HETC_THREADS") or "0"
        if not (text.isascii() and text.isdigit() and len(text) < 10): # the interface knows how many there may be
            raise ValueError(f"HETC_THREADS is '{text}': it must be a number of threads")
        return int(text)
    return whole("threads", threads, least=1)


def make_executor_of_ranks(communicator, distribution, threads, devices):
    """Makes the executor of one of several ranks; `communicator`: MPI's Fortran handle. `devices`: a text, or None: those in use."""
    executor = ctypes.c_void_p()

    def make(threads, distribution, devices):
        return library.hetc_executor_create_ranks_devices(threads, communicator, distribution, devices, ctypes.byref(executor))

    try:
        count = _threads(threads)
        if devices is None:
            devices = devices_in_use()
        elif not isinstance(devices, str):
            raise TypeError(f"devices must be a str, not {type(devices).__name__}")
        texts = None if distribution is None else distribution.encode(), devices.encode()
    except (TypeError, ValueError):
        make(-1, None, b"none") # an error, on the other ranks, too
        raise
    if devices != "none":
        with _run_lock:
            _close_devices()
    check(make(count, *texts))
    return executor


# Whatever takes some milliseconds is run where it is called: Ctrl-C comes soon enough, and two switches of threads
# would take as long as the overhead of all else.
_SHORT_ELEMENTS = 1 << 19


def _interruptible(executor, call):
    """Runs call() in a thread of its own, while this one, Python's main thread, can be interrupted."""
    result = []
    done = threading.Lock()
    done.acquire()

    def work():
        try:
            result.append((call(), None))
        except BaseException as error:
            result.append((None, error))
        done.release()

    try:
        _thread.start_new_thread(work, ()) # signals are seen after a call only: no interrupt comes before it
        done.acquire()
    except BaseException as error:
        if _is_without_thread(error):
            return call()
        _end(executor, done, result)
        raise
    value, error = result[0]
    if error is not None:
        raise error
    return value


def _is_without_thread(error):
    """Whether no thread has begun, not for instance that a signal's handler has raised it."""
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and str(error).startswith(
        ("can't start new thread", "can't create new thread"))) # the second of an interpreter that ends


def _end(executor, done, result):
    """The arrays are in use until the run has ended, whatever else is interrupted. An interrupt may also have come just after
    the run: `done` has been acquired then."""
    while True:
        try:
            while not result and not done.acquire(timeout=0.01):
                library.hetc_interrupt(executor) # again and again: the run may not have begun
            return
        except BaseException:
            continue


def run(algorithm, windows, scalars=None, threads=None, tile=0, executor=None):
    """Runs an algorithm and returns LAPACK's info. `windows`: Matrix for each parameter, whose arrays live until the end.
    `executor`: that of ranks, or None."""
    matrices = (Matrix * len(windows))(*windows)
    count = len(scalars) if scalars else 0
    numbers = (Scalar * count)(*scalars) if count else None
    outcome = Outcome()
    threads, tile = _threads(threads), whole("tile", tile)
    with _run_lock, _Use(executor or _executor(threads)) as executor:

        def call():
            status = library.hetc_run(executor, algorithm, matrices, len(windows), numbers, count, tile,
                                      ctypes.byref(outcome))
            return status, (b"" if status == _OK else library.hetc_message())

        largest = max((w.rows * w.columns for w in windows), default=0)
        if largest > _SHORT_ELEMENTS and threading.current_thread() is threading.main_thread():
            status, message = _interruptible(executor, call)
        else:
            status, message = call()
    if status == _OK:
        return 0
    if status == _NUMERICAL:
        return outcome.info
    kinds = {_USAGE: ValueError, _NO_MEMORY: MemoryError, _INTERRUPTED: KeyboardInterrupt}
    raise kinds.get(status, Error)(message.decode())
