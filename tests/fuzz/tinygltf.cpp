/*
 * tinygltf, compiled here in place of the system's library: so the fuzzer sees which of its branches an input takes,
 * and the sanitizer what it does with memory.
 */
#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_STB_IMAGE
#include <tiny_gltf.h>
