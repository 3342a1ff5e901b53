/* wasm.c - what the WebAssembly module exports: thin entries, and the tables of wasm_layout.h. */
#ifdef __wasm__ /* nothing of this file is in a native build */

#include "check.h"
#include "wasm_layout.h"

#include <stddef.h>

/* The module is the only caller: no prototypes besides. */
#pragma clang diagnostic ignored "-Wmissing-prototypes"

#define EXPORT(name) __attribute__((export_name(name)))

extern unsigned char __heap_base;

EXPORT("abi")
uint32_t attn_wasm_abi(void) { return ATTN_ABI; }

/* The first byte that belongs to JavaScript. */
EXPORT("heap_base")
const void *attn_wasm_heap_base(void) { return &__heap_base; }

EXPORT("params_layout")
const layout *attn_wasm_params_layout(void) { return &params_layout; }
EXPORT("trace_layout")
const layout *attn_wasm_trace_layout(void) { return &trace_layout; }
EXPORT("rope_layout")
const layout *attn_wasm_rope_layout(void) { return &rope_layout; }
EXPORT("cache_layout")
const layout *attn_wasm_cache_layout(void) { return &cache_layout; }
EXPORT("gradients_layout")
const layout *attn_wasm_gradients_layout(void) { return &gradients_layout; }
EXPORT("mha_layout")
const layout *attn_wasm_mha_layout(void) { return &mha_layout; }
EXPORT("mha_gradients_layout")
const layout *attn_wasm_mha_gradients_layout(void) { return &mha_gradients_layout; }
EXPORT("version")
const char *attn_wasm_version(void) { return attn_version(); }
EXPORT("status_string")
const char *attn_wasm_status_string(attn_status status) { return attn_status_string(status); }

EXPORT("defaults")
void attn_wasm_defaults(attn_params *params, int batch, int heads, int length, int head_dim) {
    attn_defaults(params, batch, heads, length, head_dim);
}

EXPORT("check")
attn_status attn_wasm_check(const attn_params *params, const char **field_name) {
    return attn_check(params, field_name);
}

EXPORT("bias_prefix")
size_t attn_wasm_bias_prefix(const float *bias, size_t count) {
    return attn_bias_prefix(bias, count);
}

EXPORT("workspace_size")
attn_status attn_wasm_workspace_size(const attn_params *params, attn_op op, size_t *bytes) {
    return attn_workspace_size(params, op, bytes);
}

/* The others judge what they are given. This is after workspace_size, which has judged it. */
EXPORT("forward")
void attn_wasm_forward(const attn_params *params, void *workspace) {
    attn_forward_run(params, workspace);
}

EXPORT("backward")
attn_status attn_wasm_backward(const attn_params *params, const attn_gradients *gradients,
                               void *workspace, size_t bytes, const char **field_name) {
    return attn_backward(params, gradients, workspace, bytes, field_name);
}

EXPORT("trace_defaults")
void attn_wasm_trace_defaults(attn_trace_params *trace) { attn_trace_defaults(trace); }

EXPORT("trace")
attn_status attn_wasm_trace(const attn_params *params, const attn_trace_params *trace) {
    return attn_trace(params, trace);
}

EXPORT("sinusoidal")
attn_status attn_wasm_sinusoidal(float *table, int length, int dim, double base) {
    return attn_sinusoidal(table, length, dim, base);
}

EXPORT("alibi_slopes")
attn_status attn_wasm_alibi_slopes(float *slopes, int heads) {
    return attn_alibi_slopes(slopes, heads);
}

EXPORT("rope_table")
attn_status attn_wasm_rope_table(float *cos, float *sin, const int32_t *positions, int rows,
                                 int dim, double base) {
    return attn_rope_table(cos, sin, positions, rows, dim, base);
}

EXPORT("rope_defaults")
void attn_wasm_rope_defaults(attn_rope_params *rope, int batch, int heads, int length,
                             int head_dim) {
    attn_rope_defaults(rope, batch, heads, length, head_dim);
}

EXPORT("rope")
attn_status attn_wasm_rope(const attn_rope_params *rope, const char **field_name) {
    return attn_rope(rope, field_name);
}

EXPORT("cache_append")
attn_status attn_wasm_cache_append(const attn_cache *cache, int length, const float *k,
                                   const ptrdiff_t k_stride[3], const float *v,
                                   const ptrdiff_t v_stride[3], const int32_t *lengths) {
    return attn_cache_append(cache, length, k, k_stride, v, v_stride, lengths);
}

EXPORT("cache_truncate")
attn_status attn_wasm_cache_truncate(const attn_cache *cache, int length) {
    return attn_cache_truncate(cache, length);
}

EXPORT("mha_defaults")
void attn_wasm_mha_defaults(attn_mha_params *mha, int batch, int heads, int length, int head_dim) {
    attn_mha_defaults(mha, batch, heads, length, head_dim);
}

EXPORT("mha_check")
attn_status attn_wasm_mha_check(const attn_mha_params *mha, const char **field_name) {
    return attn_mha_check(mha, field_name);
}

EXPORT("mha_workspace_size")
attn_status attn_wasm_mha_workspace_size(const attn_mha_params *mha, const attn_cache *cache,
                                         size_t *bytes) {
    return attn_mha_workspace_size(mha, cache, bytes);
}

EXPORT("mha_forward")
attn_status attn_wasm_mha_forward(const attn_mha_params *mha, const attn_cache *cache,
                                  const int32_t *lengths, void *workspace, size_t bytes) {
    return attn_mha_forward(mha, cache, lengths, workspace, bytes);
}

EXPORT("mha_backward_workspace_size")
attn_status attn_wasm_mha_backward_workspace_size(const attn_mha_params *mha, size_t *bytes) {
    return attn_mha_backward_workspace_size(mha, bytes);
}

EXPORT("mha_backward")
attn_status attn_wasm_mha_backward(const attn_mha_params *mha, const attn_mha_gradients *gradients,
                                   void *workspace, size_t bytes, const char **field_name) {
    return attn_mha_backward(mha, gradients, workspace, bytes, field_name);
}

EXPORT("sgd")
attn_status attn_wasm_sgd(size_t count, float *params, const float *grads, float *velocity,
                          float lr, float momentum, float weight_decay) {
    return attn_sgd(count, params, grads, velocity, lr, momentum, weight_decay);
}

EXPORT("adamw")
attn_status attn_wasm_adamw(size_t count, float *params, const float *grads, float *m, float *v,
                            int step, float lr, float beta1, float beta2, float epsilon,
                            float weight_decay) {
    return attn_adamw(count, params, grads, m, v, step, lr, beta1, beta2, epsilon, weight_decay);
}
#endif
