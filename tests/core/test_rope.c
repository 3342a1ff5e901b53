/*
 * test_rope.c - rotary embedding: published numbers, angles against long double, every layout, order of
 * axes and table against double, and what it is for: lengths are kept, distances alone count.
 */
#include "attention.h"
#include "buffers.h"
#include "rng.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_near(double x, double expected, double tolerance, const char *what) {
    if (!(fabs(x - expected) <= tolerance)) fail_msg("%s: %.9g, not %.9g", what, x, expected);
}

static float *table_of(int rows, int columns) {
    return buffer_floats((size_t)rows * (size_t)columns);
}

/* Angles as far as int32 goes, of both signs: the position times a frequency that is no float. */
static void rope_tables(void **state) {
    (void)state;
    static const int32_t positions[] = {0,          1,         -1,       2,       100,
                                        4095,       131072,    16777217, 1 << 30, (1 << 30) + 1,
                                        -(1 << 30), INT32_MAX, INT32_MIN};
    static const int widths[] = {2, 4, 6, 64, 128};
    static const double bases[] = {10000, 500000, 1e6};
    double worst = 0;
    for (size_t n = 0; n < COUNT(widths); n++) {
        for (size_t m = 0; m < COUNT(bases); m++) {
            const int dim = widths[n], half = dim / 2, rows = COUNT(positions);
            float *c = table_of(rows, half), *s = table_of(rows, half);
            assert_int_equal(attn_rope_table(c, s, positions, rows, dim, bases[m]), ATTN_OK);
            for (int row = 0; row < rows; row++) {
                for (int k = 0; k < half; k++) {
                    const long double angle =
                        positions[row] * powl((long double)bases[m], -2.0L * k / dim);
                    const double by_cos = fabs((double)c[row * half + k] - (double)cosl(angle));
                    const double by_sin = fabs((double)s[row * half + k] - (double)sinl(angle));
                    worst = fmax(worst, fmax(by_cos, by_sin));
                }
            }
            assert_true(buffers_intact());
            buffers_release();
        }
    }
    printf("    worst error of a cosine or sine %.2g\n", worst);
    assert_true(worst <= 4e-7);
}

/* x at a position, rotated. */
static void rotate(const float *x, int dim, int32_t position, int interleaved, int inverse,
                   float *out) {
    attn_rope_params rope;
    attn_rope_defaults(&rope, 1, 1, 1, dim);
    float *c = table_of(1, dim / 2), *s = table_of(1, dim / 2);
    assert_int_equal(attn_rope_table(c, s, &position, 1, dim, 10000), ATTN_OK);
    rope.x = x, rope.out = out, rope.cos = c, rope.sin = s;
    rope.interleaved = interleaved;
    rope.inverse = inverse;
    assert_int_equal(attn_rope(&rope, NULL), ATTN_OK);
}

static void rope_by_hand(void **state) {
    (void)state;
    float out[4];
    rotate((const float[]){1, 0}, 2, 1, 0, 0, out);
    assert_near((double)out[0], 0.5403023058681398, 1e-7, "d 2");
    assert_near((double)out[1], 0.8414709848078965, 1e-7, "d 2");
    static const double interleaved[] = {-1.1426396637476532, 1.922075596544176, 2.9598506679133294,
                                         4.029799501669161};
    static const double halves[] = {-1.9841106485555495, 1.959900667496664, 2.4623779024123156,
                                    4.019799668334994};
    const float x[] = {1, 2, 3, 4};
    rotate(x, 4, 1, 1, 0, out);
    for (int d = 0; d < 4; d++) assert_near((double)out[d], interleaved[d], 4e-7, "interleaved");
    rotate(x, 4, 1, 0, 0, out);
    for (int d = 0; d < 4; d++) assert_near((double)out[d], halves[d], 4e-7, "half-split");
}

/* A problem for attn_rope(): tensors at strides with gaps, tables of which batches share none or all. */
typedef struct rope_problem {
    attn_rope_params r;
    float *x, *out;
    size_t extent;
    int order[3];
} rope_problem;

static size_t strides_in_order(const attn_rope_params *r, const int order[3], int gap,
                               ptrdiff_t *stride) {
    const int length[] = {r->batch, r->heads, r->length};
    ptrdiff_t step = r->head_dim + gap;
    for (int n = 2; n >= 0; n--) {
        stride[order[n]] = step;
        step = step * length[order[n]] + gap;
    }
    return (size_t)step;
}

static const int ORDERS[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static rope_problem rope_problem_of(int round) {
    rope_problem t;
    const int half = 1 + rng_below(6), D = 2 * half + rng_below(5);
    attn_rope_defaults(&t.r, 1 + rng_below(3), 1 + rng_below(4), 1 + rng_below(9), D);
    attn_rope_params *r = &t.r;
    r->rotary_dim = 2 * half;
    r->interleaved = round & 1;
    r->inverse = round >> 1 & 1;

    const int shared = round >> 2 & 1, rows = r->length * (shared ? 1 : r->batch), gap = 3;
    const size_t entries = (size_t)(rows * (half + gap));
    float *c = buffer_floats(entries), *s = buffer_floats(entries);
    for (size_t n = 0; n < entries; n++) {
        if (n % (size_t)(half + gap) >= (size_t)half) continue;
        c[n] = (float)rng_normal(), s[n] = (float)rng_normal(); /* any table will do */
    }
    r->cos = c, r->sin = s;
    r->table_stride[0] = shared ? 0 : (ptrdiff_t)r->length * (half + gap);
    r->table_stride[1] = half + gap;

    t.extent = strides_in_order(r, ORDERS[round % 6], round % 3, r->x_stride);
    t.x = buffer_floats(t.extent);
    for (int b = 0; b < r->batch; b++) {
        for (int h = 0; h < r->heads; h++) {
            for (int i = 0; i < r->length; i++) {
                for (int d = 0; d < D; d++) {
                    t.x[b * r->x_stride[0] + h * r->x_stride[1] + i * r->x_stride[2] + d] =
                        (float)rng_normal();
                }
            }
        }
    }
    r->x = t.x;
    const size_t out_extent = strides_in_order(r, ORDERS[round / 6 % 6], round % 5, r->out_stride);
    r->out = t.out = buffer_floats(out_extent);
    return t;
}

/* Element d of a row after rotation, in double: the pair that d belongs to, or itself. */
static double rotated(const attn_rope_params *r, const float *x, const float *c, const float *s,
                      int d) {
    if (d >= r->rotary_dim) return (double)x[d];
    const int half = r->rotary_dim / 2;
    const int k = r->interleaved ? d / 2 : d % half;
    const int second = r->interleaved ? d % 2 : d / half;
    const int first_at = r->interleaved ? 2 * k : k;
    const int second_at = r->interleaved ? 2 * k + 1 : k + half;
    const double a = (double)x[first_at], b = (double)x[second_at], cosine = (double)c[k];
    const double sine = r->inverse ? -(double)s[k] : (double)s[k];
    return second ? a * sine + b * cosine : a * cosine - b * sine;
}

/* Every layout, order of axes, table and width; what lies between rows stays as it was. */
static void rope_formula(void **state) {
    (void)state;
    for (int round = 0; round < 300; round++) {
        rope_problem t = rope_problem_of(round);
        const attn_rope_params *r = &t.r;
        buffers_freeze();
        buffer_thaw(t.out);
        const char *field = "untouched";
        assert_int_equal(attn_rope(r, &field), ATTN_OK);
        assert_null(field);
        assert_true(buffers_intact());
        for (int b = 0; b < r->batch; b++) {
            for (int h = 0; h < r->heads; h++) {
                for (int i = 0; i < r->length; i++) {
                    float *out =
                        t.out + b * r->out_stride[0] + h * r->out_stride[1] + i * r->out_stride[2];
                    const float *x =
                        t.x + b * r->x_stride[0] + h * r->x_stride[1] + i * r->x_stride[2];
                    const ptrdiff_t row = b * r->table_stride[0] + i * r->table_stride[1];
                    for (int d = 0; d < r->head_dim; d++) {
                        const double exact = rotated(r, x, r->cos + row, r->sin + row, d);
                        assert_near((double)out[d], exact, 2e-6, "out");
                        const uint32_t poison = POISON_WORD;
                        memcpy(&out[d], &poison, sizeof poison);
                    }
                }
            }
        }
        assert_true(buffer_is_poison(t.out));
        buffers_release();
    }
}

/* out may be x: the same bits. */
static void rope_in_place(void **state) {
    (void)state;
    for (int round = 0; round < 60; round++) {
        rope_problem t = rope_problem_of(round);
        memcpy(t.r.out_stride, t.r.x_stride, sizeof t.r.x_stride);
        t.r.out = t.out = buffer_floats(t.extent);
        assert_int_equal(attn_rope(&t.r, NULL), ATTN_OK);
        t.r.out = t.x;
        assert_int_equal(attn_rope(&t.r, NULL), ATTN_OK);
        assert_same_bits(t.x, t.out, t.extent, "in place");
        assert_true(buffers_intact());
        buffers_release();
    }
}

/* Both layouts: a row keeps its length, the inverse brings it back and is the transpose, and the product
 * of a query and a key depends on the distance of their positions alone. */
static void rope_properties(void **state) {
    (void)state;
    const int D = 8;
    for (int round = 0; round < 60; round++) {
        const int interleaved = round % 2, far = round % 3 == 0 ? 1 << 20 : 500;
        const int32_t m = rng_below(far), n = rng_below(far), shift = rng_below(far);
        float q[8], k[8], rq[8], rk[8], back[8];
        for (int d = 0; d < D; d++) q[d] = (float)rng_normal(), k[d] = (float)rng_normal();
        rotate(q, D, m, interleaved, 0, rq);
        rotate(rq, D, m, interleaved, 1, back);
        double before = 0, after = 0, forth = 0, transposed = 0;
        rotate(k, D, m, interleaved, 1, rk);
        for (int d = 0; d < D; d++) {
            assert_near((double)back[d], (double)q[d], 1e-6, "there and back");
            before += (double)q[d] * (double)q[d], after += (double)rq[d] * (double)rq[d];
            forth += (double)rq[d] * (double)k[d], transposed += (double)q[d] * (double)rk[d];
        }
        assert_near(after, before, 1e-5, "length");
        assert_near(transposed, forth, 1e-5, "inverse as transpose");

        double dot[2] = {0};
        for (int shifted = 0; shifted < 2; shifted++) {
            rotate(q, D, m + shifted * shift, interleaved, 0, rq);
            rotate(k, D, n + shifted * shift, interleaved, 0, rk);
            for (int d = 0; d < D; d++) dot[shifted] += (double)rq[d] * (double)rk[d];
        }
        assert_near(dot[1], dot[0], 1e-5, "distance alone");
        buffers_release();
    }
}

/* The layouts differ by a permutation of the columns: even ones first, then odd ones. */
static void rope_layouts(void **state) {
    (void)state;
    float x[8], permuted[8], a[8], b[8];
    for (int round = 0; round < 20; round++) {
        for (int d = 0; d < 8; d++) x[d] = (float)rng_normal();
        for (int d = 0; d < 8; d++) permuted[d % 2 * 4 + d / 2] = x[d];
        rotate(x, 8, round * 7, 1, 0, a);
        rotate(permuted, 8, round * 7, 0, 0, b);
        for (int d = 0; d < 8; d++) assert_true(a[d] == b[d % 2 * 4 + d / 2]);
    }
}

/* Nothing to rotate: no pointer is needed, whatever strides an empty tensor has. */
static void rope_of_nothing(void **state) {
    (void)state;
    attn_rope_params r;
    attn_rope_defaults(&r, 0, 2, 3, 4);
    assert_int_equal(attn_rope(&r, NULL), ATTN_OK);
    attn_rope_defaults(&r, 2, 2, 0, 4);
    assert_int_equal(attn_rope(&r, NULL), ATTN_OK);
    r.x_stride[1] = r.out_stride[1] = 4; /* (B, T, H, D) with T = 0: batches are 0 apart */
    r.x_stride[2] = r.out_stride[2] = 8;
    assert_int_equal(attn_rope(&r, NULL), ATTN_OK);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(rope_tables),     TEST(rope_by_hand), TEST(rope_formula),   TEST(rope_in_place),
        TEST(rope_properties), TEST(rope_layouts), TEST(rope_of_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
