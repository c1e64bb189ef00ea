/*
 * Layers of poses. Sums are in double precision: a layer that is alone then returns its numbers unchanged, whatever its
 * weight.
 */
#include <float.h>

#include "cookie.h"
#include "quaternion.h"
#include "skeleton.h"
#include "vkskin/vkskin_blend.h"

#define THRESHOLD 0.1f

VkskinBlendDef vkskinDefaultBlendDef(void) {
    return (VkskinBlendDef){.cookie = VKSKIN_COOKIE_BLEND, .threshold = THRESHOLD};
}

/* ---- Checks ---- */

static VkskinResult checkLayer(const VkskinPoseLayer *layer, uint32_t nodeCount, float least, float most) {
    if (layer->pose == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    bool good = layer->weight >= least && layer->weight <= most;
    for (uint32_t node = 0; layer->mask != NULL && node < nodeCount; ++node) {
        good &= sknIsShare(layer->mask[node]);
    }
    return good ? VKSKIN_SUCCESS : VKSKIN_ERROR_INVALID_VALUE;
}

static VkskinResult checkDef(const VkskinBlendDef *def, const VkskinTransform *out) {
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_BLEND);
    if (result < 0) {
        return result;
    }
    if (out == NULL || def->rest == NULL || (def->layers == NULL && def->layerCount > 0) ||
        (def->additives == NULL && def->additiveCount > 0)) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (!(def->threshold > 0.0f) || !isfinite(def->threshold)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    for (uint32_t i = 0; i < def->layerCount && result == VKSKIN_SUCCESS; ++i) {
        result = checkLayer(&def->layers[i], def->nodeCount, 0.0f, FLT_MAX);
    }
    for (uint32_t i = 0; i < def->additiveCount && result == VKSKIN_SUCCESS; ++i) {
        result = checkLayer(&def->additives[i], def->nodeCount, -1.0f, 1.0f);
    }
    return result;
}

/* ---- A node ---- */

/* Weighted sums of a node. */
typedef struct Sum {
    double translation[3], scale[3];
    Quaternion rotation;
    double weight;
} Sum;

static inline double weightAt(const VkskinPoseLayer *layer, uint32_t node) {
    return layer->mask != NULL ? (double)layer->weight * layer->mask[node] : layer->weight;
}

static inline void addTransform(const VkskinTransform *transform, double weight, Sum *sum) {
    const float *p = transform->rotation;
    const double square = (double)p[0] * p[0] + (double)p[1] * p[1] + (double)p[2] * p[2] + (double)p[3] * p[3];
    const Quaternion q = {p[0], p[1], p[2], square == 0.0 ? 1.0 : p[3]};
    Quaternion *r = &sum->rotation;
    const double dot = q.x * r->x + q.y * r->y + q.z * r->z + q.w * r->w;
    const double share = square == 0.0 ? weight : weight / sqrt(square); /* weight of the unit quaternion */
    const double turned = dot < 0.0 ? -share : share;
    for (int i = 0; i < 3; ++i) {
        sum->translation[i] += weight * transform->translation[i];
        sum->scale[i] += weight * transform->scale[i];
    }
    *r = (Quaternion){r->x + turned * q.x, r->y + turned * q.y, r->z + turned * q.z, r->w + turned * q.w};
    sum->weight += weight;
}

/* Divides by the weights. */
static inline void finishSum(Sum *sum) {
    const double factor = 1.0 / sum->weight;
    for (int i = 0; i < 3; ++i) {
        sum->translation[i] *= factor;
        sum->scale[i] *= factor;
    }
    sum->rotation = sknUnit(sum->rotation);
}

/* The mix of no rotation and q. */
static inline Quaternion partOf(Quaternion q, double weight) {
    const double share = q.w < 0.0 ? -weight : weight;
    return sknUnit((Quaternion){share * q.x, share * q.y, share * q.z, 1.0 - weight + share * q.w});
}

static inline void addAdditive(const VkskinTransform *additive, double weight, Sum *sum) {
    const double size = fabs(weight);
    const Quaternion turn = partOf(sknQuaternion(additive->rotation), size);
    for (int i = 0; i < 3; ++i) {
        const double factor = 1.0 + size * ((double)additive->scale[i] - 1.0);
        sum->translation[i] += weight * additive->translation[i];
        /* A factor of 0 has no inverse: the scale stays. */
        sum->scale[i] *= weight > 0.0 ? factor : factor != 0.0 ? 1.0 / factor : 1.0;
    }
    sum->rotation = sknMultiply(weight < 0.0 ? sknConjugate(turn) : turn, sum->rotation);
}

static inline void blendNode(const VkskinBlendDef *def, uint32_t node, VkskinTransform *out) {
    Sum sum = {.weight = 0.0};
    for (uint32_t i = 0; i < def->layerCount; ++i) {
        const double weight = weightAt(&def->layers[i], node);
        if (weight > 0.0) {
            addTransform(&def->layers[i].pose[node], weight, &sum);
        }
    }
    if (sum.weight < def->threshold) {
        addTransform(&def->rest[node], (double)def->threshold - sum.weight, &sum);
    }
    finishSum(&sum);
    for (uint32_t i = 0; i < def->additiveCount; ++i) {
        const double weight = weightAt(&def->additives[i], node);
        if (weight != 0.0) {
            addAdditive(&def->additives[i].pose[node], weight, &sum);
        }
    }
    for (int i = 0; i < 3; ++i) {
        out[node].translation[i] = (float)sum.translation[i];
        out[node].scale[i] = (float)sum.scale[i];
    }
    sknStoreQuaternion(sum.rotation, out[node].rotation);
}

/* ---- Public calls ---- */

VkskinResult vkskinBlendLayers(const VkskinBlendDef *def, VkskinTransform *out) {
    const VkskinResult result = checkDef(def, out);
    if (result < 0) {
        return result;
    }
    for (uint32_t node = 0; node < def->nodeCount; ++node) {
        blendNode(def, node, out);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinMakeAdditive(uint32_t nodeCount, const VkskinTransform *reference, const VkskinTransform *pose,
                                VkskinTransform *out) {
    if (reference == NULL || pose == NULL || out == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    for (uint32_t node = 0; node < nodeCount; ++node) {
        const VkskinTransform from = reference[node];
        const VkskinTransform to = pose[node];
        const Quaternion turn = sknMultiply(sknQuaternion(to.rotation), sknConjugate(sknQuaternion(from.rotation)));
        for (int i = 0; i < 3; ++i) {
            out[node].translation[i] = (float)((double)to.translation[i] - from.translation[i]);
            out[node].scale[i] = from.scale[i] == 0.0f ? 1.0f : (float)((double)to.scale[i] / from.scale[i]);
        }
        sknStoreQuaternion(turn, out[node].rotation);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinMaskSubtree(VkskinSkeleton skeleton, uint32_t node, float value, float *mask) {
    if (skeleton == NULL || mask == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (node >= skeleton->nodeCount) {
        return VKSKIN_ERROR_NODE_OUT_OF_RANGE;
    }
    if (!sknIsShare(value)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    for (uint32_t i = 0; i < skeleton->nodeCount; ++i) {
        if (sknIsBelow(skeleton, i, node)) {
            mask[i] = value;
        }
    }
    return VKSKIN_SUCCESS;
}

float vkskinFadeWeight(double elapsed, float duration, VkskinFade fade) {
    if (!(elapsed >= 0.0) || !(duration >= 0.0f)) {
        return 0.0f;
    }
    if (elapsed >= (double)duration) {
        return 1.0f;
    }
    const double t = elapsed / (double)duration;
    return (float)(fade == VKSKIN_FADE_SMOOTH ? t * t * (3.0 - 2.0 * t) : t);
}
