"""One module a rival. They run in the rival's environment: nothing of toolbrake is importable there."""
