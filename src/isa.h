/* isa.h - from the isa field of attn_params to a table of kernels. */
#ifndef ATTN_ISA_H
#define ATTN_ISA_H

#include "kernel/kernel.h"

/* The kernels of an attn_isa, the best for ATTN_ISA_BEST; NULL when build or machine lack them. */
const attn_kernels *attn_isa_kernels(int isa);

#endif
