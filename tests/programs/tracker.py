# verdict: NOT RECOMMENDED
# gates: 2 fail, 4 fail
"""A Kalman filter that follows one target: a state of four numbers, one measurement per step."""

import numpy as np


def model(dt):
    transition = np.eye(4)
    transition[0, 2] = dt
    transition[1, 3] = dt
    observe = np.zeros((2, 4))
    observe[0, 0] = 1.0
    observe[1, 1] = 1.0
    return transition, observe


def track(steps, dt):
    transition, observe = model(dt)
    noise = 0.01 * np.eye(4)
    error = 0.5 * np.eye(2)
    state = np.zeros((4, 1))
    spread = np.eye(4)
    for k in range(steps):
        seen = np.array([[0.1 * k], [0.2 * k]])
        state = transition @ state
        spread = transition @ spread @ transition.T + noise
        innovation = seen - observe @ state
        s = observe @ spread @ observe.T + error
        gain = spread @ observe.T @ np.linalg.inv(s)
        state = state + gain @ innovation
        spread = (np.eye(4) - gain @ observe) @ spread
    return state


if __name__ == "__main__":
    print(track(10_000, 0.1))
