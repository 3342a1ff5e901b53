/*
 * attention.h - scaled dot-product attention, the public interface and its manual.
 *
 *     scores  = q k^T                                     (B, Hq, Tq, Tk)
 *     scaled  = scale * scores,   scale = 1/sqrt(D) unless given
 *     capped  = softcap * tanh(scaled / softcap)          only when softcap > 0
 *     masked  = capped + bias - slope * |p - j|,  -inf where a key is not allowed
 *     weights = softmax(masked) over the keys
 *     out     = weights v                                 (B, Hq, Tq, Dv)
 *
 * Source: Vaswani et al., "Attention Is All You Need" (2017), equation 1. The tiled computation
 * with a running maximum follows Milakov and Gimelshein, "Online normalizer calculation for
 * softmax" (2018) and Dao et al., "FlashAttention" (2022).
 *
 * The library computes; the caller owns. It never allocates, prints, exits or keeps any state:
 * every buffer, the workspace included, belongs to the caller, and two calls on different buffers
 * may run at the same time. Types are float32 throughout.
 *
 * A call in four lines:
 *
 *     attn_params p;
 *     attn_defaults(&p, batch, heads, length, head_dim);
 *     p.q = q;  p.k = k;  p.v = v;  p.out = out;  p.causal = ATTN_CAUSAL;
 *     attn_status status = attn_forward(&p, workspace, workspace_bytes);
 *
 * Letters used below:
 *
 *     B   batch            Hq  query heads      Tq  query length      D   head size of q and k
 *     Hk  key/value heads  Tk  key length       Dv  head size of v and out
 *     i = a query (row of the score matrix), j = a key (column), p = the position of query i.
 */
#ifndef ATTENTION_H
#define ATTENTION_H

#include <stddef.h>
#include <stdint.h>

#define ATTN_VERSION "0.1.0"

/* Grows whenever a structure, the meaning of a field or an export changes; a loader compares it. */
#define ATTN_ABI 3

#if defined(ATTN_SHARED) && defined(_WIN32)
#ifdef ATTN_BUILDING
#define ATTN_API __declspec(dllexport)
#else
#define ATTN_API __declspec(dllimport)
#endif
#elif defined(ATTN_BUILDING) && defined(__GNUC__)
#define ATTN_API __attribute__((visibility("default")))
#else
#define ATTN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Status
 *
 * Every function that can fail returns one of these; 0 is success. A call that does not return
 * ATTN_OK has written nothing. attn_check() also names the field at fault.
 */
typedef enum attn_status {
    ATTN_OK = 0,
    ATTN_NULL,             /* a required pointer is NULL */
    ATTN_VERSION_MISMATCH, /* size is not sizeof: attn_defaults() of this version was not called */
    ATTN_SIZE,             /* a dimension is negative, 0 where it may not be, or too large */
    ATTN_HEADS,            /* query_heads is not a multiple of kv_heads */
    ATTN_STRIDE,           /* a stride does not step over its row, or makes rows of out overlap */
    ATTN_RANGE,            /* a number is outside its range, NaN or infinite */
    ATTN_CONFLICT,         /* two options contradict each other or leave the meaning open */
    ATTN_ISA,              /* the instruction set is not in this build or not on this machine */
    ATTN_FULL,             /* the cache has no room for the keys */
    ATTN_WORKSPACE         /* the workspace is NULL or smaller than attn_workspace_size() says */
} attn_status;

/* One English clause without a full stop, for instance "a required pointer is NULL". Never NULL. */
ATTN_API const char *attn_status_string(attn_status status);

/* ------------------------------------------------------------------------------------------------
 * Parameters
 *
 * Fill with attn_defaults(), then set what differs. Zero means "not used" for every pointer and
 * option, except where said otherwise.
 *
 * Strides count floats (bytes for mask and key_mask). q, k, v and out with all three strides 0 are
 * packed in the order (B, H, T, D). To say (B, T, H, D), or one buffer that holds q, k and v side
 * by side, give the strides [batch, head, row] yourself; that of an axis of length 1 does not
 * matter. The last dimension is always contiguous.
 */
typedef enum attn_causal {
    ATTN_NOT_CAUSAL = 0,
    ATTN_CAUSAL = 1,         /* key j allowed iff j <= p; the last query sees the last key */
    ATTN_CAUSAL_TOP_LEFT = 2 /* the same with p = i: the first query sees only the first key */
} attn_causal;

typedef struct attn_params {
    uint32_t size; /* sizeof(attn_params), set by attn_defaults(); fields are only ever appended */

    /* Dimensions. batch, query_length and key_length may be 0; the others are at least 1.
     * query_heads is a multiple of kv_heads; query head h reads kv head floor(h / (Hq / Hk)). */
    int32_t batch, query_heads, kv_heads, query_length, key_length, head_dim, value_dim;

    /* Tensors. out may not overlap an input. */
    const float *q; /* (B, Hq, Tq, D) */
    const float *k; /* (B, Hk, Tk, D) */
    const float *v; /* (B, Hk, Tk, Dv) */
    float *out;     /* (B, Hq, Tq, Dv) */
    float *lse;     /* (B, Hq, Tq) packed, or NULL: log-sum-exp of the masked row, in nats */
    ptrdiff_t q_stride[3], k_stride[3], v_stride[3], out_stride[3];

    /* Scores. scale is set to 1/sqrt(D) by attn_defaults() and may be any finite number, 0 and
     * negatives included. softcap 0 is off; otherwise finite and positive. */
    float scale, softcap;

    /* Position of query i of batch b: p = i + offset[b].
     * offset[b] = query_offset[b] when given; 0 when causal is ATTN_CAUSAL_TOP_LEFT;
     * else key_lengths[b] - query_lengths[b], which default to Tk and Tq.
     * key_lengths, query_lengths: keys and rows beyond them do not exist (output 0). They lie in
     * [0, Tk] and [0, Tq]; values outside are taken as the nearest bound, so that nothing is read
     * out of range. causal, or a window, with Tq = Tk and key_lengths but neither query_lengths nor
     * query_offset is ATTN_CONFLICT: it would not say whether the queries are padded too. */
    int32_t causal;                                            /* attn_causal */
    const int32_t *query_offset, *key_lengths, *query_lengths; /* each (B) or NULL */

    /* Window: key j allowed iff p - window_left <= j <= p + window_right. -1 = unbounded on that
     * side, as attn_defaults() sets both. W keys that end at the query are [W - 1, 0]. */
    int32_t window_left, window_right;

    /* Masks: a byte that is not 0 allows the key. bias is added to the capped score; -inf in it
     * masks. All masks, causal, window and lengths combine: a key is allowed when every one of them
     * allows it. Strides: [batch, head, row, column], for key_mask [batch, column]; 0 broadcasts
     * and never means packed; the column stride is 0 or 1. */
    const uint8_t *mask;     /* broadcasts to (B, Hq, Tq, Tk), or NULL */
    const uint8_t *key_mask; /* broadcasts to (B, Tk), or NULL */
    const float *bias;       /* broadcasts to (B, Hq, Tq, Tk), or NULL; finite or -inf */
    ptrdiff_t mask_stride[4], key_mask_stride[2], bias_stride[4];

    /* ALiBi: subtracts alibi_slopes[h] * |p - j|, never scaled. Press et al. (2021). */
    const float *alibi_slopes; /* (Hq), or NULL */

    /* Dropout on the weights: each is kept with probability 1 - dropout and then divided by it.
     * 0 <= dropout <= 1; 1 gives zeros. */
    float dropout;
    uint32_t seed;

    /* threads: 0 = all that OpenMP offers; without OpenMP always 1. The result has the same bits
     * for any number. isa: 0 = the best of this build and machine, or an attn_isa. */
    int32_t threads;
    int32_t isa;
} attn_params;

/*
 * Fills *params for self-attention with packed tensors: Hq = Hk = heads, Tq = Tk = length,
 * Dv = D = head_dim, scale = 1/sqrt(head_dim), no window, everything else 0.
 *
 * head_dim < 1 leaves scale at 1; attn_check() refuses it.
 */
ATTN_API void attn_defaults(attn_params *params, int batch, int heads, int length, int head_dim);

/*
 * Judges every field and every combination without reading any pointer; the tensors themselves may
 * still be NULL (sizes can be checked before memory is found).
 *
 * field   receives the name of the first field at fault ("head_dim"), or NULL when all is well.
 *         May be NULL.
 */
ATTN_API attn_status attn_check(const attn_params *params, const char **field);

/* How many numbers, from the first on, may be a bias: the index of the first NaN or +inf, or count. */
ATTN_API size_t attn_bias_prefix(const float *bias, size_t count);

/* ------------------------------------------------------------------------------------------------
 * Forward
 */
typedef enum attn_op { ATTN_OP_FORWARD = 0, ATTN_OP_BACKWARD = 1 } attn_op;

/*
 * Bytes of workspace that a call needs: O(tile) for each thread, never O(Tq * Tk); and where there
 * are at most 16 queries, a partial result of each for every 512 keys. Computed in 64 bits; a size
 * that size_t cannot hold is ATTN_SIZE. params must pass attn_check().
 */
ATTN_API attn_status attn_workspace_size(const attn_params *params, attn_op op, size_t *bytes);

/*
 * out = softmax(masked) v by tiles, in one pass over the keys. At most 16 queries, as in decoding, are
 * cut by chunks of keys, which K and V stream through once for all the heads of a group.
 *
 * params           checked as by attn_check(); q, k, v and out not NULL unless they are empty
 * workspace        at least attn_workspace_size() bytes, any alignment; its contents mean nothing
 *
 * Guarantees
 *   - A row with no allowed key, or whose allowed scores are all -inf: output 0, lse -inf.
 *   - A masked key's k and v are never used: NaN there changes nothing. NaN in an allowed key gives
 *     NaN in exactly the rows that may see it.
 *   - Under a causal mask a row has the same bits whatever the keys after it hold.
 *   - A row has the same bits whatever rows are beside it: in chunks through a cache, while no key is
 *     evicted, as in one causal call. Only a query alone (Tq = 1 with Hq = Hk) sums its scores in
 *     another order. (Dropout goes by the row's number.)
 *   - Same bits for the same instruction set, whatever the number of threads, with or without lse.
 *   - max|out - exact| <= 2 max|plain float32 - exact| + max(1e-6, 2^-23 S) max(1, max|v|) for
 *     finite scores. S is the largest mean, by the weights of a row, of what its scores are summed
 *     from: |scale| sum|q k| + |bias| + slope |p - j|. One rounding of a score s moves it by up to
 *     2^-24 |s|, a weight by as much of itself, and out by up to twice the mean of that times
 *     max|v|; S beyond 8 is where that exceeds 1e-6. The same for lse with max(1, max|lse|, S).
 * Not guaranteed
 *   - The same bits on different instruction sets, or as attn_trace(): sums run in another order.
 *   - Weights below 2^-64 of the row's largest: they count as exactly 0, and times an infinite value
 *     as NaN, where attn_trace() may have infinity.
 *   - Values beyond FLT_MAX / Tk: the sum is divided last, and may overflow before.
 */
ATTN_API attn_status attn_forward(const attn_params *params, void *workspace,
                                  size_t workspace_bytes);

/* ------------------------------------------------------------------------------------------------
 * Backward
 *
 * With P the weights, A = dropout(P), dS the gradient of q k^T, delta = rowsum(dout * out):
 *
 *     dv = A^T dout      dmasked = P * (dropout(dout v^T) - delta) = dbias
 *     dq = dS k          dS = scale * (1 - tanh^2(scaled / softcap)) * dmasked
 *     dk = dS^T q
 *
 * dk and dv are summed over the query heads of a group, dbias over the axes that bias broadcasts.
 * Dao et al., "FlashAttention" (2022), appendix B.2.
 */
typedef struct attn_gradients {
    uint32_t size;     /* sizeof(attn_gradients), set by attn_gradients_defaults() */
    const float *dout; /* (B, Hq, Tq, Dv) */
    float *dq;         /* (B, Hq, Tq, D) */
    float *dk;         /* (B, Hk, Tk, D) */
    float *dv;         /* (B, Hk, Tk, Dv); dq, dk and dv are asked for together, or all NULL */
    float *dbias;      /* laid out by bias_stride, or NULL */
    ptrdiff_t dout_stride[3], dq_stride[3], dk_stride[3], dv_stride[3]; /* as in attn_params */
} attn_gradients;

ATTN_API void attn_gradients_defaults(attn_gradients *gradients);

/*
 * Writes the gradients. params as they were for attn_forward(), with its out and lse. The
 * workspace is attn_workspace_size() for ATTN_OP_BACKWARD; field as in attn_check().
 *
 * Guarantees
 *   - max|ours - exact| <= 2 max|plain float32 - exact| + max(1e-6, 2^-23 S) max(1, s) for finite
 *     scores, with S as for attn_forward(), and s the largest sum of the sizes of the terms that one
 *     number of the gradient is summed from.
 *   - Rows without a key, masked keys and whatever stands in them, NaN included, give and receive
 *     exact zeros.
 *   - The same bits for any number of threads.
 */
ATTN_API attn_status attn_backward(const attn_params *params, const attn_gradients *gradients,
                                   void *workspace, size_t workspace_bytes, const char **field);

/* ------------------------------------------------------------------------------------------------
 * Trace: the readable definition, every intermediate on request
 *
 * Plain loops in the order of the formula, for sizes that a person can look at. All arrays are
 * packed; each pointer but weights may be NULL.
 */
typedef enum attn_softmax_axis { ATTN_OVER_KEYS = 0, ATTN_OVER_QUERIES = 1 } attn_softmax_axis;
typedef enum attn_mask_order { ATTN_MASK_BEFORE = 0, ATTN_MASK_AFTER = 1 } attn_mask_order;

typedef struct attn_trace_params {
    uint32_t size; /* sizeof(attn_trace_params), set by attn_trace_defaults() */

    float *scores;  /* (B, Hq, Tq, Tk) q k^T, also for masked keys */
    float *scaled;  /* (B, Hq, Tq, Tk) */
    float *capped;  /* (B, Hq, Tq, Tk) */
    float *masked;  /* (B, Hq, Tq, Tk) -inf where not allowed */
    float *weights; /* (B, Hq, Tq, Tk) before dropout; required: the later passes read it */
    float *dropped; /* (B, Hq, Tq, Tk) after dropout */
    float *row_max; /* (B, Hq, Tq) of the masked row, -inf when empty */
    float *row_sum; /* (B, Hq, Tq) of exp(masked - row_max), 0 when empty */
    float *lse;     /* (B, Hq, Tq) row_max + log(row_sum), -inf when empty */
    float *entropy; /* (B, Hq, Tq) of the weights, in nats, 0 when empty */

    /* What-ifs, for teaching and for finding mistakes; zero is the definition. */
    const float *given_scores; /* (B, Hq, Tq, Tk): used instead of q k^T where not NaN */
    int32_t softmax_axis;      /* ATTN_OVER_QUERIES normalises columns, a common mistake */
    int32_t mask_order;        /* ATTN_MASK_AFTER zeroes weights after the softmax, another */
} attn_trace_params;

ATTN_API void attn_trace_defaults(attn_trace_params *trace);

/*
 * Computes the definition. params as for attn_forward(), with out required and lse ignored (the
 * trace has its own). isa and threads are ignored. Exponentials keep the whole range of float32.
 *
 * With ATTN_OVER_QUERIES row_max, row_sum and lse still describe the rows of the masked stage.
 * With ATTN_MASK_AFTER the masked stage keeps every capped score, with ALiBi and finite bias added.
 */
ATTN_API attn_status attn_trace(const attn_params *params, const attn_trace_params *trace);

/* ------------------------------------------------------------------------------------------------
 * Positions
 */

/*
 * table[p, :] of a sinusoidal position encoding, for positions 0 to length - 1:
 *
 *     table[p, 2k] = sin(p / base^(2k / dim))      table[p, 2k + 1] = cos(p / base^(2k / dim))
 *
 * table  (length, dim) packed; an odd dim ends with a sine
 * base   10000 in Vaswani et al. (2017), section 3.5; finite and at least 2^-900
 *
 * Angles are computed in double. ATTN_SIZE, ATTN_RANGE or ATTN_NULL: an argument is not as said.
 */
ATTN_API attn_status attn_sinusoidal(float *table, int length, int dim, double base);

/*
 * slopes[h] of ALiBi for any number n of heads: 2^(-8 (h + 1) / n) where n is a power of two;
 * otherwise those of the power of two below, then every other one of the power above. Press et al.
 * (2021).
 *
 * slopes  (heads)
 */
ATTN_API attn_status attn_alibi_slopes(float *slopes, int heads);

/*
 * cos and sin of the rotary angles: angle[n, k] = positions[n] * base^(-2k / dim), k < dim / 2,
 * computed in double. Su et al., "RoFormer" (2021), equation 15.
 *
 * cos, sin   (rows, dim / 2) packed
 * positions  (rows)
 * dim        even and at least 2
 */
ATTN_API attn_status attn_rope_table(float *cos, float *sin, const int32_t *positions, int rows,
                                     int dim, double base);

typedef struct attn_rope_params {
    uint32_t size; /* sizeof(attn_rope_params), set by attn_rope_defaults() */
    int32_t batch, heads, length, head_dim;
    const float *x; /* (B, H, T, D); strides as in attn_params */
    float *out;     /* (B, H, T, D); may be x with the same strides */
    ptrdiff_t x_stride[3], out_stride[3];
    const float *cos, *sin;    /* (B, T, rotary_dim / 2), last dimension contiguous */
    ptrdiff_t table_stride[2]; /* batch, row; batch 0 = one table for all */
    int32_t rotary_dim;        /* even, 2 to D; the dimensions beyond pass through */
    int32_t interleaved;       /* 0: pairs (k, k + rotary_dim / 2); 1: pairs (2k, 2k + 1) */
    int32_t inverse;           /* 1 rotates back, which is also the gradient */
} attn_rope_params;

/* One table of (length, head_dim / 2) for all of the batch; packed tensors. */
ATTN_API void attn_rope_defaults(attn_rope_params *rope, int batch, int heads, int length,
                                 int head_dim);

/*
 * Rotates each pair by its angle: out = (x1 cos - x2 sin, x1 sin + x2 cos).
 *
 * field  receives the name of the field at fault, or NULL; may be NULL
 */
ATTN_API attn_status attn_rope(const attn_rope_params *rope, const char **field);

/* ------------------------------------------------------------------------------------------------
 * Key-value cache
 *
 * A view of storage that the caller gives. Keys lie oldest first from the start of each (batch,
 * head): to attend to them, give k and v of the cache with key_length = capacity, key_lengths =
 * lengths, and as query_lengths what was appended to each batch row.
 */
typedef struct attn_cache {
    uint32_t size; /* sizeof(attn_cache), set by the caller */
    int32_t batch, kv_heads, head_dim, value_dim, capacity;
    int32_t evict;    /* 0: more keys than capacity are ATTN_FULL; 1: the oldest keys leave */
    float *k;         /* (B, Hk, capacity, D) packed */
    float *v;         /* (B, Hk, capacity, Dv) packed */
    int32_t *lengths; /* (B) keys present, 0 to capacity */
    /* (B) where the next key stands: keys ever appended, less those truncated */
    int32_t *positions;
} attn_cache;

/*
 * Appends keys and values.
 *
 * k, v      (B, Hk, T, D), (B, Hk, T, Dv); strides as in attn_params, 0 = packed
 * lengths   (B), the first lengths[b] of T rows are written, the others are padding; NULL = all.
 *           Taken as the nearest bound where outside [0, T].
 *
 * ATTN_FULL   some batch row has no room and evict is 0, or more rows come than capacity; nothing is
 *             written
 * ATTN_RANGE  lengths or positions of the cache are not what appending leaves
 */
ATTN_API attn_status attn_cache_append(const attn_cache *cache, int length, const float *k,
                                       const ptrdiff_t k_stride[3], const float *v,
                                       const ptrdiff_t v_stride[3], const int32_t *lengths);

/* Forgets the newest keys of each batch row until at most `length` stay; 0 resets positions. */
ATTN_API attn_status attn_cache_truncate(const attn_cache *cache, int length);

/* ------------------------------------------------------------------------------------------------
 * Multi-head attention with projections
 *
 *     q = query Wq + bq    k = key Wk + bk    v = value Wv + bv      heads = attention(q, k, v)
 *     out = concat(heads) Wo + bo
 *
 * Vaswani et al. (2017), section 3.2.2. Weights are (in, out), as written; head h takes columns
 * h D to (h + 1) D. Each bias may be NULL; wo NULL leaves the concatenation as the result.
 */
typedef struct attn_mha_params {
    uint32_t size; /* sizeof(attn_mha_params), set by attn_mha_defaults() */

    /* Dimensions, masks and options of the attention inside. Its q, k, v, out, lse and strides are
     * ignored; with a cache so are key_lengths, query_lengths and query_offset. */
    attn_params attention;

    int32_t query_width, key_width, value_width, output_width;
    const float *query; /* (B, Tq, query_width) packed */
    const float *key;   /* (B, Tk, key_width) packed; with a cache, the tokens to append */
    const float *value; /* (B, Tk, value_width) packed */
    float *out;         /* (B, Tq, output_width), or (B, Tq, Hq Dv) without wo */

    const float *wq, *wk, *wv, *wo; /* (query_width, Hq D) (key_width, Hk D) (value_width, Hk Dv)
                                       (Hq Dv, output_width) */
    const float *bq, *bk, *bv, *bo; /* (Hq D) (Hk D) (Hk Dv) (output_width), or NULL */

    /* RoPE on q and k, or rotary_dim 0. Tables as in attn_rope_params, for rows of q and of k. */
    int32_t rotary_dim, interleaved;
    const float *q_cos, *q_sin, *k_cos, *k_sin;
    ptrdiff_t q_table_stride[2], k_table_stride[2];

    /* Intermediates on request, or NULL: after projection and rotation, and before wo. */
    float *q, *k, *v; /* (B, Tq, Hq, D) (B, Tk, Hk, D) (B, Tk, Hk, Dv) packed */
    float *concat;    /* (B, Tq, Hq, Dv) packed; without wo a copy of out */
    float *lse;       /* (B, Hq, Tq) packed, as in attn_params */
} attn_mha_params;

/* Self-attention: every width is heads * head_dim. */
ATTN_API void attn_mha_defaults(attn_mha_params *mha, int batch, int heads, int length,
                                int head_dim);

/* As attn_check(), for the widths and the attention inside. */
ATTN_API attn_status attn_mha_check(const attn_mha_params *mha, const char **field);

ATTN_API attn_status attn_mha_workspace_size(const attn_mha_params *mha, const attn_cache *cache,
                                             size_t *bytes);

/*
 * cache    NULL, or the cache that the projected k and v are appended to and attended from; of the
 *          same batch, heads and head sizes
 * lengths  as in attn_cache_append(), for rows of query too; NULL without a cache
 */
ATTN_API attn_status attn_mha_forward(const attn_mha_params *mha, const attn_cache *cache,
                                      const int32_t *lengths, void *workspace,
                                      size_t workspace_bytes);

/*
 * Gradients of a layer. With X a projected input, W its weights and dY the gradient of X W + b:
 *
 *     dW = X^T dY      db = sum of dY over all rows      dX = dY W^T
 *
 * between which stand attn_backward() and the rotation, whose transpose turns back. What is NULL is
 * not asked for. Inputs that are one tensor, as in self-attention, each have their own share: the
 * gradient of the tensor is the sum.
 */
typedef struct attn_mha_gradients {
    uint32_t size;     /* sizeof(attn_mha_gradients), set by attn_mha_gradients_defaults() */
    const float *dout; /* as out, packed */
    float *dquery, *dkey, *dvalue; /* as query, key and value, packed */
    float *dwq, *dwk, *dwv, *dwo;  /* as wq, wk, wv and wo */
    float *dbq, *dbk, *dbv, *dbo;  /* as bq, bk, bv and bo, which may be NULL themselves */
    float *dbias;                  /* of the attention inside, laid out by its bias_stride */
} attn_mha_gradients;

ATTN_API void attn_mha_gradients_defaults(attn_mha_gradients *gradients);

ATTN_API attn_status attn_mha_backward_workspace_size(const attn_mha_params *mha, size_t *bytes);

/*
 * Writes the gradients. mha as it was for attn_mha_forward(), without a cache, with the q, k, v, lse
 * and, where there is wo, concat that it wrote; field as in attn_check(). The same bits for any
 * number of threads.
 *
 * ATTN_CONFLICT  dwo or dbo is asked for without wo, or dbias without a bias
 */
ATTN_API attn_status attn_mha_backward(const attn_mha_params *mha,
                                       const attn_mha_gradients *gradients, void *workspace,
                                       size_t workspace_bytes, const char **field);

/* ------------------------------------------------------------------------------------------------
 * Optimisers
 *
 * One step over `count` parameters; state arrays begin as zeros and belong to the caller. ATTN_RANGE: a
 * rate is negative or not finite, or beta1, beta2 or momentum is not in [0, 1).
 */

/*
 * velocity = momentum velocity + (grads + weight_decay params)     params -= lr velocity
 *
 * velocity  (count), or NULL when momentum is 0
 */
ATTN_API attn_status attn_sgd(size_t count, float *params, const float *grads, float *velocity,
                              float lr, float momentum, float weight_decay);

/*
 * m = beta1 m + (1 - beta1) grads      v = beta2 v + (1 - beta2) grads^2
 * params -= lr (m' / (sqrt(v') + epsilon) + weight_decay params),  m' = m / (1 - beta1^step) ...
 *
 * step  counts from 1. Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2019).
 */
ATTN_API attn_status attn_adamw(size_t count, float *params, const float *grads, float *m, float *v,
                                int step, float lr, float beta1, float beta2, float epsilon,
                                float weight_decay);

/* ------------------------------------------------------------------------------------------------
 * Instruction sets
 */
typedef enum attn_isa {
    ATTN_ISA_BEST = 0,
    ATTN_ISA_SCALAR,
    ATTN_ISA_SIMD128,
    ATTN_ISA_RELAXED,
    ATTN_ISA_NEON,
    ATTN_ISA_AVX2,
    ATTN_ISA_AVX512,
    ATTN_ISA_COUNT
} attn_isa;

/* "scalar", "simd128", ...; "best" for 0; NULL for a number that is no attn_isa. */
ATTN_API const char *attn_isa_name(int isa);

/* 1 when this build holds the kernels and this machine can run them, else 0. */
ATTN_API int attn_isa_available(int isa);

/* ATTN_VERSION of the library that is linked, which may differ from the header's. */
ATTN_API const char *attn_version(void);

#ifdef __cplusplus
}
#endif

#endif /* ATTENTION_H */
