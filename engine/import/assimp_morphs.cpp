#include "assimp_morphs.h"

#include "parser.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace {

Array<float> deltasOf(const aiVector3D *moved, const float *base, uint32_t count) {
    Array<float> deltas(moved && base ? newArray<float>(size_t(count) * 3) : nullptr);
    for (size_t i = 0; deltas && i < size_t(count) * 3; i++) {
        deltas[i] = moved[i / 3][unsigned(i % 3)] - base[i];
    }
    return deltas;
}

void convertShape(const aiAnimMesh *shape, ModelMesh *mesh) {
    ModelMorph *morph = &mesh->morphs[mesh->morphCount++];
    const bool fits = shape->mNumVertices == mesh->vertexCount;
    const Array<float> positions = deltasOf(fits ? shape->mVertices : nullptr, mesh->positions, mesh->vertexCount);
    const Array<float> normals = deltasOf(fits ? shape->mNormals : nullptr, mesh->normals, mesh->vertexCount);
    morph->name = childCopyText(shape->mName.C_Str());
    morphSetSparse(morph, mesh->vertexCount, {positions.get(), normals.get(), nullptr});
}

using Weights = std::map<double, double>; /* by time */

/* Before the first and after the last key the nearest one holds. */
double weightAt(const Weights &keys, double time) {
    const auto after = keys.lower_bound(time);
    if (after == keys.begin()) {
        return keys.empty() ? 0.0 : after->second;
    }
    const auto before = std::prev(after);
    if (after == keys.end()) {
        return before->second;
    }
    const double share = (time - before->first) / (after->first - before->first);
    return before->second + share * (after->second - before->second);
}

} // namespace

void morphsConvert(const aiMesh *from, ModelMesh *mesh) {
    mesh->morphs = newArray<ModelMorph>(from->mNumAnimMeshes);
    for (unsigned i = 0; i < from->mNumAnimMeshes; i++) {
        convertShape(from->mAnimMeshes[i], mesh);
    }
}

std::vector<float> morphsRestWeights(const aiMesh *from) {
    std::vector<float> weights;
    for (unsigned i = 0; i < from->mNumAnimMeshes; i++) {
        const float weight = from->mAnimMeshes[i]->mWeight;
        weights.push_back(std::isfinite(weight) ? weight : 0.0f);
    }
    return weights;
}

bool morphsTrack(const aiMeshMorphAnim *channel, uint32_t targets, double ticksPerSecond, VkskinTrack *track) {
    std::vector<Weights> weights(targets);
    Weights times;
    for (unsigned k = 0; k < channel->mNumKeys; k++) {
        const aiMeshMorphKey &key = channel->mKeys[k];
        const double time = key.mTime / ticksPerSecond;
        times[time] = 0.0;
        for (unsigned i = 0; i < key.mNumValuesAndWeights; i++) {
            if (!std::isfinite(float(time)) || !std::isfinite(float(key.mWeights[i]))) {
                return false;
            }
            if (key.mValues[i] < targets) {
                weights[key.mValues[i]][time] = key.mWeights[i];
            }
        }
    }
    if (times.empty() || targets == 0) {
        return false;
    }
    float *seconds = newArray<float>(times.size()), *values = newArray<float>(times.size() * targets);
    track->channel = VKSKIN_CHANNEL_MORPH_WEIGHTS;
    track->weightCount = targets;
    track->times = seconds;
    track->values = values;
    for (const auto &at : times) {
        for (uint32_t t = 0; t < targets; t++) {
            values[size_t(track->keyCount) * targets + t] = float(weightAt(weights[t], at.first));
        }
        seconds[track->keyCount++] = float(at.first);
    }
    return true;
}
