/*
 * import.h: reads a model file into a Model. The engine reads all files that others made through this function.
 *
 * Parsers of formats of others run in a child process: this program, started again through /proc/self/exe with an environment of at most
 * LD_LIBRARY_PATH and sanitizer settings, and with no open files of the parent. A parser that crashes, hangs or uses too
 * much memory costs one line of text. The child's answer has a limit and is checked like any other input.
 *
 * Before the child reads a byte of the file, it gives up what it does not need:
 *
 *     limits      processor time, memory, no core dump, no file written, no process (the last not for root); no new
 *                 privileges; killed with its parent
 *     capabilities of root: none are left, so that the modes of files hold
 *     landlock    reads the files in the model's folder and below, and the model; opens, makes and removes nothing else;
 *                 no TCP (from version 4 of the interface), no signals and abstract sockets of others (from version 6)
 *     seccomp     the system calls for reading, memory, clocks and its end, and no others: no sockets, programs, processes,
 *                 threads, signals to others, access to other processes; no file opened for writing; no executable memory
 *
 * So a fault in a parser cannot reach other files, processes or the network. Not promised: a kernel without landlock lets
 * the parser read every file that the user can read, and one without seccomp leaves it sockets and processes
 * (ImportOptions.sandbox reports both). The parser can learn whether any path exists, and its size and times. It can
 * answer with any valid model. Faults of the kernel are not covered.
 */
#ifndef ENGINE_IMPORT_H
#define ENGINE_IMPORT_H

#include "import_options.h"

/*
 * Reads .gltf and .glb with tinygltf, the other formats (IMPORT_FORMATS) with the one importer of assimp for them.
 *
 * Lengths and axes are the file's; Model.up and Model.metres name them. Left-handed formats (.x) become right-handed: z
 * is negated. All influences of a vertex are kept. A file with clips and no mesh becomes a model without parts.
 *
 * Packed files (.vkm) are read and checked in this process (engine/pack/vkm_read.h); only pictures that they name are
 * decoded in the child.
 *
 * What the model does not show as the file means it is named in Model.warnings.
 *
 * Morph targets come with their weights over time, from glTF also with those at rest and with tangents (see ModelMorph
 * for meshes without normals). From glTF comes also the vertex attribute _BLEND, from 0 (linear) to 1 (dual quaternions), as
 * the mesh's blend weights. EXT_meshopt_compression is decompressed. A file that requires an extension is refused, unless
 * that extension is read, or changes no shape and no motion: lamps, shading, formats of pictures, copies of a mesh.
 *
 * Files that a model names (buffers, pictures, animations) are read if they are regular files in the model's folder or
 * below, links followed; others count as missing.
 *
 * Returns null on failure; *error then holds "PATH: what is wrong". options: null for the defaults. Not thread-safe,
 * because it sets the action of SIGCHLD.
 */
Model *importModel(const char *path, const ImportOptions *options, EngineError *error);

/* Whether a file's name ends as those of models do that are read. */
bool importIsNamed(const char *path);

/* Whether a file's name says that it holds a 2D character. */
bool importIsSpine(const char *path);

#endif
