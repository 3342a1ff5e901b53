/* rng.c - one generator for the test program; rng.h says which. */
#include "rng.h"

#include <math.h>

static uint64_t state;

void rng_seed(uint64_t seed) { state = seed; }

static uint64_t next(void) {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint32_t rng_bits(void) { return (uint32_t)(next() >> 32); }

double rng_uniform(void) { return (double)(next() >> 11) * 0x1p-53; }

int rng_below(int n) { return (int)(rng_uniform() * n); }

int rng_chance(double probability) { return rng_uniform() < probability; }

/* Box and Muller's first variate. */
double rng_normal(void) {
    const double radius = sqrt(-2.0 * log(1.0 - rng_uniform()));
    return radius * cos(6.283185307179586 * rng_uniform());
}
