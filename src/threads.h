/*
 * threads.h - the only file that knows OpenMP.
 *
 * Work is cut into items by the shape alone; threads only share them out, so that their number
 * cannot change a bit.
 */
#ifndef ATTN_THREADS_H
#define ATTN_THREADS_H

#include <stddef.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* The threads to use for a field value of 0 (all) or more. */
static inline int threads_resolve(int threads) {
#ifdef _OPENMP
    return threads > 0 ? threads : omp_get_max_threads();
#else
    (void)threads;
    return 1;
#endif
}

typedef void (*threads_work)(void *context, ptrdiff_t item, int thread);

/* Calls work(context, item, thread) for every item of [0, items), thread < threads. No more threads
 * start than there are items. */
static inline void threads_for(ptrdiff_t items, int threads, threads_work work, void *context) {
#ifdef _OPENMP
    if (items < threads) threads = (int)items;
    if (threads > 1) {
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (ptrdiff_t item = 0; item < items; item++) work(context, item, omp_get_thread_num());
        return;
    }
#endif
    (void)threads;
    for (ptrdiff_t item = 0; item < items; item++) work(context, item, 0);
}

#endif
