#include "model_glb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_pose.h"
#include "report.h"
#include "rest_pose.h"

#define JOINTS_MAX 65536u /* their indices have 16 bits */

/* ---- Nodes ---- */

/* The parts of a transform that differ from a node without any. */
static cJSON *addNode(Glb *glb, const char *name, const VkskinTransform *rest) {
    const VkskinTransform none = vkskinIdentityTransform();
    const float *q = rest->rotation;
    const double length = sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3]);
    float turn[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    for (int i = 0; i < 4 && length > 0.0; i++) {
        turn[i] = (float)(q[i] / length);
    }
    const bool moves = memcmp(rest->translation, none.translation, sizeof none.translation) != 0;
    const bool turns = memcmp(turn, none.rotation, sizeof turn) != 0;
    const bool scales = memcmp(rest->scale, none.scale, sizeof none.scale) != 0;
    return GLB_ADD(glb, GLB_NODES, jsonText("name", name),
                   jsonFloats(moves ? "translation" : NULL, rest->translation, 3),
                   jsonFloats(turns ? "rotation" : NULL, turn, 4), jsonFloats(scales ? "scale" : NULL, rest->scale, 3));
}

/* A further node below one of the model, with its name. */
static cJSON *addBelow(ModelGlb *out, uint32_t node) {
    const VkskinTransform none = vkskinIdentityTransform();
    cJSON *below = addNode(out->glb, out->model->nodes[node].name, &none);
    glbRefer(out->glb, out->nodes[node], "children", glbLast(out->glb, GLB_NODES));
    return below;
}

/* Axes of a matrix that are at right angles before and after it: the eigenvectors of M^T M, by Jacobi rotations. */
static VkskinAffine principalAxes(const VkskinAffine *matrix) {
    double a[3][3] = {{0}}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 27; i++) {
        a[i / 9][i / 3 % 3] += (double)matrix->m[i % 3][i / 9] * matrix->m[i % 3][i / 3 % 3];
    }
    for (int step = 0; step < 60; step++) {
        const int p = step % 3 == 2, q = step % 3 == 0 ? 1 : 2;
        const double angle = 0.5 * atan2(2.0 * a[p][q], a[q][q] - a[p][p]), c = cos(angle), s = sin(angle);
        for (int k = 0; k < 3; k++) {
            const double ap = a[k][p], aq = a[k][q], vp = v[k][p], vq = v[k][q];
            a[k][p] = c * ap - s * aq;
            a[k][q] = s * ap + c * aq;
            v[k][p] = c * vp - s * vq;
            v[k][q] = s * vp + c * vq;
        }
        for (int k = 0; k < 3; k++) {
            const double ap = a[p][k], aq = a[q][k];
            a[p][k] = c * ap - s * aq;
            a[q][k] = s * ap + c * aq;
        }
    }
    VkskinAffine axes = vkskinIdentityAffine();
    for (int i = 0; i < 9; i++) {
        axes.m[i / 3][i % 3] = (float)v[i / 3][i % 3];
    }
    return axes;
}

/*
 * A sheared matrix has no T R S form, but two nodes have: what turns to the principal axes and back, the scale between
 * them. Returns the outer node; *inner receives the one that the model's node is below.
 */
static uint64_t addPreTransform(Glb *glb, const ModelNode *node, cJSON **inner) {
    VkskinAffine axes = principalAxes(&node->preTransform), back = axes;
    for (int i = 0; i < 9; i++) {
        back.m[i / 3][i % 3] = axes.m[i % 3][i / 3];
    }
    const VkskinAffine scaled = vkskinMultiplyAffine(&node->preTransform, &axes);
    VkskinTransform outside, inside;
    (void)restSplit(&scaled, &outside);
    (void)restSplit(&back, &inside);
    cJSON *outer = addNode(glb, node->name, &outside);
    const uint64_t index = glbLast(glb, GLB_NODES);
    *inner = addNode(glb, node->name, &inside);
    glbRefer(glb, outer, "children", glbLast(glb, GLB_NODES));
    return index;
}

static void addNodes(ModelGlb *out) {
    for (uint32_t i = 0; i < out->model->nodeCount; i++) {
        out->nodes[i] = addNode(out->glb, out->model->nodes[i].name, &out->model->nodes[i].rest);
    }
}

/* root: null: the scene has the roots of the model. */
static void connectNodes(ModelGlb *out, cJSON *root) {
    const VkskinAffine none = vkskinIdentityAffine();
    Glb *glb = out->glb;
    for (uint32_t i = 0; i < out->model->nodeCount && glb->good; i++) {
        const ModelNode *node = &out->model->nodes[i];
        uint64_t outermost = i;
        if (memcmp(&node->preTransform, &none, sizeof none) != 0) {
            cJSON *inner;
            outermost = addPreTransform(glb, node, &inner);
            glbRefer(glb, inner, "children", i);
        }
        cJSON *parent = node->parent >= 0 ? out->nodes[node->parent] : root;
        glbRefer(glb, parent ? parent : glb->scene, parent ? "children" : "nodes", outermost);
    }
}

/* ---- Groups of parts ---- */

/* Whether the mesh follows its node alone, as a glTF mesh without a skin. */
static bool isRigid(const Model *model, const ModelPart *part) {
    const VkskinAffine none = vkskinIdentityAffine();
    const ModelSkin *skin = &model->skins[part->skin];
    return skin->boneCount == 1 && skin->boneNodes[0] == part->carrier &&
           memcmp(skin->inverseBinds, &none, sizeof none) == 0;
}

static float weightOf(const ModelPart *part, uint32_t morph) {
    return part->morphWeights ? part->morphWeights[morph] : 0.0f;
}

static bool sameWeights(const ModelPart *a, const ModelPart *b, uint32_t count) {
    uint32_t i = 0;
    while (i < count && weightOf(a, i) == weightOf(b, i)) {
        i++;
    }
    return i == count;
}

static bool fitTogether(const Model *model, const ModelPart *a, const ModelPart *b) {
    const ModelMesh *one = &model->meshes[a->mesh], *other = &model->meshes[b->mesh];
    if (a->carrier != b->carrier || a->skin != b->skin || one->morphCount != other->morphCount ||
        strcmp(one->name, other->name) != 0 || !sameWeights(a, b, one->morphCount)) {
        return false;
    }
    uint32_t i = 0;
    while (i < one->morphCount && strcmp(one->morphs[i].name, other->morphs[i].name) == 0) {
        i++;
    }
    return i == one->morphCount;
}

/* Parts without triangles are left out: an accessor must not be empty. */
static void findGroups(ModelGlb *out) {
    const Model *model = out->model;
    for (uint32_t i = 0; i < model->partCount; i++) {
        const ModelPart *part = &model->parts[i];
        GlbGroup *last = out->groupCount > 0 ? &out->groups[out->groupCount - 1] : NULL;
        if (model->meshes[part->mesh].indexCount == 0) {
            continue;
        }
        if (last && last->first + last->count == i && fitTogether(model, &model->parts[last->first], part)) {
            last->count++;
        } else {
            out->groups[out->groupCount++] = (GlbGroup){.first = i, .count = 1, .skinned = !isRigid(model, part)};
        }
    }
}

/* ---- Skins ---- */

/* [skinCount]: index in the file + 1, 0 without one; in the end. */
static void addSkin(ModelGlb *out, uint32_t index, uint32_t *seen, float *columns) {
    const ModelSkin *skin = &out->model->skins[index];
    Glb *glb = out->glb;
    cJSON *object = glbAdd(glb, GLB_SKINS);
    for (uint32_t b = 0; b < skin->boneCount; b++) {
        const uint32_t node = skin->boneNodes[b];
        uint64_t joint = node;
        if (seen[node] == index + 1) { /* skins must not have a node twice */
            (void)addBelow(out, node);
            joint = glbLast(glb, GLB_NODES);
        }
        seen[node] = index + 1;
        glbRefer(glb, object, "joints", joint);
        for (size_t i = 0; i < 16; i++) {
            columns[16 * (size_t)b + i] = i % 4 < 3 ? skin->inverseBinds[b].m[i % 4][i / 4] : i == 15 ? 1.0f : 0.0f;
        }
    }
    (void)glbArray(glb, columns, GLB_FLOAT, skin->boneCount, 16, GLB_NO_TARGET);
    GLB_SET(glb, object, jsonCount("inverseBindMatrices", glbLast(glb, GLB_ACCESSORS)));
}

/* skins: [skinCount], zero: receives the index in the file + 1 of those that groups use. */
static bool addSkins(ModelGlb *out, uint64_t *skins, EngineError *error) {
    const Model *model = out->model;
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->skinCount; i++) {
        most = model->skins[i].boneCount > most ? model->skins[i].boneCount : most;
    }
    uint32_t *seen = engineAllocate(model->nodeCount, sizeof *seen, error);
    float *columns = engineAllocate((size_t)most * 16, sizeof *columns, error);
    bool good = seen && columns;
    for (uint32_t i = 0; i < out->groupCount && good; i++) {
        const uint32_t skin = model->parts[out->groups[i].first].skin;
        if (out->groups[i].skinned && skins[skin] == 0) {
            good = model->skins[skin].boneCount <= JOINTS_MAX ||
                   engineFail(error, "a skin has %u bones; a .glb file holds %u", model->skins[skin].boneCount,
                              JOINTS_MAX);
            if (good) {
                addSkin(out, skin, seen, columns);
                skins[skin] = out->glb->counts[GLB_SKINS];
            }
        }
    }
    free(seen);
    free(columns);
    return good;
}

/* ---- Meshes ---- */

static void addWeights(ModelGlb *out, cJSON *object, const ModelPart *part) {
    const uint32_t count = out->model->meshes[part->mesh].morphCount;
    cJSON *list = jsonAddArray(object, "weights", &out->glb->good);
    for (uint32_t i = 0; i < count; i++) {
        jsonPush(list, cJSON_CreateNumber((double)weightOf(part, i)), &out->glb->good);
    }
}

static void addMesh(ModelGlb *out, const GlbGroup *group) {
    const Model *model = out->model;
    const ModelPart *parts = &model->parts[group->first];
    const ModelMesh *mesh = &model->meshes[parts->mesh];
    cJSON *object = glbAdd(out->glb, GLB_MESHES);
    GLB_SET(out->glb, object, jsonText("name", mesh->name));
    cJSON *primitives = jsonAddArray(object, "primitives", &out->glb->good);
    for (uint32_t i = 0; i < group->count && out->glb->good; i++) {
        modelGlbPrimitive(out, parts[i].mesh, group->skinned, primitives);
    }
    if (mesh->morphCount > 0) {
        addWeights(out, object, parts);
        cJSON *names = jsonAddArray(jsonAddObject(object, "extras", &out->glb->good), "targetNames", &out->glb->good);
        for (uint32_t i = 0; i < mesh->morphCount; i++) {
            jsonAddItem(names, mesh->morphs[i].name, &out->glb->good);
        }
    }
}

static bool sameMeshes(const Model *model, const GlbGroup *a, const GlbGroup *b) {
    uint32_t i = 0;
    while (i < a->count && i < b->count && model->parts[a->first + i].mesh == model->parts[b->first + i].mesh) {
        i++;
    }
    return i == a->count && i == b->count;
}

/* The node that shows the group: its carrier; a further one below it, if another group has the carrier. */
static cJSON *nodeFor(ModelGlb *out, GlbGroup *group) {
    const uint32_t carrier = out->model->parts[group->first].carrier;
    const bool further = out->carried[carrier] > 0;
    cJSON *node = further ? addBelow(out, carrier) : out->nodes[carrier];
    group->node = further ? glbLast(out->glb, GLB_NODES) : carrier;
    group->next = out->carried[carrier];
    out->carried[carrier] = (uint32_t)(group - out->groups) + 1;
    return node;
}

/* skins: as addSkins made it. firsts: [meshCount][2], zero: for the last group + 1 whose own mesh begins with a mesh. */
static void placeGroups(ModelGlb *out, const uint64_t *skins, uint32_t *firsts) {
    const Model *model = out->model;
    for (uint32_t i = 0; i < out->groupCount && out->glb->good; i++) {
        GlbGroup *group = &out->groups[i];
        const ModelPart *part = &model->parts[group->first];
        uint32_t *first = &firsts[2 * (size_t)part->mesh + group->skinned];
        const GlbGroup *like = *first > 0 ? &out->groups[*first - 1] : NULL;
        const bool shared = like && sameMeshes(model, like, group);
        if (!shared) {
            addMesh(out, group);
            *first = i + 1;
        }
        group->mesh = shared ? like->mesh : glbLast(out->glb, GLB_MESHES);
        cJSON *node = nodeFor(out, group);
        GLB_SET(out->glb, node, jsonCount("mesh", group->mesh),
                jsonCount(group->skinned ? "skin" : NULL, skins[part->skin] - 1));
        if (shared && !sameWeights(&model->parts[like->first], part, model->meshes[part->mesh].morphCount)) {
            addWeights(out, node, part);
        }
    }
}

static bool addMeshes(ModelGlb *out, EngineError *error) {
    const Model *model = out->model;
    uint64_t *skins = engineAllocate(model->skinCount, sizeof *skins, error);
    uint32_t *firsts = engineAllocate((size_t)model->meshCount * 2, sizeof *firsts, error);
    const bool good = skins && firsts && addSkins(out, skins, error);
    if (good) {
        placeGroups(out, skins, firsts);
    }
    free(skins);
    free(firsts);
    return good;
}

/* ---- The root ---- */

/* The bones of a skin need a common ancestor. roots: [nodeCount] */
static bool needsCommonRoot(const ModelGlb *out, uint32_t *roots) {
    const Model *model = out->model;
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        roots[i] = model->nodes[i].parent < 0 ? i : roots[model->nodes[i].parent];
    }
    for (uint32_t i = 0; i < out->groupCount; i++) {
        const ModelSkin *skin = &model->skins[model->parts[out->groups[i].first].skin];
        for (uint32_t b = 1; b < skin->boneCount; b++) {
            if (roots[skin->boneNodes[b]] != roots[skin->boneNodes[0]]) {
                return true;
            }
        }
    }
    return false;
}

/* A node that turns to y up and metres, with the axis and the unit of the model. */
static cJSON *addRoot(ModelGlb *out) {
    const Model *model = out->model;
    const VkskinAffine turn = modelUpToY(model->up);
    const float metres = model->metres > 0.0f ? model->metres : 1.0f;
    float linear[3][3];
    for (int i = 0; i < 9; i++) {
        linear[i / 3][i % 3] = metres * turn.m[i / 3][i % 3];
    }
    cJSON *root = GLB_ADD(out->glb, GLB_NODES, jsonText("name", "to metres and y up"));
    glbMatrix(out->glb, root, linear);
    GLB_SET(out->glb, root,
            JSON_OBJECT("extras", jsonText("up", MODEL_UP_NAMES[model->up]),
                        jsonNumber(model->metres > 0.0f ? "metresPerUnit" : NULL, model->metres)));
    glbRefer(out->glb, out->glb->scene, "nodes", glbLast(out->glb, GLB_NODES));
    return root;
}

static bool connect(ModelGlb *out, EngineError *error) {
    uint32_t *roots = engineAllocate(out->model->nodeCount, sizeof *roots, error);
    const bool turned = out->model->up != MODEL_UP_Y || (out->model->metres > 0.0f && out->model->metres != 1.0f);
    if (roots) {
        connectNodes(out, turned || needsCommonRoot(out, roots) ? addRoot(out) : NULL);
    }
    free(roots);
    return roots != NULL;
}

bool modelGlbFill(Glb *glb, const Model *model, uint32_t maxInfluences, ModelGlbLosses *losses, EngineError *error) {
    ModelGlb out = {.model = model, .glb = glb, .maxInfluences = maxInfluences};
    if (model->nodeCount == 0) {
        return engineFail(error, "no nodes, only clips");
    }
    out.nodes = engineAllocate(model->nodeCount, sizeof(*out.nodes), error);
    out.groups = engineAllocate(model->partCount, sizeof *out.groups, error);
    out.carried = engineAllocate(model->nodeCount, sizeof *out.carried, error);
    out.materials = engineAllocate(model->materialCount, sizeof *out.materials, error);
    out.primitives = engineAllocate((size_t)model->meshCount * 2, sizeof(*out.primitives), error);
    bool good = out.nodes && out.groups && out.carried && out.materials && out.primitives;
    if (good) {
        findGroups(&out);
        addNodes(&out);
        good = connect(&out, error) && addMeshes(&out, error) && modelGlbClips(&out, error) &&
               (out.losses.dual == 0 || modelGlbDual(model, &out.losses.dualDistance, error)) &&
               (glb->good || engineFail(error, "out of memory"));
    }
    *losses = out.losses;
    free(out.nodes);
    free(out.groups);
    free(out.carried);
    free(out.materials);
    free(out.primitives);
    return good;
}
