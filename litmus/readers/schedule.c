// What a test says of its schedule: how it is launched, which promise of forward progress it is
// about, and whether waits give up after a time (litmus-format.md, Launch).
#include "litmus/readers/frame.h"
#include "litmus/readers/threads.h"

#include "litmus/schedule.h"

#include <assert.h>

static const char *text_of(const struct token *token) {
    return token->span.source->text + token->span.begin;
}

static size_t length_of(const struct token *token) {
    return token->span.end - token->span.begin;
}

static void skip_statement(struct frame *frame) {
    while (frame_current(frame)->kind != TOKEN_END && !frame_current(frame)->line_start &&
           !frame_accept_punct(frame, ';'))
        frame_next(frame);
}

// Only what CUDA promises depends on how a test is launched.
static void check_cooperative(struct frame *frame, struct span span) {
    const struct test *test = frame->test;
    if (!test->is_cooperative || test->promise.progress == PROGRESS_OFF ||
        test->promise.progress == PROGRESS_CUDA)
        return;
    diag_error(frame->diagnostics, span,
               "'launch cooperative' makes a difference only to what cuda promises, and the test "
               "has another 'progress'");
}

// --- launch ------------------------------------------------------------------------------------

// launch = "launch" "cooperative"
static bool parse_launch(struct frame *frame) {
    const struct token *word = frame_next(frame), *how = frame_current(frame);
    struct span span = span_join(word->span, how->span);
    if (!token_is(how, "cooperative"))
        return frame_error_expected(frame, "'cooperative'");
    frame_next(frame);
    if (frame->test->is_cooperative)
        diag_error(frame->diagnostics, span, "a test has only one 'launch'");
    frame->test->is_cooperative = true;
    check_cooperative(frame, span);
    return true;
}

// --- progress ----------------------------------------------------------------------------------

static bool refuse_rule(struct frame *frame) {
    static const char *const names[] = {"fair", "hsa", "hsa_obe", "obe", "lobe", "unfair"};
    const struct token *word = frame_current(frame);
    frame_error_expected(frame, "'fair', 'hsa', 'hsa_obe', 'obe', 'lobe' or 'unfair'");
    if (token_is(word, "cuda"))
        diag_hint(frame->diagnostics, "what cuda promises is of all levels: 'progress cuda'");
    else
        diag_suggest(frame->diagnostics,
                     token_nearest(word, names, sizeof names / sizeof names[0]));
    return false;
}

// level = ("cluster" | "cta" | "warp" | "thread") "=" rule
static bool parse_level(struct frame *frame, struct schedule *schedule) {
    const struct token *word = frame_current(frame);
    enum schedule_level level = schedule_find_level(text_of(word), length_of(word));
    if (level == LEVEL_GRID)
        return frame_error_expected(frame, "a level: 'cluster', 'cta', 'warp' or 'thread'");
    frame_next(frame);
    if (!frame_expect(frame, '=', "'=' and the rule of the level"))
        return false;
    const struct token *rule = frame_current(frame);
    if (schedule_find_rule(text_of(rule), length_of(rule)) == RULE_NONE)
        return refuse_rule(frame);
    frame_next(frame);
    if (schedule->rules[level] != RULE_NONE)
        diag_error(frame->diagnostics, span_join(word->span, rule->span),
                   "the level '%s' has a rule already", schedule_level_name(level));
    schedule->rules[level] = schedule_find_rule(text_of(rule), length_of(rule));
    return true;
}

static bool refuse_promise(struct frame *frame) {
    static const char *const names[] = {"cuda", "fair", "hsa",     "hsa_obe", "obe",   "lobe",
                                        "warp", "cta",  "cluster", "unfair",  "thread"};
    const struct token *word = frame_current(frame);
    frame_error_expected(frame,
                         "'cuda', 'fair', 'hsa', 'hsa_obe', 'obe', 'lobe', 'unfair' or rules by "
                         "level such as 'cluster=obe, thread=fair'");
    diag_suggest(frame->diagnostics, token_nearest(word, names, sizeof names / sizeof names[0]));
    return false;
}

// promise = "cuda" | rule | level ("," level)*
static bool parse_promise(struct frame *frame) {
    struct test *test = frame->test;
    const struct token *word = frame_current(frame);
    enum promise progress = progress_find(text_of(word), length_of(word));
    test->promise.schedule = (struct schedule){.serves_hosts = true};
    if (progress != PROGRESS_OFF) {
        frame_next(frame);
        test->promise.progress = progress;
        return true;
    }
    if (schedule_find_level(text_of(word), length_of(word)) == LEVEL_GRID)
        return refuse_promise(frame);
    test->promise.progress = PROGRESS_LEVELS;
    do
        if (!parse_level(frame, &test->promise.schedule))
            return false;
    while (frame_accept_punct(frame, ','));
    return true;
}

// progress = "progress" promise
static bool parse_progress(struct frame *frame) {
    const struct token *word = frame_next(frame);
    bool again = frame->test->promise.progress != PROGRESS_OFF;
    if (!parse_promise(frame))
        return false;
    assert(frame->test->promise.progress != PROGRESS_OFF);
    struct span last = frame_after_previous(frame);
    frame->test->promise.span = span_join(word->span, last);
    if (again)
        diag_error(frame->diagnostics, frame->test->promise.span, "a test has only one 'progress'");
    check_cooperative(frame, frame->test->promise.span);
    return true;
}

// --- assume ------------------------------------------------------------------------------------

// assume = "assume" "no" "timeouts"
static bool parse_assumption(struct frame *frame) {
    static const char *const words[] = {"no", "timeouts"};
    const struct token *word = frame_next(frame), *what = word;
    for (unsigned i = 0; i < 2; i++) {
        if (!token_is(frame_current(frame), words[i]))
            return frame_error_expected(frame, i == 0 ? "'no timeouts'" : "'timeouts'");
        what = frame_next(frame);
    }
    if (frame->test->no_timeouts)
        diag_error(frame->diagnostics, span_join(word->span, what->span),
                   "a test assumes this only once");
    frame->test->no_timeouts = true;
    return true;
}

bool frame_parse_schedule_words(struct frame *frame) {
    if (token_is(frame_current(frame), "assume"))
        return parse_assumption(frame);
    return token_is(frame_current(frame), "launch") ? parse_launch(frame) : parse_progress(frame);
}

static bool begins_schedule(const struct token *token) {
    return token_is(token, "launch") || token_is(token, "progress") || token_is(token, "assume");
}

// schedule = (launch | progress | assume) ";". A variable may have these names: `progress = 0;`.
bool frame_parse_schedule(struct frame *frame) {
    if (!begins_schedule(frame_current(frame)) || frame_peek(frame, 1)->kind != TOKEN_WORD ||
        frame_peek(frame, 1)->line_start)
        return false;
    if (!frame_parse_schedule_words(frame)) {
        skip_statement(frame);
        return true;
    }
    if (!frame_accept_punct(frame, ';'))
        frame_error_expected(frame, "';'");
    return true;
}
