/* bound.c - the bound, and the record of how near it the results come; see bound.h. */
#include "bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

typedef struct record {
    const char *name;
    size_t tensors;
    double error, ulp, plain, share; /* worst, each for itself */
} record;

static record records[24];
static size_t count_of_records;

static record *record_of(const char *name) {
    for (size_t n = 0; n < count_of_records; n++) {
        if (strcmp(records[n].name, name) == 0) return &records[n];
    }
    assert_true(count_of_records < sizeof records / sizeof *records);
    records[count_of_records] = (record){.name = name};
    return &records[count_of_records++];
}

#define HUGE_STAGE 1e30

static double larger(double a, double b) { return a > b ? a : b; }

/* The distance of floats near x. */
static double ulp_of(double x) {
    int exponent;
    frexp(fabs(x), &exponent);
    return ldexp(1.0, (exponent > -125 ? exponent : -125) - 24);
}

void bound_check(const char *name, const char *context, const float *ours, const double *exact,
                 const double *plain, size_t count, double magnitude) {
    double error = 0, plain_error = 0, largest = 0;
    for (size_t n = 0; n < count; n++) {
        const double x = (double)ours[n];
        if (isnan(exact[n]) ? !isnan(x) : !isfinite(exact[n]) && x != exact[n]) {
            fail_msg("%s[%zu] is %g, not %g: %s", name, n, x, exact[n], context);
        }
        if (!isfinite(exact[n])) continue;
        if (!isfinite(x)) fail_msg("%s[%zu] is %g, not %g: %s", name, n, x, exact[n], context);
        if (!isfinite(plain[n])) {
            fail_msg("%s[%zu]: plain float32 has no result to compare with: %s", name, n, context);
        }
        if (magnitude < 0 && fabs(exact[n]) > HUGE_STAGE) {
            if (fabs(x - exact[n]) > 1e-6 * fabs(exact[n])) {
                fail_msg("%s[%zu] is %g, not %g: %s", name, n, x, exact[n], context);
            }
            continue;
        }
        error = larger(error, fabs(x - exact[n]));
        plain_error = larger(plain_error, fabs(plain[n] - exact[n]));
        largest = larger(largest, fabs(exact[n]));
    }
    const double size = magnitude < 0 ? larger(-magnitude, largest) : larger(1, magnitude);
    const double bound = 2 * plain_error + 1e-6 * size;

    record *r = record_of(name);
    r->tensors++;
    r->error = larger(r->error, error);
    r->ulp = larger(r->ulp, largest > 0 ? error / ulp_of(largest) : 0);
    r->plain = larger(r->plain, plain_error);
    r->share = larger(r->share, error / bound);
    if (error > bound) {
        fail_msg("%s: error %g exceeds the bound %g (plain float32 %g): %s", name, error, bound,
                 plain_error, context);
    }
}

void bound_print(void) {
    for (size_t n = 0; n < count_of_records; n++) {
        const record *r = &records[n];
        printf("    %-14s %6zu tensors, worst error %.2g (%.1f ULP of the largest), plain float32 "
               "%.2g, at most %.0f %% of the bound\n",
               r->name, r->tensors, r->error, r->ulp, r->plain, 100 * r->share);
    }
    fflush(stdout);
    count_of_records = 0;
}
