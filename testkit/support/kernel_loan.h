/*
 * kernel_loan.h: shader modules and pipelines that are made once a process and lent from then on, for shims below the
 * library.
 *
 * Drivers take half a second for the kernels of one context, and tests make many contexts. A pipeline may serve them
 * all, as every layout that the library makes is defined alike. What is lent stays the loan's: whoever gets it must not
 * destroy it. Not thread-safe.
 */
#ifndef TESTS_KERNEL_LOAN_H
#define TESTS_KERNEL_LOAN_H

#include "gpu.h"

/* The number of a module's code: the same words have the same number, wherever they lie. Good until kernelLoanEnd. */
uint32_t kernelLoanCode(const VkShaderModuleCreateInfo *info);

/* vkCreateShaderModule. */
VkResult kernelLoanModule(VkDevice device, const VkShaderModuleCreateInfo *info, VkShaderModule *module);

/* vkCreateComputePipelines for one info whose module was made of the code of this number. */
VkResult kernelLoan(VkDevice device, VkPipelineCache cache, const VkComputePipelineCreateInfo *info, uint32_t code,
                    VkPipeline *pipeline);

/* Destroys all. For Gpu.finish: nothing uses them any more. */
void kernelLoanEnd(void);

#endif
