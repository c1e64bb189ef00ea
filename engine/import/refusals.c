#include "refusals.h"

#include "named_files.h"

#include <string.h>
#include <strings.h>

#define HEAD_SIZE 4096

/* The first bytes of a file, and a final zero. */
typedef struct Head {
    char bytes[HEAD_SIZE + 1];
    size_t size;
} Head;

static bool begins(const Head *head, const char *bytes, size_t size) {
    return head->size >= size && memcmp(head->bytes, bytes, size) == 0;
}

static bool isUtf16(const Head *head) {
    return begins(head, "\xff\xfe", 2) || begins(head, "\xfe\xff", 2);
}

/* ---- FBX: a mark, two fixed bytes, the version; or text ---- */

#define FBX_MARK   "Kaydara FBX Binary  "
#define FBX_HEAD   FBX_MARK "\0\x1a\0"
#define FBX_OLDEST 7100u

/* 7100 is version 7.1; 0: unknown. */
static unsigned fbxVersion(const Head *head) {
    unsigned version = 0;
    const size_t at = sizeof FBX_HEAD - 1;
    const char *line = strstr(head->bytes, "FBXVersion:");
    if (begins(head, FBX_HEAD, at) && head->size >= at + 4) {
        const uint8_t *number = (const uint8_t *)head->bytes + at;
        version = number[0] | (unsigned)number[1] << 8 | (unsigned)number[2] << 16 | (unsigned)number[3] << 24;
    } else if (line) {
        (void)sscanf(line, "FBXVersion: %5u", &version); /* NOLINT(cert-err34-c): five digits fit */
    }
    return version;
}

static bool refuseFbx(const Head *head, EngineError *error) {
    unsigned version = fbxVersion(head);
    if (begins(head, FBX_MARK, sizeof FBX_MARK - 1) && !begins(head, FBX_HEAD, sizeof FBX_HEAD - 1)) {
        engineFail(error, "the head of the file is damaged: it should have bytes of zero");
        return true;
    }
    if (version > 0 && version < FBX_OLDEST) {
        engineFail(error, "FBX %u.%u is older than this reader supports, which is %u.%u", version / 1000,
                   version / 100 % 10, FBX_OLDEST / 1000, FBX_OLDEST / 100 % 10);
        return true;
    }
    return false;
}

bool refusalFromHead(const char *path, EngineError *error) {
    Head head = {.size = 0};
    size_t size;
    FILE *file = fileOpen(path, &size);
    if (!file) {
        return false;
    }
    head.size = fread(head.bytes, 1, HEAD_SIZE, file);
    fclose(file);
    if (isUtf16(&head)) {
        engineFail(error, "the text is UTF-16, which is not supported; UTF-8 is");
        return true;
    }
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".fbx") == 0 && refuseFbx(&head, error);
}
