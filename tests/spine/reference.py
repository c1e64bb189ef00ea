"""reference.py: evaluates Spine skeletons in double precision, to compare the engine with.

Written from the format's documentation and the definitions of docs/2d.md, with other methods than the engine: angles are
found by scanning and halving, lengths of exact paths by sums of chords, inherit modes by complex numbers. `leave_out` holds
names of features that are ignored, so that a test can show that it notices each of them.
"""
import cmath
import json
import math
import struct


def single(number):
    """The number as the file's reader stores it."""
    return struct.unpack("f", struct.pack("f", number))[0]


def wrap(degrees):
    while degrees >= 180.0:
        degrees -= 360.0
    while degrees < -180.0:
        degrees += 360.0
    return degrees


def first_crossing(function, goal, low, high, steps=4000):
    """The first place from low to high where the function reaches the goal from below."""
    before = low
    for i in range(1, steps + 1):
        at = low + (high - low) * i / steps
        if function(at) >= goal:
            for _ in range(60):
                middle = (before + at) / 2.0
                if function(middle) >= goal:
                    at = middle
                else:
                    before = middle
            return at
        before = at
    return high


# ---- Matrices: (x axis, y axis, origin) as complex numbers ----


def apply(matrix, point):
    return matrix[0] * point.real + matrix[1] * point.imag + matrix[2]


def cross(a, b):
    return a.real * b.imag - a.imag * b.real


def unapply(matrix, vector):
    """The vector's coordinates along both axes, by Cramer's rule."""
    size = cross(matrix[0], matrix[1])
    return complex(cross(vector, matrix[1]) / size, cross(matrix[0], vector) / size)


def polar(degrees, length=1.0):
    return cmath.rect(length, math.radians(degrees))


def angle(vector):
    return math.degrees(cmath.phase(vector))


# ---- Atlas ----


def read_atlas(path):
    pages, regions, page, region = [], {}, None, None
    for line in open(path, encoding="utf-8").read().split("\n"):
        line = line.strip()
        if not line:
            page = region = None
        elif page is None:
            page = {"name": line}
            pages.append(page)
        elif ":" not in line:
            region = regions.setdefault(line, {"page": page})
        else:
            key, values = line.split(":", 1)
            (page if region is None else region)[key.strip()] = [v.strip() for v in values.split(",")]
    result = {}
    for name, region in regions.items():
        number = lambda key: [float(v) for v in region[key]]
        x, y, w, h = number("bounds") if "bounds" in region else number("xy") + number("size")
        if "offsets" in region:
            left, bottom, full_w, full_h = number("offsets")
        else:
            left, bottom = number("offset") if "offset" in region else (0.0, 0.0)
            full_w, full_h = number("orig") if "orig" in region else (w, h)
        turned = region.get("rotate", ["false"])[0]
        degrees = {"true": 90, "false": 0}.get(turned, None)
        degrees = int(turned) if degrees is None else degrees
        size = [float(v) for v in region["page"]["size"]]
        result[name] = dict(x=x, y=y, w=w, h=h, left=left, bottom=bottom, full=(full_w, full_h), degrees=degrees,
                            page=size)
    return result


def texcoord(region, u, v):
    """Turns about the middle of what is stored: 90 degrees counter-clockwise on the page, where y points down."""
    across = u * region["full"][0] - region["left"] - region["w"] / 2.0
    down = v * region["full"][1] - (region["full"][1] - region["bottom"] - region["h"]) - region["h"] / 2.0
    turned = complex(across, -down) * 1j ** (region["degrees"] // 90)
    wide = region["degrees"] % 180 == 0
    middle = complex(region["x"] + (region["w"] if wide else region["h"]) / 2.0,
                     region["y"] + (region["h"] if wide else region["w"]) / 2.0)
    return (middle.real + turned.real) / region["page"][0], (middle.imag - turned.imag) / region["page"][1]


# ---- Keys ----

SCALES = {"scale", "scalex", "scaley"}
BONE_CHANNELS = {"rotate": ["rotation"], "translate": ["x", "y"], "translatex": ["x"], "translatey": ["y"],
                 "scale": ["scaleX", "scaleY"], "scalex": ["scaleX"], "scaley": ["scaleY"], "shear": ["shearX", "shearY"],
                 "shearx": ["shearX"], "sheary": ["shearY"]}


def key_time(key):
    return single(key.get("time", 0.0))


def find_key(keys, time):
    found = -1
    for i, key in enumerate(keys):
        if key_time(key) <= time:
            found = i
    return found


def share(key, following, time, curve, first, last, exact):
    """The value between two keys; curve: its number among those of the key. Not exact: on ten chords of the curve."""
    t0, t1 = key_time(key), key_time(following)
    shape = key.get("curve")
    if shape == "stepped":
        return first
    if shape is None:
        return first + (last - first) * (time - t0) / (t1 - t0) if t1 > t0 else first
    x1, y1, x2, y2 = [single(v) for v in shape[curve * 4:curve * 4 + 4]]

    def at(p, s):
        for _ in range(3):  # de Casteljau
            p = [a + (b - a) * s for a, b in zip(p, p[1:])]
        return p[0]

    if not exact:
        knots = [(at([t0, x1, x2, t1], k / 10.0), at([first, y1, y2, last], k / 10.0)) for k in range(11)]
        (ta, va), (tb, vb) = next((pair for pair in zip(knots, knots[1:]) if pair[1][0] >= time))
        return va + (vb - va) * ((time - ta) / (tb - ta) if tb > ta else 0.0)
    place = first_crossing(lambda s: at([t0, x1, x2, t1], s), time, 0.0, 1.0)
    return at([first, y1, y2, last], place)


def hex_colour(text, channels):
    return [int(text[2 * i:2 * i + 2], 16) / 255.0 for i in range(channels)]


SEQUENCE_STEPS = {
    "hold": lambda i, n: [i],
    "once": lambda i, n: list(range(i, n)),
    "loop": None, "pingpong": None, "loopReverse": None, "pingpongReverse": None,
    "onceReverse": lambda i, n: list(range(max(0, n - 1 - i), -1, -1)),
}


def sequence_frame(mode, index, steps, count):
    if mode in ("hold", "once", "onceReverse"):
        frames = SEQUENCE_STEPS[mode](index, count) or [count - 1]
        return min(frames[min(steps, len(frames) - 1)], count - 1)
    forward = list(range(count))
    cycle = {"loop": forward, "loopReverse": forward[::-1], "pingpong": forward + forward[-2:0:-1],
             "pingpongReverse": forward[::-1] + forward[1:-1]}[mode]
    return cycle[(index + steps) % len(cycle)]


# ---- A skeleton at a time ----


class Skeleton:
    def __init__(self, path, leave_out=()):
        self.data = json.load(open(path, encoding="utf-8"))
        stem = path[:-len(".json")]
        self.atlas = read_atlas(stem + ".atlas")
        self.leave_out = set(leave_out)
        self.bones = self.data["bones"]
        self.bone_index = {b["name"]: i for i, b in enumerate(self.bones)}
        self.slots = self.data.get("slots", [])
        self.slot_index = {s["name"]: i for i, s in enumerate(self.slots)}
        self.skins = self.data.get("skins", [])
        kinds = ("ik", "transform", "path", "physics")
        entries = [(c.get("order", 0), kinds.index(k), k, c) for k in kinds for c in self.data.get(k, [])]
        self.constraints = [(k, c) for _, _, k, c in sorted(entries, key=lambda e: e[:2])]
        if "order" in self.leave_out:
            self.constraints.reverse()
        self.rate, self.updating, self.played = None, False, ""  # updates of physics per second

    # ---- The pose before constraints ----

    def pose(self, animation, time, skins=()):
        """With a rate: after updates from 0 s on. They go on from those of the last pose, if that was earlier."""
        wanted = int(time * self.rate + 0.5) if self.rate and animation else 0
        if self.rate and (self.played != animation or self.count > wanted):
            self.springs, self.played, self.count, self.clock = {}, animation, -1, 0.0
        while self.rate and self.count < wanted:
            self.count += 1
            self.before, self.clock = self.clock, self.clock + (1.0 / self.rate if self.count else 0.0)
            self.updating = True
            self.evaluate(animation, self.count / self.rate, skins)
        self.updating = False
        return self.evaluate(animation, time, skins)

    def evaluate(self, animation, time, skins):
        self.time = time
        self.chosen = [s for s in self.skins if s["name"] in skins]
        self.chosen.sort(key=lambda s: list(skins).index(s["name"]))
        self.animation = self.data["animations"][animation] if animation else {}
        self.local = [dict(x=b.get("x", 0.0), y=b.get("y", 0.0), rotation=b.get("rotation", 0.0),
                           scaleX=b.get("scaleX", 1.0), scaleY=b.get("scaleY", 1.0), shearX=b.get("shearX", 0.0),
                           shearY=b.get("shearY", 0.0)) for b in self.bones]
        self.inherit = [b.get("inherit", b.get("transform", "normal")) for b in self.bones]
        self.active = self.active_bones()
        self.key_bones()
        self.key_slots()
        self.key_order()
        self.world = [None] * len(self.bones)
        for i in range(len(self.bones)):
            self.place(i)
        for kind, constraint in self.constraints:
            if self.is_active(constraint, kind) and kind not in self.leave_out:
                getattr(self, "apply_" + kind)(constraint)
        return self

    def active_bones(self):
        active = [not b.get("skin", False) for b in self.bones]
        for skin in self.chosen:
            for name in skin.get("bones", []):
                while name:
                    active[self.bone_index[name]] = True
                    name = self.bones[self.bone_index[name]].get("parent")
        return active if "skin bones" not in self.leave_out else [True] * len(active)

    def is_active(self, constraint, kind):
        bone = constraint["bone" if kind == "physics" else "target"]
        bone = self.slots[self.slot_index[bone]]["bone"] if kind == "path" else bone
        listed = any(constraint["name"] in s.get(kind, []) for s in self.chosen)
        if "skin constraints" in self.leave_out:
            listed = True
        return self.active[self.bone_index[bone]] and (listed or not constraint.get("skin", False))

    def keys(self, owner, kind, name):
        """The keys of a timeline if the time has reached the first one."""
        keys = self.animation.get(owner, {}).get(name, {})
        keys = keys.get(kind, []) if kind else keys
        label = owner + " " + kind if kind else owner + " timeline"
        return keys if keys and label not in self.leave_out and key_time(keys[0]) <= self.time else None

    def sample(self, keys, read):
        """read(key): the list of its curved values."""
        i = find_key(keys, self.time)
        values = read(keys[i])
        if i + 1 < len(keys):
            nexts = read(keys[i + 1])
            values = [self.share(keys, i, c, values[c], nexts[c]) for c in range(len(values))]
        return values

    def share(self, keys, i, curve, first, last):
        return share(keys[i], keys[i + 1], self.time, curve, first, last, "sampled keys" in self.leave_out)

    def key_bones(self):
        for i, bone in enumerate(self.bones):
            for kind, channels in BONE_CHANNELS.items():
                keys = self.keys("bones", kind, bone["name"])
                if not keys:
                    continue
                default = 1.0 if kind in SCALES else 0.0
                members = ["value"] if len(channels) == 1 else ["x", "y"]
                for channel, value in zip(channels, self.sample(keys, lambda k: [k.get(m, default) for m in members])):
                    self.local[i][channel] = self.local[i][channel] * value if kind in SCALES else self.local[i][channel] + value
            keys = self.keys("bones", "inherit", bone["name"])
            if keys:
                self.inherit[i] = keys[find_key(keys, self.time)].get("inherit", "normal")

    # ---- Slots ----

    def find_attachment(self, slot, name):
        skins = self.chosen[::-1] + [s for s in self.skins if s["name"] == "default"]
        for skin in skins:
            found = skin.get("attachments", {}).get(self.slots[slot]["name"], {}).get(name)
            if found is not None:
                return skin["name"], name, found
        return None

    def key_slots(self):
        self.shown, self.colour, self.dark, self.frame, self.deform = [], [], [], [], []
        for i, slot in enumerate(self.slots):
            name = slot.get("attachment")
            keys = self.keys("slots", "attachment", slot["name"])
            if keys:
                name = keys[find_key(keys, self.time)].get("name")
            shown = self.find_attachment(i, name) if name and self.active[self.bone_index[slot["bone"]]] else None
            self.shown.append(shown)
            colour, dark = hex_colour(slot.get("color", "ffffffff"), 4), hex_colour(slot.get("dark", "000000"), 3)
            self.colour.append(colour)
            self.dark.append(dark)
            self.key_colours(slot["name"], colour, dark)
            self.frame.append(self.find_frame(shown, slot["name"]))

    def key_colours(self, slot, colour, dark):
        for kind, first, channels in (("rgba", "color", 4), ("rgb", "color", 3), ("rgba2", "light", 4), ("rgb2", "light", 3)):
            keys = self.keys("slots", kind, slot)
            if keys:
                two = kind.endswith("2")
                values = self.sample(keys, lambda k: hex_colour(k[first], channels) + (hex_colour(k["dark"], 3) if two else []))
                colour[:channels] = values[:channels]
                dark[:] = values[channels:] if two else dark
        keys = self.keys("slots", "alpha", slot)
        if keys:
            colour[3] = self.sample(keys, lambda k: [k.get("value", 0.0)])[0]
        colour[:] = [min(1.0, max(0.0, c)) for c in colour]
        dark[:] = [min(1.0, max(0.0, c)) for c in dark]

    def source_of(self, shown, slot):
        """The skin and the name whose keys an attachment follows."""
        skin, name, attachment = shown
        if attachment.get("type") == "linkedmesh" and attachment.get("timelines", attachment.get("deform", True)):
            return attachment.get("skin", "default"), attachment["parent"]
        return skin, name

    def attachment_keys(self, shown, slot, kind):
        skin, name = self.source_of(shown, slot)
        if "attachments " + kind in self.leave_out:
            return None
        keys = self.animation.get("attachments", {}).get(skin, {}).get(slot, {}).get(name, {}).get(kind)
        if kind == "deform" and keys is None:
            keys = self.animation.get("deform", {}).get(skin, {}).get(slot, {}).get(name)
        return keys if keys and key_time(keys[0]) <= self.time else None

    def find_frame(self, shown, slot):
        sequence = shown[2].get("sequence") if shown else None
        if not sequence:
            return 0
        keys = self.attachment_keys(shown, slot, "sequence")
        if not keys:
            return min(sequence.get("setup", 0), sequence["count"] - 1)
        i = find_key(keys, self.time)
        delay = next((k["delay"] for k in keys[i::-1] if "delay" in k), 0.0)
        steps = int((self.time - key_time(keys[i])) / single(delay) + 1e-5) if delay > 0.0 else 0
        return sequence_frame(keys[i].get("mode", "hold"), keys[i].get("index", 0), steps, sequence["count"])

    def key_order(self):
        self.order = list(range(len(self.slots)))
        keys = self.animation.get("drawOrder", [])
        if not keys or key_time(keys[0]) > self.time or "drawOrder" in self.leave_out:
            return
        offsets = keys[find_key(keys, self.time)].get("offsets", [])
        moved = {self.slot_index[o["slot"]]: self.slot_index[o["slot"]] + o["offset"] for o in offsets}
        rest = [s for s in self.order if s not in moved]
        places = {place: slot for slot, place in moved.items()}
        self.order = [places[i] if i in places else rest.pop(0) for i in range(len(self.slots))]

    # ---- Bones ----

    def parent_world(self, i):
        parent = self.bones[i].get("parent")
        return self.world[self.bone_index[parent]] if parent else (1 + 0j, 1j, 0j)

    def axes(self, i):
        """The x and y axes that rotation 0, scale 1 and no shear would give: see docs/2d.md."""
        px, py, _ = self.parent_world(i)
        inherit = self.inherit[i] if "inherit " + self.inherit[i] not in self.leave_out else "normal"
        turn = self.local[i]["rotation"]
        if not self.bones[i].get("parent") or inherit == "onlyTranslation":
            return 1 + 0j, 1j
        if inherit == "normal":
            return px, py
        if inherit == "noRotationOrReflection":
            unit = px / abs(px)  # scale along the parent's x axis, and across it
            along, across = abs(px), abs(cross(px, py)) / abs(px)
            stretch = lambda v: unit * complex((v / unit).real * along, (v / unit).imag * across)
            return stretch(1 + 0j), stretch(1j)
        towards = px * math.cos(math.radians(turn)) + py * math.sin(math.radians(turn))
        unit = towards / abs(towards)
        side = unit * 1j
        if inherit == "noScale" and cross(px, py) < 0.0:
            side = -side
        back = polar(-turn)  # the rotation is already in `unit`
        return unit * back.real + side * back.imag, unit * (back * 1j).real + side * (back * 1j).imag

    def place(self, i):
        local = self.local[i]
        axes = self.axes(i) + (0j,)
        x = polar(local["rotation"] + local["shearX"], local["scaleX"])
        y = polar(local["rotation"] + 90.0 + local["shearY"], local["scaleY"])
        self.world[i] = (apply(axes, x), apply(axes, y), apply(self.parent_world(i), complex(local["x"], local["y"])))

    def unplace(self, i):
        """The place below the parent that gives the bone's matrix, with no shear of x."""
        wx, wy, origin = self.world[i]
        parent = self.parent_world(i)
        at = unapply(parent, origin - parent[2])
        local = self.local[i]
        if self.inherit[i] in ("noScale", "noScaleOrReflection"):
            local["rotation"] = angle(unapply(parent, wx))
        axes = self.axes(i) + (0j,)
        if self.inherit[i] not in ("noScale", "noScaleOrReflection"):
            local["rotation"] = angle(unapply(axes, wx))
        x, y = unapply(axes, wx), unapply(axes, wy)
        side = 1.0 if cross(x, y) >= 0.0 else -1.0
        local.update(x=at.real, y=at.imag, scaleX=abs(x), scaleY=side * abs(y), shearX=0.0,
                     shearY=wrap(angle(y * side) - 90.0 - angle(x)))

    def follow(self, moved, fixed=()):
        moved = set(moved)
        for i, bone in enumerate(self.bones):
            parent = bone.get("parent")
            if parent and self.bone_index[parent] in moved:
                moved.add(i)
                if i not in fixed:
                    self.place(i)

    # ---- IK ----

    def ik_values(self, c):
        values = dict(mix=c.get("mix", 1.0), softness=c.get("softness", 0.0), bend=c.get("bendPositive", True),
                      compress=c.get("compress", False), stretch=c.get("stretch", False))
        keys = self.animation.get("ik", {}).get(c["name"])
        if keys and key_time(keys[0]) <= self.time and "ik timeline" not in self.leave_out:
            key = keys[find_key(keys, self.time)]
            values["mix"], values["softness"] = self.sample(keys, lambda k: [k.get("mix", 1.0), k.get("softness", 0.0)])
            values.update(bend=key.get("bendPositive", True), compress=key.get("compress", False),
                          stretch=key.get("stretch", False))
        for name in ("softness", "compress", "stretch"):
            values[name] = 0 if "ik " + name in self.leave_out else values[name]
        if "ik bend" in self.leave_out:
            values["bend"] = True
        return values

    def apply_ik(self, c):
        values = self.ik_values(c)
        target = self.world[self.bone_index[c["target"]]][2]
        bones = [self.bone_index[b] for b in c["bones"]]
        if values["mix"] == 0.0:
            return
        uniform = c.get("uniform", False) and "ik uniform" not in self.leave_out
        if len(bones) == 1:
            self.ik_one(bones[0], target, values, uniform)
        elif all(self.inherit[b] == "normal" for b in bones):
            self.ik_two(bones[0], bones[1], target, values, uniform)
        self.follow([bones[0]])

    def ik_one(self, i, target, values, uniform):
        local, offset = self.local[i], target - self.world[i][2]
        scaleless = self.inherit[i] in ("noScale", "noScaleOrReflection")
        frame = self.parent_world(i) if scaleless else self.axes(i) + (0j,)
        seen = unapply(frame, offset)
        distance = abs(offset) if scaleless else abs(seen)
        goal = angle(seen) - local["shearX"] + (180.0 if local["scaleX"] < 0.0 else 0.0)
        length = self.bones[i].get("length", 0.0) * local["scaleX"]
        local["rotation"] += wrap(goal - local["rotation"]) * values["mix"]
        if length > 1e-4 and ((values["compress"] and distance < length) or (values["stretch"] and distance > length)):
            factor = 1.0 + (distance / length - 1.0) * values["mix"]
            local["scaleX"] *= factor
            local["scaleY"] *= factor if uniform else 1.0
        self.place(i)

    def ik_two(self, i, j, target, values, uniform):
        """Scans the second bone's angle for the distance of the target; both bones then turn towards it."""
        upper, lower = self.local[i], self.local[j]
        parent = self.parent_world(i)
        goal = unapply(parent, target - self.world[i][2])
        even = abs(abs(upper["scaleX"]) - abs(upper["scaleY"])) <= 1e-4
        joint = complex(lower["x"], lower["y"] if even and not values["stretch"] else 0.0)
        scale = lambda v: complex(v.real * upper["scaleX"], v.imag * upper["scaleY"])
        elbow = scale(joint)
        if abs(elbow) < 1e-4:  # both bones begin at one point: the first one aims, the second one goes on
            lower["rotation"] = 0.0
            self.ik_one(i, target, dict(values, compress=False), False)
            return
        length = self.bones[j].get("length", 0.0) * lower["scaleX"]
        tip = lambda turn: scale(joint + polar(turn + lower["shearX"], length))
        reach = abs(elbow) + abs(length) * abs(upper["scaleX"])
        soft = values["softness"] * abs(upper["scaleX"]) * (abs(lower["scaleX"]) + 1.0) / 2.0
        distance = abs(goal)
        if soft > 0.0 and distance > reach - soft:
            distance = reach - soft * (1.0 - min(1.0, (distance - reach + soft) / (2.0 * soft))) ** 2
        bend = 1.0 if values["bend"] else -1.0
        sides = [a for a in (k * 0.05 for k in range(-3600, 3601)) if cross(elbow, tip(a) - elbow) * bend >= -1e-9]
        nearest = min(sides, key=lambda a: abs(abs(tip(a)) - distance))
        turn, step = nearest, 0.05
        for _ in range(60):
            turn = min((turn - step, turn, turn + step), key=lambda a: abs(abs(tip(a)) - distance))
            step *= 0.7
        at = tip(turn)
        factor = 1.0
        if even and values["stretch"] and distance > reach:
            factor = 1.0 + (distance / reach - 1.0) * values["mix"]
        first = angle(goal) - angle(at)
        upper["rotation"] += wrap(first - upper["rotation"]) * values["mix"]
        upper["scaleX"] *= factor
        upper["scaleY"] *= factor if uniform else 1.0
        upper["shearX"] = upper["shearY"] = 0.0
        lower["rotation"] += wrap(turn - lower["rotation"]) * values["mix"]
        lower["y"] = joint.imag
        self.place(i)

    # ---- Transform constraints ----

    def transform_mixes(self, c):
        def read(k):
            x, scale = k.get("mixX", 1.0), k.get("mixScaleX", 1.0)
            return [k.get("mixRotate", 1.0), x, k.get("mixY", x), scale, k.get("mixScaleY", scale), k.get("mixShearY", 1.0)]
        keys = self.animation.get("transform", {}).get(c["name"])
        timed = keys and key_time(keys[0]) <= self.time and "transform timeline" not in self.leave_out
        mixes = dict(zip(("rotate", "x", "y", "scaleX", "scaleY", "shearY"), self.sample(keys, read) if timed else read(c)))
        for name in mixes:
            if "transform " + name in self.leave_out:
                mixes[name] = 0.0
        return mixes

    def apply_transform(self, c):
        mixes = self.transform_mixes(c)
        if not any(mixes.values()):
            return
        bones = [self.bone_index[b] for b in c["bones"]]
        target = self.bone_index[c["target"]]
        relative = c.get("relative", False) and "transform relative" not in self.leave_out
        if c.get("local", False) and "transform local" not in self.leave_out:
            self.transform_local(bones, dict(self.local[target]), c, mixes, relative)
            return
        goal = self.world[target]
        for i in bones:
            self.world[i] = self.transform_world(self.world[i], goal, c, mixes, relative)
        self.follow(bones, bones)
        for i in bones:
            self.unplace(i)

    def transform_world(self, world, goal, c, mixes, relative):
        x, y, origin = world
        side = 1.0 if cross(goal[0], goal[1]) > 0.0 else -1.0
        turn = angle(goal[0]) - (0.0 if relative else angle(x)) + c.get("rotation", 0.0) * side
        x, y = [v * polar(wrap(turn) * mixes["rotate"]) for v in (x, y)]
        place = apply(goal, complex(c.get("x", 0.0), c.get("y", 0.0))) - (0j if relative else origin)
        origin += complex(place.real * mixes["x"], place.imag * mixes["y"])
        lengths = []
        for axis, to, name in ((x, goal[0], "scaleX"), (y, goal[1], "scaleY")):
            length = abs(to) + c.get(name, 0.0)
            factor = 1.0 + (length - 1.0) * mixes[name] if relative else 1.0 + (length / abs(axis) - 1.0) * mixes[name]
            lengths.append(axis * factor)
        x, y = lengths
        corner = wrap(angle(goal[1]) - angle(goal[0]))
        if relative:
            corner -= 90.0
        else:
            corner = wrap(angle(goal[1]) - angle(goal[0]) - angle(y) + angle(x))
        y *= polar((corner + c.get("shearY", 0.0) * side) * mixes["shearY"])
        return x, y, origin

    def transform_local(self, bones, goal, c, mixes, relative):
        names = {"rotation": "rotate", "x": "x", "y": "y", "scaleX": "scaleX", "scaleY": "scaleY", "shearY": "shearY"}
        for i in bones:
            for name, mix in names.items():
                to, own = goal[name] + c.get(name, 0.0), self.local[i][name]
                if mixes[mix] == 0.0:
                    continue
                if relative:
                    own = own * (1.0 + (to - 1.0) * mixes[mix]) if name.startswith("scale") else own + to * mixes[mix]
                else:
                    own += (wrap(to - own) if name in ("rotation", "shearY") else to - own) * mixes[mix]
                self.local[i][name] = own
        for i in sorted(bones):
            self.place(i)
            self.follow([i])

    # ---- Paths ----

    CHORDS = 3000

    def path_values(self, c):
        x = c.get("mixX", 1.0)
        values = dict(position=c.get("position", 0.0), spacing=c.get("spacing", 0.0), rotate=c.get("mixRotate", 1.0), x=x,
                      y=c.get("mixY", x))
        timelines = self.animation.get("path", {}).get(c["name"], {})
        for name in ("position", "spacing", "mix"):
            keys = timelines.get(name)
            if not keys or key_time(keys[0]) > self.time or "path " + name in self.leave_out:
                continue
            if name == "mix":
                values["rotate"], values["x"], values["y"] = self.sample(keys, lambda k: [k.get("mixRotate", 1.0), k.get("mixX", 1.0), k.get("mixY", k.get("mixX", 1.0))])
            else:
                values[name] = self.sample(keys, lambda k: [k.get("value", 0.0)])[0]
        return values

    def path_point(self, curves, lengths, attachment, distance):
        """Position and direction at a distance from the begin."""
        closed, even = attachment.get("closed", False), attachment.get("constantSpeed", True)
        even = even or "path constantSpeed" in self.leave_out
        sums = [0.0]
        for i, curve in enumerate(curves):
            sums.append(sums[-1] + lengths[i] if even else attachment["lengths"][i])
        total = sums[-1]
        if closed:
            distance %= total

        def direction(curve, s):
            p = curve
            d = 3 * ((1 - s) ** 2 * (p[1] - p[0]) + 2 * (1 - s) * s * (p[2] - p[1]) + s * s * (p[3] - p[2]))
            return angle(d)

        def at(curve, s):
            p = curve
            return (1 - s) ** 3 * p[0] + 3 * (1 - s) ** 2 * s * p[1] + 3 * (1 - s) * s * s * p[2] + s ** 3 * p[3]

        if distance < 0.0:
            return curves[0][0] + polar(direction(curves[0], 0.0), distance), direction(curves[0], 0.0)
        if distance > total:
            return curves[-1][3] + polar(direction(curves[-1], 1.0), distance - total), direction(curves[-1], 1.0)
        i = max(k for k in range(len(curves)) if sums[k] <= distance)
        rest = distance - sums[i]
        s = rest / (sums[i + 1] - sums[i])
        if even:
            walked, before, s = 0.0, curves[i][0], 1.0
            for k in range(1, self.CHORDS + 1):
                point = at(curves[i], k / self.CHORDS)
                chord = abs(point - before)
                if walked + chord >= rest:
                    s = (k - 1 + ((rest - walked) / chord if chord > 0.0 else 0.0)) / self.CHORDS
                    break
                walked, before = walked + chord, point
        return at(curves[i], s), direction(curves[i], s)

    def path_walk(self, curves, lengths, attachment, distances):
        """The same on polygons: each curve is as long as its four chords, and a share of it is one of its ten chords. On an
        open path a point is never on an earlier curve or chord than the one before it; it goes beyond its chord then."""
        even = attachment.get("constantSpeed", True) or "path constantSpeed" in self.leave_out
        ends = [sum(lengths[:k + 1]) for k in range(len(curves))] if even else attachment["lengths"][:len(curves)]
        places, curve, chord = [], 0, 0
        for distance in distances:
            if attachment.get("closed", False):
                distance, curve, chord = distance % ends[-1], 0, 0
            elif distance < 0.0 or distance > ends[-1]:
                knot, handle = (curves[0][0], curves[0][1]) if distance < 0.0 else (curves[-1][3], curves[-1][2])
                away = polar(angle(handle - knot if distance < 0.0 else knot - handle))
                places.append((knot + away * (distance if distance < 0.0 else distance - ends[-1]), angle(away)))
                continue
            later = [k for k in range(curve, len(curves)) if distance <= ends[k]] or [len(curves) - 1]
            chord, curve = (chord if later[0] == curve else 0), later[0]
            begin = ends[curve - 1] if curve > 0 else 0.0
            t = (distance - begin) / (ends[curve] - begin)
            grid = [self.casteljau(curves[curve], k / 10.0)[0] for k in range(11)]
            sums = [sum(abs(b - a) for a, b in zip(grid[:k], grid[1:k + 1])) for k in range(11)]
            if even:
                chord = next((k for k in range(chord, 10) if t * sums[10] <= sums[k + 1]), 9)
                t = (chord + (t * sums[10] - sums[chord]) / (sums[chord + 1] - sums[chord])) / 10.0
            point, along = self.casteljau(curves[curve], t)
            places.append((point, angle(along if t >= 0.001 else curves[curve][1] - curves[curve][0])))
        return places

    def casteljau(self, points, t):
        """The point, and the direction of the curve there."""
        while len(points) > 2:
            points = [a + (b - a) * t for a, b in zip(points, points[1:])]
        return points[0] + (points[1] - points[0]) * t, points[1] - points[0]

    def apply_path(self, c):
        values = self.path_values(c)
        slot = self.slot_index[c["target"]]
        shown = self.shown[slot]
        if not shown or shown[2].get("type") != "path" or not (values["rotate"] or values["x"] or values["y"]):
            return
        attachment, points = shown[2], self.vertices(slot)
        knots = len(points) // 3
        curves = [[points[(3 * k + 1 + n) % len(points)] for n in range(4)]
                  for k in range(knots if attachment.get("closed", False) else knots - 1)]
        lengths = []
        for p in curves:
            at = [(1 - s) ** 3 * p[0] + 3 * (1 - s) ** 2 * s * p[1] + 3 * (1 - s) * s * s * p[2] + s ** 3 * p[3]
                  for s in (k / self.CHORDS for k in range(self.CHORDS + 1))]
            at = at if "sampled paths" in self.leave_out else at[::self.CHORDS // 4]
            lengths.append(sum(abs(b - a) for a, b in zip(at, at[1:])))
        total = sum(lengths) if attachment.get("constantSpeed", True) else attachment["lengths"][len(curves) - 1]
        bones = [self.bone_index[b] for b in c["bones"]]
        rotates = c.get("rotateMode", "tangent").lower()
        spaces, sizes = self.path_spaces(c, bones, values["spacing"], total, len(bones) + (rotates != "tangent"))
        distance = values["position"] * (total if c.get("positionMode", "percent").lower() == "percent" else 1.0)
        distances = [distance + sum(spaces[:n + 1]) for n in range(len(spaces))]
        if "sampled paths" in self.leave_out:
            places = [self.path_point(curves, lengths, attachment, distance) for distance in distances]
        else:
            places = self.path_walk(curves, lengths, attachment, distances)
        self.path_bones(c, bones, values, rotates, spaces, sizes, places)

    def path_spaces(self, c, bones, spacing, total, count):
        mode = c.get("spacingMode", "length").lower()
        sizes = [self.bones[i].get("length", 0.0) * abs(self.world[i][0]) for i in bones]
        spaces = [0.0]
        for i, size in zip(bones, sizes):
            setup = self.bones[i].get("length", 0.0)
            if mode == "percent":
                spaces.append(spacing * total)
            elif setup < 1e-5:
                spaces.append(spacing)
            elif mode == "proportional":
                spaces.append(size)
            else:
                spaces.append(((setup if mode == "length" else 0.0) + spacing) * abs(self.world[i][0]))
        spaces = spaces[:count]
        if mode == "proportional":  # together they take `spacing` of the path
            whole = sum(spaces)
            spaces = [s / whole * spacing * total for s in spaces]
        return spaces, sizes

    def path_bones(self, c, bones, values, rotates, spaces, sizes, places):
        target = self.world[self.bone_index[self.slots[self.slot_index[c["target"]]]["bone"]]]
        offset = c.get("rotation", 0.0) * (1.0 if cross(target[0], target[1]) > 0.0 else -1.0)
        stand = places[0][0]
        for n, i in enumerate(bones):
            x, y, origin = self.world[i]
            origin += complex((stand - origin).real * values["x"], (stand - origin).imag * values["y"])
            if rotates == "tangent":
                turn = places[n][1] - angle(x)
                stand = places[n + 1][0] if n + 1 < len(places) else stand
            else:
                ahead = places[n + 1][0] - stand
                if rotates == "chainscale" and sizes[n] > 1e-5:
                    x *= 1.0 + (abs(ahead) / sizes[n] - 1.0) * values["rotate"]
                turn = (places[n + 1][1] if spaces[n + 1] == 0.0 else angle(ahead)) - angle(x)
                start, stand = stand, places[n + 1][0]
                if rotates == "chain" and offset == 0.0:
                    tip = start + self.bones[i].get("length", 0.0) * x * polar(turn)
                    stand += (tip - stand) * values["rotate"]
            turn = wrap(turn + offset) * values["rotate"]
            self.world[i] = (x * polar(turn), y * polar(turn), origin)
        self.follow(bones, bones)
        for i in bones:
            self.unplace(i)

    # ---- Physics: x and y are one complex offset, the angle and the share of the length are numbers ----

    def physics_values(self, c):
        values = dict(inertia=1.0, strength=100.0, damping=1.0, mass=1.0, wind=0.0, gravity=0.0, mix=1.0)
        for name in values:
            values[name] = c.get(name, values[name])
            for owner in (c["name"], "") if c.get(name + "Global", False) else (c["name"],):
                keys = self.animation.get("physics", {}).get(owner, {}).get(name)
                if keys and key_time(keys[0]) <= self.time and "physics timeline" not in self.leave_out:
                    values[name] = self.sample(keys, lambda k: [k.get("value", 0.0)])[0]
        return values

    def was_reset(self, c):
        """Whether a key lies after the last update and not after this one. All keys do so in the first update, for which
        it makes no difference."""
        last = (self.count - 1) / self.rate
        return "physics reset" not in self.leave_out and any(
            last < key_time(k) <= self.time for name in (c["name"], "")
            for k in self.animation.get("physics", {}).get(name, {}).get("reset", []))

    def swing(self, v, h, spring, force):
        """One step of a spring: [offset, velocity]."""
        velocity = spring[1] + (force - v["strength"] * spring[0]) * h / v["mass"]
        return [spring[0] + velocity * h, velocity * v["damping"] ** (60.0 * h)]

    def apply_physics(self, c):
        i, v, h = self.bone_index[c["bone"]], self.physics_values(c), 1.0 / c.get("fps", 60)
        share = {n: 0.0 if "physics " + n in self.leave_out else c.get(n, 0.0) for n in ("x", "y", "rotate", "scaleX", "shearX")}
        if v["mix"] == 0.0:
            return
        s = self.springs.get(c["name"])
        if s is None or (self.updating and self.was_reset(c)):
            s = self.springs[c["name"]] = dict(fresh=True, last=self.before if s else 0.0, due=0.0, place=[0j, 0j], turn=[0.0, 0.0],
                                               scale=[0.0, 0.0])
        x, y, origin = self.world[i]
        scale = self.data["skeleton"].get("referenceScale", 100.0)
        length, turning = self.bones[i].get("length", 0.0), share["rotate"] + share["shearX"]
        steps, moving = 0, self.updating and not s["fresh"]
        if self.updating:
            limit = c.get("limit", 5000.0) * (self.clock - s["last"])
            s["due"], s["last"] = s["due"] + (self.clock - s["last"]), self.clock
        held = lambda way: complex(*(max(-limit, min(limit, part)) for part in (way.real, way.imag)))
        while moving and s["due"] >= h:
            s["due"], steps = s["due"] - h, steps + 1
        if moving:
            s["place"][0] += held((s["seen"] - origin) * v["inertia"])
            for _ in range(steps):
                s["place"] = self.swing(v, h, s["place"], complex(v["wind"], -v["gravity"]) * scale)
        seen = origin
        origin += complex(s["place"][0].real * share["x"], s["place"][0].imag * share["y"]) * v["mix"]
        if moving:
            self.lag(s, v, h, steps, (x, length, scale), held(s["origin"] - origin), turning * v["mix"])
        if self.updating:
            s.update(seen=seen, origin=origin, fresh=False)
        turn = math.degrees(s["turn"][0]) * v["mix"]
        x, y = x * polar(turn * turning), y * polar(turn * share["rotate"])
        x *= 1.0 + s["scale"][0] * v["mix"] * share["scaleX"]
        if self.updating:
            s["tip"] = x * length
        self.world[i] = (x, y, origin)
        self.follow([i], [i])
        self.unplace(i)

    def lag(self, s, v, h, steps, bone, way, shown):
        """The tip stays behind. shown: part of the angle that the bone shows."""
        x, length, scale = bone
        ahead = x / abs(x)
        if shown:
            s["turn"][0] += math.radians(wrap(angle((way + s["tip"]) / (ahead * polar(math.degrees(s["turn"][0]) * shown))))) * v["inertia"]
        direction = ahead * polar(math.degrees(s["turn"][0]) * shown)
        if length > 0.0:
            s["scale"][0] += (way * direction.conjugate()).real * v["inertia"] / (length * abs(x))
        force = complex(v["wind"], -v["gravity"])
        for _ in range(steps):
            s["scale"] = self.swing(v, h, s["scale"], (force * direction.conjugate()).real)
            s["turn"] = self.swing(v, h, s["turn"], (force * direction.conjugate()).imag * length / scale)
            direction = ahead * polar(math.degrees(s["turn"][0]) * shown)

    # ---- Vertices ----

    def mesh_of(self, shown, slot):
        attachment = shown[2]
        if attachment.get("type") != "linkedmesh":
            return attachment
        skin = next(s for s in self.skins if s["name"] == attachment.get("skin", "default"))
        return skin["attachments"][slot][attachment["parent"]]

    def region_of(self, slot):
        skin, name, attachment = self.shown[slot]
        path = attachment.get("path", attachment.get("name", name))
        sequence = attachment.get("sequence")
        if sequence:
            path += str(sequence.get("start", 1) + self.frame[slot]).zfill(sequence.get("digits", 0))
        return self.atlas.get(path)

    def corners(self, slot):
        """Of a region: the picture's box without what was trimmed, then scaled, turned, moved."""
        a, region = self.shown[slot][2], self.region_of(slot)
        left, right, low, high = 0.0, 1.0, 0.0, 1.0
        if region:
            left, low = region["left"] / region["full"][0], region["bottom"] / region["full"][1]
            right, high = left + region["w"] / region["full"][0], low + region["h"] / region["full"][1]
        places = [(left, low), (right, low), (right, high), (left, high)]
        points = [complex((u - 0.5) * a["width"] * a.get("scaleX", 1.0), (v - 0.5) * a["height"] * a.get("scaleY", 1.0))
                  for u, v in places]
        points = [p * polar(a.get("rotation", 0.0)) + complex(a.get("x", 0.0), a.get("y", 0.0)) for p in points]
        return points, [(u, 1.0 - v) for u, v in places]

    def influences(self, slot):
        """A list per vertex of [bone, x, y, weight]."""
        shown, own = self.shown[slot], self.bone_index[self.slots[slot]["bone"]]
        kind = shown[2].get("type", "region")
        if kind == "region":
            return [[[own, p.real, p.imag, 1.0]] for p in self.corners(slot)[0]]
        if kind == "point":
            return [[[own, shown[2].get("x", 0.0), shown[2].get("y", 0.0), 1.0]]]
        mesh = self.mesh_of(shown, self.slots[slot]["name"])
        count = len(mesh["uvs"]) // 2 if "uvs" in mesh else mesh["vertexCount"]
        numbers = mesh["vertices"]
        if len(numbers) == 2 * count:
            return [[[own, numbers[2 * i], numbers[2 * i + 1], 1.0]] for i in range(count)]
        result, at = [], 0
        for _ in range(count):
            size = numbers[at]
            vertex = [numbers[at + 1 + 4 * k:at + 5 + 4 * k] for k in range(size)]
            result.append(vertex)
            at += 1 + 4 * size
        return result

    def disagreement(self, slot):
        """The largest distance between where influences of a vertex put it."""
        table = [[apply(self.world[int(b)], complex(x, y)) for b, x, y, w in vertex] for vertex in self.influences(slot)]
        return max(abs(a - b) for vertex in table for a in vertex for b in vertex)

    def vertices(self, slot):
        table = [[list(entry) for entry in vertex] for vertex in self.influences(slot)]
        flat = [entry for vertex in table for entry in vertex]
        keys = self.attachment_keys(self.shown[slot], self.slots[slot]["name"], "deform")
        if keys:
            i = find_key(keys, self.time)

            def offsets(key):
                return [0.0] * key.get("offset", 0) + key.get("vertices", [])

            mixed = offsets(keys[i]) + [0.0] * (2 * len(flat))
            if i + 1 < len(keys):
                nexts = offsets(keys[i + 1]) + [0.0] * (2 * len(flat))
                mix = self.share(keys, i, 0, 0.0, 1.0)
                mixed = [a + (b - a) * mix for a, b in zip(mixed, nexts)]
            for k, entry in enumerate(flat):
                entry[1] += mixed[2 * k]
                entry[2] += mixed[2 * k + 1]
        return [sum(w * apply(self.world[int(b)], complex(x, y)) for b, x, y, w in vertex) for vertex in table]

    def texcoords(self, slot):
        shown = self.shown[slot]
        kind = shown[2].get("type", "region")
        if kind not in ("region", "mesh", "linkedmesh"):
            return None
        if kind == "region":
            places = self.corners(slot)[1]
        else:
            uvs = self.mesh_of(shown, self.slots[slot]["name"])["uvs"]
            places = list(zip(uvs[::2], uvs[1::2]))
        region = self.region_of(slot)
        return [texcoord(region, u, v) if region else (u, v) for u, v in places]
