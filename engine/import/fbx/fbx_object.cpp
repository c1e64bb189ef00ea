#include "fbx_object.h"

const FbxRecord *fbxOwnProperty(const FbxRecord &object, const char *name) {
    const FbxRecord *table = object.child("Properties70");
    for (size_t i = table ? table->children.size() : 0; i-- > 0;) {
        if (!table->children[i].values.empty() && table->children[i].values[0].text == name) {
            return &table->children[i];
        }
    }
    return nullptr;
}

std::string fbxName(const FbxRecord &object) {
    const std::string text = object.textOf(1);
    const size_t zero = text.find('\0'), colons = text.find("::");
    return zero != std::string::npos     ? text.substr(0, zero)
           : colons == std::string::npos ? text
                                         : text.substr(colons + 2);
}

int64_t fbxId(const FbxRecord &object) {
    return object.integerOf(0);
}

std::string fbxType(const FbxRecord &object) {
    return object.textOf(2);
}
