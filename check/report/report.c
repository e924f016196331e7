// Judges results: quantifiers, expectations, exit statuses.
#include "check/report/report.h"

#include "check/report/flags.h"
#include "check/report/races.h"
#include "check/text/condition.h"
#include "litmus/source/arena.h"
#include "litmus/source/hash.h"

#include <string.h>

static enum truth truth_of(bool value) {
    return value ? TRUTH_YES : TRUTH_NO;
}

static enum truth negation(enum truth truth) {
    return truth == TRUTH_UNKNOWN ? TRUTH_UNKNOWN : truth_of(truth == TRUTH_NO);
}

static enum truth both(enum truth a, enum truth b) {
    if (a == TRUTH_NO || b == TRUTH_NO)
        return TRUTH_NO;
    return a == TRUTH_YES && b == TRUTH_YES ? TRUTH_YES : TRUTH_UNKNOWN;
}

static enum truth either(enum truth a, enum truth b) {
    return negation(both(negation(a), negation(b)));
}

// --- The condition -----------------------------------------------------------------------------

// Some outcome satisfies the condition. One that was listed is enough, whatever else is unknown.
static enum truth is_satisfiable(const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    if (report_witnesses(report).satisfying > 0)
        return TRUTH_YES;
    return outcomes->verdict == VERDICT_UNKNOWN ? TRUTH_UNKNOWN
                                                : truth_of(outcomes->verdict != VERDICT_FORBIDDEN);
}

// Every outcome satisfies the condition; one that violates it is enough to say no.
static enum truth is_always(const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    if (report_witnesses(report).violating > 0)
        return TRUTH_NO;
    return outcomes->verdict == VERDICT_UNKNOWN ? TRUTH_UNKNOWN
                                                : truth_of(outcomes->verdict == VERDICT_ALWAYS);
}

enum truth report_holds(const struct report *report) {
    switch (report->program->test->quantifier) {
    case QUANTIFIER_EXISTS: return is_satisfiable(report);
    case QUANTIFIER_NOT_EXISTS: return negation(is_satisfiable(report));
    case QUANTIFIER_FORALL: return is_always(report);
    }
    return TRUTH_UNKNOWN;
}

// --- Expectations ------------------------------------------------------------------------------

static bool flags_races(const struct outcomes *outcomes) {
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (outcomes->flags[i].race)
            return true;
    return false;
}

enum truth report_meets_one(const struct report *report, enum expectation what) {
    const struct outcomes *outcomes = report->outcomes;
    switch (what) {
    case EXPECT_ALLOWED: return is_satisfiable(report);
    case EXPECT_FORBIDDEN: return negation(is_satisfiable(report));
    case EXPECT_ALWAYS: return is_always(report);
    default: return outcomes_meet(outcomes, what);
    }
}

static bool expects_verdict(const struct test *test) {
    return test_expects(test, EXPECT_ALLOWED) || test_expects(test, EXPECT_FORBIDDEN) ||
           test_expects(test, EXPECT_ALWAYS);
}

// Whether there is no outcome, and the test expects just that.
static bool is_empty_as_expected(const struct report *report) {
    const struct test *test = report->program->test;
    return report->outcomes->reachable == TRUTH_NO &&
           (test_expects(test, EXPECT_UNREACHABLE) ||
            (test_expects(test, EXPECT_HANG) &&
             outcomes_meet(report->outcomes, EXPECT_HANG) == TRUTH_YES) ||
            (test_expects(test, EXPECT_TRAP) &&
             outcomes_flag(report->outcomes, FLAG_TRAP) == TRUTH_YES) ||
            test_expects(test, EXPECT_MAY_HANG));
}

// Whether a verdict is wanted and not known. A test without a condition wants an outcome, and no
// verdict on it: what is undefined may race all the same.
static bool lacks_verdict(const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    bool wanted = !report->program->test->is_unconditional || outcomes->reachable != TRUTH_YES;
    return wanted && outcomes->verdict == VERDICT_UNKNOWN && !is_empty_as_expected(report);
}

// What the quantifier expects, where no `expect` replaces it.
static enum truth meets_quantifier(const struct report *report) {
    const struct test *test = report->program->test;
    if (expects_verdict(test) || is_empty_as_expected(report) ||
        test->quantifier == QUANTIFIER_EXISTS)
        return TRUTH_YES;
    return report_holds(report);
}

enum truth report_meets(const struct report *report) {
    const struct test *test = report->program->test;
    enum truth meets = meets_quantifier(report);
    for (size_t i = 0; i < test->expected_count; i++)
        meets = both(meets, report_meets_one(report, test->expected[i].what));
    return meets == TRUTH_YES && lacks_verdict(report) ? TRUTH_UNKNOWN : meets;
}

bool report_is_decided(const struct report *report) {
    const struct termination *termination = &report->outcomes->termination;
    return !lacks_verdict(report) && !outcomes_has_open_flag(report->outcomes) &&
           (!termination->is_asked || termination->always != TRUTH_UNKNOWN);
}

bool report_is_empty(const struct report *report) {
    return report->outcomes->reachable == TRUTH_NO && !is_empty_as_expected(report);
}

bool report_flag_is_fault(const struct flag *flag) {
    return flag->race || flag->undefined || flag->kind == FLAG_HANG || flag->kind == FLAG_ENDLESS ||
           flag->kind == FLAG_TRAP;
}

// What holds only in executions that rely on threads that a launch leaves out is not known.
static enum truth known(const struct flag *flag) {
    return flag->possible ? TRUTH_UNKNOWN : flag->holds;
}

const char *report_derived_launch(const struct report *report) {
    const struct test *test = report->program->test;
    bool is_launched = test->thread_count > 0 && test->threads[0].launch != NULL;
    return is_launched ? test->description : "";
}

enum truth report_is_clean(const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    enum truth found = flags_races(outcomes) ? TRUTH_NO : TRUTH_UNKNOWN;
    for (size_t i = 0; i < outcomes->flag_count; i++) {
        const struct flag *flag = &outcomes->flags[i];
        if (report_flag_is_fault(flag))
            found = either(found, known(flag));
        else if (flag->kind == FLAG_BOUND && flag->holds != TRUTH_NO)
            found = either(found, TRUTH_UNKNOWN);
    }
    if (outcomes->termination.is_asked)
        found = either(found, outcomes_meet(outcomes, EXPECT_MAY_HANG));
    return negation(found);
}

bool report_is_possible(const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    bool some = outcomes->termination.possible;
    for (size_t i = 0; i < outcomes->flag_count; i++)
        some = some || (report_flag_is_fault(&outcomes->flags[i]) && outcomes->flags[i].possible);
    return some && report_is_clean(report) == TRUTH_UNKNOWN;
}

static struct outcomes *possible_outcomes(struct arena *arena, const struct outcomes *outcomes) {
    struct outcomes *possible = arena_copy(arena, outcomes, 1, sizeof *outcomes);
    possible->flags = ARENA_ARRAY(arena, struct flag, outcomes->flag_count + 1);
    possible->races = ARENA_ARRAY(arena, struct race, outcomes->race_count + 1);
    for (size_t i = 0; i < outcomes->flag_count; i++) {
        struct flag flag = outcomes->flags[i];
        flag.possible |= report_flag_is_fault(&flag) && flag.holds == TRUTH_YES;
        possible->flags[i] = flag;
    }
    for (size_t i = 0; i < outcomes->race_count; i++) {
        possible->races[i] = outcomes->races[i];
        possible->races[i].possible = true;
    }
    possible->termination.possible |= outcomes->termination.always == TRUTH_NO;
    return possible;
}

void report_rely(struct arena *arena, struct report *report, const char *assumption) {
    if (report_is_clean(report) != TRUTH_NO)
        return;
    struct program *program = arena_copy(arena, report->program, 1, sizeof *program);
    size_t count = program->assumption_count;
    const char **assumptions = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        assumptions[i] = program->assumptions[i];
    assumptions[count] = assumption;
    program->assumptions = assumptions;
    program->assumption_count = count + 1;
    report->program = program;
    report->outcomes = possible_outcomes(arena, report->outcomes);
}

enum exit_status report_status(const struct report *report) {
    if (report->options->asks_clean) {
        enum truth clean = report_is_clean(report);
        return clean == TRUTH_YES ? EXIT_DECIDED : clean == TRUTH_NO ? EXIT_FAILED : EXIT_UNDECIDED;
    }
    enum truth meets = report_meets(report);
    if (meets == TRUTH_NO)
        return EXIT_FAILED;
    return meets == TRUTH_YES && report_is_decided(report) ? EXIT_DECIDED : EXIT_UNDECIDED;
}

// --- States ------------------------------------------------------------------------------------

struct witnesses report_witnesses(const struct report *report) {
    struct witnesses witnesses = {0, 0};
    for (size_t i = 0; i < report->outcomes->state_count; i++) {
        witnesses.satisfying += report->outcomes->states[i].satisfies;
        witnesses.violating += report->outcomes->states[i].violates;
    }
    return witnesses;
}

bool report_is_cut(const struct report *report) {
    return report->outcomes->listed && !report->outcomes->complete;
}

// Whether the condition compares the term with an address.
static bool meets_address(const struct condition *condition, const struct term *term) {
    while (condition && condition->kind != CONDITION_COMPARE) {
        if (meets_address(condition->right, term))
            return true;
        condition = condition->left; // chains lean to the left
    }
    return condition &&
           ((condition->rhs.kind == TERM_ADDRESS && term_same(&condition->lhs, term)) ||
            (condition->lhs.kind == TERM_ADDRESS && term_same(&condition->rhs, term)));
}

const char *report_address(const struct report *report, size_t column,
                           const struct state_value *value) {
    const struct program *program = report->program;
    const struct term *term = program->observed[column].term;
    if (!term || value->undef || value->value.high != 0)
        return NULL;
    for (size_t i = 0; i < program->memory.virtual_range_count; i++) {
        const struct virtual_range *range = &program->memory.virtual_ranges[i];
        uint64_t window = program_window(program->memory.objects[range->object].space);
        if (range->address == value->value.low || range->address - window == value->value.low) {
            return meets_address(program->test->condition, term)
                       ? program->test->variables[program->memory.virtual_ranges[i].variable].name
                       : NULL;
        }
    }
    return NULL;
}

const char *report_system(const struct report *report) {
    return report->target ? report->target->ptx.name : report->model;
}

const char *verdict_text(enum verdict verdict) {
    static const char *const texts[] = {[VERDICT_UNKNOWN] = "unknown",
                                        [VERDICT_FORBIDDEN] = "forbidden",
                                        [VERDICT_ALLOWED] = "allowed",
                                        [VERDICT_ALWAYS] = "always"};
    return texts[verdict];
}

const char *observation_text(enum verdict verdict) {
    static const char *const texts[] = {[VERDICT_UNKNOWN] = "Unknown",
                                        [VERDICT_FORBIDDEN] = "Never",
                                        [VERDICT_ALLOWED] = "Sometimes",
                                        [VERDICT_ALWAYS] = "Always"};
    return texts[verdict];
}

const char *report_counts(struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    size_t satisfying = report_witnesses(report).satisfying, all = outcomes->state_count;
    if (!outcomes->listed || !outcomes->complete) {
        return outcomes->verdict == VERDICT_FORBIDDEN ? "no outcome satisfies"
               : outcomes->verdict == VERDICT_ALWAYS  ? "every outcome satisfies"
                                                      : "some outcome satisfies";
    }
    if (satisfying == 0) {
        return all == 1 ? "the only outcome does not satisfy"
                        : arena_format(arena, "none of %zu outcomes satisfies", all);
    }
    if (satisfying == all && outcomes->verdict == VERDICT_ALWAYS) {
        return all == 1 ? "the only outcome satisfies"
                        : arena_format(arena, "all %zu outcomes satisfy", all);
    }
    return arena_format(arena, "%zu of %zu %s %s", satisfying, all,
                        all == 1 ? "outcome" : "outcomes",
                        satisfying == 1 ? "satisfies" : "satisfy");
}

// As report_counts, of the outcomes that violate the condition; there is one.
static const char *violations(struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    size_t violating = report_witnesses(report).violating, all = outcomes->state_count;
    if (!outcomes->listed || !outcomes->complete) {
        return outcomes->verdict == VERDICT_FORBIDDEN ? "every outcome violates"
                                                      : "some outcome violates";
    }
    if (violating == all) {
        return all == 1 ? "the only outcome violates"
                        : arena_format(arena, "all %zu outcomes violate", all);
    }
    return arena_format(arena, "%zu of %zu outcomes %s", violating, all,
                        violating == 1 ? "violates" : "violate");
}

// --- Failures ----------------------------------------------------------------------------------

// The verdict on the condition, which differs from what was expected.
static const char *condition_failure(struct arena *arena, const struct report *report,
                                     const char *expected, bool always, bool by_quantifier) {
    const struct outcomes *outcomes = report->outcomes;
    bool known = outcomes->verdict != VERDICT_UNKNOWN;
    const char *came = known && !by_quantifier ? verdict_text(outcomes->verdict)
                       : always                ? "violated"
                                               : "reachable";
    const char *counts = !known   ? ""
                         : always ? arena_format(arena, ": %s it", violations(arena, report))
                                  : arena_format(arena, ": %s it", report_counts(arena, report));
    return arena_format(arena, "%s, but the condition is %s under %s%s", expected, came,
                        report->model, counts);
}

// "flag data-race"
static const char *race_flags(struct arena *arena, const struct outcomes *outcomes) {
    const char *names = "";
    for (size_t i = 0; i < outcomes->flag_count; i++) {
        const struct flag *flag = &outcomes->flags[i];
        if (flag->race && flag->holds == TRUTH_YES)
            names = arena_format(arena, "%s%sflag %s", names, *names ? ", " : "", flag_name(flag));
    }
    return names;
}

static const char *failure_of(struct arena *arena, const struct report *report,
                              enum expectation what) {
    const struct outcomes *outcomes = report->outcomes;
    const char *expected = arena_format(arena, "expected %s", expectation_text(what));
    const char *came = "";
    switch (what) {
    case EXPECT_ALLOWED:
    case EXPECT_FORBIDDEN: return condition_failure(arena, report, expected, false, false);
    case EXPECT_ALWAYS: return condition_failure(arena, report, expected, true, false);
    case EXPECT_RACE: came = "no execution has one"; break;
    case EXPECT_NO_RACE: came = "some execution has one"; break;
    case EXPECT_HANG: came = "no execution hangs"; break;
    case EXPECT_NO_HANG:
        came = outcomes_flag(outcomes, FLAG_HANG) == TRUTH_YES ? "some execution hangs"
                                                               : "no execution ends";
        break;
    case EXPECT_TRAP: came = "no execution traps"; break;
    case EXPECT_NO_TRAP: came = "some execution traps"; break;
    case EXPECT_REACHABLE: came = "there is no outcome"; break;
    case EXPECT_UNREACHABLE: came = "there is an outcome"; break;
    case EXPECT_TERMINATES: came = "some execution never ends"; break;
    case EXPECT_MAY_HANG: came = "each execution ends"; break;
    case EXPECTATION_COUNT: break;
    }
    const char *which = what == EXPECT_NO_RACE ? race_flags(arena, outcomes) : NULL;
    return arena_format(arena, "%s, but %s under %s%s%s", expected, came, report->model,
                        which ? ": " : "", which ? which : "");
}

struct failures report_failures(struct arena *arena, const struct report *report) {
    const struct test *test = report->program->test;
    struct failures failures = {.items =
                                    ARENA_ARRAY(arena, struct failure, test->expected_count + 1)};
    for (size_t i = 0; i < test->expected_count; i++) {
        const struct test_expected *expected = &test->expected[i];
        if (report_meets_one(report, expected->what) == TRUTH_NO) {
            failures.items[failures.count++] =
                (struct failure){expectation_text(expected->what), expected->span,
                                 failure_of(arena, report, expected->what)};
        }
    }
    if (meets_quantifier(report) == TRUTH_NO) {
        const char *word = quantifier_text(test->quantifier);
        bool always = test->quantifier == QUANTIFIER_FORALL;
        failures.items[failures.count++] = (struct failure){
            word, {.source = NULL}, condition_failure(arena, report, word, always, true)};
    }
    return failures;
}

// --- Reasons -----------------------------------------------------------------------------------

// The race that leaves the program undefined, or NULL where none is known.
static const struct race *undefining_race(const struct outcomes *outcomes) {
    for (size_t i = 0; i < outcomes->race_count; i++)
        if (outcomes->flags[outcomes->races[i].flag].undefined)
            return &outcomes->races[i];
    return NULL;
}

// The flag that leaves the program undefined, or NULL where none does.
static const struct flag *undefining_flag(const struct outcomes *outcomes) {
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (outcomes->flags[i].undefined && outcomes->flags[i].holds == TRUTH_YES)
            return &outcomes->flags[i];
    return NULL;
}

// Of a program that a flag leaves undefined.
static const char *undefined_reason(struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    const struct race *race = undefining_race(outcomes);
    const struct flag *flag = race ? &outcomes->flags[race->flag] : undefining_flag(outcomes);
    return arena_format(arena, "%s, which leaves the program undefined%s%s",
                        flag_undefines(arena, flag_name(flag)), race ? ": " : "",
                        race ? race_text(arena, report, race) : "");
}

static const char *memory_reason(struct arena *arena, const struct report *report) {
    size_t limit = report->options->solver.memory_mb;
    return limit == 0 ? "the test is too large for the memory"
                      : arena_format(arena, "the memory limit of %zu MB was reached", limit);
}

// "the loop at line 12", "the loop at line 12 or another one"; "a loop" where it is not known.
static const char *loop_text(struct arena *arena, const struct program *program) {
    if (program->limits.bound_loop == NULL && program->spinning != NULL)
        program = program->spinning;
    if (program->limits.bound_loop == NULL)
        return "a loop";
    const struct span span = program->limits.bound_loop->span;
    return arena_format(arena, "the loop at line %u%s",
                        source_position(span.source, span.begin).line,
                        program->limits.has_other_bound_loop ? " or another one" : "");
}

// A bound that is enough is named where one is known.
static const char *bound_reason(struct arena *arena, const struct report *report) {
    unsigned unroll = report->options->program.unroll,
             enough = report->program->limits.enough_rounds;
    const char *loop = loop_text(arena, report->program);
    if (enough == 0)
        return arena_format(arena,
                            "%s goes on after %u rounds (--unroll %u; no bound is known to be "
                            "enough)",
                            loop, unroll, unroll);
    return arena_format(arena, "%s goes on after %u rounds (--unroll %u; %u would be enough)", loop,
                        unroll, unroll, enough);
}

static const char *empty_reason(const struct outcomes *outcomes) {
    if (outcomes->ends == TRUTH_YES)
        return "there is no outcome: the filter leaves out every execution that ends";
    if (outcomes_flag(outcomes, FLAG_HANG) == TRUTH_YES)
        return "there is no outcome: no execution ends, since a thread never leaves a barrier";
    if (outcomes_flag(outcomes, FLAG_TRAP) == TRUTH_YES)
        return "there is no outcome: no execution ends, since a thread traps";
    return outcomes_flag(outcomes, FLAG_ENDLESS) == TRUTH_YES
               ? "there is no outcome: no execution ends, since a loop waits for a value that no "
                 "thread writes"
               : "there is no outcome";
}

// Why something could not be decided or listed.
const char *report_limit(struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    const struct check_options *options = report->options;
    switch (outcomes->reason) {
    case REASON_TIMEOUT:
        return arena_format(arena, "the time limit of %g s was reached",
                            options->solver.timeout_seconds);
    case REASON_MEMORY: return memory_reason(arena, report);
    case REASON_INTERRUPTED: return "interrupted";
    case REASON_SOLVER:
        return arena_format(arena, "the solver gave up: %s",
                            outcomes->reason_text ? outcomes->reason_text : "it does not say why");
    case REASON_RUN: return "one run of the threads does not decide it";
    case REASON_NONE: break;
    }
    size_t most = options->solver.max_states;
    if (outcomes_flag(outcomes, FLAG_BOUND) == TRUTH_YES &&
        (most == 0 || outcomes->state_count < most))
        return bound_reason(arena, report);
    return most != 0 ? arena_format(arena, "--states %zu cut the list", most)
                     : "the solver gave no reason";
}

// Whether nothing but dependencies that are in doubt makes the verdict unknown.
static bool rests_on_dependencies(const struct outcomes *outcomes) {
    return outcomes->verdict == VERDICT_UNKNOWN && outcomes->reason == REASON_NONE &&
           outcomes->reachable == TRUTH_YES &&
           outcomes_flag(outcomes, FLAG_DEPENDENCIES_OPEN) == TRUTH_YES &&
           outcomes_flag(outcomes, FLAG_BOUND) != TRUTH_YES && !undefining_flag(outcomes);
}

// What makes the verdict unknown although no limit stopped the run; or NULL.
static const char *verdict_reason(struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    if (outcomes->verdict != VERDICT_UNKNOWN)
        return NULL;
    if (outcomes->reachable == TRUTH_NO)
        return empty_reason(outcomes);
    if (rests_on_dependencies(outcomes)) {
        return "it could not be decided which dependencies the test has (--deps=syntactic takes "
               "all of them as they are written)";
    }
    return undefining_flag(outcomes) ? undefined_reason(arena, report) : NULL;
}

// An expectation, or a question about the end, that no run can decide.
static const char *expectation_reason(struct arena *arena, const struct report *report) {
    const struct test *test = report->program->test;
    const struct termination *termination = &report->outcomes->termination;
    if (termination->is_asked && termination->always == TRUTH_UNKNOWN && test->grid_order_count > 0)
        return "whether a test with loops ends is not decided if one launch follows another";
    if (termination->is_asked && termination->may_block)
        return "a CTA may wait for its peer to allocate or deallocate tensor memory";
    if (termination->is_asked && termination->always == TRUTH_UNKNOWN)
        return "it could not be decided whether each execution ends";
    bool race = test_expects(test, EXPECT_RACE);
    if ((!race && !test_expects(test, EXPECT_NO_RACE)) || flags_races(report->outcomes))
        return NULL;
    return arena_format(arena, "'%s' is expected, but %s has no flag for races",
                        expectation_text(race ? EXPECT_RACE : EXPECT_NO_RACE), report->model);
}

static bool hang_is_possible(const struct outcomes *outcomes) {
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (outcomes->flags[i].kind == FLAG_HANG && outcomes->flags[i].possible)
            return true;
    return false;
}

// The names of flags that are possible only, "hang, data-race and async-undefined", and how many. A
// hang is an execution that never ends.
static const char *possible_names(struct arena *arena, const struct outcomes *outcomes,
                                  size_t *count) {
    const struct shown_flags flags = flags_shown(arena, outcomes);
    bool is_endless = outcomes->termination.possible && !hang_is_possible(outcomes);
    const char *names = NULL, *last = NULL;
    *count = 0;
    for (size_t i = 0; i <= flags.count; i++) {
        bool is_last = i == flags.count;
        if (is_last ? !is_endless : !flags.items[i].possible)
            continue;
        names = names ? arena_format(arena, "%s, %s", names, last) : last;
        last = is_last ? "an execution that never ends" : flags.items[i].name;
        ++*count;
    }
    return names ? arena_format(arena, "%s and %s", names, last) : last;
}

// "data-race is possible", "hang and data-race are possible". NULL where nothing is.
static const char *possible_faults(struct arena *arena, const struct outcomes *outcomes) {
    size_t count = 0;
    const char *names = possible_names(arena, outcomes, &count);
    return names ? arena_format(arena, "%s %s possible", names, count == 1 ? "is" : "are") : NULL;
}

// What is possible only, and what it relies on.
static const char *possible_reason(struct arena *arena, const struct report *report) {
    const struct program *program = report->program;
    const char *reason = possible_faults(arena, report->outcomes);
    for (size_t i = 0; reason && i < program->assumption_count; i++) {
        reason = arena_format(arena, "%s%s %s", reason, i == 0 ? ", which relies on this:" : ";",
                              program->assumptions[i]);
    }
    return reason;
}

// Whether a run of the threads has said what it was asked, which is nothing about the condition:
// also that something is possible.
static bool is_answered_by_run(const struct report *report, bool is_possible) {
    const struct outcomes *outcomes = report->outcomes;
    return !outcomes->listed && outcomes->reason == REASON_NONE &&
           outcomes_flag(outcomes, FLAG_BOUND) != TRUTH_YES &&
           (report_is_clean(report) != TRUTH_UNKNOWN || is_possible);
}

static const char *reason_without_possible(struct arena *arena, const struct report *report,
                                           bool is_possible) {
    const struct outcomes *outcomes = report->outcomes;
    const char *verdict = verdict_reason(arena, report);
    bool is_unknown =
        outcomes->verdict == VERDICT_UNKNOWN && !is_answered_by_run(report, is_possible);
    bool is_limited =
        (is_unknown && !verdict) || outcomes_has_open_flag(outcomes) || report_is_cut(report);
    const char *limit = is_limited ? report_limit(arena, report) : NULL;
    if (verdict && limit)
        return arena_format(arena, "%s; %s", verdict, limit);
    return verdict ? verdict : limit ? limit : expectation_reason(arena, report);
}

const char *report_reason(struct arena *arena, const struct report *report) {
    const char *possible = possible_reason(arena, report),
               *reason = reason_without_possible(arena, report, possible != NULL);
    return possible && reason ? arena_format(arena, "%s; %s", reason, possible)
           : possible         ? possible
                              : reason;
}

uint64_t report_hash(const struct source *source) {
    return hash_bytes(HASH_START, source->text, source->size);
}
