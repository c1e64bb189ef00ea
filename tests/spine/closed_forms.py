"""closed_forms.py PROGRAM: small 2D characters whose answers are known as numbers, each with its derivation.

PROGRAM is dump_spine. A bone's matrix is written as its x axis, its y axis and its origin.
"""
import cmath
import json
import math
import os
import subprocess
import sys
import tempfile

import fixtures

ATLAS = "none.png\nsize: 10, 10\npicture\nbounds: 0, 0, 10, 10\n"
ROOT = {"name": "root"}
HALF = math.sqrt(0.5)  # cosine and sine of 45 degrees


def bone(name, parent="root", **members):
    return dict({"name": name, "parent": parent}, **members)


def run(program, folder, sections, times, extras):
    """The matrices of all bones, the vertices, texture coordinates, pictures and colours of slots, the draw order, at each time;
    without times in the setup pose. sections: of the file, and the text of its atlas."""
    data = dict({"skeleton": {"spine": "4.2.0", "width": 10, "height": 10}, "skins": [{"name": "default"}]}, **sections)
    atlas = data.pop("atlas", ATLAS)
    path = os.path.join(folder, "case.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file)
    with open(path[:-5] + ".atlas", "w", encoding="utf-8") as file:
        file.write(atlas)
    text = "@" + ",".join(str(t) for t in times)
    lines = subprocess.run([program, path, text, *extras], check=True, capture_output=True, text=True).stdout.split("\n")
    poses = []
    for line in lines:
        kind, *rest = line.split("\t")
        if kind == "T":
            poses.append({})
        elif kind == "B":
            a, b, c, d, x, y = [float(v) for v in rest[2:]]
            poses[-1][data["bones"][int(rest[0])]["name"]] = [a, c, b, d, x, y]
        elif kind == "V":
            poses[-1][data["slots"][int(rest[0])]["name"]] = [float(v) for v in rest[1:]]
        elif kind == "U":
            poses[-1][data["slots"][int(rest[0])]["name"] + " texcoords"] = [float(v) for v in rest[1:]]
        elif kind == "S":
            poses[-1][data["slots"][int(rest[0])]["name"] + " colours"] = [float(v) for v in rest[4:]]
            poses[-1][data["slots"][int(rest[0])]["name"] + " shows"] = rest[1:2]
            poses[-1][data["slots"][int(rest[0])]["name"] + " frame"] = [int(rest[3])]
        elif kind == "O":
            poses[-1]["order"] = [float(v) for v in rest]
    return poses[1:] if times else poses[:1]


CASES = []


def case(name, sections, wanted, times=(), extras=()):
    """wanted: for each time {bone or slot: numbers}; None: not checked. extras: arguments of dump_spine."""
    CASES.append((name, sections, wanted if times else [wanted], times, extras))


def both(name, sections, sampled, exact, times=()):
    """The curves of the runtime, and exact ones."""
    case(name, sections, sampled, times)
    case(name + ", exact", sections, exact, times, ("%exact",))


def move(name, **timelines):
    return {"animations": {"a": {"bones": {name: timelines}}}}


MOVER = {"bones": [ROOT, bone("b")]}
X = lambda x: {"b": [None, None, None, None, x, None]}

# ---- Weights ----

# They count as they are: 2 x 4 + 6 x (10 + 0) = 68; without weight a vertex is at the origin; -0.5 x (10 + 2) + 1.5 x 4 = 0.
LOOSE = dict(type="mesh", path="picture", uvs=[0, 0, 1, 0, 0, 1], triangles=[0, 1, 2],
             vertices=[2, 0, 4, 0, 2, 1, 0, 0, 6, 2, 1, 1, 2, 0, 0, 5, 5, 0, 2, 1, 2, 3, -0.5, 0, 4, 4, 1.5])
case("weights that do not sum to 1", {"bones": [ROOT, bone("b", x=10)], "slots": [{"name": "s", "bone": "root", "attachment": "m"}],
                                      "skins": [{"name": "default", "attachments": {"s": {"m": LOOSE}}}]},
     {"s": [68, 0, 0, 0, 0, 4.5]})

# ---- Curves: x over time ----

# A quarter and three quarters of the way from 0 to 10.
case("linear", dict(MOVER, **move("b", translate=[{"x": 0}, {"time": 2, "x": 10}])), [X(2.5), X(7.5)], (0.5, 1.5))
# The setup pose before the first key; 4 is added to it at the key; the last one holds.
case("linear, outside", dict(MOVER, bones=[ROOT, bone("b", x=1)], **move("b", translatex=[{"time": 1, "value": 4}, {"time": 2, "value": 6}])),
     [X(1), X(5), X(7)], (0.9, 1, 3))
# The first key holds until the time of the second.
case("stepped", dict(MOVER, **move("b", translate=[{"x": 3, "curve": "stepped"}, {"time": 2, "x": 10}])), [X(3), X(10)], (1.99, 2))
case("stepped, then linear", dict(MOVER, **move("b", translatex=[{"value": 3, "curve": "stepped"}, {"time": 1, "value": 5}, {"time": 2, "value": 9}])),
     [X(3), X(7)], (0.5, 1.5))
# Handles at a third and two thirds of the time: time is t = 3 s. Values 0, 0, 10, 10: 10 (3 s^2 - 2 s^3), which is 5 at
# s = 1/2 and 10 (3/16 - 2/64) = 1.5625 at s = 1/4. On straight pieces s = 1/4 is half-way from 1.04, at s = 0.2, to 2.16.
both("Bezier, even time", dict(MOVER, **move("b", translatex=[{"value": 0, "curve": [1, 0, 2, 10]}, {"time": 3, "value": 10}])),
     [X(5), X(1.6), X(0.14), X(9.86)], [X(5), X(1.5625), X(0.0725), X(9.9275)], (1.5, 0.75, 0.15, 2.85))
# Both handles at time 0: t = 8 s^3, so t = 1 is s = 1/2, and t = 1/2 is s = 1/16^(1/3). Values 0, 4, 8, 12 are 12 s. A
# straight piece goes from t = 0.216 to 0.512, from 3.6 to 4.8.
both("Bezier, even value", dict(MOVER, **move("b", translatex=[{"value": 0, "curve": [0, 4, 0, 8]}, {"time": 8, "value": 12}])),
     [X(6), X(12), X(3.6 + 1.2 * 0.284 / 0.296)], [X(6), X(12), X(12 / 16 ** (1 / 3))], (1, 8, 0.5))
# Handles beyond the keys: t = 3 s(1-s)^2 (-1) + 3 s^2 (1-s) 2 + s^3 = -3 s + 12 s^2 - 8 s^3 is 1/2 first at s = 1/2, and
# values 0, 1, 2, 3 are 3 s. s = 1/2 is a knot of the straight pieces, too.
case("Bezier, time runs back", dict(MOVER, **move("b", translatex=[{"value": 0, "curve": [-1, 1, 2, 2]}, {"time": 1, "value": 3}])),
     [X(1.5)], (0.5,))
# A deform key mixes by the same curve: 10 x 0.16 at a quarter, added to the one influence of each vertex.
MESH = {"type": "mesh", "path": "picture", "uvs": [0, 0, 1, 0, 0, 1], "triangles": [0, 1, 2], "vertices": [0, 0, 1, 0, 0, 1]}
case("deform", {"bones": [ROOT], "slots": [{"name": "s", "bone": "root", "attachment": "m"}],
                "skins": [{"name": "default", "attachments": {"s": {"m": MESH}}}],
                "animations": {"a": {"attachments": {"default": {"s": {"m": {"deform": [
                    {"curve": [1, 0, 2, 1]}, {"time": 3, "offset": 2, "vertices": [10, 20]}]}}}}}}},
     [{"s": [0, 0, 2.6, 3.2, 0, 1]}, {"s": [0, 0, 11, 20, 0, 1]}], (0.75, 4))

# ---- Inherit modes: the parent P turns by 90 degrees and scales by (2, 3): (x, y) becomes (-3 y, 2 x) ----


def inherits(mode, parent, **child):
    return {"bones": [ROOT, bone("p", **parent), bone("c", "p", x=1, inherit=mode, **child)]}


P = {"rotation": 90, "scaleX": 2, "scaleY": 3}
C, S = math.cos(math.radians(30)), 0.5  # of the child's rotation by 30 degrees
MIRROR = {"scaleX": -2, "scaleY": 3}    # (x, y) becomes (-2 x, 3 y)
# The axes (C, S) and (-S, C) through P; x = 1 is at (0, 2).
case("normal", inherits("normal", P, rotation=30), {"c": [-3 * S, 2 * C, -3 * C, -2 * S, 0, 2]})
# The axes (0, 1) and (-1, 0) through the mirror.
case("normal, mirrored", inherits("normal", MIRROR, rotation=90), {"c": [0, 3, 2, 0, -2, 0]})
# The place is that of P, the axes are the child's own.
case("onlyTranslation", inherits("onlyTranslation", P, rotation=30), {"c": [C, S, -S, C, 0, 2]})
case("onlyTranslation, mirrored", inherits("onlyTranslation", MIRROR, rotation=90), {"c": [0, 1, -1, 0, -2, 0]})
# P's scale by 2 lies along y of the model, that by 3 along x: the child's own axes, scaled by (3, 2).
case("noRotationOrReflection", inherits("noRotationOrReflection", P, rotation=30), {"c": [3 * C, 2 * S, -3 * S, 2 * C, 0, 2]})
# The scale by (2, 3) without its sign.
case("noRotationOrReflection, mirrored", inherits("noRotationOrReflection", MIRROR), {"c": [2, 0, 0, 3, -2, 0]})
# The x axis has the direction of (-3 S, 2 C) = (-1.5, sqrt 3) of length sqrt 5.25, the y axis is at a right angle.
D = math.sqrt(5.25)
TURNED = {"c": [-1.5 / D, math.sqrt(3) / D, -math.sqrt(3) / D, -1.5 / D, 0, 2]}
case("noScale", inherits("noScale", P, rotation=30), TURNED)
case("noScaleOrReflection", inherits("noScaleOrReflection", P, rotation=30), TURNED)
# The x axis points to -x; the mirror's y axis points to y, without reflection it is x turned by 90 degrees: -y.
case("noScale, mirrored", inherits("noScale", MIRROR), {"c": [-1, 0, 0, 1, -2, 0]})
case("noScaleOrReflection, mirrored", inherits("noScaleOrReflection", MIRROR), {"c": [-1, 0, 0, -1, -2, 0]})
# The same by a key of the inherit timeline at 1 s.
case("inherit timeline", dict(inherits("normal", P, rotation=30), **move("c", inherit=[{"time": 1, "inherit": "onlyTranslation"}])),
     [{"c": [-3 * S, 2 * C, -3 * C, -2 * S, 0, 2]}, {"c": [C, S, -S, C, 0, 2]}], (0.5, 1))

# A parent that is flat along x stretches across its y axis by nothing, along y by the length of the axis: (0, 3) of a turn by 90.
case("noRotationOrReflection, flat", inherits("noRotationOrReflection", {"rotation": 90, "scaleX": 0, "scaleY": 3}), {"c": [3, 0, 0, 0, 0, 0]})
# A root has no parent, whatever its mode says. Before 4.2 the member was `transform`.
case("modes of a root", {"bones": [dict(ROOT, rotation=90, scaleX=2, inherit="noScale")]}, {"root": [0, 2, -1, 0, 0, 0]})
case("older name", {"bones": [ROOT, bone("p", **P), bone("c", "p", x=1, rotation=30, transform="onlyTranslation")]}, {"c": [C, S, -S, C, 0, 2]})
# A key without a mode is "normal" again.
case("inherit timeline, default", dict(inherits("onlyTranslation", P, rotation=30), **move("c", inherit=[{}])), [{"c": [-3 * S, 2 * C, -3 * C, -2 * S, 0, 2]}], (0,))
# Keys without values: scales stay, whatever the other one is.
case("scale, defaults", {"bones": [ROOT, bone("b", scaleX=2)], "animations": {"a": {"bones": {"b": {"scale": [{"y": 3}]}}}}}, [{"b": [2, 0, 0, 3, 0, 0]}], (0,))
case("scale, x only", {"bones": [ROOT, bone("b", scaleX=2)], "animations": {"a": {"bones": {"b": {"scale": [{"x": 3}]}}}}}, [{"b": [6, 0, 0, 1, 0, 0]}], (0,))
case("scalex and scaley, defaults", {"bones": [ROOT, bone("b", scaleX=2)], "animations": {"a": {"bones": {"b": {"scalex": [{}], "scaley": [{}]}}}}},
     [{"b": [2, 0, 0, 1, 0, 0]}], (0,))

# ---- IK of one bone: length 10, at the origin ----


def aim(x, y, parent=None, **members):
    bones = [ROOT, bone("p", **(parent or {})), bone("b", "p", length=10), bone("t", x=x, y=y)]
    return {"bones": bones, "ik": [dict({"name": "k", "bones": ["b"], "target": "t"}, **members)]}


case("IK, one bone", aim(0, 5), {"b": [0, 1, -1, 0, 0, 0]})
# Half of the way to 90 degrees.
case("IK, half mix", aim(0, 5, mix=0.5), {"b": [HALF, HALF, -HALF, HALF, 0, 0]})
# It aims at the target from below any parent: (0, 1) is the direction of P's own x axis, scaled by 2.
case("IK, below a parent", aim(0, 5, P), {"b": [0, 2, -3, 0, 0, 0]})
# A length of 10 becomes 20, or 5; uniform scales across, too.
case("IK, stretch", aim(20, 0, stretch=True), {"b": [2, 0, 0, 1, 0, 0]})
case("IK, compress, uniform", aim(5, 0, compress=True, uniform=True), {"b": [0.5, 0, 0, 0.5, 0, 0]})
case("IK, no compress", aim(5, 0, stretch=True), {"b": [1, 0, 0, 1, 0, 0]})
# At half mix the scale is half-way from 1 to 2.
case("IK, stretch at half mix", aim(20, 0, stretch=True, mix=0.5), {"b": [1.5, 0, 0, 1, 0, 0]})

# ---- IK of two bones: lengths 3 and 4 ----


def reach(x, y, upper=None, lower=4, animations=None, child=None, **members):
    bones = [ROOT, bone("u", length=3, **(upper or {})), bone("l", "u", **dict({"x": 3, "length": lower}, **(child or {}))),
             bone("h", "l", x=lower), bone("t", x=x, y=y)]
    return {"bones": bones, "ik": [dict({"name": "k", "bones": ["u", "l"], "target": "t"}, **members)],
            "animations": animations or {}}


# The triangle 3, 4, 5 has a right angle between the bones. The first one turns by -atan(4/3): (0.6, -0.8); the second by
# 90 degrees from it.
case("IK, two bones", reach(5, 0), {"u": [0.6, -0.8, 0.8, 0.6, 0, 0], "l": [0.8, 0.6, -0.6, 0.8, 1.8, -2.4]})
case("IK, bent the other way", reach(5, 0, bendPositive=False), {"u": [0.6, 0.8, -0.8, 0.6, 0, 0], "l": [0.8, -0.6, 0.6, 0.8, 1.8, 2.4]})
# Out of reach: straight. Stretched, 7 becomes 10.
case("IK, too far", reach(10, 0), {"u": [1, 0, 0, 1, 0, 0], "h": [1, 0, 0, 1, 7, 0]})
case("IK, two bones stretch", reach(10, 0, stretch=True), {"u": [10 / 7, 0, 0, 1, 0, 0], "h": [10 / 7, 0, 0, 1, 10, 0]})
# Softness 2 at a distance of 7, the reach: 7 - 2 (1 - 2 / 4)^2 = 6.5.
case("IK, softness", reach(7, 0, softness=2), {"h": [None, None, None, None, 6.5, 0]})
# At 9 = reach + softness it is straight: 7 - 2 (1 - 4 / 4)^2.
case("IK, softness at its end", reach(9, 0, softness=2), {"h": [None, None, None, None, 7, 0]})
# The first bone scales by (1, 2). With the second one of length 2 at 90 degrees the tip is at (3, 4), at a distance of 5.
case("IK, uneven scale", reach(5, 0, {"scaleY": 2}, 2), {"u": [0.6, -0.8, 1.6, 1.2, 0, 0], "l": [1.6, 1.2, -0.6, 0.8, 1.8, -2.4],
                                                          "h": [None, None, None, None, 5, 0]})
# A mirrored first bone points backwards, and its child too: the triangle is the same.
case("IK, mirrored", reach(5, 0, {"scaleX": -1}), {"l": [None, None, None, None, 1.8, -2.4], "h": [None, None, None, None, 5, 0]})
# Lengths 6, 8 and 10 of a first bone that scales by 2.
case("IK, even scale", reach(10, 0, {"scaleX": 2, "scaleY": 2}), {"u": [1.2, -1.6, 1.6, 1.2, 0, 0], "l": [1.6, 1.2, -1.2, 1.6, 3.6, -4.8]})
# Its reach is 14, its softness 2 x 2: 14 - 4 (1 - 4 / 8)^2. A second bone scaled by 3 has a reach of 3 + 12; softness scales
# with the mean of 3 and 1: the same 4.
case("IK, softness, first scale", reach(14, 0, {"scaleX": 2, "scaleY": 2}, softness=2), {"h": [None] * 4 + [13, 0]})
case("IK, softness, second scale", reach(15, 0, child={"scaleX": 3}, softness=2), {"h": [None] * 4 + [14, 0]})
# 7 would become 14: half of the way from 1 to 2; across only with `uniform`.
for name, across in (("", 1), (", uniform", 1.5)):
    case("IK, two bones stretch at half mix" + name, reach(14, 0, stretch=True, mix=0.5, uniform=across > 1),
         {"u": [1.5, 0, 0, across, 0, 0], "h": [None] * 4 + [10.5, 0]})
# With an uneven scale, or where they may stretch, the second bone goes to the first one's x axis.
UNEVEN = {"u": [0.6, -0.8, 1.6, 1.2, 0, 0], "h": [None] * 4 + [5, 0]}
case("IK, uneven scale, beside the axis", reach(5, 0, {"scaleY": 2}, 2, child={"y": 1}), UNEVEN)
# The tip of (1, 2) and lengths 3 and 2 is (3 + 2 c, 4 s): the farthest has c = 1/2, (4, sqrt 12), the nearest c = -1, (1, 0).
FAR = math.sqrt(28)
for bends in (1, -1):
    case("IK, uneven scale, too far, %d" % bends, reach(100, 0, {"scaleY": 2}, 2, bendPositive=bends > 0),
         {"l": [None] * 4 + [12 / FAR, -3 * math.sqrt(12) / FAR * bends], "h": [None] * 4 + [FAR, 0]})
case("IK, uneven scale, too near", reach(0.5, 0, {"scaleY": 2}, 2), {"h": [None] * 4 + [1, 0]})
# The second bone's own shear, or a scale that turns it round, leave the triangle as it is; so does a first bone turned by 180
# degrees by two negative scales.
for name, members in (("sheared", {"child": {"shearX": 30}}), ("backwards", {"child": {"scaleX": -1}}),
                      ("backwards, bent the other way", {"child": {"scaleX": -1}, "bendPositive": False}),
                      ("turned", {"upper": {"scaleX": -1, "scaleY": -1}})):
    down = 1 if members.get("bendPositive", True) else -1
    case("IK, two bones, " + name, reach(5, 0, **members), {"l": [None] * 4 + [1.8, -2.4 * down], "h": [None] * 4 + [5, 0]})
# Without a mix nothing happens, not even to the first bone's shear. Else it is given up.
case("IK, mix 0", reach(5, 0, {"shearX": 30}, mix=0), {"u": [C, S, 0, 1, 0, 0]})
case("IK, shear", reach(5, 0, {"shearX": 30, "shearY": 10}), {"u": [0.6, -0.8, 0.8, 0.6, 0, 0]})
# Both begin at one point: the first one aims, without being compressed, the second one goes on in its direction.
TOGETHER = {"child": {"x": 0, "rotation": 20}}
case("IK, at one point, half mix", reach(0, 5, mix=0.5, **TOGETHER), {name: [HALF, HALF, -HALF, HALF, 0, 0] for name in "ul"})
case("IK, at one point", reach(0, 1, compress=True, **TOGETHER), {name: [0, 1, -1, 0, 0, 0] for name in "ul"})
case("IK, at one point, stretch", reach(0, 6, stretch=True, uniform=True, **TOGETHER), {"u": [0, 2, -1, 0, 0, 0]})
# Bones that do not inherit all of their parent stay.
for mode in ("noScale", "onlyTranslation"):
    for name, members in (("first", {"upper": {"inherit": mode}}), ("second", {"child": {"inherit": mode}})):
        case("IK, the %s is %s" % (name, mode), reach(5, 0, **members), {"u": [1, 0, 0, 1, 0, 0], "h": [None] * 4 + [7, 0]})
# Keys: no mix leaves the bones; then the bend changes.
case("IK timeline", reach(5, 0, animations={"a": {"ik": {"k": [{"mix": 0, "curve": "stepped"}, {"time": 1, "bendPositive": False}]}}}),
     [{"h": [1, 0, 0, 1, 7, 0]}, {"u": [0.6, 0.8, -0.8, 0.6, 0, 0]}], (0.5, 1))

# A key without members: mix 1, no softness, bent counter-clockwise, neither compressed nor stretched.
SET = dict(mix=0.5, softness=2, bendPositive=False, compress=True, stretch=True)
for x, wanted in ((5, {"u": [0.6, -0.8, 0.8, 0.6, 0, 0]}), (7, {"h": [None] * 4 + [7, 0]}), (14, {"h": [None] * 4 + [7, 0]})):
    case("IK timeline, defaults, %d" % x, reach(x, 0, animations={"a": {"ik": {"k": [{}]}}}, **SET), [wanted], (0,))
case("IK timeline, no compress", dict(aim(5, 0, compress=True), animations={"a": {"ik": {"k": [{}]}}}), [{"b": [1, 0, 0, 1, 0, 0]}], (0,))
# Softness has a curve of its own, from 0 to 4: handles 0 and 4 at thirds of the time are 4 (3 s^2 - 2 s^3), at a half 2; that of
# the mix is linear from 1 to 1. 7 - 2 (1 - 2 / 4)^2 = 6.5. The other members hold until the next key.
case("IK timeline, softness", reach(7, 0, animations={"a": {"ik": {"k": [
    {"curve": [1, 1, 2, 1, 1, 0, 2, 4]}, {"time": 3, "softness": 4, "bendPositive": False}]}}}), [{"h": [None] * 4 + [6.5, 0]}], (1.5,))
case("IK timeline, switches hold", reach(5, 0, animations={"a": {"ik": {"k": [{}, {"time": 2, "bendPositive": False}]}}}),
     [{"u": [0.6, -0.8, 0.8, 0.6, 0, 0]}, {"u": [0.6, 0.8, -0.8, 0.6, 0, 0]}], (1.9, 2))

# ---- Transform constraints: the target turns by 90 degrees, at (10, 20) ----


def copy(bone_members, target, animations=None, **members):
    off = {"mixRotate": 0, "mixX": 0, "mixScaleX": 0, "mixShearY": 0}
    return {"bones": [ROOT, bone("b", **bone_members), bone("t", **target)], "animations": animations or {},
            "transform": [dict({"name": "k", "bones": ["b"], "target": "t"}, **off, **{}) | members]}


T = {"x": 10, "y": 20, "rotation": 90}
case("transform, rotation", copy({"x": 2, "y": 4}, T, mixRotate=0.5), {"b": [HALF, HALF, -HALF, HALF, 2, 4]})
# 10 + 35 degrees of the way with an offset of -20 degrees: (90 - 20 - 10) / 2 = 30 more.
case("transform, offset", copy({"rotation": 10}, T, mixRotate=0.5, rotation=-20), {"b": [math.cos(math.radians(40)), math.sin(math.radians(40)), None, None, 0, 0]})
# Half of the way from 2 to 10, a quarter of that from 4 to 20.
case("transform, place", copy({"x": 2, "y": 4}, T, mixX=0.5, mixY=0.25), {"b": [1, 0, 0, 1, 6, 8]})
# The offset (1, 2) is in the target's space: (-2, 1) in the model's.
case("transform, place with an offset", copy({}, T, mixX=1, x=1, y=2), {"b": [1, 0, 0, 1, 8, 21]})
case("transform, scale", copy({}, {"scaleX": 3, "scaleY": 5}, mixScaleX=0.5, mixScaleY=0.25), {"b": [2, 0, 0, 2, 0, 0]})
# Half of a shear of 60 degrees turns the y axis by 30.
case("transform, shear", copy({}, {"shearY": 60}, mixShearY=0.5), {"b": [1, 0, -S, C, 0, 0]})
# Relative: all of the target's rotation and place are added: 10 + 90 / 2 degrees, 2 + 10 / 2.
case("transform, relative", copy({"rotation": 10, "x": 2}, T, relative=True, mixRotate=0.5, mixX=0.5, mixY=0.25),
     {"b": [math.cos(math.radians(55)), math.sin(math.radians(55)), None, None, 7, 5]})
# Its scales multiply: 2 x (1 + (3 - 1) / 2).
case("transform, relative scale", copy({"scaleX": 2}, {"scaleX": 3}, relative=True, mixScaleX=0.5), {"b": [4, 0, 0, 1, 0, 0]})
# Local: half of the way from the bone's own numbers to the target's, whatever the matrices are.
case("transform, local", copy({"scaleX": 2, "x": 4}, dict(T, scaleX=4), local=True, mixRotate=0.5, mixX=0.5, mixY=0.5, mixScaleX=0.5),
     {"b": [3 * HALF, 3 * HALF, None, None, 7, 10]})
# The short way to 270 degrees is -90: half of it is -45.
case("transform, local, the short way", copy({}, {"rotation": 270}, local=True, mixRotate=0.5), {"b": [HALF, -HALF, HALF, HALF, 0, 0]})
case("transform, local and relative", copy({"scaleX": 2, "x": 4}, dict(T, scaleX=4), local=True, relative=True, mixRotate=0.5, mixX=0.5, mixY=0.5, mixScaleX=0.5),
     {"b": [5 * HALF, 5 * HALF, None, None, 9, 10]})
# Keys of the mixes.
case("transform timeline", copy({}, T, animations={"a": {"transform": {"k": [
    {"mixRotate": 0, "mixX": 0, "mixScaleX": 0, "mixShearY": 0}, {"time": 1, "mixRotate": 0, "mixX": 1, "mixScaleX": 0, "mixShearY": 0}]}}}),
     [{"b": [1, 0, 0, 1, 5, 10]}], (0.5,))


# Without mixes all of them are 1: the bone's matrix is the target's. mixY is mixX, mixScaleY is mixScaleX where it is missing.
# So it is in keys.
ALL = {"x": 10, "y": 20, "rotation": 90, "scaleX": 3, "scaleY": 5, "shearY": 30}
HALVES = {"mixRotate": 0, "mixX": 0.5, "mixScaleX": 0.5, "mixShearY": 0}
for name, mixes, wanted in (("all", {}, [0, 3, -5 * C, -5 * S, 10, 20]), ("y as x", HALVES, [2, 0, 0, 3, 5, 10])):
    bones = [ROOT, bone("b"), bone("t", **ALL)]
    case("transform, defaults, " + name, {"bones": bones, "transform": [dict(mixes, name="k", bones=["b"], target="t")]}, {"b": wanted})
    case("transform timeline, defaults, " + name, copy({}, ALL, {"a": {"transform": {"k": [mixes]}}}), [{"b": wanted}], (0,))


# A first constraint moves a mirrored child to (4, 0), a second one turns its parent by 90 degrees: what the first one did
# goes on with the parent, to (0, 4), as far as the child inherits.
def twice(mode):
    off = {"mixRotate": 0, "mixX": 0, "mixScaleX": 0, "mixShearY": 0}
    return {"bones": [ROOT, bone("p"), bone("c", "p", x=1, scaleY=-1, inherit=mode), bone("t", x=4), bone("u", rotation=90)],
            "transform": [dict(off, name="one", order=0, bones=["c"], target="t", mixX=1),
                          dict(off, name="two", order=1, bones=["p"], target="u", mixRotate=1)]}


for inherited in ("normal", "noScale", "noScaleOrReflection"):
    case("transform twice, " + inherited, twice(inherited), {"c": [0, 1, 1, 0, 0, 4]})
for inherited in ("onlyTranslation", "noRotationOrReflection"):
    case("transform twice, " + inherited, twice(inherited), {"c": [1, 0, 0, -1, 0, 4]})

# A later constraint reads what the first one made of a bone: as its local target, and as the bone of IK, from 60 degrees
# half of the way to 90.
OFF = {"mixRotate": 0, "mixX": 0, "mixScaleX": 0, "mixShearY": 0}
case("transform twice, local target", {"bones": [ROOT, bone("b", x=2), bone("c"), bone("t", x=10)], "transform": [
    dict(OFF, name="one", order=0, bones=["b"], target="t", mixX=1), dict(OFF, name="two", order=1, bones=["c"], target="b", local=True, mixX=1)]},
     {"c": [1, 0, 0, 1, 10, 0]})
case("transform, then IK", {"bones": [ROOT, bone("b", length=5), bone("t", rotation=60), bone("g", y=5)],
                            "transform": [dict(OFF, name="one", order=0, bones=["b"], target="t", mixRotate=1)],
                            "ik": [{"name": "two", "order": 1, "bones": ["b"], "target": "g", "mix": 0.5}]},
     {"b": [math.cos(math.radians(75)), math.sin(math.radians(75)), None, None, 0, 0]})

# ---- Path constraints: a straight line from (0, 0) to (10, 0); handles at thirds give an even speed ----

LINE = {"type": "path", "vertexCount": 6, "vertices": [-1, 0, 0, 0, 10 / 3, 0, 20 / 3, 0, 10, 0, 11, 0], "lengths": [10, 20]}
EDGE = [[0, 0], [8, 0], [8, 8], [0, 8]]


def square():
    """A ring of four straight lines of length 8."""
    numbers = []
    for i, (x, y) in enumerate(EDGE):
        (px, py), (nx, ny) = EDGE[i - 1], EDGE[(i + 1) % 4]
        numbers += [x + (px - x) / 3, y + (py - y) / 3, x, y, x + (nx - x) / 3, y + (ny - y) / 3]
    return {"type": "path", "closed": True, "vertexCount": 12, "vertices": numbers, "lengths": [8, 16, 24, 32]}


def ride(path, count=1, length=5, animations=None, **members):
    bones = [ROOT] + [bone("b%d" % i, length=length) for i in range(count)]
    return {"bones": bones, "slots": [{"name": "s", "bone": "root", "attachment": "p"}], "animations": animations or {},
            "skins": [{"name": "default", "attachments": {"s": {"p": path}}}],
            "path": [dict({"name": "k", "bones": ["b%d" % i for i in range(count)], "target": "s"}, **members)]}


case("path, percent", ride(LINE, position=0.5), {"b0": [1, 0, 0, 1, 5, 0]})
# Three bones at 1, 1 + 2 and 1 + 2 + 2.
case("path, fixed", ride(LINE, 3, positionMode="fixed", position=1, spacingMode="fixed", spacing=2),
     {"b0": [1, 0, 0, 1, 1, 0], "b1": [1, 0, 0, 1, 3, 0], "b2": [1, 0, 0, 1, 5, 0]})
# The spacing is the length of the bone, 5, and 1 more; 12 lies beyond the end.
case("path, length, beyond the end", ride(LINE, 3, spacingMode="length", spacing=1), {"b1": [1, 0, 0, 1, 6, 0], "b2": [1, 0, 0, 1, 12, 0]})
case("path, before the begin", ride(LINE, positionMode="fixed", position=-3), {"b0": [1, 0, 0, 1, -3, 0]})
# A quarter of 10 between the bones; of 3 bones, each of the same length, each gets a third of 0.6 x 10, the first one 0 of
# it, because the second stands where the first ends: 0.6 x 10 / 2 for each of the two spaces.
case("path, percent spacing", ride(LINE, 2, spacingMode="percent", spacing=0.25), {"b1": [1, 0, 0, 1, 2.5, 0]})
case("path, proportional", ride(LINE, 3, spacingMode="proportional", spacing=0.6), {"b1": [None] * 4 + [3, 0], "b2": [None] * 4 + [6, 0]})
# On the ring: 12 is half-way up the second side; 36 = 32 + 4 is half-way along the first.
case("path, ring", ride(square(), positionMode="fixed", position=12), {"b0": [0, 1, -1, 0, 8, 4]})
case("path, round the ring", ride(square(), positionMode="fixed", position=36), {"b0": [1, 0, 0, 1, 4, 0]})
# A chain from 4 to 4 + 8 = 12: the bone of length 8 points from (4, 0) to (8, 4).
case("path, chain", ride(square(), length=8, rotateMode="chain", positionMode="fixed", position=4), {"b0": [HALF, HALF, -HALF, HALF, 4, 0]})
# The second bone of the chain stands at the tip of the first: (4, 0) + 8 (HALF, HALF).
case("path, chain's tip", ride(square(), 2, 8, rotateMode="chain", positionMode="fixed", position=4), {"b1": [None] * 4 + [4 + 8 * HALF, 8 * HALF]})
# Scaled, its tip is at (8, 4): sqrt 32 for a length of 8.
case("path, chainScale", ride(square(), 2, 8, rotateMode="chainScale", positionMode="fixed", position=4),
     {"b0": [0.5, 0.5, -HALF, HALF, 4, 0], "b1": [None] * 4 + [8, 4]})
# Half of the rotation and of x; an offset of 90 degrees.
case("path, mixes", ride(LINE, position=0.5, mixRotate=0.5, mixX=0.5, mixY=1, rotation=90), {"b0": [HALF, HALF, -HALF, HALF, 2.5, 0]})
# Handles at the begin: the curve is at 10 s^3. With constant speed half of it is at 5, else s = 1/2 is at 1.25. On straight
# pieces 5 lies between 3.43 at s = 0.7 and 5.12 at s = 0.8. The second bone is at 3, before that piece, but seen from it.
SLOW = dict(LINE, vertices=[-1, 0, 0, 0, 0, 0, 0, 0, 10, 0, 11, 0])
both("path, constant speed", ride(SLOW, 2, position=0.5, spacingMode="fixed", spacing=-2),
     {"b0": [1, 0, 0, 1, 10 * (0.7 + 0.1 * 1.57 / 1.69) ** 3, 0], "b1": [1, 0, 0, 1, 10 * (0.7 - 0.1 * 0.43 / 1.69) ** 3, 0]},
     {"b0": [1, 0, 0, 1, 5, 0], "b1": [1, 0, 0, 1, 3, 0]})
# Two curves: (6 (3 s^2 - 2 s^3), 12 s (1 - s)), whose straight pieces go over (0.9375, 2.25) to (3, 3), and a line of length 10.
BOW = dict(LINE, vertexCount=9, vertices=[0, -1, 0, 0, 0, 4, 6, 4, 6, 0, 6 + 10 / 3, 0, 6 + 20 / 3, 0, 16, 0, 17, 0], lengths=[1, 2, 3])
OVER = 2 * (2.4375 + math.hypot(2.0625, 0.75))
for name, position, place in (("middle of the first", OVER / 2, (3, 3)), ("second", OVER + 5, (11, 0)), ("beyond", OVER + 12, (18, 0))):
    case("path, two curves, " + name, ride(BOW, positionMode="fixed", position=position), {"b0": [1, 0, 0, 1, *place]})
# A path without length: all bones are at its begin.
case("path, no length", ride(dict(LINE, vertices=[4, 2] * 6), 2, position=0.5), {"b0": [1, 0, 0, 1, 4, 2]})
case("path, file's speed", ride(dict(SLOW, constantSpeed=False), position=0.5), {"b0": [1, 0, 0, 1, 1.25, 0]})
# The path grows from one time to the other, from 10 to 30: 8 stays at 8.
case("path, growing", ride(LINE, positionMode="fixed", position=8, animations={"a": {"bones": {"root": {"scalex": [{"value": 1}, {"time": 1, "value": 3}]}}}}),
     [{"b0": [None] * 4 + [8, 0]}] * 2, (0, 1))
# Keys of position, spacing and mix: half-way.
case("path timelines", ride(LINE, 2, spacingMode="fixed", positionMode="fixed", animations={"a": {"path": {"k": {
    "position": [{"value": 1}, {"time": 1, "value": 3}], "spacing": [{"value": 2}, {"time": 1, "value": 6}],
    "mix": [{"mixRotate": 1, "mixX": 0.5}]}}}}),
     [{"b0": [1, 0, 0, 1, 1, 0], "b1": [1, 0, 0, 1, 3, 0]}], (0.5,))

# A vertical line from (10, 0) to (10, 10). Without mixes all are 1; mixY is mixX where it is missing. So it is in keys; without a
# value a position or a spacing is 0, for two bones at the same place.
RISE = dict(LINE, vertices=[10, -1, 10, 0, 10, 10 / 3, 10, 20 / 3, 10, 10, 10, 11])
for name, mixes, wanted in (("all", {}, [0, 1, -1, 0, 10, 5]), ("y as x", {"mixRotate": 0, "mixX": 0.5}, [1, 0, 0, 1, 5, 2.5])):
    case("path, defaults, " + name, ride(RISE, position=0.5, **mixes), {"b0": wanted})
    case("path timeline, defaults, " + name, ride(RISE, position=0.5, mixRotate=0.1, mixX=0.2, mixY=0.3, animations={
        "a": {"path": {"k": {"mix": [mixes]}}}}), [{"b0": wanted}], (0,))
case("path timelines, no values", ride(RISE, 2, position=0.5, spacing=3, spacingMode="fixed", animations={
    "a": {"path": {"k": {"position": [{}], "spacing": [{}]}}}}), [{"b0": [0, 1, -1, 0, 10, 0], "b1": [0, 1, -1, 0, 10, 0]}], (0,))

# ---- Pictures ----


def pictures(name, atlas, rows, times=()):
    """rows: slots as (name, attachment "w", wanted for each time, sequence keys of "w", another attachment, which is shown)."""
    attachments, keys, wanted = {}, {}, [{} for _ in times or (0,)]
    for slot, attachment, numbers, *more in rows:
        attachments[slot] = {"w": attachment, **({"other": more[1]} if more[1:] else {})}
        keys[slot] = {"w": {"sequence": more[0]} if more else {}}
        for given, found in zip(numbers, wanted):
            found.update({slot + what: values for what, values in given.items()})
    case(name, {"bones": [ROOT], "atlas": atlas, "skins": [{"name": "default", "attachments": attachments}],
                "slots": [{"name": row[0], "bone": "root", "attachment": "other" if row[4:] else "w"} for row in rows],
                "animations": {"a": {"attachments": {"default": keys}}}}, wanted if times else wanted[0], times)


def over(width, height, *texels):
    return [v / (height if i % 2 else width) for i, v in enumerate(texels)]


# 6 x 4 texels are left of 9 x 9, without 1 on the left, 2 below and 3 above, on a page of 50 x 80. Turned counter-clockwise, right became
# up and down became right. Corners from the lower left one. In the space of the bone a texel is a unit.
PAGE = "p.png\nsize: 50, 80\nscale: 0.5\nformat: RGBA8888\nw\nbounds: 10, 20, 6, 4\noffsets: 1, 2, 9, 9\nindex: -1\n"
TURNS = {"": (10, 24, 16, 24, 16, 20, 10, 20), "rotate: 0\n": (10, 24, 16, 24, 16, 20, 10, 20),
         "rotate: 90\n": (14, 26, 14, 20, 10, 20, 10, 26), "rotate: 180\n": (16, 20, 10, 20, 10, 24, 16, 24),
         "rotate: 270\n": (10, 20, 10, 26, 14, 26, 14, 20)}
KEPT = [-3.5, -2.5, 2.5, -2.5, 2.5, 1.5, -3.5, 1.5]
pictures("atlas, turned", PAGE.split("w\n")[0] + "".join("w%d\n%s%s" % (i, PAGE.split("w\n")[1], text) for i, text in enumerate(TURNS)), [
    (text.strip(), {"path": "w%d" % i, "width": 9, "height": 9}, [{"": KEPT, " texcoords": over(50, 80, *texels)}])
    for i, (text, texels) in enumerate(TURNS.items())])
OLD = "w%s\n  rotate: %s\n  xy: 10, 20\n  size: 6, 4\n  orig: 9, 9\n  offset: 1, 2\n  index: -1\n"
pictures("atlas, old", "p.png\nsize: 50,80\n" + OLD % ("a", "false") + OLD % ("b", "true"), [
    (path, {"path": path, "width": 9, "height": 9}, [{"": KEPT, " texcoords": over(50, 80, *TURNS[turn])}])
    for path, turn in (("wa", "rotate: 0\n"), ("wb", "rotate: 90\n"))])
# (0, 0) of a mesh is the upper left of all 9 x 9.
pictures("atlas, mesh", PAGE, [("s", dict(MESH, path="w"), [{" texcoords": over(50, 80, 9, 17, 18, 17, 9, 26)}])])
# What was not trimmed has the size on its page; 32 x 32 in the file without sizes; scales; a turn by 90 degrees, then (1, 2).
FULL = "p.png\nsize: 50, 80\nw\nbounds: 0, 0, 6, 4\n"
CORNERS = over(50, 80, 0, 4, 6, 4, 6, 0, 0, 0)
pictures("atlas, regions", FULL, [(str(members), dict(members, path="w"), [{"": wanted, " texcoords": CORNERS}]) for members, wanted in (
    ({}, [-16, -16, 16, -16, 16, 16, -16, 16]), (dict(width=2, height=4), [-1, -2, 1, -2, 1, 2, -1, 2]),
    (dict(width=2, height=4, scaleX=2, scaleY=3), [-2, -6, 2, -6, 2, 6, -2, 6]),
    (dict(width=2, height=4, rotation=90, x=1, y=2), [3, 1, 3, 3, -1, 3, -1, 1]))])
# The second of two pages, which has another size.
pictures("atlas, second page", "o.png\nsize: 7, 7\no\nbounds: 0, 0, 6, 4\n\n" + FULL, [("s", {}, [{" texcoords": CORNERS}])])
# The size that the atlas states counts, else that of the picture, 50 x 80; without both, 1.
for name, page, texcoords in (("stated", "real.png\nsize: 25, 40\n", over(25, 40, 0, 4, 6, 4, 6, 0, 0, 0)),
                              ("of the picture", "real.png\n", CORNERS), ("unknown", "p.png\n", [0, 4, 6, 4, 6, 0, 0, 0])):
    pictures("atlas, size " + name, page + "filter: Linear, Linear\nw\nbounds: 0, 0, 6, 4\n", [("s", {}, [{" texcoords": texcoords}])])

# ---- Sequences ----

# Picture i is 10 texels wide at x = 10 i of a page of 100 x 10.
STRIP = "p.png\nsize: 100, 10\n" + "".join("%s\nbounds: %d, 0, 10, 10\n" % (name, 10 * i) for i, name in enumerate(
    ("w0", "w1", "w2", "w3", "w4", "w007", "w7", "w 7", "w01")))


def pictured(i):
    return {" texcoords": over(100, 10, 10 * i, 10, 10 * i + 10, 10, 10 * i + 10, 0, 10 * i, 0)}


# Numbers begin at 1, without zeros before them; the first picture is shown. Then 5, 6 and 7 in three digits; an index behind the
# end is the last one.
pictures("sequence, numbers", STRIP, [(str(sequence), {"path": "w", "sequence": sequence}, [pictured(i)]) for sequence, i in (
    (dict(count=3), 1), (dict(count=3, setup=1), 2), (dict(count=3, start=0), 0), (dict(count=3, start=5, digits=3, setup=2), 5),
    (dict(count=3, start=5, setup=2), 6), (dict(count=3, digits=1, setup=9), 3))])


def played(name, rows, times):
    """rows: (keys, the picture at each time as a digit, how many there are)."""
    pictures("sequence, " + name, STRIP, [(str(keys), {"path": "w", "sequence": {"count": count, "start": 0, "setup": 2}},
                                           [{" frame": [int(f)]} for f in frames], keys) for keys, frames, count in rows], times)


# Four pictures, one every 0.1 s from the key at 0.5 s; the setup index before it. Reverse modes count their index from the end.
played("modes", [([{"time": 0.5, "mode": mode, "index": index, "delay": 0.1}], "2" + frames, 4) for mode, index, frames in (
    ("hold", 1, "111111111"), ("once", 1, "123333333"), ("loop", 1, "123012301"), ("pingpong", 1, "123210123"),
    ("onceReverse", 0, "321000000"), ("loopReverse", 1, "210321032"), ("pingpongReverse", 0, "321012321"),
    ("pingpongReverse", 1, "210123210"), ("once", 9, "333333333"), ("loop", 9, "123012301"))], [0.4] + [0.5 + 0.1 * k for k in range(9)])
# Without a mode it holds, without an index it begins with the first picture, without a delay it has that of the key before, the
# first one none. A pingpong of one picture shows it.
played("defaults", [([{"index": 1, "delay": 0.1}], "1111", 4), ([{"mode": "loop", "delay": 0.1}], "0110", 4), ([{"mode": "loop", "index": 1}], "1111", 4),
                    ([{"mode": "loop", "delay": 0.1}, {"time": 1, "mode": "once", "index": 1}], "0113", 4),
                    ([{"mode": "pingpong", "delay": 0.1}], "0000", 1)], (0, 0.15, 0.55, 1.25))
# A linked mesh follows the keys of its mesh with its own pictures, the first of which is number 3.
BOX = {"path": "w", "uvs": [0, 1, 1, 1, 1, 0, 0, 0], "triangles": [0, 1, 2], "vertices": [0, 0, 1, 0, 1, 1, 0, 1]}
pictures("sequence, linked mesh", STRIP, [("s", dict(BOX, type="mesh", sequence={"count": 2}), [pictured(4)], [{"mode": "hold", "index": 1}], {
    "type": "linkedmesh", "parent": "w", "path": "w", "sequence": {"count": 2, "start": 3}})], (0,))
# The first picture lacks its right half: so do the corners while it is shown, and not while the second one is.
TRIMMED = "p.png\nsize: 100, 10\nw1\nbounds: 10, 0, 5, 10\noffsets: 0, 0, 10, 10\nw2\nbounds: 20, 0, 10, 10\n"
pictures("sequence, trimmed", TRIMMED, [("s", {"path": "w", "width": 10, "height": 10, "sequence": {"count": 2, "setup": 1}}, [
    {"": [-5, -5, 0, -5, 0, 5, -5, 5]}, {"": [-5, -5, 5, -5, 5, 5, -5, 5]}], [{"mode": "hold"}, {"time": 1, "index": 1}])], (0, 1))

# ---- Slots ----

FOUR = [{"name": name, "bone": "root", "color": "336699cc", "dark": "ff0033"} for name in "pqrs"]
L, N = [0.2, 0.4, 0.6, 0.8], [1, 0, 0.2]  # 33 is 0.2, 66 is 0.4, 99 is 0.6, cc is 0.8, ff is 1


TINTED = {  # what the colours are at 0.5 s, and the keys
    # Keys replace what they name: all four channels, only three, only the last, with and without the dark colour. Six digits are
    # opaque, an alpha without a value is 0.
    "rgba": ([1, 0, 0.2, 0.4] + N, dict(rgba=[{"color": "ff003366"}])),
    "rgba of six digits": ([1, 0, 0.2, 1] + N, dict(rgba=[{"color": "ff0033"}])),
    "rgb": ([1, 0, 0.2, 0.8] + N, dict(rgb=[{"color": "ff0033"}])),
    "alpha": (L[:3] + [0.2] + N, dict(alpha=[{"value": 0.2}])),
    "no alpha": (L[:3] + [0] + N, dict(alpha=[{}])),
    "rgb and alpha": ([1, 0, 0.2, 0.6] + N, dict(rgb=[{"color": "ff0033"}], alpha=[{"value": 0.6}])),
    "rgba2": ([1, 0, 0.2, 0.4, 0.6, 0.8, 0], dict(rgba2=[{"light": "ff003366", "dark": "99cc00"}])),
    "rgb2": ([1, 0, 0.2, 0.8, 0.6, 0.8, 0], dict(rgb2=[{"light": "ff0033", "dark": "99cc00"}])),
    "no keys": (L + N, {}),
    # Half-way by lines; curves whose handles lead below 0 and above 1 stay in 0 to 1.
    "lines": ([0.6, 0.4, 0.8, 0.8, 0.3, 0.9, 0.5], dict(rgba2=[
        {"light": "330099ff", "dark": "00ccff"}, {"time": 1, "light": "ffccff99", "dark": "99ff00"}])),
    "curves": ([0, 1, 0.2, 0.8] + N, dict(rgb=[{"color": "00ff33", "curve": [1 / 3, -4, 2 / 3, -4, 1 / 3, 5, 2 / 3, 5, 1 / 3, 0.2, 2 / 3, 0.2]},
                                               {"time": 1, "color": "00ff33"}]))}
case("colours", {"bones": [ROOT], "slots": [dict(FOUR[0], name=name) for name in TINTED],
                 "animations": {"a": {"slots": {name: keys for name, (_, keys) in TINTED.items()}}}},
     [{name + " colours": wanted for name, (wanted, _) in TINTED.items()}], (0.5,))


def ordered(name, keys, wanted, member="drawOrder"):
    case("draw order, " + name, {"bones": [ROOT], "slots": FOUR, "animations": {"a": {member: keys}}},
         [{"order": order} for order in wanted], range(len(wanted)))


# p goes from place 0 to 2, s from 3 to 0, the others fill what is left in their order: s q p r. A key without offsets is the
# setup pose again. Before the first key, too.
MOVES = [{"slot": "p", "offset": 2}, {"slot": "s", "offset": -3}]
ordered("offsets", [{"offsets": MOVES}], [[3, 1, 0, 2]])
ordered("keys", [{"time": 1, "offsets": MOVES}, {"time": 2, "offsets": MOVES[:1]}, {"time": 3}],
        [[0, 1, 2, 3], [3, 1, 0, 2], [1, 2, 0, 3], [0, 1, 2, 3]])
ordered("older name", [{"offsets": MOVES}], [[3, 1, 0, 2]], "draworder")

# An offset of 3 is the y of the second vertex: numbers of x and y are counted. Without one the first two are moved.
OFFSETS = {"3": ([0, 0, 1, 10, 20, 1], [{"offset": 3, "vertices": [10, 20]}]), "none": ([10, 20, 1, 0, 0, 1], [{"vertices": [10, 20]}]),
           "the last": ([0, 0, 1, 0, 0, 8], [{"offset": 5, "vertices": [7]}]), "no vertices": ([0, 0, 1, 0, 0, 1], [{"offset": 5}]),
           # Half-way to the setup pose, which a key without vertices is.
           "half": ([0, 0, 5, 0, 0, 1], [{"offset": 2, "vertices": [8]}, {"time": 1}])}
case("deform, offsets", {"bones": [ROOT], "slots": [{"name": name, "bone": "root", "attachment": "m"} for name in OFFSETS],
                         "skins": [{"name": "default", "attachments": {name: {"m": MESH} for name in OFFSETS}}],
                         "animations": {"a": {"attachments": {"default": {name: {"m": {"deform": keys}} for name, (_, keys) in OFFSETS.items()}}}}},
     [{name: wanted for name, (wanted, _) in OFFSETS.items()}], (0.5,))

# ---- Two animations mixed: "a" at the time, and "b" at 0 s by a weight ----


def turned(degrees):
    return [math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), None, None, None, None]


def two(a, b, **sections):
    return dict({"bones": [ROOT, bone("b")], "animations": {"a": a, "b": b}}, **sections)


def keys(**timelines):
    return {"bones": {"b": timelines}}


def mixed(name, sections, weight, wanted, *more):
    case("mix, " + name, sections, [wanted], (0,), ("+b:0:%g" % weight,) + more)


# From 170 to -170 degrees the short way is 20 on: 175 after a quarter. From 10 to 300 it is 70 back.
mixed("rotation past 180", two(keys(rotate=[{"value": 170}]), keys(rotate=[{"value": -170}])), 0.25, {"b": turned(175)})
mixed("rotation back", two(keys(rotate=[{"value": 10}]), keys(rotate=[{"value": 300}])), 0.5, {"b": turned(-25)})
mixed("translation", two(keys(translate=[{"x": 2, "y": 8}]), keys(translate=[{"x": 6, "y": 0}])), 0.25, {"b": [1, 0, 0, 1, 3, 6]})
# Keys multiply the scale of the setup pose, 2: 2 and 6, half-way.
mixed("scale", two(keys(scale=[{"x": 1}]), keys(scale=[{"x": 3}]), bones=[ROOT, bone("b", scaleX=2)]), 0.5, {"b": [4, 0, 0, 1, 0, 0]})
# Half of a shear of 60 degrees.
mixed("shear", two(keys(shear=[{"y": 60}]), keys()), 0.5, {"b": [1, 0, -S, C, 0, 0]})
# What only one of them moves goes to the setup pose, or comes from it.
mixed("only the first", two(keys(translate=[{"x": 8}]), keys(), bones=[ROOT, bone("b", x=4)]), 0.25, {"b": [None] * 4 + [10, 0]})
mixed("only the second", two(keys(), keys(translate=[{"x": 8}]), bones=[ROOT, bone("b", x=4)]), 0.25, {"b": [None] * 4 + [6, 0]})
# An inherit mode is no number: that of the second one.
mixed("inherit", dict(inherits("normal", P), animations={"a": {}, "b": {"bones": {"c": {"inherit": [{"inherit": "onlyTranslation"}]}}}}),
      0.01, {"c": [1, 0, 0, 1, 0, 2]})
# Three: half of the way from 0 to 8, then a quarter of that from 4 to 12.
mixed("three", {"bones": [ROOT, bone("b")], "animations": {
    "a": keys(), "b": keys(translate=[{"x": 8}]), "c": keys(translate=[{"x": 12}])}}, 0.5, {"b": [None] * 4 + [6, 0]}, "+c:0:0.25")
# A weight of 1 hides what was before it.
mixed("three, the second whole", {"bones": [ROOT, bone("b")], "animations": {
    "a": keys(translate=[{"x": 100}]), "b": keys(translate=[{"x": 8}]), "c": keys(translate=[{"x": 12}])}}, 1, {"b": [None] * 4 + [9, 0]},
      "+c:0:0.25")

OTHER = {"type": "mesh", "path": "picture", "uvs": [0, 0, 1, 0, 0, 1], "triangles": [0, 1, 2], "vertices": [0, 0, 2, 0, 0, 2]}
SLOTS = {"slots": [{"name": "s", "bone": "root", "attachment": "m"}, {"name": "t", "bone": "root"}],
         "skins": [{"name": "default", "attachments": {"s": {"m": MESH, "o": OTHER}}}]}


def slots(a, b):
    return two(a, b, **SLOTS)


def deform(*numbers):
    return {"attachments": {"default": {"s": {"m": {"deform": [{"vertices": list(numbers)}]}}}}}


def tint(rgba, dark):
    return {"slots": {"s": {"rgba2": [{"light": rgba, "dark": dark}]}}}


SHOWS_OTHER = {"slots": {"s": {"attachment": [{"name": "o"}]}}, "drawOrder": [{"offsets": [{"slot": "s", "offset": 1}]}]}
# 00 is 0, 33 is 0.2, cc is 0.8, ff is 1: a quarter of the way.
mixed("colours", slots(tint("00ccffff", "ff0000"), tint("cc00ff33", "00ff33")), 0.25,
      {"s colours": [0.2, 0.6, 1, 0.8, 0.75, 0.25, 0.05]})
# 3/4 of (8, 4) and 1/4 of (-8, 12); without keys in the second one 3/4 of (8, 4).
mixed("deform", slots(deform(8, 4), deform(-8, 12)), 0.25, {"s": [4, 6, 1, 0, 0, 1]})
mixed("deform of the first", slots(deform(8, 4), {}), 0.25, {"s": [6, 3, 1, 0, 0, 1]})
mixed("deform of the second", slots({}, deform(8, 4)), 0.25, {"s": [2, 1, 1, 0, 0, 1]})
# What slots show and their order are no numbers: those of the second one, from the first moment on.
mixed("attachment of the second", slots({}, SHOWS_OTHER), 0.01, {"s shows": ["o"], "order": [1, 0]})
mixed("attachment of the first", slots(SHOWS_OTHER, {}), 0.01, {"s shows": ["m"], "order": [0, 1]})
# A deform key of what is not shown does nothing.
mixed("deform of what is not shown", slots(deform(8, 4), SHOWS_OTHER), 0.25, {"s": [0, 0, 2, 0, 0, 2]})
mixed("weight 0", slots(deform(8, 4), SHOWS_OTHER), 0, {"s": [8, 4, 1, 0, 0, 1], "order": [0, 1]})
mixed("weight 1", slots(SHOWS_OTHER, deform(8, 4)), 1, {"s": [8, 4, 1, 0, 0, 1], "order": [0, 1]})


def ik(**values):
    return {"ik": {"k": [values]}}


# The mix is half-way from 0 to 1, so that the bone turns by half of 90 degrees.
mixed("IK", dict(aim(0, 5), animations={"a": ik(mix=0), "b": ik(mix=1)}), 0.5, {"b": [HALF, HALF, -HALF, HALF, 0, 0]})
# The bend is no number: that of the second one.
mixed("IK, bend", reach(5, 0, animations={"a": ik(), "b": ik(bendPositive=False)}), 0.25, {"u": [0.6, 0.8, -0.8, 0.6, 0, 0]})
# Softness 4 and 0: half-way it is 2, as above.
mixed("IK, softness", reach(7, 0, animations={"a": ik(softness=4), "b": ik()}), 0.5, {"h": [None] * 4 + [6.5, 0]})
# mixX is half-way from 0 to 1, so the bone goes half of the way to 10, and 20.
mixed("transform", copy({}, T, animations={name: {"transform": {"k": [{"mixRotate": 0, "mixX": x, "mixScaleX": 0, "mixShearY": 0}]}}
                                           for name, x in (("a", 0), ("b", 1))}), 0.5, {"b": [1, 0, 0, 1, 5, 10]})
# Positions 1 and 3 on the line, a quarter of the way.
mixed("path", ride(LINE, positionMode="fixed", animations={name: {"path": {"k": {"position": [{"value": v}]}}}
                                                           for name, v in (("a", 1), ("b", 3))}), 0.25, {"b0": [1, 0, 0, 1, 1.5, 0]})


# ---- Physics: 60 steps a second, so the offset after n steps is that of a damped oscillator ----
# v' = d v - (k / m) h o, o' = o + h v': o'' - (1 + d - k h h / m) o' + d o = 0, whose solution is a damped cosine (of a complex angle, if it does not swing).


def spring(first, steps, strength=100.0, damping=1.0, mass=1.0, goal=0.0, h=1.0 / 60.0):
    """The offset after so many steps from `first` at rest; goal: where the force balances the spring."""
    pull, d = strength * h * h / mass, damping ** (60.0 * h)
    turn = cmath.acos((1.0 + d - pull) / (2.0 * math.sqrt(d)))
    across = ((1.0 - pull) / math.sqrt(d) - cmath.cos(turn)) / cmath.sin(turn)
    return goal + (first - goal) * d ** (steps / 2.0) * (cmath.cos(steps * turn) + across * cmath.sin(steps * turn)).real


def taken(updates, rate=60, fps=60):
    """How many steps so many updates take: the rounding of sums of their times decides in which one a step is due."""
    time = last = due = 0.0
    steps = 0
    for _ in range(updates):
        time += 1.0 / rate
        due, last = due + (time - last), time
        while due >= 1.0 / fps:
            due, steps = due - 1.0 / fps, steps + 1
    return steps


def sprung(bones, constraint, timelines, keys=None, extra=()):
    """Animations of bones by timelines, and of the constraint by keys."""
    return {"bones": [ROOT] + bones, "physics": [dict({"name": "k", "bone": "b"}, **constraint), *extra],
            "animations": {"a": {"bones": timelines, "physics": keys or {}}}}


def jump(kind, *members):
    """From the setup pose to these values, which the first update sees."""
    zero = {m: 1 if kind.startswith("scale") else 0 for m, _ in members}
    return {"b": {kind: [dict(zero, curve="stepped"), dict({"time": 0.01}, **dict(members))]}}


def at(*frames):
    return tuple(n / 60 for n in frames)


FRAMES = (1, 2, 5, 9)
SOFT = dict(strength=60, damping=0.9, mass=2)
RIGHT, ROD = jump("translate", ("x", 10), ("y", 0)), [bone("b", length=50)]
TURN = jump("rotate", ("value", 60))


def axis(degrees, length=1.0):
    return [length * math.cos(math.radians(degrees)), length * math.sin(math.radians(degrees))]


def physics(name, sections, wanted, frames=FRAMES, extras=("%60",)):
    wanted = [{b: numbers + [None] * (6 - len(numbers)) for b, numbers in pose.items()} for pose in wanted]
    case("physics, " + name, sections, wanted, at(*frames), extras)


STEPS = [taken(n) for n in FRAMES]
SWINGS = [spring(1, n, **SOFT) for n in STEPS]
# The bone jumps by 10 and its offset is -10 at first; then by 60 degrees; its tip stays behind by 10 of 50.
physics("x", sprung(ROD, dict(SOFT, x=1), RIGHT), [X(10 - 10 * s) for s in SWINGS])
physics("y, half of it", sprung(ROD, dict(SOFT, y=0.5), jump("translate", ("x", 0), ("y", 10))),
        [{"b": [None] * 5 + [10 - 5 * s]} for s in SWINGS])
physics("x, not y", sprung(ROD, dict(SOFT, x=1), jump("translate", ("x", 0), ("y", 10))), [{"b": [None] * 4 + [0, 10]}] * 4)
physics("rotate", sprung(ROD, dict(SOFT, rotate=1), TURN), [{"b": axis(60 - 60 * s) + axis(150 - 60 * s)} for s in SWINGS])
physics("rotate, half of it", sprung(ROD, dict(SOFT, rotate=0.5), TURN), [{"b": axis(60 - 30 * s) + axis(150 - 30 * s)} for s in SWINGS])
physics("shearX", sprung(ROD, dict(SOFT, shearX=1), TURN), [{"b": axis(60 - 60 * s) + axis(150)} for s in SWINGS])
physics("rotate and shearX", sprung(ROD, dict(SOFT, rotate=0.75, shearX=0.25), TURN),
        [{"b": axis(60 - 60 * s) + axis(150 - 45 * s)} for s in SWINGS])
physics("scaleX", sprung(ROD, dict(SOFT, scaleX=1), RIGHT), [{"b": [1 - 0.2 * s, 0, 0, 1, 10, 0]} for s in SWINGS])
# What lies across the bone does not scale it.
physics("scaleX, across", sprung(ROD, dict(SOFT, scaleX=1), jump("translate", ("x", 0), ("y", 10))), [{"b": [1, 0, 0, 1, 0, 10]}] * 4)
# By half of the turn, then the short way: from 0 to 350 degrees the tip is 10 degrees behind, on the other side.
physics("rotate, inertia", sprung(ROD, dict(SOFT, rotate=1, inertia=0.5), TURN), [{"b": axis(60 - 30 * s)} for s in SWINGS])
physics("rotate, short way", sprung(ROD, dict(SOFT, rotate=1), jump("rotate", ("value", 350))), [{"b": axis(350 + 10 * s)} for s in SWINGS])
physics("child follows", sprung(ROD + [bone("c", "b", x=50)], dict(SOFT, rotate=1), TURN),
        [{"c": [None] * 4 + axis(60 - 60 * s, 50)} for s in SWINGS])
# Wind and gravity along x and y are in units of the reference scale, 100: they balance the spring at force / strength.
for name, constraint, goal in (("wind", dict(x=1, wind=3), 300 / 60), ("gravity", dict(y=1, gravity=3), -300 / 60),
                               ("inertia is not force", dict(x=1, wind=3, inertia=0), 300 / 60)):
    for rate in (60, 30):  # updates of two steps show the same
        blown = [spring(0, taken(n * rate // 60, rate), goal=goal, **SOFT) for n in (2, 4, 8)]
        physics("%s, %d" % (name, rate), sprung(ROD, dict(SOFT, **constraint), {}),
                [{"b": [None] * 4 + [o if "x" in constraint else 0, o if "y" in constraint else 0]} for o in blown],
                (2, 4, 8), ("%%%d" % rate,))
physics("reference scale", dict(sprung(ROD, dict(SOFT, x=1, wind=3), {}), skeleton={"spine": "4.2.0", "referenceScale": 20, "width": 1, "height": 1}),
        [X(spring(0, taken(8), goal=1, **SOFT))], (8,))
# A step of wind after three updates, which the fourth one sees.
physics("step of wind", sprung(ROD, dict(SOFT, x=1), {}, {"k": {"wind": [{"curve": "stepped"}, {"time": 0.06, "value": 3}]}}),
        [X(0), X(spring(0, taken(6) - taken(3), goal=5, **SOFT))], (3, 6))
# One step from rest: force h h / mass. For the angle gravity counts by length / reference scale: 50 / 100.
ONE = 1 / 3600 / 2
physics("gravity turns", sprung(ROD, dict(SOFT, rotate=1, gravity=90), {}), [{"b": axis(math.degrees(-90 * 0.5 * ONE))}], (1,))
UP = [bone("b", length=50, rotation=90)]
physics("wind turns", sprung(UP, dict(SOFT, rotate=1, wind=90), {}), [{"b": axis(90 + math.degrees(-90 * 0.5 * ONE))}], (1,))
physics("wind scales", sprung(ROD, dict(SOFT, scaleX=1, wind=90), {}), [{"b": [1 + 90 * ONE, 0, 0, 1]}], (1,))
physics("gravity scales", sprung(UP, dict(SOFT, scaleX=1, gravity=90), {}), [{"b": [0, 1 - 90 * ONE, -1, 0]}], (1,))
# At most 600 units a second, 10 in an update, are seen of a jump by 1000.
FAR = jump("translate", ("x", 1000), ("y", 0))
physics("limit", sprung(ROD, dict(SOFT, x=1, limit=600), FAR), [X(1000 - 10 * s) for s in SWINGS])
physics("limit of the tip", sprung(ROD, dict(SOFT, scaleX=1, limit=600), FAR), [{"b": [1 - 0.2 * s]} for s in SWINGS])
physics("inertia", sprung(ROD, dict(SOFT, x=1, inertia=0.25), RIGHT), [X(10 - 2.5 * s) for s in SWINGS])
physics("mix", sprung(ROD, dict(SOFT, x=1, mix=0.5), RIGHT), [X(10 - 5 * s) for s in SWINGS])
physics("no mix", sprung(ROD, dict(SOFT, x=1, mix=0), RIGHT), [X(10)] * 4)
# 30 steps a second: every other update, and damping by its square.
physics("fps", sprung(ROD, dict(SOFT, x=1, fps=30, wind=3), {}),
        [X(spring(0, taken(n, fps=30), goal=5, h=1 / 30, **SOFT)) for n in (2, 3, 8)], (2, 3, 8))
# Defaults: inertia, damping, mass and mix 1, strength 100, limit 5000.
physics("defaults", sprung(ROD, dict(x=1), FAR), [X(1000 - 5000 / 60 * spring(1, n)) for n in STEPS])
# Each value by keys; for all constraints that say so, by those without a name.
for value, given, shown in (("inertia", 0.25, lambda n: 10 - 2.5 * spring(1, n, **SOFT)), ("mix", 0.5, lambda n: 10 - 5 * spring(1, n, **SOFT)),
                            ("strength", 30, lambda n: 10 - 10 * spring(1, n, 30, 0.9, 2)), ("damping", 0.5, lambda n: 10 - 10 * spring(1, n, 60, 0.5, 2)),
                            ("mass", 5, lambda n: 10 - 10 * spring(1, n, 60, 0.9, 5)), ("wind", 3, lambda n: 10 + spring(-10, n, goal=5, **SOFT)),
                            ("gravity", -3, lambda n: 10 - 10 * spring(1, n, **SOFT))):
    keys, wanted = {value: [{"value": given}]}, [X(shown(n)) for n in STEPS]
    physics("keys of " + value, sprung(ROD, dict(SOFT, x=1), RIGHT, {"k": keys}), wanted)
    physics("keys of all, " + value, sprung(ROD, dict(SOFT, x=1, **{value + "Global": True}), RIGHT, {"": keys}), wanted)
    physics("keys of others, " + value, sprung(ROD, dict(SOFT, x=1), RIGHT, {"": keys}), [X(10 - 10 * s) for s in SWINGS])
# A key that the third update passes: the bone is at rest again. The one at 0 s, where nothing moved yet, changes nothing.
for name in ("k", ""):
    physics("reset by '%s'" % name, sprung(ROD, dict(SOFT, x=1), RIGHT, {name: {"reset": [{}, {"time": 0.045}]}}),
            [X(10 - 10 * SWINGS[1]), X(10), X(10)], (2, 3, 9))
# spineMotionPlay: the first update is at 1/60 s, so that a jump before it is not seen; a later one is seen at its time, also
# where the time asked for is between two updates, and in any order.
LATER = {"b": {"translatex": [{"curve": "stepped"}, {"time": 0.03, "value": 10}]}}
physics("played, at once", sprung(ROD, dict(SOFT, x=1), RIGHT), [X(10)], (5,), ("%play",))
physics("played", sprung(ROD, dict(SOFT, x=1), LATER), [X(10 - 10 * spring(1, taken(int(n)), **SOFT)) for n in (7, 3, 5, 2, 2.75)],
        (7, 3, 5, 2, 2.75), ("%play",))

# ---- A target that is pulled ----


def pulled(name, sections, place, wanted):
    case("pull, " + name, dict(sections, animations={"a": {}}), [wanted], (0,), ("=t:%g:%g" % place,))


# From (0, 1) to (5, 0), as "IK, two bones"; then out of reach: straight, along (0.6, 0.8).
pulled("within reach", reach(0, 1), (5, 0), {"u": [0.6, -0.8, 0.8, 0.6, 0, 0], "h": [None] * 4 + [5, 0], "t": [1, 0, 0, 1, 5, 0]})
pulled("out of reach", reach(0, 1), (60, 80), {"u": [0.6, 0.8, -0.8, 0.6, 0, 0], "h": [None] * 4 + [4.2, 5.6], "t": [1, 0, 0, 1, 60, 80]})
BELOW = {"bones": [ROOT, bone("p", x=1, y=2, **P), bone("t", "p", rotation=30), bone("c", "t", x=1)]}
# Wherever its parent is; its axes stay, and its child goes with it, by t's x axis.
pulled("below a parent", BELOW, (7, 9), {"t": [-3 * S, 2 * C, -3 * C, -2 * S, 7, 9], "c": [None] * 4 + [7 - 3 * S, 9 + 2 * C]})
# A parent that is flat leads nowhere: it stays.
pulled("below a flat parent", {"bones": [ROOT, bone("p", x=1, y=2, scaleX=0), bone("t", "p", y=3)]}, (7, 9), {"t": [None] * 4 + [1, 5]})


def main(program):
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        fixtures.png(os.path.join(folder, "real.png"), 50, 80, lambda x, y: (255, 255, 255, 255))
        for name, sections, wanted, times, extras in CASES:
            for pose, numbers in zip(run(program, folder, sections, times, extras), wanted):
                for what, values in numbers.items():
                    good = [w is None or v == w if isinstance(v, str) else w is None or abs(v - w) <= 2e-5
                            for v, w in zip(pose[what], values)]
                    if not all(good) or len(pose[what]) != len(values):
                        failures += 1
                        print("%s: %s is %s, not %s" % (name, what, pose[what], values))
                        if "VKSKIN_TEST_STOP" in os.environ:
                            return 1
    print("%d cases, %d failures" % (len(CASES), failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
