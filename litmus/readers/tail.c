// What follows the threads: locations, filter, the condition, expect.
#include "litmus/readers/frame.h"
#include "litmus/readers/tail.h"

#include "litmus/source/arena.h"

#include <assert.h>

struct tail {
    struct frame *frame;
    bool has_quantifier; // read, perhaps with errors
    struct span quantifier;
    struct span filter; // without a source: none
};

// Goes to the next part of the tail: the condition cannot be followed any more.
static void skip_part(struct frame *frame) {
    while (frame_current(frame)->kind != TOKEN_END &&
           !(frame_current(frame)->line_start && frame_at_tail(frame)))
        frame_next(frame);
}

// --- locations ---------------------------------------------------------------------------------

static bool add_location(struct frame *frame, struct term term) {
    struct test *test = frame->test;
    if (test->location_count == LOCATIONS_MAX)
        return diag_error(frame->diagnostics, term.span, "more than %d locations", LOCATIONS_MAX);
    ARENA_APPEND(frame->arena, test->locations, test->location_count, term);
    return true;
}

static bool parse_location_entry(struct frame *frame) {
    struct term term;
    bool whole_array;
    if (!frame_parse_shown_term(frame, &term, &whole_array))
        return false;
    if (!whole_array)
        return add_location(frame, term);
    for (; term.element < frame->test->variables[term.variable].element_count; term.element++)
        if (!add_location(frame, term))
            return false;
    return true;
}

static bool at_next_part(const struct frame *frame) {
    const struct token *token = frame_current(frame);
    return token->kind == TOKEN_END || (token->line_start && frame_at_tail(frame));
}

// locations = "locations" "[" (entry (";" entry)* ";"?)? "]" ";"?
static bool parse_locations(struct frame *frame) {
    frame_next(frame);
    const struct token *opener = frame_current(frame);
    if (!frame_expect(frame, '[', "'[' and names"))
        return false;
    while (!frame_accept_punct(frame, ']')) {
        bool open = at_next_part(frame);
        if (!open && !parse_location_entry(frame))
            return false;
        if (frame_accept_punct(frame, ';') || token_is_punct(frame_current(frame), ']'))
            continue;
        if (open || at_next_part(frame))
            diag_error(frame->diagnostics, opener->span, "this '[' is never closed");
        else
            frame_error_expected(frame, "';' or ']'");
        return false;
    }
    frame_accept_punct(frame, ';');
    return true;
}

// --- The condition -----------------------------------------------------------------------------

// A part that may occur only once: whether this is the first.
static bool first_part(struct frame *frame, struct span *seen, struct span span, const char *what) {
    assert(span.begin <= span.end);
    if (!seen->source) {
        *seen = span;
        return true;
    }
    diag_error(frame->diagnostics, span, "the test has two %ss", what);
    diag_hint(frame->diagnostics, "the first one is on line %u", span_line(*seen));
    return false;
}

// What follows a condition that was read completely.
static bool end_condition(struct frame *frame) {
    const struct token *token = frame_current(frame);
    if (frame_accept_punct(frame, ';') || token->kind == TOKEN_END || frame_at_tail(frame))
        return true;
    if (token_is_punct(token, ')'))
        diag_error(frame->diagnostics, token->span, "this ')' has no '(' before it");
    else
        frame_error_in_condition(frame, "'/\\', '\\/', '=>' or the end of the condition");
    return false;
}

static bool parse_filter(struct tail *tail) {
    struct frame *frame = tail->frame;
    struct span span = frame_next(frame)->span;
    bool first = first_part(frame, &tail->filter, span, "filter");
    struct condition *filter = frame_parse_condition(frame);
    if (!filter)
        return false;
    if (first)
        frame->test->filter = filter;
    return end_condition(frame);
}

// quantifier = "exists" | ("~" | "not") "exists" | "forall"    ("not" in any case)
static bool parse_quantifier(struct frame *frame, enum quantifier *quantifier) {
    const struct token *token = frame_next(frame);
    bool negated = token_is_punct(token, '~') || token_is_any_case(token, "not");
    if (negated && !token_is(frame_current(frame), "exists"))
        return frame_error_expected(frame, "'exists' after a negation");
    *quantifier = token_is(token, "forall") ? QUANTIFIER_FORALL : QUANTIFIER_EXISTS;
    if (negated) {
        *quantifier = QUANTIFIER_NOT_EXISTS;
        frame_next(frame);
    }
    return true;
}

static bool parse_quantified(struct tail *tail, enum quantifier quantifier, struct span span) {
    assert(span.begin <= span.end);
    struct frame *frame = tail->frame;
    bool first = first_part(frame, &tail->quantifier, span, "condition");
    tail->has_quantifier = true;
    struct condition *condition = frame_parse_condition(frame);
    if (!condition)
        return false;
    if (first) {
        frame->test->quantifier = quantifier;
        frame->test->condition = condition;
    }
    return end_condition(frame);
}

// --- All of it ---------------------------------------------------------------------------------

// Reads on as if the word were the one that was meant.
static bool parse_misspelt(struct tail *tail, enum tail_word meant) {
    struct frame *frame = tail->frame;
    const struct token *token = frame_current(frame);
    diag_error(frame->diagnostics, token->span,
               "'%s' starts neither an instruction nor a condition",
               frame_span_text(frame, token->span));
    diag_suggest(frame->diagnostics, frame_tail_word_text(meant));
    if (meant == TAIL_LOCATIONS)
        return parse_locations(frame);
    if (meant == TAIL_FILTER)
        return parse_filter(tail);
    frame_next(frame);
    return parse_quantified(tail, meant == TAIL_EXISTS ? QUANTIFIER_EXISTS : QUANTIFIER_FORALL,
                            token->span);
}

static bool parse_part(struct tail *tail) {
    struct frame *frame = tail->frame;
    const struct token *token = frame_current(frame);
    enum tail_word meant = frame_nearest_tail_word(frame);
    if (meant != TAIL_NONE)
        return parse_misspelt(tail, meant);
    if (!frame_at_tail(frame)) {
        frame_error_expected(frame, "the condition");
        diag_hint(frame->diagnostics, "exists (...), ~exists (...) or forall (...)");
        return false;
    }
    if (token_is(token, "locations"))
        return parse_locations(frame);
    if (token_is(token, "filter"))
        return parse_filter(tail);
    if (token_is(token, "expect"))
        return frame_parse_expect(frame);
    enum quantifier quantifier = QUANTIFIER_EXISTS;
    return parse_quantifier(frame, &quantifier) &&
           parse_quantified(tail, quantifier, span_join(token->span, frame_after_previous(frame)));
}

// Gives the test a condition that is true, in place of the one that it has not.
static void ask_no_condition(struct frame *frame, struct span place) {
    struct test *test = frame->test;
    test->condition = ARENA_NEW(frame->arena, struct condition);
    *test->condition = (struct condition){.kind = CONDITION_TRUE, .span = place};
    // `expect no race` alone is a test, too.
    test->is_unconditional = test_expects_no_verdict(test);
    test->is_unasked = test->expected_count == 0;
    test->unasked = place;
}

static void require_condition(struct diagnostics *diagnostics, struct span place) {
    diag_error(diagnostics, place, "the test has no condition");
    diag_hint(diagnostics,
              "write one after the threads: exists (...), ~exists (...) or forall (...)");
}

bool test_require_condition(const struct test *test, struct diagnostics *diagnostics) {
    if (!test->is_unasked || (test->thread_count > 0 && test->threads[0].launch))
        return true;
    require_condition(diagnostics, test->unasked);
    return false;
}

// tail = (locations | filter | quantifier condition ";"? | expect)*, with one condition, or none
//        where what is expected has nothing to do with one, or nothing is
void frame_parse_tail(struct frame *frame) {
    struct tail tail = {.frame = frame};
    bool all_followed = true;
    while (frame_current(frame)->kind != TOKEN_END) {
        if (!parse_part(&tail)) {
            all_followed = false;
            skip_part(frame);
        }
    }
    if (tail.has_quantifier || !all_followed)
        return;
    if (test_expects_no_verdict(frame->test))
        ask_no_condition(frame, frame->test->expected[0].span);
    else if (frame->test->expected_count == 0 && !diag_has_errors(frame->diagnostics))
        ask_no_condition(frame, frame_after_previous(frame));
    else
        require_condition(frame->diagnostics, frame_after_previous(frame));
}
