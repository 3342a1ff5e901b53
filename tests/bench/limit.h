/* limit.h - how fast this machine multiplies and adds: the limit that the kernels are held against. */
#ifndef LIMIT_H
#define LIMIT_H

/* GFLOP/s of fused multiply-adds in registers on so many threads, the best of several loops within
 * the seconds; 0 where the instruction set is none of "avx512", "avx2" or not on this machine. */
double limit_gflops(const char *isa, int threads, double seconds);

/* GB/s of adding up a buffer of so many bytes by vectors, on so many threads. */
double limit_stream(const float *data, size_t bytes, int threads);

double now(void);

#endif
