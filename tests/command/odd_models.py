"""odd_models.py VKSKIN LIKENESS: glTF files of unusual shape through every verb. Each file is made here, and so are the places of its
vertices, by a plain evaluation: `bake` must write them, from the file and from what `pack` makes of it. `crowd` must use the
system that a case states, and `compare` finds each system like `compute`. The device is the one that the environment names. LIKENESS: the program
test_pictures_likeness. `odd_models.py FOLDER` only writes the files.
"""
import base64
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

TIMES = (0.0, 0.35, 0.8)
SIZE = ["--size", "64x48"]
DECIBELS = 38

# ---- A model: nodes with parents, skins, meshes, clips ----


class Model:
    def __init__(self):
        self.nodes, self.parents, self.skins, self.meshes, self.clips, self.outside = [], [], [], [], [], []

    def node(self, parent=None, move=(0, 0, 0), name=None, scale=(1, 1, 1)):
        self.nodes.append({"name": name or "n%d" % len(self.nodes), "translation": list(move), "scale": list(scale)})
        self.parents.append(parent)
        return len(self.nodes) - 1

    def chain(self, count, length=1.0, parent=None):
        """`count` nodes, each `length` above the one before."""
        joints = []
        for i in range(count):
            joints.append(self.node(joints[-1] if joints else parent, (0, length if i else 0, 0)))
        return joints

    def skin(self, joints):
        """Bound as the nodes stand."""
        self.skins.append({"joints": joints, "binds": [inverse(self.world(j)) for j in joints]})
        return len(self.skins) - 1

    def mesh(self, node, points, triangles, skin=None, weights=None, name=None):
        """weights: for each point a list of (index into the skin's joints, weight)."""
        self.meshes.append(dict(node=node, points=points, triangles=triangles, skin=skin, weights=weights, name=name))

    def post(self, node, skin, bones, low=0.0, length=1.0):
        """A post with three sides, with a ring of points at each bone, of which it is."""
        points, weights, triangles = [], [], []
        for row, bone in enumerate(bones):
            for side in range(3):
                angle = 2 * math.pi * side / 3
                points.append((0.4 * math.cos(angle), low + row * length, 0.4 * math.sin(angle)))
                weights.append([(bone, 1.0)] if row % 2 == 0 else [(bone, 0.75), (bones[row - 1], 0.25)])
        for row in range(len(bones) - 1):
            for side in range(3):
                a, b = 3 * row + side, 3 * row + (side + 1) % 3
                triangles += [a, a + 3, b, b, a + 3, b + 3]
        self.mesh(node, points, triangles, skin, weights)

    def clip(self, name, *channels):
        """channels: (node, "rotation", axis, ((time, degrees), ...)) or (node, "translation", None, ((time, xyz), ...))."""
        self.clips.append((name, channels))

    def bend(self, name, joints, degrees=40, axis=2):
        self.clip(name, *[(j, "rotation", axis, ((0, 0), (0.5, degrees), (1, -degrees / 2))) for j in joints])

    # -- Evaluation --

    def local(self, node, clip, time):
        own = self.nodes[node]
        move, turn = own["translation"], identity()
        for target, path, axis, keys in self.clips[clip][1] if clip is not None else ():
            if target == node and path == "rotation":
                turn = rotation(axis, sample([(t, (v,)) for t, v in keys], time)[0])
            elif target == node:
                move = sample(keys, time)
        scale = own["scale"]
        return [[turn[r][c] * scale[c] for c in range(3)] + [move[r]] for r in range(3)]

    def world(self, node, clip=None, time=0.0):
        local = self.local(node, clip, time)
        return local if self.parents[node] is None else multiply(self.world(self.parents[node], clip, time), local)

    def places(self, clip, time):
        """Of all points, mesh by mesh."""
        placed = []
        for mesh in self.meshes:
            if mesh["skin"] is None:
                world = self.world(mesh["node"], clip, time)
                placed += [apply(world, p) for p in mesh["points"]]
                continue
            skin = self.skins[mesh["skin"]]
            bones = [multiply(self.world(j, clip, time), b) for j, b in zip(skin["joints"], skin["binds"])]
            for point, weights in zip(mesh["points"], mesh["weights"]):
                moved = [(apply(bones[j], point), w) for j, w in weights]
                placed.append(tuple(sum(p[i] * w for p, w in moved) for i in range(3)))
        return placed

    # -- The file --

    def write(self, path):
        data, views, accessors = b"", [], []

        def accessor(kind, component, rows, flat=False):
            nonlocal data
            numbers = list(rows) if flat else [x for row in rows for x in row]
            packed = struct.pack("<%d%s" % (len(numbers), {5126: "f", 5125: "I", 5123: "H"}[component]), *numbers)
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(packed)})
            data += packed + bytes(-len(packed) % 4)
            made = {"bufferView": len(views) - 1, "componentType": component, "count": len(rows), "type": kind}
            if kind in ("VEC3", "SCALAR") and component == 5126:
                columns = [rows] if flat else list(zip(*rows))
                made.update(min=[min(c) for c in columns], max=[max(c) for c in columns])
            accessors.append(made)
            return len(accessors) - 1

        nodes = [dict(n) for n in self.nodes]
        for child, parent in enumerate(self.parents):
            if parent is not None:
                nodes[parent].setdefault("children", []).append(child)
        meshes = []
        for mesh in self.meshes:
            attributes = {"POSITION": accessor("VEC3", 5126, mesh["points"]),
                          "NORMAL": accessor("VEC3", 5126, [outwards(p) for p in mesh["points"]])}
            if mesh["skin"] is not None:
                four = [(w + [(0, 0.0)] * 4)[:4] for w in mesh["weights"]]
                attributes["JOINTS_0"] = accessor("VEC4", 5123, [[j for j, _ in w] for w in four])
                attributes["WEIGHTS_0"] = accessor("VEC4", 5126, [[v for _, v in w] for w in four])
                nodes[mesh["node"]]["skin"] = mesh["skin"]
            indices = accessor("SCALAR", 5125, mesh["triangles"], True)
            nodes[mesh["node"]]["mesh"] = len(meshes)
            meshes.append({"primitives": [{"attributes": attributes, "indices": indices}],
                           **({"name": mesh["name"]} if mesh["name"] else {})})
        skins = [{"joints": s["joints"], "inverseBindMatrices": accessor(
            "MAT4", 5126, [[m[r][c] if r < 3 else float(c == 3) for c in range(4) for r in range(4)] for m in s["binds"]])}
            for s in self.skins]
        animations = []
        for name, channels in self.clips:
            made = {"name": name, "channels": [], "samplers": []}
            for node, kind, axis, keys in channels:
                values = [quaternion(axis, v) for _, v in keys] if kind == "rotation" else [v for _, v in keys]
                made["channels"].append({"sampler": len(made["samplers"]), "target": {"node": node, "path": kind}})
                made["samplers"].append({"input": accessor("SCALAR", 5126, [t for t, _ in keys], True), "output":
                                         accessor("VEC4" if kind == "rotation" else "VEC3", 5126, values)})
            animations.append(made)
        document = {"asset": {"version": "2.0"}, "scene": 0, "nodes": nodes, "meshes": meshes,
                    "scenes": [{"nodes": [i for i, p in enumerate(self.parents) if p is None and i not in self.outside]}],
                    "accessors": accessors, "bufferViews": views, "buffers": [{
                        "byteLength": len(data),
                        "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}
        document.update({k: v for k, v in (("skins", skins), ("animations", animations)) if v})
        with open(path, "w") as file:
            json.dump(document, file)


def outwards(p):
    """From the axis y. With normals in the file the importer keeps vertices as they are."""
    return (p[0] / math.hypot(p[0], p[2]), 0.0, p[2] / math.hypot(p[0], p[2]))


def identity():
    return rotation(0, 0)


def rotation(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    a, b = (axis + 1) % 3, (axis + 2) % 3
    matrix = [[float(r == k) for k in range(3)] for r in range(3)]
    matrix[a][a], matrix[a][b], matrix[b][a], matrix[b][b] = c, -s, s, c
    return matrix


def quaternion(axis, degrees):
    half = math.radians(degrees) / 2
    return [math.sin(half) if i == axis else 0.0 for i in range(3)] + [math.cos(half)]


def sample(keys, time):
    """Linear; of rotations about one axis that is the shortest way on the sphere."""
    after = next((i for i, (t, _) in enumerate(keys) if t > time), len(keys))
    if after in (0, len(keys)):
        return keys[min(after, len(keys) - 1)][1]
    (from_, a), (to, b) = keys[after - 1], keys[after]
    share = (time - from_) / (to - from_)
    return tuple(x + (y - x) * share for x, y in zip(a, b))


def multiply(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0.0) for c in range(4)] for r in range(3)]


def apply(m, p):
    return tuple(sum(m[r][k] * p[k] for k in range(3)) + m[r][3] for r in range(3))


def inverse(m):
    """Of rotation, uniform scale and translation."""
    square = sum(m[r][0] ** 2 for r in range(3))
    turned = [[m[c][r] / square for c in range(3)] for r in range(3)]
    return [turned[r] + [-sum(turned[r][k] * m[k][3] for k in range(3))] for r in range(3)]


# ---- The cases: each returns a model, or a model and the reason for which a crowd is drawn by compute ----


def skin_longer_than_mesh():
    """The last joints of the skin, and one between, move no vertex."""
    model = Model()
    joints = model.chain(6)
    model.post(model.node(), model.skin(joints), [0, 2, 3])
    model.bend("bend", joints)
    return model


def skins_of_one_skeleton():
    """Two skins with the same joints in other orders, one bound elsewhere; the node of the second mesh stands aside."""
    model = Model()
    joints = model.chain(4)
    first, second = model.skin(joints), model.skin(joints[::-1])
    model.skins[second]["binds"] = [multiply([[1, 0, 0, 1.5], [0, 1, 0, 0], [0, 0, 1, 0]], b)
                                    for b in model.skins[second]["binds"]]
    model.post(model.node(), first, [0, 1, 2, 3])
    model.post(model.node(move=(7, 7, 7)), second, [3, 2, 1, 0])
    model.bend("bend", joints, axis=0)
    return model


def meshes_without_skin():
    """One hangs on a joint, one beside, moved by a clip itself."""
    return with_boxes((1, 1, 1))


def scaled_meshes_without_skin():
    """As before, and the boxes are 3 x 1 x 0.2 times as large: only exact normals are right."""
    return with_boxes((3, 1, 0.2))


def with_boxes(scale):
    model = Model()
    joints = model.chain(3)
    model.post(model.node(), model.skin(joints), [0, 1, 2])
    box = [(x, y, z) for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.2, 0.2)]
    sides = [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6]
    model.mesh(model.node(joints[2], (0, 1, 0), scale=scale), box, sides)
    aside = model.node(move=(2, 0, 0), scale=scale)
    model.mesh(aside, box, sides)
    model.bend("bend", joints)
    model.clips[0] = ("bend", model.clips[0][1] + ((aside, "translation", None, ((0, (2, 0, 0)), (1, (2, 3, 0)))),))
    return model


def joints_outside_of_the_scene():
    """The scene names the mesh's node only; the skeleton has a root that stands aside."""
    model = Model()
    root = model.node(move=(0, 1, 0), scale=(2, 2, 2))
    joints = model.chain(3, parent=root)
    model.outside = [root]
    model.post(model.node(), model.skin(joints), [0, 1, 2])
    model.bend("bend", joints)
    return model


def empty_clip():
    """The second clip moves nothing: it is the rest pose."""
    model = Model()
    joints = model.chain(3)
    model.post(model.node(), model.skin(joints), [0, 1, 2])
    model.bend("bend", joints)
    model.clip("nothing")
    return model


def clip_of_zero_length():
    """One key: a pose."""
    model = Model()
    joints = model.chain(3)
    model.post(model.node(), model.skin(joints), [0, 1, 2])
    model.clip("pose", *[(j, "rotation", 2, ((0, 25),)) for j in joints])
    return model


def different_unused_bones():
    """Two meshes of one skin, of whose joints each leaves out others."""
    model = Model()
    joints = model.chain(6)
    skin = model.skin(joints)
    model.post(model.node(), skin, [0, 1])
    model.post(model.node(), skin, [3, 4], low=3.0)
    model.bend("bend", joints)
    return model


def one_vertex():
    """A triangle of one vertex. There is nothing to see."""
    model = Model()
    joints = model.chain(3)
    skin = model.skin(joints)
    model.mesh(model.node(), [(0.5, 2.0, 0.0)], [0, 0, 0], skin, [[(2, 1.0)]])
    model.bend("bend", joints)
    return model


def many_bones():
    """255 of a skin, all of which move vertices."""
    model = Model()
    joints = model.chain(255, 0.05)
    model.post(model.node(), model.skin(joints), list(range(255)), length=0.05)
    model.bend("bend", joints[::8], degrees=6)
    return model


def names_that_repeat():
    """Every node, mesh and clip has the same name; the clips differ."""
    model = Model()
    joints = model.chain(3)
    skin = model.skin(joints)
    for i in range(2):
        model.post(model.node(), skin, [0, 1, 2])
    model.bend("same", joints)
    model.bend("same", joints, degrees=-60, axis=0)
    for node in model.nodes:
        node["name"] = "same"
    for mesh in model.meshes:
        mesh["name"] = "same"
    return model


def only_an_empty_clip():
    """Nothing moves; the file has a clip."""
    model = empty_clip()
    model.clips = model.clips[1:]
    return model


CASES = (skin_longer_than_mesh, skins_of_one_skeleton, meshes_without_skin, scaled_meshes_without_skin, joints_outside_of_the_scene, empty_clip,
         only_an_empty_clip, clip_of_zero_length, different_unused_bones, one_vertex, many_bones, names_that_repeat)

# ---- The verbs ----

failures = []


def expect(good, *what):
    if not good:
        failures.append(" ".join(str(w) for w in what))


def run(verb, *arguments, wanted=0):
    """Its output. Warnings are allowed, an error is one line."""
    made = subprocess.run([PROGRAM, verb, *arguments], capture_output=True, text=True, errors="replace")
    lines = [line for line in made.stderr.splitlines() if " warning: " not in line]
    expect(made.returncode == wanted and len(lines) == (wanted != 0), verb, *arguments, made.returncode, lines[:3])
    return made.stdout


def document(*arguments):
    text = run(*arguments, "--json", "-")
    return json.loads(text) if text else {}


def bake(path, clip, time, backend):
    out = path + ".obj"
    run("bake", path, "--clip", clip, "--time", str(time), "--backend", backend, "--force", "-o", out)
    return [tuple(float(x) for x in line.split()[1:4]) for line in open(out) if line.startswith("v ")]


def farthest(places, others):
    """The largest distance of one of `places` from the nearest one of `others`."""
    return max(min(math.dist(p, q) for q in others) for p in places)


def check_bake(model, path, packed, backends):
    """The places of the file in its order; those of the packed file, whose order is another one, within its error."""
    for clip in ["none"] + list(range(len(model.clips))):
        for time in TIMES if clip != "none" else TIMES[:1]:
            wanted = model.places(None if clip == "none" else clip, time)
            height = max(1.0, max(p[1] for p in wanted) - min(p[1] for p in wanted))
            for backend in backends:
                baked = bake(path, str(clip), time, backend)
                off = max(map(math.dist, wanted, baked)) if len(baked) == len(wanted) else math.inf
                expect(off <= 2e-5 * height, path, "clip", clip, "at", time, backend, "is off by", off)
            baked = bake(packed, str(clip), time, "cpu")
            off = max(farthest(wanted, baked), farthest(baked, wanted))
            expect(off <= 0.0012 * height, packed, "clip", clip, "at", time, "is off by", off)


def check_files(model, path, packed):
    """What `info` counts, of the file and of the packed file."""
    run("pack", path, "-o", packed)
    for name in (path, packed):
        made = document("info", name)
        expect([len(made["meshes"]), len(made["clips"]), made["vertices"]] ==
               [len(model.meshes), len(model.clips), len(model.places(None, 0))], name, made["meshes"], made["clips"])
        expect([c["name"] for c in made["clips"]] == [name for name, _ in model.clips], name, made["clips"])
        expect(sorted(m["bones"] > 0 for m in made["meshes"]) == sorted(m["skin"] is not None for m in model.meshes), name)


def check_crowd(paths, backend):
    made = document("crowd", *paths, "--count", str(len(paths)), "--frames", "1", "--backend", backend, *SIZE)
    if made:
        expect(made["system"]["name"] == "crowd" and made["systemFallback"] is None, *paths, made["systemFallback"])
        expect(made["system"]["crowd"]["skinned"] >= len(paths), *paths, backend, made["system"]["crowd"])


def check_compare(paths, *refusing, shown=True, options=()):
    """All in one picture. refusing: beginnings of names of systems."""
    made = document("compare", *paths, "--count", str(len(paths)), "--frames", "1", "--size", "320x240", "--time", "0.35", *options)
    for system in made.get("systems", []):
        refused = system["name"].startswith(refusing)
        expect((system["refusal"] is not None) == refused, *paths, system["name"], system["refusal"])
        if system["reference"] is not None and not refused:
            expect(system["decibels"] >= DECIBELS if shown else system["decibels"] is None and system["pixels"] == 0,
                   *paths, system["name"], system["decibels"])


def check_render(path):
    """Something is shown; the same as by the crowd, whose clips have an error of a millimetre."""
    pictures = [path + end for end in (".compute.png", ".crowd.png")]
    for picture in pictures:
        run("render", path, "--system", picture.split(".")[-2], "--clip", "0", "--time", "0.35", *SIZE, "--normals", "exact",
            "-o", picture)
    likeness = subprocess.run([LIKENESS, *pictures], capture_output=True, text=True).stdout.split()
    expect(likeness and float(likeness[0]) >= 30, path, "render", likeness)


def main(folder):
    lavapipe = os.environ.get("VKSKIN_TEST_DRIVER", "lavapipe") == "lavapipe"
    paths, packs = {}, []
    for case in CASES:
        model, path = case(), os.path.join(folder, case.__name__ + ".gltf")
        packed = path.replace(".gltf", ".vkm")
        model.write(path)
        check_files(model, path, packed)
        if lavapipe:
            check_bake(model, path, packed, ("cpu",))
            check_render(path)
        paths[case] = path
        packs.append(packed)
        if case in (skin_longer_than_mesh, skins_of_one_skeleton, different_unused_bones):
            check_bake(model, path, packed, ("compute",))
    for backend in ("compute", "cpu") if lavapipe else ("compute",):
        check_crowd(list(paths.values()), backend)
        check_crowd(packs, backend)
    check_compare([paths.pop(scaled_meshes_without_skin)], "uniform-2d", "texture-qt", options=("--normals", "exact"))
    check_compare([paths.pop(one_vertex)], shown=False)
    check_compare(list(paths.values()), "uniform-2d")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        sys.exit(any(case().write(os.path.join(sys.argv[1], case.__name__ + ".gltf")) for case in CASES))
    PROGRAM, LIKENESS = sys.argv[1:]
    with tempfile.TemporaryDirectory() as place:
        main(place)
    print("\n".join(failures) or "%d models" % len(CASES))
    sys.exit(1 if failures else 0)
