/*
 * model_fields.h: every field of a Model described once, in the tables of model_fields.c.
 *
 * Code that handles whole models reads these tables: modelFree, modelCheck, the parser's answer (blob.c), gathering and
 * welding of vertices, and the fuzzer's models. Rows have the order in which blob.c writes fields: a count comes
 * before the arrays that need it.
 */
#ifndef ENGINE_MODEL_FIELDS_H
#define ENGINE_MODEL_FIELDS_H

#include "engine_error.h"
#include "model.h"

typedef enum ModelFieldKind {
    MODEL_TEXT,   /* char *: a zero-terminated text, never null */
    MODEL_PLAIN,  /* `size` bytes in the struct itself */
    MODEL_ARRAY,  /* pointer to rows of numbers or bytes */
    MODEL_STRUCTS /* pointer to structs with their own table; never null */
} ModelFieldKind;

/* Bits: conditions on each number of a field. Numbers have 32 bits; they are floats unless MODEL_BELOW is set. */
typedef enum ModelRule {
    MODEL_FINITE = 1,
    MODEL_NOT_NEGATIVE = 2,
    MODEL_UNIT = 4,      /* from 0 to 1 */
    MODEL_BELOW = 8,     /* uint32_t below the limit */
    MODEL_OR_NONE = 16,  /* int32_t: -1 is allowed too */
    MODEL_ASCENDING = 32 /* strictly if MODEL_BELOW is set; else equal neighbours are allowed */
} ModelRule;

/* Where the limit of MODEL_BELOW comes from. */
typedef enum ModelLimit {
    MODEL_LIMIT_NUMBER, /* `limit` itself */
    MODEL_LIMIT_INDEX,  /* the struct's own index among its siblings */
    MODEL_LIMIT_OWN,    /* the uint32_t at offset `limit` in the struct */
    MODEL_LIMIT_PARENT, /* the uint32_t at offset `limit` in the struct that contains it */
    MODEL_LIMIT_MODEL   /* the uint32_t at offset `limit` in the model */
} ModelLimit;

typedef struct ModelStruct ModelStruct;

typedef struct ModelField {
    const char *name;
    ModelFieldKind kind;
    size_t offset; /* in its struct */
    size_t size;   /* bytes of a plain field, of a row, of a struct */
    bool optional; /* an array that may be null */
    size_t count;  /* offset of the uint32_t that counts rows or structs, in the same struct */
    size_t factor; /* offset of a uint32_t that multiplies `size`; 0: none */
    size_t (*countOf)(const Model *model, const void *object); /* replaces `count`; or null */
    size_t (*factorOf)(const void *object);                    /* replaces `factor`; or null */
    unsigned rules;                                            /* ModelRule bits */
    ModelLimit limitIn;
    size_t limit;
    const ModelStruct *type; /* table of MODEL_STRUCTS */
} ModelField;

/* One struct of a model and the structs that contain it, up to the model. */
typedef struct ModelScope {
    const Model *model;
    const ModelStruct *type;
    const void *object;
    uint32_t index; /* among its siblings */
    const struct ModelScope *parent;
    const char **kind; /* receives the name of the type with the first fault; or null */
} ModelScope;

struct ModelStruct {
    const char *name; /* for messages: "mesh" */
    const ModelField *fields;
    size_t fieldCount;
    bool (*check)(const ModelScope *scope, EngineError *error); /* checks that rules cannot express; or null */
};

extern const ModelStruct modelStruct, modelMeshStruct, modelMorphStruct;
extern const ModelStruct spineStruct; /* spine_fields.c */

/* For checks: the line "STRUCT INDEX 'NAME' FAULT". Returns false. */
bool modelFailStruct(const ModelScope *scope, const char *fault, EngineError *error);

/* Number of rows or structs in an array, and the size of each in bytes. */
size_t modelFieldCount(const Model *model, const void *object, const ModelField *field);
size_t modelFieldStride(const void *object, const ModelField *field);

/* The pointer of a text, an array or structs in `object`. */
void *modelFieldPointer(const void *object, const ModelField *field);
void modelFieldSetPointer(void *object, const ModelField *field, void *pointer);

/* Numbers under MODEL_BELOW must be below this. */
uint32_t modelFieldLimit(const ModelScope *scope, const ModelField *field);

#endif
