// The library: verdicts, outcomes, messages, options, limits, threads; and what happens without
// memory.
#include "api/ptxlitmus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static const char mp[] =
    "PTX MP\n"
    ".global .u32 data, flag;\n"
    "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
    " st.weak.global.u32 [data], 1    | ld.acquire.gpu.global.u32 %r0, [flag] ;\n"
    " st.release.gpu.global.u32 [flag], 1 | ld.weak.global.u32 %r1, [data] ;\n"
    "expect forbidden;\n"
    "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n";

static const char bad[] =
    "PTX bad\n.global .u32 x;\nP0@cta 0 {\n  st.realxed.gpu.u32 [x], 1;\n}\nexists (x == 1)\n";

#ifndef PTXLITMUS_SANITIZED
static const char module[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                             ".visible .entry empty()\n{\n  ret;\n}\n";
#endif

// Threads that add to a counter, each `rounds` times: as large as one likes.
static char *counters(unsigned threads, unsigned rounds) {
    char *text = calloc(1, 4096 + (size_t)threads * (64 + 64 * (size_t)rounds));
    size_t at = (size_t)sprintf(text, "PTX counters\n.global .u32 x;\n");
    for (unsigned thread = 0; thread < threads; thread++) {
        at += (size_t)sprintf(text + at, "P%u@cta %u,gpu 0 {\n", thread, thread);
        for (unsigned round = 0; round < rounds; round++)
            at += (size_t)sprintf(text + at, "  atom.relaxed.gpu.add.u32 %%r%u, [x], 1;\n", round);
        at += (size_t)sprintf(text + at, "}\n");
    }
    sprintf(text + at, "locations [");
    at = strlen(text);
    for (unsigned thread = 0; thread < threads; thread++)
        for (unsigned round = 0; round < rounds; round++)
            at += (size_t)sprintf(text + at, "P%u:%%r%u; ", thread, round);
    sprintf(text + at, "]\nforall (x >= 0)\n");
    return text;
}

static struct ptxlitmus_result *check(struct ptxlitmus *checker, const char *text) {
    struct ptxlitmus_result *result = ptxlitmus_check(checker, "a.litmus", text, strlen(text), 0);
    assert_non_null(result);
    for (size_t i = 0;
         ptxlitmus_status(result) == PTXLITMUS_FAULT && i < ptxlitmus_diagnostics(result); i++)
        print_error("%s", ptxlitmus_diagnostic_text(ptxlitmus_diagnostic(result, i)));
    return result;
}

// --- Results -----------------------------------------------------------------------------------

static void test_result(void **state) {
    (void)state;
    struct ptxlitmus *checker = ptxlitmus_open();
    struct ptxlitmus_result *result = check(checker, mp);
    uint64_t bits[2] = {7, 7};
    ptxlitmus_close(checker); // the result stays
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_CHECKED);
    assert_int_equal(ptxlitmus_tests(result), 1);
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
    assert_string_equal(ptxlitmus_verdict_name(ptxlitmus_verdict(result)), "forbidden");
    assert_int_equal(ptxlitmus_expected(result), PTXLITMUS_YES);
    assert_null(ptxlitmus_reason(result));
    assert_string_equal(ptxlitmus_name(result), "MP");
    assert_string_equal(ptxlitmus_model(result), "ptx-9.1");
    assert_string_equal(ptxlitmus_condition(result), "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)");
    assert_int_equal(ptxlitmus_columns(result), 2);
    assert_string_equal(ptxlitmus_column(result, 1), "P1:%r1");
    assert_null(ptxlitmus_column(result, 2));
    assert_int_equal(ptxlitmus_outcomes(result), 3);
    assert_true(ptxlitmus_complete(result));
    static const char *const values[3][2] = {{"0", "0"}, {"0", "1"}, {"1", "1"}};
    for (size_t row = 0; row < 3; row++) {
        for (size_t column = 0; column < 2; column++) {
            assert_string_equal(ptxlitmus_value(result, row, column), values[row][column]);
            assert_true(ptxlitmus_bits(result, row, column, bits));
            assert_int_equal(bits[0], values[row][column][0] - '0');
            assert_int_equal(bits[1], 0);
        }
        assert_int_equal(ptxlitmus_satisfies(result, row), PTXLITMUS_NO);
    }
    assert_null(ptxlitmus_value(result, 3, 0));
    assert_null(ptxlitmus_value(result, 0, 2));
    assert_false(ptxlitmus_bits(result, 3, 0, bits));
    assert_int_equal(ptxlitmus_satisfies(result, 3), PTXLITMUS_UNKNOWN);
    assert_int_equal(ptxlitmus_flags(result), 1);
    assert_string_equal(ptxlitmus_flag(result, 0), "data-race");
    assert_int_equal(ptxlitmus_flag_holds(result, 0), PTXLITMUS_YES);
    assert_non_null(strstr(ptxlitmus_flag_meaning(result, 0), "two accesses conflict"));
    assert_null(ptxlitmus_flag(result, 1));
    assert_int_equal(ptxlitmus_diagnostics(result), 0);
    assert_null(ptxlitmus_diagnostic(result, 0));
    const char *json = ptxlitmus_json(result);
    assert_non_null(strstr(json, "\"verdict\":\"forbidden\""));
    assert_ptr_equal(ptxlitmus_json(result), json);
    ptxlitmus_free(result);
}

static void test_unknown_values(void **state) {
    (void)state;
    struct ptxlitmus *checker = ptxlitmus_open();
    struct ptxlitmus_result *result =
        check(checker, "PTX u\n.shared .u32 x;\nP0@cta 0 {\n  ld.weak.shared.u32 %r0, "
                       "[x];\n}\nexists (P0:%r0 == 1)\n");
    uint64_t bits[2];
    assert_int_equal(ptxlitmus_outcomes(result), 1);
    assert_string_equal(ptxlitmus_value(result, 0, 0), "?");
    assert_false(ptxlitmus_bits(result, 0, 0, bits));
    assert_int_equal(ptxlitmus_satisfies(result, 0), PTXLITMUS_UNKNOWN);
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

static void test_bad_input(void **state) {
    (void)state;
    struct ptxlitmus *checker = ptxlitmus_open();
    struct ptxlitmus_result *result = check(checker, bad);
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_BAD_INPUT);
    assert_int_equal(ptxlitmus_tests(result), 0);
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_VERDICT_UNKNOWN);
    assert_int_equal(ptxlitmus_expected(result), PTXLITMUS_UNKNOWN);
    assert_int_equal(
        ptxlitmus_outcomes(result) + ptxlitmus_columns(result) + ptxlitmus_flags(result), 0);
    assert_false(ptxlitmus_complete(result));
    assert_null(ptxlitmus_name(result));
    assert_null(ptxlitmus_json(result));
    assert_int_equal(ptxlitmus_diagnostics(result), 1);
    const struct ptxlitmus_diagnostic *message = ptxlitmus_diagnostic(result, 0);
    assert_int_equal(ptxlitmus_diagnostic_severity(message), PTXLITMUS_ERROR);
    assert_string_equal(ptxlitmus_diagnostic_path(message), "a.litmus");
    assert_int_equal(ptxlitmus_diagnostic_line(message), 4);
    assert_int_equal(ptxlitmus_diagnostic_column(message), 5);
    assert_int_equal(ptxlitmus_diagnostic_end_line(message), 4);
    assert_int_equal(ptxlitmus_diagnostic_end_column(message), 13); // after ".realxed"
    assert_non_null(strstr(ptxlitmus_diagnostic_message(message), ".realxed"));
    assert_non_null(strstr(ptxlitmus_diagnostic_hint(message), ".relaxed"));
    assert_int_equal(strncmp(ptxlitmus_diagnostic_text(message), "a.litmus:4:5: error: ", 21), 0);
    ptxlitmus_free(result);
    result = check(checker, mp); // the next one is checked
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
    ptxlitmus_free(result);
    ptxlitmus_free(NULL);
    ptxlitmus_close(checker);
    ptxlitmus_close(NULL);
}

static void test_several(void **state) {
    (void)state;
    FILE *file = fopen("tests/cases/inputs/nvlitmus/surface.test", "rb");
    assert_non_null(file);
    static char text[1 << 16];
    size_t size = fread(text, 1, sizeof text, file), tests = 1;
    fclose(file);
    struct ptxlitmus *checker = ptxlitmus_open();
    for (size_t i = 0; i < tests; i++) {
        struct ptxlitmus_result *result = ptxlitmus_check(checker, "surface.test", text, size, i);
        assert_int_equal(ptxlitmus_status(result), PTXLITMUS_CHECKED);
        tests = ptxlitmus_tests(result);
        ptxlitmus_free(result);
    }
    assert_true(tests > 1);
    struct ptxlitmus_result *result = ptxlitmus_check(checker, "surface.test", text, size, tests);
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_BAD_INPUT);
    assert_int_equal(ptxlitmus_tests(result), tests);
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

static void test_version(void **state) {
    (void)state;
    char begin[32];
    snprintf(begin, sizeof begin, "%d.%d.", PTXLITMUS_VERSION_MAJOR, PTXLITMUS_VERSION_MINOR);
    assert_int_equal(strncmp(ptxlitmus_version(), begin, strlen(begin)), 0);
}

// The texts that are given may go; those that are returned stay.
static void test_copies(void **state) {
    (void)state;
    struct ptxlitmus *checker = ptxlitmus_open();
    char *text = strdup(bad), *name = strdup("given.litmus"), *value = strdup("ptx-7.5");
    assert_true(ptxlitmus_set(checker, "model", value));
    memset(value, 'x', strlen(value));
    free(value);
    struct ptxlitmus_result *result = ptxlitmus_check(checker, name, text, strlen(text), 0);
    memset(text, 'x', strlen(text));
    memset(name, 'x', strlen(name));
    free(text);
    free(name);
    struct ptxlitmus_result *other = check(checker, mp); // an independent one
    assert_string_equal(ptxlitmus_model(other), "ptx-7.5");
    ptxlitmus_free(other);
    const struct ptxlitmus_diagnostic *message = ptxlitmus_diagnostic(result, 0);
    assert_string_equal(ptxlitmus_diagnostic_path(message), "given.litmus");
    assert_non_null(strstr(ptxlitmus_diagnostic_text(message), "st.realxed.gpu.u32"));
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

// An 'exists' without 'expect' expects nothing but an answer.
static void test_expects_nothing(void **state) {
    (void)state;
    struct ptxlitmus *checker = ptxlitmus_open();
    static const char *const tails[] = {"exists (x == 1)", "exists (x == 2)", "forall (x == 2)"};
    static const enum ptxlitmus_truth expected[] = {PTXLITMUS_YES, PTXLITMUS_YES, PTXLITMUS_NO};
    for (size_t i = 0; i < 3; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "PTX e\n.global .u32 x;\nP0@cta 0 {\n  st.weak.global.u32 [x], 1;\n}\n%s\n",
                 tails[i]);
        struct ptxlitmus_result *result = check(checker, text);
        assert_int_equal(ptxlitmus_expected(result), expected[i]);
        ptxlitmus_free(result);
    }
    ptxlitmus_close(checker);
}

// --- Options -----------------------------------------------------------------------------------

static void test_options(void **state) {
    (void)state;
    static const struct {
        const char *option, *value, *error; // NULL: it is taken
    } settings[] = {
        {"model", "ptx-7.5", NULL},
        {"model", "ptx-7.5,ptx-6.0", "a check is under one model, on one target"},
        {"model", NULL, "'--model' needs"},
        {"target", "sm_90", NULL},
        {"include", "tests", NULL},
        {"ptx-version", "9.1", NULL},
        {"ptx-version", "5.0", "'--ptx-version' takes a version"},
        {"syntax", "ptx", NULL},
        {"verdict", NULL, NULL},
        {"verdict", "yes", "'--verdict' takes no argument"},
        {"states", "10", NULL},
        {"states", "-1", "'--states' takes a whole number"},
        {"timeout", "0.5", NULL},
        {"timeout", "soon", "'--timeout' takes a number of seconds"},
        {"deps", "none", NULL},
        {"deps", "some", "'--deps' takes semantic|syntactic|none"},
        {"proxy-fences", "path", NULL},
        {"relaxed-waits", "copies", NULL},
        {"async-proxies", "one", NULL},
        {"async-place", "destination", NULL},
        {"st-async", "release", NULL},
        {"mbarrier-observation", "chain", NULL},
        {"grid-waits", "proxies", NULL},
        {"multimem", "variable", NULL},
        {"tearing", "bytes", NULL},
        {"unroll", "3", NULL},
        {"races", NULL, NULL},
        {"hex", NULL, NULL},
        {"jobs", "2", "'jobs' is not an option of a check"},
        {"memory", "100", NULL},
        {"memory", "much", "'--memory' takes a whole number"},
        {"engine", "z3", NULL},
        {"engine", "both", "'--engine' takes z3|cadical"},
        {"both-engines", "yes", "'--both-engines' takes no argument"},
        {NULL, "1", "'' is not an option of a check"},
        {"proof", "tests", "'proof' is not an option of a check"},
        {"help", NULL, "'help' is not an option of a check"},
        {"nonsense", NULL, "'nonsense' is not an option of a check"},
    };
    struct ptxlitmus *checker = ptxlitmus_open();
    assert_null(ptxlitmus_error(checker));
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        bool good = ptxlitmus_set(checker, settings[i].option, settings[i].value);
        assert_int_equal(good, settings[i].error == NULL);
        if (settings[i].error)
            assert_non_null(strstr(ptxlitmus_error(checker), settings[i].error));
        else
            assert_null(ptxlitmus_error(checker));
    }
    struct ptxlitmus_result *result = check(checker, mp);
    assert_string_equal(ptxlitmus_model(result), "ptx-7.5");
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
    assert_int_equal(ptxlitmus_outcomes(result), 0); // verdict alone
    assert_false(ptxlitmus_complete(result));
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

static void test_models(void **state) {
    (void)state;
    static const char *const names[] = {"ptx-0.0", "nowhere.cat", "tests/model/no-such.cat"};
    struct ptxlitmus *checker = ptxlitmus_open();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_true(ptxlitmus_set(checker, "model", names[i]));
        struct ptxlitmus_result *result = check(checker, mp);
        assert_int_equal(ptxlitmus_status(result), PTXLITMUS_BAD_INPUT);
        assert_true(ptxlitmus_diagnostics(result) > 0);
        assert_int_equal(ptxlitmus_diagnostic_line(ptxlitmus_diagnostic(result, 0)), 0);
        ptxlitmus_free(result);
    }
    assert_true(ptxlitmus_set(checker, "model", "model/ptx-6.0.cat"));
    struct ptxlitmus_result *result = check(checker, mp);
    assert_string_equal(ptxlitmus_model(result), "ptx-6.0");
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

// --- Limits ------------------------------------------------------------------------------------

// Of the processor: a busy machine takes more by the clock.
static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static void test_timeout(void **state) {
    (void)state;
    char *text = counters(5, 3);
    struct ptxlitmus *checker = ptxlitmus_open();
    double begun = seconds();
    assert_true(ptxlitmus_set(checker, "timeout", "0.2"));
    struct ptxlitmus_result *result = check(checker, text);
    assert_true(seconds() - begun < 20);
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_CHECKED);
    assert_false(ptxlitmus_complete(result));
    assert_string_equal(ptxlitmus_reason(result), "the time limit of 0.2 s was reached");
    ptxlitmus_free(result);
    assert_true(ptxlitmus_set(checker, "timeout", "0"));
    result = check(checker, mp);
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
    free(text);
}

static void *interrupt_later(void *checker) {
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    ptxlitmus_interrupt(checker);
    return NULL;
}

static void test_interrupt(void **state) {
    (void)state;
    char *text = counters(5, 3);
    struct ptxlitmus *checker = ptxlitmus_open();
    pthread_t thread;
    ptxlitmus_interrupt(checker); // before: the check does not begin
    struct ptxlitmus_result *result = check(checker, text);
    assert_string_equal(ptxlitmus_reason(result), "interrupted");
    ptxlitmus_free(result);
    assert_int_equal(pthread_create(&thread, NULL, interrupt_later, checker), 0);
    result = check(checker, text);
    pthread_join(thread, NULL);
    assert_string_equal(ptxlitmus_reason(result), "interrupted");
    assert_false(ptxlitmus_complete(result));
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
    free(text);
}

static struct ptxlitmus *signalled; // whose check a signal ends
static pthread_t of_check;
static atomic_int on_other_thread;

static void on_signal(int number) {
    (void)number;
    if (!pthread_equal(pthread_self(), of_check))
        atomic_fetch_add(&on_other_thread, 1);
    ptxlitmus_interrupt(signalled);
}

// A handler may interrupt. No thread of the library's takes signals: not even where the caller's
// has them blocked for a while.
static void test_signals(void **state) {
    (void)state;
    char *text = counters(5, 3);
    struct sigaction action = {.sa_handler = on_signal}, before, since;
    struct itimerval soon = {.it_value = {.tv_usec = 200000}};
    sigset_t alarms, old;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    signalled = ptxlitmus_open();
    of_check = pthread_self();
    pthread_sigmask(SIG_BLOCK, &alarms, &old);
    setitimer(ITIMER_REAL, &soon, NULL);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    struct ptxlitmus_result *result = check(signalled, text);
    assert_string_equal(ptxlitmus_reason(result), "interrupted"); // by the one that had waited
    ptxlitmus_free(result);
    setitimer(ITIMER_REAL, &soon, NULL);
    result = check(signalled, text);
    assert_string_equal(ptxlitmus_reason(result), "interrupted");
    ptxlitmus_free(result);
    assert_int_equal(on_other_thread, 0);
    assert_int_equal(sigaction(SIGALRM, &before, &since), 0);
    assert_ptr_equal(since.sa_handler, on_signal); // which the library has left
    ptxlitmus_close(signalled);
    free(text);
}

// --- Threads and locales -----------------------------------------------------------------------

enum { THREADS = 4, CHECKS = 12 };

static void *check_often(void *argument) {
    atomic_int *wrong = argument;
    char *text = counters(2, 2);
    struct ptxlitmus *checker = ptxlitmus_open();
    for (int i = 0; i < CHECKS; i++) {
        const char *input = i % 3 == 0 ? mp : i % 3 == 1 ? bad : text;
        struct ptxlitmus_result *result = ptxlitmus_check(checker, "t", input, strlen(input), 0);
        bool good = i % 3 == 0   ? ptxlitmus_verdict(result) == PTXLITMUS_FORBIDDEN
                    : i % 3 == 1 ? ptxlitmus_status(result) == PTXLITMUS_BAD_INPUT
                                 : ptxlitmus_verdict(result) == PTXLITMUS_ALWAYS &&
                                       ptxlitmus_outcomes(result) == 6;
        atomic_fetch_add(wrong, !good);
        ptxlitmus_free(result);
    }
    ptxlitmus_close(checker);
    free(text);
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    atomic_int wrong = 0;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, check_often, &wrong), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(wrong, 0);
}

// The comma of a locale changes no number; the application's locale stays.
static void test_locale(void **state) {
    (void)state;
    static const char text[] =
        "PTX f\n.global .f32 x = 0.5;\nP0@cta 0 {\n  ld.weak.global.f32 %f0, [x];\n}\n"
        "forall (P0:%f0 == 0f3f000000)\n";
    const char *name = setlocale(LC_ALL, "de_DE.UTF-8");
    if (!name)
        print_message("no locale de_DE.UTF-8: numbers are not tried with a comma\n");
    struct ptxlitmus *checker = ptxlitmus_open();
    assert_true(ptxlitmus_set(checker, "timeout", "99.5"));
    struct ptxlitmus_result *result = check(checker, text);
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_ALWAYS);
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
    assert_true(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    if (name)
        assert_int_equal(localeconv()->decimal_point[0], ',');
    setlocale(LC_ALL, "C");
}

// --- Without memory ----------------------------------------------------------------------------

static long failing = -1; // the allocation from now on that fails; negative: none

static bool fails(void) {
    return failing >= 0 && failing-- == 0;
}

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    return fails() ? NULL : __real_realloc(memory, size);
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}

// One allocation after the other fails, in larger and larger steps: no result, or the right one,
// and the next check is not affected. (What a check had when it was left is lost, so not
// with sanitizers.)
#ifndef PTXLITMUS_SANITIZED
static void test_no_memory(void **state) {
    (void)state;
    struct ptxlitmus *checker = NULL;
    unsigned without = 0, with = 0;
    for (long at = 0; !checker; at++) {
        failing = at;
        checker = ptxlitmus_open();
        without += !checker;
    }
    assert_true(without > 0);
    for (long at = 0; with < 3; at += 1 + at / 8) {
        failing = at;
        struct ptxlitmus_result *result = ptxlitmus_check(checker, "a", mp, strlen(mp), 0);
        bool reached = failing < 0;
        failing = -1;
        if (result) {
            assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
            assert_int_equal(ptxlitmus_outcomes(result), 3);
        } else {
            assert_true(reached);
            assert_string_equal(ptxlitmus_error(checker), "out of memory");
        }
        with += !reached;
        ptxlitmus_free(result);
        fflush(NULL); // as exit() does: streams that the check left open write nowhere
        result = ptxlitmus_check(checker, "a", mp, strlen(mp), 0);
        assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
        ptxlitmus_free(result);
        failing = at;
        bool set = ptxlitmus_set(checker, "model", "ptx-9.1");
        failing = -1;
        assert_int_equal(set, ptxlitmus_error(checker) == NULL);
    }
    ptxlitmus_close(checker);
}

// The same of the other calls, and of what sets a manifest.
static struct ptxlitmus_result *call(struct ptxlitmus *checker, int which) {
    switch (which) {
    case 0: return ptxlitmus_check_faults(checker, "a", mp, strlen(mp), 0);
    case 1: return ptxlitmus_explain(checker, "a", mp, strlen(mp), 0, NULL);
    case 2: return ptxlitmus_repair(checker, "a", mp, strlen(mp), 0);
    default: return ptxlitmus_inspect(checker, "a", module, strlen(module));
    }
}

static void test_no_memory_of_calls(void **state) {
    (void)state;
    enum { CALLS = 4 };
    struct ptxlitmus *checker = ptxlitmus_open();
    for (int which = 0; which < CALLS; which++) {
        unsigned with = 0, without = 0;
        for (long at = 0; with < 2; at += 1 + at / 5) {
            failing = at;
            struct ptxlitmus_result *result = call(checker, which);
            bool reached = failing < 0;
            failing = -1;
            if (result) {
                assert_int_equal(ptxlitmus_status(result), PTXLITMUS_CHECKED);
            } else {
                assert_true(reached);
                assert_string_equal(ptxlitmus_error(checker), "out of memory");
            }
            with += !reached;
            without += !result;
            ptxlitmus_free(result);
            fflush(NULL);
            failing = at % 8;
            bool set = ptxlitmus_set_manifest(checker, "m", "global x", 8);
            failing = -1;
            assert_int_equal(set, ptxlitmus_error(checker) == NULL);
            assert_true(ptxlitmus_set_manifest(checker, NULL, NULL, 0));
        }
        assert_true(without > 0);
    }
    ptxlitmus_close(checker);
}

#ifdef PTXLITMUS_HAS_GUARD
// C++'s `new` and `new[]`, as they are named for the linker. They throw an exception where there is
// no memory.
void *__real__Znwm(size_t size);
void *__real__Znam(size_t size);
void *__wrap__Znwm(size_t size);
void *__wrap__Znam(size_t size);

static long failing_new = -1; // the one from now on that fails; negative: none

static size_t asked(size_t size) {
    bool has_memory = failing_new < 0 || failing_new-- > 0;
    return has_memory ? size : SIZE_MAX / 4; // more than there can be
}

void *__wrap__Znwm(size_t size) {
    return __real__Znwm(asked(size));
}

void *__wrap__Znam(size_t size) {
    return __real__Znam(asked(size));
}

// One allocation of CaDiCaL after the other fails, as of test_no_memory.
static void test_no_memory_of_cadical(void **state) {
    (void)state;
    unsigned without = 0, with = 0;
    struct ptxlitmus *checker = ptxlitmus_open();
    assert_true(ptxlitmus_set(checker, "engine", "cadical"));
    for (long at = 0; with < 3; at += 1 + at / 8) {
        failing_new = at;
        struct ptxlitmus_result *result = ptxlitmus_check(checker, "a", mp, strlen(mp), 0);
        bool reached = failing_new < 0;
        failing_new = -1;
        assert_true(reached != (result != NULL));
        if (!result)
            assert_string_equal(ptxlitmus_error(checker), "out of memory");
        with += result != NULL;
        without += !result;
        ptxlitmus_free(result);
        result = ptxlitmus_check(checker, "a", mp, strlen(mp), 0);
        assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
        assert_int_equal(ptxlitmus_outcomes(result), 3);
        ptxlitmus_free(result);
    }
    assert_true(without > 20);
    ptxlitmus_close(checker);
}
#endif
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_result),
        cmocka_unit_test(test_unknown_values),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_expects_nothing),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_locale),
#ifndef PTXLITMUS_SANITIZED
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_no_memory_of_calls),
#ifdef PTXLITMUS_HAS_GUARD
        cmocka_unit_test(test_no_memory_of_cadical),
#endif
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
