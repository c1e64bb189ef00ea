/* fbx_pictures.h: the pictures of an .fbx file, embedded or beside it. For the parser's process. */
#ifndef ENGINE_FBX_PICTURES_H
#define ENGINE_FBX_PICTURES_H

#include "fbx_document.h"
#include "parser.h"

struct FbxPictures {
    Model *model;                                      /* has room for its textures */
    Array<char> folder;                                /* folder of the file */
    std::map<std::string, const FbxRecord *> embedded; /* contents, by the end of the file's name */
    std::map<std::string, int32_t> textures;           /* by name: each is read once; -1: not readable */
};

/* path: of the file. */
FbxPictures fbxBeginPictures(const FbxDocument &document, const char *path, Model *model);

/* A picture's name as the texture states it: the relative one where there is one; "": it names none. */
std::string fbxPictureName(const FbxDocument &document, const FbxRecord &texture);

/* Adds the picture to the model if it is not there yet. -1: not readable, with a warning; or the name is "". */
int32_t fbxPicture(FbxPictures *pictures, const std::string &name);

/* Two pictures in shades of grey as one: green is `rough`, blue is `metal`. "": white. -1: neither is readable. */
int32_t fbxSurfacePicture(FbxPictures *pictures, const std::string &metal, const std::string &rough);

#endif
