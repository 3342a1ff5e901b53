/*
 * test_training.c - a layer that learns to answer as another one does: the loss falls, and its curve is
 * the same, bit for bit, for any number of threads.
 */
#include "buffers.h"
#include "layer.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

enum { STEPS = 60, WEIGHTS = 8, BATCH = 4, LENGTH = 8 };

/* What is learned, with its gradient and the two averages of AdamW. */
typedef struct weight {
    float *x, *dx, *m, *v;
    size_t count;
} weight;

typedef struct student {
    layer l;
    attn_mha_gradients g;
    weight weights[WEIGHTS];
    float *dout;
    size_t bytes; /* of the larger workspace */
    void *workspace;
} student;

static weight weight_of(const float **x, int rows, int columns) {
    const size_t count = (size_t)rows * (size_t)columns;
    weight w = {layer_normals(count, 0.3), buffer_floats(count), buffer_floats(count),
                buffer_floats(count), count};
    memset(w.m, 0, count * sizeof(float));
    memset(w.v, 0, count * sizeof(float));
    *x = w.x;
    return w;
}

/* A layer of the teacher's sizes and inputs, with weights of its own. */
static student student_of(layer teacher, int threads) {
    student s = {.l = teacher};
    attn_mha_params *m = &s.l.m;
    m->attention.threads = threads;
    m->attention.dropout = 0.1f;
    m->out = buffer_floats(s.l.outputs);
    m->lse = buffer_floats((size_t)BATCH * 4 * LENGTH);
    layer_intermediates(m);
    const weight weights[WEIGHTS] = {
        weight_of(&m->wq, m->query_width, 32),
        weight_of(&m->wk, m->key_width, 16),
        weight_of(&m->wv, m->value_width, 16),
        weight_of(&m->wo, 32, m->output_width),
        weight_of(&m->bq, 1, 32),
        weight_of(&m->bk, 1, 16),
        weight_of(&m->bv, 1, 16),
        weight_of(&m->bo, 1, m->output_width),
    };
    memcpy(s.weights, weights, sizeof weights);
    attn_mha_gradients_defaults(&s.g);
    float **const dx[WEIGHTS] = {&s.g.dwq, &s.g.dwk, &s.g.dwv, &s.g.dwo,
                                 &s.g.dbq, &s.g.dbk, &s.g.dbv, &s.g.dbo};
    for (int n = 0; n < WEIGHTS; n++) *dx[n] = s.weights[n].dx;
    s.g.dout = s.dout = buffer_floats(s.l.outputs);
    size_t forward = 0, backward = 0;
    assert_int_equal(attn_mha_workspace_size(m, NULL, &forward), ATTN_OK);
    assert_int_equal(attn_mha_backward_workspace_size(m, &backward), ATTN_OK);
    s.bytes = forward > backward ? forward : backward;
    s.workspace = buffer_at(s.bytes, 0);
    return s;
}

/* Half the square of the distance to the answers, and one step of AdamW down its slope. */
static float learn(student *s, const float *answers, int step) {
    attn_mha_params *m = &s->l.m;
    const char *field = NULL;
    m->attention.seed = (uint32_t)step;
    assert_int_equal(attn_mha_forward(m, NULL, NULL, s->workspace, s->bytes), ATTN_OK);
    float loss = 0;
    for (size_t n = 0; n < s->l.outputs; n++) {
        s->dout[n] = (m->out[n] - answers[n]) / (float)s->l.outputs;
        loss += 0.5f * s->dout[n] * (m->out[n] - answers[n]);
    }
    assert_int_equal(attn_mha_backward(m, &s->g, s->workspace, s->bytes, &field), ATTN_OK);
    for (int n = 0; n < WEIGHTS; n++) {
        const weight *w = &s->weights[n];
        assert_int_equal(
            attn_adamw(w->count, w->x, w->dx, w->m, w->v, step, 0.02f, 0.9f, 0.999f, 1e-8f, 0),
            ATTN_OK);
    }
    return loss;
}

static void curve_is_the_same_for_any_threads(void **state) {
    (void)state;
    float curves[4][STEPS];
    for (int threads = 0; threads <= 3; threads++) {
        suite_setup(NULL);
        /* Grouped heads, a causal mask and dropout: everything that cuts work differently. */
        layer teacher = layer_of(BATCH, 4, 2, LENGTH, LENGTH, 8, 8, 1);
        teacher.m.attention.causal = ATTN_CAUSAL;
        layer_run(&teacher.m, NULL, NULL);
        student s = student_of(teacher, threads);
        for (int step = 1; step <= STEPS; step++) {
            curves[threads][step - 1] = learn(&s, teacher.m.out, step);
        }
    }
    const float first = curves[0][0], last = curves[0][STEPS - 1];
    printf("loss from %.4f to %.4f in %d steps\n", (double)first, (double)last, STEPS);
    assert_true(last < 0.5f * first);
    for (int threads = 1; threads <= 3; threads++) {
        assert_same_bits(curves[threads], curves[0], STEPS, "the loss, by threads");
    }
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {TEST(curve_is_the_same_for_any_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
