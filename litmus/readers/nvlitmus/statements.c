// What declarations, commands and instructions share: how they end, and where to go on after an
// error.
#include "litmus/readers/nvlitmus/nvlitmus.h"

const char *nvlitmus_thread_name(struct nvlitmus *parser, int thread) {
    return frame_span_text(&parser->frame, parser->frame.test->threads[thread].span);
}

bool nvlitmus_end(struct nvlitmus *parser, const char *what) {
    struct frame *frame = &parser->frame;
    const struct token *token = frame_current(frame);
    if (frame_accept_punct(frame, ';'))
        return true;
    if (!token->line_start && token->kind != TOKEN_END && !token_is_punct(token, '}'))
        return frame_error_expected(frame, "';'");
    diag_error(frame->diagnostics, frame_after_previous(frame),
               "a ';' is missing at the end of this %s", what);
    return true;
}

void nvlitmus_skip(struct nvlitmus *parser) {
    struct frame *frame = &parser->frame;
    while (frame_current(frame)->kind != TOKEN_END && !frame_accept_punct(frame, ';')) {
        frame_next(frame);
        if (frame_current(frame)->line_start || token_is_punct(frame_current(frame), '}'))
            return;
    }
}
