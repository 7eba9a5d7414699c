"""Other projects' loop detectors over the same runs, labels, cases and probes as ``toolbrake eval``."""
