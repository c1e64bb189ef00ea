#!/usr/bin/env python3
"""spine_pictures.py VKSKIN SHOW.png CROWD.png: draws docs/spine_show.png and docs/spine_crowd.png; see pictures.sh.

Makes a 2D character, a fish with weighted meshes over thirteen bones, renders it four times with --show, and puts the four
pictures into one: mesh, mesh+wireframe, wireframe, wireframe+joints. The second picture is a crowd of them. The device
is the one that the environment names.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "spine"))
import fixtures  # noqa: E402
import pictures  # noqa: E402

WIDTH, HEIGHT = 480, 320  # of each panel
SHOWS = ("mesh", "mesh+wireframe", "wireframe", "wireframe+joints")
SPINE = 6   # bones from the head to the tail's root
STEP = 40   # units between them
PAGE = 256  # texels a side: the body in the upper half; below it fins and the eye


# ---- The page: colours as formulas of the place ----


def blend(low, high, t):
    return [low[c] + (high[c] - low[c]) * min(max(t, 0.0), 1.0) for c in range(3)]


def scales(x, y, size):
    """How bright a scale is at a point: half circles in rows that alternate."""
    row = math.floor(y / (size * 0.5))
    across = (x / size + 0.5 * (row % 2)) % 1.0 - 0.5
    down = y / (size * 0.5) - row
    return 1.0 - 0.35 * min(math.hypot(2.0 * across, down), 1.0) ** 3


def body_colour(x, y):
    """x from the nose to the tail, y from the back to the belly, both from 0 to 1."""
    stripe = 0.5 + 0.5 * math.sin(24.0 * x + 2.0 * math.sin(5.0 * y))
    colour = blend(blend((24, 94, 140), (46, 158, 178), stripe), (250, 226, 160), (y - 0.45) * 2.0)
    if x < 0.1 and abs(y - 0.6 - 0.8 * x) < 0.02:
        return 90, 40, 50  # the mouth
    bright = scales(x * 240.0, y * 120.0, 15.0) if x > 0.24 else 1.0 - 0.3 * max(0.0, 1.0 - abs(x - 0.24) * 60.0)
    return [c * bright for c in colour]


def fin_colour(x, y):
    rays = 0.82 + 0.18 * math.cos(50.0 * y)
    return [c * rays for c in blend((240, 120, 50), (250, 200, 80), x)]


def eye_colour(x, y):
    far = math.hypot(x - 0.5, y - 0.5)
    return ((20, 24, 34) if far < 0.24 and math.hypot(x - 0.4, y - 0.38) > 0.08 else (255, 255, 255)), far < 0.48


def texel(x, y):
    if y < PAGE // 2:
        return [int(c) for c in body_colour(x / PAGE, y / (PAGE / 2))] + [255]
    if x < PAGE // 2:
        return [int(c) for c in fin_colour(x / (PAGE / 2), (y - PAGE / 2) / (PAGE / 2))] + [255]
    colour, inside = eye_colour((x - PAGE / 2) / (PAGE / 2), (y - PAGE / 2) / (PAGE / 2))
    return list(colour) + [255 if inside else 0]


ATLAS = """fish.png
size: 256, 256
body
bounds: 1, 1, 254, 126
fin
bounds: 1, 129, 126, 126
eye
bounds: 129, 129, 126, 126
"""


# ---- Bones and meshes ----


def half_height(t):
    """Of the body, for t from 0 at the nose to 1 at the tail's root."""
    return 62.0 * math.sin(math.pi * t ** 0.62) ** 0.8 + 9.0 * t + 2.0


def weighted(points, joints):
    """Each point between the two bones whose joints lie beside it along x; joints: (bone, x, y), x ascending."""
    vertices = []
    for x, y in points:
        right = next((i for i in range(1, len(joints)) if joints[i][1] >= x), len(joints) - 1)
        left = right - 1
        t = min(max((x - joints[left][1]) / (joints[right][1] - joints[left][1]), 0.0), 1.0)
        t = t * t * (3.0 - 2.0 * t)
        pairs = [(joints[left], 1.0 - t), (joints[right], t)]
        vertices.append(sum(1 for _, weight in pairs if weight > 0.0))
        for (bone, at_x, at_y), weight in pairs:
            vertices += [bone, round(x - at_x, 3), round(y - at_y, 3), round(weight, 4)] if weight > 0.0 else []
    return vertices


def mesh(columns, rows, place, joints):
    """A grid whose points place(u, v) gives, u and v from 0 to 1."""
    _, uvs, triangles = fixtures.grid(columns, rows, 1.0, 1.0)
    points = [place(uvs[i], uvs[i + 1]) for i in range(0, len(uvs), 2)]
    return dict(type="mesh", uvs=uvs, triangles=triangles, vertices=weighted(points, joints))


def make_fish(folder):
    """The nose is at x = 0. Bones have no rotation in the setup pose, so that places are sums of x and y."""
    bones, joints = [fixtures.bone("root")], []
    for i in range(SPINE):
        bones.append(fixtures.bone("spine%d" % i, "spine%d" % (i - 1) if i else "root", x=STEP if i else 20))
        joints.append((len(bones) - 1, 20.0 + STEP * i, 0.0))
    end = joints[-1][1]

    def limb(name, parent, x, y, count, step_x, step_y):
        """A chain of bones; x, y: of the first one, from the parent. Returns its joints."""
        parent_x = next(j for j in joints if j[0] == parent)[1]
        found = []
        for k in range(count):
            bones.append(fixtures.bone("%s%d" % (name, k), bones[parent]["name"] if k == 0 else "%s%d" % (name, k - 1),
                                       x=x if k == 0 else step_x, y=y if k == 0 else step_y))
            found.append((len(bones) - 1, parent_x + x + k * step_x, y + k * step_y))
        return found

    tail = [joints[-1]] + limb("tail", joints[-1][0], 30, 0, 2, 36, 0)
    back = [joints[1]] + limb("back", joints[1][0], 30, 58, 2, 42, 16)
    side = limb("side", joints[1][0], 14, -22, 2, 34, -18)
    parts = {
        "tail": ("fin", mesh(6, 6, lambda u, v: (end - 4 + 100 * u - 34 * u * (1.0 - abs(2 * v - 1)),
                                                 (1 - 2 * v) * (10 + 68 * u ** 1.4)), tail)),
        "back": ("fin", mesh(7, 2, lambda u, v: (62 + 124 * u + 16 * (1 - v), half_height((62 + 124 * u) / end) * 0.85
                                                 + (1 - v) * 34 * (0.35 + math.sin(math.pi * u) ** 0.6)), back)),
        "body": ("body", mesh(14, 6, lambda u, v: (end * u, half_height(u) * (1 - 2 * v)), joints)),
        "side": ("fin", mesh(4, 3, lambda u, v: (joints[1][1] + 10 + 62 * u, -22 - 26 * u + (0.5 - v) * (16 + 34 * u)), side)),
        "eye": ("eye", dict(x=12, y=20, width=26, height=26))}
    slots = [dict(name=n, bone="spine0", attachment=path) for n, (path, _) in parts.items()]
    attachments = {n: {path: a} for n, (path, a) in parts.items()}
    def turn(angle):
        """To and fro within a second; it begins at the angle."""
        slow = [0.1875, angle, 0.3125, -angle], [0.6875, -angle, 0.8125, angle]
        return {"rotate": [dict(value=angle, curve=slow[0]), dict(time=0.5, value=-angle, curve=slow[1]),
                           dict(time=1, value=angle)]}

    swim = {"spine%d" % i: turn(angle) for i, angle in enumerate((8, 4, -4, -10, -12, -10))}
    swim.update(tail0=turn(-8), tail1=turn(16), back1=turn(-14), side0=turn(-10), side1=turn(-16))
    fixtures.png(os.path.join(folder, "fish.png"), PAGE, PAGE, texel)
    with open(os.path.join(folder, "fish.atlas"), "w", encoding="utf-8") as file:
        file.write(ATLAS)
    fish = dict(
        skeleton=dict(spine="4.2.0"), bones=bones, slots=slots, skins=[dict(name="default", attachments=attachments)],
        animations={"swim": dict(bones=swim)})
    with open(os.path.join(folder, "fish.json"), "w", encoding="utf-8") as file:
        json.dump(fish, file)


# ---- Panels ----


def crowd(program, folder, picture):
    """A street of fish as the docs show it."""
    subprocess.run([program, "crowd", os.path.join(folder, "fish.json"), "--count", "160", "--place", "street", "--frames",
                    "1", "--size", "720x270", "--background", "bfe3f2", "--force", "-o", picture],
                   check=True, stdout=subprocess.DEVNULL)


def main():
    if len(sys.argv) != 4 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    program, show_picture, crowd_picture = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        make_fish(folder)
        panels = []
        for i, show in enumerate(SHOWS):
            out = os.path.join(folder, "%d.png" % i)
            subprocess.run([program, "render", os.path.join(folder, "fish.json"), "--show", show, "--size",
                            "%dx%d" % (WIDTH, HEIGHT), "--background", "f4f6f8", "-o", out], check=True)
            panels.append(pictures.read_png(out))
        crowd(program, folder, crowd_picture)
    fixtures.png(show_picture, 2 * WIDTH, 2 * HEIGHT,
                 lambda x, y: panels[2 * (y // HEIGHT) + x // WIDTH][y % HEIGHT][x % WIDTH])


if __name__ == "__main__":
    main()
