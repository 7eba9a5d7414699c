"""The performance bars, measured here and now: ratios in one run, never absolute times."""
