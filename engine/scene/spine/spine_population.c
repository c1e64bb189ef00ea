#include "spine_population.h"

#include <stdlib.h>
#include <unistd.h>

#include "splitmix.h"

#define CELL_SLACK 1.08 /* space per character relative to the largest box */

/* Camera of a street, in world units: height of the eye above it, and distance of the nearest characters. */
#define EYE_HEIGHT    2.2
#define NEAREST       2.0
#define DEPTH_OF_CELL 0.6                /* ground per character, as a share of its width */
#define GOLDEN        0.6180339887498949 /* steps of it, without whole parts, fill an interval evenly */

/* What all characters of a kind need. */
typedef struct Kind {
    const SpinePopulationKind *def;
    SpineBox room;   /* box of all poses in the 2D model's space */
    double scale;    /* to the world */
    uint32_t *cycle; /* [cycleCount] animations */
    uint32_t cycleCount;
    uint32_t characters; /* so far */
} Kind;

/* ---- What characters play ---- */

static bool listAnimations(Kind *kind, EngineError *error) {
    const SpineModel *spine = kind->def->spine;
    kind->cycle = engineAllocate((size_t)spine->animationCount + 1, sizeof *kind->cycle, error);
    for (uint32_t i = 0; i < spine->animationCount && kind->cycle && kind->def->cycles; i++) {
        if (spine->animations[i].duration > 0.0f) {
            kind->cycle[kind->cycleCount++] = i;
        }
    }
    return kind->cycle != NULL;
}

static SpineMotion motionOf(const Kind *kind, uint32_t number) {
    SpineMotion motion = kind->def->motion;
    if (kind->cycleCount > 0) {
        motion.animation = (int32_t)kind->cycle[number % kind->cycleCount];
    }
    return motion;
}

/* The box of all that characters of the kind play. */
static bool measure(Kind *kind, EngineError *error) {
    const SpineModel *spine = kind->def->spine;
    SpinePose *pose = spinePoseCreate(spine, kind->def->skins, kind->def->skinCount, error);
    kind->room = SPINE_EMPTY_BOX;
    for (uint32_t i = 0; i < (kind->cycleCount > 0 ? kind->cycleCount : 1) && pose; i++) {
        const SpineMotion motion = motionOf(kind, i);
        spineMotionAddBoxes(pose, &motion, &kind->room);
    }
    spinePoseFree(pose);
    const double side = fmax(kind->room.high[0] - kind->room.low[0], kind->room.high[1] - kind->room.low[1]);
    if (pose && !(side >= 0.0 && isfinite(side))) {
        return engineFail(error, "%s: no slot shows a region or a mesh", kind->def->path);
    }
    kind->scale = side > 0.0 ? 1.0 / side : 1.0;
    return pose != NULL;
}

/* ---- Where they stand ---- */

/* The largest box of all kinds in the world, with some space. */
typedef struct Cell {
    double width, height;
} Cell;

static Cell cellOf(const Kind *kinds, uint32_t count) {
    Cell cell = {0.0, 0.0};
    for (uint32_t k = 0; k < count; k++) {
        const SpineBox *room = &kinds[k].room;
        cell.width = fmax(cell.width, CELL_SLACK * kinds[k].scale * (room->high[0] - room->low[0]));
        cell.height = fmax(cell.height, CELL_SLACK * kinds[k].scale * (room->high[1] - room->low[1]));
    }
    cell.width = fmax(cell.width, 1e-3);
    cell.height = fmax(cell.height, 1e-3);
    return cell;
}

/* Puts a point of the 2D model's space to a place, at a size. */
static SpineMatrix placeAt(double scale, double fromX, double fromY, double x, double y) {
    return (SpineMatrix){scale, 0.0, 0.0, scale, x - scale * fromX, y - scale * fromY};
}

static SpineMatrix placeInGrid(const SpinePopulationDef *def, const Kind *kind, Cell cell, uint32_t index) {
    const double wanted = sqrt(def->count * def->aspect * cell.height / cell.width);
    const uint32_t columns = (uint32_t)fmin(fmax(round(wanted), 1.0), def->count);
    const uint32_t column = index % columns, row = index / columns;
    const SpineBox *room = &kind->room;
    return placeAt(kind->scale, (room->low[0] + room->high[0]) / 2.0, (room->low[1] + room->high[1]) / 2.0,
                   (column + 0.5) * cell.width, -(row + 0.5) * cell.height);
}

/*
 * In perspective: at a distance d all is 1 / d as large. The ground that the picture shows up to there grows with the square
 * of d, so that even steps of the square give an even population. `shift`: a random share of the picture's width.
 */
static SpineMatrix placeInStreet(const SpinePopulationDef *def, const Kind *kind, Cell cell, uint32_t index,
                                 double shift) {
    const double depth = cell.width * DEPTH_OF_CELL * cell.width; /* ground of a character */
    const double share = 1.0 - (index + 0.5) / def->count;        /* from back to front */
    const double distance = sqrt(NEAREST * NEAREST + share * def->count * 2.0 * depth / def->aspect);
    const double across = fmod(shift + index * GOLDEN, 1.0);
    return placeAt(kind->scale / distance, (kind->room.low[0] + kind->room.high[0]) / 2.0, kind->room.low[1],
                   (across - 0.5) * def->aspect, -EYE_HEIGHT / distance);
}

static void enterBox(SpinePopulation *population, const SpineBox *room, const SpineMatrix *place) {
    const double low[2] = {place->a * room->low[0] + place->x0, place->d * room->low[1] + place->y0};
    const double high[2] = {place->a * room->high[0] + place->x0, place->d * room->high[1] + place->y0};
    for (int i = 0; i < 2; i++) {
        population->box.low[i] = fmin(population->box.low[i], low[i]);
        population->box.high[i] = fmax(population->box.high[i], high[i]);
    }
}

/* ---- The population ---- */

/* Each character has a pose, so that all of them are evaluated at once. Half of the memory is for everything else. */
static bool checkMemory(const SpinePopulationDef *def, EngineError *error) {
    const long pages = sysconf(_SC_PHYS_PAGES), pageSize = sysconf(_SC_PAGESIZE);
    const uint64_t memory = pages > 0 && pageSize > 0 ? (uint64_t)pages * (uint64_t)pageSize : UINT64_MAX; /* unknown */
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < def->kindCount; k++) {
        bytes += (uint64_t)spinePopulationCountOf(def, k) * spinePoseBytes(def->kinds[k].spine);
    }
    return bytes <= memory / 2 ||
           engineFail(error,
                      "%u 2D characters are too many for this machine: their poses need %llu MiB, it has %llu MiB",
                      def->count, (unsigned long long)(bytes >> 20), (unsigned long long)(memory >> 20));
}

static void enterCharacters(const SpinePopulationDef *def, Kind *kinds, SpinePopulation *population) {
    const Cell cell = cellOf(kinds, def->kindCount);
    uint64_t state = def->seed;
    const double shift = randomShare(&state);
    for (uint32_t i = 0; i < def->count; i++) {
        const uint32_t number = i % def->kindCount; /* NOLINT(clang-analyzer-core.DivideZero): at least one */
        Kind *kind = &kinds[number];
        SpineActor *actor = &population->actors[i];
        actor->motion = motionOf(kind, kind->characters++);
        actor->duration = spineMotionDuration(kind->def->spine, &actor->motion);
        const double share = randomShare(&state);
        const bool plays = actor->motion.machine != NULL;
        const double turn = plays ? spineDuration(kind->def->spine, actor->motion.animation) : actor->duration;
        actor->start = def->time >= 0.0 ? def->time : share * turn;
        population->characters[i] =
            (SpineCharacter){.model = number,
                             .place = def->placement == SPINE_GRID ? placeInGrid(def, kind, cell, i)
                                                                   : placeInStreet(def, kind, cell, i, shift)};
        enterBox(population, &kind->room, &population->characters[i].place);
    }
}

bool spinePopulationCreate(const SpinePopulationDef *def, SpinePopulation *population, EngineError *error) {
    *population = (SpinePopulation){0};
    if (!checkMemory(def, error)) {
        return false;
    }
    Kind *kinds = engineAllocate(def->kindCount, sizeof *kinds, error);
    *population = (SpinePopulation){.characters = engineAllocate(def->count, sizeof *population->characters, error),
                                    .actors = engineAllocate(def->count, sizeof *population->actors, error),
                                    .poses = engineAllocate(def->count, sizeof(SpinePose *), error),
                                    .count = def->count,
                                    .kinds = def->kinds,
                                    .box = SPINE_EMPTY_BOX};
    bool good = kinds && population->characters && population->actors && population->poses;
    for (uint32_t k = 0; k < def->kindCount && good; k++) {
        kinds[k] = (Kind){.def = &def->kinds[k]};
        good = listAnimations(&kinds[k], error) && measure(&kinds[k], error);
    }
    if (good) {
        enterCharacters(def, kinds, population);
    }
    for (uint32_t k = 0; k < def->kindCount && kinds; k++) {
        free(kinds[k].cycle);
    }
    free(kinds);
    return good;
}

bool spinePopulationMakePoses(SpinePopulation *population, EngineError *error) {
    for (uint32_t i = 0; i < population->count; i++) {
        SpineCharacter *character = &population->characters[i];
        const SpinePopulationKind *kind = &population->kinds[character->model];
        if (!population->poses[i]) {
            population->poses[i] = spinePoseCreate(kind->spine, kind->skins, kind->skinCount, error);
        }
        character->pose = population->poses[i];
        if (!character->pose) {
            return false;
        }
    }
    return true;
}

void spinePopulationFree(SpinePopulation *population) {
    for (uint32_t i = 0; i < population->count && population->poses; i++) {
        spinePoseFree(population->poses[i]);
    }
    free(population->characters);
    free(population->actors);
    free(population->poses);
    *population = (SpinePopulation){0};
}

uint32_t spinePopulationCountOf(const SpinePopulationDef *def, uint32_t kind) {
    return (def->count + def->kindCount - 1 - kind) / def->kindCount;
}

/* A task. */
static void poseCharacter(void *data, uint32_t index) {
    SpinePopulation *population = data;
    const SpineActor *actor = &population->actors[index];
    const double time = actor->start + population->clock;
    const double looped = actor->duration > 0.0 ? fmod(time, actor->duration) : time;
    if (population->plays) {
        spineMotionPlay(population->poses[index], &actor->motion, looped);
        return;
    }
    spinePoseAdvance(population->poses[index], population->step);
    spineMotionSet(population->poses[index], &actor->motion, looped);
}

void spinePopulationPose(SpinePopulation *population, ParallelPool *pool, double clock) {
    population->step = fmax(clock - population->clock, 0.0);
    population->clock = clock;
    parallelRun(pool, population->count, poseCharacter, population);
}
