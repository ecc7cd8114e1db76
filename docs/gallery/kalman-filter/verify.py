import sys
import numpy as np

n, sensors, steps, tracks = 60, 20, 12, 30 # states, what is measured in a step, steps, filters at once
noise = 0.1
if sys.argv[1] == "make":
    random = np.random.default_rng(7)
    position, speed = np.arange(0, n, 2), np.arange(1, n, 2) # of n / 2 bodies
    F = np.eye(n)
    F[position, speed] = 1
    Q = np.diag(np.where(np.arange(n) % 2, 0.01, 0.0001))
    H = random.standard_normal((steps * sensors, n)) / np.sqrt(n)
    x, z = random.standard_normal((n, tracks)), []
    for s in range(steps):
        x = F @ x + np.sqrt(np.diag(Q))[:, None] * random.standard_normal(x.shape)
        z.append(H[s * sensors:(s + 1) * sensors] @ x + np.sqrt(noise) * random.standard_normal((sensors, tracks)))
    for name, matrix in dict(F=F, Q=Q, H=H, Z=np.vstack(z), X=np.zeros((n, tracks)), P=np.eye(n), truth=x).items():
        np.save(name + ".npy", np.asfortranarray(matrix))
else:
    F, Q, H, Z, x, P, truth, found, foundP = (
        np.load(name + ".npy") for name in ("F", "Q", "H", "Z", "X", "P", "truth", "filtered", "covariance"))
    for s in range(steps): # as textbooks have it, with the gain
        x, P = F @ x, F @ P @ F.T + Q
        h, z = H[s * sensors:(s + 1) * sensors], Z[s * sensors:(s + 1) * sensors]
        gain = P @ h.T @ np.linalg.inv(h @ P @ h.T + noise * np.eye(sensors))
        x, P = x + gain @ (z - h @ x), (np.eye(n) - gain @ h) @ P
    print("largest difference of states and covariances below 1e-10:", max(abs(x - found).max(), abs(P - foundP).max()) < 1e-10)
    print("root mean square error:", np.sqrt(np.mean((found - truth) ** 2)).round(3),
          "expected:", np.sqrt(np.mean(np.diag(foundP))).round(3))
