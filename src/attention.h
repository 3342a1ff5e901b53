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

/* Grows whenever a structure or the meaning of a field changes; a loader compares it. */
#define ATTN_ABI 1

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
    ATTN_UNSUPPORTED,      /* the field is laid out, but this version does not compute it */
    ATTN_ISA,              /* the instruction set is not in this build or not on this machine */
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

/* ------------------------------------------------------------------------------------------------
 * Forward
 */
typedef enum attn_op { ATTN_OP_FORWARD = 0 } attn_op;

/*
 * Bytes of workspace that a call needs: O(tile) for each thread, never O(Tq * Tk). Computed in
 * 64 bits; a size that size_t cannot hold is ATTN_SIZE. params must pass attn_check().
 */
ATTN_API attn_status attn_workspace_size(const attn_params *params, attn_op op, size_t *bytes);

/*
 * out = softmax(masked) v by tiles, in one pass over the keys.
 *
 * params           checked as by attn_check(); q, k, v and out not NULL unless they are empty
 * workspace        at least attn_workspace_size() bytes, any alignment; its contents mean nothing
 *
 * Guarantees
 *   - A row with no allowed key, or whose allowed scores are all -inf: output 0, lse -inf.
 *   - A masked key's k and v are never used: NaN there changes nothing. NaN in an allowed key gives
 *     NaN in exactly the rows that may see it.
 *   - Under a causal mask a row has the same bits whatever the keys after it hold.
 *   - Same bits for the same instruction set, whatever the number of threads, with or without lse.
 *   - max|out - exact| <= 2 max|plain float32 - exact| + 1e-6 max(1, max|v|) for finite scores.
 * Not guaranteed
 *   - The same bits on different instruction sets, or as attn_trace(): sums run in another order.
 *   - Weights below 2^-64 of the row's largest: they count as exactly 0.
 *   - Values beyond FLT_MAX / Tk: the sum is divided last, and may overflow before.
 */
ATTN_API attn_status attn_forward(const attn_params *params, void *workspace,
                                  size_t workspace_bytes);

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
 * With ATTN_MASK_AFTER the masked stage keeps every capped score, with finite bias added.
 */
ATTN_API attn_status attn_trace(const attn_params *params, const attn_trace_params *trace);

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
