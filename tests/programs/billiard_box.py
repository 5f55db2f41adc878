# verdict: SIGNIFICANT REFACTOR
# gates: 3 fail
"""Particles in a box that bounce off its walls; written body by body, with a report on every step."""

import numpy as np


class Box:
    def __init__(self, count, size):
        self.size = size
        self.x = np.random.uniform(0.0, size, count)
        self.y = np.random.uniform(0.0, size, count)
        self.vx = np.random.normal(0.0, 1.0, count)
        self.vy = np.random.normal(0.0, 1.0, count)

    def move(self, dt):
        self.x += self.vx * dt
        self.y += self.vy * dt

    def bounce(self):
        for i in range(self.x.shape[0]):
            if self.x[i] < 0.0 or self.x[i] > self.size:
                self.vx[i] = -self.vx[i]
            if self.y[i] < 0.0 or self.y[i] > self.size:
                self.vy[i] = -self.vy[i]

    def energy(self):
        return 0.5 * np.sum(self.vx ** 2 + self.vy ** 2)


def run(count, steps, dt):
    box = Box(count, 10.0)
    start = box.energy()
    history = []
    for n in range(steps):
        box.move(dt)
        box.bounce()
        now = float(box.energy())
        if abs(box.energy() - start) > 1e-6 * start:
            print("energy drifts in step", n)
        history.append(now)
    return history
