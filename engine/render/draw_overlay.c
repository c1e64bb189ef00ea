#include "draw_overlay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw_scene.h"
#include "ragdoll_fit.h"

#define LINES_BYTES_MAX ((uint64_t)256 << 20) /* for one frame */
#define BOX_CORNERS     24u                   /* two for each edge */
#define BONE_CORNERS    8u                    /* ends of the lines to a bone, and of its mark */
#define TURN            16u                   /* lines of a circle */
#define LOOP            (TURN + 2u) /* points of a capsule's outline: half a circle at each end, and lines between them */
#define BODY_CORNERS    144u        /* two such loops, and a circle at each end */
#define MARK_RADIUS     3.5f        /* pixels */

_Static_assert(BODY_CORNERS == 4 * 2 * LOOP, "four loops");

#define RUNS_MAX 3u /* in one mesh: for three indices there is one pair */

/* ---- Lines ---- */

uint32_t overlayBones(const Model *model, int32_t *of) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        of[i] = OVERLAY_NO_BONE;
    }
    for (uint32_t p = 0; p < model->partCount; p++) {
        const ModelSkin *skin = &model->skins[model->parts[p].skin];
        for (uint32_t b = 0; b < skin->boneCount; b++) {
            of[skin->boneNodes[b]] = -1;
        }
    }
    for (uint32_t i = 0; i < model->nodeCount; i++) { /* parents come first */
        int32_t parent = model->nodes[i].parent;
        while (parent >= 0 && of[parent] == OVERLAY_NO_BONE) {
            parent = model->nodes[parent].parent;
        }
        count += of[i] != OVERLAY_NO_BONE;
        of[i] = of[i] != OVERLAY_NO_BONE ? parent : OVERLAY_NO_BONE;
    }
    return count;
}

static void addBox(const VkskinAffine *place, const Bounds *box, OverlayVertex *vertices) {
    for (uint32_t i = 0; i < BOX_CORNERS; i++) {
        const uint32_t edge = i / 2, axis = edge / 4, a = (axis + 1) % 3, b = (axis + 2) % 3;
        float point[3];
        point[axis] = i % 2 == 0 ? box->min[axis] : box->max[axis];
        point[a] = edge & 1 ? box->max[a] : box->min[a];
        point[b] = edge & 2 ? box->max[b] : box->min[b];
        vertices[i].corner[0] = vertices[i].corner[1] = 0.0f;
        transformPoint(place, point, vertices[i].position);
    }
}

/* Four lines from around `from`, in pixels, to `to`; with closed: around it. */
static void addRing(const VkskinAffine *from, const VkskinAffine *to, bool closed, OverlayVertex *vertices) {
    static const float ring[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    for (uint32_t i = 0; i < BONE_CORNERS; i++) {
        const bool begins = i % 2 == 0;
        for (int r = 0; r < 3; r++) {
            vertices[i].position[r] = (begins ? from : to)->m[r][3];
        }
        for (int c = 0; c < 2; c++) {
            vertices[i].corner[c] = begins || closed ? MARK_RADIUS * ring[i / 2 + (begins ? 0 : 1)][c] : 0.0f;
        }
    }
}

/*
 * A point of a loop of a capsule. axes: two across it, then its own. loop: 0 and 1 go along it, 2 and 3 around its ends.
 */
static void placeLoop(const VkskinAffine *place, const VkskinSpringCollider *capsule, double axes[3][3], uint32_t loop,
                      uint32_t step, float placed[3]) {
    const bool first = step % LOOP < LOOP / 2;
    const float angle = 6.2831853f / TURN * (float)(step % LOOP - (first ? 0 : 1));
    const float *centre = (loop < 2 ? first : loop == 2) ? capsule->to : capsule->from;
    const double *a = axes[loop % 2], *b = loop < 2 ? axes[2] : axes[1 - loop % 2];
    float point[3];
    for (int i = 0; i < 3; i++) {
        point[i] = centre[i] + capsule->radius * (cosf(angle) * (float)a[i] + sinf(angle) * (float)b[i]);
    }
    transformPoint(place, point, placed);
}

/* world: [nodes]. */
static void addBody(const VkskinAffine *place, const RagdollShape *shape, uint32_t body, const VkskinAffine *world,
                    OverlayVertex *vertices) {
    const VkskinSpringCollider capsule = ragdollCapsuleIn(shape, body, world);
    double axes[3][3];
    turnApply(ragdollBodyIn(shape, body, world).turn, shape->bodies[body].axis, axes[2]);
    acrossOf(axes[2], axes[0]);
    cross3(axes[2], axes[0], axes[1]);
    for (uint32_t i = 0; i < BODY_CORNERS; i++) {
        vertices[i].corner[0] = vertices[i].corner[1] = 0.0f;
        placeLoop(place, &capsule, axes, i / (2 * LOOP), (i + 1) / 2 % LOOP, vertices[i].position);
    }
}

/* What the lines of a kind are written to, by OverlayLines. */
typedef struct Writer {
    OverlayVertex *next[OVERLAY_LINES_COUNT];
    uint32_t shows;
    const RagdollShape *shape; /* bodies of the kind; null: none */
    VkskinAffine *world;       /* [nodes of the largest kind] */
    int32_t *ofBones;          /* likewise */
} Writer;

static void addBones(Writer *writer, const VkskinAffine *place, uint32_t nodeCount) {
    for (uint32_t i = 0; i < nodeCount; i++) {
        writer->world[i] = vkskinMultiplyAffine(place, &writer->world[i]);
        const int32_t parent = writer->ofBones[i]; /* comes first */
        const VkskinAffine *node = &writer->world[i];
        if (parent >= 0) {
            addRing(&writer->world[parent], node, false, writer->next[OVERLAY_BONES]);
            writer->next[OVERLAY_BONES] += BONE_CORNERS;
        }
        if (parent != OVERLAY_NO_BONE) {
            addRing(node, node, true, writer->next[OVERLAY_MARKS]);
            writer->next[OVERLAY_MARKS] += BONE_CORNERS;
        }
    }
}

static bool addCharacter(Writer *writer, const Population *population, const Character *character, EngineError *error) {
    const SkinnedModel *skinned = population->models[character->model];
    const Bounds *box = skinnedModelBox(skinned, character->clip, character->mode);
    const VkskinAffine place = populationToWorld(population, character);
    const bool joints = (writer->shows & DRAW_SHOW_JOINTS) != 0;
    if (writer->shows & DRAW_SHOW_BOXES && boundsCanBeDrawn(box)) {
        addBox(&place, box, writer->next[OVERLAY_BOXES]);
        writer->next[OVERLAY_BOXES] += BOX_CORNERS;
    }
    if ((joints || writer->shape) && !skinnedModelPose(skinned, character->clip, character->time + population->clock,
                                                       character->wrap, character->swing, writer->world, error)) {
        return false;
    }
    for (uint32_t i = 0; writer->shape && i < writer->shape->bodyCount; i++) {
        addBody(&place, writer->shape, i, writer->world, writer->next[OVERLAY_BODIES]);
        writer->next[OVERLAY_BODIES] += BODY_CORNERS;
    }
    if (joints) {
        addBones(writer, &place, skinned->model->nodeCount);
    }
    return true;
}

static bool addKind(Writer *writer, const Population *population, uint32_t kind, EngineError *error) {
    bool good = true;
    overlayBones(population->models[kind]->model, writer->ofBones);
    for (uint32_t i = population->kindStarts[kind]; i < population->kindStarts[kind + 1] && good; i++) {
        const Character *character = &population->characters[population->order[i]];
        good =
            !(character->passes & 1u << POPULATION_PASS_COLOUR) || addCharacter(writer, population, character, error);
    }
    return good;
}

/* shapes: of the kinds, or null. Returns the vertices that all characters take, of each OverlayLines. */
static bool measure(Writer *writer, const Population *population, RagdollShape *const *shapes,
                    uint64_t sizes[OVERLAY_LINES_COUNT], EngineError *error) {
    uint32_t most = 0;
    for (uint32_t kind = 0; kind < population->modelCount; kind++) {
        const uint32_t nodes = population->models[kind]->model->nodeCount;
        most = nodes > most ? nodes : most;
    }
    writer->world = engineAllocate(most, sizeof(*writer->world), error);
    writer->ofBones = writer->world ? engineAllocate(most, sizeof(*writer->ofBones), error) : NULL;
    for (uint32_t kind = 0; kind < population->modelCount && writer->ofBones; kind++) {
        const uint64_t count = populationKindSize(population, kind);
        const uint64_t bones = overlayBones(population->models[kind]->model, writer->ofBones);
        sizes[OVERLAY_BOXES] += writer->shows & DRAW_SHOW_BOXES ? BOX_CORNERS * count : 0;
        sizes[OVERLAY_BONES] += writer->shows & DRAW_SHOW_JOINTS ? BONE_CORNERS * bones * count : 0;
        sizes[OVERLAY_BODIES] += shapes ? BODY_CORNERS * count * shapes[kind]->bodyCount : 0;
    }
    sizes[OVERLAY_MARKS] = sizes[OVERLAY_BONES];
    return writer->ofBones;
}

static bool reserve(Device *device, uint64_t size, Buffer *buffer, EngineError *error) {
    if (size > LINES_BYTES_MAX) {
        return engineFail(error,
                          "the lines of joints, boxes and bodies take %llu MiB, the limit is %llu; a smaller --count "
                          "needs less",
                          (unsigned long long)(size >> 20), (unsigned long long)(LINES_BYTES_MAX >> 20));
    }
    if (size <= buffer->size) {
        return true;
    }
    bufferDestroy(device, buffer);
    return bufferCreate(device, size, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, BUFFER_UPLOAD, "lines", buffer, error);
}

static bool makeShapes(DrawOverlays *overlays, const Population *population, EngineError *error) {
    if (overlays->shapes) {
        return true;
    }
    overlays->shapes = engineAllocate(population->modelCount, sizeof(*overlays->shapes), error);
    bool good = overlays->shapes;
    for (; good && overlays->shapeCount < population->modelCount; overlays->shapeCount++) {
        const SkinnedModel *skinned = population->models[overlays->shapeCount];
        overlays->shapes[overlays->shapeCount] =
            ragdollShapeCreate(skinned->model, &skinned->modelToCommon, &skinned->source, error);
        good = overlays->shapes[overlays->shapeCount];
    }
    return good;
}

bool drawOverlaysLines(DrawOverlays *overlays, Device *device, const Population *population, uint32_t shows,
                       uint32_t slot, EngineError *error) {
    Writer writer = {.shows = shows};
    const bool bodies = (shows & DRAW_SHOW_BODIES) != 0;
    uint64_t sizes[OVERLAY_LINES_COUNT] = {0}, size = 1;
    Buffer *buffer = &overlays->lines[slot];
    bool good = (!bodies || makeShapes(overlays, population, error)) &&
                measure(&writer, population, bodies ? overlays->shapes : NULL, sizes, error);
    for (int i = 0; i < OVERLAY_LINES_COUNT; i++) {
        overlays->firsts[i] = (uint32_t)(size - 1);
        size += sizes[i];
    }
    good = good && reserve(device, size * sizeof(OverlayVertex), buffer, error);
    for (int i = 0; i < OVERLAY_LINES_COUNT && good; i++) {
        writer.next[i] = (OverlayVertex *)buffer->mapped + overlays->firsts[i];
    }
    for (uint32_t kind = 0; kind < population->modelCount && good; kind++) {
        writer.shape = bodies ? overlays->shapes[kind] : NULL;
        good = addKind(&writer, population, kind, error);
    }
    for (int i = 0; i < OVERLAY_LINES_COUNT && good; i++) {
        overlays->counts[i] = (uint32_t)(writer.next[i] - (OverlayVertex *)buffer->mapped) - overlays->firsts[i];
    }
    free(writer.world);
    free(writer.ofBones);
    return good;
}

/* ---- Normals ---- */

static uint32_t indexCountOf(const SystemMesh *mesh) {
    return mesh->pieceCount > 0 ? mesh->pieces[0].indexCount : 0;
}

uint32_t overlayRuns(const SystemMesh *mesh) {
    const uint32_t indices = indexCountOf(mesh), pairs = indices / 2;
    const uint32_t vertices =
        mesh->vertexCount < indices ? mesh->vertexCount : indices; /* that triangles use, at most */
    return pairs > 0 ? (vertices + pairs - 1) / pairs : 0;
}

Buffer *overlayNormals(const DrawOverlays *overlays, const SystemMesh *mesh) {
    return overlays->normals + (size_t)RUNS_MAX * mesh->number;
}

typedef struct Numbering {
    const System *system;
    DrawOverlays *overlays;
} Numbering;

/* A pair of indices for each vertex that a triangle uses; the pairs that are left over are lines without length. */
static bool numberVertices(void *user, uint32_t kind, uint32_t index, const ModelMesh *source, EngineError *error) {
    const Numbering *numbering = user;
    const SystemMesh *mesh = &numbering->system->meshes[kind][index];
    const uint32_t count = indexCountOf(mesh), runs = overlayRuns(mesh), pairs = count > 1 ? count / 2 : 1;
    Buffer *buffers = overlayNormals(numbering->overlays, mesh);
    uint32_t *indices = engineAllocate((size_t)runs * count, sizeof(*indices), error), pair = 0;
    bool *used = indices ? engineAllocate(source->vertexCount, sizeof(*used), error) : NULL;
    bool good = used != NULL;
    for (uint32_t i = 0; i < count && good; i++) {
        const uint32_t vertex = source->indices[i];
        if (!used[vertex]) {
            uint32_t *place = indices + (size_t)(pair / pairs) * count + 2 * (size_t)(pair % pairs);
            place[0] = 2 * vertex;
            place[1] = 2 * vertex + 1;
            used[vertex] = true;
            pair++;
        }
    }
    for (uint32_t run = 0; run < runs && good; run++) {
        good = buffers[run].handle ||
               bufferCreateFilled(numbering->system->device, indices + (size_t)run * count, count * sizeof(*indices),
                                  VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "normals", &buffers[run], error);
    }
    free(indices);
    free(used);
    return good;
}

bool drawOverlaysNormals(DrawOverlays *overlays, const System *system, EngineError *error) {
    Numbering numbering = {system, overlays};
    const uint32_t count = RUNS_MAX * system->meshCount;
    if (!overlays->normals) {
        overlays->normals = engineAllocate(count, sizeof(*overlays->normals), error);
        overlays->normalCount = overlays->normals ? count : 0;
    }
    overlays->hasNormals =
        overlays->hasNormals || (overlays->normals && systemEachMesh(system, numberVertices, &numbering, error));
    return overlays->hasNormals;
}

void drawOverlaysDestroy(Device *device, DrawOverlays *overlays) {
    for (uint32_t slot = 0; slot < FRAMES_IN_FLIGHT; slot++) {
        bufferDestroy(device, &overlays->lines[slot]);
    }
    for (uint32_t i = 0; i < overlays->normalCount; i++) {
        bufferDestroy(device, &overlays->normals[i]);
    }
    for (uint32_t i = 0; i < overlays->shapeCount; i++) {
        ragdollShapeDestroy(overlays->shapes[i]);
    }
    free(overlays->shapes);
    free(overlays->normals);
    *overlays = (DrawOverlays){.counts = {0}};
}
