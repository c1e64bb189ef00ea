/*
 * overlap.c: a host with two threads. While the main thread records and submits a frame, the game thread poses the
 * characters of the next one and gives its commands: vkskinPrepareFrame. Here the CPU backend skins on the main thread,
 * so that both threads have work on every machine.
 *
 * Compile it with _POSIX_C_SOURCE=200809L if the compiler is strict (-std=c11).
 *
 * overlap --measure: the two threads take turns with one thread that does both; prints how many times faster they are.
 */
#include "host.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { CHARACTERS = 1024, BONES = 32, SIDES = 8, VERTICES = BONES * SIDES };
enum { FRAMES = 6, TURN = 8, TURNS = 200 }; /* one turn: frames of --measure between two changes of mode */

/* Everything that the game thread uses. It runs between the two barriers; in all other calls it waits. */
typedef struct Game {
    VkskinContext context;
    VkskinInstance instances[CHARACTERS];
    HostFrames *frames;
    pthread_barrier_t start, done;
    pthread_mutex_t queue; /* see lockQueue */
    bool prepared;         /* the next frame has its commands */
    bool over;
} Game;

/* ---- Posing: an upright tube that bends. Bone k starts at height k ---- */

static void poseCharacter(unsigned frame, unsigned character, float bones[BONES][3][4]) {
    const float bend = sinf(0.1f * (float)frame + (float)character) / BONES;
    float x = 0.0f, y = 0.0f; /* where the bone starts */
    for (int k = 0; k < BONES; k++) {
        const float c = cosf(bend * (float)k), s = sinf(bend * (float)k);
        const float matrix[3][4] = {{c, -s, 0, x + s * (float)k}, {s, c, 0, y - c * (float)k}, {0, 0, 1, 0}};
        memcpy(bones[k], matrix, sizeof matrix);
        x -= s;
        y += c;
    }
}

/* Poses all characters of the frame that is begun or prepared, and gives their commands. On either thread. */
static void giveCommands(Game *game, unsigned frame) {
    VkskinPalette palettes[CHARACTERS];
    VkskinSkinCommand commands[CHARACTERS];
    void *data[CHARACTERS];
    HOST_SKIN(vkskinAllocatePalettes(game->context, VKSKIN_PALETTE_MAT3X4, NULL, BONES, CHARACTERS, palettes, data));
    for (unsigned i = 0; i < CHARACTERS; i++) {
        poseCharacter(frame, i, data[i]);
        commands[i] = (VkskinSkinCommand){.instance = game->instances[i], .palette = palettes[i]};
    }
    HOST_SKIN(vkskinSkinInstances(game->context, commands, CHARACTERS, NULL));
}

/* Vulkan needs no lock here: the threads use different fences. But the validation layer before 1.3.281 forgets a wait for a
 * fence that ends while another thread submits. It then reports hazards between the submissions of a slot. */
static void lockQueue(Game *game) {
    if (game->frames->host->messenger != VK_NULL_HANDLE) {
        pthread_mutex_lock(&game->queue);
    }
}

static void unlockQueue(Game *game) {
    if (game->frames->host->messenger != VK_NULL_HANDLE) {
        pthread_mutex_unlock(&game->queue);
    }
}

static void *runGame(void *argument) {
    Game *game = argument;
    while (pthread_barrier_wait(&game->start), !game->over) {
        lockQueue(game);
        const uint32_t slot = hostFramesAwaitSlot(game->frames);
        unlockQueue(game);
        HOST_SKIN(vkskinPrepareFrame(game->context, slot));
        giveCommands(game, game->frames->frame + 1);
        pthread_barrier_wait(&game->done);
    }
    return NULL;
}

/* ---- Recording ---- */

static void openGame(Game *game, const Host *host) {
    static float positions[VERTICES][3], weights[VERTICES];
    static uint8_t joints[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        const float angle = 6.2831853f * (float)(i % SIDES) / SIDES;
        joints[i] = (uint8_t)(i / SIDES);
        weights[i] = 1.0f;
        positions[i][0] = cosf(angle);
        positions[i][1] = (float)joints[i];
        positions[i][2] = sinf(angle);
    }
    VkskinContextDef def = hostContextDef(host);
    def.backend = VKSKIN_BACKEND_CPU;
    def.framesInFlight = HOST_IN_FLIGHT;
    def.outputRegions = HOST_IN_FLIGHT;
    def.outputUsage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    VkskinMeshDef tube = vkskinDefaultMeshDef();
    tube.name = "tube";
    tube.vertexCount = VERTICES;
    tube.boneCount = BONES;
    tube.positions = positions[0];
    tube.influencesPerVertex = 1;
    tube.jointFormat = VKSKIN_JOINTS_U8;
    tube.joints = joints;
    tube.weights = weights;
    VkskinMesh mesh;
    HOST_SKIN(vkskinOpen(&def, &tube, 1, VKSKIN_METHOD_LINEAR_BLEND_BIT, &game->context, &mesh));
    HOST_SKIN(vkskinCreateInstances(game->context, mesh, CHARACTERS, game->instances));
}

/* Records and submits the current frame. Instead of drawing, it copies one character. */
static void recordFrame(Game *game) {
    HostFrames *frames = game->frames;
    VkskinOutput outputs[CHARACTERS];
    HOST_SKIN(vkskinRecordSkinning(game->context, frames->commands));
    HOST_SKIN(vkskinGetOutputs(game->context, game->instances, CHARACTERS, outputs));
    hostRecordReadback(frames, &outputs[frames->frame % CHARACTERS]);
    lockQueue(game);
    hostFramesSubmit(frames, (HostTimeline){0});
    unlockQueue(game);
    frames->outOfDate = false; /* the other slot is prepared already: slots alternate */
}

/* The first vertex of the last bone. */
static void check(unsigned frame, const void *bytes) {
    const float(*skinned)[3] = bytes;
    float bones[BONES][3][4], expected[3];
    poseCharacter(frame, frame % CHARACTERS, bones);
    for (int axis = 0; axis < 3; axis++) {
        const float *row = bones[BONES - 1][axis];
        expected[axis] = row[0] + row[1] * (BONES - 1) + row[3];
    }
    const float *found = skinned[VERTICES - SIDES];
    if (!(fabsf(found[0] - expected[0]) + fabsf(found[1] - expected[1]) + fabsf(found[2]) < 1e-3f)) {
        hostFail("frame %u: (%g, %g, %g) instead of (%g, %g, 0)", frame, found[0], found[1], found[2], expected[0],
                 expected[1]);
    }
}

/* ---- The loop ---- */

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* Runs `count` frames, each prepared during the one before if `overlaps`. Returns milliseconds of the fastest one: other
 * programs only make frames slower. */
static double runFrames(Game *game, unsigned count, bool overlaps) {
    double fastest = INFINITY, begun = now();
    for (unsigned left = count; left > 0 && hostFramesNext(game->frames); left--) {
        HOST_SKIN(vkskinBeginFrame(game->context, game->frames->slot));
        const bool whole = game->prepared == overlaps; /* not the first frame of a turn */
        if (!game->prepared) {
            giveCommands(game, game->frames->frame);
        }
        game->prepared = overlaps;
        if (overlaps) {
            pthread_barrier_wait(&game->start);
        }
        recordFrame(game);
        if (overlaps) {
            pthread_barrier_wait(&game->done);
        }
        fastest = whole ? fmin(fastest, now() - begun) : fastest;
        begun = now();
    }
    return fastest;
}

static void measure(Game *game) {
    double fastest[2] = {INFINITY, INFINITY};
    for (int turn = 0; turn < TURNS; turn++) {
        const bool overlaps = turn % 2 != 0;
        fastest[overlaps] = fmin(fastest[overlaps], runFrames(game, TURN, overlaps));
    }
    printf("the fastest frame took %.3f ms on one thread, %.3f ms on two: x%.2f\n", fastest[0], fastest[1],
           fastest[0] / fastest[1]);
}

int main(int argc, char **argv) {
    static Game game; /* zero */
    const bool measured = argc > 1 && strcmp(argv[1], "--measure") == 0;
    Host host;
    hostOpen(&host, "overlap", NULL);
    openGame(&game, &host);
    const unsigned count = measured ? TURN * TURNS : FRAMES;
    HostFrames frames = hostFramesCreate(&host, count, (VkDeviceSize)VERTICES * 3 * sizeof(float), check);
    game.frames = &frames;
    pthread_t thread;
    if (pthread_barrier_init(&game.start, NULL, 2) != 0 || pthread_barrier_init(&game.done, NULL, 2) != 0 ||
        pthread_mutex_init(&game.queue, NULL) != 0 || pthread_create(&thread, NULL, runGame, &game) != 0) {
        hostFail("overlap: no thread");
    }
    if (measured) {
        measure(&game);
    } else {
        runFrames(&game, FRAMES, true);
    }
    (void)hostFramesNext(&frames); /* the last frames end and are checked */
    game.over = true;
    pthread_barrier_wait(&game.start);
    pthread_join(thread, NULL);
    printf("%u frames of %d characters are as expected\n", count, CHARACTERS);
    vkskinDestroyContext(game.context);
    hostFramesDestroy(&frames);
    return hostClose(&host);
}
