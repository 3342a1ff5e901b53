/*
 * native.c - one measurement of the native core in one fresh process, as a line of JSON.
 *
 *     attn_bench forward|backward|decode|limit [isa=avx512] [threads=1] [heads=8] [length=512]
 *                [keys=0] [dim=64] [causal=0] [seconds=1]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention.h"
#include "limit.h"

typedef struct spec {
    const char *isa;
    int threads, heads, length, keys, dim, causal;
    double seconds;
} spec;

static int isa_of(const char *name) {
    for (int isa = 0; isa < ATTN_ISA_COUNT; isa++) {
        if (strcmp(attn_isa_name(isa), name) == 0) return isa;
    }
    return -1;
}

static spec read_spec(int argc, char **argv) {
    spec s = {.isa = "best", .threads = 1, .heads = 8, .length = 512, .dim = 64, .seconds = 1};
    for (int n = 2; n < argc; n++) {
        const char *value = strchr(argv[n], '=');
        if (!value) continue;
        const size_t name = (size_t)(value++ - argv[n]);
        const struct {
            const char *name;
            int *at;
        } counts[] = {{"threads", &s.threads}, {"heads", &s.heads}, {"length", &s.length},
                      {"keys", &s.keys},       {"dim", &s.dim},     {"causal", &s.causal}};
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            if (strlen(counts[i].name) == name && strncmp(argv[n], counts[i].name, name) == 0) {
                *counts[i].at = atoi(value);
            }
        }
        if (strncmp(argv[n], "isa=", 4) == 0) s.isa = value;
        if (strncmp(argv[n], "seconds=", 8) == 0) s.seconds = atof(value);
    }
    if (s.keys == 0) s.keys = s.length;
    return s;
}

/* Numbers of variance 1 around 0, from a seed. */
static float *numbers(size_t count, uint32_t seed) {
    float *x = aligned_alloc(64, (count * sizeof *x + 63) / 64 * 64);
    for (size_t n = 0; x && n < count; n++) {
        seed = seed * 1664525u + 1013904223u;
        x[n] = ((float)(seed >> 8) * 0x1p-24f - 0.5f) * 3.4641016f;
    }
    return x;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct work {
    attn_params p;
    attn_gradients g;
    void *space;
    size_t bytes;
    int backward;
} work;

static attn_status run(const work *w) {
    if (w->backward) return attn_backward(&w->p, &w->g, w->space, w->bytes, NULL);
    return attn_forward(&w->p, w->space, w->bytes);
}

static work work_of(const spec *s, int backward) {
    work w = {.backward = backward};
    attn_defaults(&w.p, 1, s->heads, s->length, s->dim);
    w.p.key_length = s->keys;
    w.p.threads = s->threads;
    w.p.isa = isa_of(s->isa);
    w.p.causal = s->causal ? ATTN_CAUSAL : 0;
    const size_t rows = (size_t)s->heads * (size_t)s->length;
    const size_t queries = rows * (size_t)s->dim;
    const size_t keys = (size_t)s->heads * (size_t)s->keys * (size_t)s->dim;
    w.p.q = numbers(queries, 1), w.p.k = numbers(keys, 2), w.p.v = numbers(keys, 3);
    w.p.out = numbers(queries, 4);
    size_t forward = 0;
    attn_workspace_size(&w.p, ATTN_OP_FORWARD, &w.bytes);
    if (backward) {
        forward = w.bytes;
        w.p.lse = numbers(rows, 5);
        attn_workspace_size(&w.p, ATTN_OP_BACKWARD, &w.bytes);
        attn_gradients_defaults(&w.g);
        w.g.dout = numbers(queries, 6);
        w.g.dq = numbers(queries, 7), w.g.dk = numbers(keys, 8), w.g.dv = numbers(keys, 9);
    }
    w.space = malloc((forward > w.bytes ? forward : w.bytes) + 1);
    if (backward && attn_forward(&w.p, w.space, forward) != ATTN_OK) exit(1);
    return w;
}

/* Seconds of each call, until the time is over. */
static int measure(const work *w, double seconds) {
    enum { MOST = 20000 };
    static double times[MOST];
    int calls = 0;
    for (int warm = 0; warm < 3; warm++) {
        const attn_status status = run(w);
        if (status == ATTN_OK) continue;
        fprintf(stderr, "%s\n", attn_status_string(status));
        return 1;
    }
    for (const double end = now() + seconds; calls < 3 || (calls < MOST && now() < end);) {
        const double start = now();
        run(w);
        times[calls++] = now() - start;
    }
    qsort(times, (size_t)calls, sizeof *times, compare);
    printf("{\"min\":%.9g,\"median\":%.9g,\"calls\":%d}\n", times[0], times[calls / 2], calls);
    return 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "forward";
    const spec s = read_spec(argc, argv);
    if (strcmp(what, "isa") == 0) {
        printf("{");
        for (int isa = 1, first = 1; isa < ATTN_ISA_COUNT; isa++) {
            if (!attn_isa_available(isa)) continue;
            printf("%s\"%s\":true", first ? "" : ",", attn_isa_name(isa));
            first = 0;
        }
        printf("}\n");
        return 0;
    }
    if (strcmp(what, "limit") == 0) {
        printf("{\"gflops\":%.6g}\n", limit_gflops(s.isa, s.threads, s.seconds));
        return 0;
    }
    const work w = work_of(&s, strcmp(what, "backward") == 0);
    if (strcmp(what, "stream") == 0) {
        const size_t bytes = sizeof(float) * (size_t)s.heads * (size_t)s.keys * (size_t)s.dim;
        float *data = numbers(2 * bytes / sizeof(float), 1);
        printf("{\"gigabytes\":%.6g}\n", limit_stream(data, 2 * bytes, s.threads));
        return 0;
    }
    return measure(&w, s.seconds);
}
