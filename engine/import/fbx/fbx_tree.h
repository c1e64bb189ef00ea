/*
 * fbx_tree.h: an .fbx file as a tree of records, binary or text, for what assimp does not deliver. For the parser's
 * process.
 */
#ifndef ENGINE_FBX_TREE_H
#define ENGINE_FBX_TREE_H

#include <cstdint>
#include <string>
#include <vector>

struct FbxValue {
    int64_t integer; /* value of a number */
    double number;
    std::string text;          /* value of a text */
    std::vector<double> array; /* value of an array in a binary file */
};

struct FbxRecord {
    std::string name;
    std::vector<FbxValue> values;
    std::vector<FbxRecord> children;

    /* The first child of that name; null: none. */
    const FbxRecord *child(const char *wanted) const;
    /* The text of a value; "" where there is none. In binary files it may contain a zero byte. */
    std::string textOf(size_t value) const;
    /* The integer of a value; 0 where there is none. */
    int64_t integerOf(size_t value) const;
    /* The numbers of an array: in binary files a value, in text files the values of a child "a" or its own. */
    std::vector<double> numbers() const;
};

/* Reads a file's bytes without the arrays of geometry. The root has the top records as children. False: they are damaged; *root has what stands before. */
bool fbxReadTree(const char *bytes, size_t size, FbxRecord *root);

#endif
