// The two layouts of threads: a table with one column per thread, and one block per thread. Both
// only collect the tokens of each body; ptx_parse_body and dat3m_parse_body make sense of them.
#include "litmus/readers/frame.h"
#include "litmus/readers/threads.h"

#include "litmus/source/arena.h"

static void add_token(struct frame *frame, struct frame_body *body, struct token token) {
    ARENA_APPEND(frame->arena, body->tokens, body->count, token);
}

static void end_body(struct frame *frame, size_t index) {
    struct frame_body *body = &frame->bodies[index];
    struct span last =
        body->count ? body->tokens[body->count - 1].span : frame->test->threads[index].span;
    add_token(frame, body, (struct token){.kind = TOKEN_END, .span = span_after(last)});
}

static void fail_bodies(struct frame *frame) {
    for (size_t i = 0; i < frame->body_count; i++)
        frame->bodies[i].failed = true;
}

// --- The table ---------------------------------------------------------------------------------

struct row {
    size_t begin, end; // tokens, without the ';'
    size_t cells;
    struct span excess; // the first '|' too many
};

static size_t bars(const struct token *token) {
    if (token_is_punct(token, PUNCT_OR_OR))
        return 2; // an empty cell without a space in it
    return token_is_punct(token, '|');
}

static bool line_has_bar(const struct frame *frame) {
    for (size_t ahead = 0;; ahead++) {
        const struct token *token = frame_peek(frame, ahead);
        if (token->kind == TOKEN_END || token_is_punct(token, ';') ||
            (ahead > 0 && token->line_start))
            return false;
        if (bars(token))
            return true;
    }
}

// Whether the row ended without a ';' before the current token, which starts a line: the row has
// all its cells, unless the line before ends in a '|' and this one is the last cell.
static bool row_broken(const struct frame *frame, const struct row *row) {
    if (frame->at == row->begin || !frame_current(frame)->line_start)
        return false;
    if (frame_may_be_at_tail(frame))
        return true;
    return row->cells >= frame->test->thread_count &&
           (bars(&frame->tokens[frame->at - 1]) == 0 || line_has_bar(frame));
}

// row = cell ("|" cell)* ";"
static struct row scan_row(struct frame *frame) {
    struct row row = {.begin = frame->at, .cells = 1};
    for (;;) {
        const struct token *token = frame_current(frame);
        row.end = frame->at;
        if (frame_accept_punct(frame, ';'))
            return row;
        if (token->kind == TOKEN_END || row_broken(frame, &row)) {
            diag_error(frame->diagnostics, frame_after_previous(frame),
                       "a ';' is missing at the end of this row");
            return row;
        }
        row.cells += bars(token);
        if (bars(token) && row.cells > frame->test->thread_count && !row.excess.source)
            row.excess = token->span;
        frame_next(frame);
    }
}

static void end_cell(struct frame *frame, struct frame_body *body, size_t first) {
    if (body->count == first)
        return;
    struct span end = span_after(body->tokens[body->count - 1].span);
    add_token(frame, body, (struct token){.kind = TOKEN_PUNCT, .punct = ';', .span = end});
}

static void deal_row(struct frame *frame, const struct row *row) {
    struct frame_body *body = frame->bodies;
    size_t first = body->count; // of this cell
    for (size_t i = row->begin; i < row->end; i++) {
        size_t steps = bars(&frame->tokens[i]);
        if (steps == 0) {
            add_token(frame, body, frame->tokens[i]);
            continue;
        }
        end_cell(frame, body, first);
        body += steps;
        first = body->count;
    }
    end_cell(frame, body, first);
}

static bool row_has_setp(const struct frame *frame, const struct row *row) {
    for (size_t i = row->begin; i < row->end; i++)
        if (token_is(&frame->tokens[i], "setp"))
            return true;
    return false;
}

static void error_cell_count(struct frame *frame, const struct row *row, unsigned number) {
    size_t threads = frame->test->thread_count;
    bool excess = row->excess.source;
    struct span end = frame->tokens[row->end].span;
    if (row->end > row->begin && !token_is_punct(&frame->tokens[row->end], ';'))
        end = span_after(frame->tokens[row->end - 1].span);
    diag_error(frame->diagnostics, excess ? row->excess : end,
               "row %u of the table has %zu cell%s, but there %s %zu thread%s", number, row->cells,
               row->cells == 1 ? "" : "s", threads == 1 ? "is" : "are", threads,
               threads == 1 ? "" : "s");
    if (excess && row_has_setp(frame, row))
        diag_hint(frame->diagnostics, "the two results of 'setp p|q' can only be written in the "
                                      "block form, 'P0@cta 0 { ... }'");
    else
        diag_hint(frame->diagnostics, "a '|' separates two cells; a thread without an instruction "
                                      "in this row has an empty cell");
}

static void parse_rows(struct frame *frame) {
    for (unsigned number = 1;; number++) {
        if (frame_current(frame)->kind == TOKEN_END || frame_may_be_at_tail(frame))
            break;
        struct row row = scan_row(frame);
        if (row.cells == frame->test->thread_count) {
            deal_row(frame, &row);
        } else {
            error_cell_count(frame, &row, number);
            fail_bodies(frame);
        }
    }
    for (size_t i = 0; i < frame->body_count; i++)
        end_body(frame, i);
}

// --- Blocks ------------------------------------------------------------------------------------

// Whether something that no body holds starts at this line: then a '}' was forgotten.
static bool block_broken(const struct frame *frame) {
    const struct token *token = frame_current(frame);
    unsigned number;
    if (token->kind == TOKEN_END)
        return true;
    return token->line_start &&
           (frame_at_tail(frame) ||
            (frame_word_number(token, "P", &number) && token_is_punct(frame_peek(frame, 1), '@')));
}

// block = "{" body "}" ";"?
static void parse_block(struct frame *frame) {
    size_t index = frame->body_count - 1;
    const struct token *opener = frame_next(frame);
    for (unsigned depth = 1;; frame_next(frame)) {
        const struct token *token = frame_current(frame);
        if (block_broken(frame)) {
            diag_error(frame->diagnostics, opener->span, "this '{' is never closed");
            if (token->kind == TOKEN_END)
                diag_hint(frame->diagnostics, "a '}' ends the body of a thread");
            else
                diag_hint(frame->diagnostics, "a '}' is missing before line %u",
                          span_line(token->span));
            break;
        }
        if (token_is_punct(token, '{'))
            depth++;
        if (token_is_punct(token, '}') && --depth == 0) {
            frame_next(frame);
            break;
        }
        add_token(frame, &frame->bodies[index], *token);
    }
    frame_accept_punct(frame, ';');
    end_body(frame, index);
}

static void skip_to_thread(struct frame *frame) {
    do
        frame_next(frame);
    while (frame_current(frame)->kind != TOKEN_END &&
           !(frame_current(frame)->line_start &&
             (frame_at_thread_header(frame) || frame_may_be_at_tail(frame))));
}

// --- Both --------------------------------------------------------------------------------------

static bool too_many_threads(struct frame *frame) {
    if (frame->test->thread_count < THREADS_MAX)
        return false;
    diag_error(frame->diagnostics, frame_current(frame)->span, "a test has at most %d threads",
               THREADS_MAX);
    return true;
}

// blocks = (header block)+
static bool parse_blocks(struct frame *frame) {
    for (;;) {
        if (token_is_punct(frame_current(frame), '{')) {
            parse_block(frame);
        } else {
            frame_error_expected(frame, "'{' before the thread's body");
            end_body(frame, frame->body_count - 1);
            frame->bodies[frame->body_count - 1].failed = true;
            skip_to_thread(frame);
        }
        if (frame_current(frame)->kind == TOKEN_END || frame_may_be_at_tail(frame))
            return true;
        if (!frame_at_thread_header(frame)) {
            frame_error_expected(frame, "a thread or the condition");
            skip_to_thread(frame);
            if (!frame_at_thread_header(frame))
                return true;
        }
        if (too_many_threads(frame))
            return false;
        frame_parse_thread_header(frame);
    }
}

// table = header ("|" header)* ";" row*
static bool parse_table(struct frame *frame) {
    while (frame_accept_punct(frame, '|')) {
        if (too_many_threads(frame))
            return false;
        frame_parse_thread_header(frame);
    }
    if (!frame_accept_punct(frame, ';')) {
        diag_error(frame->diagnostics, frame_after_previous(frame),
                   "a ';' is missing at the end of the table's header");
        diag_hint(frame->diagnostics, "a '|' separates two threads, and a ';' follows the last; "
                                      "in the block form a '{' follows each thread");
        if (!frame_current(frame)->line_start) { // what follows is not a table
            fail_bodies(frame);
            skip_to_thread(frame);
        }
    }
    parse_rows(frame);
    return true;
}

bool frame_parse_threads(struct frame *frame) {
    if (!frame_at_thread_header(frame)) {
        struct span span = frame_current(frame)->span;
        if (frame_current(frame)->kind == TOKEN_END)
            span = frame_after_previous(frame);
        diag_error(frame->diagnostics, span, "the test has no threads");
        diag_hint(frame->diagnostics, "a thread starts with its name and place: 'P0@cta 0,gpu 0'");
        frame->threads_failed = true;
        return true;
    }
    frame_parse_thread_header(frame);
    bool block = token_is_punct(frame_current(frame), '{');
    if (!block && frame->test->dialect == DIALECT_CPP) {
        frame_error_expected(frame, "'{': the statements of a thread in C++ are in braces");
        fail_bodies(frame);
        skip_to_thread(frame);
        return false;
    }
    return block ? parse_blocks(frame) : parse_table(frame);
}
