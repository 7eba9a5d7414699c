"""What ``toolbrake demo`` shows: a stuck agent with and without a guard, and the loops of a recorded run.

No network, no key, no clock: every run of it prints the same.
"""
