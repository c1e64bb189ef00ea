"""pictures.py VKSKIN: colours of pictures of small 2D characters, which are known as numbers: blend modes, dark colours,
premultiplied pages, clipping polygons, draw order, further pages, repeated and unfiltered ones; edges and joints of debug views, labels. The device is the one that the environment names.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib

import fixtures

SIZE = 100  # pixels a side; the character's space is as large, so that a pixel is one unit
BACK = (0x40, 0x80, 0xC0)
TEXEL = (200, 100, 50)
ALPHAS = {"solid": 255, "half": 128}


def read_png(path):
    """rows[y][x]: four bytes. 8 bits, RGBA."""
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height = struct.unpack(">II", data[at + 8:at + 16])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    raw, stride, rows, above = zlib.decompress(packed), width * 4, [], bytes(width * 4)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, up, corner = (line[i - 4] if i > 3 else 0), above[i], (above[i - 4] if i > 3 else 0)
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda v: abs(guess - v))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
        rows.append([tuple(line[i:i + 4]) for i in range(0, stride, 4)])
        above = bytes(line)
    return rows


def write(folder, slots, attachments, animation, premultiplied, bones=()):
    """A page with a square of each alpha. A large transparent one makes the picture SIZE units high."""
    def colour(x, y):
        alpha = 0 if y >= 32 else ALPHAS["solid"] if x < 32 else ALPHAS["half"]
        return [c * alpha // 255 if premultiplied else c for c in TEXEL] + [alpha]
    fixtures.png(os.path.join(folder, "page.png"), 64, 64, colour)
    with open(os.path.join(folder, "page.atlas"), "w") as file:
        file.write("page.png\nsize: 64, 64\npma: %s\nsolid\nbounds: 8, 8, 16, 16\nhalf\nbounds: 40, 8, 16, 16\n"
                   "none\nbounds: 8, 40, 16, 16\n" % str(premultiplied).lower())
    edge = SIZE / 1.05  # the margin of the picture
    slots = [dict(name="frame", bone="root", attachment="none")] + slots
    attachments = dict(attachments, frame={"none": dict(width=edge, height=edge)})
    with open(os.path.join(folder, "page.json"), "w") as file:
        json.dump(dict(skeleton=dict(spine="4.2.0"), bones=[dict(name="root"), *bones], slots=slots,
                       skins=[dict(name="default", attachments=attachments)], animations={"play": animation}), file)


def render(program, folder, *options):
    subprocess.run([program, "render", os.path.join(folder, "page.json"), "--size", "%dx%d" % (SIZE, SIZE), "--background",
                    "%02x%02x%02x" % BACK, "--validate", "--force", *options, "-o", os.path.join(folder, "out.png")],
                   check=True)
    rows = read_png(os.path.join(folder, "out.png"))
    return lambda x, y: rows[int(SIZE / 2 - y)][int(SIZE / 2 + x)]  # of a point of the character's space


def mixed(blend, texel_alpha, light, dark, below):
    """By the formulas of docs/2d.md, with channels from 0 to 1."""
    found = []
    for c in range(3):
        t, a, d = TEXEL[c] / 255, texel_alpha * light[3], below[c] / 255
        s = (dark[c] * (1 - t) + light[c] * t) * a
        found.append({"normal": s + d * (1 - a), "additive": s + d, "multiply": s * d + d * (1 - a),
                      "screen": s + d * (1 - s)}[blend])
    return [min(v, 1) * 255 for v in found]


def expect(what, found, wanted):
    if any(abs(f - w) > 2 for f, w in zip(found, wanted)):
        sys.exit("%s: %s, not %s" % (what, found[:3], [round(w) for w in wanted]))


def blending(program, folder, premultiplied):
    """A square for each mode, alpha of the page, and colours."""
    slots, attachments, cases = [], {}, []
    for i, blend in enumerate(("normal", "additive", "multiply", "screen")):
        for k, (name, alpha) in enumerate(ALPHAS.items()):
            for j, (light, dark) in enumerate((("ffffffff", None), ("80ff40c0", None), ("c0a0ff80", "402010"))):
                x, y = -33 + 22 * i, -40 + 16 * (3 * (k % 2) + j)
                slot = "%s-%s-%d" % (blend, name, j)
                slots.append(dict(name=slot, bone="root", attachment=name, blend=blend, color=light,
                                  **({"dark": dark} if dark else {})))
                attachments[slot] = {name: dict(x=x, y=y, width=12, height=12)}
                cases.append((slot, x, y, blend, alpha / 255, [v / 255 for v in bytes.fromhex(light)],
                              [v / 255 for v in bytes.fromhex(dark or "000000")]))
    write(folder, slots, attachments, {}, premultiplied)
    at = render(program, folder)
    for slot, x, y, blend, alpha, light, dark in cases:
        expect("%s, premultiplied %s" % (slot, premultiplied), at(x, y), mixed(blend, alpha, light, dark, BACK))
    expect("the background", at(-45, 47), BACK)


def clipping(program, folder):
    """A concave polygon, an arrowhead, clips two slots; the third one is drawn whole."""
    arrow = [-30, -30, 30, 0, -30, 30, 0, 0]
    slots = [dict(name="clip", bone="root", attachment="clip"), dict(name="first", bone="root", attachment="solid"),
             dict(name="last", bone="root", attachment="solid", blend="additive", color="404040ff"),
             dict(name="free", bone="root", attachment="solid")]
    attachments = {"clip": {"clip": dict(type="clipping", end="last", vertexCount=4, vertices=arrow)},
                   "first": {"solid": dict(width=80, height=80)}, "last": {"solid": dict(width=80, height=80)},
                   "free": {"solid": dict(x=-25, width=8, height=8)}}
    write(folder, slots, attachments, {}, False)
    at = render(program, folder)
    both = [min(t + t * 0x40 / 255, 255) for t in TEXEL]
    for x, y, inside in ((10, 0, True), (-10, 15, True), (-10, -15, True), (25, 0, True), (-10, 0, False), (20, 10, False),
                         (-35, 0, False), (0, 25, False)):
        expect("clipped at (%d, %d)" % (x, y), at(x, y), both if inside else BACK)
    expect("a slot after the last clipped one", at(-25, 0), TEXEL)


def order(program, folder):
    """Two squares above each other; keys of the draw order exchange them."""
    slots = [dict(name=name, bone="root", attachment="solid", color=colour)
             for name, colour in (("red", "ff0000ff"), ("green", "00ff00ff"))]
    attachments = {name: {"solid": dict(width=20, height=20)} for name in ("red", "green")}
    write(folder, slots, attachments, dict(drawOrder=[dict(time=0), dict(time=1, offsets=[dict(slot="red", offset=1)]),
                                                      dict(time=2)]), False)
    for time, wanted in ((0.5, (0, TEXEL[1], 0)), (1.5, (TEXEL[0], 0, 0)), (2.5, (0, TEXEL[1], 0))):
        expect("the draw order at %g s" % time, render(program, folder, "--time", str(time))(0, 0), wanted)


CORNERS = ((200, 100, 50), (20, 200, 120), (60, 40, 220), (240, 240, 40))  # of a page of 8 x 8: upper left, upper right, lower ones


def pages(program, folder):
    """The file's first attachment has a colour; a sequence goes on on a second page. Pages that repeat along no side, along x, y
    and both: meshes of 40 x 40 show 2 x 2 of them. The first of them is filtered."""
    light = "80ff40c0"
    mesh = lambda x, y: dict(type="mesh", uvs=[0, 2, 2, 2, 2, 0, 0, 0], triangles=[0, 1, 2, 2, 3, 0],
                             vertices=[x, y, x + 40, y, x + 40, y + 40, x, y + 40])
    places = {"none": (-45, 5), "x": (5, 5), "y": (-45, -45), "xy": (5, -45)}
    attachments = dict({"first": {"solid": dict(x=-44, y=0, width=4, height=4, color=light)},
                        "walk": {"walk": dict(x=44, y=0, width=4, height=4, path="solid", sequence=dict(count=2, start=2))}},
                       **{name: {"tile": dict(mesh(*place), path="tile " + name)} for name, place in places.items()})
    slots = [dict(name=name, bone="root", attachment=list(kind)[0]) for name, kind in attachments.items()]
    keys = {"default": {"walk": {"walk": {"sequence": [dict(mode="hold"), dict(time=1, mode="hold", index=1)]}}}}
    write(folder, slots, attachments, dict(attachments=keys), False)
    with open(os.path.join(folder, "page.atlas"), "a") as file:
        file.write("solid2\nbounds: 40, 8, 16, 16\n")
        for name in places:
            fixtures.png(os.path.join(folder, name + ".png"), 8, 8, lambda x, y: [*CORNERS[x // 4 + 2 * (y // 4)], 255])
            file.write("\n%s.png\nsize: 8, 8\nfilter: %s\nrepeat: %s\ntile %s\nbounds: 0, 0, 8, 8\n" % (
                name, ", ".join(["Linear" if name == "none" else "Nearest"] * 2), name, name))
        file.write("solid3\nbounds: 0, 0, 4, 4\n")
    for time, wanted in ((0.5, mixed("normal", ALPHAS["half"] / 255, [1, 1, 1, 1], [0, 0, 0], BACK)), (1.5, CORNERS[0])):
        at = render(program, folder, "--time", str(time))
        expect("a sequence at %g s" % time, at(44, 0), wanted)
        expect("the first attachment", at(-44, 0), mixed("normal", 1, [v / 255 for v in bytes.fromhex(light)], [0, 0, 0], BACK))
    for name, (x, y) in places.items():
        for u, v in ((5, 5), (15, 5), (5, 15), (15, 15), (25, 5), (5, 25), (25, 25), (35, 5), (5, 35), (9, 5)):  # from the upper left
            column, row = [(s if side in name or s < 20 else 19) // 10 % 2 for side, s in (("x", u), ("y", v))]
            corner = CORNERS[column + 2 * row]
            if name == "none" and u == 9:  # 0.3 texels from the middle of one to the next one
                corner = [0.7 * a + 0.3 * b for a, b in zip(CORNERS[0], CORNERS[1])]
            expect("repeat %s, (%d, %d)" % (name, u, v), at(x + u, y + 40 - v - 1), corner)


def shows(program, folder):
    """Debug views: a clipped square whose edges pass through centres of pixels, another one, and two bones."""
    wire, line, mark = (0x0D, 0x1A, 0x4D), (0xF2, 0x8C, 0x1A), (0xCC, 0x1A, 0x1A)
    clip = dict(type="clipping", end="square", vertexCount=3, vertices=[-30.5, -30.5, -26.5, -30.5, -30.5, -26.5])
    slots = [dict(name=name, bone="root", attachment=name if name == "clip" else "solid") for name in ("clip", "square", "free")]
    write(folder, slots, {"square": {"solid": dict(width=41, height=41)}, "clip": {"clip": clip},
                          "free": {"solid": dict(x=-30, y=30, width=15, height=15)}}, {}, False,
          [dict(name="hip", parent="root", x=30.5, y=-9.5), dict(name="foot", parent="hip", y=-30)])
    edges = [p for t in (-12.5, 4.5, 16.5) for p in ((-20.5, t), (20.5, t), (t, -20.5), (t, 20.5))]
    bones = [((30.5, -9.5), mark), ((30.5, -39.5), mark), ((24.5, -7.5), line), ((30.5, -25.5), line)]
    nothing = [(3.5, 12.5), (-24.5, 5.5), (5.5, -24.5), (30.5, -3.5), (36.5, -20.5), (-28.5, -30.5)]
    for what, system in (("mesh", "compute"), ("wireframe", "compute"), ("mesh+wireframe", "compute"), ("joints", "compute"),
                         ("mesh+wireframe+joints", "uniform-2d")):
        at, name = render(program, folder, "--show", what, "--system", system), "%s, --show %s: " % (system, what)
        cases = [(p, wire if "wireframe" in what else BACK) for p in edges]
        cases += [(p, colour if "joints" in what else BACK) for p, colour in bones] + [(p, BACK) for p in nothing]
        for place, wanted in cases + [((-34.5, 30.5), TEXEL if "mesh" in what else BACK)]:
            expect(name + "(%g, %g)" % place, at(*place), wanted)
        for place in ((-37.5, 32.5), (-22.5, 27.5)) if "wireframe" in what else ():
            expect(name + "(%g, %g)" % place, at(*place), wire)
        diagonals = sorted([at(-12.5, 12.5)[:3], at(12.5, 12.5)[:3]])
        expect(name + "the diagonal", diagonals[0], wire if "wireframe" in what else BACK)
        expect(name + "the other diagonal", diagonals[1], BACK)
    at = render(program, folder, "--labels")
    for name, place, wanted in (("hip", (30.5, -9.5), (255,) * 3), ("foot", (30.5, -39.5), (255,) * 3), ("none", (30.5, -24.5), BACK)):
        expect("--labels, mark of %s" % name, at(*place), wanted)


def far_pixels(program, folder, *pictures):
    """The share of pixels that differ between two (file, options)."""
    rows = []
    for i, (name, options) in enumerate(pictures):
        out = os.path.join(folder, "system%d.png" % i)
        subprocess.run([program, "render", os.path.join(folder, name), "--size", "200x150", "--validate", "--force", "-o", out,
                        *options], check=True, stderr=subprocess.DEVNULL)
        rows.append([pixel for row in read_png(out) for pixel in row])
    if len(set(rows[0])) < 4:
        sys.exit("%s shows nothing" % pictures[0][0])
    return sum(any(abs(p - q) > 2 for p, q in zip(a, b)) for a, b in zip(*rows)) / len(rows[0])


def systems(program, folder):
    """The vertex shader of uniform-2d draws what the library skins: weights, deform keys, linked meshes. Of six influences it
    draws the four largest: it draws what the library skins of a file with these."""
    fixtures.make_flag(folder)
    fixtures.make_tentacle(folder)
    path = os.path.join(folder, "tentacle")
    data = json.load(open(path + ".json"))
    mesh = data["skins"][0]["attachments"]["sheath"]
    mesh["sheath"] = fixtures.keep_four(mesh["sheath"])
    del data["animations"]["curl"]  # its deform keys have six influences
    json.dump(data, open(path + "-four.json", "w"))
    at, uniform = ["--time", "0.4"], ["--time", "0.4", "--system", "uniform-2d"]
    mixed = ["--clip", "mix"]
    for one, other, low, high in ((("flag.json", at), ("flag.json", uniform), 0, 0.002),
                                  (("tentacle-four.json", mixed + at), ("tentacle.json", mixed + uniform), 0, 0.002),
                                  (("tentacle.json", mixed + at), ("tentacle.json", mixed + uniform), 0.01, 1)):
        share = far_pixels(program, folder, one, other)
        if not low <= share <= high:
            sys.exit("%s, uniform-2d: %.4f of the pixels are not those of compute with %s" % (other[0], share, one[0]))


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        blending(program, folder, False)
        blending(program, folder, True)
        clipping(program, folder)
        order(program, folder)
        pages(program, folder)
        shows(program, folder)
        systems(program, folder)


if __name__ == "__main__":
    main()
