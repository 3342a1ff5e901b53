/* suite.c - start, clean-up and the two comparisons that need no oracle; see suite.h. */
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention.h"
#include "bound.h"
#include "buffers.h"
#include "rng.h"

#define SKIPPED 77

int suite_isa = ATTN_ISA_BEST;
static uint64_t seed = 20250117;
static int running_case = -1;

static int isa_of(const char *name) {
    for (int isa = 0; isa < ATTN_ISA_COUNT; isa++) {
        if (strcmp(attn_isa_name(isa), name) == 0) return isa;
    }
    printf("%s is not the name of an instruction set\n", name);
    exit(2);
}

void suite_begin(int argc, char **argv) {
    const char *given = getenv("ATTN_SEED");
    if (given) seed = strtoull(given, NULL, 10);
    if (argc > 1) suite_isa = isa_of(argv[1]);

    if (!attn_isa_available(suite_isa)) {
        printf("skipped: this build or this machine has no %s\n", attn_isa_name(suite_isa));
        exit(SKIPPED);
    }
    printf("instruction set %s, seed %llu (ATTN_SEED sets another)\n", attn_isa_name(suite_isa),
           (unsigned long long)seed);
    fflush(stdout);
}

int suite_setup(void **state) {
    (void)state;
    rng_seed(seed);
    return 0;
}

void suite_case(int n) {
    running_case = n;
    if (n >= 0) rng_seed(seed + (uint64_t)n);
}

int suite_teardown(void **state) {
    (void)state;
    if (running_case >= 0) {
        printf("    case %d alone: ATTN_SEED=%llu ATTN_CASES=1\n", running_case,
               (unsigned long long)(seed + (uint64_t)running_case));
    }
    running_case = -1;
    const int intact = buffers_intact();
    buffers_release();
    bound_print();
    return intact ? 0 : -1;
}

void assert_same_bits(const float *a, const float *b, size_t count, const char *what) {
    for (size_t n = 0; n < count; n++) {
        if (memcmp(a + n, b + n, sizeof(float)) != 0) {
            fail_msg("%s[%zu]: %a and %a differ", what, n, (double)a[n], (double)b[n]);
        }
    }
}

void assert_printed(double x, double printed, int decimals) {
    const double unit = pow(10, decimals);
    if (round(x * unit) != round(printed * unit)) {
        fail_msg("%.*f is not %.*f", decimals + 3, x, decimals, printed);
    }
}
