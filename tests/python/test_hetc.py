"""The Python package against NumPy: types, orders, overwriting, bad input, interrupts, forks, compiled algorithms."""

import array
import decimal
import fractions
import os
import pydoc
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import hetc

TYPES = [np.float32, np.float64, np.complex64, np.complex128]
SIZES = [0, 1, 7, 130]


@pytest.fixture(params=TYPES, ids=lambda t: np.dtype(t).char)
def dtype(request):
    return request.param


@pytest.fixture(params=["C", "F", "slice of C", "slice of F", "backwards"])
def order(request):
    return request.param


def laid_out(array, order):
    if order in ("C", "F"):
        return np.array(array, order=order)
    if order == "backwards":
        return np.array(array[::-1, ::-1])[::-1, ::-1]
    whole = np.full([size + 3 for size in array.shape], np.nan, array.dtype, order=order[-1])
    whole[1:-2, 1:-2] = array
    return whole[1:-2, 1:-2]


def random(dtype, *shape):
    generator = np.random.default_rng(sum(shape))
    array = generator.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        array = array + 1j * generator.standard_normal(shape)
    return array.astype(dtype)


def positive(dtype, n):
    a = random(dtype, n, n)
    return (a @ a.conj().T + n * np.eye(n)).astype(dtype)


def close(x, y):
    __tracebackhide__ = True
    tolerance = 3000 * np.finfo(x.dtype).eps
    assert x.shape == y.shape and x.dtype == y.dtype
    assert np.linalg.norm(x - y) <= tolerance * max(1, np.linalg.norm(y))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("overwrite", [True, False])
def test_cholesky(dtype, order, n, lower, overwrite):
    original = positive(dtype, n)
    a = laid_out(original, order)
    other = np.triu_indices(n, 1) if lower else np.tril_indices(n, -1)
    a[other] = np.nan # is not read
    before = a.copy()
    factor = hetc.cholesky(a, lower=lower, overwrite_a=overwrite)
    expected = np.linalg.cholesky(original)
    close(factor, expected if lower else expected.conj().T)
    if overwrite and order != "backwards":
        assert np.shares_memory(factor, a) or n == 0
    elif not overwrite:
        np.testing.assert_array_equal(a, before)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (80, 33), (33, 80), (130, 130)])
def test_lu(dtype, order, shape):
    original = random(dtype, *shape)
    a = laid_out(original, order)
    lu, p = hetc.lu(a)
    np.testing.assert_array_equal(a, original)
    k = min(shape)
    lower, upper = np.tril(lu[:, :k], -1) + np.eye(shape[0], k, dtype=dtype), np.triu(lu[:k])
    close(lower @ upper, original[p])
    assert np.all(np.abs(np.tril(lu, -1)) <= 1.5)


@pytest.mark.parametrize("mode", ["reduced", "complete", "r"])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (80, 33), (33, 80), (130, 130)])
def test_qr(dtype, order, shape, mode):
    original = random(dtype, *shape)
    a = laid_out(original, order)
    result = hetc.qr(a, mode)
    np.testing.assert_array_equal(a, original)
    expected = np.linalg.qr(original, mode)
    if mode == "r":
        assert result.shape == expected.shape
        close(np.abs(result), np.abs(expected))
        return
    q, r = result
    assert q.shape == expected[0].shape and r.shape == expected[1].shape
    close(q @ r, original)
    close(q.conj().T @ q, np.eye(q.shape[1], dtype=dtype))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("columns", [None, 0, 5])
@pytest.mark.parametrize("assume", ["gen", "pos"])
def test_solve(dtype, order, n, columns, assume):
    original = positive(dtype, n)
    if assume == "gen":
        original = (original + random(dtype, n, n)).astype(dtype)
    b = random(dtype, n) if columns is None else random(dtype, n, columns)
    a = laid_out(original, order)
    right = b.copy() if columns is None else laid_out(b, order)
    x = hetc.solve(a, right, assume_a=assume)
    np.testing.assert_array_equal(a, original)
    np.testing.assert_array_equal(right, b)
    close(x, np.linalg.solve(original, b))


def test_solve_in_place(dtype):
    original, b = positive(dtype, 50), random(dtype, 50, 3)
    a, x = np.asfortranarray(original), np.asfortranarray(b)
    result = hetc.solve(a, x, overwrite_a=True, overwrite_b=True)
    assert np.shares_memory(result, x)
    close(x, np.linalg.solve(original, b))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (80, 33), (33, 80), (130, 130)])
@pytest.mark.parametrize("columns", [None, 4])
def test_lstsq(dtype, order, shape, columns):
    original = random(dtype, *shape)
    if shape[0] == shape[1]:
        original = positive(dtype, shape[0])
    b = random(dtype, shape[0]) if columns is None else random(dtype, shape[0], columns)
    a = laid_out(original, order)
    x = hetc.lstsq(a, b)
    np.testing.assert_array_equal(a, original)
    close(x, np.linalg.lstsq(original, b, rcond=None)[0])


def test_integers_and_lists():
    close(hetc.solve([[2, 0], [0, 4]], [2, 2]), np.array([1.0, 0.5]))
    close(hetc.cholesky(np.array([[4, 2], [2, 5]])), np.array([[2.0, 0], [1, 2]]))


def test_no_copy_is_taken_for_an_exposed_array():
    class Exposing:
        array = positive(np.float64, 5)
        def __array__(self, dtype=None, copy=None):
            return self.array
    before = Exposing.array.copy()
    hetc.cholesky(Exposing())
    np.testing.assert_array_equal(Exposing.array, before)


def test_mixed_types():
    assert hetc.solve(positive(np.float32, 4), np.ones(4)).dtype == np.float64
    assert hetc.solve(positive(np.float64, 4), np.ones(4, np.complex64)).dtype == np.complex128


def test_numerical_errors():
    with pytest.raises(np.linalg.LinAlgError, match="minor of order 2"):
        hetc.cholesky(np.diag([1.0, -1, 1]))
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        hetc.solve(-np.eye(3), np.ones(3), assume_a="pos")
    with pytest.raises(np.linalg.LinAlgError, match="pivot 2 is exactly zero"):
        hetc.solve(np.ones((3, 3)), np.ones(3))
    with pytest.raises(np.linalg.LinAlgError, match="full rank"):
        hetc.lstsq(np.zeros((4, 2)), np.ones(4))
    lu, _ = hetc.lu(np.zeros((3, 3))) # complete all the same
    np.testing.assert_array_equal(lu, np.zeros((3, 3)))


def test_not_finite():
    assert np.isnan(hetc.solve(np.array([[np.nan, 1], [1, 2]]), np.ones(2))).all()
    assert hetc.lu(np.array([[np.inf, 1], [1, 2]]))[0].shape == (2, 2)


class Sparse:
    """Looks like a matrix of scipy.sparse."""
    shape, nnz = (3, 3), 3

    def toarray(self):
        raise AssertionError("nobody converts behind the caller's back")


@pytest.mark.parametrize("call, error, message", [
    (lambda: hetc.cholesky(np.ones((2, 3))), np.linalg.LinAlgError, "2 x 3; it must be square"),
    (lambda: hetc.cholesky(np.ones(3)), np.linalg.LinAlgError, "1-dimensional"),
    (lambda: hetc.cholesky(np.array([["a"]])), TypeError, "astype"),
    (lambda: hetc.cholesky(np.ones((2, 2), np.float16)), TypeError, "float16"),
    (lambda: hetc.cholesky(np.ones((2, 2), np.longdouble)), TypeError, "astype"),
    (lambda: hetc.solve(np.eye(3), np.ones(4)), ValueError, "b has 4 rows, but a has 3"),
    (lambda: hetc.solve(np.eye(3), np.ones(3), assume_a="sym"), ValueError, "'gen' or 'pos'"),
    (lambda: hetc.qr(np.eye(3), "raw"), ValueError, "'reduced'"),
    (lambda: hetc.qr(np.eye(3), threads=0), ValueError, "at least 1"),
    (lambda: hetc.qr(np.eye(3), threads="2"), TypeError, "must be an int"),
    (lambda: hetc.qr(np.eye(3), threads=100000), ValueError, "between 0 and 4096"),
    (lambda: hetc.algorithm("choleski"), ValueError, "no algorithm 'choleski' in this library; did you mean 'cholesky'"),
    (lambda: hetc.algorithm("gemm")(np.ones((3, 4)), np.ones((5, 6)), np.ones((3, 6))), ValueError,
     r"B is 5 x 6 \(k x n\), but A is 3 x 4 \(m x k\)"),
    (lambda: hetc.algorithm("gemm")("T", "N", np.ones((3, 4)), np.ones((4, 6)), np.ones((3, 6))), ValueError,
     r"B is 4 x 6 \(k x n\), but A is 3 x 4 \(k x m\)"),
    (lambda: hetc.algorithm("/nowhere/mine.tla"), FileNotFoundError, "there is no /nowhere/mine.tla"),
    (lambda: hetc.cholesky(Sparse()), TypeError, r"a is sparse \(a Sparse\).*toarray\(\)"),
    (lambda: hetc.solve(np.eye(3), Sparse()), TypeError, r"b is sparse"),
    (lambda: hetc.algorithm("potrs")(np.eye(3), Sparse()), TypeError, r"argument 2 is sparse"),
    (lambda: hetc.nothing, AttributeError, "nothing"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_names_and_help(tmp_path):
    assert re.fullmatch(r"\d+\.\d+\.\d+", hetc.__version__)
    assert {"cholesky", "gemm", "getrs"} <= set(hetc.algorithms())
    text = pydoc.render_doc(hetc.algorithm("gemm"))
    assert "gemm(A, B, C, opA=NoTrans, opB=NoTrans, alpha=1, beta=1, threads=None, tile=0)" in text
    assert "C: an array of m x n, which is changed in place" in text and re.search("B: an array of .*, which is only read", text)
    for name in hetc.algorithms():
        assert "no comment" not in pydoc.render_doc(hetc.algorithm(name)), name
    assert "order='F'" in hetc.algorithm("gemm").__class__.__doc__
    file = tmp_path / "scale.tla"
    file.write_text("/// A = alpha A.\n" + SCALE.split("\n", 1)[1])
    assert "A = alpha A." in pydoc.render_doc(hetc.algorithm(file))
    with pytest.raises(ValueError, match="no algorithm 'scael' in .*scale.tla; there is scale"):
        hetc.algorithm(file, algorithm="scael")
    with pytest.raises(FileNotFoundError, match="none.cpp"):
        hetc.algorithm(file, kernels=["none.cpp"])


def test_read_only_and_overlapping():
    a = np.eye(4, order="F")
    with pytest.raises(ValueError, match="overlap"):
        hetc.solve(a, a[:, 0], overwrite_a=True)
    a.flags.writeable = False
    hetc.cholesky(a)
    with pytest.raises(ValueError, match="read-only"):
        hetc.cholesky(a, overwrite_a=True)


def test_built_in_algorithm(dtype):
    gemm = hetc.algorithm("gemm")
    a, b, c = random(dtype, 40, 30), random(dtype, 50, 30), random(dtype, 40, 50)
    expected = c - a @ b.conj().T
    gemm("N", "C", -1, a, b, 1, c, threads=2, tile=16) # row-major: copied there and back
    close(c, expected)
    gemm(a, b, c, opB="ConjTrans", alpha=1)
    close(c, expected + a @ b.conj().T)


def test_workspaces():
    a = np.asfortranarray(random(np.float64, 60, 40))
    original = a.copy()
    hetc.algorithm("qr")(a, tile=16)
    close(np.abs(np.triu(a[:40])), np.abs(np.linalg.qr(original, "r")))


class Foreign:
    """An array of another library's, which only DLPack reaches."""

    def __init__(self, array, versioned=True, device=(1, 0)):
        self.array, self.versioned, self.device = array, versioned, device

    def __dlpack__(self, stream=None, **options):
        return self.array.__dlpack__(**(options if self.versioned else {}))

    def __dlpack_device__(self):
        return self.device


# NumPy before 2.1 knows no DLPack 1.0, and takes all that comes by it for read-only.
WRITES_DLPACK = tuple(int(part) for part in np.__version__.split(".")[:2]) >= (2, 1)


def test_arrays_of_others(dtype):
    a, b = random(dtype, 6, 4), random(dtype, 4, 5)
    c = np.zeros((6, 5), dtype, order="F")
    gemm = hetc.algorithm("gemm")
    if WRITES_DLPACK:
        gemm(Foreign(a), Foreign(b, versioned=False), Foreign(c), beta=0)
    else:
        gemm(Foreign(a), Foreign(b, versioned=False), c, beta=0)
    close(c, a @ b)
    gemm(memoryview(a), b, memoryview(c), beta=1)
    close(c, 2 * (a @ b))
    p = positive(dtype, 9)
    close(hetc.cholesky(Foreign(p)), np.linalg.cholesky(p))


def test_buffers_are_written():
    values = array.array("d", [1, 2, 3, 4])
    hetc.algorithm("gemm")(np.eye(4), np.arange(4.0)[:, None].copy(order="F"), values, beta=2)
    assert list(values) == [2, 5, 8, 11]


@pytest.mark.parametrize("given, message", [
    (Foreign(np.ones((4, 4)), versioned=False), "DLPack before 1.0"),
    (Foreign(np.ones((4, 4)), device=(2, 0)), "host's memory"),
    (memoryview(np.ones((4, 4))).toreadonly(), "C is read-only"),
    (np.lib.stride_tricks.as_strided(np.zeros((4, 1)), (4, 4), (8, 0)), "same memory for several elements"),
])
def test_arrays_that_cannot_be_written(given, message):
    with pytest.raises(ValueError, match=message):
        hetc.algorithm("gemm")(np.eye(4), np.eye(4), given)


@pytest.mark.parametrize("call, error, message", [
    (lambda f, a: f(a, a), TypeError, r"3 arrays are needed \(A, B, C\), 2 given"),
    (lambda f, a: f(a, a.copy(), a), ValueError, "A and C overlap"),
    (lambda f, a: f(a, a, np.ones((5, 4))), ValueError, "gemm: "),
    (lambda f, a: f(a, a.astype(np.float32), a.copy()), TypeError, "B has dtype float32; it must be float64"),
    (lambda f, a: f(a, a, a.copy(), gamma=1), TypeError, "no parameter 'gamma'"),
    (lambda f, a: f("N", a, a, a.copy(), opA="N"), TypeError, "given twice"),
    (lambda f, a: f(a, a, a.copy(), opA="X"), ValueError, "'NoTrans'"),
    (lambda f, a: f(a, a, a.copy(), alpha="x"), TypeError, "a number of type T"),
    (lambda f, a: f(a, a, a.copy(), tile=-1), ValueError, "tiles of -1"),
    (lambda f, a: f(a, a, a.copy(), opA=["N"]), ValueError, r"opA is \['N'\]"),
    (lambda f, a: f(a, a, np.broadcast_to(1.0, (4, 4))), ValueError, "C is read-only"),
])
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call(hetc.algorithm("gemm"), np.eye(4))


# Whatever is given for a number, and the number that it is: None, where it is none.
GIVEN = [
    (2, 2), (2.0, 2), (2 + 0j, 2), (np.int8(2), 2), (np.uint64(2), 2), (np.float32(2), 2), (np.complex64(2), 2),
    (np.array(2.0), 2), (np.array(2), 2), (fractions.Fraction(5, 2), 2.5), (decimal.Decimal("2.5"), 2.5), (2.5, 2.5), (0, 0),
    (-3, -3), (2**31, 2**31), (2**32 + 2, 2**32 + 2), (2**63, 2**63), (2**64 + 1, 2**64), (np.uint64(2**63), 2**63),
    (1j, 1j), (2 + 1j, 2 + 1j), (np.complex128(1j), 1j), (float("nan"), None), (float("inf"), None), (-1e400, None),
    (complex(0, float("inf")), None), (10**400, None), (10**5000, None), (np.longdouble("1e400"), None), ("2", None),
    ("1e3", None), (b"2", None), (np.str_("2"), None), (np.array("2"), None), (True, None), (np.bool_(True), None),
    (np.array(True), None), (np.array([2]), None), (np.array([2.0]), None), ([2], None), (None, None), (object(), None),
]
COUNT = """#include <tla/tla.hpp>
#pragma tla algorithm shape(A(m, n)) default(steps : 1, alpha : 1, beta : 1) tune(ib : 2 | 4)
template <typename T> void count(int steps, T alpha, tla::RealType<T> beta, int ib, tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      scal(T(steps) * alpha * T(beta), A(i, j));
    }
}
"""


def is_int(value):
    return isinstance(value, (int, np.integer)) or (isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "iu")


@pytest.fixture(scope="module")
def count(tmp_path_factory):
    file = tmp_path_factory.mktemp("count") / "count.tla"
    file.write_text(COUNT)
    return hetc.algorithm(file)


@pytest.mark.parametrize("name", ["steps", "alpha", "beta", "ib", "tile", "threads"])
def test_a_number_is_used_exactly_or_refused_by_name(count, dtype, name):
    """No part of what is given is ever dropped."""
    largest = {"threads": 4096}.get(name, 2**31 - 1)
    least = {"ib": 1, "threads": 1, "tile": 0, "steps": -2**31}.get(name)
    for given, value in GIVEN:
        if name == "threads" and given is None: # the default
            continue
        if name in ("alpha", "beta"):
            right = value is not None and (not isinstance(value, complex) or (name == "alpha" and np.dtype(dtype).kind == "c"))
        else:
            right = is_int(given) and value is not None and least <= value <= largest
        A = np.ones((1, 1), dtype, order="F")
        if right:
            count(A, **{name: given})
            assert A[0, 0] == (dtype(value) if name in ("steps", "alpha", "beta") else 1), (name, given)
            continue
        with pytest.raises((TypeError, ValueError)) as raised:
            count(A, **{name: given})
        said = str(raised.value)
        assert re.search(rf"\b{name} is |tiles of ", said) and len(said) < 200, (name, said)
        if isinstance(given, str) or (isinstance(given, int) and abs(given) < 10**19):
            assert (repr(given) if name not in ("alpha", "beta") else str(given).split("e")[0]) in said, (given, said)
        assert A[0, 0] == 1


def threads_of_process():
    return len(os.listdir("/proc/self/task"))


def test_executors_are_bounded():
    """The threads of few executors are left, whatever numbers of threads calls ask for; one that runs is kept."""
    a = positive(np.float64, 20)
    hetc.cholesky(a, threads=1)
    before = threads_of_process()
    for threads in range(1, 13):
        close(hetc.cholesky(a, threads=threads), np.linalg.cholesky(a))
    assert threads_of_process() <= before + 11 + 10
    for threads in (3, 1, 2):
        hetc.cholesky(a, threads=threads)
    assert threads_of_process() <= before + 1

    def handler(*_):
        for threads in range(2, 6):
            close(hetc.cholesky(a, threads=threads), np.linalg.cholesky(a))
        seen.append(1)

    seen, large = [], positive(np.float64, 1500)
    previous = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        while not seen:
            close(hetc.cholesky(large, threads=1), np.linalg.cholesky(large))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_interrupt():
    """In the middle of a run of many seconds; what comes after it works."""
    a = np.asfortranarray(positive(np.float64, 3000))
    previous = signal.signal(signal.SIGINT, signal.default_int_handler) # a background job ignores it
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                hetc.cholesky(a, threads=1)
    finally:
        signal.signal(signal.SIGINT, previous)
    assert time.monotonic() - begin < 60
    close(hetc.cholesky(np.eye(3)), np.eye(3))


def test_other_signals_do_not_stop_a_run():
    seen = []
    previous = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        a = positive(np.float64, 800)
        close(hetc.cholesky(a), np.linalg.cholesky(a))
        time.sleep(0.05)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert seen


def test_threads_of_python():
    a = positive(np.float64, 300)
    expected = np.linalg.cholesky(a)
    results = [None] * 8

    def work(i):
        results[i] = hetc.cholesky(a)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        close(result, expected)


def test_fork():
    hetc.cholesky(positive(np.float64, 300))
    child = os.fork()
    if child == 0:
        a = positive(np.float64, 300)
        os._exit(0 if np.allclose(hetc.cholesky(a), np.linalg.cholesky(a)) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def python(*arguments, **environment):
    return subprocess.run([sys.executable, *arguments], env={**os.environ, **environment}, capture_output=True, text=True,
                          check=False, timeout=120)


def test_interrupt_as_the_run_ends():
    """The signal is there before the main thread has seen the end."""
    result = python("-c", """
import signal, hetc._library as library
signal.signal(signal.SIGINT, signal.default_int_handler) # a background job ignores it
def call():
    signal.raise_signal(signal.SIGINT) # for the main thread, which sleeps on
    return "ended"
for _ in range(10):
    try:
        library._interruptible(None, call)
        print("not interrupted")
    except KeyboardInterrupt:
        pass
""")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), MemoryError(),
                                   RuntimeError("can't create new thread at interpreter shutdown")])
def test_no_thread_can_be_had(monkeypatch, error):
    def start(*_):
        raise error

    monkeypatch.setattr("_thread.start_new_thread", start)
    a = positive(np.float64, 800)
    close(hetc.cholesky(a), np.linalg.cholesky(a))


@pytest.mark.parametrize("seconds", [0.01, 0.3])
def test_the_interpreter_ends_during_a_run(seconds):
    """A run of another thread, which nobody waits for, is in the middle then."""
    result = python("-c", f"""
import threading, time, numpy as n, hetc
a = n.ones((2000, 2000)) + 2000 * n.eye(2000)
def work():
    while True:
        hetc.cholesky(a)
threading.Thread(target=work, daemon=True).start()
time.sleep({seconds})
print("leaving")
""")
    assert (result.returncode, result.stdout, result.stderr) == (0, "leaving\n", "")


def test_pytorch():
    """PyTorch's tensors are used where they lie; its OpenMP library stands beside others'."""
    torch = pytest.importorskip("torch")
    a = torch.randn(200, 200, dtype=torch.float64)
    positive_definite = a @ a.T + 200 * torch.eye(200, dtype=torch.float64)
    cholesky = hetc.algorithm("cholesky")
    for given in (positive_definite.clone(), positive_definite.clone().T.contiguous().T, torch.zeros(400, 400, dtype=torch.float64)[::2, ::2]):
        given.copy_(positive_definite)
        cholesky(given)
        close(torch.tril(given).numpy(), np.linalg.cholesky(positive_definite.numpy()))
    for given, message in ((positive_definite.requires_grad_(), "detach"), (torch.ones(4, 4, dtype=torch.bfloat16), "dtype"),
                           (torch.ones(3, 1, dtype=torch.float64).expand(3, 3), "same memory")):
        with pytest.raises(ValueError, match=message):
            cholesky(given)


def test_accelerate():
    program = "import {0}numpy as n; a = n.eye(500) * 2; print(n.linalg.solve(a, n.ones(500))[0])"
    result = python("-m", "hetc", "-c", program.format(""), HETC_VERBOSE="1", HETC_THREADS="2")
    assert result.returncode == 0 and result.stdout == "0.5\n"
    assert "dgesv" in result.stderr and "tiled" in result.stderr
    result = python("-c", program.format("hetc; hetc.accelerate(); import "), HETC_VERBOSE="1", HETC_THREADS="2")
    assert result.stdout == "0.5\n" and "tiled" in result.stderr
    result = python("-c", "import numpy, hetc; hetc.accelerate()")
    assert result.returncode == 1 and "python3 -m hetc script.py" in result.stderr


def test_without_libraries_or_compiler(tmp_path):
    result = python("-c", "import hetc; hetc.cost('x.tla')", HETC="no-such-program")
    assert "CompilerNotFound: HETC is 'no-such-program'" in result.stderr


def has_compiler():
    try:
        hetc.cost("gemm.tla", n=10, dist="2dbc:1x1")
        return True
    except (hetc.CompilerNotFound, hetc.CompileError):
        return False


needs_compiler = pytest.mark.skipif(not has_compiler(), reason="there is no command hetc of this version")
SCALE = """#include <tla/tla.hpp>
#pragma tla algorithm shape(A(m, n)) default(alpha : 2)
template <typename T> void scale(T alpha, tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      scal(alpha, A(i, j));
    }
}
"""


@needs_compiler
def test_compiled_algorithm(tmp_path, monkeypatch, dtype):
    monkeypatch.setenv("HETC_CACHE_DIR", str(tmp_path))
    file = tmp_path / "scale.tla"
    file.write_text(SCALE)
    scale = hetc.algorithm(file)
    a = np.ones((30, 20), dtype)
    scale(a, tile=8)
    np.testing.assert_array_equal(a, np.full((30, 20), 2, dtype))
    scale(3, a)
    np.testing.assert_array_equal(a, np.full((30, 20), 6, dtype))
    made = {f for f in os.listdir(tmp_path / "python")}
    hetc.algorithm(file)(a)
    assert {f for f in os.listdir(tmp_path / "python")} == made
    file.write_text(SCALE.replace("alpha : 2", "alpha : 5"))
    hetc.algorithm(file)(a)
    np.testing.assert_array_equal(a, np.full((30, 20), 60, dtype))


WRONG = """#include <tla/tla.hpp>
#pragma tla kernel
template <typename T> void work(int mistake, tla::Tile<T> A) {
  A(A.m() - 1 + (mistake == 1), 0) = T(1);
  if (mistake == 2)
    A.data()[A.m()] = T(2);
}
#pragma tla algorithm shape(A(m, n))
template <typename T> void wrong(int mistake, tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      work(mistake, A(i, j));
    }
}
"""


@needs_compiler
def test_debugging(tmp_path):
    """With HETC_DEBUG a kernel is compiled anew, its elements are checked, and its tiles are guarded."""
    (tmp_path / "wrong.tla").write_text(WRONG)
    program = (f"import hetc, numpy as np\n"
               f"f = hetc.algorithm({str(tmp_path / 'wrong.tla')!r})\n"
               f"for mistake in 0, 1, 2:\n"
               f"    try:\n"
               f"        f(mistake, np.zeros((30, 30), order='F'), tile=10)\n"
               f"        print('fine')\n"
               f"    except Exception as error: print(error)\n")

    def run(debug):
        environment = dict(os.environ, HETC_CACHE_DIR=str(tmp_path / "cache"), HETC_DEBUG=debug)
        return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True,
                              check=True).stdout.splitlines()

    assert run("0")[0] == "fine" and not any("outside" in line for line in run("0"))
    checked = run("1")
    assert checked[0] == "fine"
    assert "element (10, 0) is outside the 10 x 10 elements of the tile, at" in checked[1] and "wrong.tla:4" in checked[1]
    assert "the kernel writes element (10, 0), which is outside the 10 x 10 elements of tile A(0, 0)" in checked[2]


@needs_compiler
def test_compile_error(tmp_path, monkeypatch):
    monkeypatch.setenv("HETC_CACHE_DIR", str(tmp_path))
    file = tmp_path / "scale.tla"
    file.write_text(SCALE.replace("A(i, j));", "A(i - 1, j));"))
    with pytest.raises(hetc.CompileError, match=r"scale.tla:7:"):
        hetc.algorithm(file)(np.ones((3, 3)))
    with pytest.raises(FileNotFoundError):
        hetc.algorithm(tmp_path / "none.tla")(np.ones((3, 3)))


@needs_compiler
def test_cost():
    cost = hetc.cost("qr.tla", n=4000, nb=400, dist="2dbc:2x2")
    assert cost["nodes"] == 4 and len(cost["per_node"]) == 4 and cost["messages"] > 0
    with pytest.raises(hetc.CompileError, match="nonsense"):
        hetc.cost("qr.tla", n=4000, dist="nonsense")


@pytest.fixture
def devices():
    with hetc.use_devices("emulated:2"):
        yield


def test_on_devices(dtype, devices):
    M = random(dtype, 90, 90)
    A = M @ M.conj().T + 90 * np.eye(90, dtype=dtype)
    L = hetc.cholesky(A)
    assert np.allclose(L @ L.conj().T, A, atol=1e-3)
    b = random(dtype, 90, 3)
    assert np.allclose(A @ hetc.solve(A, b), b, atol=1e-2)


def positive(dtype, n):
    M = random(dtype, n, n)
    return (M @ M.conj().T + n * np.eye(n)).astype(dtype)


def test_resident(dtype, devices):
    n = 70
    S = positive(dtype, n)
    A = np.asfortranarray(S)
    potrf, potrs, gemm = (hetc.algorithm(name) for name in ("cholesky", "potrs", "gemm"))
    with potrf.resident(A, tile=16) as residence:
        potrf(A)
        for _ in range(2):
            b = np.asfortranarray(random(dtype, n, 2))
            x = b.copy(order="F")
            potrs(A, x)
            assert np.allclose(S @ x, b, atol=1e-2)
        with pytest.raises(ValueError, match="became resident as A"):
            gemm(A[:, :3], np.asfortranarray(random(dtype, 3, 3)), np.zeros((n, 3), dtype, order="F"))
        with pytest.raises(ValueError, match="end their residence"):
            hetc.use_devices("none")
        with pytest.raises(ValueError, match="B is resident"): # it would be copied
            gemm(np.zeros((n, n), dtype, order="F"), A.T, np.zeros((n, n), dtype, order="F"))
        with pytest.raises(ValueError, match="a is resident"):
            hetc.solve(A, b)
        residence.update_host()
        L = np.tril(A)
        residence.update_devices()
    assert np.allclose(L @ L.conj().T, S, rtol=1e-3, atol=1e-3) and (np.tril(A) == L).all()
    with pytest.raises(RuntimeError, match="not resident"):
        residence.update_host()
    potrf(np.asfortranarray(S)) # without a residence as before


def test_residences_end_one_by_one(devices):
    A, B = (np.asfortranarray(positive(np.float64, 50)) for _ in range(2))
    expected = np.linalg.cholesky(B + 50 * np.eye(50))
    potrf = hetc.algorithm("cholesky")
    with potrf.resident(A):
        with potrf.resident(B):
            pass
        B += 50 * np.eye(50)
        potrf(B)
        assert np.allclose(np.tril(B), expected)
        with potrf.resident(A): # is there already, and stays
            potrf(A)
        with pytest.raises(ValueError, match="is resident"):
            hetc.cholesky(A)
    hetc.cholesky(np.tril(A) @ np.tril(A).T)


def test_resident_inputs_do_not_come_back(devices):
    A, C = np.asfortranarray(random(np.float64, 40, 40)), np.zeros((40, 40), order="F")
    expected = A @ A
    gemm = hetc.algorithm("gemm")
    A.flags.writeable = False
    with gemm.resident(A, A, C):
        gemm(A, A, C)
    assert np.allclose(C, expected)


def test_resident_with_workspaces(devices):
    A = random(np.float64, 60, 40)
    R = np.linalg.qr(A, mode="r")
    A = np.asfortranarray(A)
    qr = hetc.algorithm("qr")
    with qr.resident(A, tile=16):
        qr(A)
    assert np.allclose(np.abs(np.triu(A[:40])), np.abs(R))


def test_a_residence_that_fails_is_none():
    S = positive(np.float64, 100)
    A, potrf = np.asfortranarray(S), hetc.algorithm("cholesky")
    with hetc.use_devices("emulated:2,fail=copy:3@1"):
        with pytest.raises(hetc.Error, match="injected fault"):
            potrf.resident(A, tile=16).__enter__()
        potrf(A)
        assert np.allclose(np.tril(A), np.linalg.cholesky(S))


@pytest.mark.parametrize("seconds", [0.0005, 0.002, 0.01])
def test_interrupted_residence(devices, seconds):
    S = positive(np.float64, 900)
    A, potrf = np.asfortranarray(S), hetc.algorithm("cholesky")
    previous = signal.signal(signal.SIGINT, signal.default_int_handler) # a background job ignores it
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            with potrf.resident(A, tile=32):
                timer.join()
                time.sleep(0.01)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, previous)
    potrf(A)
    assert np.allclose(np.tril(A), np.linalg.cholesky(S))


def test_fork_with_residents(devices):
    A, potrf = np.asfortranarray(positive(np.float64, 50)), hetc.algorithm("cholesky")
    with potrf.resident(A):
        child = os.fork()
        if child == 0:
            try:
                potrf(A)
            except hetc.Error as error:
                os._exit(0 if "parent process" in str(error) else 2)
            os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        potrf(A)


def test_mistakes_with_devices():
    with pytest.raises(ValueError, match="devices: "):
        hetc.use_devices("emulated:x")
    with pytest.raises(TypeError):
        hetc.use_devices(2)
    A = np.eye(20, order="F")
    with pytest.raises(ValueError, match="no devices"):
        hetc.algorithm("cholesky").resident(A).__enter__()
    with pytest.raises(ValueError, match="column-major"):
        hetc.algorithm("cholesky").resident(np.arange(9.0).reshape(3, 3))
    with hetc.use_devices("emulated:1,mem=2K"), pytest.raises(MemoryError, match="at home with emulated:0"):
        with hetc.algorithm("cholesky").resident(A, tile=5):
            pass
    hetc.algorithm("cholesky")(A)
