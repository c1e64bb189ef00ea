/*
 * check_commands.h: the checks of vkskinSkinInstances.
 */
#ifndef VKSKIN_CHECK_COMMANDS_H
#define VKSKIN_CHECK_COMMANDS_H

#include "context.h"

/* What a call has checked already. Neighbouring commands mostly share a mesh, a method and an encoding. */
typedef struct CommandChecks {
    VkskinContext context;
    const Mesh *mesh; /* null: nothing is known */
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
    bool morphs;
    uint32_t kernel; /* kernel for the four members above */
} CommandChecks;

/* A good command. */
typedef struct CheckedCommand {
    const VkskinSkinCommand *command;
    Instance *instance; /* claimed, unless the command is left out */
    const Mesh *mesh;
    uint64_t meshSerial;
    uint32_t kernel;
    uint32_t morphs; /* entries of its morph weights */
    bool leftOut;    /* culled or unchanged; the fields from `mesh` on are then not set */
} CheckedCommand;

static inline bool sknIsCulled(const VkskinSkinCommand *command) {
    return (command->flags & VKSKIN_SKIN_CULLED_BIT) != 0;
}

/*
 * Checks the command with index `at` in its call, and claims its instance. With the lock, also shared. `morphs`: entries
 * that the call needs for commands before it. Errors: as vkskinSkinInstances.
 */
VkskinResult sknCheckCommand(CommandChecks *checks, const VkskinSkinCommand *command, uint32_t at, uint32_t morphs,
                             CheckedCommand *checked);

/* Logs WARNING_NORMALS_CHEAP once per mesh, for the commands that are being recorded. With the lock. */
void sknCheckPalettes(VkskinContext context);

#endif
