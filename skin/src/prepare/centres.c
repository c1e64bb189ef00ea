#include "centres.h"

#include "diagnostics.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define CENTRE_BYTES (3 * sizeof(float))
#define VERSION      1u /* another one where the method or the layout changes */

typedef struct CentresHead {
    char magic[8];
    uint32_t version;
    uint32_t vertexCount;
    uint64_t positions;  /* a fingerprint of them */
    uint64_t influences; /* one of joints and weights */
} CentresHead;

static_assert(sizeof(CentresHead) == 32, "the size that vkskin_mesh.h tells");

size_t vkskinCentresSize(uint32_t vertexCount) {
    return sizeof(CentresHead) + CENTRE_BYTES * vertexCount;
}

/* FNV-1a, a word at a time. */
static uint64_t mix(uint64_t hash, uint32_t word) {
    return (hash ^ word) * 0x100000001b3u;
}

static uint64_t mixFloat(uint64_t hash, float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return mix(hash, word);
}

static CentresHead headOf(const Surface *surface) {
    CentresHead head = {.magic = "VKSKCOR", .version = VERSION, .vertexCount = surface->mesh->vertexCount};
    head.positions = head.influences = 0xcbf29ce484222325u;
    for (uint32_t vertex = 0; vertex < surface->mesh->vertexCount; vertex++) {
        Influence influences[MAX_INFLUENCES];
        const float *position = sknSurfacePosition(surface, vertex);
        for (int i = 0; i < 3; i++) {
            head.positions = mixFloat(head.positions, position[i]);
        }
        sknSurfaceInfluences(surface, vertex, influences);
        head.influences = mix(head.influences, vertex); /* so that influences do not move to the next one unseen */
        for (uint32_t i = 0; i < surface->mesh->influencesPerVertex; i++) {
            if (influences[i].weight > 0.0f) {
                head.influences = mixFloat(mix(head.influences, influences[i].joint), influences[i].weight);
            }
        }
    }
    return head;
}

static VkskinResult mismatch(const Surface *surface, const char *why) {
    return sknReport(&surface->run.logger, VKSKIN_ERROR_CENTRES_MISMATCH, "mesh %s: the centres of rotation %s",
                     sknMeshName(surface->mesh), why);
}

static VkskinResult matchHead(const Surface *surface, const CentresHead *found) {
    CentresHead expected = headOf(surface);
    if (memcmp(found->magic, expected.magic, sizeof found->magic) != 0) {
        return mismatch(surface, "are not what vkskinComputeCentres writes");
    }
    if (found->version != expected.version) {
        return mismatch(surface, "are of another version of the library, or of a machine of another byte order");
    }
    if (found->vertexCount != expected.vertexCount) {
        return mismatch(surface, "are of another number of vertices");
    }
    if (found->positions != expected.positions) {
        return mismatch(surface, "were computed for other positions");
    }
    if (found->influences != expected.influences) {
        return mismatch(surface, "were computed for other joints or weights");
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknMatchCentres(const Surface *surface, const void *centres, size_t size) {
    CentresHead found;
    if (size != vkskinCentresSize(surface->mesh->vertexCount)) {
        return mismatch(surface, "have another size than vkskinCentresSize tells");
    }
    memcpy(&found, centres, sizeof found);
    VkskinResult result = matchHead(surface, &found);
    for (uint32_t vertex = 0; result == VKSKIN_SUCCESS && vertex < surface->mesh->vertexCount; vertex++) {
        float centre[3];
        sknReadCentre(centres, vertex, centre);
        if (!isfinite(centre[0]) || !isfinite(centre[1]) || !isfinite(centre[2])) {
            result = mismatch(surface, "are not all finite");
        }
    }
    return result;
}

void sknReadCentre(const void *centres, uint32_t vertex, float *centre) {
    memcpy(centre, (const unsigned char *)centres + sizeof(CentresHead) + CENTRE_BYTES * vertex, CENTRE_BYTES);
}

void sknStoreCentres(const Surface *surface, const float *centres, void *bytes) {
    CentresHead head = headOf(surface);
    memcpy(bytes, &head, sizeof head);
    memcpy((unsigned char *)bytes + sizeof head, centres, CENTRE_BYTES * surface->mesh->vertexCount);
}
