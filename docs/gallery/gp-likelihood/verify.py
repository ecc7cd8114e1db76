import sys
import numpy as np

if sys.argv[1] == "make":
    random = np.random.default_rng(8)
    points = random.uniform(0, 1, (300, 2))
    distances = np.linalg.norm(points[:, None, :] - points[None, :, :], axis=-1)
    for scale in "0.1", "0.3", "0.9":
        np.save(f"K{scale}.npy", np.asfortranarray(np.exp(-distances / float(scale)) + 0.01 * np.eye(300)))
    np.save("y.npy", np.linalg.cholesky(np.load("K0.3.npy")) @ random.standard_normal((300, 1)))
else:
    y = np.load("y.npy")
    for scale in "0.1", "0.3", "0.9":
        K, found = np.load(f"K{scale}.npy"), np.load(f"l{scale}.npy")[0, 0]
        expected = -(y.T @ np.linalg.solve(K, y))[0, 0] / 2 - np.linalg.slogdet(K)[1] / 2 - 150 * np.log(2 * np.pi)
        print(f"length {scale}: log p(y) = {found:.3f}, as NumPy has it: {abs(found - expected) < 1e-8}")
