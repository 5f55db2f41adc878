"""Prices an Asian call option by Monte Carlo: the pay-off depends on the mean of the price over the option's life."""

import numpy as np


def simulate_paths(spot, rate, volatility, years, steps, paths, seed=1):
    """Running sum of the prices along each path; whole arrays over paths, one Python step per date."""
    rng = np.random.default_rng(seed)
    dt = years / steps
    drift = (rate - 0.5 * volatility**2) * dt
    scale = volatility * np.sqrt(dt)
    log_price = np.full(paths, np.log(spot))
    total = np.zeros(paths)
    for _ in range(steps):
        log_price += drift + scale * rng.standard_normal(paths)
        total += np.exp(log_price)
    return total / steps


def asian_call(spot, strike, rate, volatility, years, steps=64, paths=200_000):
    """Discounted mean pay-off and its standard error."""
    mean_price = simulate_paths(spot, rate, volatility, years, steps, paths)
    payoff = np.maximum(mean_price - strike, 0.0) * np.exp(-rate * years)
    value = np.mean(payoff)
    error = np.sqrt(np.mean((payoff - value) ** 2) / paths)
    return value, error


def price_ladder(strikes, **market):
    """One price for each strike; the strikes are few, so this loop costs nothing."""
    return {strike: asian_call(strike=strike, **market) for strike in strikes}


if __name__ == "__main__":
    ladder = price_ladder([90.0, 100.0, 110.0], spot=100.0, rate=0.03, volatility=0.25, years=1.0)
    for strike, (value, error) in ladder.items():
        print(f"strike {strike:5.1f}: {float(value):7.4f} +- {float(error):.4f}")
