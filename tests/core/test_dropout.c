/*
 * test_dropout.c - which weights are dropped is a function of seed, batch, head, row and key alone: the
 * bits that the manual lays down, for tiles and trace, whatever the shape around them.
 */
#include "buffers.h"
#include "oracle.h"
#include "problem.h"
#include "rng.h"
#include "suite.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Values are the rows of the unit matrix: the output is the matrix of dropped weights. */
static problem unit_problem(dims size, float rate, uint32_t seed) {
    size.Dv = size.Tk;
    problem t = problem_of(size);
    for (size_t key = 0; key < problem_keys(&t); key++) {
        for (size_t d = 0; d < (size_t)size.Dv; d++) {
            t.v[key * (size_t)size.Dv + d] = d == key % (size_t)size.Tk;
        }
    }
    t.p.dropout = rate;
    t.p.seed = seed;
    return t;
}

static size_t cell_of(const problem *t, int b, int h, int i, int j) {
    const attn_params *p = &t->p;
    return (((size_t)b * (size_t)p->query_heads + (size_t)h) * (size_t)p->query_length +
            (size_t)i) *
               (size_t)p->key_length +
           (size_t)j;
}

/* Keys 0 to 63 at p = 1/4, printed by an implementation in another language. */
typedef struct printed_row {
    uint32_t seed;
    int b, h, i;
    const char *keeps;
} printed_row;

static const printed_row PRINTED[] = {
    {0, 0, 0, 0, "1011111011111111111101110011000111111111110111101111111101111110"},
    {0, 1, 0, 0, "1111101000111000110111111100111010001111110101101001110110101001"},
    {0, 0, 1, 0, "0111111110011011011110101111110111111011011110111001101110011100"},
    {0, 0, 0, 1, "1111111101011011111111011100111101111100111101111101111111100111"},
    {0, 2, 3, 70, "1101111101110111101100111111111011111110101111011011111010111011"},
    {1, 0, 0, 0, "1111101111101111111101111111111111011011111111111111111111111110"},
    {1, 1, 0, 0, "1110111111100111111101110101010101001111110100011111110111111111"},
    {1, 2, 3, 70, "1111101110111101111111001001100101101111011101111011011111111111"},
    {4294967295u, 0, 0, 0, "1111100111100111110101111111111111100011101111010010110011011011"},
    {4294967295u, 2, 3, 70, "0110100101101001111111111000111011110111011101110101011100101011"},
};

static void printed_bits(void **state) {
    (void)state;
    for (size_t n = 0; n < COUNT(PRINTED); n++) {
        const printed_row *row = &PRINTED[n];
        problem t = unit_problem((dims){3, 4, 1, 71, 64, 2, 0}, 0.25f, row->seed);
        problem_forward(&t);
        for (int j = 0; j < 64; j++) {
            const int kept = row->keeps[j] == '1';
            assert_int_equal(oracle_keeps(&t.p, row->b, row->h, row->i, j), kept);
            assert_int_equal(t.out[cell_of(&t, row->b, row->h, row->i, j)] != 0, kept);
        }
        buffers_release();
    }
}

/* Every cell of both paths: 0, or the weight divided by 1 - p. lse and weights know nothing of it. */
static void every_cell(void **state) {
    (void)state;
    static const float rates[] = {0.01f, 0.25f, 0.5f, 0.9f, 1, 0.99999994f, 1e-9f};
    for (size_t n = 0; n < COUNT(rates); n++) {
        problem t = unit_problem((dims){2, 4, 2, 101, 131, 3, 0}, 0, rng_bits());
        attn_trace_params plain = problem_stages(&t), dropped = problem_stages(&t);
        problem_forward(&t);
        float *undropped = buffer_copy(t.out, problem_outputs(&t));
        float *lse = buffer_copy(t.lse, problem_rows(&t));
        problem_trace(&t, &plain);

        t.p.dropout = rates[n];
        problem_forward(&t);
        assert_same_bits(t.lse, lse, problem_rows(&t), "lse");
        float *out = buffer_copy(t.out, problem_outputs(&t));
        problem_trace(&t, &dropped);
        assert_same_bits(dropped.weights, plain.weights, problem_cells(&t), "weights");
        assert_same_bits(dropped.lse, plain.lse, problem_rows(&t), "trace lse");
        assert_same_bits(dropped.entropy, plain.entropy, problem_rows(&t), "entropy");

        for (int b = 0; b < 2; b++) {
            for (int h = 0; h < 4; h++) {
                for (int i = 0; i < 101; i++) {
                    for (int j = 0; j < 131; j++) {
                        const size_t at = cell_of(&t, b, h, i, j);
                        const double rate = (double)t.p.dropout;
                        const int kept = rate < 1 && oracle_keeps(&t.p, b, h, i, j);
                        const double factor = kept ? 1 / (1 - rate) : 0;
                        const double tiles = factor * (double)undropped[at];
                        const double trace = factor * (double)plain.weights[at];
                        assert_true(fabs((double)out[at] - tiles) <= 1e-6 * tiles);
                        assert_true(fabs((double)dropped.dropped[at] - trace) <= 1e-6 * trace);
                        assert_true(!signbit(out[at]) && !signbit(dropped.dropped[at]));
                    }
                }
            }
        }
        buffers_release();
    }
}

/* p = 0 is no dropout at all, whatever the seed. */
static void rate_of_zero(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 2, 1, 50, 70, 3, 5});
    problem_forward(&t);
    float *out = buffer_copy(t.out, problem_outputs(&t));
    t.p.seed = 99;
    problem_forward(&t);
    assert_same_bits(t.out, out, problem_outputs(&t), "out");
}

/* Over many cells the rate is p to 0.01; neighbours in any direction, and seeds, agree as often as
 * chance has it. */
static void rate_and_independence(void **state) {
    (void)state;
    static const float rates[] = {0.05f, 0.17f, 0.25f, 0.5f, 0.75f};
    for (size_t n = 0; n < COUNT(rates); n++) {
        attn_params p;
        attn_defaults(&p, 4, 4, 101, 1);
        p.dropout = rates[n];
        p.seed = rng_bits();
        attn_params other = p;
        other.seed = p.seed + 1;
        double kept = 0, cells = 0, same[5] = {0};
        for (int b = 0; b < 4; b++) {
            for (int h = 0; h < 4; h++) {
                for (int i = 0; i < 100; i++) {
                    for (int j = 0; j < 100; j++) {
                        const int keeps = oracle_keeps(&p, b, h, i, j);
                        kept += keeps, cells++;
                        same[0] += keeps == oracle_keeps(&p, b, h, i, j + 1);
                        same[1] += keeps == oracle_keeps(&p, b, h, i + 1, j);
                        same[2] += keeps == oracle_keeps(&p, b, h + 1, i, j);
                        same[3] += keeps == oracle_keeps(&p, b + 1, h, i, j);
                        same[4] += keeps == oracle_keeps(&other, b, h, i, j);
                    }
                }
            }
        }
        const double rate = (double)rates[n], chance = rate * rate + (1 - rate) * (1 - rate);
        assert_true(fabs(1 - kept / cells - rate) <= 0.01);
        for (int way = 0; way < 5; way++) assert_true(fabs(same[way] / cells - chance) <= 0.01);
    }
}

/* A cell keeps its fate in a longer call, in a larger batch, and whatever the threads. */
static void shape_around(void **state) {
    (void)state;
    problem small = unit_problem((dims){1, 2, 1, 30, 40, 2, 0}, 0.5f, 7);
    problem_forward(&small);
    float *out = buffer_copy(small.out, problem_outputs(&small));
    for (int threads = 1; threads <= 3; threads++) {
        problem large = unit_problem((dims){2, 6, 3, 99, 150, 2, 0}, 0.5f, 7);
        large.p.threads = threads;
        problem_forward(&large);
        for (int h = 0; h < 2; h++) {
            for (int i = 0; i < 30; i++) {
                for (int j = 0; j < 40; j++) {
                    const float a = out[cell_of(&small, 0, h, i, j)];
                    assert_int_equal(a == 0, large.out[cell_of(&large, 0, h, i, j)] == 0);
                }
            }
        }
    }
}

/* The mean over many seeds is the output without dropout: what is kept is scaled right. */
static void unbiased(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 1, 1, 4, 50, 2, 3});
    problem_forward(&t);
    float *out = buffer_copy(t.out, 12);
    double sum[12] = {0};
    t.p.dropout = 0.25f;
    for (t.p.seed = 0; t.p.seed < 4000; t.p.seed++) {
        size_t bytes = 0;
        assert_int_equal(attn_workspace_size(&t.p, ATTN_OP_FORWARD, &bytes), ATTN_OK);
        void *workspace = buffer_at(bytes, 0);
        assert_int_equal(attn_forward(&t.p, workspace, bytes), ATTN_OK);
        buffer_free(workspace);
        for (int n = 0; n < 12; n++) sum[n] += (double)t.out[n];
    }
    for (int n = 0; n < 12; n++) assert_true(fabs(sum[n] / 4000 - (double)out[n]) < 0.02);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(printed_bits),          TEST(every_cell),   TEST(rate_of_zero),
        TEST(rate_and_independence), TEST(shape_around), TEST(unbiased),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
