"""stored.py VKSKIN LIKENESS FOLDER [--store]: pictures of the made characters, four times of an animation each, against the
stored pictures of the folder: alike from 38 dB, on every driver. Those of other times are at 35 dB or less. --store renders
them again: look at them before they are kept. The device is the one that the environment names.
"""
import os
import subprocess
import sys
import tempfile

import fixtures

CHARACTERS = {"arm": "reach", "flag": "wave", "train": "drive", "face": "talk", "scene": "play", "tentacle": "curl"}
ALIKE, DIFFERENT = 38, 35


def main(program, likeness, stored, store):
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        fixtures.make_all(folder)
        for name, clip in CHARACTERS.items():
            kept, out = os.path.join(stored, "spine_%s.png" % name), os.path.join(folder, "out.png")
            for time, skin in (("0.1", "dressed"),) if store else (("0.1", "dressed"), ("0.45", "dressed")):
                subprocess.run([program, "render", os.path.join(folder, name + ".json"), "--clip", clip, "--time", time, "--sheet",
                                "2x2", "--size", "120x90", "--validate", "--force", "-o", kept if store else out,
                                *(["--skin", skin] if name == "face" else [])], check=True)
                if store:
                    continue
                text = subprocess.run([likeness, kept, out], check=True, capture_output=True, text=True).stdout
                good = float(text) >= ALIKE if time == "0.1" else float(text) <= DIFFERENT
                failures += not good
                print("%-9s from %s s: %s dB%s" % (name, time, text.strip(), "" if good else "  FAILED"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*[os.path.abspath(path) for path in sys.argv[1:4]], sys.argv[4:] == ["--store"]))
