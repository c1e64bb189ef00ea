#include "frame_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_mesh.h"
#include "parallel.h"
#include "random.h"
#include "reference.h"

#define RADIUS     1000.0f /* radius of the disc: characters are small beside it */
#define TURN       0.01f   /* radians of a frame: about one character of a hundred comes into view */
#define PACK_ERROR 1e-3f   /* metres */
#define BOUND      4e-3    /* maximum error of a position, metres: packing moves its bones by up to PACK_ERROR each */

/* ---- Making ---- */

static VkskinResult packClips(FrameScene *scene) {
    VkskinAnimationDef def = vkskinDefaultAnimationDef();
    for (uint32_t i = 0; i < POSE_BONES; i++) {
        scene->boxes[i] = vkskinEmptyAnimationBox();
    }
    VkskinResult result = modelObjectsCreate(&scene->pose->model, NULL, &scene->objects);
    if (result >= 0) {
        for (uint32_t level = 0; result >= 0 && level < scene->levels; level++) {
            const VkskinMeshDef mesh = meshDefOfModel(&scene->meshes[level].mesh);
            result = vkskinAddAnimationBoxes(scene->objects.skins[0], &mesh, scene->boxes);
        }
    }
    def.skeleton = scene->objects.skeleton;
    def.clipCount = scene->pose->model.clipCount;
    def.clips = scene->objects.clips;
    def.boxes = scene->boxes;
    def.maxError = PACK_ERROR;
    def.parallel = parallelFor;
    return result < 0 ? result : vkskinPackAnimation(&def, &scene->animation, &scene->animationSize, NULL);
}

static void holdPoint(const VkskinAffine *node, const float point[3], float low[3], float high[3]) {
    for (int r = 0; r < 3; r++) {
        const float *row = node->m[r];
        const float at = row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3];
        low[r] = fminf(low[r], at);
        high[r] = fmaxf(high[r], at);
    }
}

/* The corners of each node's box hold its vertices. */
static void holdPose(const FrameScene *scene, float low[3], float high[3]) {
    for (uint32_t n = 0; n < POSE_BONES; n++) {
        const VkskinAnimationBox *box = &scene->boxes[n];
        for (uint32_t corner = 0; box->low[0] <= box->high[0] && corner < 8; corner++) {
            const float point[3] = {corner & 1 ? box->high[0] : box->low[0], corner & 2 ? box->high[1] : box->low[1],
                                    corner & 4 ? box->high[2] : box->low[2]};
            holdPoint(&scene->objects.world[n], point, low, high);
        }
    }
}

static VkskinResult measure(FrameScene *scene) {
    float low[3] = {INFINITY, INFINITY, INFINITY};
    float high[3] = {-INFINITY, -INFINITY, -INFINITY};
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < scene->pose->model.clipCount * POSE_KEYS; i++) {
        const int32_t clip = (int32_t)(i / POSE_KEYS);
        result = modelObjectsPose(&scene->objects, clip, scene->pose->times[i % POSE_KEYS], VKSKIN_WRAP_CLAMP);
        holdPose(scene, low, high);
    }
    for (int i = 0; i < 3; i++) {
        scene->centre[i] = 0.5f * (low[i] + high[i]);
        scene->extent[i] = 0.5f * (high[i] - low[i]);
    }
    return result;
}

static void place(FrameScene *scene) {
    Random random = {29};
    for (uint32_t i = 0; i < scene->count; i++) {
        const float heading = randomFloat(&random, 0.0f, 6.2831853f);
        const float angle = randomFloat(&random, 0.0f, 6.2831853f);
        const float radius = RADIUS * sqrtf(randomFloat(&random, 0.0f, 1.0f));
        scene->characters[i] = (FrameCharacter){
            .place = {{{cosf(heading), 0, sinf(heading), radius * cosf(angle)},
                       {0, 1, 0, 0},
                       {-sinf(heading), 0, cosf(heading), radius * sinf(angle)}}},
            .clip = randomBelow(&random, scene->pose->model.clipCount),
            .start = randomFloat(&random, 0.0f, 1.0f),
        };
    }
}

/* The mesh is made of rings of 20 vertices. */
static bool createMeshes(FrameScene *scene, uint32_t vertices, EngineError *error) {
    bool good = true;
    for (uint32_t level = 0; good && level < scene->levels; level++) {
        const CrowdShape shape = {(vertices >> level) / 20 * 20, 1, POSE_BONES, INFLUENCE_MIX};
        good = crowdSceneCreate(&shape, (SkinMode)0, &scene->meshes[level], error);
    }
    return good;
}

bool frameSceneCreate(uint32_t count, uint32_t vertices, uint32_t levels, float visible, uint32_t clips,
                      FrameScene *scene, EngineError *error) {
    scene->count = count;
    scene->levels = levels;
    scene->visible = visible;
    scene->pose = engineAllocate(1, sizeof *scene->pose, error);
    scene->characters = engineAllocate(count, sizeof *scene->characters, error);
    if (!scene->pose || !scene->characters || !createMeshes(scene, vertices, error)) {
        return false;
    }
    poseSceneFill(clips, false, scene->pose);
    scene->pose->nodes[0].rest = vkskinIdentityTransform(); /* instances and crowds are then skinned into one space */
    VkskinResult result = packClips(scene);
    result = result < 0 ? result : measure(scene);
    place(scene);
    return result >= 0 || engineFail(error, "the clips could not be packed: %s", vkskinResultName(result));
}

void frameSceneDestroy(FrameScene *scene) {
    vkskinFreeAnimation(scene->animation, NULL);
    if (scene->objects.model) {
        modelObjectsFree(&scene->objects);
    }
    for (uint32_t level = 0; level < FRAME_MESHES; level++) {
        crowdSceneDestroy(&scene->meshes[level]);
    }
    free(scene->characters);
    free(scene->pose);
}

/* ---- A frame ---- */

double frameSceneTime(const FrameScene *scene, uint32_t character, uint32_t frame) {
    const FrameCharacter *own = &scene->characters[character];
    return (double)own->start * (double)scene->pose->clips[own->clip].duration + 1e-3 * FRAME_TICKS * (frame - 1);
}

VkskinCrowdView frameSceneView(const FrameScene *scene, uint32_t frame) {
    VkskinCrowdView view = {
        .kind = VKSKIN_CROWD_COLOUR, .planeCount = scene->visible < 0.5f ? 6 : 0, .pixelsPerUnit = 1.0f};
    const float half = 3.14159265f * scene->visible;
    const float turn = TURN * (float)frame;
    const float planes[6][4] = {{-sinf(turn - half), 0, cosf(turn - half), 0},
                                {sinf(turn + half), 0, -cosf(turn + half), 0},
                                {0.1f * cosf(turn), 1, 0.1f * sinf(turn), 50},
                                {0.1f * cosf(turn), -1, 0.1f * sinf(turn), 50},
                                {cosf(turn), 0, sinf(turn), -0.1f},
                                {-cosf(turn), 0, -sinf(turn), 2.0f * RADIUS}};
    memcpy(view.planes, planes, sizeof planes);
    return view;
}

bool frameSceneSees(const FrameScene *scene, const VkskinCrowdView *view, uint32_t character) {
    const VkskinAffine *m = &scene->characters[character].place;
    for (uint32_t p = 0; p < view->planeCount; p++) {
        const float *plane = view->planes[p];
        float distance = plane[3];
        float projectedExtent = 0.0f;
        for (int c = 0; c < 3; c++) {
            const float normal = plane[0] * m->m[0][c] + plane[1] * m->m[1][c] + plane[2] * m->m[2][c];
            distance += plane[c] * m->m[c][3] + normal * scene->centre[c];
            projectedExtent += fabsf(normal) * scene->extent[c];
        }
        if (distance + projectedExtent < 0.0f) {
            return false;
        }
    }
    return true;
}

float frameSceneDistance(uint32_t level) {
    return RADIUS / (float)(1u << (FRAME_MESHES - level));
}

uint32_t frameSceneLevel(const FrameScene *scene, uint32_t character) {
    const VkskinAffine *m = &scene->characters[character].place;
    const float distance = hypotf(m->m[0][3], m->m[2][3]);
    uint32_t level = 0;
    while (level + 1 < scene->levels && distance >= frameSceneDistance(level + 1)) {
        level++;
    }
    return level;
}

/* The largest difference of a position from that of a frame. */
static double errorAt(const FrameScene *scene, uint32_t level, uint32_t character, uint32_t frame,
                      const float *positions) {
    const ModelMesh *mesh = &scene->meshes[level].mesh;
    const Model *model = &scene->pose->model;
    const ReferenceDef def = {.method = VKSKIN_METHOD_LINEAR_BLEND};
    const double time = frameSceneTime(scene, character, frame);
    ReferenceMatrix *world =
        newReferenceWorld(model, (int32_t)scene->characters[character].clip, time, VKSKIN_WRAP_LOOP);
    ReferenceMatrix *bones = newReferenceBones(model, 0, world);
    ReferenceVertex *expected = newReferenceSample(mesh, bones, &def, NULL, mesh->vertexCount);
    double worst = 0.0;
    for (uint32_t i = 0; i < 3 * mesh->vertexCount; i++) {
        const double off = fabs((double)positions[i] - expected[i / 3].position[i % 3]);
        worst = off <= worst ? worst : isnan(off) ? INFINITY : off;
    }
    free(expected);
    free(bones);
    free(world);
    return worst;
}

bool frameSceneCheck(const FrameScene *scene, uint32_t level, uint32_t character, uint32_t frame, uint32_t interval,
                     const float *positions, EngineError *error) {
    double best = INFINITY;
    for (uint32_t back = 0; back < interval && back < frame && !(best <= BOUND); back++) {
        best = fmin(best, errorAt(scene, level, character, frame - back, positions));
    }
    return best <= BOUND || engineFail(error, "character %u, level %u: a vertex is off by %g", character, level, best);
}
