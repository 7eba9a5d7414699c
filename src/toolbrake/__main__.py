"""``python -m toolbrake``: the command, where its script is not on the path."""

import sys

from toolbrake.cli import main

sys.exit(main())
