#include "print_table.h"

void printList(FILE *file) {
    for (uint32_t i = 0; i < benchCaseCount(); i++) {
        const BenchCase *benchCase = benchCaseAt(i);
        fprintf(file, "%-24s %s %s\n", benchCase->name, benchCase->quick ? "*" : " ", benchCase->summary);
    }
    fputs("\n* measured by --quick\n", file);
}
