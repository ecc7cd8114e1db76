"""hetc.svd and hetc.pinv against NumPy: shapes, orders, parts, what has no rank, bad input."""

import numpy as np
import pytest

import hetc
from test_hetc import laid_out, order, random # noqa: F401: fixtures

EPS = np.finfo(np.float64).eps


def require_triplets(a, u, s, vh):
    __tracebackhide__ = True
    bound = 30 * max(1, *a.shape) * EPS
    k = len(s)
    assert np.linalg.norm(a @ vh[:k].conj().T - u[:, :k] * s) <= bound * max(1, np.linalg.norm(a))
    for columns in (u, vh.conj().T):
        assert np.linalg.norm(columns.conj().T @ columns - np.eye(columns.shape[1])) <= bound
    assert np.all(np.diff(s) <= 0) and np.all(s >= 0)


@pytest.mark.parametrize("m, n", [(0, 3), (3, 0), (1, 1), (2, 2), (70, 70), (150, 70), (70, 150), (1, 9)])
def test_svd(order, m, n):
    original = random(np.dtype(float), m, n)
    a = laid_out(original, order)
    expected = np.linalg.svd(original, compute_uv=False) if min(m, n) else np.zeros(0)
    bound = 30 * max(m, n) * EPS * max(1, expected.max(initial=0))
    for full in (True, False):
        u, s, vh = hetc.svd(a, full_matrices=full)
        assert u.shape == (m, m if full else min(m, n)) and vh.shape == (n if full else min(m, n), n)
        require_triplets(original, u, s, vh)
        assert np.all(np.abs(s - expected) <= bound)
    assert np.all(np.abs(hetc.svd(a, compute_uv=False) - expected) <= bound)
    np.testing.assert_array_equal(a, original)


def test_largest():
    a = random(np.dtype(float), 150, 90)
    u, s, vh = hetc.svd(a, k=7)
    assert u.shape == (150, 7) and vh.shape == (7, 90)
    require_triplets(a, u, s, vh)
    np.testing.assert_allclose(s, np.linalg.svd(a, compute_uv=False)[:7], rtol=1e-12)
    assert hetc.svd(a, k=0)[1].shape == (0,)
    with pytest.raises(ValueError, match="k is 91"):
        hetc.svd(a, k=91)


@pytest.mark.parametrize("m, n", [(60, 40), (40, 60), (50, 50)])
def test_pinv(m, n):
    a = random(np.dtype(float), m, 5) @ random(np.dtype(float), 5, n)
    np.testing.assert_allclose(hetc.pinv(a), np.linalg.pinv(a, rcond=1e-12), atol=1e-11)
    assert not hetc.pinv(np.zeros((m, n))).any()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_not_a_number(bad):
    a = np.ones((30, 20))
    a[29, 3] = bad
    for compute in (True, False):
        with pytest.raises(np.linalg.LinAlgError, match="NaN or infinity"):
            hetc.svd(a, compute_uv=compute)


@pytest.mark.parametrize("dtype", [np.float32, np.complex64, np.complex128])
def test_types(dtype):
    a = random(np.dtype(dtype), 60, 40)
    u, s, vh = hetc.svd(a, full_matrices=False)
    assert (u.dtype, s.dtype, vh.dtype) == (a.dtype, a.real.dtype, a.dtype)
    unit = 100 * np.finfo(dtype).eps
    np.testing.assert_allclose((u * s) @ vh, a, atol=unit * s[0])
    np.testing.assert_allclose(u.conj().T @ u, np.eye(40), atol=unit)
    np.testing.assert_allclose(hetc.svd(a, compute_uv=False), s, atol=unit * s[0])
