"""The version, once: the build, ``toolbrake --version`` and ``toolbrake.__version__`` read it here."""

__version__ = "0.1.0"
