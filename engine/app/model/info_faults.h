/* info_faults.h: what `vkskin info --check` finds. */
#ifndef APP_INFO_FAULTS_H
#define APP_INFO_FAULTS_H

#include "document.h"
#include "model_faults.h"

/* faults: null: not looked for. */
void infoWriteFaults(Document *document, const Model *model, const ModelFaults *faults);

#endif
