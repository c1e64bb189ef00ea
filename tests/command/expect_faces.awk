# expect_faces.awk OBJ EXPECTED, with -v off=OFF: each line of EXPECTED is nine coordinates of corners and three of a
# normal. Exactly one face of OBJ has these corners, in this turning sense, beginning with any; and all its normals are
# this one. Each coordinate is within `off`. Prints the lines that do not hold, then the sizes of OBJ.
function near(array, index_, first,    k, apart) {
    for (k = 0; k < 3; k++) {
        apart = array[index_, k] - $(first + k)
        if (apart > off || apart < -off) return 0
    }
    return 1
}

BEGIN { vertices = normalCount = faceCount = 0 }
FNR == NR && $1 == "v" { for (k = 0; k < 3; k++) positions[vertices, k] = $(k + 2); vertices++ }
FNR == NR && $1 == "vn" { for (k = 0; k < 3; k++) normals[normalCount, k] = $(k + 2); normalCount++ }
FNR == NR && $1 == "f" { for (k = 0; k < 3; k++) faces[faceCount, k] = $(k + 2) - 1; faceCount++ }

FNR != NR {
    found = wrong = 0
    for (f = 0; f < faceCount; f++) {
        same = 0
        for (start = 0; start < 3; start++) {
            same = same || (near(positions, faces[f, start], 1) && near(positions, faces[f, (start + 1) % 3], 4) &&
                near(positions, faces[f, (start + 2) % 3], 7))
        }
        found += same
        for (k = 0; k < 3 && same; k++) wrong += !near(normals, faces[f, k], 10)
    }
    if (found != 1 || wrong) print found " faces, " wrong " wrong normals: " $0
}

END { print vertices " vertices, " normalCount " normals, " faceCount " faces" }
