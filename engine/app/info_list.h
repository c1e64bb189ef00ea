/* info_list.h: vkskin info of several files, and of folders: a line for each file. */
#ifndef APP_INFO_LIST_H
#define APP_INFO_LIST_H

#include "options.h"

/* Whether the operands are several, or one is a folder. */
bool infoIsList(const Arguments *arguments);

/* Verb.run then. A file that cannot be read is a row, too; the exit status is then EXIT_FAILED. */
int infoList(const Arguments *arguments);

#endif
