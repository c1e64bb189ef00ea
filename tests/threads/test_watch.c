/*
 * Races on purpose, which the watch must report: argument `plain` for one of two threads that only the pretended driver
 * orders, by its lock; `marked` for two threads that record into one command buffer.
 */
#include <stdio.h>
#include <string.h>

#include "crew.h"
#include "null_driver.h"

typedef struct Ground {
    NullDriver *driver;
    VkCommandBuffer commandBuffer;
    uint32_t word;
    _Atomic uint64_t written;
} Ground;

static void writeFirst(void *argument) {
    Ground *ground = argument;
    ground->word = 1;
    (void)nullDriverFaults(ground->driver);
    crewWrite(&ground->written, 1);
}

static void writeSecond(void *argument) {
    Ground *ground = argument;
    while (crewRead(&ground->written) == 0) {
        (void)nullDriverFaults(ground->driver);
    }
    ground->word = 2;
}

static void record(void *argument) {
    Ground *ground = argument;
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "both"};
    nullDriverFunctions()->vkCmdBeginDebugUtilsLabelEXT(ground->commandBuffer, &label);
}

int main(int argumentCount, char **arguments) {
    static const CrewWork plain[] = {writeFirst, writeSecond};
    static const CrewWork marked[] = {record, record};
    bool isPlain = argumentCount == 2 && strcmp(arguments[1], "plain") == 0;
    Ground ground = {.driver = nullDriverCreate(NULL)};
    ground.commandBuffer = nullDriverBegin(ground.driver);
    crewRun(isPlain ? plain : marked, 2, &ground);
    printf("no race was reported; the word is %u\n", ground.word);
    nullDriverDrop(ground.commandBuffer);
    return (int)nullDriverDestroy(ground.driver);
}
