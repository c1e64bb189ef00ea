/*
 * crowd.c: a host whose characters live on the device. It creates 4,096 characters of two models, moves some and fades some
 * to another clip. In each frame the library poses, culls and skins them for two views and writes the arguments of the
 * draws: this program records one call for each view, however many characters there are, or one for each draw where the
 * device lacks features for that. crowd_hero.h follows one of them on the CPU. crowd_check.h checks each pixel and the
 * counters.
 */
#include "crowd_hero.h"

#include <string.h>

enum { FRAMES = 14, MAX_DRAWS = 8 * VIEWS };
/* The triangle shares an index buffer and a buffer of colours with another mesh, which comes first. */
enum { INDICES_BEFORE = 6, VERTICES_BEFORE = 4, INDICES = INDICES_BEFORE + 3, VERTICES = VERTICES_BEFORE + 3 };
#define FIRST_TICK 0xfffff800u /* the number of ticks wraps during the run */

static const uint32_t vertexWords[] =
#include "crowd.vert.inc"
    ;
static const uint32_t viewsWords[] =
#include "crowd_views.vert.inc"
    ;
static const uint32_t fragmentWords[] =
#include "dynamic.frag.inc"
    ;

/* As in crowd.vert. */
typedef struct Push {
    VkskinCrowdConstants draw;
    float shift[2], scale; /* world to clip space */
} Push;

/* As in crowd_views.vert. */
typedef struct ViewPush {
    VkDeviceAddress constants, frame;
    float shift[2], scale;
    uint32_t first;
} ViewPush;

typedef struct Renderer {
    const Host *host;
    bool oneCall; /* draws a view in one call */
    HostImage target;
    HostBuffer indices, colours;
    VkPipelineLayout layout, heroLayout;
    VkPipeline pipeline, heroPipeline;
    VkskinContext context;
    VkskinMesh mesh;
    Hero hero;
    VkskinCrowd crowd;
    VkskinCharacterDef defs[COUNT];
    VkskinCharacter characters[COUNT]; /* row y and column x is at y COLUMNS + x */
    VkskinCrowdDraw draws[MAX_DRAWS];
    HostStorageSet sets[MAX_DRAWS];
    uint32_t drawCount;
    VkskinCrowdBuffers buffers;
    HostSteps steps;
} Renderer;

/* ---- At load time ---- */

static void createCrowd(Renderer *renderer) {
    const VkskinAnimationBox boxes[NODES] = {vkskinEmptyAnimationBox(), {{0, 0, 0}, {1, 1, 0}}};
    VkskinContextDef context = hostContextDef(renderer->host);
    VkskinCrowdPart part = vkskinDefaultCrowdPart();
    VkskinCrowdModel models[MODELS] = {vkskinDefaultCrowdModel()};
    VkskinCrowdModel *model = &models[0];
    VkskinCrowdDef def = vkskinDefaultCrowdDef();
    VkskinSkinDef skin = vkskinDefaultSkinDef();
    context.framesInFlight = HOST_IN_FLIGHT;
    context.outputUsage |= renderer->oneCall ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0;
    renderer->context = hostOpenTriangleIn(&context, NULL, 0, true, &renderer->mesh);
    part.mesh = renderer->mesh;
    skin.nodeCount = NODES;
    skin.boneCount = 1;
    skin.boneNodes = (const uint32_t[1]){ARM};
    HOST_SKIN(vkskinCreateSkin(&skin, &model->skin));
    part.indexCount = 3;
    part.firstIndex = INDICES_BEFORE;
    part.vertexOffset = VERTICES_BEFORE;
    model->parts = &part;
    model->partCount = 1;
    model->slots = SLOTS / MODELS;
    model->boxes = boxes;
    models[1] = *model; /* odd columns */
    def.clipSet = packClips(renderer->context, boxes);
    def.models = models;
    def.modelCount = MODELS;
    def.maxViews = VIEWS;
    def.capacity = COUNT;
    HOST_SKIN(vkskinCreateCrowd(renderer->context, &def, &renderer->crowd, NULL));
    vkskinDestroySkin(model->skin);
}

static void createBuffers(Renderer *renderer) {
    static const uint16_t indices[INDICES] = {[INDICES_BEFORE] = 0, 1, 2};
    static const uint32_t colours[VERTICES] = {[VERTICES_BEFORE] = COLOUR, COLOUR, COLOUR};
    renderer->indices = hostBufferCreate(renderer->host, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, sizeof indices);
    renderer->colours = hostBufferCreate(renderer->host, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof colours);
    memcpy(renderer->indices.mapped, indices, sizeof indices);
    memcpy(renderer->colours.mapped, colours, sizeof colours);
}

/* What draws need never changes: written once. */
static void createDraws(Renderer *renderer) {
    createBuffers(renderer);
    renderer->drawCount = MAX_DRAWS;
    HOST_SKIN(vkskinGetCrowdDraws(renderer->context, renderer->crowd, renderer->draws, &renderer->drawCount));
    HOST_SKIN(vkskinGetCrowdBuffers(renderer->context, renderer->crowd, &renderer->buffers));
    const VkskinCrowdBuffers *buffers = &renderer->buffers;
    for (uint32_t i = 0; i < renderer->drawCount; i++) {
        const VkskinCrowdDraw *draw = &renderer->draws[i];
        const VkDescriptorBufferInfo ranges[3] = {{buffers->frame, buffers->frameOffset, buffers->frameSize},
                                                  {draw->vertices, 0, draw->verticesSize},
                                                  {renderer->colours.buffer, 0, VK_WHOLE_SIZE}};
        renderer->sets[i] = hostStorageSetCreate(renderer->host, 3, ranges);
    }
    HostShaders shaders = {vertexWords,          sizeof vertexWords,       fragmentWords,
                           sizeof fragmentWords, VK_FORMAT_R8G8B8A8_UNORM, SIDE,
                           sizeof(Push),         renderer->sets[0].layout};
    renderer->heroPipeline = hostPipeline(renderer->host, &shaders, &renderer->heroLayout);
    if (renderer->oneCall) {
        shaders.vertex = viewsWords;
        shaders.vertexSize = sizeof viewsWords;
        shaders.pushSize = sizeof(ViewPush);
    }
    renderer->target = hostImageCreate(renderer->host, shaders.format, SIDE);
    renderer->pipeline = hostPipeline(renderer->host, &shaders, &renderer->layout);
}

/* ---- The game: each character has a cell of the picture ---- */

/* All go to the right. Those of odd columns are two units, and seconds, ahead. */
static void addCharacters(Renderer *renderer) {
    VkskinCharacterDef *defs = renderer->defs;
    for (int i = 0; i < COUNT; i++) {
        const int row = i / COLUMNS, column = i % COLUMNS;
        defs[i] = vkskinDefaultCharacterDef();
        defs[i].model = (uint32_t)column % MODELS;
        defs[i].transform.m[0][3] = (float)(column * CELL);
        defs[i].transform.m[1][3] = (float)(row * CELL);
        defs[i].play.start = i % 2 == 0 ? .125f : .625f; /* moment of the first clip, ACROSS */
    }
    HOST_SKIN(
        vkskinAddCharacters(renderer->context, renderer->crowd, defs, sizeof defs[0], COUNT, renderer->characters));
    renderer->hero = heroCreate(renderer->host, renderer->context, renderer->crowd, renderer->mesh,
                                renderer->characters[HERO_ROW * COLUMNS + HERO_COLUMN], renderer->colours.buffer);
    renderer->hero.changedTick = FIRST_TICK + 1000; /* changeCharacters */
}

/* From frame 1 on, half of them fade to the other clip for two seconds. In frame 2, neighbours of the upper half change
 * places. */
static void changeCharacters(const Renderer *renderer, unsigned frame) {
    VkskinCharacter neighbours[COUNT / 2];
    VkskinCrowdPlay down = vkskinDefaultCrowdPlay();
    down.clip = DOWN;
    down.start = .375f;
    down.fade = 2;
    for (int i = 0; i < COUNT / 2; i++) {
        neighbours[i] = renderer->characters[i ^ 1];
    }
    if (frame == 1) {
        HOST_SKIN(vkskinPlayCharacters(renderer->context, renderer->crowd, renderer->characters + COUNT / 4, COUNT / 2,
                                       &down, 0));
    } else if (frame == 2) {
        HOST_SKIN(vkskinMoveCharacters(renderer->context, renderer->crowd, neighbours, COUNT / 2,
                                       &renderer->defs[0].transform, sizeof renderer->defs[0], VKSKIN_CROWD_TELEPORT));
    }
}

/* ---- A frame, a second after the one before ---- */

static uint32_t tickOf(const HostFrames *frames) {
    return FIRST_TICK + frames->frame * 1000;
}

/* Planes lie between two columns. */
static void recordCrowd(const Renderer *renderer, const HostFrames *frames) {
    const VkskinCrowdView views[VIEWS] = {
        {.kind = VKSKIN_CROWD_COLOUR, .planeCount = 1, .planes = {{-1, 0, 0, CELL * COLOUR_END - 2}}},
        {.kind = VKSKIN_CROWD_SHADOW, .planeCount = 1, .planes = {{1, 0, 0, -(CELL * SHADOW_BEGIN - 2)}}},
    };
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    frame.tick = tickOf(frames);
    frame.viewCount = VIEWS;
    frame.views = views;
    HOST_SKIN(vkskinRecordCrowd(renderer->context, frames->commands, renderer->crowd, &frame));
}

/* The constants of a draw, or where those of all draws are. */
static void pushDraw(const Renderer *renderer, VkCommandBuffer commands, uint32_t index) {
    const VkskinCrowdDraw *draw = &renderer->draws[index];
    const float shift = (float)draw->view * (CELL / 2.0f), scale = 2.0f / SIDE;
    const VkskinCrowdBuffers *buffers = &renderer->buffers;
    const Push one = {draw->constants, {0, shift}, scale};
    const ViewPush all = {buffers->constantsAddress, buffers->frameAddress, {0, shift}, scale, index};
    vkCmdPushConstants(commands, renderer->layout, VK_SHADER_STAGE_VERTEX_BIT, 0,
                       renderer->oneCall ? sizeof all : sizeof one,
                       renderer->oneCall ? (const void *)&all : (const void *)&one);
}

static void drawHero(Renderer *renderer, const HostFrames *frames) {
    vkCmdBindPipeline(frames->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->heroPipeline);
    for (uint32_t part = 0; part < PARTS; part++) {
        HeroDraw draw;
        if (heroDraw(renderer->host, &renderer->hero, frames->slot, renderer->colours.buffer, part, VERTICES_BEFORE,
                     &draw)) {
            const Push push = {draw.constants, {0, 0}, 2.0f / SIDE};
            vkCmdBindDescriptorSets(frames->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->heroLayout, 0, 1,
                                    &draw.set, 0, NULL);
            vkCmdPushConstants(frames->commands, renderer->heroLayout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push,
                               &push);
            vkCmdDraw(frames->commands, 3, 1, VERTICES_BEFORE, 0);
        }
    }
}

/* The colour view is drawn into the upper left quarter of each cell, and the shadow view below it. */
static void draw(Renderer *renderer, const HostFrames *frames) {
    VkCommandBuffer commands = frames->commands;
    hostRenderingBegin(frames, &renderer->steps, &renderer->target, SIDE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->pipeline);
    vkCmdBindIndexBuffer(commands, renderer->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    const uint32_t step = renderer->oneCall ? renderer->drawCount / VIEWS : 1; /* all views have as many draws */
    for (uint32_t i = 0; i < renderer->drawCount; i += step) {
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->layout, 0, 1,
                                &renderer->sets[i].set, 0, NULL);
        pushDraw(renderer, commands, i);
        vkCmdDrawIndexedIndirect(commands, renderer->buffers.frame,
                                 renderer->buffers.frameOffset + renderer->draws[i].argumentsOffset, step,
                                 sizeof(VkDrawIndexedIndirectCommand));
    }
    drawHero(renderer, frames);
    hostRenderingEnd(frames, &renderer->steps, &renderer->target, SIDE);
}

int main(void) {
    static Renderer renderer;
    VkskinCrowdStats stats = {0};
    Host host;
    renderer.oneCall = hostOpenMultiDraw(&host, "crowd");
    renderer.host = &host;
    createCrowd(&renderer);
    createDraws(&renderer);
    addCharacters(&renderer);
    HostFrames frames = hostFramesCreate(&host, FRAMES, sizeof(uint32_t) * SIDE * SIDE, check);
    while (hostFramesNext(&frames)) {
        HOST_SKIN(vkskinBeginFrame(renderer.context, frames.slot));
        HOST_SKIN(vkskinGetCrowdStats(renderer.context, renderer.crowd, &stats)); /* counts of a finished frame */
        if (stats.frame != 0) {
            checkStats(&stats, frames.frame > SWAP_AT && frames.frame < SWAP_BACK + 4);
        }
        changeCharacters(&renderer, frames.frame);
        heroPose(&renderer.hero, &frames, tickOf(&frames));
        heroSwap(&renderer.hero, frames.frame);
        HOST_SKIN(vkskinRecordSkinning(renderer.context, frames.commands));
        recordCrowd(&renderer, &frames);
        draw(&renderer, &frames);
        hostFramesSubmit(&frames, (HostTimeline){0});
    }
    checkStats(&stats, false);
    printf("%u characters: %u skinned, %u without a slot, %u drawn, %u shadows drawn\n", stats.characters,
           stats.skinned, stats.refused, stats.drawn[0], stats.drawn[1]);
    vkskinDestroyContext(renderer.context); /* and the crowd */
    hostFramesDestroy(&frames);
    heroDestroy(&host, &renderer.hero);
    for (uint32_t i = 0; i < renderer.drawCount; i++) {
        hostStorageSetDestroy(&host, &renderer.sets[i]);
    }
    hostBufferDestroy(&host, &renderer.indices);
    hostBufferDestroy(&host, &renderer.colours);
    vkDestroyPipeline(host.device, renderer.heroPipeline, NULL);
    vkDestroyPipelineLayout(host.device, renderer.heroLayout, NULL);
    vkDestroyPipeline(host.device, renderer.pipeline, NULL);
    vkDestroyPipelineLayout(host.device, renderer.layout, NULL);
    hostImageDestroy(&host, &renderer.target);
    return hostClose(&host);
}
