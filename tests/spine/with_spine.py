"""with_spine.py PROGRAM...: runs the program with a folder of the made characters as its last argument."""
import subprocess
import sys
import tempfile

import fixtures

with tempfile.TemporaryDirectory() as folder:
    fixtures.make_all(folder)
    fixtures.make_cards(folder)
    sys.exit(subprocess.run([*sys.argv[1:], folder]).returncode)
