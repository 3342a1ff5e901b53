/* mask.c - the row terms of mask.h, one row at a time. */
#include "mask.h"

#include <math.h>
#include <string.h>

void attn_mask_row_terms(const mask_view *m, int i, int j0, int j1, float *term) {
    const mask_span span = mask_row_span(m, i);
    const int begin = span.begin < j0 ? j0 : span.begin > j1 ? j1 : span.begin;
    const int end = span.end < begin ? begin : span.end > j1 ? j1 : span.end;

    for (int j = j0; j < begin; j++) term[j - j0] = -INFINITY;
    const float *bias_i = m->bias ? m->bias + i * m->bias_row : NULL;
    if (bias_i && m->bias_column == 1) {
        if (begin < end)
            memcpy(term + (begin - j0), bias_i + begin, sizeof(float) * (size_t)(end - begin));
    } else {
        for (int j = begin; j < end; j++) {
            term[j - j0] = bias_i ? bias_i[j * m->bias_column] : 0.0f;
        }
    }
    if (m->alibi_slope != 0.0f) {
        const int64_t p = i + m->offset;
        for (int j = begin; j < end; j++) {
            term[j - j0] -= m->alibi_slope * (float)(p > j ? p - j : j - p);
        }
    }
    for (int j = end; j < j1; j++) term[j - j0] = -INFINITY;

    if (m->mask) {
        const uint8_t *mask_i = m->mask + i * m->mask_row;
        for (int j = begin; j < end; j++) {
            if (!mask_i[j * m->mask_column]) term[j - j0] = -INFINITY;
        }
    }
    if (m->key_mask) {
        for (int j = begin; j < end; j++) {
            if (!m->key_mask[j * m->key_mask_column]) term[j - j0] = -INFINITY;
        }
    }
}
