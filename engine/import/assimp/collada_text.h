/* collada_text.h: the text of .dae files, as assimp can read it. For the parser's process. */
#ifndef ENGINE_COLLADA_TEXT_H
#define ENGINE_COLLADA_TEXT_H

extern "C" {
#include "model.h"
}

#include <set>
#include <string>

/*
 * The bytes of a .dae file without the blanks at the start of each text: assimp 5.2.5 refuses numbers after them. A file
 * in UTF-16 stays as it is. False: not readable.
 */
bool colladaRead(const char *path, std::string *text);

/* From '<' to '>', both included. Comments and character data are no tags. */
struct ColladaTag {
    size_t at, end;
    std::string name; /* with a leading slash where it closes */
};

/* The next one from a position on. False: there is none. */
bool colladaNextTag(const std::string &text, size_t from, ColladaTag *tag);

/* Without a leading '#'; "": the tag does not have it. */
std::string colladaAttribute(const std::string &text, const ColladaTag &tag, const char *name);

/*
 * assimp 5.2.5 cannot read morph controllers, and leaves out their meshes: puts the meshes in their place. Returns the
 * controllers that are used. Gives skins without a bind shape matrix the identity, for which assimp takes zero. nodes:
 * text that is added to each scene.
 */
std::set<std::string> colladaMend(std::string *text, const std::string &nodes);

/* The axis that points up and the length of the unit in metres, as the asset states them; default: y and 1. */
ModelUp colladaUp(const std::string &text);
float colladaMetres(const std::string &text);

#endif
