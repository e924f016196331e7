// The order in which a test's grids are launched (litmus-format.md, Grids): which of them starts
// when another one is complete, and which may start before that.
#include "litmus/readers/frame.h"
#include "litmus/readers/threads.h"

#include "litmus/source/arena.h"

// Whether a grid comes after another one, directly or through others, in whatever way.
static bool comes_after(const struct test *test, unsigned grid, unsigned after) {
    for (size_t i = 0; i < test->grid_order_count; i++)
        if (test->grid_orders[i].grid == grid &&
            (test->grid_orders[i].after == after ||
             comes_after(test, test->grid_orders[i].after, after)))
            return true;
    return false;
}

bool frame_add_grid_order(struct frame *frame, const struct grid_order *order) {
    struct test *test = frame->test;
    for (size_t i = 0; i < test->grid_order_count; i++)
        if (test->grid_orders[i].grid == order->grid && test->grid_orders[i].after == order->after)
            return diag_error(frame->diagnostics, order->span, "grid %u is after grid %u already",
                              order->grid, order->after);
    if (order->grid == order->after || comes_after(test, order->after, order->grid))
        return diag_error(frame->diagnostics, order->span, "grid %u cannot be after itself",
                          order->grid);
    ARENA_APPEND(frame->arena, test->grid_orders, test->grid_order_count, *order);
    return true;
}

static bool accept_word(struct frame *frame, const char *word) {
    if (!token_is(frame_current(frame), word))
        return false;
    frame_next(frame);
    return true;
}

// order = "grid" integer "after" integer ("," integer)* "programmatic"?
static bool parse_order(struct frame *frame) {
    struct test *test = frame->test;
    struct grid_order order = {.span = frame_next(frame)->span};
    size_t first = test->grid_order_count;
    if (!frame_parse_unsigned(frame, "the number of a grid", &order.grid))
        return false;
    if (!accept_word(frame, "after"))
        return frame_error_expected(frame, "'after' and the number of another grid");
    do {
        if (!frame_parse_unsigned(frame, "the number of a grid", &order.after))
            return false;
        order.span = span_join(order.span, frame_after_previous(frame));
        if (!frame_add_grid_order(frame, &order))
            return false;
    } while (frame_accept_punct(frame, ','));
    bool is_programmatic = accept_word(frame, "programmatic");
    for (size_t i = first; i < test->grid_order_count; i++)
        test->grid_orders[i].is_programmatic = is_programmatic;
    return true;
}

// grids = order ";". A variable may have this name: `grid = 0;`.
bool frame_parse_grids(struct frame *frame) {
    const struct token *next = frame_peek(frame, 1);
    if (!token_is(frame_current(frame), "grid") || next->kind == TOKEN_END || next->line_start ||
        token_is_punct(next, '=') || token_is_punct(next, ';') || token_is_punct(next, '['))
        return false;
    if (parse_order(frame)) {
        if (!frame_accept_punct(frame, ';'))
            frame_error_expected(frame, "'programmatic' or ';'");
        return true;
    }
    while (frame_current(frame)->kind != TOKEN_END && !frame_current(frame)->line_start &&
           !frame_accept_punct(frame, ';'))
        frame_next(frame);
    return true;
}

// --- When the threads are known ----------------------------------------------------------------

static bool has_threads(const struct test *test, unsigned grid) {
    for (size_t i = 0; i < test->thread_count; i++)
        if (!test->threads[i].place.host && test->threads[i].place.grid == grid)
            return true;
    return false;
}

static void check_gpu(struct frame *frame, size_t thread) {
    const struct test *test = frame->test;
    const struct place *place = &test->threads[thread].place;
    for (size_t i = 0; i < thread; i++) {
        const struct place *other = &test->threads[i].place;
        if (other->host || place->host || other->grid != place->grid || other->gpu == place->gpu)
            continue;
        diag_error(frame->diagnostics, place->span,
                   "grid %u is on GPU %u and on GPU %u, and a grid is on one", place->grid,
                   other->gpu, place->gpu);
        return;
    }
}

// What is wrong with a thread's header is said already.
static bool has_failed_threads(const struct frame *frame) {
    for (size_t i = 0; i < frame->body_count; i++)
        if (frame->bodies[i].failed)
            return true;
    return frame->threads_failed;
}

void frame_check_grids(struct frame *frame) {
    const struct test *test = frame->test;
    if (test->grid_order_count == 0 || has_failed_threads(frame))
        return;
    for (size_t i = 0; i < test->grid_order_count; i++) {
        const struct grid_order *order = &test->grid_orders[i];
        bool first = has_threads(test, order->after);
        if (first && has_threads(test, order->grid))
            continue;
        diag_error(frame->diagnostics, order->span, "no thread is in grid %u",
                   first ? order->grid : order->after);
        diag_hint(frame->diagnostics,
                  "'P0@grid %u,cta 0' places one there; without 'grid' a "
                  "thread is in grid 0",
                  first ? order->grid : order->after);
    }
    for (size_t i = 0; i < test->thread_count; i++)
        check_gpu(frame, i);
}
