/*
 * rng.h - seeded random numbers for the tests: SplitMix64 (Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", 2014).
 *
 * Every test starts from the seed again (suite.c), so that one test run alone sees the same numbers.
 */
#ifndef RNG_H
#define RNG_H

#include <stdint.h>

void rng_seed(uint64_t seed);
uint32_t rng_bits(void);

/* An integer of [0, n), n >= 1. */
int rng_below(int n);

/* 1 with the given probability, else 0. */
int rng_chance(double probability);

/* Uniform in [0, 1), and normal with mean 0 and variance 1. */
double rng_uniform(void);
double rng_normal(void);

#endif
