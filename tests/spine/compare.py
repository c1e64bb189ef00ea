"""compare.py PROGRAM: compares the engine's evaluation of the made characters with reference.py.

PROGRAM is dump_spine. Each character is evaluated at 20 times of each animation, with several choices of skins. Then each
feature is left out of the reference once: where no character shows a difference, the test would not notice that the engine
lacks it, and fails. At last all animations are mixed with each one by weights of 0 and 1, which must give exactly one
of both.
"""
import os
import subprocess
import sys
import tempfile

import fixtures
import reference

TIMES = 20
RUNS = [("arm", []), ("flag", []), ("train", []), ("face", []), ("face", ["cat"]), ("face", ["dog", "dressed"]),
        ("face", ["cat", "dog"]), ("scene", []), ("tentacle", []), ("tassel", ["%60"])]
EXACT_RUNS = [("flag", ["%exact"]), ("train", ["%exact"])]
EXACT = ("sampled keys", "sampled paths")  # what is left out then
TOLERANCE = 1e-4  # of the skeleton's size

# What may be left out, and the character that shows it.
FEATURES = {
    "arm": ["bones rotate", "bones translate", "bones translatex", "bones translatey", "bones scale", "bones scalex",
            "bones shear", "ik", "ik timeline", "ik softness", "ik compress", "ik stretch", "ik bend", "ik uniform"],
    "flag": ["bones scaley", "bones shearx", "bones sheary", "slots attachment", "attachments deform", "sampled keys"],
    "train": ["path", "path position", "path spacing", "path mix", "path constantSpeed", "sampled paths"],
    "face": ["slots rgba", "slots rgb", "slots alpha", "slots rgba2", "slots rgb2", "drawOrder", "skin bones",
             "skin constraints"],
    "scene": ["attachments sequence"],
    "tentacle": ["bones inherit", "transform", "transform timeline", "transform local", "transform relative", "order",
                 "inherit onlyTranslation", "inherit noRotationOrReflection", "inherit noScale",
                 "inherit noScaleOrReflection"] + ["transform " + m for m in ("rotate", "x", "y", "scaleX", "scaleY", "shearY")],
    "tassel": ["physics"] + ["physics " + m for m in ("timeline", "reset", "x", "y", "rotate", "scaleX", "shearX")],
}


def read_dump(program, path, skins):
    """[(animation, time, bones, slots, order)]; and the warnings."""
    text = subprocess.run([program, path, str(TIMES)] + skins, check=True, capture_output=True, text=True).stdout
    poses, warnings, animation = [], [], None
    for line in text.split("\n"):
        kind, *rest = line.split("\t")
        if kind == "A":
            animation = rest[1] if rest[0] != "-1" else None
        elif kind == "T":
            poses.append((animation, float(rest[0]), [], {}, []))
        elif kind == "B":
            a, b, c, d, x, y = [float(v) for v in rest[2:]]
            poses[-1][2].append((complex(a, c), complex(b, d), complex(x, y)))
        elif kind == "S":
            poses[-1][3][int(rest[0])] = {"name": rest[1], "skin": rest[2], "frame": int(rest[3]),
                                          "colours": [float(v) for v in rest[4:]]}
        elif kind in "VU" and kind:
            numbers = [float(v) for v in rest[1:]]
            poses[-1][3][int(rest[0])][kind] = list(zip(numbers[::2], numbers[1::2]))
        elif kind == "O":
            poses[-1][4].extend(int(v) for v in rest)
        elif kind == "W":
            warnings.append(rest[0])
    return poses, warnings


def worst(differences):
    return max(differences, default=(0.0, ""))


def slot_differences(skeleton, i, given, size):
    """(difference relative to the tolerance, what) of one slot; 1 is still good."""
    name, shown = skeleton.slots[i]["name"], skeleton.shown[i]
    wanted = shown[1] if shown else "-"
    result = [(max(abs(a - b) for a, b in zip(given["colours"], skeleton.colour[i] + skeleton.dark[i])) / 1e-5,
               "colour of " + name)]
    if given["name"] != wanted or (shown and (given["skin"] != shown[0] or given["frame"] != skeleton.frame[i])):
        return result + [(1e9, "%s shows %s of %s, frame %s" % (name, given["name"], given["skin"], given["frame"]))]
    if not shown:
        return result
    vertices = skeleton.vertices(i)
    if len(vertices) != len(given["V"]):
        return result + [(1e9, "number of vertices of " + name)]
    result.append(worst([(abs(complex(*a) - b) / size / TOLERANCE, "vertex %d of %s" % (k, name))
                         for k, (a, b) in enumerate(zip(given["V"], vertices))]))
    texcoords = skeleton.texcoords(i)
    if texcoords:
        result.append(worst([(max(abs(a[0] - b[0]), abs(a[1] - b[1])) / 1e-6, "texture coordinate %d of %s" % (k, name))
                             for k, (a, b) in enumerate(zip(given["U"], texcoords))]))
    return result


def pose_difference(skeleton, pose, skins, size):
    animation, time, bones, slots, order = pose
    skeleton.pose(animation, time, skins)
    found = [(max(abs(a - b) for a, b in zip(given, skeleton.world[i])) / size / TOLERANCE, "bone " + skeleton.bones[i]["name"])
             for i, given in enumerate(bones)]
    for i in range(len(skeleton.slots)):
        found += slot_differences(skeleton, i, slots[i], size)
    if order != skeleton.order:
        found.append((1e9, "draw order %s, not %s" % (order, skeleton.order)))
    difference, what = worst(found)
    return difference, "%s at %.4f s of %s" % (what, time, animation or "the setup pose")


def compare(path, skins, poses, leave_out=(), stop=False):
    """The worst difference, in tolerances; stop: at the first that is too large."""
    skeleton = reference.Skeleton(path, leave_out)
    skeleton.rate = 60 if "%60" in skins else None
    head = skeleton.data["skeleton"]
    result = (0.0, "")
    for pose in poses:
        result = max(result, pose_difference(skeleton, pose, skins, max(head["width"], head["height"])))
        if stop and result[0] > 1.0:
            break
    return result


def check_ends_of_mixes(program, path, skins, names):
    """The animations at two times; then each mixed with one of them by 0, which changes nothing, and by 1, which hides it."""
    def dump(*more):
        text = subprocess.run([program, path, "@0.1,0.4"] + skins + list(more), check=True, capture_output=True, text=True).stdout
        parts = ("\n" + text).split("\nA\t")[2:]  # after the setup pose
        return [[pose.strip() for pose in part.split("\nT\t")[1:]] for part in parts]
    plain = dump()
    good = len(plain) == len(names)
    for i, name in enumerate(names):
        good = good and dump("+%s:0.4:0" % name) == plain
        good = good and all(pose.startswith("0.4") and pose == plain[i][1]
                            for poses in dump("+%s:0.4:1" % name) for pose in poses)
    return good


def check_disagreement(folder):
    """Positions of influences matter only where they disagree."""
    skeleton = reference.Skeleton(os.path.join(folder, "tentacle.json"), ())
    head = skeleton.data["skeleton"]
    skeleton.pose(None, 0.0, [])
    slot = [s["name"] for s in skeleton.slots].index("sheath")
    share = skeleton.disagreement(slot) / max(head["width"], head["height"])
    print("influences of the tentacle's mesh disagree by %.2f of its size" % share)
    return share < 0.1


def main(program):
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        fixtures.make_all(folder)
        dumps = {}
        for name, skins in RUNS + EXACT_RUNS:
            path = os.path.join(folder, name + ".json")
            poses, _ = read_dump(program, path, skins)
            exact = "%exact" in skins
            if not exact:
                dumps.setdefault(name, []).append((path, skins, poses))
            difference, what = compare(path, skins, poses, EXACT if exact else ())
            good = difference <= 1.0
            failures += not good
            print("%-9s %-20s %4d poses, %8.2g of the tolerance: %s%s" % (
                name, ",".join(skins) or "-", len(poses), difference, what, "" if good else "  FAILED"))
            if not good and "VKSKIN_TEST_STOP" in os.environ:
                return 1
        for path, skins, poses in [dumps[name][0] for name in dumps if name != "tassel"]:  # springs know what was before
            names = list(dict.fromkeys(pose[0] for pose in poses if pose[0]))
            if not check_ends_of_mixes(program, path, skins, names):
                failures += 1
                print("%s: a mix by 0 or 1 is not one of the animations  FAILED" % os.path.basename(path))
        failures += check_disagreement(folder)
        for name, features in FEATURES.items():
            for feature in features:
                # Every third pose is enough to notice it, and saves time.
                noticed = any(compare(path, skins, poses[::3], [feature], True)[0] > 1.0 for path, skins, poses in dumps[name])
                failures += not noticed
                if not noticed:
                    print("nobody would notice that '%s' is missing  FAILED" % feature)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
