/*
 * import.h: reads a model file into a Model. The engine reads all files that others made through this function.
 *
 * Parsers run in a child process with limits of time and memory. A parser that crashes, hangs or uses too much memory
 * costs one line of text. The child's answer is checked like any other input.
 */
#ifndef ENGINE_IMPORT_H
#define ENGINE_IMPORT_H

#include "engine_error.h"
#include "model.h"

/* File name extensions, for messages. assimp reads other formats too, which are untested. */
#define IMPORT_FORMATS ".x, .fbx, .dae, .md5mesh, .gltf, .glb"

typedef struct ImportOptions {
    uint32_t timeoutSeconds;     /* wall clock and processor time; 0: the default, 60 */
    uint64_t memoryBytes;        /* that the child may add to what the parent uses; 0: the default, 4 GiB */
    void (*waiting)(void *user); /* called about ten times a second while the child works, to show progress; or null */
    void *user;
} ImportOptions;

/*
 * Reads .gltf and .glb with tinygltf, every other format with assimp.
 *
 * Lengths stay in the file's unit. Where a format names the up axis (.fbx, .dae), assimp rotates the root node so that
 * y is up. Left-handed formats (.x) become right-handed: z is negated. All influences of a vertex are kept.
 *
 * From glTF come also morph targets with their weights at rest and over time (positions, normals, tangents; see
 * ModelMorph for meshes without normals), and the vertex attribute _BLEND, from 0 (linear) to 1 (dual quaternions), as
 * the mesh's blend weights. A file that requires an extension is refused, unless that extension is read or is only about
 * lamps or shading.
 *
 * Files that a model names (buffers, pictures, materials) are read if they are regular files in the model's folder or
 * below, links followed; others count as missing.
 *
 * Returns null on failure; *error then holds "PATH: what is wrong". options: null for the defaults. Not thread-safe,
 * because it forks.
 */
Model *importModel(const char *path, const ImportOptions *options, EngineError *error);

#endif
