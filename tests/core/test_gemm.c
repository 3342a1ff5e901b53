/*
 * test_gemm.c - the micro-kernel of the instruction set that this file is compiled for: every size up
 * to two blocks and one, every way of reading A, with and without a carry.
 *
 * With small integers each product and sum is exact in float32, in any order, fused or not: the result
 * is compared by its bits.
 */
#include "kernel/gemm.h"

#include "bound.h"
#include "buffers.h"
#include "rng.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>

#define M_MAX     (2 * GEMM_MR + 1)
#define N_MAX     (2 * VALUES_NV * VN + 1)
#define ROW_MAX   (2 * ROW_NV * VN + 1) /* columns of one row */
#define INNER_MAX 9

/* Operands in guarded buffers of exactly the extent that the strides reach. */
typedef struct product {
    int m, n, inner;
    ptrdiff_t a_row, a_inner, b_row, c_row;
    float *a, *b, *c, *before, *carry;
} product;

static size_t extent(int rows, ptrdiff_t row, int columns, ptrdiff_t column) {
    if (rows == 0 || columns == 0) return 0;
    return (size_t)((rows - 1) * row + (columns - 1) * column + 1);
}

static float number(int integers) {
    return integers ? (float)(rng_below(17) - 8) : (float)rng_normal();
}

static product product_of(int m, int n, int inner, int transposed, int gap, int integers) {
    product p = {.m = m, .n = n, .inner = inner};
    p.a_row = transposed ? 1 : inner + gap;
    p.a_inner = transposed ? m + gap : 1;
    p.b_row = n + gap;
    p.c_row = n + 2 * gap;
    const size_t c_extent = extent(m, p.c_row, n, 1);
    p.a = buffer_floats(extent(m, p.a_row, inner, p.a_inner));
    p.b = buffer_floats(extent(inner, p.b_row, n, 1));
    p.c = buffer_floats(c_extent);
    p.carry = buffer_floats((size_t)m);
    for (int r = 0; r < m; r++) {
        p.carry[r] = number(integers);
        for (int t = 0; t < inner; t++) p.a[r * p.a_row + t * p.a_inner] = number(integers);
        for (int c = 0; c < n; c++) p.c[r * p.c_row + c] = number(integers);
    }
    for (int t = 0; t < inner; t++) {
        for (int c = 0; c < n; c++) p.b[t * p.b_row + c] = number(integers);
    }
    p.before = buffer_copy(p.c, c_extent);
    return p;
}

/* C[r, c] in the precision of double. */
static double exact(const product *p, int carried, int r, int c) {
    double sum = carried ? (double)p->carry[r] * (double)p->before[r * p->c_row + c] : 0;
    for (int t = 0; t < p->inner; t++) {
        sum += (double)p->a[r * p->a_row + t * p->a_inner] * (double)p->b[t * p->b_row + c];
    }
    return sum;
}

static void run(product *p, int carried) {
    if (!carried) {
        /* Without a carry C is only written: NaN in it does not matter. */
        for (int r = 0; r < p->m; r++) {
            for (int c = 0; c < p->n; c++) p->c[r * p->c_row + c] = NAN;
        }
    }
    FN(gemm)(p->m, p->n, p->inner, p->a, p->a_row, p->a_inner, p->b, p->b_row, p->c, p->c_row,
             carried ? p->carry : NULL);
}

static void every_size(void **state) {
    (void)state;
    for (int m = 0; m <= M_MAX; m++) {
        for (int n = 0; n <= (m == 1 ? ROW_MAX : N_MAX); n++) {
            for (int inner = 0; inner <= INNER_MAX; inner++) {
                for (int way = 0; way < 8; way++) {
                    const int transposed = way & 1, carried = way >> 1 & 1, gap = way & 4 ? 3 : 0;
                    product p = product_of(m, n, inner, transposed, gap, 1);
                    run(&p, carried);
                    for (int r = 0; r < m; r++) {
                        for (int c = 0; c < n; c++) {
                            float *at = &p.c[r * p.c_row + c];
                            const double expected = exact(&p, carried, r, c);
                            if ((double)*at != expected) {
                                fail_msg("m %d, n %d, inner %d, way %d: C[%d, %d] is %g, not %g", m,
                                         n, inner, way, r, c, (double)*at, expected);
                            }
                            memset(at, 0, sizeof *at);
                            memset(&p.before[r * p.c_row + c], 0, sizeof *at);
                        }
                    }
                    /* What is left are the gaps between the rows of C. */
                    assert_same_bits(p.c, p.before, extent(m, p.c_row, n, 1), "gaps of C");
                    if (!buffers_intact()) fail_msg("m %d, n %d, inner %d: touched", m, n, inner);
                    buffers_release();
                }
            }
        }
    }
}

/* Normal numbers, within the bound. */
static void normal_numbers(void **state) {
    (void)state;
    for (int round = 0; round < 100; round++) {
        product p =
            product_of(1 + rng_below(60), 1 + rng_below(100), 1 + rng_below(130), round % 2, 0, 0);
        run(&p, round & 2);
        const size_t count = (size_t)p.m * (size_t)p.n;
        double *answer = calloc(count, sizeof *answer), *plain = calloc(count, sizeof *plain);
        assert_true(answer && plain);
        for (int r = 0; r < p.m; r++) {
            for (int c = 0; c < p.n; c++) {
                float sum = round & 2 ? p.carry[r] * p.before[r * p.c_row + c] : 0;
                for (int t = 0; t < p.inner; t++) {
                    sum += p.a[r * p.a_row + t * p.a_inner] * p.b[t * p.b_row + c];
                }
                plain[r * p.n + c] = (double)sum;
                answer[r * p.n + c] = exact(&p, round & 2, r, c);
            }
        }
        bound_check("gemm", "normal numbers", p.c, answer, plain, count, -1);
        free(answer);
        free(plain);
        buffers_release();
    }
}

/* A row's bits depend neither on the rows beside it nor on where the inner loop is cut. */
static void rows_and_cuts(void **state) {
    (void)state;
    const int m = M_MAX, n = N_MAX, inner = 23;
    product p = product_of(m, n, inner, 0, 2, 0);
    run(&p, 1);
    const size_t c_extent = extent(m, p.c_row, n, 1);
    float *whole = buffer_copy(p.c, c_extent), *parts = buffer_copy(p.before, c_extent);
    for (int r = 0; r < m; r++) {
        FN(gemm)(1, n, inner, p.a + r * p.a_row, p.a_row, 1, p.b, p.b_row, parts + r * p.c_row, 0,
                 p.carry + r);
    }
    assert_same_bits(parts, whole, c_extent, "row by row");

    float *cut = buffer_copy(p.before, c_extent), *ones = buffer_floats((size_t)m);
    for (int r = 0; r < m; r++) ones[r] = 1;
    FN(gemm)(m, n, 7, p.a, p.a_row, 1, p.b, p.b_row, cut, p.c_row, p.carry);
    FN(gemm)(m, n, inner - 7, p.a + 7, p.a_row, 1, p.b + 7 * p.b_row, p.b_row, cut, p.c_row, ones);
    assert_same_bits(cut, whole, c_extent, "in two cuts");
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(every_size),
        TEST(normal_numbers),
        TEST(rows_and_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
