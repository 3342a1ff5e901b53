/*
 * cmocka.h - the few names of cmocka that the tests use, for targets that have no cmocka.
 *
 * A distribution installs cmocka for the machine itself; a cross compiler comes with a C library
 * alone. CMakeLists.txt takes this file when it compiles for another machine and finds none.
 */
#ifndef CROSS_CMOCKA_H
#define CROSS_CMOCKA_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*cmocka_fixture)(void **state);

struct CMUnitTest {
    const char *name;
    void (*function)(void **state);
    cmocka_fixture setup, teardown;
};

/* Where a test goes on from when it ends early: 1 failed, 2 skipped. One program, one test at a
 * time. */
static inline jmp_buf *cmocka_end(void) {
    static jmp_buf end;
    return &end;
}

#define fail_msg(...)                                                                              \
    (printf("%s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__), puts(""),                         \
     longjmp(*cmocka_end(), 1))
#define skip()                        longjmp(*cmocka_end(), 2)
#define assert_true(condition)        ((condition) ? (void)0 : fail_msg("%s", #condition))
#define assert_int_equal(a, b)        assert_true((intmax_t)(a) == (intmax_t)(b))
#define assert_null(pointer)          assert_true((pointer) == NULL)
#define assert_non_null(pointer)      assert_true((pointer) != NULL)
#define assert_string_equal(a, b)     assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)

#define cmocka_unit_test_setup_teardown(function, setup, teardown)                                 \
    {#function, function, setup, teardown}

static inline int cmocka_run(const struct CMUnitTest *test) {
    void *state = NULL;
    printf("[ RUN      ] %s\n", test->name);
    const int ended = setjmp(*cmocka_end());
    if (ended == 0) {
        if (test->setup(&state) != 0) return 1;
        test->function(&state);
    }
    const int failed = test->teardown(&state) != 0 || ended == 1;
    printf("[  %s ] %s\n", failed ? "FAILED  " : ended == 2 ? "SKIPPED " : "     OK ", test->name);
    fflush(stdout);
    return failed;
}

static inline int cmocka_run_all(const struct CMUnitTest *tests, size_t count) {
    int failed = 0;
    for (size_t n = 0; n < count; n++) failed += cmocka_run(&tests[n]);
    return failed;
}

/* The group's own setup and teardown are NULL throughout. */
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    cmocka_run_all(tests, sizeof(tests) / sizeof *(tests))

#endif
