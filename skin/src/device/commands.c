#include "commands.h"

#include "check_commands.h"
#include "cpu_backend.h"

/* ---- Room ---- */

/* With two queue families: the recorded instances of the frame, and room to sort them. */
static bool reserveWritten(VkskinContext context, uint32_t count) {
    if (!sknTwoFamilies(context)) {
        return true;
    }
    uint32_t *written = sknHostReserve(context->gpu.hostAllocator, context->written, count, &context->writtenCapacity,
                                       2 * sizeof *written);
    context->written = written != NULL ? written : context->written;
    return written != NULL;
}

static VkskinResult checkMaxima(VkskinContext context, uint32_t commands, uint32_t morphs) {
    const CommandList *list = &context->preparing->commands;
    const uint32_t taken = sknTaken(&list->places), most = context->def.memory.maxInstances;
    if (commands > most - taken) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_INSTANCES,
                         "vkskinSkinInstances: at least %u commands after %u in this frame, maxInstances is %u",
                         commands, taken, most);
    }
    const uint32_t left = context->def.memory.maxMorphWeights - sknTaken(&list->morphPlaces);
    if (morphs > left) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_MORPHS,
                         "vkskinSkinInstances: morph weights take %u places, %u are left of maxMorphWeights (%u)",
                         morphs, left, context->def.memory.maxMorphWeights);
    }
    return VKSKIN_SUCCESS;
}

/* The room that `places` has with `count` more: its capacity if that is enough, else twice as much, up to `most`. */
static uint32_t roomFor(const Places *places, uint32_t count, uint32_t most) {
    const uint32_t needed = sknTaken(places) + count;
    const uint32_t room = needed <= places->capacity ? places->capacity : 2 * places->capacity;
    return needed > room ? needed : room < most ? room : most;
}

/*
 * Makes room for so many more commands of the frame that is prepared, and entries of their morph weights. After a failure
 * there may be more room, all else is as before. Errors: TOO_MANY_INSTANCES and TOO_MANY_MORPHS above the maxima,
 * OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
static VkskinResult reserveCommands(VkskinContext context, uint32_t commands, uint32_t morphs) {
    Frame *frame = context->preparing;
    Places *places = &frame->commands.places, *morphPlaces = &frame->commands.morphPlaces;
    VkskinResult result = checkMaxima(context, commands, morphs);
    if (result < 0) {
        return result;
    }
    const uint32_t room = roomFor(places, commands, context->def.memory.maxInstances);
    const uint32_t morphRoom = roomFor(morphPlaces, morphs, context->def.memory.maxMorphWeights);
    if (!sknGrowCommands(context->gpu.hostAllocator, &frame->commands, room, morphRoom) ||
        !reserveWritten(context, room)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u commands", room);
    }
    const uint32_t recordable = room - places->recorded, morphsRecordable = morphRoom - morphPlaces->recorded;
    result =
        sknReserveJobs(&context->gpu, &context->descriptors, &context->jobs, frame->slot, recordable, morphsRecordable);
    if (result >= 0 && sknOnCpu(context)) {
        result = sknReserveCpuWork(&context->gpu, &context->cpu, recordable, morphsRecordable);
    }
    if (result >= 0) {
        places->room = room;
        morphPlaces->room = morphRoom;
    }
    return result;
}

/* ---- Taking ---- */

/* Commands are checked and taken in parts, so that each part is still in the processor's cache when it is taken. */
#define PART 64u

/* A call of vkskinSkinInstances. */
typedef struct Taking {
    CommandChecks checks;
    const VkskinSkinCommand *commands;
    uint32_t count;
    VkskinResult *results; /* may be null */
    uint64_t frame;        /* the number of the frame */
    uint32_t done;         /* commands in parts that were taken */
    uint32_t culled, unchanged, refused;
    uint32_t morphsAt, morphs; /* the last entries that were taken one after the other */
    CheckedCommand part[PART];
    uint32_t partCount, partMorphs;
} Taking;

static void unclaimPart(Taking *taking) {
    for (uint32_t i = 0; i < taking->partCount; i++) {
        sknUnclaimUpdate(&taking->part[i].instance->updates);
    }
    taking->partCount = 0;
}

/* How many commands ahead an instance is fetched: about the latency of memory. */
#define AHEAD 8u

/* Claiming an instance is atomic, so the processor does not fetch the next one meanwhile. */
static void fetchAhead(const Taking *taking, uint32_t at) {
    if (taking->count - at > AHEAD) {
        sknFetchInstance(taking->checks.context, taking->commands[at + AHEAD].instance);
    }
}

/* Checks the commands from taking->done to `end` - 1. Without results, the first error ends the call. */
static VkskinResult checkPart(Taking *taking, uint32_t end) {
    taking->partCount = 0;
    taking->partMorphs = 0;
    for (uint32_t i = taking->done; i < end; i++) {
        fetchAhead(taking, i);
        CheckedCommand *checked = &taking->part[taking->partCount];
        VkskinResult result = sknCheckCommand(&taking->checks, &taking->commands[i], i, taking->partMorphs, checked);
        if (taking->results != NULL) {
            taking->results[i] = result;
            taking->refused += result < 0;
        } else if (result < 0) {
            return result;
        }
        if (result >= 0 && checked->leftOut) {
            bool culled = sknIsCulled(checked->command);
            taking->culled += culled;
            taking->unchanged += !culled;
        } else if (result >= 0) {
            taking->partMorphs += checked->morphs;
            taking->partCount++;
        }
    }
    return VKSKIN_SUCCESS;
}

static void takeCommand(VkskinContext context, const CheckedCommand *checked, uint32_t place, uint32_t morphPlace) {
    const VkskinSkinCommand *command = checked->command;
    Instance *instance = checked->instance;
    const Mesh *mesh = checked->mesh;
    Frame *frame = context->preparing;
    const UpdateDef def = {
        .frame = frame->number,
        .slotSerial = frame->slotSerial,
        .poseVersion = command->poseVersion,
        .command = place,
        .regions = mesh->regions,
        .teleport = (command->flags & VKSKIN_SKIN_TELEPORT_BIT) != 0,
    };
    const Update *update = sknAddUpdate(&instance->updates, &def);
    bool bones = mesh->info.boneCount > 0;
    frame->commands.commands[place] = (Command){
        .key =
            {
                .kernel = checked->kernel,
                .meshPage = mesh->source.page,
                .palettePage = bones ? command->palette.page : 0,
                .outputPage = instance->output.page,
                .outputRegion = update->region,
                .mesh = instance->mesh,
            },
        .target =
            {
                .palette = bones ? command->palette.offset / 16 : 0,
                .vertices = (uint32_t)(instance->output.offset / 4),
                .morphs = checked->morphs > 0 ? morphPlace + 1 : 0,
            },
        .owner = command->instance.index - 1,
    };
    if (checked->morphs > 0) {
        sknPutMorphs(frame->commands.morphs + morphPlace, mesh, command->morphWeights, command->morphWeightCount);
    }
}

/* Takes the checked part. False, and nothing is taken, if the frame's room is too small. */
static bool takePart(Taking *taking) {
    VkskinContext context = taking->checks.context;
    CommandList *list = &context->preparing->commands;
    uint32_t place = 0, morphPlace = 0;
    if (!sknTakePlaces(&list->morphPlaces, taking->partMorphs, &morphPlace)) {
        return false;
    }
    if (!sknTakePlaces(&list->places, taking->partCount, &place)) {
        sknGivePlaces(&list->morphPlaces, morphPlace, taking->partMorphs);
        return false;
    }
    bool follows = morphPlace == taking->morphsAt + taking->morphs;
    taking->morphsAt = follows ? taking->morphsAt : morphPlace;
    taking->morphs = (follows ? taking->morphs : 0) + taking->partMorphs;
    for (uint32_t i = 0; i < taking->partCount; i++) {
        const Command *command = &list->commands[place + i];
        takeCommand(context, &taking->part[i], place + i, morphPlace);
        list->follows[place + i] = i > 0 && sknSameJob(&command[-1].key, &command->key);
        morphPlace += taking->part[i].morphs;
    }
    return true;
}

/* ---- Dropping ---- */

/* Drops the command of an update that is not recorded. */
static void dropCommand(VkskinContext context, Frame *frame, uint32_t command) {
    uint32_t moved = sknDropCommand(&frame->commands, command);
    if (moved != NO_INDEX) {
        sknUpdateIn(&sknInstance(context, moved)->updates, frame->number)->command = command;
    }
}

static void dropFrom(VkskinContext context, Frame *frame, Instance *instance) {
    const Update *update = sknUpdateIn(&instance->updates, frame->number);
    if (update != NULL && update->command >= frame->commands.places.recorded) {
        dropCommand(context, frame, update->command);
    }
}

void sknDropCommandsOf(VkskinContext context, Instance *instance) {
    dropFrom(context, context->preparing, instance);
    if (sknOverlaps(context)) {
        dropFrom(context, context->recording, instance);
    }
}

/* A later update of the frame that is prepared writes another region. */
static void takeBackCommand(VkskinContext context, Instance *instance, uint64_t frame) {
    const Update *later = sknTakeBackUpdate(&instance->updates, frame, sknMesh(context, instance->mesh)->regions,
                                            context->preparing->slotSerial);
    if (later != NULL) {
        CommandList *list = &context->preparing->commands;
        list->commands[later->command].key.outputRegion = later->region;
        sknSplitCommands(list, later->command);
    }
}

uint32_t sknTakeBackCommands(VkskinContext context) {
    Frame *frame = context->recording;
    const Commands left = sknUnrecorded(&frame->commands);
    for (uint32_t i = 0; i < left.count; i++) {
        takeBackCommand(context, sknInstance(context, left.commands[i].owner), frame->number);
    }
    return left.count;
}

void sknTakeBackFrames(VkskinContext context) {
    for (uint32_t i = 0; i < context->instances.capacity; i++) {
        Instance *instance = sknInstance(context, i);
        if (instance->header.alive) {
            sknTakeBackUpdates(&instance->updates, context->recording->number);
        }
    }
}

/* ---- The call ---- */

/* Whether the call took this command: its instance has a command of the frame that is not recorded. */
static Instance *takenInstance(const Taking *taking, uint32_t at) {
    VkskinContext context = taking->checks.context;
    const VkskinSkinCommand *command = &taking->commands[at];
    const VkskinInstance handle = command->instance;
    Instance *instance = sknHandleGet(&context->instances, handle.index, handle.generation);
    if (instance == NULL || sknIsCulled(command) || (taking->results != NULL && taking->results[at] < 0)) {
        return NULL;
    }
    const Update *update = sknNewestUpdate(&instance->updates);
    bool taken = update->frame == taking->frame && update->command >= context->preparing->commands.places.recorded;
    return taken ? instance : NULL;
}

/* With the lock alone: takes back the parts that were taken. */
static void takeBackParts(Taking *taking) {
    VkskinContext context = taking->checks.context;
    Frame *frame = context->preparing;
    if (frame->number != taking->frame) {
        return; /* another thread has ended the frame, against the rules */
    }
    for (uint32_t i = 0; i < taking->done; i++) {
        Instance *instance = takenInstance(taking, i);
        if (instance != NULL) {
            dropFrom(context, frame, instance);
            sknTakeBackUpdates(&instance->updates, taking->frame);
        }
    }
    sknGivePlaces(&frame->commands.morphPlaces, taking->morphsAt, taking->morphs);
}

/* With the lock alone after it was given up: objects may have moved, an instance may have been destroyed, or its mesh
 * replaced, which drops its command too: all was checked against the old mesh. */
static void refreshPart(Taking *taking) {
    VkskinContext context = taking->checks.context;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < taking->partCount; i++) {
        CheckedCommand checked = taking->part[i];
        const VkskinInstance handle = checked.command->instance;
        checked.instance = sknHandleGet(&context->instances, handle.index, handle.generation);
        checked.mesh = checked.instance != NULL ? sknMesh(context, checked.instance->mesh) : NULL;
        if (checked.mesh != NULL && checked.mesh->serial == checked.meshSerial) {
            taking->part[kept++] = checked;
        } else {
            taking->partMorphs -= checked.morphs;
        }
    }
    taking->partCount = kept;
    taking->checks.mesh = NULL;
}

/* With the lock alone: makes room for the part and takes it. On failure takes back all parts. */
static VkskinResult growAndTake(Taking *taking) {
    VkskinContext context = taking->checks.context;
    if (context->preparing->number != taking->frame) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_FRAME_ORDER,
                         "vkskinSkinInstances: another thread ended the frame during the call");
    }
    refreshPart(taking);
    VkskinResult result = reserveCommands(context, taking->partCount, taking->partMorphs);
    if (result < 0) {
        unclaimPart(taking);
        takeBackParts(taking);
    } else {
        (void)takePart(taking);
    }
    return result;
}

/* Checks and takes a part. With the lock shared; on failure it is given up. */
static VkskinResult runPart(Taking *taking) {
    VkskinContext context = taking->checks.context;
    const uint32_t left = taking->count - taking->done;
    const uint32_t end = taking->done + (left < PART ? left : PART);
    VkskinResult result = checkPart(taking, end);
    if (result >= 0 && takePart(taking)) {
        taking->done = end;
        return result;
    }
    if (result < 0) {
        unclaimPart(taking);
    }
    (void)sknLeaveShared(context, result);
    if (result < 0 && taking->done == 0) {
        return result;
    }
    (void)sknEnter(context);
    if (result < 0) {
        takeBackParts(taking);
        return sknLeave(context, result);
    }
    result = sknLeave(context, growAndTake(taking));
    taking->done = end;
    return result < 0 ? result : sknEnterShared(context);
}

static VkskinResult finish(const Taking *taking) {
    VkskinContext context = taking->checks.context;
    Frame *frame = context->preparing;
    if (taking->culled > 0) {
        atomic_fetch_add_explicit(&frame->culled, taking->culled, memory_order_relaxed);
    }
    if (taking->unchanged > 0) {
        atomic_fetch_add_explicit(&frame->unchanged, taking->unchanged, memory_order_relaxed);
    }
    if (taking->refused > 0) {
        return sknReport(&context->gpu.logger, VKSKIN_WARNING_COMMANDS_REFUSED,
                         "vkskinSkinInstances: %u of %u commands were refused", taking->refused, taking->count);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count,
                                 VkskinResult *results) {
    VkskinResult result = sknEnterShared(context);
    if (result < 0) {
        return result;
    }
    result = sknNeedFrame(context, "vkskinSkinInstances", "commands", count > 0 ? (const void *)commands : context);
    if (result < 0) {
        return sknLeaveShared(context, result);
    }
    Taking taking; /* not set to zero: the part is large */
    taking.checks = (CommandChecks){.context = context};
    taking.commands = commands;
    taking.count = count;
    taking.results = results;
    taking.frame = context->preparing->number;
    taking.done = taking.culled = taking.unchanged = taking.refused = taking.morphsAt = taking.morphs = 0;
    while (taking.done < count) {
        result = runPart(&taking);
        if (result < 0) {
            return result;
        }
    }
    return sknLeaveShared(context, finish(&taking));
}

/* ---- Recording ---- */

static void countCommands(VkskinContext context, const Commands *commands) {
    VkskinStats *stats = &context->recording->recorded;
    const JobTable *jobs = &context->jobs;
    for (uint32_t i = 0; i < jobs->jobCount; i++) {
        const Mesh *mesh = sknMesh(context, jobs->jobs[i].key.mesh);
        uint64_t vertices = (uint64_t)jobs->jobs[i].count * mesh->info.vertexCount;
        stats->verticesSkinned += vertices;
        stats->outputBytes += vertices * sknVertexBytes(&mesh->info);
    }
    stats->instancesSkinned += commands->count;
    stats->dispatches += jobs->dispatchCount;
    for (uint32_t i = 0; context->written != NULL && i < commands->count; i++) {
        context->written[context->writtenCount++] = commands->commands[i].owner;
        context->writtenSorted = false;
    }
}

void sknFinishCommands(VkskinContext context) {
    const Commands commands = sknUnrecorded(&context->recording->commands);
    sknCheckPalettes(context);
    countCommands(context, &commands);
    sknMarkRecorded(&context->recording->commands);
}

VkskinResult sknNeedOwnership(VkskinContext context, const char *call) {
    if (sknUnrecorded(&context->recording->commands).count > 0 && (context->released || context->acquired)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: %s was recorded in this frame already",
                         call, context->released ? "vkskinRecordRelease" : "vkskinRecordAcquire");
    }
    return VKSKIN_SUCCESS;
}

/* ---- Matrices of the host ---- */

static const char call[] = "vkskinSkinMatrices";

/* Instances of a call that takes no host memory, and palettes of one allocation. */
#define MATRIX_PART 64u

typedef struct MatrixCall {
    VkskinContext context;
    VkskinMethod method;
    const VkskinInstance *instances;
    const VkskinMatrices *matrices;
    uint32_t count;
    VkskinSkinCommand *commands; /* [count]; each has the encoding of its palette before the palette */
} MatrixCall;

/* With the lock shared. The commands, whose handles and methods are checked later, without their palettes. */
static VkskinResult makeCommands(const MatrixCall *work) {
    VkskinContext context = work->context;
    VkskinResult result = sknNeedFrame(context, call, "context", context);
    for (uint32_t i = 0; result >= 0 && i < work->count; i++) {
        const VkskinInstance handle = work->instances[i];
        const Instance *instance = sknHandleGet(&context->instances, handle.index, handle.generation);
        const bool flat = instance != NULL && sknMesh(context, instance->mesh)->info.dimensions == 2;
        work->commands[i] = (VkskinSkinCommand){
            .instance = handle,
            .palette = {.encoding = flat ? VKSKIN_PALETTE_MAT2X3 : vkskinMethodEncoding(work->method)},
            .method = work->method,
        };
    }
    return result;
}

static VkskinResult reportBone(const MatrixCall *work, uint32_t at, uint32_t bone, VkskinResult result) {
    const VkskinLogger *logger = &work->context->gpu.logger;
    const VkskinMatrices *matrices = &work->matrices[at];
    const char *what = "has a scale or shear that the palette cannot represent";
    switch (result) {
    case VKSKIN_ERROR_NULL_ARGUMENT:
        return sknReport(logger, result, "%s: matrices[%u].data is null", call, at);
    case VKSKIN_ERROR_INVALID_VALUE:
        return sknReport(logger, result, "%s: matrices[%u]: order (%u) or stride (%zu) is out of range", call, at,
                         (unsigned)matrices->order, matrices->stride);
    case VKSKIN_ERROR_TRANSFORM_NOT_FINITE:
        what = "is not finite, or too large for the palette";
        break;
    case VKSKIN_ERROR_TRANSFORM_NOT_AFFINE:
        what = "has a last row other than (0, 0, 0, 1): are the matrices row-major?";
        break;
    case VKSKIN_WARNING_DEPTH_LOST:
        what = "leaves the plane of the flat mesh";
        break;
    default:
        break;
    }
    return sknReport(logger, result, "%s: instance %u: the matrix of bone %u %s", call, at, bone, what);
}

static bool sameMatrices(const VkskinMatrices *a, const VkskinMatrices *b) {
    return a->data == b->data && a->count == b->count && a->order == b->order && a->stride == b->stride;
}

/* The instances from `first` to `end` - 1 have one encoding and up to MATRIX_PART different palettes. */
typedef struct MatrixPart {
    uint32_t first, end, count;
    uint32_t owners[MATRIX_PART]; /* [count]: the first instance of each palette */
    uint32_t bones[MATRIX_PART];
} MatrixPart;

static MatrixPart nextPart(const MatrixCall *work, uint32_t first) {
    MatrixPart part = {.first = first, .end = first};
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): makeCommands has set it */
    const VkskinPaletteEncoding encoding = work->commands[first].palette.encoding;
    for (; part.end < work->count && work->commands[part.end].palette.encoding == encoding; part.end++) {
        const VkskinMatrices *matrices = &work->matrices[part.end];
        if (part.end > first && sameMatrices(matrices, matrices - 1)) {
            continue;
        }
        if (part.count == MATRIX_PART) {
            break;
        }
        part.owners[part.count] = part.end;
        part.bones[part.count++] = matrices->count;
    }
    return part;
}

/* A warning is reported once per call. */
static VkskinResult writeMatrices(const MatrixCall *work, uint32_t at, VkskinPaletteEncoding encoding, void *data,
                                  VkskinResult before) {
    uint32_t bone = 0;
    const VkskinMatrices *matrices = &work->matrices[at];
    const VkskinResult result = vkskinWriteMatrices(matrices, encoding, data, matrices->count, &bone);
    if (result == VKSKIN_SUCCESS || (result > 0 && before > 0)) {
        return before;
    }
    return reportBone(work, at, bone, result);
}

static VkskinResult writePart(const MatrixCall *work, const MatrixPart *part, VkskinResult before) {
    const VkskinPaletteEncoding encoding = work->commands[part->first].palette.encoding;
    VkskinPalette palettes[MATRIX_PART];
    void *data[MATRIX_PART];
    VkskinResult result = vkskinAllocatePalettes(work->context, encoding, part->bones, 0, part->count, palettes, data);
    result = result >= 0 ? before : result;
    for (uint32_t i = 0; result >= 0 && i < part->count; i++) {
        const uint32_t end = i + 1 < part->count ? part->owners[i + 1] : part->end;
        result = writeMatrices(work, part->owners[i], encoding, data[i], result);
        for (uint32_t at = part->owners[i]; at < end; at++) {
            work->commands[at].palette = palettes[i];
        }
    }
    return result;
}

static VkskinResult skinMatrices(const MatrixCall *work) {
    VkskinResult result = sknEnterShared(work->context);
    if (result >= 0) {
        result = sknLeaveShared(work->context, makeCommands(work));
    }
    for (uint32_t first = 0; result >= 0 && first < work->count;) {
        const MatrixPart part = nextPart(work, first);
        result = writePart(work, &part, result);
        first = part.end;
    }
    if (result < 0) {
        return result;
    }
    const VkskinResult skinned = vkskinSkinInstances(work->context, work->commands, work->count, NULL);
    return skinned < 0 ? skinned : result;
}

VkskinResult vkskinSkinMatrices(VkskinContext context, VkskinMethod method, const VkskinInstance *instances,
                                const VkskinMatrices *matrices, uint32_t count) {
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = count > 0 ? sknNeedArgument(context, call, "instances", instances) : VKSKIN_SUCCESS;
    if (result >= 0 && count > 0) {
        result = sknNeedArgument(context, call, "matrices", matrices);
    }
    if (result < 0) {
        return result;
    }
    const VkskinHostAllocator *allocator = context->gpu.hostAllocator;
    VkskinSkinCommand few[MATRIX_PART];
    MatrixCall work = {context, method, instances, matrices, count, few};
    if (count > MATRIX_PART) {
        work.commands = sknHostAllocateArray(allocator, count, sizeof *work.commands);
    }
    if (work.commands == NULL) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for %u commands", call,
                         count);
    }
    result = skinMatrices(&work);
    if (work.commands != few) {
        sknHostFree(allocator, work.commands);
    }
    return result;
}
