"""Loops that report, and files: nothing of what is shown may be lost."""
import io

import numpy as np


# with: 8
def table_of_every_third(n: int):
    mel, out = np.arange(3.0 * n).reshape(n, 3), io.StringIO()
    np.savetxt(out, mel[::3], fmt="%.3f")  # follow: R112 call
    return out.getvalue()


# with: 8
def table_of_a_window(n: int):
    mel, out = np.arange(3.0 * n).reshape(n, 3), io.StringIO()
    np.savetxt(out, mel[1:4])  # says: R112 "onp.asarray(mel[1:4])"
    return out.getvalue()


# with: 8
def table_backwards(n: int):
    mel, out = np.arange(3.0 * n).reshape(n, 3), io.StringIO()
    np.savetxt(out, (mel + 1.0)[::-1, 0])  # follow: R112 call
    return out.getvalue()


# with: 4
def archive_of_a_list(n: int):
    energy, out = [0.5, 0.25], io.BytesIO()
    np.savez(out, cov=np.ones(n), energy=np.array(energy))  # says: R112 "energy=energy)"
    return n


def archive_of_a_type(n: int):
    energy, out = [0.5, 0.25], io.BytesIO()
    np.savez(out, energy=np.array(energy, dtype=np.float32))  # lacks: R112 "energy=energy)"
    return n


def stations(n: int):
    cov = np.ones((24, n))
    for g in range(24):
        longest = cov[g].max() * 30.0
        print(f"{g}: {np.mean(cov[g] > 0)} {longest}")  # says: R117 "each pass shows another part of `cov`"
    return n


def stations_are_all_shown(n: int):
    cov = np.ones((24, n))
    for g in range(24):
        print(f"{g}: {np.mean(cov[g] > 0)}")  # lacks: R117 "% 10"
    return n


def regions(n: int):
    labels = np.arange(n) % 50
    for g in range(50):
        print(g, np.sum(labels == g))  # says: R117 "each pass shows other data"
    return n


def on_the_way(n: int):
    u = np.ones((50, n))
    for it in range(1000):
        u = u * 0.5
        print(it, u[it % 50].max())  # says: R117 "`if it % 100 == 0:`"
    return u


def on_the_way_in_place(n: int):
    u = np.ones((50, n))
    for it in range(1000):
        u[it % 50] = it
        print(it, u[it % 50].max())  # says: R117 "`if it % 100 == 0:`"
    return u


def drawn_on_the_way(n: int):
    u = np.ones((50, n))
    for it in range(1000):
        print(it, np.random.rand(n).max() * u[it % 50].max())  # says: R117 "`if it % 100 == 0:`"
    return u


def curves(n: int):
    import matplotlib.pyplot as plt

    u = np.ones((50, n))
    for i in range(50):
        plt.plot(u[i])  # says: R117 "copy it to the host once before the loop, `onp.asarray(u)` with host NumPy"
    return n


def snapshots(n: int):
    import matplotlib.pyplot as plt

    u = np.ones(n)
    for i in range(50):
        u = u * 0.5
        plt.plot(u)  # says: R117 "`if i % 10 == 0:`"
    return n
