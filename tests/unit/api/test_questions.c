// The library's questions: faults, explanations, repairs and modules; manifests, engines, the limit
// of memory; and what NULL gives.
#include "api/ptxlitmus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A message that is passed on, with the strengths of its release and acquire.
#define MP(order, scope, expected)                                                                 \
    "PTX MP\n"                                                                                     \
    ".global .u32 data, flag;\n"                                                                   \
    "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"                                                          \
    " st.weak.global.u32 [data], 1 | ld." order "." scope ".global.u32 %r0, [flag] ;\n"            \
    " st.release." scope ".global.u32 [flag], 1 | ld.weak.global.u32 %r1, [data] ;\n"              \
    "expect " expected ";\n"                                                                       \
    "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n"

static const char mp[] = MP("acquire", "gpu", "forbidden");
static const char weak[] = MP("acquire", "cta", "allowed");

// Two threads that wait for each other at different barriers.
static const char hang[] = "PTX hang\n"
                           "P0@cta 0 | P1@cta 0 ;\n"
                           " bar.sync 0 | bar.sync 1 ;\n"
                           "forall (true)\n";

static const char kernel[] = ".version 8.0\n"
                             ".target sm_80\n"
                             ".address_size 64\n"
                             ".visible .entry add(.param .u64 p)\n"
                             "{\n"
                             "  .reg .b64 %rd<3>;\n"
                             "  .reg .b32 %r<3>;\n"
                             "  ld.param.u64 %rd1, [p];\n"
                             "  cvta.to.global.u64 %rd2, %rd1;\n"
                             "  ld.global.u32 %r1, [%rd2];\n"
                             "  add.u32 %r2, %r1, 1;\n"
                             "  st.global.u32 [%rd2], %r2;\n"
                             "  ret;\n"
                             "}\n";

static const char alone[] = "global x\nkernel add grid 1 block 1\narg 0 = &x\nexists (x == 1)\n";
static const char together[] = "global x\nkernel add grid 2 block 1\narg 0 = &x\nexists (x == 1)\n"
                               "test more exists (x == 2)\n";

static struct ptxlitmus *opened(void) {
    struct ptxlitmus *checker = ptxlitmus_open();
    assert_non_null(checker);
    return checker;
}

static struct ptxlitmus_result *faults_of(struct ptxlitmus *checker, const char *text) {
    return ptxlitmus_check_faults(checker, "a.litmus", text, strlen(text), 0);
}

static bool set_manifest(struct ptxlitmus *checker, const char *text) {
    return ptxlitmus_set_manifest(checker, "a.manifest", text, text ? strlen(text) : 0);
}

// --- Faults ------------------------------------------------------------------------------------

static void test_clean(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    struct ptxlitmus_result *result = ptxlitmus_check(checker, "a", mp, strlen(mp), 0);
    assert_int_equal(ptxlitmus_clean(result), PTXLITMUS_UNKNOWN); // that was not asked
    assert_int_equal(ptxlitmus_findings(result), 0);
    ptxlitmus_free(result);
    static const char atomic[] = "PTX one\n.global .u32 x;\nP0@cta 0 | P1@cta 1 ;\n"
                                 " atom.relaxed.gpu.add.u32 %r0, [x], 1 | "
                                 "atom.relaxed.gpu.add.u32 %r0, [x], 1 ;\nforall (x == 2)\n";
    result = faults_of(checker, atomic);
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_CHECKED);
    assert_int_equal(ptxlitmus_clean(result), PTXLITMUS_YES);
    assert_int_equal(ptxlitmus_findings(result), 0);
    assert_null(ptxlitmus_finding_flag(result, 0));
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

static void test_race(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    struct ptxlitmus_result *result = faults_of(checker, weak);
    ptxlitmus_close(checker); // the result stays
    assert_int_equal(ptxlitmus_clean(result), PTXLITMUS_NO);
    assert_true(ptxlitmus_findings(result) > 0);
    size_t found = 0;
    for (size_t i = 0; i < ptxlitmus_findings(result); i++) {
        assert_string_equal(ptxlitmus_finding_flag(result, i), "data-race");
        assert_int_equal(ptxlitmus_finding_places(result, i), 2);
        if (strcmp(ptxlitmus_finding_access(result, i, 0), "data written by P0") == 0) {
            found++;
            assert_string_equal(ptxlitmus_finding_place(result, i, 0), "line 4");
            assert_string_equal(ptxlitmus_finding_place(result, i, 1), "line 5");
            assert_string_equal(ptxlitmus_finding_access(result, i, 1), "data read by P1");
            assert_non_null(strstr(ptxlitmus_finding_why(result, i), "do not synchronise"));
        }
        assert_null(ptxlitmus_finding_place(result, i, 2));
        assert_null(ptxlitmus_finding_access(result, i, 2));
    }
    assert_int_equal(found, 1);
    assert_non_null(strstr(ptxlitmus_json(result), "\"races\":["));
    ptxlitmus_free(result);
}

static void test_hang(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    struct ptxlitmus_result *result = faults_of(checker, hang);
    assert_int_equal(ptxlitmus_clean(result), PTXLITMUS_NO);
    assert_int_equal(ptxlitmus_findings(result), 2);
    assert_string_equal(ptxlitmus_finding_flag(result, 0), "hang");
    assert_int_equal(ptxlitmus_finding_places(result, 0), 1);
    assert_string_equal(ptxlitmus_finding_place(result, 0, 0), "line 3");
    assert_string_equal(ptxlitmus_finding_access(result, 0, 0), "P0");
    assert_string_equal(ptxlitmus_finding_access(result, 1, 0), "P1");
    assert_non_null(ptxlitmus_finding_why(result, 0));
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

// --- Modules and manifests ---------------------------------------------------------------------

static void test_manifest(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    struct ptxlitmus_result *result = ptxlitmus_check(checker, "a.ptx", kernel, strlen(kernel), 0);
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_BAD_INPUT); // nothing launches it
    ptxlitmus_free(result);
    char *copied = strdup(together);
    assert_true(set_manifest(checker, copied));
    memset(copied, 'x', strlen(copied));
    free(copied);
    result = ptxlitmus_check(checker, "a.ptx", kernel, strlen(kernel), 1);
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_CHECKED);
    assert_int_equal(ptxlitmus_tests(result), 2); // conditions
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_ALLOWED);
    ptxlitmus_free(result);
    result = ptxlitmus_check_faults(checker, "a.ptx", kernel, strlen(kernel), 0);
    assert_int_equal(ptxlitmus_tests(result), 1); // launch
    assert_int_equal(ptxlitmus_clean(result), PTXLITMUS_NO);
    assert_string_equal(ptxlitmus_finding_access(result, 0, 0), "x written by thread 0 of block 0");
    ptxlitmus_free(result);
    result = ptxlitmus_check(checker, "a.litmus", mp, strlen(mp), 0); // is not a module
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
    ptxlitmus_free(result);
    assert_true(set_manifest(checker, alone));
    result = ptxlitmus_check_faults(checker, "a.ptx", kernel, strlen(kernel), 0);
    assert_int_equal(ptxlitmus_clean(result), PTXLITMUS_YES);
    ptxlitmus_close(checker);
    assert_non_null(strstr(ptxlitmus_condition(result), "exists"));
    assert_non_null(strstr(ptxlitmus_json(result), "\"test\":\"add\""));
    ptxlitmus_free(result);
}

// Of many threads, a run's answer is the answer, with what races where.
static void test_many_threads(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    assert_true(set_manifest(checker, "global x\nkernel add grid 4 block 128\narg 0 = &x\n"));
    struct ptxlitmus_result *result =
        ptxlitmus_check_faults(checker, "a.ptx", kernel, strlen(kernel), 0);
    assert_int_equal(ptxlitmus_clean(result), PTXLITMUS_NO);
    assert_int_equal(ptxlitmus_outcomes(result), 0); // nothing was searched
    assert_true(ptxlitmus_findings(result) > 0);
    for (size_t i = 0; i < ptxlitmus_findings(result); i++) {
        assert_string_equal(ptxlitmus_finding_flag(result, i), "data-race");
        assert_non_null(ptxlitmus_finding_why(result, i));
        assert_int_equal(strncmp(ptxlitmus_finding_access(result, i, 1), "x ", 2), 0);
    }
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

// A launch that names some of its threads is run with all of them: what one that is left out does
// is a fault, too.
static void test_named_threads(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    assert_true(set_manifest(checker, "global x\nkernel add block 2 threads 0\narg 0 = &x\n"));
    struct ptxlitmus_result *result =
        ptxlitmus_check_faults(checker, "a.ptx", kernel, strlen(kernel), 0);
    assert_int_equal(ptxlitmus_clean(result), PTXLITMUS_NO);
    assert_int_equal(ptxlitmus_outcomes(result), 0); // those of thread 0 are not the answer
    assert_string_equal(ptxlitmus_finding_access(result, 0, 0), "x read by thread 1 of block 0");
    assert_string_equal(ptxlitmus_finding_access(result, 0, 1), "x written by thread 0 of block 0");
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

// What other questions have set is not what a repair is asked.
static void test_repair_alone(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    assert_true(ptxlitmus_set(checker, "verdict", NULL));
    assert_true(ptxlitmus_set(checker, "races", NULL));
    assert_true(ptxlitmus_set(checker, "states", "1"));
    assert_true(ptxlitmus_set(checker, "progress", "fair"));
    struct ptxlitmus_result *result = ptxlitmus_repair(checker, "a.litmus", weak, strlen(weak), 0);
    assert_int_equal(ptxlitmus_repaired(result), PTXLITMUS_REPAIR_FOUND);
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

static void test_bad_manifest(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    assert_true(set_manifest(checker, "global x\nkernal add\n"));
    struct ptxlitmus_result *result =
        ptxlitmus_check_faults(checker, "a.ptx", kernel, strlen(kernel), 0);
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_BAD_INPUT);
    const struct ptxlitmus_diagnostic *message = ptxlitmus_diagnostic(result, 0);
    assert_string_equal(ptxlitmus_diagnostic_path(message), "a.manifest");
    assert_int_equal(ptxlitmus_diagnostic_line(message), 2);
    assert_int_equal(ptxlitmus_diagnostic_end_column(message), 7);
    ptxlitmus_free(result);
    assert_true(set_manifest(checker, "global x\nkernel add grid 1 block 1\narg 0 = &x\n"));
    result = ptxlitmus_check(checker, "a.ptx", kernel, strlen(kernel), 0);
    assert_non_null(strstr(ptxlitmus_diagnostic_message(ptxlitmus_diagnostic(result, 0)),
                           "nothing is asked of this launch"));
    ptxlitmus_free(result);
    assert_true(set_manifest(checker, NULL)); // none any more
    result = ptxlitmus_check_faults(checker, "a.ptx", kernel, strlen(kernel), 0);
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_BAD_INPUT);
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

static void test_inspect(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    struct ptxlitmus_result *result = ptxlitmus_inspect(checker, "a.ptx", kernel, strlen(kernel));
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_CHECKED);
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_VERDICT_UNKNOWN);
    assert_null(ptxlitmus_name(result));
    assert_int_equal(ptxlitmus_kernels(result), 1);
    assert_string_equal(ptxlitmus_kernel(result, 0), "add");
    assert_null(ptxlitmus_kernel(result, 1));
    assert_non_null(strstr(ptxlitmus_json(result), "\"parameters\":[{\"name\":\"p\""));
    ptxlitmus_free(result);
    result = ptxlitmus_inspect(checker, "a.ptx", mp, strlen(mp));
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_BAD_INPUT);
    assert_int_equal(ptxlitmus_kernels(result), 0);
    assert_null(ptxlitmus_json(result));
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

// --- Explanations and repairs ------------------------------------------------------------------

static void test_explain(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    struct ptxlitmus_result *result =
        ptxlitmus_explain(checker, "a.litmus", mp, strlen(mp), 0, NULL);
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
    assert_int_equal(ptxlitmus_outcomes(result), 3);
    assert_null(ptxlitmus_reason(result));
    assert_non_null(strstr(ptxlitmus_explanation(result),
                           "Every execution with this outcome breaks Causality"));
    assert_non_null(strstr(ptxlitmus_json(result), "\"core\":[{\"axiom\":\"Causality\""));
    ptxlitmus_free(result);
    result = ptxlitmus_explain(checker, "a.litmus", mp, strlen(mp), 0, "P1:%r0=1, P1:%r1=1");
    assert_non_null(strstr(ptxlitmus_explanation(result), "allowed: P1:%r0=1, P1:%r1=1"));
    ptxlitmus_free(result);
    result = ptxlitmus_explain(checker, "a.litmus", mp, strlen(mp), 0, "P7:%r0=1");
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_BAD_INPUT);
    assert_null(ptxlitmus_explanation(result));
    ptxlitmus_free(result);
    result = ptxlitmus_check(checker, "a.litmus", mp, strlen(mp), 0);
    assert_null(ptxlitmus_explanation(result));
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

static void test_repair(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    struct ptxlitmus_result *result = ptxlitmus_repair(checker, "a.litmus", weak, strlen(weak), 0);
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_ALLOWED); // as it is
    assert_int_equal(ptxlitmus_repaired(result), PTXLITMUS_REPAIR_FOUND);
    assert_null(ptxlitmus_repair_why(result));
    size_t count = ptxlitmus_remedies(result);
    assert_true(count > 0 && count <= 5);
    for (size_t i = 0; i < count; i++) {
        assert_true(ptxlitmus_remedy_cost(result, i) > 0);
        assert_true(i == 0 ||
                    ptxlitmus_remedy_cost(result, i - 1) <= ptxlitmus_remedy_cost(result, i));
        assert_non_null(strstr(ptxlitmus_remedy_diff(result, i), "\n+"));
        assert_null(ptxlitmus_remedy_manifest(result, i));
        const char *text = ptxlitmus_remedy_text(result, i); // which does what it says
        struct ptxlitmus_result *changed =
            ptxlitmus_check(checker, "changed", text, strlen(text), 0);
        assert_int_equal(ptxlitmus_verdict(changed), PTXLITMUS_FORBIDDEN);
        ptxlitmus_free(changed);
    }
    assert_non_null(ptxlitmus_remedy_reason(result, 0));
    assert_null(ptxlitmus_remedy_text(result, count));
    assert_int_equal(ptxlitmus_remedy_cost(result, count), 0);
    assert_non_null(strstr(ptxlitmus_json(result), "\"command\":\"repair\""));
    ptxlitmus_free(result);
    result = ptxlitmus_repair(checker, "a.litmus", mp, strlen(mp), 0);
    assert_int_equal(ptxlitmus_repaired(result), PTXLITMUS_REPAIR_NOT_NEEDED);
    assert_non_null(ptxlitmus_repair_why(result));
    assert_int_equal(ptxlitmus_remedies(result), 0);
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

// --- Limits and engines ------------------------------------------------------------------------

// Threads that add to a counter: as large as one likes.
static char *counters(unsigned threads, unsigned rounds) {
    char *text = calloc(1, 4096 + (size_t)threads * (64 + 64 * (size_t)rounds));
    size_t at = (size_t)sprintf(text, "PTX counters\n.global .u32 x;\n");
    for (unsigned thread = 0; thread < threads; thread++) {
        at += (size_t)sprintf(text + at, "P%u@cta %u,gpu 0 {\n", thread, thread);
        for (unsigned round = 0; round < rounds; round++)
            at += (size_t)sprintf(text + at, "  atom.relaxed.gpu.add.u32 %%r%u, [x], 1;\n", round);
        at += (size_t)sprintf(text + at, "}\n");
    }
    sprintf(text + at, "exists (x == %u)\n", threads * rounds + 1);
    return text;
}

static void test_engines(void **state) {
    (void)state;
    static const char *const settings[][2] = {
        {"engine", "z3"}, {"engine", "cadical"}, {"both-engines", NULL}};
    struct ptxlitmus *checker = opened();
    if (!ptxlitmus_set(checker, "engine", "cadical")) {
        assert_non_null(strstr(ptxlitmus_error(checker), "without CaDiCaL"));
        ptxlitmus_close(checker);
        skip();
    }
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        assert_true(ptxlitmus_set(checker, settings[i][0], settings[i][1]));
        struct ptxlitmus_result *result = ptxlitmus_check(checker, "a", mp, strlen(mp), 0);
        assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
        assert_int_equal(ptxlitmus_outcomes(result), 3);
        ptxlitmus_free(result);
    }
    ptxlitmus_close(checker);
}

// CaDiCaL finds nothing where it is made to lie: the two engines differ then, and no verdict is
// given. (What the search had is lost, so not with sanitizers.)
#ifdef PTXLITMUS_LIES
static bool lies;

int __real_ccadical_solve(void *solver);
int __wrap_ccadical_solve(void *solver);

int __wrap_ccadical_solve(void *solver) {
    enum { UNSATISFIABLE = 20 };
    int answer = __real_ccadical_solve(solver);
    return lies ? UNSATISFIABLE : answer;
}

static void test_engines_differ(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    assert_true(ptxlitmus_set(checker, "both-engines", NULL));
    lies = true;
    struct ptxlitmus_result *result = ptxlitmus_check(checker, "a", weak, strlen(weak), 0);
    lies = false;
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_FAULT);
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_UNKNOWN);
    const char *message = ptxlitmus_diagnostic_message(ptxlitmus_diagnostic(result, 0));
    assert_non_null(strstr(message, "Z3 and CaDiCaL do not agree on the verdict"));
    ptxlitmus_free(result);
    result = ptxlitmus_check(checker, "a", weak, strlen(weak), 0);
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_ALLOWED);
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}
#endif

// Each engine gives up at a limit that is too small, says why, and goes on with one that is not.
// That limit is for what comes on top of what the process has.
static void test_memory(void **state) {
    (void)state;
    static const char *const engines[] = {"z3", "cadical"};
    enum { OWN = 256 << 20 };
    char *text = counters(8, 12), *own = malloc(OWN);
    memset(own, 1, OWN);
    for (size_t i = 0; i < 2; i++) {
        struct ptxlitmus *checker = opened();
        if (ptxlitmus_set(checker, "engine", engines[i])) {
            assert_true(ptxlitmus_set(checker, "memory", "1"));
            struct ptxlitmus_result *result = ptxlitmus_check(checker, "a", text, strlen(text), 0);
            assert_int_equal(ptxlitmus_status(result), PTXLITMUS_CHECKED);
            assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_VERDICT_UNKNOWN);
            assert_non_null(strstr(ptxlitmus_reason(result), "memory"));
            ptxlitmus_free(result);
            assert_true(ptxlitmus_set(checker, "memory", "128"));
            result = ptxlitmus_check(checker, "a", mp, strlen(mp), 0);
            assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
            ptxlitmus_free(result);
        }
        ptxlitmus_close(checker);
    }
    free(own);
    free(text);
}

// The limit of one checker is not that of another, as Z3's own would be.
static void test_memory_apart(void **state) {
    (void)state;
    char *text = counters(5, 3);
    struct ptxlitmus *small = opened(), *large = opened();
    assert_true(ptxlitmus_set(small, "memory", "1"));
    ptxlitmus_free(ptxlitmus_check(small, "a", text, strlen(text), 0));
    struct ptxlitmus_result *result = ptxlitmus_check(large, "a", text, strlen(text), 0);
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
    ptxlitmus_free(result);
    ptxlitmus_close(small);
    ptxlitmus_close(large);
    free(text);
}

// An interrupt before a call ends each of them.
static void test_interrupts(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    ptxlitmus_interrupt(checker);
    struct ptxlitmus_result *result = faults_of(checker, weak);
    assert_int_equal(ptxlitmus_clean(result), PTXLITMUS_UNKNOWN);
    assert_string_equal(ptxlitmus_reason(result), "interrupted");
    ptxlitmus_free(result);
    ptxlitmus_interrupt(checker);
    result = ptxlitmus_explain(checker, "a", mp, strlen(mp), 0, NULL);
    assert_string_equal(ptxlitmus_reason(result), "interrupted");
    assert_non_null(strstr(ptxlitmus_explanation(result), "interrupted"));
    ptxlitmus_free(result);
    ptxlitmus_interrupt(checker);
    result = ptxlitmus_repair(checker, "a", weak, strlen(weak), 0);
    assert_int_equal(ptxlitmus_repaired(result), PTXLITMUS_REPAIR_UNKNOWN);
    assert_non_null(ptxlitmus_repair_why(result));
    ptxlitmus_free(result);
    result = faults_of(checker, weak); // that was the last of it
    assert_int_equal(ptxlitmus_clean(result), PTXLITMUS_NO);
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

// --- NULL --------------------------------------------------------------------------------------

static void test_null_checker(void **state) {
    (void)state;
    assert_false(ptxlitmus_set(NULL, "hex", NULL));
    assert_false(ptxlitmus_set_manifest(NULL, NULL, NULL, 0));
    assert_string_equal(ptxlitmus_error(NULL), "there is no checker");
    ptxlitmus_interrupt(NULL);
    ptxlitmus_close(NULL);
    ptxlitmus_free(NULL);
    assert_null(ptxlitmus_check(NULL, "a", mp, strlen(mp), 0));
    assert_null(ptxlitmus_check_faults(NULL, "a", mp, strlen(mp), 0));
    assert_null(ptxlitmus_explain(NULL, "a", mp, strlen(mp), 0, NULL));
    assert_null(ptxlitmus_repair(NULL, "a", mp, strlen(mp), 0));
    assert_null(ptxlitmus_inspect(NULL, "a", mp, strlen(mp)));
}

static void test_null_result(void **state) {
    (void)state;
    static const char *(*const texts[])(const struct ptxlitmus_result *) = {
        ptxlitmus_reason,    ptxlitmus_name,        ptxlitmus_model,
        ptxlitmus_condition, ptxlitmus_explanation, ptxlitmus_repair_why};
    static size_t (*const counts[])(const struct ptxlitmus_result *) = {
        ptxlitmus_tests,       ptxlitmus_columns,  ptxlitmus_outcomes, ptxlitmus_flags,
        ptxlitmus_diagnostics, ptxlitmus_findings, ptxlitmus_remedies, ptxlitmus_kernels};
    static const char *(*const items[])(const struct ptxlitmus_result *, size_t) = {
        ptxlitmus_column,       ptxlitmus_flag,          ptxlitmus_flag_meaning,
        ptxlitmus_finding_flag, ptxlitmus_finding_why,   ptxlitmus_remedy_text,
        ptxlitmus_remedy_diff,  ptxlitmus_remedy_reason, ptxlitmus_remedy_manifest,
        ptxlitmus_kernel};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_null(texts[i](NULL));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        assert_int_equal(counts[i](NULL), 0);
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        assert_null(items[i](NULL, 0));
    assert_int_equal(ptxlitmus_status(NULL), PTXLITMUS_FAULT);
    assert_int_equal(ptxlitmus_verdict(NULL), PTXLITMUS_VERDICT_UNKNOWN);
    assert_int_equal(ptxlitmus_expected(NULL), PTXLITMUS_UNKNOWN);
    assert_int_equal(ptxlitmus_clean(NULL), PTXLITMUS_UNKNOWN);
    assert_int_equal(ptxlitmus_repaired(NULL), PTXLITMUS_REPAIR_UNKNOWN);
    assert_int_equal(ptxlitmus_satisfies(NULL, 0), PTXLITMUS_UNKNOWN);
    assert_int_equal(ptxlitmus_flag_holds(NULL, 0), PTXLITMUS_UNKNOWN);
    assert_int_equal(ptxlitmus_finding_places(NULL, 0), 0);
    assert_int_equal(ptxlitmus_remedy_cost(NULL, 0), 0);
    assert_null(ptxlitmus_finding_place(NULL, 0, 0));
    assert_null(ptxlitmus_finding_access(NULL, 0, 0));
    assert_null(ptxlitmus_value(NULL, 0, 0));
    assert_false(ptxlitmus_complete(NULL));
    assert_false(ptxlitmus_bits(NULL, 0, 0, NULL));
    assert_null(ptxlitmus_json(NULL));
    assert_null(ptxlitmus_diagnostic(NULL, 0));
}

static void test_null_diagnostic(void **state) {
    (void)state;
    assert_int_equal(ptxlitmus_diagnostic_severity(NULL), PTXLITMUS_ERROR);
    assert_int_equal(ptxlitmus_diagnostic_line(NULL), 0);
    assert_int_equal(ptxlitmus_diagnostic_column(NULL), 0);
    assert_int_equal(ptxlitmus_diagnostic_end_line(NULL), 0);
    assert_int_equal(ptxlitmus_diagnostic_end_column(NULL), 0);
    assert_null(ptxlitmus_diagnostic_path(NULL));
    assert_null(ptxlitmus_diagnostic_message(NULL));
    assert_null(ptxlitmus_diagnostic_hint(NULL));
    assert_null(ptxlitmus_diagnostic_text(NULL));
}

static void test_null_arguments(void **state) {
    (void)state;
    struct ptxlitmus *checker = opened();
    struct ptxlitmus_result *result = ptxlitmus_check(checker, NULL, NULL, 7, 0);
    assert_int_equal(ptxlitmus_status(result), PTXLITMUS_BAD_INPUT);
    assert_string_equal(ptxlitmus_diagnostic_path(ptxlitmus_diagnostic(result, 0)), "text");
    ptxlitmus_free(result);
    assert_true(ptxlitmus_set_manifest(checker, NULL, "nonsense", 8));
    result = ptxlitmus_check(checker, NULL, kernel, strlen(kernel), 0);
    assert_string_equal(ptxlitmus_diagnostic_path(ptxlitmus_diagnostic(result, 0)), "manifest");
    ptxlitmus_free(result);
    result = ptxlitmus_check(checker, NULL, mp, strlen(mp), 0);
    assert_int_equal(ptxlitmus_verdict(result), PTXLITMUS_FORBIDDEN);
    assert_false(ptxlitmus_bits(result, 0, 0, NULL));
    ptxlitmus_free(result);
    ptxlitmus_close(checker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean),          cmocka_unit_test(test_race),
        cmocka_unit_test(test_hang),           cmocka_unit_test(test_manifest),
        cmocka_unit_test(test_many_threads),   cmocka_unit_test(test_named_threads),
        cmocka_unit_test(test_repair_alone),   cmocka_unit_test(test_bad_manifest),
        cmocka_unit_test(test_inspect),        cmocka_unit_test(test_explain),
        cmocka_unit_test(test_repair),         cmocka_unit_test(test_engines),
#ifdef PTXLITMUS_LIES
        cmocka_unit_test(test_engines_differ),
#endif
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_memory_apart),
        cmocka_unit_test(test_interrupts),     cmocka_unit_test(test_null_checker),
        cmocka_unit_test(test_null_result),    cmocka_unit_test(test_null_diagnostic),
        cmocka_unit_test(test_null_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
