#include "pack.h"

#include <math.h>

#define STEPS 16u /* between two source times */

/* ---- On the grid ---- */

void sknPackErrorsAt(const PackClip *clip, uint32_t grid, uint32_t count, PackTimes *times, float errors[PACK_LANES]) {
    for (uint32_t lane = count; lane < clip->level.width; ++lane) {
        times->a[lane] = times->a[0];
        times->b[lane] = times->b[0];
        times->fractions[lane] = 0.0f;
    }
    clip->level.compose(clip, times, clip->work, clip->level.width);
    clip->level.findErrors(clip, grid, clip->work, errors);
}

/* Where a grid time lies in the rows, from row *row on. */
static void placeTime(const PackRows *rows, GridTime at, uint32_t *row, uint32_t *next, float *fraction) {
    while (*row + 2 < rows->count && (at.before ? rows->times[*row + 1] < at.time : rows->times[*row + 1] <= at.time)) {
        ++*row;
    }
    *next = *row + 1 < rows->count ? *row + 1 : *row;
    const float span = rows->times[*next] - rows->times[*row];
    *fraction = span > 0.0f ? fminf((at.time - rows->times[*row]) / span, 1.0f) : (at.before ? 0.0f : 1.0f);
}

/* The largest error at the grid times from g on, of rows from row *row on. */
static float errorFrom(const PackClip *clip, const PackRows *rows, const float (*values)[4], uint32_t g,
                       uint32_t *row) {
    const uint32_t left = clip->gridCount - g;
    const uint32_t count = left < clip->level.width ? left : clip->level.width;
    PackTimes times = {0};
    float errors[PACK_LANES];
    float most = 0.0f;
    for (uint32_t lane = 0; lane < count; ++lane) {
        uint32_t next;
        placeTime(rows, clip->grid[g + lane], row, &next, &times.fractions[lane]);
        times.a[lane] = values[(size_t)*row * clip->channelCount];
        times.b[lane] = values[(size_t)next * clip->channelCount];
    }
    sknPackErrorsAt(clip, g, count, &times, errors);
    for (uint32_t lane = 0; lane < count; ++lane) {
        most = errors[lane] > most ? errors[lane] : most;
    }
    return most;
}

/* Begins where the limit was last exceeded: other rows and bits often exceed it there too. */
float sknPackErrorOf(PackClip *clip, const PackRows *rows, const float (*values)[4], float limit) {
    uint32_t row = 0;
    float most = errorFrom(clip, rows, values, clip->hardest, &row);
    row = 0;
    for (uint32_t g = 0; g < clip->gridCount && most <= limit; g += clip->level.width) {
        const float error = errorFrom(clip, rows, values, g, &row);
        clip->hardest = error > limit ? g : clip->hardest;
        most = error > most ? error : most;
    }
    return most;
}

/* ---- A finished block against the source ---- */

/* The square of the largest distance by which a difference of two matrices of a node moves a corner of its box. */
static float boxSquare(const PackNode *node, const float apart[12]) {
    float squares[8] = {0};
    for (int row = 0; row < 3; ++row) {
        const float *m = apart + (size_t)4 * row;
        float sum = m[3];
        float side[3];
        for (int column = 0; column < 3; ++column) {
            sum += m[column] * node->centre[column];
            side[column] = m[column] * node->half[column];
        }
        const float left = sum - side[0], right = sum + side[0], y = side[1], z = side[2];
        const float corners[8] = {left - y - z, right - y - z, left + y - z, right + y - z,
                                  left - y + z, right - y + z, left + y + z, right + y + z};
        for (int corner = 0; corner < 8; ++corner) {
            squares[corner] += corners[corner] * corners[corner];
        }
    }
    float most = 0.0f;
    for (int corner = 0; corner < 8; ++corner) {
        most = squares[corner] > most ? squares[corner] : most;
    }
    return most;
}

typedef struct Measure {
    const PackClip *clip;
    VkskinTransform *source; /* [nodeCount] */
    VkskinTransform *packed;
    AffineDouble *sourceWorld; /* [nodeCount] by place */
    AffineDouble *packedWorld;
} Measure;

static void composeWorld(const PackSkeleton *skeleton, const VkskinTransform *pose, AffineDouble *world) {
    for (uint32_t place = 0; place < skeleton->nodeCount; ++place) {
        const PackNode *node = &skeleton->nodes[place];
        world[place] = sknAffineFromTransform(&pose[node->node]);
        if (node->hasPre) {
            const AffineDouble pre = sknAffineWiden(&skeleton->skeleton->preTransforms[node->node]);
            world[place] = sknAffineMultiply(&pre, &world[place]);
        }
        if (node->parent != PACK_NONE) {
            world[place] = sknAffineMultiply(&world[node->parent], &world[place]);
        }
    }
}

/* The differences are small, so floats are precise enough for them. */
static double poseError(const Measure *measure) {
    const PackSkeleton *skeleton = measure->clip->skeleton;
    float most = 0.0f;
    composeWorld(skeleton, measure->source, measure->sourceWorld);
    composeWorld(skeleton, measure->packed, measure->packedWorld);
    for (uint32_t place = 0; place < skeleton->nodeCount; ++place) {
        float apart[12];
        for (int i = 0; i < 12; ++i) {
            apart[i] =
                (float)(measure->packedWorld[place].m[i / 4][i % 4] - measure->sourceWorld[place].m[i / 4][i % 4]);
        }
        const float square = boxSquare(&skeleton->nodes[place], apart);
        most = square <= most ? most : square;
    }
    return sqrt((double)most);
}

static double errorAtTime(const Measure *measure, const void *block, double time) {
    (void)vkskinSampleClip(measure->clip->skeleton->skeleton, measure->clip->clip, time, VKSKIN_WRAP_CLAMP,
                           measure->source);
    (void)vkskinSampleAnimation(block, 0, time, VKSKIN_WRAP_CLAMP, measure->packed);
    return poseError(measure);
}

static double largestError(const Measure *measure, const void *block) {
    const PackClip *clip = measure->clip;
    double most = 0.0;
    for (uint32_t i = 0; i < clip->sourceCount; ++i) {
        const double from = clip->source[i].before ? nextafter(clip->source[i].time, -1.0) : clip->source[i].time;
        const double to = i + 1 < clip->sourceCount ? clip->source[i + 1].time : from;
        const uint32_t steps = to > clip->source[i].time ? STEPS : 1;
        for (uint32_t step = 0; step < steps; ++step) {
            const double error = errorAtTime(measure, block, from + (to - from) * step / steps);
            most = error <= most ? most : error;
        }
    }
    return most;
}

bool sknPackMeasure(const PackClip *clip, const void *block, double *error) {
    const VkskinHostAllocator *allocator = &clip->arena.allocator;
    const size_t count = clip->skeleton->nodeCount;
    AffineDouble *worlds = sknHostAllocateArray(allocator, count, 2 * sizeof *worlds);
    VkskinTransform *poses = sknHostAllocateArray(allocator, count, 2 * sizeof *poses);
    const bool made = worlds != NULL && poses != NULL;
    if (made) {
        const Measure measure = {clip, poses, poses + count, worlds, worlds + count};
        *error = largestError(&measure, block);
    }
    sknHostFree(allocator, worlds);
    sknHostFree(allocator, poses);
    return made;
}
