/*
 * folder.h: a temporary folder with files that a test writes and changes. Failures fail the running test.
 */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

typedef struct Folder {
    char path[64];
} Folder;

/* A fresh folder, to be removed with removeFolder, with the sub-folders raster and vkskin. */
Folder folderCreate(void);

/* The same with copies of the files in source/raster and source/vkskin. */
Folder folderCopyShaders(const char *source);

/* "FOLDER/name"; valid until the fourth call after this one. */
const char *folderFile(const Folder *folder, const char *name);

/* Writes the file whole: beside it first, then renamed over it, as editors do. */
void folderWrite(const Folder *folder, const char *name, const char *text);

/* The file with the first `from` in it replaced by `to`; `from` must be there. */
void folderReplace(const Folder *folder, const char *name, const char *from, const char *to);

#endif
