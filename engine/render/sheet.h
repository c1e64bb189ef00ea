/*
 * sheet.h: many pictures of one size side by side in one picture, each with a text below it if there is room for one.
 */
#ifndef ENGINE_SHEET_H
#define ENGINE_SHEET_H

#include "target.h"

#define SHEET_TEXT_SIZE 512

typedef struct Sheet {
    Picture picture;
    uint32_t columns, width, height; /* size of a tile; without the text */
    uint32_t textHeight;             /* below each tile */
} Sheet;

/* rows of columns of tiles. lines: room for so many lines of text below each; 0: none. The caller calls sheetFree also after
 * a failure. */
bool sheetCreate(Sheet *sheet, uint32_t columns, uint32_t rows, uint32_t width, uint32_t height, uint32_t lines,
                 EngineError *error);

/* A zero sheet is allowed. */
void sheetFree(Sheet *sheet);

/* index: of the tile, row by row from the upper left. picture: of a tile's size, kept as it is with its alpha. */
void sheetPut(Sheet *sheet, uint32_t index, const Picture *picture);

/* The same over a grey background. picture: null for the background alone. */
void sheetPutOver(Sheet *sheet, uint32_t index, const Picture *picture);

/* Writes the text below the tile, or into it with `inside`. Lines end with '\n'; a longer line is broken between words.
 * Characters that are not ASCII become '?'. Lines without room are left out. */
void sheetWrite(Sheet *sheet, uint32_t index, bool inside, const char *text);

#endif
