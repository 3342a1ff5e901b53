/*
 * forward.h - one tile of query rows against its keys, in one pass: the online softmax.
 *
 * For each tile of keys, with m and l the running maximum and sum of a row, acc its running output,
 * scores become weights as softmax.h says, and acc = carry acc + p v; at the end out = acc / l and
 * lse = m + log l. (Milakov and Gimelshein 2018, algorithm 3; FlashAttention 2022, algorithm 1.)
 *
 * Keys are cut into chunks of SPLIT_KEYS from key 0 on. Each is summed by itself and they are merged
 * in order, whether one call does them all or each is a call of its own: the bits are the same, and
 * no cut depends on what comes after.
 *
 * A weight of 0 times a value of NaN is NaN. So where some of the tile's scores are masked and v
 * holds a number that is not finite, the weighted sum goes row by row and leaves the masked keys
 * out.
 */
#ifndef ATTN_KERNEL_FORWARD_H
#define ATTN_KERNEL_FORWARD_H

#include "softmax.h"

/* Tiles of keys that go through each step together, where rows are few: what one waits for, the next
 * one fills. A chunk has no more. One row alone takes the whole chunk as one tile. */
#define RUN_TILES (SPLIT_KEYS / KEY_TILE)

typedef struct forward_buffers {
    score_layout at;
    int rows;          /* of all heads of the tile */
    int width;         /* keys of a tile */
    int run;           /* tiles of keys at once */
    float *s;          /* (run, tile) scores, then weights before normalisation */
    float *term;       /* (run, tile) row terms of the mask */
    float *m;          /* (run, QUERY_TILE) m after each tile */
    float *carry;      /* (run, QUERY_TILE) */
    float *sum;        /* (QUERY_TILE) of a tile; or weights of a merge */
    uint32_t *row_key; /* (QUERY_TILE) for dropout */
    float *states;     /* two of them, for a chunk and for all so far */
    float *packed;     /* q (D, QUERY_TILE), or a tile of k (D, KEY_TILE) */
} forward_buffers;

static uint64_t FN(forward_scratch)(int head_dim, int value_dim) {
    return KEY_TILE * (2 * QUERY_TILE + (uint64_t)head_dim) + (2 + 2 * RUN_TILES) * QUERY_TILE +
           2 * state_floats(QUERY_TILE, value_dim);
}

static forward_buffers forward_carve(const forward_tile_args *g) {
    forward_buffers t = {.rows = g->heads * g->rows, .width = KEY_TILE, .run = 1};
    t.at = t.rows <= FEW_ROWS ? KEYS_AS_LANES : QUERIES_AS_LANES;
    if (g->is_alone) {
        t.width = SPLIT_KEYS;
    } else if (t.at.key_step == 1) {
        t.run = QUERY_TILE / t.rows < RUN_TILES ? QUERY_TILE / t.rows : RUN_TILES;
    }
    t.s = g->scratch;
    t.term = t.s + KEY_TILE * QUERY_TILE;
    t.m = t.term + KEY_TILE * QUERY_TILE;
    t.carry = t.m + RUN_TILES * QUERY_TILE;
    t.sum = t.carry + RUN_TILES * QUERY_TILE;
    t.row_key = (uint32_t *)(void *)(t.sum + QUERY_TILE);
    t.states = t.sum + 2 * QUERY_TILE;
    t.packed = t.states + 2 * state_floats(QUERY_TILE, g->value_dim);
    for (int n = 0; g->dropout > 0 && n < t.rows; n++) {
        t.row_key[n] = random_row_key(g->seed, g->batch_index, g->head_index + n / g->rows,
                                      g->first_row + n % g->rows);
    }
    if (t.at.row_step == 1)
        pack_lanes(g->q_bhi, g->q_row, g->rows, g->head_dim, QUERY_TILE, t.packed);
    return t;
}

/* A tile of keys on its way: [j0, j0 + keys). */
typedef struct key_tile {
    int j0, keys;
    mask_class kind;
    float *s, *m, *carry;
    const float *term; /* NULL where there is none to add */
} key_tile;

/* s = q k^T. */
static void raw_scores(const forward_tile_args *g, const forward_buffers *t, const key_tile *tile) {
    const float *k = g->k_bh + tile->j0 * g->k_row;
    if (t->at.row_step == 1) {
        keys_product(k, g->k_row, tile->keys, g->head_dim, lanes_of(t->rows), t->packed, tile->s);
        return;
    }
    if (g->is_alone) {
        row_product(g->q_bhi, k, g->k_row, tile->keys, g->head_dim, tile->s);
        return;
    }
    pack_lanes(k, g->k_row, tile->keys, g->head_dim, KEY_TILE, t->packed);
    /* One row of each head lies like the rows of one head. */
    const int single = g->rows == 1, runs = single ? 1 : g->heads;
    const int rows = single ? g->heads : g->rows;
    for (int h = 0; h < runs; h++) {
        FN(gemm)(rows, lanes_of(tile->keys), g->head_dim, g->q_bhi + h * g->q_head,
                 single ? g->q_head : g->q_row, 1, t->packed, KEY_TILE,
                 tile->s + h * rows * KEY_TILE, KEY_TILE, NULL);
    }
}

/* s masked, m from that of the tile before. */
static void masked_scores(const forward_tile_args *g, const forward_buffers *t,
                          const key_tile *tile) {
    if (t->at.key_step == 1) {
        mask_keys(g->scale, g->softcap, t->rows, tile->keys, tile->term, tile->s, tile->m);
    } else if (g->softcap > 0) {
        mask_queries_capped(g->scale, g->softcap, t->rows, tile->keys, tile->term, tile->s,
                            tile->m);
    } else {
        (tile->term ? mask_queries_terms : mask_queries_plain)(g->scale, 0, t->rows, tile->keys,
                                                               tile->term, tile->s, tile->m);
    }
}

/* s = exp(s - m), after dropout; l moves on. */
static void weights(const forward_tile_args *g, const forward_buffers *t, row_state *state,
                    const key_tile *tile) {
    if (t->at.key_step == 1) {
        exponentiate_keys(state, tile->m, tile->carry, t->rows, tile->j0, tile->keys, g->is_alone,
                          tile->s, t->sum);
    } else {
        exponentiate_queries(state, tile->m, tile->carry, t->rows, tile->keys, tile->s);
    }
    if (g->dropout > 0) {
        drop(g->dropout, t->row_key, t->rows, tile->j0, tile->keys, t->at, tile->s);
    }
}

/* acc = carry acc + P V. */
NOINLINE void weighted_sum(const forward_tile_args *g, const forward_buffers *t,
                           const row_state *state, const key_tile *tile) {
    const float *v = g->v_bh + tile->j0 * g->v_row;
    if (t->at.key_step == 1) {
        FN(gemm)(t->rows, g->value_dim, tile->keys, tile->s, KEY_TILE, 1, v, g->v_row, state->acc,
                 state->acc_row, tile->carry);
        return;
    }
    const gemm_operands o = {
        .m = t->rows,
        .n = g->value_dim,
        .inner = tile->keys,
        .a = tile->s,
        .a_row = 1,
        .a_inner = QUERY_TILE,
        .b = v,
        .b_row = g->v_row,
        .c = state->acc,
        .c_row = state->acc_row,
        .carry = tile->carry,
    };
    gemm_shaped(&o, VALUES_MR, VALUES_NV, 0);
}

/* The same for each row apart, without the keys whose term is -inf. One key after the other is added
 * onto a carry of 1, which keeps the order of the sums and so the bits. */
static void weighted_sum_by_rows(const forward_tile_args *g, const forward_buffers *t,
                                 const row_state *state, const key_tile *tile) {
    const float one = 1.0f, *v = g->v_bh + tile->j0 * g->v_row;
    for (int i = 0; i < t->rows; i++) {
        float *acc_i = state->acc + i * state->acc_row;
        FN(gemm)(1, g->value_dim, 0, tile->s, 0, 0, v, 0, acc_i, 0, tile->carry + i);
        for (int j = 0; j < tile->keys; j++) {
            const ptrdiff_t ij = i * t->at.row_step + j * t->at.key_step;
            if (tile->term[ij] == -INFINITY) continue;
            FN(gemm)(1, g->value_dim, 1, tile->s + ij, 0, 0, v + j * g->v_row, 0, acc_i, 0, &one);
        }
    }
}

/* The tile of keys [j0, j1) in slot n, with its terms. */
static key_tile key_tile_of(const forward_tile_args *g, const forward_buffers *t, int n, int j0,
                            int j1) {
    const int i0 = g->first_row, size = t->rows * t->width;
    float *term = t->term + n * size;
    key_tile tile = {
        .j0 = j0,
        .keys = j1 - j0,
        .kind = mask_tile_class(g->mask, i0, i0 + g->rows, j0, j1),
        .s = t->s + n * size,
        .m = t->m + n * QUERY_TILE,
        .carry = t->carry + n * QUERY_TILE,
    };
    int use_terms = tile.kind == MASK_PARTIAL;
    for (int h = 0; h < g->heads; h++) use_terms |= mask_has_terms(g->mask + h);
    if (use_terms) {
        tile.kind = tile_terms(g->mask, g->heads, i0, g->rows, j0, j1, t->at, tile.s, term);
        tile.term = term;
    }
    return tile;
}

/* A number for each row: a few vectors, which a call of memcpy would take longer for. */
static void copy_rows(float *to, const float *from, int rows) {
    for (int i = 0; i < lanes_of(rows); i += VN) v_store(to + i, v_load(from + i));
}

/* Each step for all of the tiles, in order. */
static void add_tiles(const forward_tile_args *g, const forward_buffers *t, row_state *state,
                      const key_tile *tiles, int count) {
    for (int n = 0; n < count; n++) raw_scores(g, t, &tiles[n]);
    for (int n = 0; n < count; n++) {
        const float *m = n == 0 ? state->m : tiles[n - 1].m;
        copy_rows(tiles[n].m, m, t->rows);
        masked_scores(g, t, &tiles[n]);
        move_on(m, tiles[n].m, t->rows, tiles[n].carry);
    }
    for (int n = 0; n < count; n++) weights(g, t, state, &tiles[n]);
    for (int n = 0; n < count; n++) {
        const float *v = g->v_bh + tiles[n].j0 * g->v_row;
        if (tiles[n].kind == MASK_PARTIAL &&
            holds_non_finite(v, g->v_row, tiles[n].keys, g->value_dim)) {
            weighted_sum_by_rows(g, t, state, &tiles[n]);
        } else {
            weighted_sum(g, t, state, &tiles[n]);
        }
    }
    if (count > 0) copy_rows(state->m, tiles[count - 1].m, t->rows);
}

/* The keys of one chunk that some row may see. Tiles of keys start at multiples of KEY_TILE, so that
 * the cuts do not depend on the rows. */
static void add_chunk(const forward_tile_args *g, const forward_buffers *t, mask_span span,
                      int chunk, row_state *state) {
    const int first = chunk * SPLIT_KEYS;
    const int begin = span.begin > first ? span.begin : first;
    const int end = span.end - first < SPLIT_KEYS ? span.end : first + SPLIT_KEYS;
    key_tile tiles[RUN_TILES];
    int count = 0;
    state_clear(state, t->rows);
    for (int at = begin / t->width * t->width; at < end; at += t->width) {
        const int j0 = at < begin ? begin : at, j1 = end - at < t->width ? end : at + t->width;
        tiles[count] = key_tile_of(g, t, count, j0, j1);
        if (tiles[count].kind != MASK_EMPTY) count++;
        if (count < t->run) continue;
        add_tiles(g, t, state, tiles, count);
        count = 0;
    }
    add_tiles(g, t, state, tiles, count);
}

static void finish(const forward_tile_args *g, const row_state *state) {
    for (int n = 0; n < g->heads * g->rows; n++) {
        const int h = n / g->rows, i = n % g->rows, empty = state->l[n] == 0.0f;
        float *out = g->out_bhi + h * g->out_head + i * g->out_row;
        const float *acc = state->acc + n * state->acc_row;
        const vf l = v_set1(empty ? 1.0f : state->l[n]), zero = v_set1(0.0f);
        /* + 0 turns -0 into +0: its sign could tell the sign of a masked value. */
        for (int d = 0; d < g->value_dim; d += VN) {
            const vf x = empty ? zero : v_add(v_div(v_load(acc + d), l), zero);
            const int lanes = g->value_dim - d;
            if (lanes >= VN) {
                v_store(out + d, x);
            } else {
                v_store_n(out + d, x, lanes);
            }
        }
        if (g->lse_bhi) g->lse_bhi[n] = empty ? -INFINITY : state->m[n] + logf(state->l[n]);
    }
}

static mask_span span_of(const forward_tile_args *g) {
    return mask_tile_span(g->mask, g->first_row, g->first_row + g->rows);
}

static void FN(forward_tile)(const forward_tile_args *g) {
    const forward_buffers t = forward_carve(g);
    const mask_span span = span_of(g);
    const int first = span.begin / SPLIT_KEYS;
    const int last = span.end > span.begin ? (span.end - 1) / SPLIT_KEYS : first;
    row_state part = state_at(t.states, t.rows, g->value_dim);
    add_chunk(g, &t, span, first, &part);
    if (first == last) {
        finish(g, &part);
        return;
    }
    float *memory = t.states + state_floats(QUERY_TILE, g->value_dim);
    row_state total = state_at(memory, t.rows, g->value_dim);
    state_clear(&total, t.rows);
    state_merge(&total, &part, t.rows, g->value_dim, t.sum, t.carry);
    for (int chunk = first + 1; chunk <= last; chunk++) {
        add_chunk(g, &t, span, chunk, &part);
        state_merge(&total, &part, t.rows, g->value_dim, t.sum, t.carry);
    }
    finish(g, &total);
}

static uint64_t FN(part_floats)(int rows, int value_dim) { return state_floats(rows, value_dim); }

static void FN(forward_part)(const forward_tile_args *g, int chunk, float *memory) {
    const forward_buffers t = forward_carve(g);
    row_state part = state_at(memory, t.rows, g->value_dim);
    add_chunk(g, &t, span_of(g), chunk, &part);
}

static void FN(forward_merge)(const forward_tile_args *g, int chunks, float *parts) {
    const int rows = g->heads * g->rows;
    float *weight = g->scratch, *part_weight = weight + QUERY_TILE;
    row_state total = state_at(weight + 2 * QUERY_TILE, rows, g->value_dim);
    state_clear(&total, rows);
    for (int chunk = 0; chunk < chunks; chunk++) {
        const row_state part = state_at(parts, rows, g->value_dim);
        state_merge(&total, &part, rows, g->value_dim, weight, part_weight);
        parts += state_floats(rows, g->value_dim);
    }
    finish(g, &total);
}

#endif
