/*
 * oracle_real.h - the arithmetic of the oracle in one precision; oracle.c includes it twice, with REAL
 * double and float and NAME() to tell the functions apart. exp and log come from <tgmath.h>.
 */

/* What the float32 range cannot hold is infinite. */
static REAL NAME(ranged)(REAL x) {
    return x > (REAL)FLT_MAX ? (REAL)INFINITY : x < -(REAL)FLT_MAX ? -(REAL)INFINITY : x;
}

static void NAME(scores)(const attn_params *p, const attn_trace_params *what_if, oracle *o, int b,
                         int h, int i, size_t row) {
    const int kv_h = h / (p->query_heads / p->kv_heads);
    for (int j = 0; j < p->key_length; j++) {
        const size_t at = row * (size_t)p->key_length + (size_t)j;
        REAL score = 0;
        for (int d = 0; d < p->head_dim; d++) {
            const REAL q = oracle_element(p->q, p->q_stride, p->query_heads, p->query_length,
                                          p->head_dim, b, h, i, d);
            const REAL k = oracle_element(p->k, p->k_stride, p->kv_heads, p->key_length,
                                          p->head_dim, b, kv_h, j, d);
            score += q * k;
        }
        if (what_if->given_scores && !isnan(what_if->given_scores[at])) {
            score = what_if->given_scores[at];
        }
        score = NAME(ranged)(score);
        const REAL scaled = NAME(ranged)((REAL)p->scale * score);

        const int allowed = oracle_allows(p, b, h, i, j);
        REAL capped = scaled;
        if (p->softcap > 0) capped = (REAL)p->softcap * tanh(scaled / (REAL)p->softcap);
        REAL masked = NAME(ranged)(capped + (REAL)oracle_term(p, b, h, i, j));
        if (!allowed && what_if->mask_order == ATTN_MASK_BEFORE) masked = -INFINITY;

        o->allowed[at] = (unsigned char)allowed;
        o->scores[at] = (double)score;
        o->scaled[at] = (double)scaled;
        o->capped[at] = (double)capped;
        o->masked[at] = (double)masked;
    }
}

/* What dropout makes of a weight. */
static REAL NAME(dropped)(const attn_params *p, REAL weight, int b, int h, int i, int j) {
    if (p->dropout == 0) return weight;
    if (p->dropout == 1 || !oracle_keeps(p, b, h, i, j)) return weight * 0;
    return weight / (1 - (REAL)p->dropout);
}

/* Softmax of n numbers that lie step apart; all 0 where all are -inf. NaN anywhere is NaN everywhere. */
static void NAME(softmax)(const double *x, double *weights, size_t n, size_t step, double *max,
                          double *sum) {
    REAL m = -INFINITY, l = 0;
    for (size_t j = 0; j < n; j++) {
        const REAL x_j = (REAL)x[j * step];
        if (isnan(x_j) || x_j > m) m = x_j;
        if (isnan(m)) break;
    }
    for (size_t j = 0; j < n; j++) {
        const REAL x_j = (REAL)x[j * step];
        const REAL e = x_j == -(REAL)INFINITY ? (REAL)0 : exp(x_j - m);
        weights[j * step] = (double)e;
        l += e;
    }
    for (size_t j = 0; j < n; j++) {
        const REAL e = (REAL)weights[j * step];
        if (e != 0) weights[j * step] = (double)(e / l);
    }
    *max = (double)m;
    *sum = (double)l;
}

static void NAME(output)(const attn_params *p, oracle *o, int b, int h, int i, size_t row) {
    const int kv_h = h / (p->query_heads / p->kv_heads);
    const size_t Tk = (size_t)p->key_length;
    int empty = 1;
    for (int j = 0; j < p->key_length; j++) {
        const size_t at = row * Tk + (size_t)j;
        empty = empty && o->weights[at] == 0;
        o->dropped[at] = (double)NAME(dropped)(p, (REAL)o->weights[at], b, h, i, j);
    }
    for (int d = 0; d < p->value_dim; d++) {
        REAL sum = 0;
        for (int j = 0; j < p->key_length; j++) {
            const size_t at = row * Tk + (size_t)j;
            if (!o->allowed[at]) continue;
            const REAL v = oracle_element(p->v, p->v_stride, p->kv_heads, p->key_length,
                                          p->value_dim, b, kv_h, j, d);
            if (isfinite(v) && fabs((double)v) > o->largest_v) o->largest_v = fabs((double)v);
            sum += (REAL)o->dropped[at] * v;
        }
        o->out[row * (size_t)p->value_dim + (size_t)d] = empty ? 0.0 : (double)sum;
    }
}

static void NAME(attention)(const attn_params *p, const attn_trace_params *what_if, oracle *o) {
    const size_t Tq = (size_t)p->query_length, Tk = (size_t)p->key_length;
    for (int b = 0; b < p->batch; b++) {
        for (int h = 0; h < p->query_heads; h++) {
            const size_t row0 = ((size_t)b * (size_t)p->query_heads + (size_t)h) * Tq;
            for (size_t i = 0; i < Tq; i++) {
                const size_t row = row0 + i, at = row * Tk;
                NAME(scores)(p, what_if, o, b, h, (int)i, row);
                NAME(softmax)(o->masked + at, o->weights + at, Tk, 1, &o->row_max[row],
                              &o->row_sum[row]);
                const REAL m = (REAL)o->row_max[row], l = (REAL)o->row_sum[row];
                o->lse[row] = (double)(m == -(REAL)INFINITY ? m : m + log(l));
            }
            if (what_if->softmax_axis == ATTN_OVER_QUERIES) {
                double ignored;
                for (size_t j = 0; j < Tk; j++) {
                    NAME(softmax)(o->masked + row0 * Tk + j, o->weights + row0 * Tk + j, Tq, Tk,
                                  &ignored, &ignored);
                }
            }
            for (size_t i = 0; i < Tq; i++) {
                const size_t row = row0 + i;
                REAL entropy = 0;
                for (size_t at = row * Tk; at < (row + 1) * Tk; at++) {
                    if (!o->allowed[at] && what_if->mask_order == ATTN_MASK_AFTER)
                        o->weights[at] = 0;
                    const REAL w = (REAL)o->weights[at];
                    if (w != 0) entropy -= w * log(w);
                }
                o->entropy[row] = (double)entropy;
                NAME(output)(p, o, b, h, (int)i, row);
                measure_row(p, o, b, h, (int)i, row);
            }
        }
    }
}
