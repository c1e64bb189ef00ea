/* model_order.h: the vertices of a model in the order that skins fastest. */
#ifndef ENGINE_MODEL_ORDER_H
#define ENGINE_MODEL_ORDER_H

#include "engine_error.h"
#include "model.h"

/*
 * Brings the vertices of each mesh into vkskinSortVertices' order, all influences kept, and its indices after them: for
 * models that are drawn many times. Triangles stay in their order and look the same; whoever writes vertices out for
 * others leaves the file's order. A mesh that the library does not take (more than 255 influences a vertex, too many
 * bones) is left as it is: vkskinCreateMesh says why. False: out of memory; the model can then only be freed.
 */
bool modelSortVertices(Model *model, EngineError *error);

#endif
