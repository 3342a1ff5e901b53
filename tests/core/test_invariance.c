/*
 * test_invariance.c - what must not matter: where rows lie, what else is in the batch, which rows and keys
 * are cut away unseen, how a rule is written, in which order keys come, and whether tokens come all
 * at once or through a cache. Each for random problems over every option (varied.h), bit for bit
 * where the order of the sums is the same.
 */
#include "bound.h"
#include "buffers.h"
#include "caching.h"
#include "gradients.h"
#include "oracle.h"
#include "rng.h"
#include "suite.h"
#include "varied.h"

#include <math.h>
#include <string.h>

/* Two runs of one problem: forward, lse, and every stage of the trace, each as packed rows. */
static void assert_same_problem(problem *a, problem *b) {
    const attn_params *p = &a->p;
    const int H = p->query_heads, T = p->query_length, Dv = p->value_dim;
    problem_forward(a);
    problem_forward(b);
    assert_same_bits(varied_packed(b, b->out, b->p.out_stride, H, T, Dv),
                     varied_packed(a, a->out, p->out_stride, H, T, Dv), problem_outputs(a),
                     problem_text(a));
    assert_same_bits(b->lse, a->lse, problem_rows(a), problem_text(a));
    attn_trace_params s = problem_stages(a), r = problem_stages(b);
    problem_trace(a, &s);
    problem_trace(b, &r);
    assert_same_bits(varied_packed(b, b->out, b->p.out_stride, H, T, Dv),
                     varied_packed(a, a->out, p->out_stride, H, T, Dv), problem_outputs(a),
                     problem_text(a));
    assert_same_bits(r.masked, s.masked, problem_cells(a), problem_text(a));
    assert_same_bits(r.dropped, s.dropped, problem_cells(a), problem_text(a));
    assert_same_bits(r.lse, s.lse, problem_rows(a), problem_text(a));
    assert_same_bits(r.entropy, s.entropy, problem_rows(a), problem_text(a));
}

static void layouts(void) {
    problem packed = varied_problem(), other = varied_strides(&packed);
    assert_same_problem(&packed, &other);
}

/* Causal, window, lengths and key_mask say the same as one mask over all pairs. */
static void rules_written_out(void) {
    problem t = varied_problem(), written = varied_written_out(&t);
    assert_same_problem(&t, &written);
}

/* One kv head of one batch row with the query heads of its group, some rows of queries, and of the keys
 * those that lengths leave: as it was within the whole. */
static problem slice_of(const problem *t, int b, int kv_h, int i0, int rows) {
    const attn_params *whole = &t->p;
    const int group = whole->query_heads / whole->kv_heads, h0 = kv_h * group;
    problem part = *t;
    attn_params *p = &part.p;
    slice_strides(whole->query_heads, whole->query_length, whole->head_dim, p->q_stride);
    slice_strides(whole->kv_heads, whole->key_length, whole->head_dim, p->k_stride);
    slice_strides(whole->kv_heads, whole->key_length, whole->value_dim, p->v_stride);
    p->q = t->q + b * p->q_stride[0] + h0 * p->q_stride[1] + i0 * p->q_stride[2];
    p->k = t->k + b * p->k_stride[0] + kv_h * p->k_stride[1];
    p->v = t->v + b * p->v_stride[0] + kv_h * p->v_stride[1];
    p->batch = 1, p->query_heads = group, p->kv_heads = 1, p->query_length = rows;
    p->out = part.out = buffer_floats((size_t)(group * rows * p->value_dim));
    p->lse = part.lse = buffer_floats((size_t)(group * rows));

    int32_t *offset = problem_batch_values(&part, 0, 0);
    offset[0] = (int32_t)oracle_position(whole, b, i0);
    p->query_offset = offset;
    if (p->causal) p->causal = ATTN_CAUSAL;
    if (whole->query_lengths) {
        int32_t *left = problem_batch_values(&part, 0, 0);
        left[0] = whole->query_lengths[b] - i0;
        p->query_lengths = left;
    }
    if (whole->key_lengths) {
        const int keys = whole->key_lengths[b], Tk = whole->key_length;
        const int valid = keys < 0 ? 0 : keys < Tk ? keys : Tk;
        p->key_length = valid + rng_below(Tk - valid + 1);
        p->key_lengths = whole->key_lengths + b;
    }
    if (p->mask) {
        p->mask += b * p->mask_stride[0] + h0 * p->mask_stride[1] + i0 * p->mask_stride[2];
    }
    if (p->bias) {
        p->bias += b * p->bias_stride[0] + h0 * p->bias_stride[1] + i0 * p->bias_stride[2];
    }
    if (p->key_mask) p->key_mask += b * p->key_mask_stride[0];
    if (p->alibi_slopes) p->alibi_slopes += h0;
    return part;
}

/* Whether a call has tiles of one row: its products are summed in another order. */
static int has_single_rows(const attn_params *p, int rows) {
    return rows == 1 && p->query_heads == p->kv_heads;
}

/* Any slice by itself has the bits that it has among the others: so batches, heads and rows may be cut
 * apart, put together and reordered; but for a row quite alone, which is as exact. (Dropout goes by
 * their numbers, and is left out.) */
static void slices(void) {
    problem t = varied_problem();
    t.p.dropout = 0;
    if (problem_rows(&t) == 0) return;
    problem_forward(&t);
    const size_t Tq = (size_t)t.p.query_length, Dv = (size_t)t.p.value_dim;
    for (int round = 0; round < 4; round++) {
        const int b = rng_below(t.p.batch), kv_h = rng_below(t.p.kv_heads);
        const int i0 = rng_below(t.p.query_length), rows = 1 + rng_below(t.p.query_length - i0);
        problem part = slice_of(&t, b, kv_h, i0, rows);
        if (has_single_rows(&part.p, rows) && t.p.query_length > 1) {
            problem_check_forward(&part);
            continue;
        }
        problem_forward(&part);
        for (size_t h = 0; h < (size_t)part.p.query_heads; h++) {
            const size_t head =
                (size_t)b * (size_t)t.p.query_heads + (size_t)kv_h * (size_t)part.p.query_heads + h;
            const size_t row = head * Tq + (size_t)i0, own = h * (size_t)rows;
            assert_same_bits(part.out + own * Dv, t.out + row * Dv, (size_t)rows * Dv,
                             problem_text(&t));
            assert_same_bits(part.lse + own, t.lse + row, (size_t)rows, problem_text(&t));
        }
    }
}

/* Keys in another order, with their columns of mask and bias: the same up to the bound, for the sums run
 * in another order. */
static void permuted_keys(void) {
    problem t = varied_problem();
    t.p.dropout = 0;
    t.p.alibi_slopes = NULL;
    problem w = varied_written_out(&t), permuted = w;
    const size_t Tk = (size_t)t.p.key_length;
    int order[VARIED_KEYS];
    for (int j = 0; j < t.p.key_length; j++) {
        const int other = rng_below(j + 1);
        order[j] = order[other];
        order[other] = j;
    }
    permuted.p.k = permuted.k = buffer_floats(problem_keys(&t) * (size_t)t.p.head_dim);
    permuted.p.v = permuted.v = buffer_floats(problem_keys(&t) * (size_t)t.p.value_dim);
    for (size_t key = 0; key < problem_keys(&t); key++) {
        const size_t from = key / Tk * Tk + (size_t)order[key % Tk];
        const size_t D = (size_t)t.p.head_dim, Dv = (size_t)t.p.value_dim;
        memcpy(permuted.k + key * D, t.k + from * D, D * sizeof(float));
        memcpy(permuted.v + key * Dv, t.v + from * Dv, Dv * sizeof(float));
    }
    uint8_t *mask = problem_mask(&permuted, (const int[]){1, 1, 1, 1}, 1);
    float *bias = t.p.bias ? problem_bias(&permuted, (const int[]){1, 1, 1, 1}, 1) : NULL;
    size_t n = 0;
    for (int b = 0; b < t.p.batch; b++) {
        for (int h = 0; h < t.p.query_heads; h++) {
            for (int i = 0; i < t.p.query_length; i++) {
                for (int j = 0; j < t.p.key_length; j++, n++) {
                    mask[n] = (uint8_t)oracle_allows(&t.p, b, h, i, order[j]);
                    if (bias) bias[n] = (float)oracle_term(&t.p, b, h, i, order[j]);
                }
            }
        }
    }
    problem_forward(&permuted);
    oracle exact = oracle_of(&t.p, NULL, ORACLE_EXACT), plain = oracle_of(&t.p, NULL, ORACLE_PLAIN);
    bound_check("permuted out", problem_text(&t), permuted.out, exact.out, plain.out, exact.outputs,
                oracle_unit(&exact, exact.largest_v));
    bound_check("permuted lse", problem_text(&t), permuted.lse, exact.lse, plain.lse, exact.rows,
                -oracle_unit(&exact, 1));
    oracle_free(&exact);
    oracle_free(&plain);
}

/* Tokens one by one and in chunks of any size, with any options that go by position: each row has the
 * bits of one causal call; where the oldest keys leave, or rows are alone, it is as exact. */
static void decoding(void) {
    const int T = rng_chance(0.1) ? 500 + rng_below(200) : 1 + rng_below(120);
    const int Hk = 1 + rng_below(2);
    const dims s = {1 + rng_below(3),  Hk * (1 + rng_below(3)), Hk, T, T,
                    1 + rng_below(20), 1 + rng_below(20)};
    problem t = problem_of(s);
    const int most = 1 + rng_below(T), window = rng_chance(0.5) ? rng_below(T) : -1;
    t.p.causal = ATTN_CAUSAL;
    t.p.window_left = window;
    if (rng_chance(0.3)) t.p.window_right = rng_below(3);
    problem_options(&t);
    t.p.dropout = 0;
    problem_forward(&t);
    const int evicts = window >= 0 && rng_chance(0.5);
    attn_cache c = caching_of(s, evicts ? window + most : T + rng_below(70));
    c.evict = evicts;
    float *out = buffer_floats(problem_outputs(&t));
    int alone = 0;
    for (int from = 0, count; from < T; from += count) {
        count = 1 + rng_below(most);
        if (count > T - from) count = T - from;
        alone |= has_single_rows(&t.p, count) && T > 1;
        assert_int_equal(caching_append(&c, &t, from, count, NULL), ATTN_OK);
        caching_attend(&c, &t, from, count, NULL, out);
        const int present = from + count < c.capacity ? from + count : c.capacity;
        assert_true(c.lengths[0] == present && c.positions[s.B - 1] == from + count);
    }
    if (!evicts && !alone) {
        assert_same_bits(out, t.out, problem_outputs(&t), problem_text(&t));
        return;
    }
    oracle exact = oracle_of(&t.p, NULL, ORACLE_EXACT), plain = oracle_of(&t.p, NULL, ORACLE_PLAIN);
    bound_check("decoded out", problem_text(&t), out, exact.out, plain.out, exact.outputs,
                oracle_unit(&exact, exact.largest_v));
    oracle_free(&exact);
    oracle_free(&plain);
}

/* A gradient at strides of its own. */
static float *placed(const float *x, const int extent[3], int columns, ptrdiff_t stride[3]) {
    ptrdiff_t packed[3];
    slice_strides(extent[1], extent[2] ? extent[2] : 1, columns, packed);
    return varied_place(x, sizeof *x, packed, extent, columns, stride);
}

static float dbias_at(const backward *w, int b, int h, int i, int j) {
    const ptrdiff_t *s = w->t.p.bias_stride;
    return w->dbias[b * s[0] + h * s[1] + i * s[2] + j * s[3]];
}

/* Gradients are within their bound, and have the same bits wherever their rows, and those of the tensors
 * that they come from, lie. */
static void gradients_and_layouts(void) {
    problem packed = varied_problem();
    backward a = backward_of(packed), b = backward_of(varied_strides(&packed));
    const attn_params *p = &packed.p;
    const int queries[3] = {p->batch, p->query_heads, p->query_length};
    const int keys[3] = {p->batch, p->kv_heads, p->key_length};
    backward_check(&a);

    b.g.dout = b.dout = placed(a.dout, queries, p->value_dim, b.g.dout_stride);
    b.g.dq = b.dq = placed(a.dq, queries, p->head_dim, b.g.dq_stride);
    b.g.dk = b.dk = placed(a.dk, keys, p->head_dim, b.g.dk_stride);
    b.g.dv = b.dv = placed(a.dv, keys, p->value_dim, b.g.dv_stride);
    backward_run(&b);
    const problem *t = &packed;
    assert_same_bits(varied_packed(t, b.dq, b.g.dq_stride, queries[1], queries[2], p->head_dim),
                     a.dq, backward_count(&a, 0), problem_text(t));
    assert_same_bits(varied_packed(t, b.dk, b.g.dk_stride, keys[1], keys[2], p->head_dim), a.dk,
                     backward_count(&a, 1), problem_text(t));
    assert_same_bits(varied_packed(t, b.dv, b.g.dv_stride, keys[1], keys[2], p->value_dim), a.dv,
                     backward_count(&a, 2), problem_text(t));
    if (!a.dbias) return;
    for (int n = 0; n < 400 && problem_cells(t) > 0; n++) {
        const int at[] = {rng_below(p->batch), rng_below(p->query_heads),
                          rng_below(p->query_length), rng_below(p->key_length)};
        const float x = dbias_at(&a, at[0], at[1], at[2], at[3]);
        const float y = dbias_at(&b, at[0], at[1], at[2], at[3]);
        assert_same_bits(&y, &x, 1, problem_text(t));
    }
}

/* One kv head of one batch row with its group by itself has the gradients that it has among others. */
static void gradients_of_slices(void) {
    problem t = varied_problem();
    t.p.dropout = 0;
    t.p.bias = NULL;
    if (problem_rows(&t) == 0) return;
    backward whole = backward_of(t);
    backward_run(&whole);
    const int b = rng_below(t.p.batch), kv_h = rng_below(t.p.kv_heads), Tq = t.p.query_length;
    backward part = backward_of(slice_of(&t, b, kv_h, 0, Tq));
    const size_t D = (size_t)t.p.head_dim, Dv = (size_t)t.p.value_dim;
    const size_t rows = problem_rows(&part.t), kv = (size_t)(b * t.p.kv_heads + kv_h);
    const size_t key = kv * (size_t)t.p.key_length, row = kv * rows;
    const size_t keys = (size_t)part.t.p.key_length;
    memcpy(part.dout, whole.dout + row * Dv, rows * Dv * sizeof(float));
    backward_run(&part);
    assert_same_bits(part.dq, whole.dq + row * D, rows * D, problem_text(&t));
    assert_same_bits(part.dk, whole.dk + key * D, keys * D, problem_text(&t));
    assert_same_bits(part.dv, whole.dv + key * Dv, keys * Dv, problem_text(&t));
}

#define PROPERTY(name, count)                                                                      \
    static void name##_cases(void **state) {                                                       \
        (void)state;                                                                               \
        varied_cases(count, name);                                                                 \
    }

PROPERTY(layouts, 100)
PROPERTY(rules_written_out, 100)
PROPERTY(slices, 150)
PROPERTY(permuted_keys, 100)
PROPERTY(decoding, 60)
PROPERTY(gradients_and_layouts, 100)
PROPERTY(gradients_of_slices, 100)

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(layouts_cases),
        TEST(rules_written_out_cases),
        TEST(slices_cases),
        TEST(permuted_keys_cases),
        TEST(decoding_cases),
        TEST(gradients_and_layouts_cases),
        TEST(gradients_of_slices_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
