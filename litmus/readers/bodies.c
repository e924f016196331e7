// The two layouts of threads: a table with a column a thread, and a block a thread. Both only
// collect the tokens of each body; ptx_parse_body and dat3m_parse_body make sense of them.
#include "litmus/readers/parse.h"

#include "litmus/source/arena.h"

static void add_token(struct parser *parser, struct body *body, struct token token) {
    body->tokens = arena_grow(parser->arena, body->tokens, body->count, sizeof(token));
    body->tokens[body->count++] = token;
}

static struct span behind(struct span span) {
    span.begin = span.end;
    return span;
}

static void end_body(struct parser *parser, size_t index) {
    struct body *body = &parser->bodies[index];
    struct span last =
        body->count ? body->tokens[body->count - 1].span : parser->test->threads[index].span;
    add_token(parser, body, (struct token){.kind = TOKEN_END, .span = behind(last)});
}

static void fail_bodies(struct parser *parser) {
    for (size_t i = 0; i < parser->body_count; i++)
        parser->bodies[i].failed = true;
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

// Whether the row ended without a ';' before the current token, which starts a line.
static bool row_broken(const struct parser *parser, const struct row *row) {
    if (parser->at == row->begin || !current_token(parser)->line_start)
        return false;
    bool complete =
        row->cells >= parser->test->thread_count && bars(&parser->tokens[parser->at - 1]) == 0;
    return complete || at_tail(parser) || nearest_tail_word(parser);
}

// row = cell ("|" cell)* ";"
static struct row scan_row(struct parser *parser) {
    struct row row = {.begin = parser->at, .cells = 1};
    for (;;) {
        const struct token *token = current_token(parser);
        row.end = parser->at;
        if (accept_punct(parser, ';'))
            return row;
        if (token->kind == TOKEN_END || row_broken(parser, &row)) {
            diag_error(parser->diagnostics, behind_previous(parser),
                       "a ';' is missing at the end of this row");
            return row;
        }
        row.cells += bars(token);
        if (bars(token) && row.cells > parser->test->thread_count && !row.excess.source)
            row.excess = token->span;
        next_token(parser);
    }
}

static void end_cell(struct parser *parser, struct body *body, size_t first) {
    if (body->count == first)
        return;
    struct span end = behind(body->tokens[body->count - 1].span);
    add_token(parser, body, (struct token){.kind = TOKEN_PUNCT, .punct = ';', .span = end});
}

static void deal_row(struct parser *parser, const struct row *row) {
    struct body *body = parser->bodies;
    size_t first = body->count; // of this cell
    for (size_t i = row->begin; i < row->end; i++) {
        size_t steps = bars(&parser->tokens[i]);
        if (steps == 0) {
            add_token(parser, body, parser->tokens[i]);
            continue;
        }
        end_cell(parser, body, first);
        body += steps;
        first = body->count;
    }
    end_cell(parser, body, first);
}

static bool row_has_setp(const struct parser *parser, const struct row *row) {
    for (size_t i = row->begin; i < row->end; i++)
        if (token_is(&parser->tokens[i], "setp"))
            return true;
    return false;
}

static void error_cell_count(struct parser *parser, const struct row *row, unsigned number) {
    size_t threads = parser->test->thread_count;
    bool excess = row->excess.source;
    struct span end = parser->tokens[row->end].span;
    if (row->end > row->begin && !token_is_punct(&parser->tokens[row->end], ';'))
        end = behind(parser->tokens[row->end - 1].span);
    diag_error(parser->diagnostics, excess ? row->excess : end,
               "row %u of the table has %zu cell%s, but there %s %zu thread%s", number, row->cells,
               row->cells == 1 ? "" : "s", threads == 1 ? "is" : "are", threads,
               threads == 1 ? "" : "s");
    if (excess && row_has_setp(parser, row))
        diag_hint(parser->diagnostics, "the two results of 'setp p|q' can only be written in the "
                                       "block form, 'P0@cta 0 { ... }'");
    else
        diag_hint(parser->diagnostics,
                  "a '|' stands between two cells; the cell of a thread that does nothing in "
                  "this row is left empty");
}

static void parse_rows(struct parser *parser) {
    for (unsigned number = 1;; number++) {
        if (current_token(parser)->kind == TOKEN_END || at_tail(parser) ||
            nearest_tail_word(parser))
            break;
        struct row row = scan_row(parser);
        if (row.cells == parser->test->thread_count) {
            deal_row(parser, &row);
        } else {
            error_cell_count(parser, &row, number);
            fail_bodies(parser);
        }
    }
    for (size_t i = 0; i < parser->body_count; i++)
        end_body(parser, i);
}

// --- Blocks ------------------------------------------------------------------------------------

// Whether something that no body holds starts at this line: then a '}' was forgotten.
static bool block_broken(const struct parser *parser) {
    const struct token *token = current_token(parser);
    unsigned number;
    if (token->kind == TOKEN_END)
        return true;
    return token->line_start && (at_tail(parser) || (word_number(token, "P", &number) &&
                                                     token_is_punct(peek_token(parser, 1), '@')));
}

// block = "{" body "}" ";"?
static void parse_block(struct parser *parser) {
    size_t index = parser->body_count - 1;
    const struct token *opener = next_token(parser);
    for (unsigned depth = 1;; next_token(parser)) {
        const struct token *token = current_token(parser);
        if (block_broken(parser)) {
            diag_error(parser->diagnostics, opener->span, "this '{' is never closed");
            if (token->kind == TOKEN_END)
                diag_hint(parser->diagnostics, "a '}' ends the body of a thread");
            else
                diag_hint(parser->diagnostics, "a '}' is missing before line %u",
                          source_position(token->span.source, token->span.begin).line);
            break;
        }
        if (token_is_punct(token, '{'))
            depth++;
        if (token_is_punct(token, '}') && --depth == 0) {
            next_token(parser);
            break;
        }
        add_token(parser, &parser->bodies[index], *token);
    }
    accept_punct(parser, ';');
    end_body(parser, index);
}

static void skip_to_thread(struct parser *parser) {
    do
        next_token(parser);
    while (current_token(parser)->kind != TOKEN_END &&
           !(current_token(parser)->line_start &&
             (at_thread_header(parser) || at_tail(parser) || nearest_tail_word(parser))));
}

// --- Both --------------------------------------------------------------------------------------

static bool too_many_threads(struct parser *parser) {
    if (parser->test->thread_count < THREADS_MAX)
        return false;
    diag_error(parser->diagnostics, current_token(parser)->span, "a test has at most %d threads",
               THREADS_MAX);
    return true;
}

// blocks = (header block)+
static bool parse_blocks(struct parser *parser) {
    for (;;) {
        if (token_is_punct(current_token(parser), '{')) {
            parse_block(parser);
        } else {
            error_expected(parser, "'{' before the thread's body");
            end_body(parser, parser->body_count - 1);
            parser->bodies[parser->body_count - 1].failed = true;
            skip_to_thread(parser);
        }
        if (current_token(parser)->kind == TOKEN_END || at_tail(parser) ||
            nearest_tail_word(parser))
            return true;
        if (!at_thread_header(parser)) {
            error_expected(parser, "a thread or the condition");
            skip_to_thread(parser);
            if (!at_thread_header(parser))
                return true;
        }
        if (too_many_threads(parser))
            return false;
        parse_thread_header(parser);
    }
}

// table = header ("|" header)* ";" row*
static bool parse_table(struct parser *parser) {
    while (accept_punct(parser, '|')) {
        if (too_many_threads(parser))
            return false;
        parse_thread_header(parser);
    }
    if (!accept_punct(parser, ';')) {
        diag_error(parser->diagnostics, behind_previous(parser),
                   "a ';' is missing at the end of the table's header");
        diag_hint(parser->diagnostics, "a '|' stands between two threads, a ';' behind the last; "
                                       "in the block form a '{' follows each thread");
        if (!current_token(parser)->line_start) { // what follows is no table
            fail_bodies(parser);
            skip_to_thread(parser);
        }
    }
    parse_rows(parser);
    return true;
}

bool parse_threads(struct parser *parser) {
    if (!at_thread_header(parser)) {
        struct span span = current_token(parser)->span;
        if (current_token(parser)->kind == TOKEN_END)
            span = behind_previous(parser);
        diag_error(parser->diagnostics, span, "the test has no threads");
        diag_hint(parser->diagnostics, "a thread starts with its name and place: 'P0@cta 0,gpu 0'");
        parser->threads_failed = true;
        return true;
    }
    parse_thread_header(parser);
    bool block = token_is_punct(current_token(parser), '{');
    return block ? parse_blocks(parser) : parse_table(parser);
}
