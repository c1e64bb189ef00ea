/*
 * import.h: a model file in, a Model out. The only door of the engine for files that others made.
 *
 * Parsers run in a child process with limits of time and memory, so that one which crashes, hangs or eats memory
 * becomes one clear line here. The child's answer is checked like any other input.
 */
#ifndef ENGINE_IMPORT_H
#define ENGINE_IMPORT_H

#include "model.h"

typedef struct ImportOptions {
    uint32_t timeoutSeconds;     /* wall clock and processor time; 0: the default, 60 */
    uint64_t memoryBytes;        /* that the child may add to what the parent uses; 0: the default, 4 GiB */
    void (*waiting)(void *user); /* called some ten times a second while the child works, to show that; or null */
    void *user;
} ImportOptions;

#define IMPORT_MESSAGE_SIZE 512

/*
 * Reads .gltf and .glb by tinygltf, everything else that assimp knows (.x, .fbx, .dae, .md5mesh) by assimp.
 * Lengths stay in the file's unit. Where a format says which axis is up (.fbx, .dae), assimp turns the root node so
 * that y is; left-handed formats (.x) become right-handed by negating z. All influences of a vertex are kept.
 * Of glTF the morph targets are read, with their weights at rest and over time (positions, normals, tangents; a mesh
 * without normals gets, like its normals, those of its morphed faces), and the vertex attribute _BLEND, a number from 0
 * (linear) to 1 (dual quaternions), as the mesh's blend weights.
 * Files that a model names (buffers, pictures, materials) are read where they are regular files in the model's folder
 * or below it, links followed; others count as missing. A .gltf that requires an extension is refused, unless that one
 * is read or bears only on lamps or on how a surface shines.
 * Returns null on failure; `message` (IMPORT_MESSAGE_SIZE bytes) then holds one line: "PATH: what is wrong".
 * options: null for the defaults. Not thread-safe: it forks.
 */
Model *importModel(const char *path, const ImportOptions *options, char *message);

#endif
