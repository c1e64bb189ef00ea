/* vkm_chunks.h: the chunks of a packed file in memory, and what a chunk names: offsets and counts are checked here. */
#ifndef ENGINE_VKM_CHUNKS_H
#define ENGINE_VKM_CHUNKS_H

#include "engine_error.h"
#include "vkm_layout.h"

/* The names of the chunks that this version knows. */
extern const char *const VKM_CHUNK_NAMES[VKM_CHUNK_COUNT];

/* Which of them has the type; VKM_CHUNK_COUNT: this version does not know it. */
int vkmChunkKind(uint32_t type);

/* A chunk that is being read. What it names comes in the order of vkm_layout.h, so `cursor` only grows. */
typedef struct VkmSection {
    const char *name;
    uint8_t *bytes; /* the payload; null: the file does not have the chunk */
    uint64_t size, cursor;
    bool good; /* false after the first fault, which *error names */
    EngineError *error;
} VkmSection;

/*
 * Finds all chunks. Checks the head, sizes, versions, checksums if `checksums` is set, and that needed chunks are there.
 * False: *error is written.
 */
bool vkmFindChunks(uint8_t *image, uint64_t size, bool checksums, VkmSection sections[VKM_CHUNK_COUNT],
                   EngineError *error);

/* Writes "chunk NAME: FAULT". Returns false. */
bool vkmRefuse(const char *name, const char *fault, EngineError *error);

/* Writes "chunk NAME: WHAT of row ROW FAULT" and makes the section bad. Returns null. */
void *vkmRefuseRow(VkmSection *section, const char *what, uint64_t row, const char *fault);

/* Where `count` rows are, behind all that was taken before; with no rows any address. Null: a fault. */
void *vkmTakeArray(VkmSection *section, const char *what, uint64_t row, uint64_t at, uint64_t count, uint64_t stride);

/* A text with its final zero. Null: a fault. */
char *vkmTakeText(VkmSection *section, const char *what, uint64_t row, uint64_t at);

/* Copies the struct that the payload begins with. False: a fault. */
bool vkmTakeHead(VkmSection *section, void *head, size_t size);

/* The bytes of a regular file in memory of this process, aligned to VKM_ALIGNMENT; free() it. Null: *error is written. */
void *vkmCopyFile(const char *path, uint64_t limit, size_t *size, EngineError *error);

#endif
