#!/usr/bin/env python3
"""viewer_pictures.py BULL.glb FOLDER: writes weight.glb, flip.glb and explode.glb into FOLDER; see viewer() of pictures.sh.

Each is the bull with the fault of its name: the widest vertex, which follows a hind leg, a leg that turns over at one key
of the run, a tail whose scale is 1e30 at one key.
"""
import json
import struct
import sys


class Model:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        size = struct.unpack_from("<I", data, 12)[0]
        self.document, self.binary = json.loads(data[20:20 + size]), bytearray(data[28 + size:])

    def place(self, accessor, element, width):
        entry = self.document["accessors"][accessor]
        view = self.document["bufferViews"][entry["bufferView"]]
        stride = view.get("byteStride", width)
        return view.get("byteOffset", 0) + entry.get("byteOffset", 0) + stride * element

    def node(self, name):
        return [node.get("name") for node in self.document["nodes"]].index(name)

    def put(self, accessor, element, code, values):
        struct.pack_into("<" + code, self.binary, self.place(accessor, element, struct.calcsize(code)), *values)

    def get(self, accessor, element, code):
        return struct.unpack_from("<" + code, self.binary, self.place(accessor, element, struct.calcsize(code)))

    def track(self, clip, node, path):
        animation = next(entry for entry in self.document["animations"] if entry["name"] == clip)
        target = {"node": self.node(node), "path": path}
        channel = next(entry for entry in animation["channels"] if entry["target"] == target)
        return animation["samplers"][channel["sampler"]]

    def append(self, values):
        """An accessor of vectors of 3."""
        self.document["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": 12 * len(values)})
        self.document["accessors"].append({"bufferView": len(self.document["bufferViews"]) - 1, "componentType": 5126,
                                           "count": len(values), "type": "VEC3"})
        self.binary += b"".join(struct.pack("<3f", *value) for value in values)
        self.document["buffers"][0]["byteLength"] = len(self.binary)
        return len(self.document["accessors"]) - 1

    def write(self, path):
        text = json.dumps(self.document).encode()
        text += b" " * (-len(text) % 4)
        size = 28 + len(text) + len(self.binary)
        with open(path, "wb") as file:
            file.write(struct.pack("<4sIIII", b"glTF", 2, size, len(text), 0x4E4F534A) + text +
                       struct.pack("<II", len(self.binary), 0x004E4942) + self.binary)


def weight(model):
    attributes = model.document["meshes"][0]["primitives"][0]["attributes"]
    joints = model.document["skins"][0]["joints"]
    count = model.document["accessors"][attributes["POSITION"]]["count"]
    places = [model.get(attributes["POSITION"], vertex, "3f") for vertex in range(count)]
    widest = max((x, vertex) for vertex, (x, _, _) in enumerate(places))[1]
    model.put(attributes["JOINTS_0"], widest, "4H", (joints.index(model.node("HindLeg_L_04")), 0, 0, 0))
    model.put(attributes["WEIGHTS_0"], widest, "4f", (1, 0, 0, 0))


def flip(model):
    keys = model.track("Wuson_Run", "ForeLeg_L_02", "rotation")["output"]
    x, y, z, w = model.get(keys, 15, "4f")
    model.put(keys, 15, "4f", (w, z, -y, -x))  # times a half turn about x


def explode(model):
    turns, scales = (model.track("Wuson_Run", "Tail04", path) for path in ("rotation", "scale"))
    scales.update(input=turns["input"], output=model.append([(1e30 if key == 15 else 1, 1, 1) for key in range(30)]))


for fault in (weight, flip, explode):
    bull = Model(sys.argv[1])
    fault(bull)
    bull.write("%s/%s.glb" % (sys.argv[2], fault.__name__))
