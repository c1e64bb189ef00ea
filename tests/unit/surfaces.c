#include "surfaces.h"

#include <pthread.h>

TestSurface *makeSurface(uint32_t vertexCount, uint32_t boneCount, uint32_t influences, uint32_t triangleCount) {
    TestSurface *surface = ownZeros(1, sizeof *surface);
    surface->mesh =
        ownMesh((MeshSpec){vertexCount, boneCount, influences, .triangles = triangleCount, .values = MESH_ZERO});
    surface->def = surface->mesh->def;
    surface->run.logger = rememberingLogger(&surface->log);
    return surface;
}

TestSurface *tubeSurface(uint32_t bones, uint32_t rings, uint32_t segments) {
    uint32_t ringCount = (bones - 1) * rings + 1;
    TestSurface *tube = makeSurface(ringCount * segments, bones, 2, 2 * (ringCount - 1) * segments);
    for (uint32_t ring = 0; ring < ringCount; ring++) {
        uint32_t bone = ring / rings;
        float next = (float)(ring % rings) / (float)rings;
        for (uint32_t i = 0; i < segments; i++) {
            double angle = 6.283185307179586 * i / segments;
            uint32_t vertex = ring * segments + i;
            meshSetPosition(tube->mesh, vertex, (float)ring / (float)rings, (float)cos(angle), (float)sin(angle));
            meshSetInfluence(tube->mesh, vertex, 0, (uint16_t)bone, 1.0f - next);
            meshSetInfluence(tube->mesh, vertex, 1, (uint16_t)(next > 0.0f ? bone + 1 : 0), next);
        }
    }
    for (uint32_t ring = 0; ring + 1 < ringCount; ring++) {
        for (uint32_t i = 0; i < segments; i++) {
            uint32_t a = ring * segments + i;
            uint32_t b = ring * segments + (i + 1) % segments;
            meshSetTriangle(tube->mesh, 2 * a, a, b, a + segments);
            meshSetTriangle(tube->mesh, 2 * a + 1, b, b + segments, a + segments);
        }
    }
    return tube;
}

static uint32_t nextRandom(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static float nextFraction(uint32_t *state) {
    return (float)(nextRandom(state) % 1000) / 1000.0f;
}

TestSurface *randomSurface(uint32_t seed, uint32_t vertexCount, uint32_t boneCount, uint32_t influences) {
    TestSurface *surface = makeSurface(vertexCount, boneCount, influences, 2 * vertexCount);
    for (uint32_t vertex = 0; vertex < vertexCount; vertex++) {
        meshSetPosition(surface->mesh, vertex, nextFraction(&seed), nextFraction(&seed), nextFraction(&seed));
        uint32_t bone = vertex * boneCount / vertexCount;
        uint32_t count = 1 + nextRandom(&seed) % influences;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t joint = (bone + nextRandom(&seed) % 5) % boneCount;
            meshSetInfluence(surface->mesh, vertex, i, (uint16_t)joint, nextFraction(&seed) + (i == 0 ? 0.1f : 0.0f));
        }
    }
    for (uint32_t triangle = 0; triangle < 2 * vertexCount; triangle++) {
        uint32_t a = triangle / 2;
        meshSetTriangle(surface->mesh, triangle, a, (a + 1 + nextRandom(&seed) % 8) % vertexCount,
                        (a + 9 + nextRandom(&seed) % 8) % vertexCount);
        surface->mesh->materials[triangle] = 7 * (nextRandom(&seed) % 3);
    }
    return surface;
}

static pthread_t callingThread;

static bool remember(void *user, float done) {
    ProgressMemory *memory = user;
    assert_true(pthread_equal(pthread_self(), callingThread));
    assert_true(done >= 0.0f && done <= 1.0f);
    assert_true(memory->calls == 0 || done >= memory->last);
    memory->first = memory->calls == 0 ? done : memory->first;
    memory->last = done;
    return ++memory->calls != memory->stopAt;
}

void watchProgress(TestSurface *surface, ProgressMemory *memory) {
    *memory = (ProgressMemory){.calls = 0};
    callingThread = pthread_self();
    surface->run.progress = remember;
    surface->run.progressUser = memory;
}

uint32_t cancelEverywhere(TestSurface *surface, VkskinResult (*call)(TestSurface *surface)) {
    AllocatorState memory = {0};
    const VkskinHostAllocator allocator = countingAllocator(&memory);
    ProgressMemory progress;
    surface->run.allocator = &allocator;
    watchProgress(surface, &progress);
    OK(call(surface));
    assert_float_equal(progress.first, 0.0f, 0.0f);
    assert_float_equal(progress.last, 1.0f, 0.0f);
    const uint32_t calls = progress.calls;
    for (uint32_t stop = 1; stop <= calls; stop++) {
        watchProgress(surface, &progress);
        progress.stopAt = stop;
        assertRefused(&surface->log, call(surface), VKSKIN_ERROR_CANCELLED,
                      "mesh test: the progress callback asked to stop");
        assert_int_equal(progress.calls, stop);
        assert_int_equal(memory.alive, 0);
    }
    return calls;
}
