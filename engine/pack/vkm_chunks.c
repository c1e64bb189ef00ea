#include "vkm_chunks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vkm_checksum.h"

/* ---- Chunks ---- */

#define CHUNK_NAME(name, a, b, c, d, version, needed) #name,
#define CHUNK_HEAD(name, a, b, c, d, version, needed) {VKM_TYPE(a, b, c, d), version, 0, 0, 0},
#define CHUNK_NEED(name, a, b, c, d, version, needed) needed,
const char *const VKM_CHUNK_NAMES[] = {VKM_CHUNKS(CHUNK_NAME)};
static const VkmChunk HEADS[] = {VKM_CHUNKS(CHUNK_HEAD)};
static const bool NEEDED[] = {VKM_CHUNKS(CHUNK_NEED)};

typedef struct Reader {
    uint8_t *image;
    uint64_t size;
    bool checksums;
    VkmSection *sections;
    EngineError *error;
} Reader;

bool vkmRefuse(const char *name, const char *fault, EngineError *error) {
    return engineFail(error, "chunk %s: %s", name, fault);
}

int vkmChunkKind(uint32_t type) {
    int kind = 0;
    while (kind < VKM_CHUNK_COUNT && HEADS[kind].type != type) {
        kind++;
    }
    return kind;
}

/* The four characters of a type; others than printable ones become '?'. */
static void typeName(uint32_t type, char name[5]) {
    for (int i = 0; i < 4; i++) {
        const uint32_t c = type >> (8 * i) & 0xffu;
        name[i] = '?';
        if (c > ' ' && c < 127) {
            name[i] = (char)c;
        }
    }
    name[4] = '\0';
}

static bool checkChunk(Reader *reader, const VkmChunk *head, uint8_t *payload) {
    char name[5];
    typeName(head->type, name);
    const uint64_t seed = vkmChecksum(head, offsetof(VkmChunk, checksum), 0);
    if (head->reserved != 0) {
        return vkmRefuse(name, "a reserved number is not 0", reader->error);
    }
    if (reader->checksums && vkmChecksum(payload, head->bytes, seed) != head->checksum) {
        return vkmRefuse(name, "the checksum is wrong: the file is damaged", reader->error);
    }
    const int kind = vkmChunkKind(head->type);
    if (kind == VKM_CHUNK_COUNT) {
        return true; /* unknown: skipped */
    }
    if (head->version != HEADS[kind].version) {
        return engineFail(reader->error, "chunk %s: its version is %u; this reader knows %u", name, head->version,
                          HEADS[kind].version);
    }
    VkmSection *section = &reader->sections[kind];
    if (section->bytes) {
        return vkmRefuse(name, "it is there twice", reader->error);
    }
    *section = (VkmSection){VKM_CHUNK_NAMES[kind], payload, head->bytes, 0, true, reader->error};
    return true;
}

/* Finds the chunk at *at and sets *at behind it. */
static bool nextChunk(Reader *reader, uint32_t index, const char *before, uint64_t *at, VkmChunk *head) {
    if (reader->size - *at < sizeof *head) {
        return engineFail(reader->error, "chunk %u%s%s: the file ends in its head", index, index ? ", after " : "",
                          before);
    }
    memcpy(head, reader->image + *at, sizeof *head);
    *at += sizeof *head;
    const uint64_t left = reader->size - *at;
    if (head->bytes > left || left - head->bytes < -head->bytes % VKM_ALIGNMENT) {
        char name[5];
        typeName(head->type, name);
        return vkmRefuse(name, "the file ends in it", reader->error);
    }
    return true;
}

static bool checkPadding(Reader *reader, const VkmChunk *head, uint64_t *at) {
    char name[5];
    typeName(head->type, name);
    for (*at += head->bytes; *at % VKM_ALIGNMENT != 0; ++*at) {
        if (reader->image[*at] != 0) {
            return vkmRefuse(name, "the bytes behind it are not 0", reader->error);
        }
    }
    return true;
}

static bool readHeader(Reader *reader, VkmHeader *head) {
    if (reader->size < VKM_MAGIC_SIZE || memcmp(reader->image, VKM_MAGIC, VKM_MAGIC_SIZE) != 0) {
        return engineFail(reader->error, "the head: not a " VKM_ENDING " file, or damaged by a transfer as text");
    }
    if (reader->size < sizeof *head) {
        return engineFail(reader->error, "the head: the file ends in it");
    }
    memcpy(head, reader->image, sizeof *head);
    if (head->major > VKM_MAJOR) {
        return engineFail(reader->error, "version %u.%u of " VKM_ENDING " is newer than this reader, which knows %u",
                          head->major, head->minor, VKM_MAJOR);
    }
    if (reader->checksums && head->checksum != vkmChecksum(reader->image, offsetof(VkmHeader, checksum), 0)) {
        return engineFail(reader->error, "the head: the checksum is wrong: the file is damaged");
    }
    if (head->major == 0) {
        return engineFail(reader->error, "the head: version 0");
    }
    return true;
}

static bool findChunks(Reader *reader) {
    VkmHeader head = {.chunkCount = 0};
    if (!readHeader(reader, &head)) {
        return false;
    }
    uint64_t at = sizeof head;
    char before[5] = "";
    for (uint32_t i = 0; i < head.chunkCount; i++) {
        VkmChunk chunk = {.type = 0};
        if (!nextChunk(reader, i, before, &at, &chunk) || !checkChunk(reader, &chunk, reader->image + at) ||
            !checkPadding(reader, &chunk, &at)) {
            return false;
        }
        typeName(chunk.type, before);
    }
    if (at != reader->size || at != head.fileBytes) {
        return engineFail(reader->error, "the head: it states %llu bytes, the chunks have %llu, the file %llu",
                          (unsigned long long)head.fileBytes, (unsigned long long)at, (unsigned long long)reader->size);
    }
    for (int kind = 0; kind < VKM_CHUNK_COUNT; kind++) {
        if (NEEDED[kind] && !reader->sections[kind].bytes) {
            return vkmRefuse(VKM_CHUNK_NAMES[kind], "the file does not have it", reader->error);
        }
    }
    return true;
}

/* ---- What a chunk names ---- */

void *vkmRefuseRow(VkmSection *section, const char *what, uint64_t row, const char *fault) {
    if (section->good) {
        section->good = engineFail(section->error, "chunk %s: %s of row %llu %s", section->name, what,
                                   (unsigned long long)row, fault);
    }
    return NULL;
}

/* Where `count` rows are. They lie behind all that was found before. Null: a fault. */
void *vkmTakeArray(VkmSection *section, const char *what, uint64_t row, uint64_t at, uint64_t count, uint64_t stride) {
    if (!section->good || count == 0 || stride == 0) {
        return section->good ? section->bytes : NULL; /* never read */
    }
    if (at % sizeof(uint32_t) != 0 || at < section->cursor || at > section->size ||
        count > (section->size - at) / stride) {
        return vkmRefuseRow(section, what, row, "are outside of the chunk or not in order");
    }
    section->cursor = at + count * stride;
    return section->bytes + at;
}

char *vkmTakeText(VkmSection *section, const char *what, uint64_t row, uint64_t at) {
    const bool inside = section->good && at >= section->cursor && at < section->size;
    const uint8_t *end = inside ? memchr(section->bytes + at, 0, section->size - at) : NULL;
    if (!end) {
        return vkmRefuseRow(section, what, row, "is outside of the chunk or not in order");
    }
    section->cursor = (uint64_t)(end - section->bytes) + 1;
    return (char *)section->bytes + at;
}

/* Copies the struct that a payload begins with. */
bool vkmTakeHead(VkmSection *section, void *head, size_t size) {
    if (section->size < size) {
        section->good = section->good && vkmRefuse(section->name, "it is too short", section->error);
    } else {
        memcpy(head, section->bytes, size);
        section->cursor = size;
    }
    return section->good;
}

bool vkmFindChunks(uint8_t *image, uint64_t size, bool checksums, VkmSection sections[VKM_CHUNK_COUNT],
                   EngineError *error) {
    Reader reader = {image, size, checksums, sections, error};
    return findChunks(&reader);
}

/* ---- The file ---- */

#define LARGE_PAGE ((size_t)2 << 20)

/* Reads up to `room` bytes; less at the end of the file. -1: errno says why. */
static ssize_t readUpTo(int descriptor, uint8_t *bytes, size_t room) {
    size_t size = 0;
    while (size < room) {
        const ssize_t got = read(descriptor, bytes + size, room - size);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return got < 0 ? -1 : (ssize_t)size;
        }
        size += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)size;
}

/* Large files lie in large pages, if the system has them: the faults of small pages would take longer than the copy. */
static void *allocateImage(size_t size) {
    const size_t alignment = size >= LARGE_PAGE / 2 ? LARGE_PAGE : VKM_ALIGNMENT;
    const size_t room = (size / alignment + 1) * alignment;
    void *image = aligned_alloc(alignment, room);
#ifdef MADV_HUGEPAGE
    if (image && alignment == LARGE_PAGE) {
        (void)madvise(image, (size + LARGE_PAGE / 2) / LARGE_PAGE * LARGE_PAGE,
                      MADV_HUGEPAGE); /* only a hint: failures do not matter */
    }
#endif
    return image;
}

/* The bytes of an open file, in memory of this process. Null: *error is written. */
static void *copyOpen(int descriptor, uint64_t limit, size_t *size, EngineError *error) {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        engineFail(error, "not a file");
        return NULL;
    }
    if ((uint64_t)status.st_size > limit) {
        engineFail(error, "the file is larger than %llu MiB", (unsigned long long)(limit >> 20));
        return NULL;
    }
    void *image = allocateImage((size_t)status.st_size);
    const ssize_t got = image ? readUpTo(descriptor, image, (size_t)status.st_size) : -1;
    if (got < 0) {
        engineFail(error, "%s", image ? strerror(errno) : "out of memory");
        free(image);
        return NULL;
    }
    *size = (size_t)got;
    return image;
}

void *vkmCopyFile(const char *path, uint64_t limit, size_t *size, EngineError *error) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a pipe must not block */
    if (descriptor < 0) {
        engineFail(error, "%s", strerror(errno));
        return NULL;
    }
    void *image = copyOpen(descriptor, limit, size, error);
    close(descriptor);
    return image;
}
