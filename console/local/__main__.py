"""Commands for a local start: `python -m console.local up`."""

import sys

from console.local.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
