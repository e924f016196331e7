// Judges results: quantifiers, expectations, exit statuses.
#include "cli/report.h"

#include "cli/condition.h"
#include "cli/flags.h"
#include "cli/races.h"
#include "litmus/source/arena.h"

static enum truth truth_of(bool value) {
    return value ? TRUTH_YES : TRUTH_NO;
}

static enum truth negation(enum truth truth) {
    return truth == TRUTH_UNKNOWN ? TRUTH_UNKNOWN : truth_of(truth == TRUTH_NO);
}

// Some outcome satisfies the condition. One that was listed is enough, whatever else is unknown.
static enum truth is_reachable(const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    if (report_witnesses(report).satisfying > 0) {
        return TRUTH_YES;
    }
    return outcomes->verdict == VERDICT_UNKNOWN ? TRUTH_UNKNOWN
                                                : truth_of(outcomes->verdict != VERDICT_FORBIDDEN);
}

// Every outcome satisfies the condition; one that violates it is enough to say no. A test without
// outcomes satisfies everything (herd: no negative witness).
static enum truth is_always(const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    if (report_witnesses(report).violating > 0) {
        return TRUTH_NO;
    }
    return outcomes->verdict == VERDICT_UNKNOWN
               ? TRUTH_UNKNOWN
               : truth_of(outcomes->verdict == VERDICT_ALWAYS || outcomes->reachable == TRUTH_NO);
}

enum truth report_holds(const struct report *report) {
    switch (report->program->test->quantifier) {
    case QUANTIFIER_EXISTS: return is_reachable(report);
    case QUANTIFIER_NOT_EXISTS: return negation(is_reachable(report));
    case QUANTIFIER_FORALL: return is_always(report);
    }
    return TRUTH_UNKNOWN;
}

enum truth report_meets(const struct report *report) {
    const struct test *test = report->program->test;
    switch (test->expectation) {
    case EXPECT_ALLOWED: return is_reachable(report);
    case EXPECT_FORBIDDEN: return negation(is_reachable(report));
    case EXPECT_ALWAYS: return is_always(report);
    case EXPECT_NONE: break;
    }
    if (test->quantifier == QUANTIFIER_EXISTS) {
        return report->outcomes->verdict == VERDICT_UNKNOWN ? TRUTH_UNKNOWN : TRUTH_YES;
    }
    return report_holds(report);
}

bool report_is_decided(const struct report *report) {
    return report->outcomes->verdict != VERDICT_UNKNOWN &&
           !outcomes_has_open_flag(report->outcomes);
}

enum exit_status report_status(const struct report *report) {
    if (report_meets(report) == TRUTH_NO) {
        return EXIT_FAILED;
    }
    return report_is_decided(report) ? EXIT_DECIDED : EXIT_UNDECIDED;
}

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
        if (meets_address(condition->right, term)) {
            return true;
        }
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
    if (!term || value->undef || value->value.high != 0) {
        return NULL;
    }
    for (size_t i = 0; i < program->virtual_range_count; i++) {
        const struct virtual_range *range = &program->virtual_ranges[i];
        uint64_t window = program_window(program->objects[range->object].space);
        if (range->address == value->value.low || range->address - window == value->value.low) {
            return meets_address(program->test->condition, term)
                       ? program->test->variables[program->virtual_ranges[i].variable].name
                       : NULL;
        }
    }
    return NULL;
}

const char *report_system(const struct report *report) {
    return report->target ? report->target->ptx.name : report->model;
}

const char *verdict_text(enum verdict verdict) {
    switch (verdict) {
    case VERDICT_FORBIDDEN: return "forbidden";
    case VERDICT_ALLOWED: return "allowed";
    case VERDICT_ALWAYS: return "always";
    case VERDICT_UNKNOWN: break;
    }
    return "unknown";
}

const char *observation_text(enum verdict verdict) {
    switch (verdict) {
    case VERDICT_FORBIDDEN: return "Never";
    case VERDICT_ALLOWED: return "Sometimes";
    case VERDICT_ALWAYS: return "Always";
    case VERDICT_UNKNOWN: break;
    }
    return "Unknown";
}

const char *expectation_text(enum expectation expectation) {
    switch (expectation) {
    case EXPECT_ALLOWED: return "allowed";
    case EXPECT_FORBIDDEN: return "forbidden";
    case EXPECT_ALWAYS: return "always";
    case EXPECT_NONE: break;
    }
    return NULL;
}

const char *report_counts(struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    size_t satisfying = report_witnesses(report).satisfying, all = outcomes->state_count;
    const char *outcomes_text = all == 1 ? "outcome" : "outcomes";
    if (!outcomes->listed || !outcomes->complete) {
        return outcomes->verdict == VERDICT_FORBIDDEN ? "no outcome satisfies"
               : outcomes->verdict == VERDICT_ALWAYS  ? "every outcome satisfies"
                                                      : "some outcome satisfies";
    }
    if (all == 0) {
        return "there is no outcome that satisfies";
    }
    if (satisfying == 0) {
        return arena_format(arena, "none of %zu %s satisfies", all, outcomes_text);
    }
    if (satisfying == all && outcomes->verdict == VERDICT_ALWAYS) {
        return all == 1 ? "the only outcome satisfies"
                        : arena_format(arena, "all %zu outcomes satisfy", all);
    }
    return arena_format(arena, "%zu of %zu %s %s", satisfying, all, outcomes_text,
                        satisfying == 1 ? "satisfies" : "satisfy");
}

const char *report_failure(struct arena *arena, const struct report *report) {
    if (report_meets(report) != TRUTH_NO) {
        return NULL;
    }
    const struct test *test = report->program->test;
    const struct outcomes *outcomes = report->outcomes;
    const char *expected = expectation_text(test->expectation);
    bool always =
        expected ? test->expectation == EXPECT_ALWAYS : test->quantifier == QUANTIFIER_FORALL;
    const char *came = expected && outcomes->verdict != VERDICT_UNKNOWN
                           ? verdict_text(outcomes->verdict)
                       : always ? "violated"
                                : "reachable";
    const char *counts = outcomes->verdict == VERDICT_UNKNOWN
                             ? ""
                             : arena_format(arena, ": %s it", report_counts(arena, report));
    return arena_format(arena, "%s, but the condition is %s under %s%s",
                        expected ? arena_format(arena, "expected %s", expected)
                                 : quantifier_text(test->quantifier),
                        came, report->model, counts);
}

// The race that leaves the program undefined, or NULL where none is known.
static const struct race *undefining_race(const struct outcomes *outcomes) {
    for (size_t i = 0; i < outcomes->race_count; i++) {
        if (outcomes->flags[outcomes->races[i].flag].undefined) {
            return &outcomes->races[i];
        }
    }
    return NULL;
}

// The flag that leaves the program undefined.
static const struct flag *undefining_flag(const struct outcomes *outcomes) {
    size_t i = 0;
    while (!outcomes->flags[i].undefined || outcomes->flags[i].holds != TRUTH_YES) {
        i++;
    }
    return &outcomes->flags[i];
}

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

// A bound that is enough is named where one is known.
static const char *bound_reason(struct arena *arena, const struct report *report) {
    unsigned unroll = report->options->program.unroll, enough = report->program->enough_rounds;
    if (enough == 0)
        return arena_format(arena,
                            "a loop goes on after %u rounds (--unroll %u; no bound is known to be "
                            "enough)",
                            unroll, unroll);
    return arena_format(arena, "a loop goes on after %u rounds (--unroll %u; %u would be enough)",
                        unroll, unroll, enough);
}

const char *report_reason(struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    const struct options *options = report->options;
    if (report_is_decided(report) && !report_is_cut(report)) {
        return NULL;
    }
    switch (outcomes->reason) {
    case REASON_TIMEOUT:
        return arena_format(arena, "the time limit of %g s was reached",
                            options->solver.timeout_seconds);
    case REASON_MEMORY: return memory_reason(arena, report);
    case REASON_INTERRUPTED: return "interrupted";
    case REASON_SOLVER:
        return arena_format(arena, "the solver gave up: %s",
                            outcomes->reason_text ? outcomes->reason_text : "it does not say why");
    case REASON_UNDEFINED: return undefined_reason(arena, report);
    case REASON_NONE: break;
    }
    size_t most = options->solver.max_states;
    if (outcomes_flag(outcomes, FLAG_BOUND) == TRUTH_YES &&
        (most == 0 || outcomes->state_count < most)) {
        return bound_reason(arena, report);
    }
    return most != 0 ? arena_format(arena, "--states %zu cut the list", most)
                     : "the solver gave no reason";
}

uint64_t report_hash(const struct source *source) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < source->size; i++) {
        hash = (hash ^ (unsigned char)source->text[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}
