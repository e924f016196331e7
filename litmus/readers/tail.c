// What stands behind the threads: locations, filter, the condition, expect.
#include "litmus/readers/parse.h"

#include "litmus/source/arena.h"

struct tail {
    struct parser *parser;
    bool has_quantifier; // read, be it with errors
    struct span quantifier;
    struct span filter; // without a source: none
};

// Goes to the next part of the tail: the condition cannot be followed any more.
static void skip_part(struct parser *parser) {
    while (current_token(parser)->kind != TOKEN_END &&
           !(current_token(parser)->line_start && at_tail(parser)))
        next_token(parser);
}

// --- locations ---------------------------------------------------------------------------------

static bool add_location(struct parser *parser, struct term term) {
    struct test *test = parser->test;
    if (test->location_count == LOCATIONS_MAX) {
        diag_error(parser->diagnostics, term.span, "more than %d locations", LOCATIONS_MAX);
        return false;
    }
    test->locations =
        arena_grow(parser->arena, test->locations, test->location_count, sizeof(term));
    test->locations[test->location_count++] = term;
    return true;
}

static bool parse_location_entry(struct parser *parser) {
    struct term term;
    bool whole_array;
    if (!parse_shown_term(parser, &term, &whole_array))
        return false;
    if (!whole_array)
        return add_location(parser, term);
    for (; term.element < parser->test->variables[term.variable].element_count; term.element++)
        if (!add_location(parser, term))
            return false;
    return true;
}

// locations = "locations" "[" (entry (";" entry)* ";"?)? "]" ";"?
static bool parse_locations(struct parser *parser) {
    next_token(parser);
    const struct token *opener = current_token(parser);
    if (!accept_punct(parser, '[')) {
        error_expected(parser, "'[' and names");
        return false;
    }
    while (!accept_punct(parser, ']')) {
        if (current_token(parser)->kind == TOKEN_END ||
            (current_token(parser)->line_start && at_tail(parser))) {
            diag_error(parser->diagnostics, opener->span, "this '[' is never closed");
            return false;
        }
        if (!parse_location_entry(parser))
            return false;
        if (!accept_punct(parser, ';') && !token_is_punct(current_token(parser), ']')) {
            error_expected(parser, "';' or ']'");
            return false;
        }
    }
    accept_punct(parser, ';');
    return true;
}

// --- The condition -----------------------------------------------------------------------------

// A part that may stand only once: whether this is the first.
static bool first_part(struct parser *parser, struct span *seen, struct span span,
                       const char *what) {
    if (!seen->source) {
        *seen = span;
        return true;
    }
    diag_error(parser->diagnostics, span, "the test has two %ss", what);
    diag_hint(parser->diagnostics, "the first one is at line %u",
              source_position(seen->source, seen->begin).line);
    return false;
}

// What stands behind a condition that was read in full.
static bool end_condition(struct parser *parser) {
    const struct token *token = current_token(parser);
    if (accept_punct(parser, ';') || token->kind == TOKEN_END || at_tail(parser))
        return true;
    if (token_is_punct(token, ')'))
        diag_error(parser->diagnostics, token->span, "this ')' closes nothing");
    else
        error_expected(parser, "'/\\', '\\/' or the end of the condition");
    if (token_is_punct(token, '&'))
        diag_hint(parser->diagnostics, "'and' is written '/\\', '&&' or 'and'");
    else if (token_is_punct(token, '|'))
        diag_hint(parser->diagnostics, "'or' is written '\\/', '||' or 'or'");
    return false;
}

static bool parse_filter(struct tail *tail) {
    struct parser *parser = tail->parser;
    struct span span = next_token(parser)->span;
    bool first = first_part(parser, &tail->filter, span, "filter");
    struct condition *filter = parse_condition(parser);
    if (!filter)
        return false;
    if (first)
        parser->test->filter = filter;
    return end_condition(parser);
}

// quantifier = "exists" | ("~" | "not") "exists" | "forall"
static bool parse_quantifier(struct parser *parser, enum quantifier *quantifier) {
    const struct token *token = next_token(parser);
    bool negated = token_is_punct(token, '~') || token_is(token, "not");
    if (negated && !token_is(current_token(parser), "exists")) {
        error_expected(parser, "'exists' after a negation");
        return false;
    }
    *quantifier = token_is(token, "forall") ? QUANTIFIER_FORALL : QUANTIFIER_EXISTS;
    if (negated) {
        *quantifier = QUANTIFIER_NOT_EXISTS;
        next_token(parser);
    }
    return true;
}

static bool parse_quantified(struct tail *tail, enum quantifier quantifier, struct span span) {
    struct parser *parser = tail->parser;
    bool first = first_part(parser, &tail->quantifier, span, "condition");
    tail->has_quantifier = true;
    struct condition *condition = parse_condition(parser);
    if (!condition)
        return false;
    if (first) {
        parser->test->quantifier = quantifier;
        parser->test->condition = condition;
    }
    return end_condition(parser);
}

// --- expect ------------------------------------------------------------------------------------

// expect = "expect" ("allowed" | "forbidden" | "always") ";"?
static bool parse_expect(struct parser *parser) {
    static const char *const words[] = {"allowed", "forbidden", "always"};
    static const enum expectation values[] = {EXPECT_ALLOWED, EXPECT_FORBIDDEN, EXPECT_ALWAYS};
    struct test *test = parser->test;
    const struct token *keyword = next_token(parser), *token = current_token(parser);
    for (size_t i = 0; i < 3; i++) {
        if (!token_is(token, words[i]))
            continue;
        next_token(parser);
        struct span span = span_join(keyword->span, token->span);
        if (first_part(parser, &test->expectation_span, span, "expectation"))
            test->expectation = values[i];
        if (accept_punct(parser, ';') || current_token(parser)->kind == TOKEN_END ||
            current_token(parser)->line_start)
            return true;
        error_expected(parser, "';'");
        return false;
    }
    error_expected(parser, "'allowed', 'forbidden' or 'always'");
    const char *nearest = diag_nearest(token->span.source->text + token->span.begin,
                                       token->span.end - token->span.begin, words, 3);
    if (nearest)
        diag_hint(parser->diagnostics, "did you mean '%s'?", nearest);
    return false;
}

// --- All of it ---------------------------------------------------------------------------------

static bool parse_misspelt(struct tail *tail, const char *meant) {
    struct parser *parser = tail->parser;
    const struct token *token = current_token(parser);
    diag_error(parser->diagnostics, token->span,
               "'%s' starts neither an instruction nor a condition",
               span_text(parser, token->span));
    diag_hint(parser->diagnostics, "did you mean '%s'?", meant);
    if (meant[0] == 'l')
        return parse_locations(parser);
    if (meant[1] == 'i')
        return parse_filter(tail);
    next_token(parser);
    return parse_quantified(tail, meant[0] == 'e' ? QUANTIFIER_EXISTS : QUANTIFIER_FORALL,
                            token->span);
}

static bool parse_part(struct tail *tail) {
    struct parser *parser = tail->parser;
    const struct token *token = current_token(parser);
    const char *meant = nearest_tail_word(parser);
    if (meant)
        return parse_misspelt(tail, meant);
    if (!at_tail(parser)) {
        error_expected(parser, "the condition");
        diag_hint(parser->diagnostics, "exists (...), ~exists (...) or forall (...)");
        return false;
    }
    if (token_is(token, "locations"))
        return parse_locations(parser);
    if (token_is(token, "filter"))
        return parse_filter(tail);
    if (token_is(token, "expect"))
        return parse_expect(parser);
    enum quantifier quantifier;
    return parse_quantifier(parser, &quantifier) &&
           parse_quantified(tail, quantifier, span_join(token->span, behind_previous(parser)));
}

// tail = (locations | filter | quantifier condition ";"? | expect)*, with one condition
void parse_tail(struct parser *parser) {
    struct tail tail = {.parser = parser};
    bool all_followed = true;
    while (current_token(parser)->kind != TOKEN_END) {
        if (!parse_part(&tail)) {
            all_followed = false;
            skip_part(parser);
        }
    }
    if (tail.has_quantifier || !all_followed)
        return;
    diag_error(parser->diagnostics, behind_previous(parser), "the test has no condition");
    diag_hint(parser->diagnostics,
              "write one behind the threads: exists (...), ~exists (...) or forall (...)");
}
