/* The former name of host.h. */
#include "host.h"
