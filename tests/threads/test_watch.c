/*
 * Planted races, which ThreadSanitizer must report. Argument `plain`: two threads write a word, ordered only by the null
 * driver's lock. `marked`: two threads record into one command buffer.
 */
#include "stage.h"

typedef struct Ground {
    NullDriver *driver;
    VkCommandBuffer commandBuffer;
    uint32_t word;
    Counter written;
} Ground;

static void writeFirst(void *argument) {
    Ground *ground = argument;
    ground->word = 1;
    (void)nullDriverFaults(ground->driver);
    counterWrite(&ground->written, 1);
}

static void writeSecond(void *argument) {
    Ground *ground = argument;
    while (counterRead(&ground->written) == 0) {
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
    static const ThreadWork plain[] = {writeFirst, writeSecond};
    static const ThreadWork marked[] = {record, record};
    bool isPlain = argumentCount == 2 && strcmp(arguments[1], "plain") == 0;
    Ground ground = {.driver = nullDriverCreate(NULL)};
    ground.commandBuffer = nullDriverBegin(ground.driver);
    runThreads(isPlain ? plain : marked, 2, &ground);
    printf("no race was reported; the word is %u\n", ground.word);
    nullDriverDrop(ground.commandBuffer);
    return (int)nullDriverDestroy(ground.driver);
}
