"""Lloyd's algorithm for k-means clustering, with distances as one matrix product."""

import numpy as np


def squared_distances(points, centres):
    """(points, centres) matrix of squared distances, by the expansion of (p - c)^2."""
    p2 = np.sum(points**2, axis=1)
    c2 = np.sum(centres**2, axis=1)
    return p2[:, np.newaxis] - 2.0 * points @ centres.T + c2[np.newaxis, :]


def update_centres(points, labels, k):
    """Mean of the points of each cluster; a one-hot matrix turns the grouping into a product."""
    member = (labels[:, np.newaxis] == np.arange(k)[np.newaxis, :]).astype(points.dtype)
    counts = np.maximum(member.sum(axis=0), 1.0)
    return member.T @ points / counts[:, np.newaxis]


def kmeans(points, k, iterations=50, tolerance=1e-6, seed=1):
    rng = np.random.default_rng(seed)
    centres = points[rng.integers(0, points.shape[0], k)]
    for iteration in range(iterations):
        labels = np.argmin(squared_distances(points, centres), axis=1)
        moved = update_centres(points, labels, k)
        shift = np.sum((moved - centres) ** 2)
        centres = moved
        # Asking the device in every pass makes the host wait for it in every pass.
        if shift < tolerance:
            break
    return centres, labels


def main():
    rng = np.random.default_rng(7)
    blobs = [rng.standard_normal((2_000_000, 3)) + 6.0 * corner for corner in np.eye(3)]
    points = np.concatenate(blobs)
    centres, labels = kmeans(points, 3)
    print(np.round(centres, 1))
    print("members:", np.bincount(labels))


if __name__ == "__main__":
    main()
