/*
 * wasm.c - what the WebAssembly module exports: thin entries, and the layout of the structures.
 *
 * JavaScript fills attn_params by field name through the tables below, so that no offset is written
 * twice. A field forgotten here does not compile: the sizes listed must add up to the whole
 * structure.
 */
#ifdef __wasm__ /* nothing of this file is in a native build */

#include "attention.h"

#include <stddef.h>

#define EXPORT(name) __attribute__((export_name(name)))

enum { KIND_I32, KIND_U32, KIND_F32, KIND_POINTER };

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

#define ROW_OF(structure, name, kind, count) {#name, offsetof(structure, name), kind, count},
#define PARAMS_ROW(name, kind, count)        ROW_OF(attn_params, name, kind, count)
#define TRACE_ROW(name, kind, count)         ROW_OF(attn_trace_params, name, kind, count)
#define BYTES(name, kind, count)             +4 * (count)

static const field params_fields[] = {PARAMS_FIELDS(PARAMS_ROW)};
static const field trace_fields[] = {TRACE_FIELDS(TRACE_ROW)};

_Static_assert(0 PARAMS_FIELDS(BYTES) == sizeof(attn_params), "a field of attn_params is missing");
_Static_assert(0 TRACE_FIELDS(BYTES) == sizeof(attn_trace_params),
               "a field of attn_trace_params is missing");

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(*(array)))

static const layout params_layout = {sizeof(attn_params), COUNT(params_fields), params_fields};
static const layout trace_layout = {sizeof(attn_trace_params), COUNT(trace_fields), trace_fields};

extern unsigned char __heap_base;

EXPORT("abi") uint32_t attn_wasm_abi(void);
EXPORT("heap_base") const void *attn_wasm_heap_base(void);
EXPORT("params_layout") const layout *attn_wasm_params_layout(void);
EXPORT("trace_layout") const layout *attn_wasm_trace_layout(void);
EXPORT("version") const char *attn_wasm_version(void);
EXPORT("status_string") const char *attn_wasm_status_string(attn_status status);
EXPORT("defaults")
void attn_wasm_defaults(attn_params *params, int batch, int heads, int length, int head_dim);
EXPORT("check") attn_status attn_wasm_check(const attn_params *params, const char **field);
EXPORT("workspace_size")
attn_status attn_wasm_workspace_size(const attn_params *params, attn_op op, size_t *bytes);
EXPORT("forward")
attn_status attn_wasm_forward(const attn_params *params, void *workspace, size_t bytes);
EXPORT("trace_defaults") void attn_wasm_trace_defaults(attn_trace_params *trace);
EXPORT("trace")
attn_status attn_wasm_trace(const attn_params *params, const attn_trace_params *trace);

uint32_t attn_wasm_abi(void) { return ATTN_ABI; }

/* The first byte that belongs to JavaScript. */
const void *attn_wasm_heap_base(void) { return &__heap_base; }

const layout *attn_wasm_params_layout(void) { return &params_layout; }
const layout *attn_wasm_trace_layout(void) { return &trace_layout; }
const char *attn_wasm_version(void) { return attn_version(); }
const char *attn_wasm_status_string(attn_status status) { return attn_status_string(status); }

void attn_wasm_defaults(attn_params *params, int batch, int heads, int length, int head_dim) {
    attn_defaults(params, batch, heads, length, head_dim);
}

attn_status attn_wasm_check(const attn_params *params, const char **field_name) {
    return attn_check(params, field_name);
}

attn_status attn_wasm_workspace_size(const attn_params *params, attn_op op, size_t *bytes) {
    return attn_workspace_size(params, op, bytes);
}

attn_status attn_wasm_forward(const attn_params *params, void *workspace, size_t bytes) {
    return attn_forward(params, workspace, bytes);
}

void attn_wasm_trace_defaults(attn_trace_params *trace) { attn_trace_defaults(trace); }

attn_status attn_wasm_trace(const attn_params *params, const attn_trace_params *trace) {
    return attn_trace(params, trace);
}

#endif
