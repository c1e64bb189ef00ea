/*
 * fbx_tree.h: an .fbx file as a tree of records, the same for binary and for text files. For the parser's process.
 *
 * Arrays have one form: numbers of an array, of its child "a" in text files, and of records of more than
 * FBX_VALUES_MAX numbers (as 6.1 has them) lie in FbxRecord::array, not in `values`.
 */
#ifndef ENGINE_FBX_TREE_H
#define ENGINE_FBX_TREE_H

#include <cstdint>
#include <string>
#include <vector>

struct FbxValue {
    int64_t integer;  /* value of a number; the code of the letter where a text file has one letter without quotes */
    double number;    /* the same */
    std::string text; /* value of a text, or of a word in a text file; may contain zero bytes in binary files */
};

/* Numbers as the file stores them. */
struct FbxArray {
    char kind = 0;              /* 'b' int8, 'i' int32, 'l' int64, 'f' float, 'd' double; 0: no array */
    std::vector<uint8_t> bytes; /* in the byte order of this machine */

    size_t size() const;               /* the number of numbers */
    double number(size_t index) const; /* index < size() */
    /* The whole part of floats; 0 where it does not fit. index < size() */
    int64_t integer(size_t index) const;
};

struct FbxRecord {
    std::string name;
    std::vector<FbxValue> values; /* at most FBX_VALUES_MAX, where all are numbers */
    FbxArray array;
    std::vector<FbxRecord> children;

    /* The first child of that name; null: none. */
    const FbxRecord *child(const char *wanted) const;
    /* The text of a value; "" where there is none. In binary files it may contain a zero byte. */
    std::string textOf(size_t value) const;
    /* The integer of a value; 0 where there is none. */
    int64_t integerOf(size_t value) const;
    /* The numbers of the array; without one, those of the values. */
    std::vector<double> numbers() const;
    std::vector<int64_t> integers() const;
    /* The same of a child; "" and none without it. childText: its first text. */
    std::string childText(const char *wanted) const;
    std::vector<double> childNumbers(const char *wanted) const;
    std::vector<int64_t> childIntegers(const char *wanted) const;
    const std::vector<FbxRecord> &childrenOf(const char *wanted) const;
    /* Appends a value. More than FBX_VALUES_MAX values without texts become an array; texts in it count as 0. */
    void add(FbxValue value, bool whole);
};

#define FBX_VALUES_MAX 16

/* The records of a file. */
struct FbxTree {
    uint32_t version = 0; /* version in the file's head, for example 7400; 0: it has none */
    bool binary = false, bigEndian = false;
    FbxRecord root; /* has the top records as children */
};

/* A number as a value. Its integer is the whole part; 0 where that does not fit. */
FbxValue fbxNumber(double number);

/* Appends numbers to an array of int64 or double. It becomes one of double with the first number that is not whole. */
void fbxAppend(FbxArray *array, const FbxValue &value, bool whole);

#endif
