/*
 * position.c - where a token stands: sinusoidal tables, rotary embedding, ALiBi slopes.
 *
 * Angles are computed in double, since position times frequency loses its fraction in float32 long
 * before contexts end.
 */
#include "check.h"
#include "elementary.h"
#include "shape.h"

/* base^(-exponent / dim) */
static double frequency(double base, int exponent, int dim) {
    return exponential(-(double)exponent / dim * natural_log(base));
}

/* No angle may overflow: positions are below 2^31. */
static int is_base(double base) { return base >= 0x1p-900 && isfinite(base); }

attn_status attn_sinusoidal(float *table, int length, int dim, double base) {
    if (length < 0 || dim < 1) return ATTN_SIZE;
    if (!is_base(base)) return ATTN_RANGE;
    if (length > 0 && !table) return ATTN_NULL;
    for (int column = 0; column < dim; column++) {
        const double f = frequency(base, column & ~1, dim);
        for (int p = 0; p < length; p++) {
            table[(ptrdiff_t)p * dim + column] = (float)sine(p * f, column & 1);
        }
    }
    return ATTN_OK;
}

attn_status attn_alibi_slopes(float *slopes, int heads) {
    if (heads < 1) return ATTN_SIZE;
    if (!slopes) return ATTN_NULL;
    int below = 1; /* the largest power of two that is not more than heads */
    while (below <= heads / 2) below *= 2;
    for (int h = 0; h < heads; h++) {
        const double step = h < below ? 8.0 * (h + 1) / below : 4.0 * (2 * (h - below) + 1) / below;
        slopes[h] = (float)exponential(-step * 0x1.62e42fefa39efp-1); /* 2^-step */
    }
    return ATTN_OK;
}

attn_status attn_rope_table(float *cos_table, float *sin_table, const int32_t *positions, int rows,
                            int dim, double base) {
    if (rows < 0 || dim < 2 || dim % 2 != 0) return ATTN_SIZE;
    if (!is_base(base)) return ATTN_RANGE;
    if (rows > 0 && (!cos_table || !sin_table || !positions)) return ATTN_NULL;
    for (int k = 0; k < dim / 2; k++) {
        const double f = frequency(base, 2 * k, dim);
        for (int n = 0; n < rows; n++) {
            const ptrdiff_t at = (ptrdiff_t)n * (dim / 2) + k;
            cos_table[at] = (float)sine(positions[n] * f, 1);
            sin_table[at] = (float)sine(positions[n] * f, 0);
        }
    }
    return ATTN_OK;
}

void attn_rope_defaults(attn_rope_params *rope, int batch, int heads, int length, int head_dim) {
    *rope = (attn_rope_params){
        .size = sizeof(attn_rope_params),
        .batch = batch,
        .heads = heads,
        .length = length,
        .head_dim = head_dim,
        .table_stride = {0, head_dim / 2},
        .rotary_dim = head_dim,
    };
}

static attn_status check_rope(const attn_rope_params *r, const char **field) {
    const int extent[3] = {r->batch, r->heads, r->length};
    FAIL_IF(r->batch < 0, ATTN_SIZE, "batch");
    FAIL_IF(r->heads < 1, ATTN_SIZE, "heads");
    FAIL_IF(r->length < 0, ATTN_SIZE, "length");
    FAIL_IF(r->head_dim < 1, ATTN_SIZE, "head_dim");
    FAIL_IF(!attn_product_fits(r->batch, r->heads, r->length, r->head_dim), ATTN_SIZE, "x");
    FAIL_IF(!attn_strides_fit(r->x_stride, extent, r->head_dim), ATTN_STRIDE, "x_stride");
    FAIL_IF(!attn_rows_are_apart(r->out_stride, extent, r->head_dim), ATTN_STRIDE, "out_stride");
    FAIL_IF(r->rotary_dim < 2 || r->rotary_dim % 2 != 0 || r->rotary_dim > r->head_dim, ATTN_RANGE,
            "rotary_dim");
    const ptrdiff_t table_stride[3] = {r->table_stride[0], r->table_stride[1], 1};
    const int table_extent[3] = {r->batch, r->length, r->rotary_dim / 2};
    FAIL_IF(!attn_broadcast_fits(table_stride, table_extent, 3), ATTN_STRIDE, "table_stride");
    FAIL_IF(r->interleaved != 0 && r->interleaved != 1, ATTN_RANGE, "interleaved");
    FAIL_IF(r->inverse != 0 && r->inverse != 1, ATTN_RANGE, "inverse");
    return ATTN_OK;
}

/* One row: its pairs turn, the rest passes. */
static void rotate(const attn_rope_params *r, const float *x, const float *cos_i,
                   const float *sin_i, float *out) {
    const int half = r->rotary_dim / 2;
    const int apart = r->interleaved ? 1 : half, step = r->interleaved ? 2 : 1;
    for (int k = 0; k < half; k++) {
        const int first = k * step, second = first + apart;
        const float s = r->inverse ? -sin_i[k] : sin_i[k];
        const float a = x[first], b = x[second];
        out[first] = a * cos_i[k] - b * s;
        out[second] = a * s + b * cos_i[k];
    }
    for (int d = r->rotary_dim; d < r->head_dim; d++) out[d] = x[d];
}

attn_status attn_rope(const attn_rope_params *r, const char **field) {
    const char *ignored;
    if (!field) field = &ignored;
    *field = "rope";
    if (!r) return ATTN_NULL;
    FAIL_IF(r->size != sizeof(attn_rope_params), ATTN_VERSION_MISMATCH, "size");
    *field = NULL;
    const attn_status status = check_rope(r, field);
    if (status != ATTN_OK || r->batch == 0 || r->length == 0) return status;
    FAIL_IF(!r->x, ATTN_NULL, "x");
    FAIL_IF(!r->out, ATTN_NULL, "out");
    FAIL_IF(!r->cos, ATTN_NULL, "cos");
    FAIL_IF(!r->sin, ATTN_NULL, "sin");

    const shape x = shape_of(r->x_stride, r->heads, r->length, r->head_dim);
    const shape out = shape_of(r->out_stride, r->heads, r->length, r->head_dim);
    for (int b = 0; b < r->batch; b++) {
        for (int h = 0; h < r->heads; h++) {
            for (int i = 0; i < r->length; i++) {
                const ptrdiff_t table = b * r->table_stride[0] + i * r->table_stride[1];
                rotate(r, r->x + shape_offset(x, b, h, i), r->cos + table, r->sin + table,
                       r->out + shape_offset(out, b, h, i));
            }
        }
    }
    return ATTN_OK;
}
