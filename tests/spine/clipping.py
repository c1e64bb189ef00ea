"""clipping.py PROGRAM: bake cuts what polygons clip. Areas that are known as numbers; and at points of a grid each triangle
of the file covers what the slot's own triangles and the inside of the polygon cover, once, with the same texture coordinates.
What would take too long is refused. A .glb file has the pages as pictures, with straight colours, which repeat as the atlas
says. PROGRAM is the command."""
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

import fixtures
import pictures
import reference


def bake(program, folder, name, *options):
    """{slot: [triangle of three (x, y, u, v)]} and the document."""
    out = os.path.join(folder, "out.obj")
    text = subprocess.run([program, "bake", os.path.join(folder, name), "--force", "--json", "-", "-o", out, *options],
                          check=True, capture_output=True, text=True).stdout
    places, texcoords, parts, current = [], [], {}, None
    for line in open(out):
        kind, *rest = line.split()
        if kind == "v":
            places.append([float(v) for v in rest[:2]])
        elif kind == "vt":
            texcoords.append([float(rest[0]), 1.0 - float(rest[1])])  # (0, 0) of a Wavefront file is the lower left
        elif kind == "o":
            current = parts.setdefault(rest[0], [])
        elif kind == "f":
            corners = [[int(i) - 1 for i in corner.split("/")[:2]] for corner in rest]
            current.append([places[v] + texcoords[t] for v, t in corners])
    return parts, json.loads(text)


def area(triangle):
    (ax, ay, *_), (bx, by, *_), (cx, cy, *_) = triangle
    return ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2


# A square of side 20 clipped by polygons: corners, and the area that is left.
WAVE = [(-10, -10), (10, -10), (10, 10), (0, 0), (-10, 10)]
STAR = [(10 * math.cos(math.radians(90 + 144 * i)), 10 * math.sin(math.radians(90 + 144 * i))) for i in range(5)]
# A pentagram of circumradius R: its points without the pentagon in the middle, which is inside twice. The middle has the
# circumradius r = R cos 72 / cos 36; five triangles of each point: R r sin 36 each half, without the middle's (5/2) r^2 sin 72.
R, r = 10.0, 10.0 * math.cos(math.radians(72)) / math.cos(math.radians(36))
STAR_AREA = 5 * R * r * math.sin(math.radians(36)) - 2.5 * r * r * math.sin(math.radians(72))
AREAS = [("all", [(-20, -20), (20, -20), (20, 20), (-20, 20)], 400.0), ("half", [(0, -20), (20, -20), (20, 20), (0, 20)], 200.0),
         ("half, clockwise", [(0, 20), (20, 20), (20, -20), (0, -20)], 200.0),
         ("a corner", [(0, 10), (10, 0), (30, 30)], 50.0), ("nothing", [(11, 0), (12, 0), (12, 1)], 0.0),
         ("a notch", WAVE, 300.0), ("a diamond", [(0, -14), (14, 0), (0, 14), (-14, 0)], 4 * (14 * 14 / 2 - 4 * 4)),
         ("a star", STAR, STAR_AREA), ("a bow", [(-10, -10), (10, 10), (10, -10), (-10, 10)], 200.0),
         ("a point twice", WAVE[:3] + WAVE[2:], 300.0), ("a line", [(-5, -5), (0, 0), (5, 5)], 0.0),
         ("steps", [(-10, -10), (10, -10), (10, 0), (0, 0), (0, 5), (-10, 5)], 250.0)]


def areas(program, folder):
    for name, polygon, wanted in AREAS:
        data = dict(skeleton=dict(spine="4.2.0"), bones=[dict(name="root")],
                    slots=[dict(name="clip", bone="root", attachment="c"), dict(name="free", bone="root", attachment="b"),
                           dict(name="box", bone="root", attachment="a")],
                    skins=[dict(name="default", attachments={
                        "clip": {"c": dict(type="clipping", end="box", vertexCount=len(polygon), vertices=[c for p in polygon for c in p])},
                        "box": {"a": dict(path="plain", width=20, height=20)}, "free": {"b": dict(path="plain", width=1, height=1)}})],
                    animations={})
        data["slots"] = data["slots"][1:2] + data["slots"][:1] + data["slots"][2:]  # `free` is before the polygon
        fixtures.write(folder, "square", data)
        parts, document = bake(program, folder, "square.json")
        found = sum(area(t) for t in parts.get("box", []))
        rows = document["files"][0]["parts"]
        if abs(found - wanted) > 1e-4 or any(area(t) < -1e-9 for t in parts.get("box", [])):
            sys.exit("%s: an area of %g is left, not %g" % (name, found, wanted))
        if [row["clippedBy"] for row in rows] != [None] + ["clip"] * (wanted > 0):
            sys.exit("%s: clipped by %s" % (name, [row["clippedBy"] for row in rows]))


def odd(polygon, x, y):
    """Whether a ray to the right passes an odd number of edges."""
    inside = False
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1]):
        inside ^= (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay)
    return inside


def covering(triangles, x, y):
    """Texture coordinates there, of each triangle that has the point inside; and whether the point is near an edge."""
    found, near = [], False
    for triangle in triangles:
        whole = area(triangle)
        if whole == 0:
            continue
        shares = [area([(x, y) if k == i else triangle[k] for k in range(3)]) / whole for i in range(3)]
        near |= min(shares) > -1e-3 and min(shares) < 1e-3
        if min(shares) > 0:
            found.append(tuple(sum(s * corner[c] for s, corner in zip(shares, triangle)) for c in (2, 3)))
    return found, near


def scene(program, folder):
    """The made scene, whose polygon turns and is exchanged: 20 x 20 points at four times."""
    fixtures.make_scene(folder)
    skeleton = reference.Skeleton(os.path.join(folder, "scene.json"))
    names = [s["name"] for s in skeleton.slots]
    compared = {True: 0, False: 0}
    for time in (0.0, 0.4, 0.8, 1.4):
        parts, document = bake(program, folder, "scene.json", "--clip", "play", "--time", str(time))
        clipped = {row["slot"] for row in document["files"][0]["parts"] if row["clippedBy"]}
        skeleton.pose("play", time, [])
        polygon = [(p.real, p.imag) for p in skeleton.vertices(names.index("clip"))]
        for slot in ("normal", "additive", "multiply", "screened", "behind"):
            i = names.index(slot)
            whole = [[v.real, v.imag, *uv] for v, uv in zip(skeleton.vertices(i), skeleton.texcoords(i))]
            triangles = [[whole[k] for k in t] for t in ((0, 1, 2), (2, 3, 0))]
            xs, ys = [v[0] for v in whole], [v[1] for v in whole]
            for k in range(400):
                x = min(xs) + (max(xs) - min(xs)) * (k % 20 + 0.537) / 20
                y = min(ys) + (max(ys) - min(ys)) * (k // 20 + 0.491) / 20
                (wanted, near), (found, also) = covering(triangles, x, y), covering(parts.get(slot, []), x, y)
                if near or also:
                    continue
                if slot != "behind" and not odd(polygon, x, y):
                    wanted = []
                compared[bool(wanted)] += 1
                if len(wanted) != len(found) or any(abs(a - b) > 1e-4 for p, q in zip(wanted, found) for a, b in zip(p, q)):
                    sys.exit("%s at %g s, (%g, %g): %s, not %s" % (slot, time, x, y, found, wanted))
        if "behind" in clipped:
            sys.exit("the slot before the polygon is clipped")
    print("%d points inside, %d outside" % (compared[True], compared[False]))
    if min(compared.values()) < 500:
        sys.exit("too few points")


def refusal(program, folder, polygon, meshes):
    """What bake says where the polygon clips meshes of so many equal triangles, at (-4000, 0) to (-3999, 1)."""
    slots = ["clip"] + ["mesh%d" % i for i in range(len(meshes))]
    shown = {"clip": {"a": dict(type="clipping", vertexCount=len(polygon), vertices=[c for p in polygon for c in p])}}
    for slot, count in zip(slots[1:], meshes):
        shown[slot] = {"a": dict(type="mesh", path="plain", uvs=[0, 0, 1, 0, 0, 1], triangles=[0, 1, 2] * count,
                                 vertices=[-4000, 0, -3999, 0, -4000, 1], hull=3)}
    fixtures.write(folder, "limits", dict(skeleton=dict(spine="4.2.0"), bones=[dict(name="root")], animations={},
                   slots=[dict(name=name, bone="root", attachment="a") for name in slots],
                   skins=[dict(name="default", attachments=shown)]))
    ran = subprocess.run([program, "bake", os.path.join(folder, "limits.json"), "--force", "-o", os.path.join(folder, "out.obj")],
                         capture_output=True, text=True)
    return ran.stderr.split("bake: ")[-1].split("/")[-1].strip()


def limits(program, folder):
    """Work that takes too long is refused before it begins, as a sum over all slots: 2^26 steps."""
    bowl = [(i, i * i) for i in range(-2047, 2049)]  # its first edge has the triangles outside
    heights = random.Random(1)
    zigzag = [(100 * (i % 2) + i * 0.01, 100 * heights.random()) for i in range(700)]
    nothing, long = "limits.json: polygons clip all that slots show at 0 s", "clipping takes too long: %d %s times %d %s; " \
        "all slots together may take 67108864 such steps"
    cases = [(bowl, [8192], nothing), (bowl, [8192, 8192], nothing),
             (bowl, [8192, 8193], long % (8193, "triangles", 4096, "edges of pieces")),
             (bowl, [16385], long % (16385, "triangles", 4096, "edges of pieces")),
             (bowl * 2 + [(0, 0)], [1], "a clipping polygon has 8193 corners; at most 4096 can be cut")]
    for polygon, meshes, wanted in cases:
        found = refusal(program, folder, polygon, meshes)
        if found != wanted:
            sys.exit("%d corners, triangles %s: '%s', not '%s'" % (len(polygon), meshes, found, wanted))
    for polygon, meshes, wanted in [(zigzag[:80], [100000], "100000 triangles times"), (zigzag, [1], "700 edges of a polygon times")]:
        found = refusal(program, folder, polygon, meshes)
        if not found.startswith("clipping takes too long: ") or wanted not in found:
            sys.exit("a polygon that crosses itself, triangles %s: '%s'" % (meshes, found))


def read_glb(path, folder):
    """{page: (how it ends at its sides, rows of pixels)} of the textures that materials have."""
    data = open(path, "rb").read()
    size = struct.unpack("<I", data[12:16])[0]
    head, binary, found = json.loads(data[20:20 + size]), data[28 + size:], {}
    for material in head["materials"]:
        texture = head["textures"][material["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
        image, sampler = head["images"][texture["source"]], head["samplers"][texture["sampler"]]
        view = head["bufferViews"][image["bufferView"]]
        with open(os.path.join(folder, "image.png"), "wb") as file:
            file.write(binary[view["byteOffset"]:view["byteOffset"] + view["byteLength"]])
        found[image["name"]] = (sampler["wrapS"], sampler["wrapT"]), pictures.read_png(os.path.join(folder, "image.png"))
        if not material["name"].startswith(image["name"]):
            sys.exit("material %s has the picture %s" % (material["name"], image["name"]))
    return found


def pages(program, folder):
    """The made scene's second page is times alpha. Its side that repeats is exchanged; 10497 repeats, 33071 does not."""
    fixtures.make_scene(folder)
    atlas, ends = os.path.join(folder, "scene.atlas"), {False: 33071, True: 10497}
    text, out = open(atlas).read(), os.path.join(folder, "out.glb")
    for side in ("none", "x", "y", "xy"):
        with open(atlas, "w") as file:
            file.write(text.replace("repeat: x", "repeat: " + side))
        subprocess.run([program, "bake", os.path.join(folder, "scene.json"), "--clip", "none", "--force", "-o", out], check=True,
                       stderr=subprocess.DEVNULL)
        found = read_glb(out, folder)
        if list(found) != ["scene.png", "scene2.png"] or found["scene.png"][0] != (33071, 33071) or \
                found["scene2.png"][0] != (ends["x" in side], ends["y" in side]):
            sys.exit("repeat %s: %s" % (side, {name: wraps for name, (wraps, _) in found.items()}))
        for name, colour, height, times_alpha in (("scene.png", fixtures.checker(230, 60, 80), 128, False),
                                                  ("scene2.png", fixtures.checker(90, 200, 120), 64, True)):
            for y in range(height):
                for x in range(height):
                    *own, alpha = colour(x, y)
                    wanted = [min(255, (255 * c + alpha // 2) // alpha) if times_alpha else c for c in own] + [alpha]
                    if list(found[name][1][y][x]) != wanted:
                        sys.exit("%s (%d, %d): %s, not %s" % (name, x, y, found[name][1][y][x], wanted))


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        areas(program, folder)
        pages(program, folder)
        scene(program, folder)
        limits(program, folder)


if __name__ == "__main__":
    main()
