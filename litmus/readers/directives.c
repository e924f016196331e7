// Directives that a test may have among its declarations: those with which a PTX module starts,
// what version and target it is written for (PTX ISA 11.1), and those without effect. (Those that
// are ours: schedule.c.)
#include "litmus/readers/declarations.h"
#include "litmus/readers/frame.h"
#include "litmus/readers/threads.h"

#include "litmus/ptx/target.h"

#include <string.h>

static bool error_twice(struct frame *frame, const struct token *directive) {
    return diag_error(frame->diagnostics, directive->span, "a test has only one '%s'",
                      frame_span_text(frame, directive->span));
}

// version = ".version" major "." minor
static bool parse_version(struct frame *frame, const struct token *directive) {
    struct test *test = frame->test;
    const struct token *number = frame_current(frame);
    const char *text = frame_span_text(frame, number->span);
    if (test->directives.version != 0)
        return error_twice(frame, directive);
    if (number->kind != TOKEN_FLOAT)
        return frame_error_expected(frame, "a version such as 8.0");
    frame_next(frame);
    bool good = strlen(text) == 3 && text[1] == '.';
    unsigned version = good ? (unsigned)((text[0] - '0') * 10 + (text[2] - '0')) : 0;
    if (!ptx_is_version(version)) {
        diag_error(frame->diagnostics, number->span, "PTX ISA %s is not read", text);
        diag_hint(frame->diagnostics, "from %u.%u, the first with a memory model, to %u.%u",
                  PTX_OLDEST / 10, PTX_OLDEST % 10, PTX_NEWEST / 10, PTX_NEWEST % 10);
        return false;
    }
    test->directives.version = version;
    test->directives.version_span = span_join(directive->span, number->span);
    return true;
}

// target = ".target" architecture ("," option)*. The options have no effect that a test could see.
static bool parse_target(struct frame *frame, const struct token *directive) {
    struct test *test = frame->test;
    if (test->directives.target)
        return error_twice(frame, directive);
    if (frame_current(frame)->kind != TOKEN_WORD)
        return frame_error_expected(frame, "a target such as sm_90");
    test->directives.target_span = frame_current(frame)->span;
    test->directives.target = token_text(frame->arena, frame_next(frame));
    while (frame_accept_punct(frame, ',')) {
        const struct token *option = frame_current(frame);
        if (!token_is(option, "debug") && !token_is(option, "texmode_unified") &&
            !token_is(option, "texmode_independent"))
            return frame_error_expected(frame,
                                        "'texmode_unified', 'texmode_independent' or 'debug'");
        frame_next(frame);
    }
    return true;
}

// address_size = ".address_size" "64"
static bool parse_address_size(struct frame *frame) {
    struct constant size;
    if (!frame_parse_constant(frame, "64", &size))
        return false;
    if (size.value.low == 64 && size.value.high == 0)
        return true;
    return diag_error(frame->diagnostics, size.span, "addresses have 64 bits");
}

static void skip_line(struct frame *frame) {
    do
        frame_next(frame);
    while (frame_current(frame)->kind != TOKEN_END && !frame_current(frame)->line_start);
}

// What compilers leave for debuggers and for themselves (PTX ISA 11.4, 11.5): a `.file` ends with
// its line, a `.pragma` with its ';', and a `.section` with its braces.
static bool skip_directive(struct frame *frame) {
    const struct token *token = frame_current(frame), *opener;
    if (token_is(token, ".file")) {
        skip_line(frame);
        return true;
    }
    if (token_is(token, ".pragma") && frame_peek(frame, 1)->kind == TOKEN_STRING) {
        frame_next(frame);
        frame_next(frame);
        return true;
    }
    if (!token_is(token, ".section"))
        return false;
    frame_next(frame);
    if (frame_current(frame)->kind == TOKEN_QUALIFIER || frame_current(frame)->kind == TOKEN_WORD)
        frame_next(frame);
    opener = frame_current(frame);
    if (!frame_accept_punct(frame, '{')) {
        frame_error_expected(frame, "the name of a section and '{'");
        skip_line(frame);
        return true;
    }
    while (frame_current(frame)->kind != TOKEN_END && !token_is_punct(frame_current(frame), '}'))
        frame_next(frame);
    if (!frame_accept_punct(frame, '}'))
        diag_error(frame->diagnostics, opener->span, "this '{' is never closed");
    return true;
}

bool frame_parse_directive(struct frame *frame) {
    const struct token *token = frame_current(frame);
    if (frame_parse_schedule(frame) || frame_parse_grids(frame) || skip_directive(frame))
        return true;
    bool version = token_is(token, ".version"), target = token_is(token, ".target");
    if (!version && !target && !token_is(token, ".address_size"))
        return false;
    frame_next(frame);
    bool fine = version  ? parse_version(frame, token)
                : target ? parse_target(frame, token)
                         : parse_address_size(frame);
    while (!fine && frame_current(frame)->kind != TOKEN_END && !frame_current(frame)->line_start)
        frame_next(frame);
    if (fine && !frame_current(frame)->line_start && !token_is_punct(frame_current(frame), ';') &&
        !token_is_punct(frame_current(frame), '}'))
        frame_error_expected(frame, "the end of the line");
    return true;
}
