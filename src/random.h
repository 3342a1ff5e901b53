/*
 * random.h - which weights dropout keeps: a pure function of (seed, batch, head, row, key).
 *
 *     row key = upper half of mix64(seed, b, h, i)     keep = mix32(row key, j) / 2^32 >= p
 *
 * No state and no order: the same integers on every instruction set, for every tile and number of
 * threads, forward and backward. mix64 is the finaliser of SplitMix64 (Steele, Lea and Flood 2014),
 * mix32 that of MurmurHash3 (Appleby); kernels repeat random_bits() on vectors.
 */
#ifndef ATTN_RANDOM_H
#define ATTN_RANDOM_H

#include <stdint.h>

#define RANDOM_KEY_STEP 0x9e3779b9u /* 2^32 / golden ratio: spreads neighbouring keys */
#define RANDOM_MIX_1    0x85ebca6bu
#define RANDOM_MIX_2    0xc2b2ae35u

/* Only 24 bits are compared, so that p = 1 has a threshold and signed compares will do. */
#define RANDOM_SHIFT 8

static inline uint64_t random_mix64(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline uint32_t random_row_key(uint32_t seed, int b, int h, int i) {
    uint64_t x = random_mix64(seed + 0x9e3779b97f4a7c15u);
    x = random_mix64(x ^ ((uint64_t)(uint32_t)b << 32 | (uint32_t)h));
    x = random_mix64(x ^ (uint32_t)i);
    return (uint32_t)(x >> 32);
}

/* 24 random bits for key j. */
static inline uint32_t random_bits(uint32_t row_key, int j) {
    uint32_t x = row_key ^ (uint32_t)j * RANDOM_KEY_STEP;
    x ^= x >> 16;
    x *= RANDOM_MIX_1;
    x ^= x >> 13;
    x *= RANDOM_MIX_2;
    x ^= x >> 16;
    return x >> RANDOM_SHIFT;
}

/* A weight is kept when its random_bits are at least this: none of them at p = 1. */
static inline uint32_t random_threshold(float dropout) {
    return (uint32_t)((double)dropout * 0x1p24 + 0.5);
}

/* What a kept weight is multiplied by. */
static inline float random_keep_scale(float dropout) {
    return dropout < 1.0f ? 1.0f / (1.0f - dropout) : 0.0f;
}

#endif
