#include "fbx_tree.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

template <typename Number> Number at(const FbxArray &array, size_t index) {
    Number number;
    std::memcpy(&number, &array.bytes[index * sizeof number], sizeof number);
    return number;
}

size_t widthOf(char kind) {
    return kind == 'b' ? 1 : kind == 'i' || kind == 'f' ? 4 : 8;
}

int64_t wholePart(double number) {
    return std::fabs(number) < 9e18 ? int64_t(number) : 0;
}

template <typename Number> void push(FbxArray *array, Number number) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(&number);
    array->bytes.insert(array->bytes.end(), bytes, bytes + sizeof number);
}

void makeDouble(FbxArray *array) {
    for (size_t i = 0; i < array->size(); i++) {
        const double number = array->number(i);
        std::memcpy(&array->bytes[i * sizeof number], &number, sizeof number);
    }
    array->kind = 'd';
}

} // namespace

size_t FbxArray::size() const {
    return kind ? bytes.size() / widthOf(kind) : 0;
}

double FbxArray::number(size_t index) const {
    return kind == 'd'   ? at<double>(*this, index)
           : kind == 'f' ? double(at<float>(*this, index))
                         : double(integer(index));
}

int64_t FbxArray::integer(size_t index) const {
    switch (kind) {
    case 'b':
        return at<int8_t>(*this, index);
    case 'i':
        return at<int32_t>(*this, index);
    case 'l':
        return at<int64_t>(*this, index);
    default:
        return wholePart(number(index));
    }
}

const FbxRecord *FbxRecord::child(const char *wanted) const {
    for (const FbxRecord &record : children) {
        if (record.name == wanted) {
            return &record;
        }
    }
    return nullptr;
}

std::string FbxRecord::textOf(size_t value) const {
    return value < values.size() ? values[value].text : "";
}

int64_t FbxRecord::integerOf(size_t value) const {
    return value < values.size() ? values[value].integer : 0;
}

std::vector<double> FbxRecord::numbers() const {
    std::vector<double> numbers(array.kind ? array.size() : values.size());
    for (size_t i = 0; i < numbers.size(); i++) {
        numbers[i] = array.kind ? array.number(i) : values[i].number;
    }
    return numbers;
}

std::vector<int64_t> FbxRecord::integers() const {
    std::vector<int64_t> integers(array.kind ? array.size() : values.size());
    for (size_t i = 0; i < integers.size(); i++) {
        integers[i] = array.kind ? array.integer(i) : values[i].integer;
    }
    return integers;
}

std::string FbxRecord::childText(const char *wanted) const {
    const FbxRecord *found = child(wanted);
    return found ? found->textOf(0) : "";
}

std::vector<double> FbxRecord::childNumbers(const char *wanted) const {
    const FbxRecord *found = child(wanted);
    return found ? found->numbers() : std::vector<double>();
}

std::vector<int64_t> FbxRecord::childIntegers(const char *wanted) const {
    const FbxRecord *found = child(wanted);
    return found ? found->integers() : std::vector<int64_t>();
}

const std::vector<FbxRecord> &FbxRecord::childrenOf(const char *wanted) const {
    static const std::vector<FbxRecord> none;
    const FbxRecord *found = child(wanted);
    return found ? found->children : none;
}

void FbxRecord::add(FbxValue value, bool whole) {
    const auto isNumber = [](const FbxValue &one) { return one.text.empty(); };
    if (!array.kind && values.size() == FBX_VALUES_MAX && isNumber(value) &&
        std::all_of(values.begin(), values.end(), isNumber)) {
        for (const FbxValue &earlier : values) {
            fbxAppend(&array, earlier, double(earlier.integer) == earlier.number);
        }
        values.clear();
    }
    if (array.kind) {
        fbxAppend(&array, value, whole);
    } else {
        values.push_back(std::move(value));
    }
}

FbxValue fbxNumber(double number) {
    return {wholePart(number), number, {}};
}

void fbxAppend(FbxArray *array, const FbxValue &value, bool whole) {
    array->kind = array->kind ? array->kind : 'l';
    if (!whole && array->kind == 'l') {
        makeDouble(array);
    }
    if (array->kind == 'l') {
        push(array, value.integer);
    } else {
        push(array, value.number);
    }
}
