/* buffers.c - a list of allocations with a guard on both sides; buffers.h says why. */
#include "buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GUARDED_BY_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define GUARDED_BY_SANITIZER
#endif

#ifdef GUARDED_BY_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes)   ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

#define GUARD     256 /* bytes on each side; a multiple of the alignment */
#define ALIGNMENT 64

typedef struct buffer {
    struct buffer *next;
    unsigned char *base, *data; /* the allocation, and what the test may use of it */
    size_t total, bytes;
    int frozen;
    uint64_t hash;
} buffer;

static buffer *all;

static buffer *find(const void *data) {
    for (buffer *b = all; b; b = b->next) {
        if (b->data == data) return b;
    }
    printf("not a guarded buffer: %p\n", data);
    abort();
}

/* Byte n of the filling, counted from the base of an allocation. */
static unsigned char filling(size_t n) { return (unsigned char)(POISON_WORD >> (n % 4 * 8)); }

static void fill(unsigned char *base, size_t from, size_t to) {
    for (size_t n = from; n < to; n++) base[n] = filling(n);
}

static int is_filled(const unsigned char *base, size_t from, size_t to) {
    for (size_t n = from; n < to; n++) {
        if (base[n] != filling(n)) return 0;
    }
    return 1;
}

static size_t start_of(const buffer *b) { return (size_t)(b->data - b->base); }

static void lock_guards(const buffer *b) {
    ASAN_POISON_MEMORY_REGION(b->base, start_of(b));
    ASAN_POISON_MEMORY_REGION(b->data + b->bytes, b->total - start_of(b) - b->bytes);
}

static void unlock_guards(const buffer *b) { ASAN_UNPOISON_MEMORY_REGION(b->base, b->total); }

void *buffer_at(size_t bytes, size_t offset) {
    buffer *b = malloc(sizeof *b);
    const size_t total = (GUARD + offset + bytes + GUARD + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    unsigned char *base = aligned_alloc(ALIGNMENT, total);
    if (!b || !base) {
        printf("no memory for a buffer of %zu bytes\n", bytes);
        abort();
    }
    *b = (buffer){all, base, base + GUARD + offset, total, bytes, 0, 0};
    all = b;
    fill(base, 0, total);
    lock_guards(b);
    return b->data;
}

/* The end of the data touches the guard; only its start needs the alignment. */
float *buffer_floats(size_t count) { return buffer_at(count * sizeof(float), 0); }
int32_t *buffer_ints(size_t count) { return buffer_at(count * sizeof(int32_t), 0); }
uint8_t *buffer_bytes(size_t count) { return buffer_at(count, 0); }

float *buffer_copy(const float *source, size_t count) {
    float *copy = buffer_floats(count);
    if (count > 0) memcpy(copy, source, count * sizeof(float));
    return copy;
}

void buffer_poison(void *data) {
    const buffer *b = find(data);
    fill(b->base, start_of(b), start_of(b) + b->bytes);
}

int buffer_is_poison(const void *data) {
    const buffer *b = find(data);
    return is_filled(b->base, start_of(b), start_of(b) + b->bytes);
}

void buffer_free(void *data) {
    buffer **at = &all, *b = find(data);
    while (*at != b) at = &(*at)->next;
    *at = b->next;
    unlock_guards(b);
    free(b->base);
    free(b);
}

/* FNV-1a. */
static uint64_t hash_of(const buffer *b) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t n = 0; n < b->bytes; n++) hash = (hash ^ b->data[n]) * 0x100000001b3u;
    return hash;
}

void buffers_freeze(void) {
    for (buffer *b = all; b; b = b->next) {
        b->frozen = 1;
        b->hash = hash_of(b);
    }
}

void buffer_thaw(const void *data) { find(data)->frozen = 0; }

int buffers_intact(void) {
    int intact = 1;
    for (const buffer *b = all; b; b = b->next) {
        const size_t start = start_of(b), end = start + b->bytes;
        unlock_guards(b);
        const int before = is_filled(b->base, 0, start), after = is_filled(b->base, end, b->total);
        lock_guards(b);
        if (!before) printf("written before a buffer of %zu bytes\n", b->bytes);
        if (!after) printf("written behind a buffer of %zu bytes\n", b->bytes);
        const int kept = !b->frozen || b->hash == hash_of(b);
        if (!kept) printf("written into a frozen buffer of %zu bytes\n", b->bytes);
        intact = intact && before && after && kept;
    }
    return intact;
}

void buffers_release(void) {
    while (all) buffer_free(all->data);
}
