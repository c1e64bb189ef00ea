/* vkm_pictures.h: packed files (engine/pack) and the files of pictures that they name or have inside. */
#ifndef ENGINE_VKM_PICTURES_H
#define ENGINE_VKM_PICTURES_H

#include "import_options.h"

/*
 * As importModel, for a packed file: this process reads and checks it. Only if the file names pictures or has
 * their files inside, a process of its own decodes them, with the rules of importModel. A picture that cannot be read is a warning.
 */
Model *vkmImport(const char *role, const char *path, const ImportOptions *options, EngineError *error);

#endif
