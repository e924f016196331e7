// What happens when a call into Z3 fails. Each call that a run makes fails in turn, with an error
// code and, where its result can show it, without one; the run must say what it says otherwise, or
// that the result is unknown, and nothing else.
//
// The linker puts the functions below in the place of Z3's (-Wl,--wrap, tests/CMakeLists.txt).
#include "tests/unit/solver/support.h"

#include <stdlib.h>
#include <z3.h>

enum way { WAY_NONE, WAY_LOUD, WAY_SILENT };

// Which call fails, counted from 0, and how.
static struct {
    enum way way;
    const char *only;   // calls of this function alone are counted; NULL: all
    Z3_error_code code; // of a loud failure; Z3_OK: one or another
    size_t fail_at, calls;
    bool failed; // the call has come
} plan;

// Whether the call is the one.
static bool is_planned(const char *name, bool loud, bool silent) {
    if (plan.only != NULL && strcmp(plan.only, name) != 0)
        return false;
    bool now = plan.calls++ == plan.fail_at &&
               ((plan.way == WAY_LOUD && loud) || (plan.way == WAY_SILENT && silent));
    plan.failed = plan.failed || now;
    return now;
}

static bool fails(const char *name, Z3_context c, bool silent) {
    if (!is_planned(name, true, silent))
        return false;
    Z3_error_code either = plan.fail_at % 2 == 0 ? Z3_MEMOUT_FAIL : Z3_EXCEPTION;
    if (plan.way == WAY_LOUD)
        Z3_set_error(c, plan.code != Z3_OK ? plan.code : either);
    return true;
}

#define Z3_CALL(type, name, failure, parameters, arguments)                                        \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        return fails(#name, c, true) ? (failure) : __real_##name arguments;                        \
    }
#define Z3_LOUD(type, name, failure, parameters, arguments)                                        \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        return fails(#name, c, false) ? (failure) : __real_##name arguments;                       \
    }
#define Z3_START(type, name, failure, parameters, arguments)                                       \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        return is_planned(#name, false, true) ? (failure) : __real_##name arguments;               \
    }
#define Z3_OMIT(name, parameters, arguments)                                                       \
    void __real_##name parameters;                                                                 \
    void __wrap_##name parameters;                                                                 \
    void __wrap_##name parameters {                                                                \
        if (!fails(#name, c, false))                                                               \
            __real_##name arguments;                                                               \
    }
#define Z3_ACTION(name, parameters, arguments)                                                     \
    void __real_##name parameters;                                                                 \
    void __wrap_##name parameters;                                                                 \
    void __wrap_##name parameters {                                                                \
        __real_##name arguments;                                                                   \
        fails(#name, c, false);                                                                    \
    }
#include "tests/unit/solver/z3_calls.def"

// --- Runs --------------------------------------------------------------------------------------

struct subject {
    const char *text;
    struct solver_options options;
};

static struct outcomes *run_planned(struct arena *arena, const struct subject *subject,
                                    enum way way, const char *only, size_t fail_at) {
    struct solver *solver = solver_new();
    plan.way = way;
    plan.only = only;
    plan.fail_at = fail_at;
    plan.calls = 0;
    plan.failed = false;
    struct outcomes *outcomes =
        outcomes_of(solver, arena, subject->text, "ptx-9.1", &subject->options);
    plan.way = WAY_NONE;
    solver_free(solver);
    return outcomes;
}

static bool same_states(const struct outcomes *a, const struct outcomes *b, size_t width) {
    bool same = a->state_count == b->state_count && a->listed == b->listed;
    for (size_t i = 0; same && i < a->state_count; i++)
        same = state_compare(&a->states[i], &b->states[i], width) == 0 &&
               a->states[i].satisfies == b->states[i].satisfies &&
               a->states[i].violates == b->states[i].violates;
    return same;
}

static bool is_same(const struct outcomes *a, const struct outcomes *b, size_t width) {
    bool same = a->verdict == b->verdict && a->complete == b->complete &&
                a->reachable == b->reachable && a->race_count == b->race_count &&
                a->races_cut == b->races_cut && same_states(a, b, width);
    for (size_t i = 0; same && i < a->flag_count; i++)
        same = a->flags[i].holds == b->flags[i].holds;
    return same;
}

// The result is unknown, for a known reason; what a program cannot have is known before Z3 is
// asked.
static bool is_unknown(const struct outcomes *outcomes, const struct outcomes *right) {
    bool unknown = outcomes->verdict == VERDICT_UNKNOWN && !outcomes->complete &&
                   outcomes->reachable == TRUTH_UNKNOWN && outcomes->state_count == 0 &&
                   outcomes->race_count == 0 && outcomes->reason != REASON_NONE;
    for (size_t i = 0; unknown && i < outcomes->flag_count; i++)
        unknown = outcomes->flags[i].holds == TRUTH_UNKNOWN ||
                  (outcomes->flags[i].holds == TRUTH_NO && right->flags[i].holds == TRUTH_NO);
    return unknown;
}

// What is said is right, though incomplete: a check that answers "unknown" is not an error.
static bool is_part_of(const struct outcomes *part, const struct outcomes *right) {
    bool good = part->verdict == right->verdict || part->verdict == VERDICT_UNKNOWN;
    bool whole = part->verdict == right->verdict && part->complete == right->complete;
    for (size_t i = 0; good && i < part->flag_count; i++) {
        bool open = part->flags[i].holds == TRUTH_UNKNOWN;
        good = open || part->flags[i].holds == right->flags[i].holds;
        whole = whole && !open;
    }
    good = good && (!part->complete || part->state_count == right->state_count);
    return good && (whole || part->reason != REASON_NONE);
}

static void check_failure(const struct subject *subject, const struct outcomes *right, size_t width,
                          enum way way, const char *only, size_t fail_at) {
    struct arena *arena = arena_new();
    const struct outcomes *outcomes = run_planned(arena, subject, way, only, fail_at);
    bool good = is_same(outcomes, right, width) || is_unknown(outcomes, right) ||
                (way == WAY_SILENT && is_part_of(outcomes, right));
    if (!good)
        fail_msg("call %zu of %s fails (way %d): verdict %d, %zu states, reason %d", fail_at,
                 only ? only : "all", (int)way, (int)outcomes->verdict, outcomes->state_count,
                 (int)outcomes->reason);
    arena_free(arena);
}

// Lets each call of a run fail, or each of this function; or a share of them.
static void check_failures(const struct subject *subject, const char *only) {
    struct arena *arena = arena_new();
    const struct outcomes *right = run_planned(arena, subject, WAY_NONE, only, 0);
    size_t width = program_of(arena, subject->text)->observed_count, calls = plan.calls;
    assert_int_equal(right->reason, REASON_NONE);
    assert_true(calls > 0);
    size_t count = share_of((unsigned)calls);
    for (size_t i = 0; i < count; i++) {
        check_failure(subject, right, width, WAY_LOUD, only, i * calls / count);
        check_failure(subject, right, width, WAY_SILENT, only, i * calls / count);
    }
    arena_free(arena);
}

// --- Tests -------------------------------------------------------------------------------------

static const struct subject small = {
    "PTX small\n.global .u32 x = 0;\n"
    "P0@cta 0 { st.weak.global.u32 [x], 1; }\n"
    "P1@cta 1 { ld.weak.global.u32 %r0, [x]; }\n"
    "exists (P1:%r0 == 1)\n",
    {.check_executions = true, .races = true},
};

// MP+cta, which is allowed: one of four states satisfies the condition.
static const struct subject passing = {
    "PTX MP\n.global .u32 x = 0;\n.global .u32 f = 0;\n"
    "P0@cta 0 { st.weak.global.u32 [x], 1; st.release.cta.global.u32 [f], 1; }\n"
    "P1@cta 1 { ld.acquire.cta.global.u32 %r0, [f]; ld.weak.global.u32 %r1, [x]; }\n"
    "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n",
    {.timeout_seconds = 0},
};

// Values that are bit-vectors, one of them wide: the initial value of shared memory is unknown.
static const struct subject values = {
    "PTX values\n.shared .align 16 .b128 s;\n.shared .u64 t;\n"
    "P0@cta 0 { ld.weak.shared.u64 %rd0, [t]; add.u64 %rd1, %rd0, 3; "
    "ld.weak.shared.b128 %q0, [s]; st.weak.shared.b128 [s], %q0; }\n"
    "exists (P0:%rd1 == 9)\n",
    {.check_executions = true},
};

static void every_call(void **state) {
    (void)state;
    check_failures(&small, NULL);
    check_failures(&passing, NULL);
    check_failures(&values, NULL);
}

// The calls that answer, each in turn: an answer of theirs that is lost must not be taken for "no".
static void every_answer(void **state) {
    (void)state;
    static const char *const names[] = {"Z3_model_eval", "Z3_get_bool_value", "Z3_solver_get_model",
                                        "Z3_solver_check_assumptions"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_failures(&passing, names[i]);
    check_failures(&values, "Z3_model_eval");
    check_failures(&values, "Z3_get_numeral_uint64");
    check_failures(&values, "Z3_get_bv_sort_size");
}

// With a limit, being out of memory is not an error but the limit, after which the encoder stops
// where it is: what was found before is kept, and no outcome is taken for impossible because it was
// not encoded.
static void every_stop(void **state) {
    (void)state;
    static const struct subject undefined = {
        "PTX undefined\n.global .align 4 .u32 x;\n.global .u32 f;\n"
        "P0@cta 0 { st.weak.global.u32 [x], 1; st.release.gpu.global.u32 [f], 1; }\n"
        "P1@cta 1 { ld.relaxed.gpu.global.u32 %r0, [f]; ld.weak.global.u16 %h0, [x]; }\n"
        "exists (P1:%h0 == 7)\n",
        {.memory_mb = 4000},
    };
    struct arena *arena = arena_new();
    const struct outcomes *right = run_planned(arena, &undefined, WAY_NONE, NULL, 0);
    size_t calls = plan.calls, cut = 0;
    assert_int_equal(right->verdict, VERDICT_UNKNOWN);
    assert_int_equal(model_flag(right, "mixed-size-race"), TRUTH_YES);
    plan.code = Z3_MEMOUT_FAIL;
    for (size_t i = 0; i < calls; i++) {
        const struct outcomes *outcomes = run_planned(arena, &undefined, WAY_LOUD, NULL, i);
        assert_true(is_part_of(outcomes, right));
        cut += outcomes->reason == REASON_MEMORY;
    }
    plan.code = Z3_OK;
    assert_true(cut > calls / 2);
    arena_free(arena);
}

// The finding that led here: a value that could not be read was taken for false, and a state that
// satisfies the condition for one that does not.
static void lost_value(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const struct outcomes *right = run_planned(arena, &passing, WAY_NONE, "Z3_model_eval", 0);
    assert_int_equal(right->verdict, VERDICT_ALLOWED);
    size_t calls = plan.calls, unknown = 0;
    for (size_t i = 0; i < calls; i++) {
        const struct outcomes *outcomes =
            run_planned(arena, &passing, WAY_SILENT, "Z3_model_eval", i);
        assert_true(plan.failed);
        unknown += is_unknown(outcomes, right);
    }
    assert_int_equal(unknown, calls);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call),
        cmocka_unit_test(every_answer),
        cmocka_unit_test(every_stop),
        cmocka_unit_test(lost_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
