/* collada_text.h: the text of .dae files, as assimp can read it. For the parser's process. */
#ifndef ENGINE_COLLADA_TEXT_H
#define ENGINE_COLLADA_TEXT_H

extern "C" {
#include "model.h"
}

#include <string>
#include <vector>

/*
 * The bytes of a .dae file without the blanks at the begin of each text: assimp 5.2.5 refuses numbers after them. A file
 * in UTF-16 stays as it is. False: not readable.
 */
bool colladaRead(const char *path, std::string *text);

/*
 * assimp 5.2.5 cannot read morph controllers, and leaves out their meshes: puts the meshes in their place. Returns the
 * names of the controllers, once for each use. Gives skins without a bind shape matrix the identity, for which assimp
 * takes zero.
 */
std::vector<std::string> colladaMend(std::string *text);

/* The axis that points up and the length of the unit in metres, as the asset states them; default: y and 1. */
ModelUp colladaUp(const std::string &text);
float colladaMetres(const std::string &text);

#endif
