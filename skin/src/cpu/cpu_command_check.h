/*
 * cpu_command_check.h: refuses a VkskinCpuCommand that skinning could not be given.
 */
#ifndef VKSKIN_CPU_COMMAND_CHECK_H
#define VKSKIN_CPU_COMMAND_CHECK_H

#include "host.h"
#include "vkskin/vkskin_cpu.h"

/* Command `at` of a call, for a mesh of this info. Errors: those of vkskinSkinOnCpu that speak of a command. */
VkskinResult sknCheckCpuCommand(const VkskinLogger *logger, const VkskinMeshInfo *info, const VkskinCpuCommand *command,
                                uint32_t at);

#endif
