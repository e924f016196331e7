// What a test expects of its result.
#include "litmus/readers/frame.h"
#include "litmus/readers/tail.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// What an expectation is about. Two about one thing cannot both come true, nor can a verdict, which
// is about outcomes, and that there is none.
enum subject {
    SUBJECT_VERDICT,
    SUBJECT_RACE,
    SUBJECT_HANG,
    SUBJECT_TRAP,
    SUBJECT_END,
    SUBJECT_OUTCOME
};

static enum subject subject_of(enum expectation what) {
    switch (what) {
    case EXPECT_ALLOWED:
    case EXPECT_FORBIDDEN:
    case EXPECT_ALWAYS: return SUBJECT_VERDICT;
    case EXPECT_RACE:
    case EXPECT_NO_RACE: return SUBJECT_RACE;
    case EXPECT_HANG:
    case EXPECT_NO_HANG: return SUBJECT_HANG;
    case EXPECT_TRAP:
    case EXPECT_NO_TRAP: return SUBJECT_TRAP;
    case EXPECT_TERMINATES:
    case EXPECT_MAY_HANG: return SUBJECT_END;
    default: return SUBJECT_OUTCOME;
    }
}

static bool contradict(enum expectation a, enum expectation b) {
    if (a != b && subject_of(a) == subject_of(b))
        return true;
    return (a == EXPECT_UNREACHABLE && subject_of(b) == SUBJECT_VERDICT) ||
           (b == EXPECT_UNREACHABLE && subject_of(a) == SUBJECT_VERDICT);
}

static bool add_expected(struct frame *frame, enum expectation what, struct span span) {
    assert(span.begin <= span.end);
    struct test *test = frame->test;
    const char *text = expectation_text(what);
    for (size_t i = 0; i < test->expected_count; i++) {
        const struct test_expected *other = &test->expected[i];
        if (other->what != what && !contradict(other->what, what))
            continue;
        if (other->what == what)
            diag_error(frame->diagnostics, span, "'%s' is expected twice", text);
        else if (subject_of(what) == SUBJECT_VERDICT && subject_of(other->what) == SUBJECT_VERDICT)
            diag_error(frame->diagnostics, span, "'%s' is a second verdict: the test expects '%s'",
                       text, expectation_text(other->what));
        else
            diag_error(frame->diagnostics, span, "'%s' contradicts '%s'", text,
                       expectation_text(other->what));
        diag_hint(frame->diagnostics, "'%s' is on line %u", expectation_text(other->what),
                  span_line(other->span));
        return true; // what follows can be read all the same
    }
    ARENA_APPEND(frame->arena, test->expected, test->expected_count,
                 (struct test_expected){what, span});
    return true;
}

// The second word of "no race", the first of "race".
static const char *last_word(enum expectation what) {
    const char *text = expectation_text(what), *space = strchr(text, ' ');
    return space ? space + 1 : text;
}

// An error at a word that is none, after "no" or without it.
static bool refuse_word(struct frame *frame, bool no) {
    const struct token *token = frame_current(frame);
    const char *words[EXPECTATION_COUNT];
    size_t count = 0;
    for (int i = 0; i < EXPECTATION_COUNT; i++) {
        bool has_no = last_word((enum expectation)i) != expectation_text((enum expectation)i);
        if (has_no == no)
            words[count++] = last_word((enum expectation)i);
    }
    frame_error_expected(frame, no ? "'race', 'hang' or 'trap' after 'no'"
                                   : "'allowed', 'forbidden', 'always', 'race', 'no race', 'hang', "
                                     "'no hang', 'trap', 'no trap', 'reachable', 'unreachable', "
                                     "'terminates' or 'may-hang'");
    diag_suggest(frame->diagnostics, token_nearest(token, words, count));
    return false;
}

// expected = "allowed" | "forbidden" | "always" | "no"? ("race" | "hang" | "trap")
//          | "reachable" | "unreachable" | "terminates" | "may-hang"
static bool parse_expected(struct frame *frame) {
    const struct token *first = frame_current(frame);
    if (token_is(first, "may") && token_is_punct(frame_peek(frame, 1), '-') &&
        token_is(frame_peek(frame, 2), "hang")) {
        frame_next(frame);
        frame_next(frame);
        return add_expected(frame, EXPECT_MAY_HANG,
                            span_join(first->span, frame_next(frame)->span));
    }
    bool no = token_is(first, "no");
    if (no)
        frame_next(frame);
    const struct token *word = frame_current(frame);
    for (int i = 0; i < EXPECTATION_COUNT; i++) {
        enum expectation what = (enum expectation)i;
        bool has_no = last_word(what) != expectation_text(what);
        if (has_no != no || !token_is(word, last_word(what)))
            continue;
        frame_next(frame);
        return add_expected(frame, what, span_join(first->span, word->span));
    }
    return refuse_word(frame, no);
}

// list = expected ("," expected)* ";"?
static bool parse_list(struct frame *frame) {
    for (;;) {
        if (!parse_expected(frame))
            return false;
        if (!frame_accept_punct(frame, ','))
            break;
    }
    if (frame_accept_punct(frame, ';') || frame_current(frame)->kind == TOKEN_END ||
        frame_current(frame)->line_start)
        return true;
    return frame_error_expected(frame, "',' or ';'");
}

// expect = "expect" list
bool frame_parse_expect(struct frame *frame) {
    frame_next(frame);
    return parse_list(frame);
}

bool test_read_expected(struct arena *arena, const struct source *source, uint32_t begin,
                        uint32_t end, struct diagnostics *diagnostics, struct test *test) {
    size_t errors = diagnostics->error_count;
    struct frame frame = {.arena = arena, .diagnostics = diagnostics, .test = test};
    frame.reader = (struct reader){.arena = arena, .diagnostics = diagnostics, .test = test};
    frame.tokens = lexer_tokens(arena, source, begin, end, diagnostics, &frame.count);
    if (diagnostics->error_count > errors || !parse_list(&frame))
        return false;
    if (frame_current(&frame)->kind == TOKEN_END)
        return diagnostics->error_count == errors;
    return frame_error_expected(&frame, "the end of the line");
}
