"""glb_reader.py: reads a .glb file, checks it, and places its vertices by a plain evaluation of the specification.

`glb_reader.py FILE...` checks files and prints what is wrong. Exit status 1: something is.
"""
import json
import math
import struct
import sys

FORMATS = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
ATTRIBUTES = {"POSITION": "VEC3", "NORMAL": "VEC3", "TANGENT": "VEC4", "TEXCOORD_0": "VEC2", "COLOR_0": "VEC4", "_BLEND": "SCALAR"}


class Wrong(Exception):
    pass


def need(condition, text):
    if not condition:
        raise Wrong(text)


class Glb:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            data = file.read()
        magic, version, size = struct.unpack_from("<III", data)
        need(magic == 0x46546C67 and version == 2 and size == len(data) and size % 4 == 0, "head")
        length, kind = struct.unpack_from("<II", data, 12)
        need(kind == 0x4E4F534A and length % 4 == 0, "text chunk")
        self.top = json.loads(data[20 : 20 + length])
        rest = data[20 + length :]
        self.bytes = rest[8:]
        if rest:
            need(struct.unpack_from("<II", rest) == (len(self.bytes), 0x004E4942), "binary chunk")
            need(len(self.bytes) == self.top["buffers"][0]["byteLength"], "byteLength of the buffer")
        self.cache = {}
        self.nodes = self.top.get("nodes", [])
        self.parents = [None] * len(self.nodes)
        for i, node in enumerate(self.nodes):
            for child in node.get("children", []):
                need(self.parents[child] is None and child != i, "node %d has two parents" % child)
                self.parents[child] = i

    def list(self, name):
        return self.top.get(name, [])

    def run(self, view, offset, count, width, component):
        """Rows of a buffer view."""
        view = self.top["bufferViews"][view]
        size = struct.calcsize(FORMATS[component])
        stride = view.get("byteStride", size * width)
        at = view.get("byteOffset", 0) + offset
        need(at % max(size, 1) == 0 and (size * width) % 4 == 0 or size * width < 4, "alignment")
        need(stride >= size * width and stride % 4 == 0 or "byteStride" not in view, "byteStride")
        need(count == 0 or offset + stride * (count - 1) + size * width <= view["byteLength"], "accessor beyond its view")
        return [struct.unpack_from("<%d%s" % (width, FORMATS[component]), self.bytes, at + stride * i) for i in range(count)]

    def rows(self, index):
        """The elements of an accessor, as tuples."""
        if index not in self.cache:
            accessor = self.top["accessors"][index]
            width, count, component = WIDTHS[accessor["type"]], accessor["count"], accessor["componentType"]
            need(count >= 1, "accessor %d is empty" % index)
            rows = [(0,) * width] * count
            if "bufferView" in accessor:
                rows = self.run(accessor["bufferView"], accessor.get("byteOffset", 0), count, width, component)
            if "sparse" in accessor:
                sparse = accessor["sparse"]
                where = self.run(sparse["indices"]["bufferView"], 0, sparse["count"], 1, sparse["indices"]["componentType"])
                where = [row[0] for row in where]
                need(where and where == sorted(set(where)) and where[-1] < count, "sparse indices")
                for i, row in zip(where, self.run(sparse["values"]["bufferView"], 0, sparse["count"], width, component)):
                    rows[i] = row
            if "min" in accessor:
                for name, choose in (("min", min), ("max", max)):
                    stated = struct.unpack("<%df" % width, struct.pack("<%df" % width, *accessor[name]))
                    need(stated == tuple(choose(row[c] for row in rows) for c in range(width)), "%s of accessor %d" % (name, index))
            self.cache[index] = rows
        return self.cache[index]

    # ---- What must hold ----

    def check(self):
        for name in [n for n, v in self.top.items() if isinstance(v, list)]:
            need(self.top[name], "the list %s is empty" % name)
        for i, view in enumerate(self.list("bufferViews")):
            need(view["byteLength"] > 0 and view.get("byteOffset", 0) % 4 == 0, "view %d" % i)
            need(view.get("byteOffset", 0) + view["byteLength"] <= len(self.bytes), "view %d is beyond the buffer" % i)
        for i in range(len(self.list("accessors"))):
            self.rows(i)
        for i, node in enumerate(self.nodes):
            need(abs(length(node.get("rotation", (0, 0, 0, 1))) - 1) < 1e-5, "rotation of node %d" % i)
            self.ancestors(i)
        shown = [i for i, parent in enumerate(self.parents) if parent is None]
        need(sorted(self.top["scenes"][0].get("nodes", [])) == shown, "roots of the scene")
        for skin in self.list("skins"):
            self.check_skin(skin)
        for i, node in enumerate(self.nodes):
            if "mesh" in node:
                self.check_mesh(self.top["meshes"][node["mesh"]], node)
        for clip in self.list("animations"):
            self.check_clip(clip)
        self.check_materials()

    def ancestors(self, node):
        found = [node]
        while self.parents[found[-1]] is not None:
            found.append(self.parents[found[-1]])
            need(len(found) <= len(self.nodes), "the nodes form a circle")
        return found

    def check_skin(self, skin):
        joints = skin["joints"]
        need(len(set(joints)) == len(joints), "a joint is twice in a skin")
        need(len({self.ancestors(joint)[-1] for joint in joints}) == 1, "joints without a common root")
        binds = self.rows(skin["inverseBindMatrices"])
        need(len(binds) == len(joints), "number of inverse binds")
        need(all(row[3::4] == (0, 0, 0, 1) for row in binds), "last row of an inverse bind")

    def check_mesh(self, mesh, node):
        targets = {len(primitive.get("targets", [])) for primitive in mesh["primitives"]}
        need(len(targets) == 1, "numbers of morph targets differ")
        count = targets.pop()
        names = mesh.get("extras", {}).get("targetNames", [])
        need(len(names) == count == len(mesh.get("weights", [])) == len(node.get("weights", names)), "morph targets")
        for primitive in mesh["primitives"]:
            self.check_primitive(primitive, node)

    def check_primitive(self, primitive, node):
        attributes, accessors = primitive["attributes"], self.top["accessors"]
        count = accessors[attributes["POSITION"]]["count"]
        for name, index in list(attributes.items()) + [item for t in primitive.get("targets", []) for item in t.items()]:
            need(accessors[index]["count"] == count, "elements of %s" % name)
            need(name != "POSITION" or "min" in accessors[index], "POSITION without minimum")
        for name, kind in ATTRIBUTES.items():
            need(name not in attributes or accessors[attributes[name]]["type"] == kind, "type of %s" % name)
        need(all(abs(length(row) - 1) < 1e-4 for row in self.rows(attributes["NORMAL"])), "a normal has another length")
        tangents = self.rows(attributes["TANGENT"]) if "TANGENT" in attributes else []
        need(all(abs(length(row[:3]) - 1) < 1e-4 and abs(row[3]) == 1 for row in tangents), "tangents")
        textured = list(find(self.list("materials")[primitive["material"]], "index"))
        need(not textured or "TEXCOORD_0" in attributes, "textures without coordinates")
        need(("JOINTS_0" in attributes) == ("skin" in node), "a skin without joints, or joints without a skin")
        need(all(row[0] < count for row in self.rows(primitive["indices"])), "an index is too large")
        need(len(self.rows(primitive["indices"])) % 3 == 0, "triangles")
        if "skin" in node:
            joints = len(self.top["skins"][node["skin"]]["joints"])
            for pairs in self.influences(attributes):
                used = [joint for joint, weight in pairs if weight > 0]
                need(abs(sum(weight for _, weight in pairs) - 1) < 1e-6, "sum of weights")
                need(len(set(used)) == len(used) and max(used) < joints, "joints of a vertex")
                need(all(weight > 0 or joint == 0 for joint, weight in pairs), "a joint without weight")
                need([w for _, w in pairs] == sorted((w for _, w in pairs), reverse=True), "order of weights")

    def influences(self, attributes):
        sets = range(sum(name.startswith("JOINTS_") for name in attributes))
        joints = [self.rows(attributes["JOINTS_%d" % i]) for i in sets]
        weights = [self.rows(attributes["WEIGHTS_%d" % i]) for i in sets]
        return [[pair for i in sets for pair in zip(joints[i][v], weights[i][v])] for v in range(len(joints[0]))]

    def check_clip(self, clip):
        targets = [(c["target"]["node"], c["target"]["path"]) for c in clip["channels"]]
        need(targets and len(set(targets)) == len(targets), "targets of a clip")
        for channel, (node, path) in zip(clip["channels"], targets):
            sampler = clip["samplers"][channel["sampler"]]
            times, values = [row[0] for row in self.rows(sampler["input"])], self.rows(sampler["output"])
            need("min" in self.top["accessors"][sampler["input"]], "key times without minimum")
            need(times[0] >= 0 and all(a < b for a, b in zip(times, times[1:])), "key times do not ascend")
            need("matrix" not in self.nodes[node], "a clip moves a node with a matrix")
            per_key = 3 if sampler["interpolation"] == "CUBICSPLINE" else 1
            if path == "weights":
                per_key *= len(self.top["meshes"][self.nodes[node]["mesh"]]["primitives"][0]["targets"])
            need(len(values) == len(times) * per_key, "number of values of a clip")
            if path == "rotation":
                keys = values[1::3] if per_key == 3 else values
                need(all(abs(length(row) - 1) < 1e-5 for row in keys), "a rotation of a clip")

    def check_materials(self):
        used = set()
        for material in self.list("materials"):
            used |= set(material.get("extensions", {}))
            for texture in find(material, "index"):
                image = self.top["images"][self.top["textures"][texture]["source"]]
                view = self.top["bufferViews"][image["bufferView"]]
                need(self.bytes[view["byteOffset"] :][:8] == b"\x89PNG\r\n\x1a\n", "a picture is no PNG")
        need(sorted(used) == sorted(self.top.get("extensionsUsed", [])), "extensionsUsed")

    # ---- Where the vertices are ----

    def duration(self, clip):
        return max(self.rows(s["input"])[-1][0] for s in self.top["animations"][clip]["samplers"])

    def points(self, clip=None, time=0.0):
        """{mesh name: points of all its vertices in the world}, in the order of nodes and primitives."""
        moved = {}
        for channel in self.top["animations"][clip]["channels"] if clip is not None else ():
            sampler = self.top["animations"][clip]["samplers"][channel["sampler"]]
            moved[channel["target"]["node"], channel["target"]["path"]] = self.sample(sampler, channel["target"]["path"], time)
        world = {}
        found = {}
        for i in range(len(self.nodes)):
            for node in reversed(self.ancestors(i)):
                if node not in world:
                    local = self.local(node, moved)
                    world[node] = product(world[self.parents[node]], local) if self.parents[node] is not None else local
        for i, node in enumerate(self.nodes):
            if "mesh" in node:
                mesh = self.top["meshes"][node["mesh"]]
                weights = moved.get((i, "weights"), node.get("weights", mesh.get("weights", [])))
                for primitive in mesh["primitives"]:
                    found.setdefault(mesh["name"], []).extend(self.place(primitive, node, weights, world, world[i]))
        return found

    def local(self, index, moved):
        node = self.nodes[index]
        if "matrix" in node:
            return [[node["matrix"][4 * c + r] for c in range(4)] for r in range(3)]
        move, turn, scale = (
            moved.get((index, path), node.get(path, rest))
            for path, rest in (("translation", (0, 0, 0)), ("rotation", (0, 0, 0, 1)), ("scale", (1, 1, 1)))
        )
        x, y, z, w = (v / (length(turn) or 1) for v in turn)
        rows = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        return [[rows[r][c] * scale[c] for c in range(3)] + [move[r]] for r in range(3)]

    def sample(self, sampler, path, time):
        times, values = [row[0] for row in self.rows(sampler["input"])], self.rows(sampler["output"])
        kind = sampler.get("interpolation", "LINEAR")
        parts = 3 if kind == "CUBICSPLINE" else 1
        if path == "weights":
            width = len(values) // len(times) // parts
            values = [tuple(row[0] for row in values[i * width : (i + 1) * width]) for i in range(len(times) * parts)]
        after = sum(t <= time for t in times)
        key = [values[parts * k + parts // 2] for k in range(len(times))]
        if after == 0 or after == len(times) or kind == "STEP":
            return key[max(after - 1, 0)]
        a, b, gap = key[after - 1], key[after], times[after] - times[after - 1]
        s = (time - times[after - 1]) / gap
        if kind == "CUBICSPLINE":
            out, into = values[parts * (after - 1) + 2], values[parts * after]
            terms = (2 * s**3 - 3 * s**2 + 1, gap * (s**3 - 2 * s**2 + s), 3 * s**2 - 2 * s**3, gap * (s**3 - s**2))
            return [sum(t * v for t, v in zip(terms, row)) for row in zip(a, out, b, into)]
        return slerp(a, b, s) if path == "rotation" else [x + (y - x) * s for x, y in zip(a, b)]

    def place(self, primitive, node, weights, world, own):
        attributes = primitive["attributes"]
        points = [list(row) for row in self.rows(attributes["POSITION"])]
        for target, weight in zip(primitive.get("targets", []), weights):
            for point, delta in zip(points, self.rows(target["POSITION"]) if "POSITION" in target else ()):
                for axis in range(3):
                    point[axis] += weight * delta[axis]
        if "skin" not in node or "JOINTS_0" not in attributes:
            return [apply(own, point) for point in points]
        skin = self.top["skins"][node["skin"]]
        binds = self.rows(skin["inverseBindMatrices"])
        bones = [product(world[j], [[b[4 * c + r] for c in range(4)] for r in range(3)]) for j, b in zip(skin["joints"], binds)]
        placed = []
        for point, pairs in zip(points, self.influences(attributes)):
            total = sum(weight for _, weight in pairs)
            if total == 0:
                placed.append(apply(own, point))
                continue
            moved = [(weight / total, apply(bones[joint], point)) for joint, weight in pairs if weight > 0]
            placed.append([sum(w * p[axis] for w, p in moved) for axis in range(3)])
        return placed


def find(value, name):
    """All values of a member, at any depth."""
    for key, item in value.items() if isinstance(value, dict) else ():
        yield from [item] if key == name else find(item, name)


def length(vector):
    return math.sqrt(sum(v * v for v in vector))


def product(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0) for c in range(4)] for r in range(3)]


def apply(matrix, point):
    return [sum(matrix[r][k] * point[k] for k in range(3)) + matrix[r][3] for r in range(3)]


def slerp(a, b, s):
    a, b = ([v / (length(q) or 1) for v in q] for q in (a, b))
    cosine = sum(x * y for x, y in zip(a, b))
    b, cosine = ([-v for v in b], -cosine) if cosine < 0 else (b, cosine)
    angle = math.acos(min(cosine, 1.0))
    if angle < 1e-6:
        return [x + (y - x) * s for x, y in zip(a, b)]
    return [(math.sin((1 - s) * angle) * x + math.sin(s * angle) * y) / math.sin(angle) for x, y in zip(a, b)]


def distance(a, b):
    """The largest distance between points of the same names, in diagonals of all of `a`; infinite where their numbers differ."""
    if {name: len(points) for name, points in a.items()} != {name: len(points) for name, points in b.items()}:
        return math.inf
    everything = [point for points in a.values() for point in points]
    sides = [max(p[i] for p in everything) - min(p[i] for p in everything) for i in range(3)]
    return max(math.dist(p, q) for name in a for p, q in zip(a[name], b[name])) / (length(sides) or 1)


def main():
    wrong = 0
    for path in sys.argv[1:]:
        try:
            Glb(path).check()
        except (Wrong, LookupError, struct.error) as reason:
            print("%s: %r" % (path, reason))
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
