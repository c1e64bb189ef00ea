#include "drawn_probe.h"

#include "crowd_check.h"

#define NOTHING (-12345.0f) /* where no vertex was drawn */

static VkDeviceSize imageFloats(const DrawnProbe *probe) {
    return (VkDeviceSize)probe->program->width * probe->program->height * 4;
}

bool drawnProbeCreate(DrawnProbe *probe, EngineError *error) {
    return bufferCreate(probe->clock->device, imageFloats(probe) * POINT_IMAGES * sizeof(float),
                        VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK, "readback", &probe->readback, error);
}

void drawnProbeDestroy(DrawnProbe *probe) {
    if (probe->clock) {
        bufferDestroy(probe->clock->device, &probe->readback);
    }
}

static bool fetch(void *user, uint32_t instance, EngineError *error) {
    DrawnProbe *probe = user;
    VkCommandBuffer commandBuffer = deviceClockBegin(probe->clock, error);
    if (!commandBuffer) {
        return false;
    }
    pointProgramBegin(probe->program, commandBuffer, true, NOTHING);
    probe->draw(probe->user, commandBuffer, instance);
    pointProgramEnd(commandBuffer);
    pointProgramRead(probe->program, commandBuffer, &probe->readback);
    return deviceClockEnd(probe->clock, NULL, error);
}

/* What an image holds of a vertex. */
static const float *pixelOf(const DrawnProbe *probe, uint32_t image, uint32_t vertex) {
    const float *floats = probe->readback.mapped;
    return floats + image * imageFloats(probe) + (size_t)vertex * 4;
}

static ReadVertex readOutput(const void *user, uint32_t vertex) {
    ReadVertex read;
    for (int i = 0; i < 3; i++) {
        read.position[i] = pixelOf(user, 0, vertex)[i];
        read.normal[i] = pixelOf(user, 1, vertex)[i];
        read.tangent[i] = pixelOf(user, 2, vertex)[i];
    }
    read.tangent[3] = pixelOf(user, 2, vertex)[3];
    return read;
}

static bool isPoison(const void *user, uint32_t vertex) {
    return pixelOf(user, 0, vertex)[3] == NOTHING;
}

bool drawnProbeCheck(DrawnProbe *probe, const CrowdScene *scene, EngineError *error) {
    CrowdOutput output = {
        .format = probe->format, .fetch = fetch, .read = readOutput, .isPoison = isPoison, .user = probe};
    return crowdCheck(scene, &output, error);
}
