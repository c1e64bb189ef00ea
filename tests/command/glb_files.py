"""glb_files.py VKSKIN FIXTURES MODELS: `bake --clip all` writes .glb files of every format.

Files of unusual shape are made here as glTF. A plain evaluation of source and result (glb_reader.py) must give the same points.
Of other formats, the points are those of `bake -o points.obj` at three times of each clip. FIXTURES: of tests/import.
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

from glb_reader import Glb, distance

NAMES = ["plain", "with spaces", 'a "quote" \\ and / more', "two\nlines\tand\ttabs", "Łódź Ω 漢字 🦊", "plain"]
TOLERANCE = 1e-5


class Source:
    """A glTF document while it is made."""

    def __init__(self):
        self.top = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}]}
        self.bytes = b""

    def add(self, list_name, **members):
        self.top.setdefault(list_name, []).append(members)
        return len(self.top[list_name]) - 1

    def array(self, rows, kind="f", **members):
        rows = [row if isinstance(row, (tuple, list)) else (row,) for row in rows]
        data = b"".join(struct.pack("<%d%s" % (len(row), kind), *row) for row in rows)
        view = self.add("bufferViews", buffer=0, byteOffset=len(self.bytes), byteLength=len(data))
        self.bytes += data + b"\0" * (-len(data) % 4)
        component = {"f": 5126, "H": 5123, "I": 5125}[kind]
        shape = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}[len(rows[0])]
        return self.add("accessors", bufferView=view, componentType=component, count=len(rows), type=shape, **members)

    def node(self, parent=None, **members):
        index = self.add("nodes", **members)
        (self.top["scenes"][0]["nodes"] if parent is None else self.top["nodes"][parent].setdefault("children", [])).append(index)
        return index

    def track(self, node, path, times, values, kind="LINEAR"):
        """For clip()."""
        return {"node": node, "path": path}, dict(input=self.array(times), output=self.array(values), interpolation=kind)

    def clip(self, name, *tracks):
        channels = [{"sampler": i, "target": target} for i, (target, _) in enumerate(tracks)]
        self.add("animations", name=name, channels=channels, samplers=[sampler for _, sampler in tracks])

    def strip(self, count, **attributes):
        """A primitive of `count` points in two columns. attributes: of a point, from its number."""
        points = [(0.5 * (i % 2), 0.25 * (i // 2), 0.1 * math.sin(i)) for i in range(count)]
        triangles = [v for i in range(count - 2) for v in ((i, i + 1, i + 2) if i % 2 == 0 else (i + 1, i, i + 2))]
        made = {"POSITION": self.array(points), "NORMAL": self.array([(0, 0, 2)] * count)}
        for name, of_point in attributes.items():
            made[name] = self.array([of_point(i) for i in range(count)], "H" if name.startswith("JOINTS") else "f")
        return {"attributes": made, "indices": self.array(triangles, "I"), "material": 0}

    def skin(self, joints, places):
        """Bound where a joint is at its place, unturned."""
        columns = [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1) for x, y, z in places]
        return self.add("skins", joints=joints, inverseBindMatrices=self.array(columns))

    def write(self, path):
        self.top["buffers"] = [{"byteLength": len(self.bytes)}]
        text = json.dumps(self.top).encode()
        text += b" " * (-len(text) % 4)
        size = 28 + len(text) + len(self.bytes)
        with open(path, "wb") as file:
            file.write(struct.pack("<5I", 0x46546C67, 2, size, len(text), 0x4E4F534A) + text)
            file.write(struct.pack("<2I", len(self.bytes), 0x004E4942) + self.bytes)


def turn(degrees, axis=2, size=1.0):
    half = math.radians(degrees) / 2
    quaternion = [0.0, 0.0, 0.0, size * math.cos(half)]
    quaternion[axis] = size * math.sin(half)
    return tuple(quaternion)


# ---- The files ----


def many_bones(path):
    """300 bones, 8 influences with the sum 2, one of them twice, and scales that are not uniform."""
    source = Source()
    source.add("materials", name=NAMES[2])
    scale = (1.002, 0.999, 1.001)
    joints = [source.node(name="bone", scale=scale)]
    for i in range(299):
        joints.append(source.node(joints[-1], name=NAMES[i % 6], translation=(0, 0.25, 0), rotation=turn(0.1, i % 3)))
    source.top["nodes"][joints[2]]["scale"] = (-1.0, 1.3, 0.8)

    def bones(first):
        return lambda i: tuple(min(299, i // 2 + first + (k if k < 3 else 2)) for k in range(4))

    primitive = source.strip(
        600, JOINTS_0=bones(0), WEIGHTS_0=lambda i: (0.2, 0.3, 0.5, 0.25), JOINTS_1=bones(4), WEIGHTS_1=lambda i: (0.5, 0.25, 0.0, 0.0 if i % 7 else 0.25)
    )
    mesh = source.add("meshes", name=NAMES[3], primitives=[primitive])
    source.node(name=NAMES[4], mesh=mesh, skin=source.skin(joints, [(0, 0.25 * i, 0) for i in range(300)]))
    source.clip(NAMES[2], *[source.track(j, "rotation", (0, 0.5, 1.5), (turn(0), turn(1.5, k % 3), turn(-2))) for k, j in enumerate(joints[1:40])])
    source.write(path)


def shapes(path):
    """Morph targets of few and of many points, two nodes with weights of their own, two meshes with and without joints."""
    source = Source()
    source.add("materials", name="paint", extensions={"KHR_materials_unlit": {}})
    source.add("materials", name=NAMES[4])
    plain = source.strip(60)
    few = [(0, 0, 0.4 * (i in (7, 59))) for i in range(60)]
    many = [(0.1, -0.1 * (i % 3), 0.2) for i in range(60)]
    plain["targets"] = [{"POSITION": source.array(t, min=[0, 0, 0], max=[0, 0, 0.4])} for t in (few, many, [(0, 0, 0)] * 60)]
    for target in plain["targets"]:
        del source.top["accessors"][target["POSITION"]]["min"], source.top["accessors"][target["POSITION"]]["max"]
    mesh = source.add("meshes", name="face", primitives=[plain], weights=[0.5, 0, 0.25], extras={"targetNames": [NAMES[3], NAMES[4], ""]})
    one = source.node(name="one", mesh=mesh)
    two = source.node(name="two", mesh=mesh, weights=[0, 0.75, 0], translation=(2, 0, 0))
    bone = source.node(name="bone", translation=(0, 0, 3))
    other = source.node(name="other root", translation=(0, 1, 3))
    skinned = source.strip(20, JOINTS_0=lambda i: (i // 8, 0, 0, 0), WEIGHTS_0=lambda i: (int(i > 0), 0, 0, 0))
    rigid = dict(source.strip(10), material=1)
    for primitive, count in ((skinned, 20), (rigid, 10)):
        primitive["targets"] = [{"POSITION": source.array([(0, 0, 1)] * count)}]
    both = source.add("meshes", name="both", primitives=[skinned, rigid])
    shown = source.node(bone, name="both", mesh=both, skin=source.skin([bone, other, bone], [(0, 0, 0), (0, 1, 0), (1, 2, 0)]))
    source.clip(
        "weights", source.track(one, "weights", (0.25, 1), (0, 0.5, 0, 1, 0, 1)),
        source.track(shown, "weights", (0, 1), (0, 2)),
        source.track(two, "weights", (0, 1), (0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0), "CUBICSPLINE"),
    )
    source.clip("bend", source.track(bone, "rotation", (0, 1), (turn(0), turn(90))), source.track(other, "scale", (0, 2), ((1, 1, 1), (2, 0.5, -1))))
    source.write(path)


def curves(path):
    """Each interpolation, keys with one time, one key, and quaternions of another length."""
    source = Source()
    source.add("materials", name="paint")
    sheared = source.node(name="sheared", matrix=(2, 0, 0, 0, 1, 1, 0, 0, 0.25, 0.5, 3, 0, 1, 2, 3, 1))
    mesh = source.add("meshes", name="plate", primitives=[source.strip(8)])
    nodes = [source.node(sheared, name=name, mesh=mesh, translation=(i, 0, 0)) for i, name in enumerate(NAMES)]
    still = source.node(name="still", rotation=(0, 0.5, 0, 0.5))
    source.clip("step", source.track(nodes[0], "translation", (0, 0.5, 1), ((0, 0, 0), (1, 0, 0), (2, 0, 0)), "STEP"))
    source.clip("jump", source.track(nodes[1], "translation", (0, 0.5, 0.5, 1.25), ((0, 0, 0), (4, 0, 0), (0, 0, 4), (0, 1, 4))))
    source.clip("one key", source.track(nodes[2], "rotation", (0,), (turn(30, 0),)), source.track(still, "scale", (2.5,), ((1, 1, 1),)))
    keys = ((0, 0, 0), (1, 0, 0), (0, 6, 0)), ((3, -9, 1), (0, 2, 0), (0, 0, 5)), ((0, 0, 2), (1, 1, 1), (0, 0, 0))
    source.clip("cubic", source.track(nodes[3], "translation", (0, 0.75, 1), [row for key in keys for row in key], "CUBICSPLINE"))
    long = [(0.1, 0, 0, 0), turn(0), (0, 0.5, 0, 0), (0, 0, 2, 0), turn(120, 1, 3.0), (0, 0, 0, 0)]
    ease = [(0, 0, 0, 0), turn(0, size=2.0), (0, 0, 0, 0), (0, 0, 0, 0), turn(80, size=2.0), (0, 0, 0, 0)]
    source.clip("long quaternions", source.track(nodes[4], "rotation", (0, 1), long, "CUBICSPLINE"), source.track(nodes[0], "rotation", (0, 1), ease, "CUBICSPLINE"))
    source.clip("turn", source.track(nodes[5], "rotation", (0, 1), (turn(0), turn(90))),
                source.track(nodes[5], "rotation", (0, 0.5, 1), (turn(0), turn(170, 1, -2.0), turn(10, 0))))
    source.clip("no keys", source.track(still, "translation", (0, 3), ((1, 1, 1), (2, 2, 2))))
    source.write(path)


def dual(path):
    """Dual quaternions: at the end, points on two bones keep their distance r from the axis, by linear skinning 0.7071 r."""
    source = Source()
    source.add("materials", name="paint")
    still = source.node(name="still")
    turned = source.node(still, name="turned")
    half = dict(JOINTS_0=lambda i: (0, 1, 0, 0), WEIGHTS_0=lambda i: (0.5, 0.5, 0, 0))
    mesh = source.add("meshes", name="plate", primitives=[source.strip(8, **half, _BLEND=lambda i: 1.0)])
    source.node(name="plate", mesh=mesh, skin=source.skin([still, turned], [(0, 0, 0)] * 2))
    source.clip("turn", source.track(turned, "rotation", (0, 1), (turn(0), turn(90))))
    source.write(path)


# ---- The tests ----


class Tests:
    def __init__(self, program):
        self.program, self.failures = program, 0

    def expect(self, good, text):
        if not good:
            print("wrong:", text)
            self.failures += 1

    def run(self, *words):
        done = subprocess.run([self.program, *words], capture_output=True, text=True, check=False)
        self.expect(done.returncode == 0, "%s: %s" % (" ".join(words), done.stderr))
        return done

    def bake(self, source, target, *words):
        """Returns the file, checked, and the warnings."""
        done = self.run("bake", source, "--clip", "all", *words, "-o", target)
        made = Glb(target)
        made.check()
        return made, done.stderr

    def info(self, path):
        return json.loads(self.run("info", path, "--json", "-").stdout)

    def same(self, label, expected, points):
        off = distance(expected, points)
        self.expect(off <= TOLERANCE, "%s: off by %g" % (label, off))

    def gltf(self, make, *warnings):
        """A file that is made here, and what comes back."""
        make("source.glb")
        source = Glb("source.glb")
        made, said = self.bake("source.glb", make.__name__ + ".glb")
        said = [line.split(": ", 3)[3] for line in said.splitlines()]
        self.expect(said == list(warnings), "%s: warnings %s" % (make.__name__, said))
        self.same(make.__name__, source.points(), made.points())
        for clip in range(len(source.list("animations"))):
            end = source.duration(clip)
            self.expect(abs(made.duration(clip) - end) < 1e-6, "duration of clip %d" % clip)
            for time in (0.0, 0.21 * end, 0.4 * end, 0.5 * end, 0.77 * end, end):
                self.same("%s, clip %d at %g" % (make.__name__, clip, time), source.points(clip, time), made.points(clip, time))
        self.names(source, made)
        return made

    def names(self, source, made):
        for name in ("nodes", "animations", "materials"):
            given = [row.get("name", "") for row in source.list(name)]
            self.expect([row["name"] for row in made.list(name)][: len(given)] == given, "names of %s" % name)
        read, again = ([(c["name"], c["seconds"]) for c in self.info(path)["clips"]] for path in ("source.glb", "%s" % made.path))
        self.expect(read == again, "clips that are read back")

    def other(self, source, *words):
        """A file of another format: its points as .obj, in its own axes and unit."""
        made, _ = self.bake(source, "other.glb", *words)
        for clip, row in enumerate(self.info(source)["clips"]):
            self.expect(abs(made.duration(clip) - row["seconds"]) < 1e-6, "%s: duration of clip %d" % (source, clip))
        for clip, end in enumerate([made.duration(i) for i in range(len(made.list("animations")))][:2] or [0.0]):
            times = ["--sequence", "0:%r:%r" % (end, 2 / end)] if end > 0 else []
            chosen = ["--clip", str(clip) if made.list("animations") else "none", *times]
            report = json.loads(self.run("bake", source, *words, *chosen, "--backend", "cpu", "-o", "points.obj", "--json", "-", "--force").stdout)
            for row in report["files"]:
                with open(row["name"], encoding="utf-8") as file:
                    rows = [[float(v) for v in line.split()[1:]] for line in file if line.startswith("v ")]
                expected = {}
                for part in report["parts"]:
                    own = rows[part["firstVertex"] : part["firstVertex"] + part["vertices"]]
                    expected.setdefault(part["name"], []).extend(common(report, point) for point in own)
                points = made.points(clip if made.list("animations") else None, row["time"])
                self.same("%s, clip %s at %g" % (os.path.basename(source), clip, row["time"]), expected, points)
        return made


def common(report, point):
    """y up, metres."""
    x, y, z = point
    unit = report["metresPerUnit"] or 1.0
    return [unit * v for v in {"y": (x, y, z), "z": (x, z, -y), "x": (-y, x, z)}[report["up"]]]


def main():
    program, fixtures, models = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
    tests = Tests(program)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        bones = tests.gltf(many_bones, "vertices with more than 4 influences: 590. Readers of JOINTS_0 alone lose up to 20 % of a vertex's weight")
        tests.expect(len(bones.top["nodes"]) == 301, "nodes of many_bones")
        morphs = tests.gltf(shapes)
        mesh = next(row for row in morphs.top["meshes"] if row["name"] == "face")
        tests.expect(mesh["extras"]["targetNames"] == NAMES[3:5] + ["target 2"], "names of targets")
        tests.expect(len(morphs.top["meshes"]) == 3, "the face is one mesh")
        sparse = [morphs.top["accessors"][t["POSITION"]].get("sparse", {}).get("count") for t in mesh["primitives"][0]["targets"]]
        tests.expect(sparse == [2, None, 1], "sparse targets %s" % sparse)
        tests.gltf(curves, "tracks whose curves became straight lines, which leave them by at most 2e-06: 2")
        off = math.hypot(0.5, 0.75) * (1 - math.sqrt(0.5))
        made = tests.gltf(dual, "vertices for dual quaternions: 8. The attribute _BLEND has them; other programs skin linearly, up to %.3g of the model's units away" % off)
        tests.expect("_BLEND" in made.top["meshes"][0]["primitives"][0]["attributes"], "_BLEND")
        many_bones("source.glb")
        trimmed, said = tests.bake("source.glb", "trimmed.glb", "--max-influences", "4")
        tests.expect("removes up to 20 %" in said and "JOINTS_1" not in json.dumps(trimmed.top), "trimmed: %s" % said)
        for name in ("z_up.fbx", "joint_orient.fbx", "inherit.fbx", "morphs.fbx", "matrix_keys.x", "morph_curves.dae"):
            tests.other(os.path.join(fixtures, name))
        turned = tests.other(os.path.join(models, "MD5/SimpleCube.md5mesh"))
        extras = [node["extras"] for node in turned.top["nodes"] if "extras" in node]
        tests.expect(extras == [{"up": "z"}], "axis and unit: %s" % extras)
        tests.run("pack", os.path.join(models, "X/Testwuson.X"), "-o", "packed.vkm")
        tests.other("packed.vkm")
        tests.bake(os.path.join(fixtures, "cube.md5anim"), "clips.glb")
        ghost = Source()
        moved = [(ghost.node(name=name), end) for name, end in ((NAMES[1], 1), ("ghost", 3))]
        keys = ((0, 0, 0), (0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 0, 0), (0, 0, 0))
        ghost.clip("longer", *[ghost.track(node, "translation", (0, end), keys, "CUBICSPLINE") for node, end in moved])
        ghost.write("ghost.glb")
        curves("source.glb")
        held, _ = tests.bake("source.glb", "held.glb", "--clips", "ghost.glb")
        tests.expect(held.duration(7) == 3, "a clip that is longer than its keys")
        tests.same("the last key holds", held.points(7, 1.0), held.points(7, 3.0))
        ghost.top["nodes"], ghost.top["scenes"][0]["nodes"] = [], []
        ghost.write("none.glb")
        refused = subprocess.run([program, "bake", "none.glb", "--clip", "all", "-o", "refused.glb"], capture_output=True, text=True, check=False)
        tests.expect(refused.stderr.endswith("none.glb: no nodes, only clips\n") and refused.returncode == 1, refused.stderr)
        with open(os.path.join(fixtures, "textures.gltf"), encoding="utf-8") as file:
            wraps = json.load(file)
        wraps["samplers"] = [{"wrapS": 10497, "wrapT": mode} for mode in (33071, 33648)]
        wraps["textures"][0]["sampler"], wraps["textures"][1]["sampler"] = 0, 1  # of one picture
        with open("wraps.gltf", "w", encoding="utf-8") as file:
            json.dump(wraps, file)
        for textured in ("wraps.gltf", os.path.join(fixtures, "../../pictures/models/mask.gltf")):
            tests.bake(textured, "textured.glb")
            shown = [[{k: v for k, v in row.items() if k != "used"} for row in tests.info(path)["materials"]] for path in (textured, "textured.glb")]
            tests.expect(shown[0] == shown[1], "materials: %s" % shown)
    return 1 if tests.failures else 0


if __name__ == "__main__":
    sys.exit(main())
