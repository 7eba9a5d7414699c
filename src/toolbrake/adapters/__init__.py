"""Agent frameworks: one module each, which imports its framework and nothing of another's."""
