// Thread headers: a thread's name and its place.
#include "litmus/readers/frame.h"
#include "litmus/readers/threads.h"

#include "litmus/ptx/cuda.h"
#include "litmus/source/arena.h"

#include <limits.h>

enum place_part { PART_CTA = 1, PART_CLUSTER = 2, PART_GPU = 4, PART_HOST = 8, PART_GRID = 16 };
enum { PART_COUNT = 5 };

static const char *const part_names[] = {"cta", "cluster", "gpu", "host", "grid"};

static enum place_part part_of(const struct token *token) {
    int part = token_among(token, part_names, PART_COUNT);
    return part < 0 ? 0 : (enum place_part)(1U << part);
}

static bool error_unknown_part(struct frame *frame, const struct token *token) {
    if (token->kind != TOKEN_WORD)
        return frame_error_expected(frame, "'cta', 'cluster', 'grid', 'gpu' or 'host'");
    const char *word = token_text(frame->arena, token);
    diag_error(frame->diagnostics, token->span, "there is no placement '%s'",
               frame_span_text(frame, token->span));
    const struct cuda_word *cuda = cuda_word_find(arena_format(frame->arena, ".%s", word));
    if (cuda && cuda->ptx[0] == '.')
        diag_hint(frame->diagnostics, "CUDA's '%s' is '%s' in PTX", word, cuda->ptx + 1);
    else if (!diag_suggest(frame->diagnostics, token_nearest(token, part_names, PART_COUNT)))
        diag_hint(frame->diagnostics,
                  "a place is 'cta n', 'cluster n', 'grid n' and 'gpu n', or 'host'");
    return false;
}

// part = ("cta" | "cluster" | "grid" | "gpu") integer | "host"
static bool parse_part(struct frame *frame, struct place *place, unsigned *seen) {
    const struct token *token = frame_current(frame);
    enum place_part part = part_of(token);
    if (part == 0)
        return error_unknown_part(frame, token);
    frame_next(frame);
    if (*seen & part)
        return diag_error(frame->diagnostics, token->span, "'%s' is given twice",
                          frame_span_text(frame, token->span));
    *seen |= part;
    switch (part) {
    case PART_HOST: place->host = true; return true;
    case PART_CLUSTER:
        place->has_cluster = true;
        return frame_parse_unsigned(frame, "the number of a cluster", &place->cluster);
    case PART_GPU: return frame_parse_unsigned(frame, "the number of a GPU", &place->gpu);
    case PART_GRID: return frame_parse_unsigned(frame, "the number of a grid", &place->grid);
    case PART_CTA: return frame_parse_unsigned(frame, "the number of a CTA", &place->cta);
    }
    return false;
}

// place = "@" part ("," part)*
static bool parse_place(struct frame *frame, struct place *place) {
    unsigned seen = 0;
    const struct token *first = frame_current(frame);
    do
        if (!parse_part(frame, place, &seen))
            return false;
    while (frame_accept_punct(frame, ','));
    place->span = span_join(first->span, frame_after_previous(frame));
    if (place->host && seen != PART_HOST)
        return diag_error(frame->diagnostics, place->span, "a host thread has no other place");
    if (!(seen & (PART_CTA | PART_HOST))) {
        diag_error(frame->diagnostics, place->span, "this placement does not name a CTA");
        diag_hint(frame->diagnostics,
                  "'cta n' is needed; 'cluster n', 'grid n' and 'gpu n' can be left out");
        return false;
    }
    return true;
}

// name = "P" n
static bool parse_thread_name(struct frame *frame, struct thread *thread) {
    const struct token *name = frame_current(frame);
    if (!frame_word_number(name, "P", &thread->number)) {
        frame_error_expected(frame, "a thread");
        diag_hint(frame->diagnostics, "threads are named P0, P1 and so on: 'P0@cta 0,gpu 0'");
        return false;
    }
    frame_next(frame);
    thread->span = name->span;
    if (thread->number == UINT_MAX)
        return diag_error(frame->diagnostics, name->span, "the number of '%s' is too large",
                          frame_span_text(frame, name->span));
    for (size_t i = 0; i < frame->test->thread_count; i++) {
        const struct thread *other = &frame->test->threads[i];
        if (other->number != thread->number)
            continue;
        diag_error(frame->diagnostics, name->span, "there are two threads '%s'",
                   frame_span_text(frame, name->span));
        diag_hint(frame->diagnostics, "the first one is on line %u", span_line(other->span));
        return false;
    }
    return true;
}

// header = name place
static bool parse_named_place(struct frame *frame, struct thread *thread) {
    if (!parse_thread_name(frame, thread)) {
        frame->threads_failed = true;
        thread->number = UINT_MAX; // no thread's
        return false;
    }
    if (!frame_accept_punct(frame, '@')) {
        diag_error(frame->diagnostics, thread->span, "thread '%s' has no place",
                   frame_span_text(frame, thread->span));
        diag_hint(frame->diagnostics, "write where it runs: '%s@cta 0,gpu 0'",
                  frame_span_text(frame, thread->span));
        return false;
    }
    return parse_place(frame, &thread->place);
}

static bool at_header_end(const struct frame *frame) {
    const struct token *token = frame_current(frame);
    return token->kind == TOKEN_END || token_is_punct(token, '|') || token_is_punct(token, ';') ||
           token_is_punct(token, '{') || token_is_punct(token, PUNCT_OR_OR);
}

bool frame_parse_thread_header(struct frame *frame) {
    struct test *test = frame->test;
    struct thread thread = {0};
    size_t begin = frame->at;
    bool fine = parse_named_place(frame, &thread);
    if (fine && !at_header_end(frame) && !frame_current(frame)->line_start)
        fine = frame_error_expected(frame, "'|', ';' or '{' after a thread's place");
    // A thread that is wrong still has a column, so it is kept; the test is refused anyway.
    if (!fine && frame->at == begin)
        frame_next(frame);
    while (!fine && !at_header_end(frame) && !frame_current(frame)->line_start)
        frame_next(frame);
    ARENA_APPEND(frame->arena, test->threads, test->thread_count, thread);
    ARENA_APPEND(frame->arena, frame->bodies, frame->body_count,
                 (struct frame_body){.failed = !fine});
    return fine;
}
