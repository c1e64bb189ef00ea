"""fixtures.py FOLDER: writes the 2D characters of the tests: JSON, atlas and pictures. All of them are made up here.

arm       4.2  IK of one and two bones, with every switch, on even, uneven and mirrored scales
flag      4.1  weighted, unweighted and linked meshes, deform keys, every curve
train     4.2  path constraints in every mode, on open, closed and moving paths
face      4.0  skins, also combined, linked meshes, draw order, colours, the older names and the older atlas layout
scene     4.2  clipping, blend modes, dark colours, sequences, bounding boxes, points, physics without effect, events,
          two pages
tentacle  4.2  a chain of many bones with every inherit mode, transform constraints of every kind, and a mesh of four and
               six influences per vertex that are far from each other
"""
import json
import math
import os
import struct
import sys
import zlib


# ---- Numbers that look random and are always the same ----


class Numbers:
    def __init__(self, seed):
        self.state = seed

    def next(self, low, high):
        self.state = (self.state * 1103515245 + 12345) % 2 ** 31
        return round(low + (high - low) * self.state / 2 ** 31, 4)


# ---- Pictures ----


def png(path, width, height, colour):
    """colour(x, y): four bytes."""
    rows = b"".join(b"\0" + b"".join(bytes(colour(x, y)) for x in range(width)) for y in range(height))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def checker(red, green, blue):
    """Squares of one colour, half as bright every second one, with a transparent border of the picture."""
    def colour(x, y):
        bright = 1.0 if (x // 8 + y // 8) % 2 else 0.6
        return [int(red * bright), int(green * bright), int(blue * bright), 255 if x > 1 and y > 1 else 128]
    return colour


# ---- Keys ----


def bezier(numbers, time, following, before, after):
    """One handle pair per value; times may lie outside the keys, as in real exports."""
    span, curve = following - time, []
    for a, b in zip(before, after):
        curve += [round(time + span * numbers.next(-0.1, 0.6), 5), round(a + (b - a) * numbers.next(-0.5, 1.2), 5),
                  round(time + span * numbers.next(0.4, 1.1), 5), round(a + (b - a) * numbers.next(0.0, 1.5), 5)]
    return curve


def keyed(numbers, members, low, high, start=0.0, count=5, step=0.37):
    """Keys whose curves are linear, stepped and Bezier in turn."""
    rows = [[numbers.next(low, high) for _ in members] for _ in range(count)]
    keys = []
    for i, row in enumerate(rows):
        time = round(start + i * step, 4)
        key = dict(zip(members, row))
        if time > 0.0:
            key["time"] = time
        if i + 1 < count and i % 3 == 1:
            key["curve"] = "stepped"
        elif i + 1 < count and i % 3 == 0:
            key["curve"] = bezier(numbers, time, round(start + (i + 1) * step, 4), row, rows[i + 1])
        keys.append(key)
    return keys


def hex_text(values):
    return "".join("%02x" % int(v * 255) for v in values)


def coloured(numbers, names, start=0.0):
    """Keys of colours; names: {member: channels}."""
    count = sum(names.values())
    keys = []
    for key in keyed(numbers, [str(i) for i in range(count)], 0.1, 0.9, start):
        values, at = [key[str(i)] for i in range(count)], 0
        row = {m: key[m] for m in ("time", "curve") if m in key}
        for member, channels in names.items():
            row[member] = hex_text(values[at:at + channels])
            at += channels
        keys.append(row)
    return keys


def deformed(numbers, count, size, start=0.1):
    keys = []
    for i, key in enumerate(keyed(numbers, ["mix"], 0.0, 1.0, start)):
        row = {m: key[m] for m in ("time",) if m in key}
        if key.get("curve") == "stepped":
            row["curve"] = "stepped"
        elif "curve" in key:
            a, b = row.get("time", 0.0), row.get("time", 0.0) + 0.37
            row["curve"] = [round(a + 0.1, 4), 0.1, round(b - 0.1, 4), 0.7]
        if i != 2:  # a key without vertices is the setup pose
            row["offset"] = 2 * (i % 2)
            row["vertices"] = [numbers.next(-size, size) for _ in range(count - row["offset"] - i)]
        keys.append(row)
    return keys


def grid(columns, rows, width, height):
    """Vertices of a grid, its texture coordinates and its triangles."""
    points, uvs, triangles = [], [], []
    for r in range(rows + 1):
        for c in range(columns + 1):
            points.append((width * c / columns, height * (1.0 - r / rows) - height / 2.0))
            uvs += [c / columns, r / rows]
    for r in range(rows):
        for c in range(columns):
            a = r * (columns + 1) + c
            triangles += [a, a + columns + 1, a + 1, a + 1, a + columns + 1, a + columns + 2]
    return points, uvs, triangles


def bone(name, parent=None, **members):
    return dict({"name": name}, **({"parent": parent} if parent else {}), **members)


ATLAS_42 = """NAME.png
size: 128, 128
filter: Linear, Linear
pma: PMA
plain
bounds: 2, 2, 40, 30
turned
bounds: 44, 2, 30, 20
rotate: 90
trimmed
bounds: 2, 40, 24, 16
offsets: 5, 3, 32, 32
both
bounds: 70, 2, 28, 18
offsets: 4, 6, 40, 30
rotate: 270
upside
bounds: 2, 70, 26, 14
rotate: 180
"""

ATLAS_OLD = """
NAME.png
size: 128,128
format: RGBA8888
filter: Nearest,Nearest
repeat: xy
plain
  rotate: false
  xy: 2, 2
  size: 40, 30
  orig: 40, 30
  offset: 0, 0
  index: -1
turned
  rotate: true
  xy: 44, 2
  size: 30, 20
  orig: 36, 30
  offset: 2, 7
  index: -1
"""


def write(folder, name, skeleton, atlas=ATLAS_42, premultiplied=False):
    path = os.path.join(folder, name)
    with open(path + ".json", "w", encoding="utf-8") as file:
        json.dump(skeleton, file, indent=1)
    with open(path + ".atlas", "w", encoding="utf-8") as file:
        file.write(atlas.replace("NAME", name).replace("PMA", "true" if premultiplied else "false"))
    png(path + ".png", 128, 128, checker(230, 140 if name < "g" else 60, 80))


# ---- Characters ----


def chain(prefix, parent, x, y, **upper):
    """Two bones, a third one as a hand, and a target."""
    return [bone(prefix + "-upper", parent, x=x, y=y, length=60, rotation=20, **upper),
            bone(prefix + "-lower", prefix + "-upper", x=58, y=6, length=50, rotation=-35),
            bone(prefix + "-hand", prefix + "-lower", x=50, length=20, rotation=10),
            bone(prefix + "-target", "root", x=x + 40, y=y - 30)]


def make_arm(folder):
    n = Numbers(1)
    bones = [bone("root"), bone("hip", "root", y=100, rotation=15, scaleX=0.9, scaleY=0.9),
             bone("twist", "hip", rotation=-40, scaleX=1.4, scaleY=0.8, shearX=8)]
    chains = {"even": {}, "uneven": {"scaleX": 1.3, "scaleY": 0.7}, "mirror": {"scaleX": -1, "scaleY": 1},
              "stretchy": {}, "soft": {}, "flat": {"scaleY": -1}, "sheared": {"shearX": 20, "shearY": -10}}
    for i, (name, members) in enumerate(chains.items()):
        bones += chain(name, "twist" if name == "sheared" else "hip", 30.0 * i - 90, 20.0 * i, **members)
    modes = ["normal", "onlyTranslation", "noRotationOrReflection", "noScale", "noScaleOrReflection"]
    for i, mode in enumerate(modes):
        bones.append(bone("aim-" + mode, "twist", x=10 * i, y=15 * i, length=40, rotation=5 * i, inherit=mode,
                          **({"scaleX": -0.8} if mode == "noScale" else {})))
    bones.append(bone("nose", "root", x=120, y=140))
    bones.append(bone("apart", "hip", x=-40, length=30))
    bones.append(bone("joined", "apart", length=40))
    ik = []
    for i, name in enumerate(chains):
        entry = dict(name=name, order=i, bones=[name + "-upper", name + "-lower"], target=name + "-target",
                     bendPositive=i % 2 == 0)
        if name in ("stretchy", "uneven"):
            entry.update(stretch=True, uniform=True)
        if name == "soft":
            entry.update(softness=30)
        if name == "mirror":
            entry.update(mix=0.6)
        ik.append(entry)
    for i, mode in enumerate(modes):
        ik.append(dict(name="aim-" + mode, order=len(ik), bones=["aim-" + mode], target="nose", mix=1 - 0.1 * i,
                       stretch=True, compress=i % 2 == 0, uniform=i > 2))
    ik.append(dict(name="joined", order=len(ik), bones=["apart", "joined"], target="nose", stretch=True))
    slots, attachments = [], {}
    regions = ["plain", "turned", "trimmed", "both", "upside"]
    for i, b in enumerate(bones):
        if "target" not in b["name"] and b["name"] not in ("root", "nose"):
            slots.append(dict(name=b["name"], bone=b["name"], attachment="limb"))
            attachments[b["name"]] = {"limb": dict(path=regions[i % 5], x=25, y=2, rotation=5 * i, width=60, height=20,
                                                   scaleX=1.1, color="ff80ffcc")}
    keys = {}
    for name in chains:
        keys[name + "-target"] = {"translate": keyed(n, ["x", "y"], -70, 70)}
    keys["nose"] = {"translatex": keyed(n, ["value"], -200, 60, 0.2), "translatey": keyed(n, ["value"], -90, 90)}
    keys["hip"] = {"rotate": keyed(n, ["value"], -60, 60), "scale": keyed(n, ["x", "y"], 0.7, 1.3)}
    keys["twist"] = {"shear": keyed(n, ["x", "y"], -15, 15), "scalex": keyed(n, ["value"], 0.8, 1.2)}
    switches = []
    for i, key in enumerate(keyed(n, ["mix", "softness"], 0.2, 1.0, 0.15)):
        key["softness"] *= 40
        if "curve" in key and key["curve"] != "stepped":
            key["curve"] = key["curve"][:5] + [key["curve"][5] * 40, key["curve"][6], key["curve"][7] * 40]
        switches.append(dict(key, bendPositive=i % 2 == 1, stretch=i > 2, compress=i % 2 == 0))
    ik_keys = {name: [dict(k) for k in switches] for name in ("even", "soft", "aim-normal", "aim-noScale")}
    write(folder, "arm", dict(
        skeleton=dict(spine="4.2.22", x=-150, y=0, width=400, height=400), bones=bones, slots=slots, ik=ik,
        skins=[dict(name="default", attachments=attachments)],
        animations={"reach": dict(bones=keys), "switch": dict(bones=keys, ik=ik_keys), "none": {}}))


def make_flag(folder):
    n = Numbers(2)
    bones = [bone("root"), bone("pole", "root", x=-60, rotation=90, length=200)]
    for i in range(5):
        bones.append(bone("cloth%d" % i, "pole" if i == 0 else "cloth%d" % (i - 1), x=150 if i == 0 else 30,
                          rotation=-90 if i == 0 else 0, length=30))
    points, uvs, triangles = grid(6, 3, 150, 80)
    weighted = []
    for x, y in points:
        at = min(4, int(x / 30))
        parts = [(at, 0.75), (min(4, at + 1), 0.25)] if x % 30 and at < 4 else [(at, 1.0)]
        weighted.append(len(parts))
        for b, w in parts:
            weighted += [2 + b, x - 30 * b, y, w]
    influences = sum(1 for x, y in points for _ in (range(2) if x % 30 and min(4, int(x / 30)) < 4 else range(1)))
    flat = [c for p in points for c in p]
    default = {
        "cloth": {"cloth": dict(type="mesh", path="plain", uvs=uvs, triangles=triangles, vertices=weighted, hull=18),
                  "linked": dict(type="linkedmesh", path="turned", parent="cloth", skin="default"),
                  "alone": dict(type="linkedmesh", path="both", parent="cloth", timelines=False)},
        "patch": {"patch": dict(type="mesh", path="trimmed", uvs=uvs, triangles=triangles, vertices=flat)}}
    keys = {"cloth%d" % i: {"rotate": keyed(n, ["value"], -30, 30, 0.1 * i)} for i in range(5)}
    keys["cloth2"]["translate"] = keyed(n, ["x", "y"], -5, 5)
    keys["cloth3"]["scaley"] = keyed(n, ["value"], 0.6, 1.4)
    keys["cloth4"].update(shearx=keyed(n, ["value"], -20, 20), sheary=keyed(n, ["value"], -20, 20))
    cloth = {"deform": deformed(n, 2 * influences, 12)}
    waving = dict(bones=keys, attachments={"default": {"cloth": {"cloth": cloth}, "patch": {"patch": {
        "deform": deformed(n, len(flat), 8, 0.0)}}}})
    shown = [{"name": "linked"}, {"time": 0.5, "name": "alone"}, {"time": 1.0, "name": None}, {"time": 1.2, "name": "cloth"},
             {"time": 1.6, "name": "missing"}]
    write(folder, "flag", dict(
        skeleton=dict(spine="4.1.05", x=-60, y=0, width=260, height=260), bones=bones,
        slots=[dict(name="patch", bone="cloth1", attachment="patch", blend="additive"),
               dict(name="cloth", bone="cloth0", attachment="cloth", color="ffffffe0")],
        skins=[dict(name="default", attachments=default)],
        animations={"wave": waving, "swap": dict(waving, slots={"cloth": {"attachment": shown}})}), premultiplied=True)


def path_lengths(points, closed):
    """As the file states them: a tenth longer than straight lines between the knots."""
    knots = [points[i] for i in range(1, len(points), 3)] + ([points[1]] if closed else [])
    lengths, whole = [], 0.0
    for a, b in zip(knots, knots[1:]):
        whole += math.hypot(b[0] - a[0], b[1] - a[1]) * 1.1
        lengths.append(round(whole, 3))
    return lengths + ([] if closed else [round(whole * 1.3, 3)])


def make_train(folder):
    n = Numbers(3)
    bones = [bone("root"), bone("rail", "root", x=20, y=30, rotation=10, scaleX=1.1, scaleY=-0.9),
             bone("bend", "rail", x=150, rotation=20)]
    open_points = [(-60, -20), (0, 0), (60, 40), (80, 120), (160, 110), (200, 90), (240, 20), (320, 60), (380, 80)]
    ring = [(-70, 40), (-80, 0), (-60, -60), (40, -90), (90, -20), (110, 30), (60, 90), (0, 110), (-50, 80)]
    carts, constraints = [], []
    modes = [("length", "tangent", "percent"), ("fixed", "chain", "fixed"), ("percent", "chainScale", "percent"),
             ("proportional", "chain", "percent"), ("length", "chainScale", "fixed"), ("percent", "tangent", "fixed")]
    for i, (spacing, rotate, position) in enumerate(modes):
        names = []
        for k in range(4):
            name = "cart%d-%d" % (i, k)
            carts.append(bone(name, "root" if k == 0 or i % 2 else names[-1], x=10 * k, y=5 * i, length=22 + 4 * k,
                              rotation=12 * k, scaleX=1.0 + 0.1 * k, scaleY=0.9))
            names.append(name)
        carts.append(bone(names[1] + "-lamp", names[1], x=15, y=10, rotation=30))
        constraints.append(dict(
            name="track%d" % i, order=i, bones=names, target="ring" if i in (1, 3) else "steps" if i == 5 else "track",
            spacingMode=spacing, rotateMode=rotate, positionMode=position, rotation=25 if i in (0, 3) else 0,
            position=0.1 * i if position == "percent" else 30.0 * i - 40, mixRotate=1 - 0.1 * i, mixX=1 - 0.15 * i, mixY=1,
            spacing=[5, 40, 0.12, 0.8, 4, 0.2][i]))
    weighted = []
    for k, (x, y) in enumerate(open_points):
        weighted += [1, 1, x, y, 1.0] if k % 2 else [2, 1, x, y, 0.6, 2, x - 140, y + 10, 0.4]
    influences = sum(1 if k % 2 else 2 for k in range(len(open_points)))
    attachments = {
        "track": {"path": dict(type="path", vertexCount=9, vertices=weighted, lengths=path_lengths(open_points, False))},
        "ring": {"path": dict(type="path", closed=True, vertexCount=9, vertices=[c for p in ring for c in p],
                              lengths=path_lengths(ring, True))},
        "steps": {"path": dict(type="path", constantSpeed=False, vertexCount=9, vertices=[c for p in open_points for c in p],
                               lengths=path_lengths(open_points, False))}}
    slots = [dict(name=s, bone="rail", attachment="path") for s in ("track", "ring", "steps")]
    for cart in carts:
        slots.append(dict(name=cart["name"], bone=cart["name"], attachment="cart"))
        attachments[cart["name"]] = {"cart": dict(path="plain", width=26, height=14, x=11)}
    keys = {}
    for i in range(6):
        scale = 1.0 if modes[i][2] == "percent" else 260.0
        keys["track%d" % i] = {"position": [dict(k, value=k["value"]) for k in keyed(n, ["value"], -0.3 * scale, 1.2 * scale)]}
        if i % 2 == 0:
            keys["track%d" % i]["spacing"] = keyed(n, ["value"], *((0.05, 0.2) if modes[i][0] == "percent" else (1, 12)))
        if i % 3 == 1:
            keys["track%d" % i]["mix"] = keyed(n, ["mixRotate", "mixX", "mixY"], 0.1, 1.0, 0.2)
    write(folder, "train", dict(
        skeleton=dict(spine="4.2.40", x=-100, y=-100, width=500, height=400), bones=bones + carts, slots=slots,
        path=constraints, skins=[dict(name="default", attachments=attachments)],
        animations={"drive": dict(path=keys, bones={"bend": {"rotate": keyed(n, ["value"], -30, 30)}}, attachments={
            "default": {"track": {"path": {"deform": deformed(n, 2 * influences, 10)}}}})}))


def make_face(folder):
    n = Numbers(4)
    bones = [bone("root"), bone("head", "root", y=50, length=40, transform="normal"),
             bone("hat", "head", x=10, y=60, skin=True), bone("feather", "hat", x=5, y=20, skin=True, rotation=30, length=25),
             bone("eye", "head", x=20, y=30, transform="noScale"), bone("gaze", "root", x=90, y=60)]
    points, uvs, triangles = grid(2, 2, 40, 40)
    flat = [c for p in points for c in p]
    names = ["back", "face", "eye", "mouth", "hat", "feather", "nose"]
    slots = [dict(name=s, bone={"hat": "hat", "feather": "feather", "eye": "eye"}.get(s, "head"), attachment=s) for s in names]
    slots[1].update(color="ffeeddff")
    slots[3].update(dark="203040", color="c0d0e0f0")
    region = lambda path, w=40, h=30, **m: dict(path=path, width=w, height=h, **m)
    default = {"face": {"face": dict(type="mesh", path="plain", uvs=uvs, triangles=triangles, vertices=flat)},
               "back": {"back": region("turned", rotation=20)}, "mouth": {"mouth": region("plain"), "open": region("turned", 20, 20)},
               "eye": {"eye": region("turned", 10, 10, x=3)}, "nose": {"nose": region("plain", 9, 9, y=-5)},
               "hat": {"hat": region("turned", 30, 30)}}
    cat = {"face": {"face": dict(type="linkedmesh", path="turned", parent="face", deform=True)},
           "nose": {"nose": region("turned", 12, 8)}}
    dog = {"face": {"face": dict(type="linkedmesh", path="turned", parent="face", deform=False)},
           "back": {"back": region("plain", 60, 10, scaleX=-1)}}
    hat = {"hat": {"hat": region("plain", 50, 20)}, "feather": {"feather": region("turned", 30, 8, x=12)}}
    skins = [dict(name="default", attachments=default), dict(name="cat", attachments=cat), dict(name="dog", attachments=dog),
             dict(name="dressed", bones=["feather"], ik=["blow"], attachments=hat)]
    order = [{"time": 0.2, "offsets": [{"slot": "back", "offset": 3}, {"slot": "mouth", "offset": -2}]}, {"time": 0.8},
             {"time": 1.1, "offsets": [{"slot": "nose", "offset": -6}, {"slot": "face", "offset": 4}]}]
    animation = dict(
        bones={"head": {"rotate": keyed(n, ["value"], -20, 20)}, "gaze": {"translate": keyed(n, ["x", "y"], -80, 80)}},
        slots={"face": {"rgba": coloured(n, {"color": 4}, 0.1)}, "mouth": {"rgba2": coloured(n, {"light": 4, "dark": 3}),
               "attachment": [{"time": 0.3, "name": "open"}, {"time": 0.9, "name": "mouth"}, {"time": 1.3}]},
               "eye": {"rgb": coloured(n, {"color": 3}), "alpha": keyed(n, ["value"], 0.1, 0.9)},
               "nose": {"rgb2": coloured(n, {"light": 3, "dark": 3}, 0.2)}},
        deform={"default": {"face": {"face": deformed(n, len(flat), 6)}}}, drawOrder=order)
    write(folder, "face", dict(
        skeleton=dict(spine="4.0.64", x=-40, y=0, width=120, height=160), bones=bones, slots=slots, skins=skins,
        ik=[dict(name="blow", order=1, skin=True, bones=["feather"], target="gaze"),
            dict(name="look", order=0, bones=["eye"], target="gaze", mix=0.5)],
        animations={"talk": animation}), ATLAS_OLD)


def make_scene(folder):
    n = Numbers(5)
    bones = [bone("root"), bone("window", "root", x=10, y=20, rotation=15), bone("ball", "root", x=30, length=20),
             bone("tail", "ball", x=20, length=20), bone("sprite", "root", x=-60, y=40, scaleX=1.5)]
    slots = [dict(name="behind", bone="root", attachment="box"),
             dict(name="clip", bone="window", attachment="clip")]
    attachments = {
        "behind": {"box": dict(path="plain", width=200, height=150)},
        "clip": {"clip": dict(type="clipping", end="screened", vertexCount=5, vertices=[-50, -40, 60, -30, 20, 0, 70, 60, -40, 50]),
                 "wide": dict(type="clipping", vertexCount=3, vertices=[1, 1, -50, -40, 1, 1, 1, 90, -30, 1, 1, 2, 0, 60, 1])},
        "area": {"area": dict(type="boundingbox", vertexCount=4, vertices=[-10, -10, 30, -10, 30, 20, -10, 20])},
        "muzzle": {"muzzle": dict(type="point", x=12, y=-4, rotation=30)}}
    for i, blend in enumerate(("normal", "additive", "multiply", "screen")):
        name = blend if blend != "screen" else "screened"
        slots.append(dict(name=name, bone="ball" if i % 2 else "tail", attachment="ball", blend=blend,
                          **({"dark": "402010"} if i == 2 else {})))
        attachments[name] = {"ball": dict(path="both", x=5 * i, width=40, height=30, rotation=30 * i, color="80ff80%02x" % (250 - 40 * i))}
    slots += [dict(name="area", bone="ball", attachment="area"), dict(name="muzzle", bone="tail", attachment="muzzle")]
    modes = ["hold", "once", "loop", "pingpong", "onceReverse", "loopReverse", "pingpongReverse"]
    points, uvs, triangles = grid(1, 1, 30, 30)
    sequence_keys = {}
    for i, mode in enumerate(modes):
        name = "frames-" + mode
        slots.append(dict(name=name, bone="sprite", attachment="walk"))
        sequence = dict(count=4, start=0, digits=2, setup=i % 4)
        common = dict(path="walk", sequence=sequence)
        attachments[name] = {"walk": dict(common, type="mesh", uvs=uvs, triangles=triangles, vertices=[c for p in points for c in p])
                             if i % 2 else dict(common, x=20 * i, width=30, height=24)}
        sequence_keys[name] = {"walk": {"sequence": [{"time": 0.1, "mode": mode, "index": i % 4, "delay": 0.07},
                                                     {"time": 0.9, "mode": mode, "index": 1}]}}
    events = [{"time": 0.2, "name": "hit", "int": 3}, {"time": 0.7, "name": "sound", "float": 2.5, "string": "loud"}]
    atlas = ATLAS_42 + "walk00\nbounds: 40, 40, 20, 16\noffsets: 1, 2, 24, 20\nwalk01\nbounds: 64, 40, 24, 20\n" \
        "walk02\nbounds: 90, 40, 20, 16\nrotate: true\n\nscene2.png\nsize: 64, 64\npma: true\nfilter: Nearest, Nearest\n" \
        "repeat: x\nwalk03\nbounds: 8, 8, 24, 20\n"
    moves = {"ball": {"translate": keyed(n, ["x", "y"], -40, 40)}, "window": {"rotate": keyed(n, ["value"], -40, 40)}}
    write(folder, "scene", dict(
        skeleton=dict(spine="4.2.33", x=-100, y=-80, width=220, height=160), bones=bones, slots=slots,
        skins=[dict(name="default", attachments=attachments)],
        physics=[dict(name="wobble", order=0, bone="tail", rotate=1, inertia=0.5, mix=0)],
        events={"hit": {"int": 1}, "sound": {"float": 1.5, "string": "soft", "audio": "a.ogg"}},
        animations={"play": dict(bones=moves, attachments={"default": sequence_keys}, events=events, slots={
            "clip": {"attachment": [{"time": 1.2, "name": "wide"}]}, "additive": {"alpha": keyed(n, ["value"], 0, 1)}},
            physics={"wobble": {"inertia": [{"value": 0.3}]}})}), atlas)
    png(os.path.join(folder, "scene2.png"), 64, 64, checker(90, 200, 120))


def sheath(n, first_bone):
    """A mesh along the tentacle: four influences per vertex, of every third one six."""
    points, uvs, triangles = grid(6, 2, 1, 1)
    vertices, influences = [], 0
    for i in range(len(points)):
        weights = [0.3, 0.2, 0.18, 0.15, 0.1, 0.07] if i % 3 == 0 else [0.4, 0.3, 0.2, 0.1]
        influences += len(weights)
        vertices.append(len(weights))
        for k, weight in enumerate(weights):
            vertices += [first_bone + 2 * (i % 7) + (2 * k + i) % 9, n.next(-15, 30), n.next(-25, 25), weight]
    return dict(type="mesh", path="plain", uvs=uvs, triangles=triangles, vertices=vertices), influences


def keep_four(mesh):
    """The mesh as uniform-2d draws it: of each vertex the four largest weights, divided by their sum."""
    numbers, at, kept = mesh["vertices"], 0, []
    while at < len(numbers):
        entries = [numbers[at + 1 + 4 * k:at + 5 + 4 * k] for k in range(numbers[at])]
        at += 1 + 4 * numbers[at]
        entries = sorted(entries, key=lambda entry: -entry[3])[:4]
        whole = sum(entry[3] for entry in entries)
        kept += [len(entries)] + [v for entry in entries for v in entry[:3] + [entry[3] / whole]]
    return dict(mesh, vertices=kept)


def make_tentacle(folder):
    n = Numbers(6)
    modes = ["normal", "noScale", "noScaleOrReflection", "noRotationOrReflection", "onlyTranslation", "normal"]
    bones = [bone("root"), bone("base", "root", rotation=70, scaleX=1.2, scaleY=0.9, shearY=10)]
    for i in range(24):
        bones.append(bone("t%d" % i, "base" if i == 0 else "t%d" % (i - 1), x=14, y=1, length=14, rotation=n.next(-25, 25),
                          scaleX=-1.0 if i == 9 else n.next(0.9, 1.1), scaleY=-1.0 if i == 15 else n.next(0.9, 1.1),
                          shearX=n.next(-6, 6), shearY=n.next(-6, 6), inherit=modes[i % 6]))
    bones.append(bone("guide", "base", x=40, y=30, rotation=35, scaleX=1.3, scaleY=0.8, shearY=15, length=20))
    bones.append(bone("mirror", "base", x=-40, y=30, rotation=-35, scaleX=0.8, scaleY=-1.2, shearY=5, length=20))
    constraints = []
    for i, (local, relative) in enumerate(((False, False), (False, True), (True, False), (True, True))):
        for k, target in enumerate(("guide", "mirror")):
            order = 7 - (2 * i + k)
            constraints.append(dict(
                name="follow%d" % (2 * i + k), order=order, bones=["t%d" % (3 * (2 * i + k)), "t%d" % (3 * (2 * i + k) + 1)],
                target=target, local=local, relative=relative, rotation=10, x=5, y=-3, scaleX=0.1, scaleY=-0.1, shearY=4,
                mixRotate=0.5 + 0.1 * k, mixX=0.3, mixY=0.4, mixScaleX=0.6, mixScaleY=0.2 + 0.1 * i, mixShearY=0.7))
    ik = [dict(name="tip", order=8, bones=["t23"], target="guide", mix=0.7)]
    slots, attachments = [], {}
    for i in range(24):
        slots.append(dict(name="t%d" % i, bone="t%d" % i, attachment="ring"))
        attachments["t%d" % i] = {"ring": dict(path=("plain", "both", "trimmed")[i % 3], x=7, width=14, height=10 - i / 4)}
    mesh, influences = sheath(Numbers(7), 2)
    slots.append(dict(name="sheath", bone="base", attachment="sheath", color="80c0ffa0"))
    attachments["sheath"] = {"sheath": mesh}
    moved = {"default": {"sheath": {"sheath": {"deform": deformed(Numbers(8), 2 * influences, 15)}}}}
    keys = {"t%d" % i: {"rotate": keyed(n, ["value"], -20, 20)} for i in range(0, 24, 2)}
    keys["t5"] = {"inherit": [{"time": 0.3, "inherit": "noScale"}, {"time": 0.8, "inherit": "onlyTranslation"}, {"time": 1.2}]}
    keys["guide"] = {"rotate": keyed(n, ["value"], -90, 90), "scale": keyed(n, ["x", "y"], 0.6, 1.5),
                     "translate": keyed(n, ["x", "y"], -30, 30)}
    keys["base"] = {"scale": keyed(n, ["x", "y"], 0.7, 1.3)}
    mixes = ["mixRotate", "mixX", "mixY", "mixScaleX", "mixScaleY", "mixShearY"]
    write(folder, "tentacle", dict(
        skeleton=dict(spine="4.2.11", x=-200, y=-50, width=400, height=400), bones=bones, slots=slots, ik=ik,
        transform=constraints, skins=[dict(name="default", attachments=attachments)],
        animations={"curl": dict(bones=keys, attachments=moved), "mix": dict(bones=keys, transform={
            "follow%d" % i: keyed(n, mixes, 0.0, 1.0, 0.05 * i) for i in range(8)})}))


def make_tassel(folder):
    """Springs of each kind on a hand that moves, turns and scales; keys of all their values, for one and for all, and resets."""
    n = Numbers(11)
    chain = [bone("t%d" % i, "hand" if i == 0 else "t%d" % (i - 1), x=0 if i == 0 else 40, rotation=15, length=40) for i in range(5)]
    springs = [dict(rotate=1, inertia=0.8, strength=60, damping=0.85, mass=2, gravity=1, fps=30),
               dict(x=1, y=0.5, inertia=0.5, strength=90, damping=0.9, limit=180, windGlobal=True, strengthGlobal=True),
               dict(rotate=0.7, shearX=0.3, strength=120, damping=0.8, mix=0.6, wind=-1), dict(scaleX=0.5, strength=80, damping=0.9, windGlobal=True),
               dict(x=0.3, rotate=0.5, scaleX=0.2, strength=50, damping=0.95, gravity=0.5)]
    value = lambda low, high, start=0.0: keyed(n, ["value"], low, high, start)
    keys = {"": {"wind": value(-2, 2), "strength": value(40, 120, 0.2)}, "s0": {"inertia": value(0.2, 1), "mass": value(1, 3)},
            "s2": {"damping": value(0.7, 0.95), "mix": value(0.3, 1), "reset": [{"time": 0.4}, {"time": 0.71}]},
            "s4": {"gravity": value(-1, 2)}}
    hand = {"translate": keyed(n, ["x", "y"], -60, 60), "rotate": value(-50, 50), "scale": keyed(n, ["x", "y"], 0.8, 1.2)}
    write(folder, "tassel", dict(
        skeleton=dict(spine="4.2.40", x=-150, y=-150, width=300, height=300, referenceScale=80), bones=[bone("root"), bone("hand", "root")] + chain,
        physics=[dict(s, name="s%d" % i, bone="t%d" % i, order=i) for i, s in enumerate(springs)],
        animations={"shake": dict(bones={"hand": hand}, physics=keys)}))


def make_cards(folder):
    """A square of one colour per animation; with the skin "cut" a polygon leaves its left half."""
    polygon = dict(type="clipping", end="card", vertexCount=4, vertices=[-30, -30, 0, -30, 0, 30, -30, 30])
    skeleton = dict(
        skeleton=dict(spine="4.2.0", width=40, height=40), bones=[bone("root")],
        slots=[dict(name="cut", bone="root", attachment="cut"), dict(name="card", bone="root", attachment="card")],
        skins=[dict(name="default", attachments={"card": {"card": dict(width=40, height=40)}}),
               dict(name="cut", attachments={"cut": {"cut": polygon}})],
        animations={name: dict(slots={"card": {"rgba": [dict(color=colour)]}})
                    for name, colour in (("red", "ff0000ff"), ("green", "00ff00ff"), ("blue", "0000ffff"))})
    with open(os.path.join(folder, "cards.json"), "w", encoding="utf-8") as file:
        json.dump(skeleton, file)
    with open(os.path.join(folder, "cards.atlas"), "w", encoding="utf-8") as file:
        file.write("cards.png\nsize: 8, 8\ncard\nbounds: 2, 2, 4, 4\n")
    png(os.path.join(folder, "cards.png"), 8, 8, lambda x, y: (255, 255, 255, 255))


def make_all(folder):
    os.makedirs(folder, exist_ok=True)
    for make in (make_arm, make_flag, make_train, make_face, make_scene, make_tentacle, make_tassel):
        make(folder)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    make_all(sys.argv[1])
