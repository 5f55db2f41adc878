# verdict: READY
# gates: 2 uncertain, 3 pass, 4 uncertain, 5 uncertain
"""European options in the Black-Scholes model, all of a book at once."""

import numpy as np


def normal_cdf(x):
    """Zelen and Severo's approximation, good to seven digits."""
    k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi) * poly
    return np.where(x >= 0.0, 1.0 - tail, tail)


def prices(spot, strike, years, rate, volatility):
    """Call and put prices of arrays of options."""
    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-rate * years)
    call = spot * normal_cdf(d1) - discounted * normal_cdf(d2)
    put = call - spot + discounted
    return call, put


def book(n, seed=7):
    np.random.seed(seed)
    spot = np.random.uniform(5.0, 30.0, n)
    strike = np.random.uniform(1.0, 100.0, n)
    years = np.random.uniform(0.25, 10.0, n)
    return spot, strike, years


def value(n):
    spot, strike, years = book(n)
    call, put = prices(spot, strike, years, 0.02, 0.3)
    return call.sum(), put.sum()
