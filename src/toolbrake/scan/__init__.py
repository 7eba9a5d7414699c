"""Recorded runs: reading them, and folding a policy over them."""
