/*
 * buffers.h - guarded memory for the tests.
 *
 * Every buffer lies between two guards and is filled, like them, with one word that is a quiet NaN: a
 * number read outside its array, or out of a gap between strided rows, turns a result into NaN; a word
 * written outside changes a guard. Under the address sanitizer the guards cannot be touched at all.
 * Frozen buffers must, besides, keep their contents.
 */
#ifndef BUFFERS_H
#define BUFFERS_H

#include <stddef.h>
#include <stdint.h>

/* The filling, as a word and as the float that it is. */
#define POISON_WORD 0x7fdead01u

/* Buffers of so many elements, at least 4-byte aligned; released with all others after the test. */
float *buffer_floats(size_t count);
uint8_t *buffer_bytes(size_t count);
int32_t *buffer_ints(size_t count);

/* So many bytes that begin offset bytes after a multiple of 64. */
void *buffer_at(size_t bytes, size_t offset);

/* A guarded copy of count floats. */
float *buffer_copy(const float *source, size_t count);

void buffer_poison(void *data);         /* fills it with the word again */
int buffer_is_poison(const void *data); /* 1 while every byte is untouched */
void buffer_free(void *data);

/* From here on no buffer may change, but those thawed again. */
void buffers_freeze(void);
void buffer_thaw(const void *data);

/* 1 when all guards and all frozen contents are as they were; prints what is not. */
int buffers_intact(void);
void buffers_release(void);

#endif
