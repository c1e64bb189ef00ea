#include "baked.h"

#include <math.h>

#include "run_command.h"
#include "test.h"

static void readObjLine(const char *line, Baked *baked, int *normalCount) {
    float v[3];
    int a, b, c;
    if (sscanf(line, "v %f %f %f", &v[0], &v[1], &v[2]) == 3) {
        assert_true(baked->vertexCount < BAKED_VERTICES_MAX);
        memcpy(baked->positions[baked->vertexCount++], v, sizeof v);
    } else if (sscanf(line, "vn %f %f %f", &v[0], &v[1], &v[2]) == 3) {
        assert_true(*normalCount < BAKED_VERTICES_MAX);
        memcpy(baked->normals[(*normalCount)++], v, sizeof v);
    } else if (sscanf(line, "f %d/%*[0-9/] %d/%*[0-9/] %d/", &a, &b, &c) == 3) {
        assert_true(baked->faceCount < BAKED_FACES_MAX);
        int *face = baked->faces[baked->faceCount++];
        face[0] = a - 1;
        face[1] = b - 1;
        face[2] = c - 1;
    }
}

void bakedReadObj(const char *path, Baked *baked) {
    char *text = readWhole(path, NULL);
    int normalCount = 0;
    memset(baked, 0, sizeof *baked);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        readObjLine(line, baked, &normalCount);
    }
    assert_int_equal(normalCount, baked->vertexCount);
    free(text);
}

void bakedReadPly(const char *path, bool texcoords, Baked *baked) {
    char *text = readWhole(path, NULL);
    memset(baked, 0, sizeof *baked);
    const char *at = strstr(text, "end_header\n") + strlen("end_header\n");
    assert_int_equal(sscanf(strstr(text, "element vertex"), "element vertex %d", &baked->vertexCount), 1);
    assert_int_equal(sscanf(strstr(text, "element face"), "element face %d", &baked->faceCount), 1);
    assert_true(baked->vertexCount <= BAKED_VERTICES_MAX);
    assert_true(baked->faceCount <= BAKED_FACES_MAX);
    for (int i = 0; i < baked->vertexCount; i++, at += (texcoords ? 8 : 6) * sizeof(float)) {
        memcpy(baked->positions[i], at, 3 * sizeof(float));
        memcpy(baked->normals[i], at + 3 * sizeof(float), 3 * sizeof(float));
    }
    for (int i = 0; i < baked->faceCount; i++, at += 1 + 3 * sizeof(int)) {
        memcpy(baked->faces[i], at + 1, 3 * sizeof(int));
    }
    free(text);
}

bool bakedIsNear(const float *a, const double *b, double off) {
    return fabs(a[0] - b[0]) < off && fabs(a[1] - b[1]) < off && fabs(a[2] - b[2]) < off;
}

static bool isFace(const Baked *baked, const int *face, const double corners[3][3], double off) {
    for (int start = 0; start < 3; start++) {
        bool same = true;
        for (int i = 0; i < 3; i++) {
            same &= bakedIsNear(baked->positions[face[(start + i) % 3]], corners[i], off);
        }
        if (same) {
            return true;
        }
    }
    return false;
}

void bakedExpectFace(const Baked *baked, const double corners[3][3], const double normal[3], double off) {
    int found = 0;
    for (int i = 0; i < baked->faceCount; i++) {
        if (isFace(baked, baked->faces[i], corners, off)) {
            found++;
            for (int c = 0; c < 3; c++) {
                assert_true(bakedIsNear(baked->normals[baked->faces[i][c]], normal, off));
            }
        }
    }
    assert_int_equal(found, 1);
}
