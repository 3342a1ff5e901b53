/*
 * workspace.h - the caller's memory for a call: any alignment comes in, and tiles lie on cache lines.
 *
 * A size says WORKSPACE_ALIGNMENT bytes more than what is laid out, so that the start can move up.
 */
#ifndef ATTN_WORKSPACE_H
#define ATTN_WORKSPACE_H

#include <stdint.h>

#define WORKSPACE_ALIGNMENT 64

static inline uint64_t workspace_round_up(uint64_t bytes) {
    return (bytes + WORKSPACE_ALIGNMENT - 1) / WORKSPACE_ALIGNMENT * WORKSPACE_ALIGNMENT;
}

/* a b, or the largest number: larger than any workspace. */
static inline uint64_t workspace_product(uint64_t a, uint64_t b) {
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* The first aligned byte of it. */
static inline char *workspace_start(void *workspace) {
    const uintptr_t unaligned = (uintptr_t)workspace % WORKSPACE_ALIGNMENT;
    return (char *)workspace + (unaligned ? WORKSPACE_ALIGNMENT - unaligned : 0);
}

#endif
