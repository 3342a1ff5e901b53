/*
 * gradients_real.h - the gradients in one precision; gradients.c includes it twice, with REAL double and
 * float and NAME() to tell the functions apart.
 */

/* Adds to a number, and the size of what it is made of to the number's size. */
static void NAME(add)(gradient *g, size_t n, REAL x, REAL size) {
    g->numbers[n] = (double)((REAL)g->numbers[n] + x);
    g->sizes[n] += (double)size;
    if (g->sizes[n] > g->largest) g->largest = g->sizes[n];
}

/* What query i of head h adds to every gradient. */
static void NAME(row)(const backward *w, const oracle *o, gradients *to, int b, int h, int i) {
    const attn_params *p = &w->t.p;
    const int Hq = p->query_heads, Hk = p->kv_heads, Tq = p->query_length, Tk = p->key_length;
    const int D = p->head_dim, Dv = p->value_dim, kv_h = h / (Hq / Hk);
    const size_t row = ((size_t)b * (size_t)Hq + (size_t)h) * (size_t)Tq + (size_t)i;
    if (o->row_max[row] == -(double)INFINITY) return;

    REAL delta = 0, delta_size = 0;
    for (int d = 0; d < Dv; d++) {
        const REAL dout = oracle_element(w->dout, w->g.dout_stride, Hq, Tq, Dv, b, h, i, d);
        const REAL x = dout * (REAL)o->out[row * (size_t)Dv + (size_t)d];
        delta += x, delta_size += fabs(x);
    }
    for (int j = 0; j < Tk; j++) {
        const size_t at = row * (size_t)Tk + (size_t)j;
        const size_t key = ((size_t)b * (size_t)Hk + (size_t)kv_h) * (size_t)Tk + (size_t)j;
        if (!o->allowed[at]) continue;
        REAL dP = 0, dP_size = 0;
        for (int d = 0; d < Dv; d++) {
            const REAL dout = oracle_element(w->dout, w->g.dout_stride, Hq, Tq, Dv, b, h, i, d);
            const REAL v = oracle_element(p->v, p->v_stride, Hk, Tk, Dv, b, kv_h, j, d);
            const REAL x = (REAL)o->dropped[at] * dout;
            dP += dout * v, dP_size += fabs(dout * v);
            NAME(add)(&to->dv, key * (size_t)Dv + (size_t)d, x, fabs(x));
        }
        if (p->dropout > 0) {
            const int kept = p->dropout < 1 && oracle_keeps(p, b, h, i, j);
            dP = kept ? dP / (1 - (REAL)p->dropout) : 0;
            dP_size = kept ? dP_size / (1 - (REAL)p->dropout) : 0;
        }
        const REAL dmasked = (REAL)o->weights[at] * (dP - delta);
        const REAL size = (REAL)o->weights[at] * (dP_size + delta_size);
        if (p->bias) {
            const ptrdiff_t *s = p->bias_stride;
            const size_t n = (size_t)(b * s[0] + h * s[1] + i * s[2] + j * s[3]);
            NAME(add)(&to->dbias, n, dmasked, size);
        }
        REAL slope = p->scale;
        if (p->softcap > 0) {
            const REAL t = tanh((REAL)o->scaled[at] / (REAL)p->softcap);
            slope *= 1 - t * t;
        }
        for (int d = 0; d < D; d++) {
            const REAL q = oracle_element(p->q, p->q_stride, Hq, Tq, D, b, h, i, d);
            const REAL k = oracle_element(p->k, p->k_stride, Hk, Tk, D, b, kv_h, j, d);
            const size_t q_at = row * (size_t)D + (size_t)d, k_at = key * (size_t)D + (size_t)d;
            NAME(add)(&to->dq, q_at, dmasked * slope * k, fabs(size * slope * k));
            NAME(add)(&to->dk, k_at, dmasked * slope * q, fabs(size * slope * q));
        }
    }
}

static void NAME(gradients)(const backward *w, const oracle *o, gradients *to) {
    for (int b = 0; b < w->t.p.batch; b++) {
        for (int h = 0; h < w->t.p.query_heads; h++) {
            for (int i = 0; i < w->t.p.query_length; i++) NAME(row)(w, o, to, b, h, i);
        }
    }
}
