"""faulty_models.py FOLDER: writes glTF files of a strip on four joints that bends for a second, with 30 keys per second. Each
has the fault that its name states; chain.gltf has twelve turned joints. sound.gltf has none, but its root jumps and grows.
"""
import base64
import json
import math
import os
import struct
import sys

ROWS, TIMES, JOINTS = 11, [i / 30 for i in range(31)], ["hip", "knee", "foot", "toe"]
HEIGHTS = [0, 2, 4, 5]  # of the joints: a row each half


def strip(fault):
    joints = [[min(row // 4, 2), 0, 0, 0] for row in range(ROWS) for _ in range(2)]
    weights = [[1, 0, 0, 0] for _ in joints]
    turns, jumps, grows = [[0, 0, math.sin(0.3 * t), math.cos(0.3 * t)] for t in TIMES], [[0, 0, 0]] * 31, [[1, 1, 1]] * 31
    scales = {joint: [[1, 1, 1]] * 31 for joint in (1, 2)}
    if fault == "sound":
        jumps, grows = [[1e4 * (i % 2), 0, 0] for i in range(31)], [[1 + i, 1 + i, 1 + i] for i in range(31)]
    elif fault == "weight":
        joints[20], weights[20] = [0, 2, 0, 0], [0.75, 0.25, 0, 0]
    elif fault in ("flipped", "cubic"):
        turns[12] = [0, 0, 1, 0]
    elif fault == "chain":
        spins = [[0, 0, 1, 0] if i == 12 else [0, 0, 0, 1] for i in range(31)]
        return joints, weights, [(5 + i, "rotation", spins) for i in range(12)]
    elif fault == "mirrored":
        scales[2] = [[1, 1, 1 if i < 6 else -1] for i in range(31)]
    elif fault in ("scale", "infinite"):
        for joint in (1, 2)[: 1 if fault == "scale" else 2]:
            scales[joint] = [[1, 1, 1e30 if i == 15 else 1] for i in range(31)]
    return joints, weights, [(0, "translation", jumps), (0, "scale", grows), (1, "rotation", turns), (1, "scale", scales[1]), (2, "scale", scales[2])]


def spline(values):
    return [row for value in values for row in ([0] * len(value), value, [0] * len(value))]


def write(path, fault):
    joints, weights, tracks = strip(fault)
    data, views, accessors = b"", [], []

    def add(rows, kind="f", limits=False):
        nonlocal data
        code, width = {"f": 5126, "H": 5123}[kind], len(rows[0])
        part = b"".join(struct.pack("<%d%s" % (width, kind), *row) for row in rows)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        accessors.append({"bufferView": len(views) - 1, "componentType": code, "count": len(rows),
                          "type": {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}[width]})
        if limits:
            accessors[-1].update(min=[min(c) for c in zip(*rows)], max=[max(c) for c in zip(*rows)])
        data += part + bytes(-len(part) % 4)
        return len(accessors) - 1

    def sampler(values):
        if fault == "cubic":
            return {"input": times, "output": add(spline(values)), "interpolation": "CUBICSPLINE"}
        return {"input": times, "output": add(values)}

    corners = [2 * row + corner for row in range(ROWS - 1) for corner in (0, 1, 2, 1, 3, 2)]
    tilt = 1 if fault in ("scale", "infinite") else 0  # along z, which these scale
    attributes = {"POSITION": add([[x, 0.5 * row, tilt * x] for row in range(ROWS) for x in (0, 1)], limits=True),
                  "JOINTS_0": add(joints, "H"), "WEIGHTS_0": add(weights)}
    indices = add([[c] for c in corners], "H")
    times = add([[t] for t in TIMES], limits=True)
    binds = add([[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1] for y in HEIGHTS])
    extra = [{"name": "joint%d" % i} for i in range(12)] if fault == "chain" else []
    nodes = [{"name": name, "translation": [0, HEIGHTS[i] - HEIGHTS[max(i - 1, 0)], 0]} for i, name in enumerate(JOINTS)]
    for i in range(3):
        nodes[i]["children"] = [i + 1]
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 4]}],
        "nodes": nodes + [{"name": "strip", "mesh": 0, "skin": 0}] + extra,
        "skins": [{"joints": [0, 1, 2, 3], "inverseBindMatrices": binds}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": indices}]}],
        "animations": [{"name": "walk", "samplers": [sampler(values) for _, _, values in tracks],
                        "channels": [{"sampler": i, "target": {"node": node, "path": channel}}
                                     for i, (node, channel, _) in enumerate(tracks)]}],
        "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)


for name in ("sound", "weight", "flipped", "cubic", "mirrored", "scale", "infinite", "chain"):
    write(os.path.join(sys.argv[1], name + ".gltf"), name)
