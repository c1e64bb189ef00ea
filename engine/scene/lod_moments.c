#include "lod_moments.h"

#include <math.h>
#include <stdlib.h>

#include "model_pack.h"

#define MOMENT_GAP    (1.0 / 30.0) /* seconds */
#define MOMENTS_MORE  4096u        /* between the keys of a clip */
#define NODE_WORK     64u          /* posing a node, in distances */
#define TRIANGLE_WORK 4u           /* edges and centre */

typedef struct Moments {
    LodMoment *rows;
    size_t count, room;
    bool good; /* false after the first failed allocation */
} Moments;

static bool growMoments(Moments *moments) {
    const size_t room = 2 * moments->room + 64;
    LodMoment *rows = realloc(moments->rows, room * sizeof(*rows));
    if (!rows) {
        return false;
    }
    moments->rows = rows;
    moments->room = room;
    return true;
}

static void addMoment(Moments *moments, uint32_t clip, double time) {
    if (moments->count == moments->room) {
        moments->good = moments->good && growMoments(moments);
    }
    if (moments->good) {
        moments->rows[moments->count++] = (LodMoment){clip, time};
    }
}

static int compareMoments(const void *a, const void *b) {
    const LodMoment *left = a, *right = b;
    return (left->time > right->time) - (left->time < right->time);
}

/* The keys of a clip, and of its packed form. */
static void addKeys(const Model *model, uint32_t clip, Moments *moments) {
    const ModelClip *source = &model->clips[clip];
    addMoment(moments, clip, 0.0);
    addMoment(moments, clip, source->duration);
    for (uint32_t t = 0; t < source->trackCount; t++) {
        for (uint32_t k = 0; k < source->tracks[t].keyCount; k++) {
            addMoment(moments, clip, source->tracks[t].times[k]);
        }
    }
    const VkskinAnimationClip *packed = model->packed.block ? modelPackedClip(model->packed.block, clip) : NULL;
    for (uint32_t row = 0; packed && row < packed->keyCount; row++) {
        addMoment(moments, clip, modelPackRowTime(model->packed.block, packed, row));
    }
}

/* Sorts the moments from `first` on, which are of one clip, removes equal ones, and fills gaps. */
static void completeClip(Moments *moments, size_t first) {
    size_t kept = first + 1;
    qsort(moments->rows + first, moments->count - first, sizeof(*moments->rows), compareMoments);
    for (size_t i = kept; i < moments->count; i++) {
        if (moments->rows[i].time > moments->rows[kept - 1].time) {
            moments->rows[kept++] = moments->rows[i];
        }
    }
    moments->count = kept;
    uint32_t more = 0;
    for (size_t i = first; i + 1 < kept && moments->good; i++) {
        const LodMoment from = moments->rows[i], to = moments->rows[i + 1];
        const double pieces = fmin(ceil((to.time - from.time) / MOMENT_GAP), MOMENTS_MORE);
        for (uint32_t piece = 1; piece < (uint32_t)pieces && more < MOMENTS_MORE; piece++, more++) {
            addMoment(moments, from.clip, from.time + (to.time - from.time) * piece / pieces);
        }
    }
}

/* Distances that are measured at a moment, and what they cost before that. */
static uint64_t workOfMoment(const Model *model) {
    uint64_t work = (uint64_t)model->nodeCount * NODE_WORK;
    for (uint32_t i = 0; i < model->partCount; i++) {
        const ModelMesh *mesh = &model->meshes[model->parts[i].mesh];
        work += (uint64_t)mesh->vertexCount * (mesh->influences + mesh->lodCount);
        for (uint32_t l = 0; l < mesh->lodCount; l++) {
            work += (uint64_t)mesh->lods[l].vertexCount * 2 + (uint64_t)mesh->lods[l].indexCount / 3 * TRIANGLE_WORK;
        }
    }
    return work;
}

bool lodFindMoments(const Model *model, LodMoment **moments, size_t *count, EngineError *error) {
    Moments found = {.good = true};
    addMoment(&found, model->clipCount, 0.0);
    for (uint32_t clip = 0; clip < model->clipCount && found.good; clip++) {
        const size_t first = found.count;
        addKeys(model, clip, &found);
        if (found.good) {
            completeClip(&found, first);
        }
    }
    const uint64_t affordable = LOD_WORK_MAX / (workOfMoment(model) + 1) + 1;
    const size_t step = (size_t)((found.count + affordable - 1) / affordable);
    *count = 0;
    for (size_t i = 0; i < found.count && found.good; i += step) {
        found.rows[(*count)++] = found.rows[i];
    }
    *moments = found.rows;
    return found.good || engineFail(error, "out of memory");
}
