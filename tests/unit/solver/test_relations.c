// The encoding of cat against plain evaluation. For small programs, all candidate executions are
// enumerated (every rf, co and order of fence.sc); random models are evaluated on each in C. That
// gives the outcomes and flags that the solver must find, and values that bounds must contain.
#include "support.h"

#include "random_cat.h"
#include "solver/encode/memory.h"
#include "solver/check/execution.h"
#include "solver/backend/watchdog.h"

#include <stdlib.h>

enum { EXECUTIONS_MAX = 4096, OBSERVED_MAX = 8, AXIOMS_MAX = 24 };

// A program with all its candidate executions.
struct candidates {
    struct arena *arena;
    struct program *program;
    size_t count;
    struct model_facts *facts[EXECUTIONS_MAX];
    struct state_value values[EXECUTIONS_MAX][OBSERVED_MAX];
};

// --- All executions ----------------------------------------------------------------------------

// The literals that tell executions apart.
static size_t collect_choices(struct encoder *encoder, literal *choices) {
    size_t count = 0;
    for (unsigned a = 0; a < encoder->n; a++) {
        const struct event_state *state = &encoder->events[a];
        for (size_t i = 0; state->reads != NULL && i < state->touch_count; i++)
            for (size_t k = 0; k < state->reads[i].count; k++)
                choices[count++] = state->reads[i].items[k].taken;
        for (unsigned b = 0; b < encoder->n; b++) {
            choices[count++] = encode_co(encoder, a, b);
            if (relation_has(&encoder->facts->may[BASE_REL_SC_ORDER], a, b))
                choices[count++] = orders_sc(encoder, a, b);
        }
    }
    for (size_t cell = 0; cell < encoder->program->memory.cell_count; cell++)
        for (size_t k = 0; k < encoder->finals[cell].origins.count; k++)
            choices[count++] = encoder->finals[cell].origins.items[k].taken;
    return count;
}

static void keep_execution(struct candidates *candidates, struct encoder *encoder) {
    const struct program *program = candidates->program;
    struct execution *execution = execution_decode(candidates->arena, encoder, program);
    execution_check(execution, encoder->model, NULL, false);
    assert_true(candidates->count < EXECUTIONS_MAX);
    struct state_value *values = candidates->values[candidates->count];
    for (size_t i = 0; i < program->observed_count; i++)
        values[i].value = execution_value(execution, program->observed[i].value);
    candidates->facts[candidates->count++] = execution_facts(candidates->arena, execution);
}

static void enumerate_executions(struct candidates *candidates, struct encoder *encoder,
                                 struct backend *backend) {
    literal *choices = ARENA_ARRAY(candidates->arena, literal, 4096);
    literal *clause = ARENA_ARRAY(candidates->arena, literal, 4096);
    const struct program *program = candidates->program;
    for (size_t i = 0; i < program->observed_count; i++)
        encode_expr(encoder, program->observed[i].value);
    for (size_t i = 0; i < program->event_count; i++)
        if (program->events[i].kind == EVENT_READ)
            encode_expr(encoder, program->events[i].access->value);
    size_t count = collect_choices(encoder, choices);
    for (;;) {
        encode_finish(encoder);
        enum answer answer = backend_check(backend, NULL, 0);
        assert_int_not_equal(answer, ANSWER_UNKNOWN);
        if (answer == ANSWER_UNSAT)
            return;
        keep_execution(candidates, encoder);
        for (size_t i = 0; i < count; i++)
            clause[i] = backend_literal_value(backend, choices[i]) ? -choices[i] : choices[i];
        backend_clause(backend, clause, count);
    }
}

static struct candidates *candidates_new(const char *text) {
    struct candidates *candidates = calloc(1, sizeof *candidates);
    struct backend *backend = backend_new();
    struct diagnostics diagnostics;
    assert_non_null(candidates);
    candidates->arena = arena_new();
    candidates->program = program_of(candidates->arena, text);
    assert_true(candidates->program->observed_count <= OBSERVED_MAX);
    diagnostics_init(&diagnostics, candidates->arena);
    watchdog_start(backend_watchdog(backend), 0);
    backend_begin(backend, 0, false);
    struct facts *facts = facts_new(candidates->arena, candidates->program);
    struct model *model = model_of(candidates->arena, "\"all\"\nempty 0\n");
    struct bounds *bounds = bounds_new(candidates->arena, facts, model, NULL, &diagnostics);
    struct encoder *encoder =
        encoder_new(candidates->arena, backend, candidates->program, bounds, 0, &diagnostics);
    enumerate_executions(candidates, encoder, backend);
    encoder_free(encoder);
    backend_free(backend);
    return candidates;
}

static void candidates_free(struct candidates *candidates) {
    arena_free(candidates->arena);
    free(candidates);
}

// --- What a model makes of them ----------------------------------------------------------------

struct expected {
    bool allowed[EXECUTIONS_MAX];
    bool flags[AXIOMS_MAX]; // by axiom
};

static void assert_bounded(const struct candidates *candidates, const struct model *model,
                           const struct bounds *bounds, size_t execution,
                           const struct node_value *values) {
    const struct event_set *executed = &candidates->facts[execution]->executed;
    for (size_t i = 0; i < model->node_count; i++) {
        const struct bound *bound = &bounds->nodes[i];
        for (unsigned a = 0; bound->needed && a < executed->n; a++) {
            if (!event_set_has(executed, a))
                continue;
            if (model->nodes[i].is_set) {
                bool in = event_set_has(&values[i].set, a);
                assert_true(!in || event_set_has(&bound->may_set, a));
                assert_true(in || !event_set_has(&bound->must_set, a));
            }
            for (unsigned b = 0; !model->nodes[i].is_set && b < executed->n; b++) {
                bool in = relation_has(&values[i].relation, a, b);
                if (!event_set_has(executed, b))
                    continue;
                assert_true(!in || relation_has(&bound->may, a, b));
                assert_true(in || !relation_has(&bound->must, a, b));
            }
        }
    }
}

static void evaluate(struct arena *arena, const struct candidates *candidates,
                     const struct model *model, const struct bounds *bounds,
                     struct expected *expected) {
    for (size_t i = 0; i < candidates->count; i++) {
        struct node_value *values = model_evaluate(arena, model, candidates->facts[i]);
        assert_bounded(candidates, model, bounds, i, values);
        expected->allowed[i] = true;
        for (size_t k = 0; k < model->axiom_count; k++)
            if (model->axioms[k].use == AXIOM_REQUIRED)
                expected->allowed[i] =
                    expected->allowed[i] && model_axiom_holds(&model->axioms[k], values);
        for (size_t k = 0; k < model->axiom_count && expected->allowed[i]; k++)
            if (model->axioms[k].use == AXIOM_FLAG && model_axiom_holds(&model->axioms[k], values))
                expected->flags[k] = true;
    }
}

static bool same_values(const struct state_value *a, const struct state_value *b, size_t width) {
    for (size_t i = 0; i < width; i++)
        if (a[i].value.low != b[i].value.low || a[i].value.high != b[i].value.high)
            return false;
    return true;
}

static void assert_states(const struct candidates *candidates, const struct expected *expected,
                          const struct outcomes *outcomes) {
    size_t width = candidates->program->observed_count;
    bool *reached = calloc(outcomes->state_count + 1, sizeof *reached);
    assert_non_null(reached);
    for (size_t i = 0; i < candidates->count; i++) {
        size_t k = 0;
        while (k < outcomes->state_count &&
               !same_values(candidates->values[i], outcomes->states[k].values, width))
            k++;
        if (expected->allowed[i] && k == outcomes->state_count)
            fail_msg("the solver misses a state");
        reached[k] = reached[k] || expected->allowed[i];
    }
    for (size_t k = 0; k < outcomes->state_count; k++)
        if (!reached[k])
            fail_msg("the solver has a state too many");
    free(reached);
}

static void assert_flags(const struct model *model, const struct expected *expected,
                         const struct outcomes *outcomes) {
    for (size_t k = 0; k < model->axiom_count; k++) {
        bool found = false;
        for (size_t i = 0; i < outcomes->flag_count; i++)
            found = found || (outcomes->flags[i].kind == FLAG_MODEL &&
                              outcomes->flags[i].holds == TRUTH_YES &&
                              strcmp(outcomes->flags[i].name, model->axioms[k].name) == 0);
        if (model->axioms[k].use == AXIOM_FLAG && found != expected->flags[k])
            fail_msg("flag %s: the solver says %d", model->axioms[k].name, found);
    }
}

// Compares one random model on a program.
static void compare(struct candidates *candidates, struct solver *solver, const char *text) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    struct solver_options options = {.check_executions = true, .chain_min = 2};
    diagnostics_init(&diagnostics, arena);
    struct model *model = model_of(arena, text);
    struct facts *facts = facts_new(arena, candidates->program);
    struct bounds *bounds = bounds_new(arena, facts, model, NULL, &diagnostics);
    struct expected *expected = ARENA_NEW(arena, struct expected);
    assert_non_null(bounds);
    assert_true(model->axiom_count <= AXIOMS_MAX);
    evaluate(arena, candidates, model, bounds, expected);
    struct outcomes *outcomes =
        solver_run(solver, arena, candidates->program, model, &options, &diagnostics);
    assert_non_null(outcomes);
    assert_true(outcomes->complete);
    assert_states(candidates, expected, outcomes);
    assert_flags(model, expected, outcomes);
    arena_free(arena);
}

// Compares random models, each with some axioms more, on a program that has this many candidate
// executions.
static void compare_models(const char *program, size_t executions, uint64_t seed, unsigned count,
                           const char *axioms) {
    struct candidates *candidates = candidates_new(program);
    assert_int_equal(candidates->count, executions);
    struct solver *solver = solver_new();
    for (unsigned i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        const char *text = arena_format(arena, "%s\n%s", random_cat(arena, &seed), axioms);
        if (getenv("PTXLITMUS_TEST_VERBOSE") != NULL)
            print_message("%s\n", text);
        compare(candidates, solver, text);
        arena_free(arena);
    }
    solver_free(solver);
    candidates_free(candidates);
}

static void compare_random(const char *program, size_t executions, uint64_t seed, unsigned count) {
    compare_models(program, executions, seed, count, "");
}

// --- Programs ----------------------------------------------------------------------------------

static unsigned count_of_models(void) {
    const char *count = getenv("PTXLITMUS_TEST_MODELS");
    return count == NULL ? 60 : (unsigned)strtoul(count, NULL, 10);
}

static uint64_t seed_of_models(void) {
    const char *seed = getenv("PTXLITMUS_TEST_SEED");
    return seed == NULL ? 1 : strtoull(seed, NULL, 10);
}

// The numbers of executions are counted by hand: sources of the reads, orders of the writes with a
// choice among the maximal ones for each location that is shown, orders of the fences.
static void straight_lines(void **state) {
    (void)state;
    compare_random("PTX straight\n.global .u32 x;\n.global .u32 y;\n"
                   "P0@cta 0,gpu 0 {\nst.relaxed.gpu.global.u32 [x], 1;\nfence.sc.gpu;\n"
                   "ld.relaxed.gpu.global.u32 %r0, [y];\n}\n"
                   "P1@cta 1,gpu 0 {\nst.weak.global.u32 [y], 1;\nfence.sc.sys;\n"
                   "ld.weak.global.u32 %r0, [x];\n}\n"
                   "locations [x;]\nexists (P0:%r0 == 0 /\\ P1:%r0 == 0)\n",
                   8, seed_of_models(), count_of_models());
}

static void conditional_events(void **state) {
    (void)state;
    compare_random("PTX conditional\n.global .u32 x;\n.global .u32 y;\n"
                   "P0@cta 0,gpu 0 {\n.reg .pred %p;\nld.relaxed.gpu.global.u32 %r0, [x];\n"
                   "setp.eq.u32 %p, %r0, 0;\n@%p st.release.gpu.global.u32 [y], 1;\n"
                   "@!%p fence.sc.gpu;\nst.relaxed.gpu.global.u32 [y], 2;\n}\n"
                   "P1@cta 1,gpu 0 {\n.reg .pred %q;\nld.acquire.gpu.global.u32 %r0, [y];\n"
                   "setp.ne.u32 %q, %r0, 0;\n@%q fence.sc.gpu;\n@%q st.weak.global.u32 [x], 1;\n}\n"
                   "locations [x; y;]\nexists (P0:%r0 == 1 /\\ P1:%r0 == 1)\n",
                   14, seed_of_models() + 1, count_of_models());
}

static void atomics(void **state) {
    (void)state;
    compare_random("PTX atomics\n.global .u32 x;\n"
                   "P0@cta 0,gpu 0 {\natom.relaxed.gpu.global.cas.b32 %r0, [x], 0, 1;\n}\n"
                   "P1@cta 1,gpu 0 {\nred.relaxed.gpu.global.add.u32 [x], 2;\n"
                   "ld.weak.global.u32 %r0, [x];\n}\n"
                   "locations [x;]\nexists (P0:%r0 == 0 /\\ P1:%r0 == 3)\n",
                   26, seed_of_models() + 2, count_of_models());
}

// The address, and so loc, depends on a value: resolved only under no thin air.
static void computed_addresses(void **state) {
    (void)state;
    compare_models("PTX addresses\n.global .u32 x;\n.global .u32 y;\n"
                   "P0@cta 0,gpu 0 {\n.reg .pred %p;\n.reg .u64 %rd<3>;\n"
                   "ld.relaxed.gpu.global.u32 %r0, [x];\nsetp.eq.u32 %p, %r0, 0;\n"
                   "mov.u64 %rd0, x;\nmov.u64 %rd1, y;\nselp.b64 %rd2, %rd0, %rd1, %p;\n"
                   "st.relaxed.gpu.global.u32 [%rd2], 2;\n}\n"
                   "P1@cta 1,gpu 0 {\nst.relaxed.gpu.global.u32 [x], 1;\n"
                   "ld.weak.global.u32 %r0, [y];\n}\n"
                   "locations [x; y;]\nexists (P0:%r0 == 1 /\\ P1:%r0 == 2)\n",
                   6, seed_of_models() + 3, count_of_models(),
                   "acyclic rf | addr | data | ctrl as thin-air\n");
}

// Accesses that overlap in part.
static void mixed_sizes(void **state) {
    (void)state;
    compare_random("PTX mixed\n.global .b64 x;\n"
                   "P0@cta 0,gpu 0 {\nst.relaxed.gpu.global.b64 [x], 0x100000001;\n"
                   "st.relaxed.gpu.global.b32 [x+4], 3;\n}\n"
                   "P1@cta 1,gpu 0 {\nst.weak.global.b32 [x], 2;\nld.weak.global.b64 %r0, [x];\n}\n"
                   "locations [x;]\nexists (P1:%r0 == 2)\n",
                   144, seed_of_models() + 4, count_of_models());
}

// Thirty ways to order three writes in part and to choose a maximal one, six orders of the fences.
static void orders(void **state) {
    (void)state;
    compare_random("PTX orders\n.global .u32 x;\n"
                   "P0@cta 0,gpu 0 {\nst.weak.global.u32 [x], 1;\nfence.sc.gpu;\n}\n"
                   "P1@cta 1,gpu 0 {\nst.weak.global.u32 [x], 2;\nfence.sc.sys;\n}\n"
                   "P2@cta 2,gpu 0 {\nst.weak.global.u32 [x], 3;\nfence.sc.gpu;\n}\n"
                   "exists (x == 1)\n",
                   180, seed_of_models() + 5, count_of_models());
}

// r+ has no pairs of r* that are paths of no step, where both must hold.
static void both_closures(void **state) {
    (void)state;
    struct candidates *candidates =
        candidates_new("PTX mixed\n.global .b64 x;\n"
                       "P0@cta 0,gpu 0 {\nst.relaxed.gpu.global.b64 [x], 0x100000001;\n"
                       "st.relaxed.gpu.global.b32 [x+4], 3;\n}\n"
                       "P1@cta 1,gpu 0 {\nst.weak.global.b32 [x], 2;\n}\n"
                       "locations [x;]\nexists (x == 2)\n");
    struct solver *solver = solver_new();
    compare(candidates, solver,
            "\"closures\"\nflag ~acyclic co+ ; co* as f1\n"
            "flag ~empty id & (rf | co)+ & (rf | co)* as f2\n");
    solver_free(solver);
    candidates_free(candidates);
}

// What is proved of two sections without a search must hold for each model, not only for those that
// make sense of atomic operations.
static void sections(void **state) {
    (void)state;
#define ATOMICITY "empty rmw & (fr ; co)\n"
#define TOTAL "empty ((W * W) & loc & ext) \\ (co | co^-1)\n"
    static const char *const axioms[] = {
        "",
        ATOMICITY,
        (ATOMICITY "acyclic rf | rmw | co\n"),
        (TOTAL "irreflexive rf ; rmw\n"),
        (ATOMICITY TOTAL),
        (ATOMICITY TOTAL "acyclic po | rf | co\n"),
    };
#undef ATOMICITY
#undef TOTAL
    for (size_t i = 0; i < sizeof axioms / sizeof *axioms; i++)
        compare_models("PTX sections\n.global .u32 x;\n"
                       "P0@cta 0,gpu 0 {\natom.relaxed.gpu.global.add.u32 %r0, [x], 1;\n}\n"
                       "P1@cta 1,gpu 0 {\natom.relaxed.gpu.global.add.u32 %r0, [x], 1;\n}\n"
                       "locations [x;]\nexists (P0:%r0 == 0 /\\ P1:%r0 == 0)\n",
                       12, seed_of_models() + 6 + i, count_of_models() / 4, axioms[i]);
}

// No number is one more than itself, although nothing asks for what the addition has read. (Where
// executions are checked, the check asks.)
static void value_of_its_own(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    struct diagnostics diagnostics;
    const struct solver_options options = {.check_executions = false};
    diagnostics_init(&diagnostics, arena);
    struct program *program =
        program_of(arena, "PTX own\n.global .u32 x;\n.global .u32 y;\n"
                          "P0@cta 0,gpu 0 {\natom.relaxed.gpu.global.add.u32 %r0, [x], 1;\n"
                          "ld.relaxed.gpu.global.u32 %r1, [y];\n}\nexists (P0:%r1 == 1)\n");
    struct model *model = model_of(arena, "\"own\"\nflag ~empty rf & rmw^-1 as own\n");
    struct outcomes *outcomes = solver_run(solver, arena, program, model, &options, &diagnostics);
    assert_non_null(outcomes);
    assert_int_equal(outcomes->state_count, 1);
    assert_int_equal(model_flag(outcomes, "own"), TRUTH_NO);
    solver_free(solver);
    arena_free(arena);
}

// A cycle may begin with a step of another relation than the order, and go on with one of the
// order.
static void cycle_over_order(void **state) {
    (void)state;
    struct candidates *candidates =
        candidates_new("PTX cycle\n.global .u32 x;\n.global .u32 y;\n"
                       "P0@cta 0,gpu 0 {\nst.weak.global.u32 [x], 1;\nfence.sc.gpu;\n"
                       "ld.weak.global.u32 %r0, [y];\n}\n"
                       "P1@cta 1,gpu 0 {\nst.weak.global.u32 [y], 1;\nfence.sc.gpu;\n"
                       "ld.weak.global.u32 %r0, [x];\n}\n"
                       "exists (P0:%r0 == 0 /\\ P1:%r0 == 0)\n");
    struct solver *solver = solver_new();
    compare(candidates, solver, "\"cycle\"\nirreflexive ((R * F) & ext) ; (sc | po)+\n");
    compare(candidates, solver, "\"cycle\"\nirreflexive (sc & ext) ; ((sc & ext) | po | fr)+\n");
    solver_free(solver);
    candidates_free(candidates);
}

// Where the order of fences must not contradict a closure that it is part of, the closure is the
// order between them: for whatever else it is made of, in whatever an axiom or a flag makes of it.
// Some of the orders are not total, and some of the axioms not required.
static void closures_between_fences(void **state) {
    (void)state;
#define OVER_FENCES(order)                                                                         \
    "let o = " order "\nlet bc = (o | po | ((F * F) & (po ; (rf & ext) ; po)))+\n"
#define CLOSURE(order, rest) "let o = " order "\nlet bc = (po | o | " rest ")+\n"
#define USES                                                                                       \
    "irreflexive (rf | fr) ; bc as reads\nempty ((W * W) & loc & bc) \\ co as writes\n"            \
    "flag ~empty ((W * M) & loc & ext) \\ (bc | bc^-1) as race\n"                                  \
    "flag ~empty r1 & bc as some\nflag ~irreflexive (fr? ; bc) ; r2 as cycle\n"                    \
    "flag ~empty ([R] ; bc ; [W]) & loc as passes\n"
    static const char *const axioms[] = {
        (CLOSURE("sc", "r0") "irreflexive o ; bc as fences\n" USES),
        (CLOSURE("(sc & ext)", "(rf & ext)") "irreflexive o ; bc as fences\n" USES),
        (CLOSURE("(sc & ext)",
                 "(r0 & ext) | rf") "irreflexive o ; (r3 | bc | (bc ; r2)) as fences\n" USES),
        (CLOSURE("(sc & ext)", "r0") "flag ~irreflexive o ; bc as fences\n" USES),
        (CLOSURE("(sc & ((SYS * _) | (_ * SYS)))",
                 "(r0 & ext) | rf") "irreflexive o ; bc as fences\n" USES),
        (CLOSURE("(sc & ext)", "(rf & ext)") "irreflexive o ; bc as fences\n"
                                             "empty [F & SYS] ; (bc & ext) ; [R] as after\n" USES),
        (CLOSURE("(sc & ext)", "(rf & ext)") "irreflexive o ; bc as fences\n"
                                             "empty [W] ; (bc & ext) ; [F & SYS] as before\n" USES),
        (OVER_FENCES("(sc & ext)") "irreflexive o ; bc as fences\n" USES),
        (OVER_FENCES("(sc & ext)") "flag ~irreflexive o ; bc as fences\n" USES),
        (OVER_FENCES("(sc & ((SYS * _) | (_ * SYS)))") "irreflexive o ; bc as fences\n" USES),
    };
#undef OVER_FENCES
#undef CLOSURE
#undef USES
    for (size_t i = 0; i < sizeof axioms / sizeof *axioms; i++) {
        compare_models("PTX ring\n.global .u32 x;\n.global .u32 y;\n.global .u32 z;\n"
                       "P0@cta 0,gpu 0 {\nld.weak.global.u32 %r0, [x];\nfence.sc.gpu;\n"
                       "st.weak.global.u32 [y], 1;\n}\n"
                       "P1@cta 1,gpu 0 {\nld.weak.global.u32 %r0, [y];\nfence.sc.sys;\n"
                       "st.weak.global.u32 [z], 1;\n}\n"
                       "P2@cta 2,gpu 0 {\nld.weak.global.u32 %r0, [z];\nfence.sc.gpu;\n"
                       "st.weak.global.u32 [x], 1;\n}\n"
                       "exists (P0:%r0 == 1 /\\ P1:%r0 == 1 /\\ P2:%r0 == 1)\n",
                       48, seed_of_models() + 7 + i, count_of_models() / 4, axioms[i]);
        compare_models("PTX pair\n.global .u32 x;\n.global .u32 y;\n"
                       "P0@cta 0,gpu 0 {\nst.weak.global.u32 [x], 1;\nfence.sc.gpu;\n"
                       "st.weak.global.u32 [y], 1;\n}\n"
                       "P1@cta 1,gpu 0 {\nld.weak.global.u32 %r0, [y];\nfence.sc.gpu;\n"
                       "ld.weak.global.u32 %r1, [x];\n}\n"
                       "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n",
                       8, seed_of_models() + 17 + i, count_of_models() / 4, axioms[i]);
        compare_models(
            "PTX twice\n.global .u32 x;\n.global .u32 y;\n"
            "P0@cta 0,gpu 0 {\n.reg .pred %p;\nst.weak.global.u32 [x], 1;\nfence.sc.gpu;\n"
            "ld.weak.global.u32 %r0, [y];\nsetp.eq.u32 %p, %r0, 0;\n"
            "@%p fence.sc.gpu;\nst.weak.global.u32 [x], 2;\n}\n"
            "P1@cta 1,gpu 0 {\nst.weak.global.u32 [y], 1;\nfence.sc.gpu;\n"
            "ld.weak.global.u32 %r0, [x];\n}\n"
            "locations [x;]\nexists (P0:%r0 == 0 /\\ P1:%r0 == 0)\n",
            96, seed_of_models() + 12 + i, count_of_models() / 4, axioms[i]);
    }
}

// The closure is not the order between fences that the order does not relate, nor where no axiom,
// or only a flag, keeps it from the other direction. Only such a pair of fences, whose order is
// free or contradicts what was read, then leads from the store to the load. (Axioms that ask for rf
// ; bc, too, leave the order no choice.)
static void closures_that_are_no_order(void **state) {
    (void)state;
#define BC "let bc = (o | po | ((F * F) & (po ; (rf & ext) ; po)))+\nirreflexive fr ; bc as reads\n"
    struct solver *solver = solver_new();
    struct candidates *two =
        candidates_new("PTX two\n.global .u32 x;\n.global .u32 y;\n"
                       "P0@cta 0,gpu 0 {\nst.weak.global.u32 [x], 1;\nfence.sc.sys;\n"
                       "st.weak.global.u32 [y], 1;\n}\n"
                       "P1@cta 1,gpu 0 {\nld.weak.global.u32 %r0, [y];\nfence.sc.gpu;\n"
                       "ld.weak.global.u32 %r1, [x];\n}\n"
                       "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n");
    assert_int_equal(two->count, 8);
    compare(two, solver, "\"none\"\nlet o = sc & ext\n" BC);
    compare(two, solver,
            "\"flagged\"\nlet o = sc & ext\n" BC "flag ~irreflexive o ; bc as fences\n");
    compare(two, solver, "\"other\"\nlet o = sc & ext\n" BC "irreflexive o ; po as fences\n");
    compare(two, solver, "\"required\"\nlet o = sc & ext\n" BC "irreflexive o ; bc as fences\n");
    candidates_free(two);
    struct candidates *four =
        candidates_new("PTX four\n.global .u32 x;\n.global .u32 y;\n"
                       "P0@cta 0,gpu 0 {\nst.weak.global.u32 [x], 1;\nfence.sc.sys;\n"
                       "st.weak.global.u32 [y], 1;\n}\n"
                       "P1@cta 1,gpu 0 {\nld.weak.global.u32 %r0, [y];\nfence.sc.gpu;\n"
                       "ld.weak.global.u32 %r1, [x];\n}\n"
                       "P2@cta 2,gpu 0 {\nfence.sc.sys;\n}\nP3@cta 3,gpu 0 {\nfence.sc.gpu;\n}\n"
                       "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n");
    assert_int_equal(four->count, 96);
    compare(four, solver,
            "\"two orders\"\nlet o = sc & (ext & ((SYS * SYS) | ((F \\ SYS) * (F \\ SYS))))\n" BC
            "irreflexive o ; bc as fences\n");
    candidates_free(four);
    solver_free(solver);
#undef BC
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_closures),
        cmocka_unit_test(value_of_its_own),
        cmocka_unit_test(sections),
        cmocka_unit_test(cycle_over_order),
        cmocka_unit_test(closures_between_fences),
        cmocka_unit_test(closures_that_are_no_order),
        cmocka_unit_test(straight_lines),
        cmocka_unit_test(conditional_events),
        cmocka_unit_test(atomics),
        cmocka_unit_test(computed_addresses),
        cmocka_unit_test(mixed_sizes),
        cmocka_unit_test(orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
