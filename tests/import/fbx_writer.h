/*
 * fbx_writer.h: writes one description of an .fbx file in all forms that the reader knows.
 *
 * The description is a text file of 7.x, as in fixtures/. It has ids, one line for each property, and keys as decimals or
 * as the bits of floats. A table of fixtures has a row for each description; each row then runs in every form.
 */
#ifndef TEST_FBX_WRITER_H
#define TEST_FBX_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum FbxForm {
    FBX_FORM_TEXT,       /* the description itself */
    FBX_FORM_BINARY,     /* 7.4: offsets of 32 bits, arrays packed */
    FBX_FORM_WIDE,       /* 7.7: offsets of 64 bits, arrays plain */
    FBX_FORM_BIG,        /* 7.7, big-endian */
    FBX_FORM_OLD_TEXT,   /* 6.1 */
    FBX_FORM_OLD_BINARY, /* 6.1 */
    FBX_FORM_OLD_BIG,    /* 6.1, big-endian */
    FBX_FORM_COUNT,
    /*
     * Forms up to here hold everything. 6.1 has no: second layer, in-between shape, template, bias or kind of an
     * automatic slope, instance of a geometry with a skin; two objects with one name become two names.
     */
    FBX_FORM_NEW_COUNT = FBX_FORM_OLD_TEXT
} FbxForm;

/* The file's bytes, to be freed with free(); null: the description is not one. */
char *fbxWrite(const char *description, size_t size, FbxForm form, size_t *written);

#ifdef __cplusplus
}
#endif

#endif
