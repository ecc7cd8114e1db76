"""hetc.eigh and hetc.eigvalsh against NumPy: types, orders, triangles, subsets, generalized problems, bad input."""

import numpy as np
import pytest

import hetc
from test_hetc import dtype, laid_out, order, positive, random # noqa: F401: fixtures

SIZES = [0, 1, 2, 70, 150]


def hermitian(dtype, n):
    a = random(dtype, n, n)
    return a + a.conj().T


def eps(array):
    return np.finfo(array.dtype).eps


def require_pairs(a, w, v, b=None):
    """a v = b v diag(w), the vectors orthonormal with respect to b, w ascending."""
    __tracebackhide__ = True
    right = v if b is None else b @ v
    n = max(1, len(a))
    size = max(1, np.linalg.norm(a))
    assert np.linalg.norm(a @ v - right * w) <= 30 * n * eps(w) * size
    assert np.linalg.norm(v.conj().T @ right - np.eye(len(w))) <= 30 * n * eps(w)
    assert np.all(np.diff(w) >= 0)


def generalized_values(a, b):
    inverse = np.linalg.inv(np.linalg.cholesky(b))
    return np.linalg.eigvalsh(inverse @ a @ inverse.conj().T)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("overwrite", [True, False])
def test_eigh(dtype, order, n, lower, overwrite):
    original = hermitian(dtype, n)
    a = laid_out(original, order)
    a[np.triu_indices(n, 1) if lower else np.tril_indices(n, -1)] = np.nan # is not read
    if a.dtype.kind == "c":
        a[np.diag_indices(n)] += 3j # nor are these
    before = a.copy()
    w, v = hetc.eigh(a, lower=lower, overwrite_a=overwrite)
    expected = np.linalg.eigvalsh(original)
    assert w.dtype == expected.dtype and v.dtype == dtype and w.shape == (n,) and v.shape == (n, n)
    require_pairs(original, w, v)
    size = max(1, np.abs(expected).max(initial=0))
    assert np.all(np.abs(w - expected) <= 30 * n * eps(w) * size)
    if not overwrite:
        np.testing.assert_array_equal(a, before)
        np.testing.assert_allclose(hetc.eigvalsh(a, lower=lower), expected, atol=30 * n * eps(w) * size, rtol=0)
        np.testing.assert_array_equal(a, before)


@pytest.mark.parametrize("subset", [(0, 0), (149, 149), (3, 90), (0, 149), [np.int64(70), 71]])
def test_subset(dtype, subset):
    a = hermitian(dtype, 150)
    expected = np.linalg.eigvalsh(a)[subset[0]:subset[1] + 1]
    w, v = hetc.eigh(a, subset=subset)
    require_pairs(a, w, v)
    close = {"atol": 1000 * eps(w) * np.abs(np.linalg.eigvalsh(a)).max(), "rtol": 0}
    np.testing.assert_allclose(w, expected, **close)
    np.testing.assert_allclose(hetc.eigvalsh(a, subset=subset), expected, **close)


def test_interval(dtype):
    n = 120
    a = hermitian(dtype, n)
    expected = np.linalg.eigvalsh(a)
    low, high = (float(expected[20] + expected[21]) / 2, float(expected[57] + expected[58]) / 2)
    w, v = hetc.eigh(a, interval=(low, high))
    require_pairs(a, w, v)
    close = {"atol": 1000 * eps(w) * np.abs(expected).max(), "rtol": 0}
    np.testing.assert_allclose(w, expected[21:58], **close)
    np.testing.assert_allclose(hetc.eigvalsh(a, interval=(low, np.inf)), expected[21:], **close)
    for nothing in ((expected[-1] + 1, expected[-1] + 2), (-np.inf, expected[0] - 1)):
        w, v = hetc.eigh(a, interval=nothing)
        assert w.shape == (0,) and v.shape == (n, 0)
    b = positive(dtype, n)
    values = generalized_values(a, b)
    middle = float(values[40] + values[41]) / 2
    w, v = hetc.eigh(a, b, interval=(-np.inf, middle), lower=False)
    assert w.size == 41
    require_pairs(a, w, v, b)


def test_the_ends_of_an_interval():
    values = np.arange(1.0, 6)
    np.testing.assert_array_equal(hetc.eigvalsh(np.diag(values), interval=(2, 4)), [3, 4])


@pytest.mark.parametrize("lower", [True, False])
def test_generalized(dtype, lower):
    n = 90
    a, b = hermitian(dtype, n), positive(dtype, n)
    other = np.triu_indices(n, 1) if lower else np.tril_indices(n, -1)
    given_a, given_b = a.copy(), np.asfortranarray(b)
    given_a[other] = given_b[other] = np.nan
    w, v = hetc.eigh(given_a, given_b, lower=lower)
    require_pairs(a, w, v, b)
    expected = generalized_values(a, b)
    np.testing.assert_allclose(w, expected, atol=1000 * eps(w) * np.abs(expected).max(), rtol=0)
    part, vectors = hetc.eigh(a, b, subset=(5, 9))
    require_pairs(a, part, vectors, b)
    np.testing.assert_allclose(hetc.eigvalsh(a, b, subset=(5, 9)), part, atol=1000 * eps(w) * np.abs(expected).max(), rtol=0)
    hetc.eigh(given_a, given_b, lower=lower, overwrite_a=True, overwrite_b=True)


def test_the_vectors_are_the_same_on_any_threads(dtype):
    a = hermitian(dtype, 150)
    first, second = hetc.eigh(a, threads=1), hetc.eigh(a, threads=3)
    for one, other in zip(first, second):
        np.testing.assert_array_equal(one, other)


def test_mixed_types_and_integers():
    w, v = hetc.eigh(np.eye(3, dtype=np.float32), 2 * np.eye(3))
    assert w.dtype == v.dtype == np.float64
    np.testing.assert_allclose(w, 0.5)
    np.testing.assert_allclose(hetc.eigvalsh([[2, 1], [1, 2]]), [1, 3])


@pytest.mark.parametrize("call, error, message", [
    (lambda: hetc.eigh(np.ones((2, 3))), np.linalg.LinAlgError, "a is 2 x 3; it must be square"),
    (lambda: hetc.eigh(np.eye(3), np.ones((3, 2))), np.linalg.LinAlgError, "b is 3 x 2; it must be square"),
    (lambda: hetc.eigh(np.eye(3), np.eye(2)), ValueError, "b is 2 x 2, but a is 3 x 3"),
    (lambda: hetc.eigh(np.eye(3), -np.eye(3)), np.linalg.LinAlgError, "b is not positive definite: .* order 1"),
    (lambda: hetc.eigvalsh(np.eye(3), subset=(0, 3)), ValueError, r"subset\[1\] is 3; it must be below 3"),
    (lambda: hetc.eigvalsh(np.eye(3), subset=(-1, 2)), ValueError, r"subset\[0\] is -1; it must be at least 0"),
    (lambda: hetc.eigvalsh(np.eye(3), subset=(2, 1)), ValueError, r"subset is \(2, 1\); its first number"),
    (lambda: hetc.eigvalsh(np.eye(3), subset=(0.5, 1)), TypeError, r"subset\[0\] is 0.5; it must be an int"),
    (lambda: hetc.eigvalsh(np.eye(3), subset=2), ValueError, "subset is 2; it must be the numbers"),
    (lambda: hetc.eigvalsh(np.eye(3), subset=(1, 2, 3)), ValueError, "subset is"),
    (lambda: hetc.eigh(np.eye(3), interval=(1, 1)), ValueError, r"interval is \(1.0, 1.0\); its lower end must be below"),
    (lambda: hetc.eigh(np.eye(3), interval=(np.nan, 1)), ValueError, "interval is"),
    (lambda: hetc.eigvalsh(np.eye(3), interval="low"), ValueError, "interval is 'low'; it must be two numbers"),
    (lambda: hetc.eigvalsh(np.eye(3), interval=3), ValueError, "interval is 3; it must be two numbers"),
    (lambda: hetc.eigh(np.eye(3), subset=(0, 1), interval=(0, 1)), ValueError, "subset and interval are given"),
    (lambda: hetc.eigh(np.diag([1, np.nan, 1]), interval=(0, 1)), np.linalg.LinAlgError, "a has NaN or infinity in it"),
    (lambda: hetc.eigh(np.diag([1, np.nan, 1])), np.linalg.LinAlgError, "a has NaN or infinity in it"),
    (lambda: hetc.eigvalsh(np.diag([1, np.inf, 1])), np.linalg.LinAlgError, "a has NaN or infinity in it"),
    (lambda: hetc.eigvalsh(np.eye(2, dtype=np.float16)), TypeError, "a has dtype float16"),
    (lambda: hetc.eigh(np.broadcast_to(1.0, (2, 2)), overwrite_a=True), ValueError, "a is read-only"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
