// Thread headers: a thread's name and its place.
#include "litmus/readers/parse.h"

#include "litmus/source/arena.h"

#include <limits.h>

enum place_part { PART_CTA = 1, PART_CLUSTER = 2, PART_GPU = 4, PART_HOST = 8 };

static const char *const part_names[] = {"cta", "cluster", "gpu", "host"};

static enum place_part part_of(const struct token *token) {
    for (unsigned i = 0; i < 4; i++)
        if (token_is(token, part_names[i]))
            return (enum place_part)(1U << i);
    return 0;
}

static void error_unknown_part(struct parser *parser, const struct token *token) {
    if (token->kind != TOKEN_WORD) {
        error_expected(parser, "'cta', 'cluster', 'gpu' or 'host'");
        return;
    }
    const char *word = token_text(parser->arena, token);
    diag_error(parser->diagnostics, token->span, "there is no placement '%s'",
               span_text(parser, token->span));
    const char *nearest = diag_nearest(word, token->span.end - token->span.begin, part_names, 4);
    if (nearest)
        diag_hint(parser->diagnostics, "did you mean '%s'?", nearest);
    else
        diag_hint(parser->diagnostics, "a place is 'cta n', 'cluster n' and 'gpu n', or 'host'");
}

// part = ("cta" | "cluster" | "gpu") integer | "host"
static bool parse_part(struct parser *parser, struct place *place, unsigned *seen) {
    const struct token *token = current_token(parser);
    enum place_part part = part_of(token);
    if (part == 0) {
        error_unknown_part(parser, token);
        return false;
    }
    next_token(parser);
    if (*seen & part) {
        diag_error(parser->diagnostics, token->span, "'%s' is given twice",
                   span_text(parser, token->span));
        return false;
    }
    *seen |= part;
    switch (part) {
    case PART_HOST: place->host = true; return true;
    case PART_CLUSTER:
        place->has_cluster = true;
        return parse_unsigned(parser, "number of a cluster", &place->cluster);
    case PART_GPU: return parse_unsigned(parser, "number of a GPU", &place->gpu);
    case PART_CTA: return parse_unsigned(parser, "number of a CTA", &place->cta);
    }
    return false;
}

// place = "@" part ("," part)*
static bool parse_place(struct parser *parser, struct place *place) {
    unsigned seen = 0;
    const struct token *first = current_token(parser);
    do
        if (!parse_part(parser, place, &seen))
            return false;
    while (accept_punct(parser, ','));
    place->span = span_join(first->span, behind_previous(parser));
    if (place->host && seen != PART_HOST) {
        diag_error(parser->diagnostics, place->span, "a host thread has no other place");
        return false;
    }
    if (!(seen & (PART_CTA | PART_HOST))) {
        diag_error(parser->diagnostics, place->span, "this placement names no CTA");
        diag_hint(parser->diagnostics,
                  "'cta n' is needed; 'cluster n' and 'gpu n' can be left out");
        return false;
    }
    return true;
}

// name = "P" n
static bool parse_thread_name(struct parser *parser, struct thread *thread) {
    const struct token *name = current_token(parser);
    if (!word_number(name, "P", &thread->number)) {
        error_expected(parser, "a thread");
        diag_hint(parser->diagnostics, "threads are named P0, P1 and so on: 'P0@cta 0,gpu 0'");
        return false;
    }
    next_token(parser);
    thread->span = name->span;
    if (thread->number == UINT_MAX) {
        diag_error(parser->diagnostics, name->span, "the number of '%s' is too large",
                   span_text(parser, name->span));
        return false;
    }
    for (size_t i = 0; i < parser->test->thread_count; i++) {
        const struct thread *other = &parser->test->threads[i];
        if (other->number != thread->number)
            continue;
        diag_error(parser->diagnostics, name->span, "there are two threads '%s'",
                   span_text(parser, name->span));
        diag_hint(parser->diagnostics, "the first one is at line %u",
                  source_position(other->span.source, other->span.begin).line);
        return false;
    }
    return true;
}

// header = name place
static bool parse_named_place(struct parser *parser, struct thread *thread) {
    if (!parse_thread_name(parser, thread)) {
        parser->threads_failed = true;
        thread->number = UINT_MAX; // nobody's
        return false;
    }
    if (!accept_punct(parser, '@')) {
        diag_error(parser->diagnostics, thread->span, "thread '%s' has no place",
                   span_text(parser, thread->span));
        diag_hint(parser->diagnostics, "write where it runs: '%s@cta 0,gpu 0'",
                  span_text(parser, thread->span));
        return false;
    }
    return parse_place(parser, &thread->place);
}

static bool at_header_end(const struct parser *parser) {
    const struct token *token = current_token(parser);
    return token->kind == TOKEN_END || token_is_punct(token, '|') || token_is_punct(token, ';') ||
           token_is_punct(token, '{') || token_is_punct(token, PUNCT_OR_OR);
}

bool parse_thread_header(struct parser *parser) {
    struct test *test = parser->test;
    struct thread thread = {0};
    bool fine = parse_named_place(parser, &thread);
    if (fine && !at_header_end(parser)) {
        error_expected(parser, "'|', ';' or '{' after a thread's place");
        fine = false;
    }
    // A thread that is wrong still has a column, so it is kept; the test is refused anyway.
    while (!fine && !at_header_end(parser) && !current_token(parser)->line_start)
        next_token(parser);
    test->threads = arena_grow(parser->arena, test->threads, test->thread_count, sizeof(thread));
    test->threads[test->thread_count++] = thread;
    parser->bodies =
        arena_grow(parser->arena, parser->bodies, parser->body_count, sizeof(*parser->bodies));
    parser->bodies[parser->body_count++] = (struct body){.failed = !fine};
    return fine;
}
