/*
 * How a mesh is cut for the CPU: every vertex has one lane, runs and spans are within their bounds, the order is kept.
 */

#include "cpu_mesh.h"
#include "cpu_scenes.h"

static void checkLane(const CpuMesh *mesh, const CpuScene *scene, const CpuRun *run, uint32_t index, uint32_t vertex) {
    uint32_t influences;
    const Row *rows = sknRunBlock(mesh, run, index / LANES, &influences);
    float sum = 0.0f;
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(rows[i].f[index % LANES] == scene->mesh.positions[3 * (size_t)vertex + i]);
    }
    for (uint32_t i = 0; i < influences; i++) {
        sum += rows[mesh->map.influences + 2 * i].f[index % LANES];
        assert_true(rows[mesh->map.influences + 2 * i + 1].u[index % LANES] < SCENE_BONES);
    }
    assert_float_equal(sum, 1.0f, 1e-6f);
}

static void checkPart(const CpuMesh *mesh, const CpuScene *scene, const CpuPart *part) {
    uint32_t vertices = 0;
    assert_in_range(part->runCount, 1, LAYOUT_CLASSES);
    for (uint32_t r = part->firstRun; r < part->firstRun + part->runCount; r++) {
        assert_in_range(mesh->runs[r].vertexCount, 1, SPAN_VERTICES);
        vertices += mesh->runs[r].vertexCount;
    }
    assert_int_equal(vertices, part->vertexCount);
    assert_true(part->runCount == 1 || part->vertexCount <= TILE_VERTICES);
    bool *seen = calloc(part->vertexCount, sizeof *seen);
    assert_non_null(seen);
    for (uint32_t i = 0; i < part->vertexCount; i++) {
        uint32_t place = part->runCount == 1 ? i : mesh->places[part->firstVertex + i];
        assert_true(place < part->vertexCount && !seen[place]);
        seen[place] = true;
        uint32_t run = part->firstRun;
        while (place >= mesh->runs[run].vertexCount) {
            place -= mesh->runs[run++].vertexCount;
        }
        checkLane(mesh, scene, &mesh->runs[run], place, part->firstVertex + i);
    }
    free(seen);
}

/* Lanes past a run's end repeat its last vertex. */
static void checkPadding(const CpuMesh *mesh, const CpuRun *run) {
    uint32_t influences;
    uint32_t last = (run->vertexCount - 1) % LANES;
    const Row *rows = sknRunBlock(mesh, run, (run->vertexCount - 1) / LANES, &influences);
    for (uint32_t r = 0; r < mesh->map.influences + 2 * influences; r++) {
        for (uint32_t lane = last + 1; lane < LANES; lane++) {
            assert_int_equal(rows[r].u[lane], rows[r].u[last]);
        }
    }
}

static void destroyMesh(void *mesh) {
    sknFreeCpuMesh(mesh);
}

static CpuMesh *makeMesh(const CpuScene *scene) {
    Host host = {{NULL, NULL}, NULL};
    CpuMesh *mesh;
    OK(sknMakeCpuMesh(&host, &scene->def, &mesh));
    return own(mesh, destroyMesh);
}

static void checkMesh(uint32_t vertexCount, SceneOrder order) {
    CpuScene *scene = makeCpuScene(vertexCount, order);
    CpuMesh *mesh = makeMesh(scene);
    assert_int_equal((uintptr_t)mesh->rows % 64, 0);
    uint32_t next = 0;
    for (uint32_t p = 0; p < mesh->partCount; p++) {
        assert_int_equal(mesh->parts[p].firstVertex, next);
        checkPart(mesh, scene, &mesh->parts[p]);
        next += mesh->parts[p].vertexCount;
    }
    assert_int_equal(next, vertexCount);
    for (uint32_t r = 0; r < mesh->runCount; r++) {
        checkPadding(mesh, &mesh->runs[r]);
    }
    assert_int_equal(mesh->spans[0], 0);
    assert_int_equal(mesh->spans[mesh->spanCount], mesh->partCount);
    for (uint32_t s = 0; s < mesh->spanCount; s++) {
        uint32_t vertices = 0;
        for (uint32_t p = mesh->spans[s]; p < mesh->spans[s + 1]; p++) {
            vertices += mesh->parts[p].vertexCount;
        }
        assert_in_range(vertices, 1, SPAN_VERTICES);
    }
    destroyOwned(0);
}

OWNING_TEST(everyVertexHasALane) {
    static const uint32_t counts[] = {1, 15, 16, 17, 255, 256, 257, 2047, 2048, 2049, 5003};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        checkMesh(counts[i], SCENE_SORTED);
        checkMesh(counts[i], SCENE_MIXED);
        checkMesh(counts[i], SCENE_PATCHES);
    }
}

/* A sorted mesh has one run per part: its output needs no reordering. */
OWNING_TEST(sortedMeshesAreNotMixed) {
    CpuMesh *mesh = makeMesh(makeCpuScene(5000, SCENE_SORTED));
    assert_null(mesh->places);
    assert_int_equal(mesh->runCount, mesh->partCount);
    assert_int_equal(mesh->partCount, 5);
    for (uint32_t p = 0; p < mesh->partCount; p++) {
        assert_int_equal(mesh->parts[p].firstVertex % LANES, 0); /* whole cache lines of the output */
    }
    assert_true(mesh->info.sorted);
}
