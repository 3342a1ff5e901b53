/*
 * runner.h - what a request to runner.c is made of, and its arrays in and out.
 */
#ifndef RUNNER_H
#define RUNNER_H

#include "attention.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    OP, /* 0 forward, 1 trace, 2 rope, 3 backward, 4 backward of a module */
    ISA,
    BATCH,
    QUERY_HEADS,
    KV_HEADS,
    QUERY_LENGTH,
    KEY_LENGTH,
    HEAD_DIM,
    VALUE_DIM,
    CAUSAL,
    WINDOW_LEFT,
    WINDOW_RIGHT,
    HAS_MASK,
    HAS_BIAS,
    HAS_KEY_LENGTHS,
    HAS_QUERY_LENGTHS,
    HAS_QUERY_OFFSET,
    ROTARY_DIM,
    INTERLEAVED,
    HAS_SLOPES,
    SEED,
    QUERY_WIDTH,
    KEY_WIDTH,
    VALUE_WIDTH,
    OUTPUT_WIDTH,
    HAS_BIASES,
    HEADER_COUNT
};
enum { SCALE, SOFTCAP, DROPOUT, BASE, NUMBER_COUNT };

static inline void *reserve(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) exit(2);
    return memory;
}

static inline void *receive(size_t count, size_t size) {
    void *memory = reserve(count, size);
    if (fread(memory, size, count, stdin) != count) exit(2);
    return memory;
}

static inline void send(const void *data, size_t count) {
    if (fwrite(data, 4, count, stdout) != count) exit(2);
}

/* runner_heads.c: the gradients of a module with its projections. */
void answer_heads(const int32_t *header, const float *numbers);

#endif
