/*
 * wasm_layout.h - the layout of the structures, for JavaScript, which fills them by field name: no offset
 * is written twice. A field forgotten here does not compile: the sizes listed must add up to the whole
 * structure. For wasm.c alone.
 */
#ifndef ATTN_WASM_LAYOUT_H
#define ATTN_WASM_LAYOUT_H

#include "attention.h"

#include <stddef.h>

/* KIND_PARAMS is an attn_params inside another structure. */
enum { KIND_I32, KIND_U32, KIND_F32, KIND_POINTER, KIND_PARAMS };

typedef struct field {
    const char *name;
    uint32_t offset, kind, count;
} field;

typedef struct layout {
    uint32_t size, count;
    const field *fields;
} layout;

#define PARAMS_FIELDS(F)                                                                           \
    F(size, KIND_U32, 1)                                                                           \
    F(batch, KIND_I32, 1)                                                                          \
    F(query_heads, KIND_I32, 1)                                                                    \
    F(kv_heads, KIND_I32, 1)                                                                       \
    F(query_length, KIND_I32, 1)                                                                   \
    F(key_length, KIND_I32, 1)                                                                     \
    F(head_dim, KIND_I32, 1)                                                                       \
    F(value_dim, KIND_I32, 1)                                                                      \
    F(q, KIND_POINTER, 1)                                                                          \
    F(k, KIND_POINTER, 1)                                                                          \
    F(v, KIND_POINTER, 1)                                                                          \
    F(out, KIND_POINTER, 1)                                                                        \
    F(lse, KIND_POINTER, 1)                                                                        \
    F(q_stride, KIND_I32, 3)                                                                       \
    F(k_stride, KIND_I32, 3)                                                                       \
    F(v_stride, KIND_I32, 3)                                                                       \
    F(out_stride, KIND_I32, 3)                                                                     \
    F(scale, KIND_F32, 1)                                                                          \
    F(softcap, KIND_F32, 1)                                                                        \
    F(causal, KIND_I32, 1)                                                                         \
    F(query_offset, KIND_POINTER, 1)                                                               \
    F(key_lengths, KIND_POINTER, 1)                                                                \
    F(query_lengths, KIND_POINTER, 1)                                                              \
    F(window_left, KIND_I32, 1)                                                                    \
    F(window_right, KIND_I32, 1)                                                                   \
    F(mask, KIND_POINTER, 1)                                                                       \
    F(key_mask, KIND_POINTER, 1)                                                                   \
    F(bias, KIND_POINTER, 1)                                                                       \
    F(mask_stride, KIND_I32, 4)                                                                    \
    F(key_mask_stride, KIND_I32, 2)                                                                \
    F(bias_stride, KIND_I32, 4)                                                                    \
    F(alibi_slopes, KIND_POINTER, 1)                                                               \
    F(dropout, KIND_F32, 1)                                                                        \
    F(seed, KIND_U32, 1)                                                                           \
    F(threads, KIND_I32, 1)                                                                        \
    F(isa, KIND_I32, 1)

#define TRACE_FIELDS(F)                                                                            \
    F(size, KIND_U32, 1)                                                                           \
    F(scores, KIND_POINTER, 1)                                                                     \
    F(scaled, KIND_POINTER, 1)                                                                     \
    F(capped, KIND_POINTER, 1)                                                                     \
    F(masked, KIND_POINTER, 1)                                                                     \
    F(weights, KIND_POINTER, 1)                                                                    \
    F(dropped, KIND_POINTER, 1)                                                                    \
    F(row_max, KIND_POINTER, 1)                                                                    \
    F(row_sum, KIND_POINTER, 1)                                                                    \
    F(lse, KIND_POINTER, 1)                                                                        \
    F(entropy, KIND_POINTER, 1)                                                                    \
    F(given_scores, KIND_POINTER, 1)                                                               \
    F(softmax_axis, KIND_I32, 1)                                                                   \
    F(mask_order, KIND_I32, 1)

#define ROPE_FIELDS(F)                                                                             \
    F(size, KIND_U32, 1)                                                                           \
    F(batch, KIND_I32, 1)                                                                          \
    F(heads, KIND_I32, 1)                                                                          \
    F(length, KIND_I32, 1)                                                                         \
    F(head_dim, KIND_I32, 1)                                                                       \
    F(x, KIND_POINTER, 1)                                                                          \
    F(out, KIND_POINTER, 1)                                                                        \
    F(x_stride, KIND_I32, 3)                                                                       \
    F(out_stride, KIND_I32, 3)                                                                     \
    F(cos, KIND_POINTER, 1)                                                                        \
    F(sin, KIND_POINTER, 1)                                                                        \
    F(table_stride, KIND_I32, 2)                                                                   \
    F(rotary_dim, KIND_I32, 1)                                                                     \
    F(interleaved, KIND_I32, 1)                                                                    \
    F(inverse, KIND_I32, 1)

#define CACHE_FIELDS(F)                                                                            \
    F(size, KIND_U32, 1)                                                                           \
    F(batch, KIND_I32, 1)                                                                          \
    F(kv_heads, KIND_I32, 1)                                                                       \
    F(head_dim, KIND_I32, 1)                                                                       \
    F(value_dim, KIND_I32, 1)                                                                      \
    F(capacity, KIND_I32, 1)                                                                       \
    F(evict, KIND_I32, 1)                                                                          \
    F(k, KIND_POINTER, 1)                                                                          \
    F(v, KIND_POINTER, 1)                                                                          \
    F(lengths, KIND_POINTER, 1)                                                                    \
    F(positions, KIND_POINTER, 1)

#define GRADIENTS_FIELDS(F)                                                                        \
    F(size, KIND_U32, 1)                                                                           \
    F(dout, KIND_POINTER, 1)                                                                       \
    F(dq, KIND_POINTER, 1)                                                                         \
    F(dk, KIND_POINTER, 1)                                                                         \
    F(dv, KIND_POINTER, 1)                                                                         \
    F(dbias, KIND_POINTER, 1)                                                                      \
    F(dout_stride, KIND_I32, 3)                                                                    \
    F(dq_stride, KIND_I32, 3)                                                                      \
    F(dk_stride, KIND_I32, 3)                                                                      \
    F(dv_stride, KIND_I32, 3)

#define MHA_FIELDS(F)                                                                              \
    F(size, KIND_U32, 1)                                                                           \
    F(attention, KIND_PARAMS, sizeof(attn_params) / 4)                                             \
    F(query_width, KIND_I32, 1)                                                                    \
    F(key_width, KIND_I32, 1)                                                                      \
    F(value_width, KIND_I32, 1)                                                                    \
    F(output_width, KIND_I32, 1)                                                                   \
    F(query, KIND_POINTER, 1)                                                                      \
    F(key, KIND_POINTER, 1)                                                                        \
    F(value, KIND_POINTER, 1)                                                                      \
    F(out, KIND_POINTER, 1)                                                                        \
    F(wq, KIND_POINTER, 1)                                                                         \
    F(wk, KIND_POINTER, 1)                                                                         \
    F(wv, KIND_POINTER, 1)                                                                         \
    F(wo, KIND_POINTER, 1)                                                                         \
    F(bq, KIND_POINTER, 1)                                                                         \
    F(bk, KIND_POINTER, 1)                                                                         \
    F(bv, KIND_POINTER, 1)                                                                         \
    F(bo, KIND_POINTER, 1)                                                                         \
    F(rotary_dim, KIND_I32, 1)                                                                     \
    F(interleaved, KIND_I32, 1)                                                                    \
    F(q_cos, KIND_POINTER, 1)                                                                      \
    F(q_sin, KIND_POINTER, 1)                                                                      \
    F(k_cos, KIND_POINTER, 1)                                                                      \
    F(k_sin, KIND_POINTER, 1)                                                                      \
    F(q_table_stride, KIND_I32, 2)                                                                 \
    F(k_table_stride, KIND_I32, 2)                                                                 \
    F(q, KIND_POINTER, 1)                                                                          \
    F(k, KIND_POINTER, 1)                                                                          \
    F(v, KIND_POINTER, 1)                                                                          \
    F(concat, KIND_POINTER, 1)                                                                     \
    F(lse, KIND_POINTER, 1)

#define MHA_GRADIENTS_FIELDS(F)                                                                    \
    F(size, KIND_U32, 1)                                                                           \
    F(dout, KIND_POINTER, 1)                                                                       \
    F(dquery, KIND_POINTER, 1)                                                                     \
    F(dkey, KIND_POINTER, 1)                                                                       \
    F(dvalue, KIND_POINTER, 1)                                                                     \
    F(dwq, KIND_POINTER, 1)                                                                        \
    F(dwk, KIND_POINTER, 1)                                                                        \
    F(dwv, KIND_POINTER, 1)                                                                        \
    F(dwo, KIND_POINTER, 1)                                                                        \
    F(dbq, KIND_POINTER, 1)                                                                        \
    F(dbk, KIND_POINTER, 1)                                                                        \
    F(dbv, KIND_POINTER, 1)                                                                        \
    F(dbo, KIND_POINTER, 1)                                                                        \
    F(dbias, KIND_POINTER, 1)

#define ROW_OF(structure, name, kind, count) {#name, offsetof(structure, name), kind, count},
#define PARAMS_ROW(name, kind, count)        ROW_OF(attn_params, name, kind, count)
#define TRACE_ROW(name, kind, count)         ROW_OF(attn_trace_params, name, kind, count)
#define ROPE_ROW(name, kind, count)          ROW_OF(attn_rope_params, name, kind, count)
#define CACHE_ROW(name, kind, count)         ROW_OF(attn_cache, name, kind, count)
#define MHA_ROW(name, kind, count)           ROW_OF(attn_mha_params, name, kind, count)
#define GRADIENTS_ROW(name, kind, count)     ROW_OF(attn_gradients, name, kind, count)
#define MHA_GRADIENTS_ROW(name, kind, count) ROW_OF(attn_mha_gradients, name, kind, count)
#define BYTES(name, kind, count)             +4 * (count)

static const field params_fields[] = {PARAMS_FIELDS(PARAMS_ROW)};
static const field trace_fields[] = {TRACE_FIELDS(TRACE_ROW)};
static const field rope_fields[] = {ROPE_FIELDS(ROPE_ROW)};
static const field cache_fields[] = {CACHE_FIELDS(CACHE_ROW)};
static const field gradients_fields[] = {GRADIENTS_FIELDS(GRADIENTS_ROW)};
static const field mha_fields[] = {MHA_FIELDS(MHA_ROW)};
static const field mha_gradients_fields[] = {MHA_GRADIENTS_FIELDS(MHA_GRADIENTS_ROW)};

_Static_assert(0 PARAMS_FIELDS(BYTES) == sizeof(attn_params), "a field of attn_params is missing");
_Static_assert(0 TRACE_FIELDS(BYTES) == sizeof(attn_trace_params),
               "a field of attn_trace_params is missing");
_Static_assert(0 ROPE_FIELDS(BYTES) == sizeof(attn_rope_params),
               "a field of attn_rope_params is missing");
_Static_assert(0 GRADIENTS_FIELDS(BYTES) == sizeof(attn_gradients),
               "a field of attn_gradients is missing");
_Static_assert(0 CACHE_FIELDS(BYTES) == sizeof(attn_cache), "a field of attn_cache is missing");
_Static_assert(0 MHA_FIELDS(BYTES) == sizeof(attn_mha_params),
               "a field of attn_mha_params is missing");
_Static_assert(0 MHA_GRADIENTS_FIELDS(BYTES) == sizeof(attn_mha_gradients),
               "a field of attn_mha_gradients is missing");

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(*(array)))

static const layout params_layout = {sizeof(attn_params), COUNT(params_fields), params_fields};
static const layout trace_layout = {sizeof(attn_trace_params), COUNT(trace_fields), trace_fields};
static const layout rope_layout = {sizeof(attn_rope_params), COUNT(rope_fields), rope_fields};
static const layout cache_layout = {sizeof(attn_cache), COUNT(cache_fields), cache_fields};
static const layout gradients_layout = {sizeof(attn_gradients), COUNT(gradients_fields),
                                        gradients_fields};
static const layout mha_layout = {sizeof(attn_mha_params), COUNT(mha_fields), mha_fields};
static const layout mha_gradients_layout = {sizeof(attn_mha_gradients), COUNT(mha_gradients_fields),
                                            mha_gradients_fields};

#endif
