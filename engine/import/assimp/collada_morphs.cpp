#include "collada_morphs.h"

#include "collada_text.h"
#include "parser.h"

#include <algorithm>
#include <cmath>

namespace {

/* ---- What the file has ---- */

using Inputs = std::map<std::string, std::string>; /* names of sources, by semantic */

/* An array of a source. */
struct Range {
    size_t begin, end;
};

struct Document {
    const std::string &text;
    std::map<std::string, Range> arrays; /* by source */
    std::map<std::string, Inputs> samplers;
    std::map<std::string, std::string> channels; /* samplers, by what they move */
    std::vector<ColladaMorph> morphs;
    std::vector<Inputs> inputs; /* inputs of each morph */
};

bool endsWith(const std::string &text, const char *ending) {
    const size_t size = std::strlen(ending);
    return text.size() >= size && text.compare(text.size() - size, size, ending) == 0;
}

Document readDocument(const std::string &text) {
    Document document = {text, {}, {}, {}, {}, {}};
    std::string controller, source, sampler;
    ColladaTag tag;
    for (size_t from = 0; colladaNextTag(text, from, &tag); from = tag.end) {
        if (tag.name == "controller") {
            controller = colladaAttribute(text, tag, "id");
        } else if (tag.name == "source") {
            source = colladaAttribute(text, tag, "id");
        } else if (endsWith(tag.name, "_array") && tag.name[0] != '/') {
            document.arrays[source] = {tag.end, std::min(text.find('<', tag.end), text.size())};
        } else if (tag.name == "morph") {
            const bool relative = colladaAttribute(text, tag, "method") == "RELATIVE";
            document.morphs.push_back({controller, colladaAttribute(text, tag, "source"), relative, {}, {}, {}});
            document.inputs.emplace_back();
        } else if (tag.name == "sampler") {
            sampler = colladaAttribute(text, tag, "id");
        } else if (tag.name == "input") {
            const std::string semantic = colladaAttribute(text, tag, "semantic");
            Inputs *to = &document.samplers[sampler];
            if (semantic.compare(0, 6, "MORPH_") == 0 && !document.inputs.empty()) {
                to = &document.inputs.back();
            }
            (*to)[semantic] = colladaAttribute(text, tag, "source");
        } else if (tag.name == "channel") {
            document.channels[colladaAttribute(text, tag, "target")] = colladaAttribute(text, tag, "source");
        }
    }
    return document;
}

std::vector<std::string> wordsOf(const Document &document, const std::string &source) {
    std::vector<std::string> words;
    const auto array = document.arrays.find(source);
    size_t at = array == document.arrays.end() ? 0 : array->second.begin;
    const size_t end = array == document.arrays.end() ? 0 : array->second.end;
    while (at < end) {
        const size_t start = std::min(document.text.find_first_not_of(" \t\r\n", at), end);
        at = std::min(document.text.find_first_of(" \t\r\n", start), end);
        if (at > start) {
            words.push_back(document.text.substr(start, at - start));
        }
    }
    return words;
}

std::vector<double> numbersOf(const Document &document, const std::string &source) {
    std::vector<double> numbers;
    for (const std::string &word : wordsOf(document, source)) {
        numbers.push_back(std::strtod(word.c_str(), nullptr));
    }
    return numbers;
}

/* ---- Controllers ---- */

/*
 * Where a curve goes next to key `i`: relative to the key. tangents: points of time and value; or with one number for
 * each key, values alone, whose times are a third of the way to the neighbour; or none.
 */
MorphHandle handleOf(const std::vector<double> &times, const std::vector<double> &values,
                     const std::vector<double> &tangents, size_t i, size_t neighbour) {
    const size_t count = values.size();
    if (tangents.size() == 2 * count) {
        return {tangents[2 * i] - times[i], tangents[2 * i + 1] - values[i]};
    }
    return tangents.size() == count ? MorphHandle{(times[neighbour] - times[i]) / 3.0, tangents[i] - values[i]}
                                    : MorphHandle{0.0, 0.0};
}

ColladaKeys keysOf(const Document &document, const Inputs &inputs, const ColladaMorph &morph, Model *model) {
    const auto sourceOf = [&](const char *semantic) {
        const auto found = inputs.find(semantic);
        return found == inputs.end() ? std::string() : found->second;
    };
    std::vector<double> times = numbersOf(document, sourceOf("INPUT")),
                        values = numbersOf(document, sourceOf("OUTPUT"));
    const std::vector<double> in = numbersOf(document, sourceOf("IN_TANGENT")),
                              out = numbersOf(document, sourceOf("OUT_TANGENT"));
    std::vector<std::string> ways = wordsOf(document, sourceOf("INTERPOLATION"));
    const auto isRead = [](const std::string &way) { return way == "LINEAR" || way == "BEZIER"; };
    if (!std::all_of(ways.begin(), ways.end(), isRead)) {
        childWarn(model, "keys of the morph weights of controller '%.200s' are read as linear",
                  morph.controller.c_str());
    }
    times.resize(std::min(times.size(), values.size()));
    values.resize(times.size());
    ways.resize(times.size());
    ColladaKeys keys;
    for (size_t i = 0; i < times.size(); i++) { /* the interpolation of a key is that of the way to the next one */
        MorphCurveKey key = {times[i], values[i], {}, {}};
        if (i > 0 && ways[i - 1] == "BEZIER") {
            key.in = handleOf(times, values, in, i, i - 1);
        }
        if (i + 1 < times.size() && ways[i] == "BEZIER") {
            key.out = handleOf(times, values, out, i, i + 1);
        }
        keys.push_back(key);
    }
    return keys;
}

/* Reads targets, weights and keys of a morph. False: the file has not all of them. */
bool completeMorph(const Document &document, const Inputs &inputs, ColladaMorph *morph, Model *model) {
    const auto targets = inputs.find("MORPH_TARGET"), weights = inputs.find("MORPH_WEIGHT");
    if (targets == inputs.end() || weights == inputs.end()) {
        return false;
    }
    morph->targets = wordsOf(document, targets->second);
    for (double weight : numbersOf(document, weights->second)) {
        morph->weights.push_back(std::isfinite(weight) ? float(weight) : 0.0f);
    }
    for (unsigned i = 0; i < morph->targets.size(); i++) {
        const auto channel = document.channels.find(weights->second + "(" + std::to_string(i) + ")");
        const auto sampler =
            channel == document.channels.end() ? document.samplers.end() : document.samplers.find(channel->second);
        if (sampler != document.samplers.end()) {
            morph->keys[i] = keysOf(document, sampler->second, *morph, model);
        }
    }
    return !morph->targets.empty() && morph->targets.size() == morph->weights.size();
}

/* Begins the names of the nodes of targets. No std::string: the parser runs before such objects are made. */
const char NODE[] = "vkskin-morph-target-";

/* ---- Assimp's scene ---- */

using Meshes = std::vector<aiMesh *>;

/* The meshes that assimp made of one of the file, which have its name. */
Meshes meshesOf(const aiScene *scene, const std::string &name) {
    Meshes meshes;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        if (name == scene->mMeshes[i]->mName.C_Str()) {
            meshes.push_back(scene->mMeshes[i]);
        }
    }
    return meshes;
}

aiAnimMesh *newTarget(const aiMesh *base, const aiMesh *from, const ColladaMorph &morph, size_t index) {
    aiAnimMesh *target = new aiAnimMesh();
    target->mName = morph.targets[index];
    target->mWeight = morph.weights[index];
    target->mNumVertices = base->mNumVertices;
    target->mVertices = new aiVector3D[base->mNumVertices];
    std::copy_n(from->mVertices, base->mNumVertices, target->mVertices);
    if (morph.relative) {
        std::transform(from->mVertices, from->mVertices + base->mNumVertices, base->mVertices, target->mVertices,
                       [](const aiVector3D &a, const aiVector3D &b) { return a + b; });
    } else if (from->mNormals) {
        target->mNormals = new aiVector3D[base->mNumVertices];
        std::copy_n(from->mNormals, base->mNumVertices, target->mNormals);
    }
    return target;
}

/* False: the targets do not fit. */
bool setTargets(const aiScene *scene, const ColladaMorph &morph) {
    const Meshes bases = meshesOf(scene, morph.mesh);
    std::vector<Meshes> targets;
    for (const std::string &name : morph.targets) {
        targets.push_back(meshesOf(scene, name));
    }
    for (size_t m = 0; m < bases.size(); m++) {
        for (const Meshes &target : targets) {
            if (target.size() <= m || target[m]->mNumVertices != bases[m]->mNumVertices) {
                return false;
            }
        }
    }
    for (size_t m = 0; m < bases.size(); m++) {
        if (bases[m]->mNumAnimMeshes > 0) {
            continue; /* has the targets of another controller of the same mesh */
        }
        bases[m]->mNumAnimMeshes = unsigned(targets.size());
        bases[m]->mAnimMeshes = new aiAnimMesh *[targets.size()];
        for (size_t t = 0; t < targets.size(); t++) {
            bases[m]->mAnimMeshes[t] = newTarget(bases[m], targets[t][m], morph, t);
        }
    }
    return !bases.empty();
}

/* The targets' own nodes. They stand below the root, after the others. */
void removeNodes(aiNode *node) {
    unsigned kept = 0;
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        removeNodes(node->mChildren[i]);
        if (std::strncmp(node->mChildren[i]->mName.C_Str(), NODE, sizeof NODE - 1) == 0) {
            delete node->mChildren[i];
        } else {
            node->mChildren[kept++] = node->mChildren[i];
        }
    }
    node->mNumChildren = kept;
}

/* ---- Keys ---- */

void findCarriers(const aiScene *scene, aiNode *node, const std::string &mesh, std::vector<aiNode *> *carriers) {
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        if (mesh == scene->mMeshes[node->mMeshes[i]]->mName.C_Str()) {
            carriers->push_back(node);
            break;
        }
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        findCarriers(scene, node->mChildren[i], mesh, carriers);
    }
}

/* The first animation; a new one where there is none. */
aiAnimation *animationOf(aiScene *scene) {
    if (scene->mNumAnimations == 0) {
        scene->mAnimations = new aiAnimation *[1];
        scene->mAnimations[scene->mNumAnimations++] = new aiAnimation();
        scene->mAnimations[0]->mTicksPerSecond = 1.0;
        scene->mAnimations[0]->mDuration = 0.0;
    }
    return scene->mAnimations[0];
}

/* A target without keys keeps its weight. */
aiMeshMorphAnim *newChannel(const ColladaMorph &morph, const aiNode *node, aiAnimation *animation) {
    aiMeshMorphAnim *channel = new aiMeshMorphAnim();
    std::vector<ColladaKeys> all(morph.targets.size());
    size_t count = 0;
    for (unsigned target = 0; target < all.size(); target++) {
        const auto keys = morph.keys.find(target);
        all[target] = keys == morph.keys.end() ? ColladaKeys{{0.0, morph.weights[target], {}, {}}} : keys->second;
        count += all[target].size();
    }
    channel->mName = node->mName;
    channel->mKeys = new aiMeshMorphKey[count];
    for (unsigned target = 0; target < all.size(); target++) {
        for (const MorphCurveKey &from : all[target]) {
            aiMeshMorphKey &key = channel->mKeys[channel->mNumKeys++];
            morphsSetCurveKey(target, from, animation->mTicksPerSecond, &key);
            animation->mDuration = std::fmax(animation->mDuration, key.mTime);
        }
    }
    return channel;
}

void addKeys(const ColladaMorph &morph, aiScene *scene) {
    std::vector<aiNode *> carriers;
    findCarriers(scene, scene->mRootNode, morph.mesh, &carriers);
    if (morph.keys.empty() || carriers.empty()) {
        return;
    }
    aiAnimation *animation = animationOf(scene);
    const unsigned before = animation->mNumMorphMeshChannels;
    aiMeshMorphAnim **channels = new aiMeshMorphAnim *[before + carriers.size()];
    for (unsigned i = 0; i < before; i++) {
        channels[i] = animation->mMorphMeshChannels[i];
    }
    delete[] animation->mMorphMeshChannels;
    animation->mMorphMeshChannels = channels;
    for (const aiNode *node : carriers) {
        channels[animation->mNumMorphMeshChannels++] = newChannel(morph, node, animation);
    }
}

} // namespace

std::vector<ColladaMorph> colladaReadMorphs(std::string *text, Model *model) {
    Document document = readDocument(*text);
    std::map<std::string, bool> read; /* whether it is complete */
    std::set<std::string> shown;
    std::string nodes;
    for (size_t i = 0; i < document.morphs.size(); i++) {
        ColladaMorph &morph = document.morphs[i];
        read[morph.controller] = completeMorph(document, document.inputs[i], &morph, model);
        shown.insert(morph.targets.begin(), morph.targets.end());
    }
    for (const std::string &target : shown) {
        const std::string name = NODE + target;
        for (const std::string &part :
             {std::string("<node id=\""), name, std::string("\" name=\""), name,
              std::string("\"><instance_geometry url=\"#"), target, std::string("\"/></node>")}) {
            nodes += part;
        }
    }
    std::vector<ColladaMorph> morphs = std::move(document.morphs);
    const std::set<std::string> used = colladaMend(text, nodes);
    const auto isUnread = [&](const ColladaMorph &morph) {
        return used.count(morph.controller) == 0 || !read[morph.controller] || read.count(morph.mesh) > 0;
    };
    for (const ColladaMorph &morph : morphs) {
        if (used.count(morph.controller) > 0 && isUnread(morph)) {
            childWarn(model, "the morph targets of controller '%.200s' are not read; its mesh keeps its own shape",
                      morph.controller.c_str());
        }
    }
    morphs.erase(std::remove_if(morphs.begin(), morphs.end(), isUnread), morphs.end());
    return morphs;
}

void colladaApplyMorphs(const std::vector<ColladaMorph> &morphs, aiScene *scene, Model *model) {
    removeNodes(scene->mRootNode);
    for (const ColladaMorph &morph : morphs) {
        if (setTargets(scene, morph)) {
            addKeys(morph, scene);
        } else {
            childWarn(model, "the morph targets of controller '%.200s' are not read: they are not like its mesh",
                      morph.controller.c_str());
        }
    }
}
