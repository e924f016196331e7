// Spin loops that write in each turn: whether the turns that are left out can be missed.
//
// The exch of a lock writes whenever it is tried. A turn that goes round again is left out with its
// write (program_spin.c). What is left is an execution of the program, with the same values, if no
// read that is kept takes its value from such a write, and no final value is one: relations between
// the events that are kept are the same or smaller. A read that is known to return another
// constant, since its own loop is left on that, does not.

#include "litmus/program/expr_internal.h"
#include "litmus/program/program_internal.h"

bool spin_may_leave_out(const struct event *write) {
    return write->rmw >= 0 && expr_is_const(write->value) && expr_is_false(write->undef);
}

static void note_constant(const struct program *program, const struct expr *equation) {
    for (unsigned i = 0; i < 2; i++) {
        const struct expr *a = equation->args[i], *b = equation->args[1 - i];
        if (a->op == EXPR_READ && expr_is_const(b))
            program->assumed_values[a->index] = b;
    }
}

// The assumption is a conjunction: a list, as deep as the threads have spin loops, of which each
// item may be one itself.
static void find_constants(const struct program *program, const struct expr *assumed) {
    for (; assumed->op == EXPR_AND; assumed = assumed->args[0])
        find_constants(program, assumed->args[1]);
    if (assumed->op == EXPR_EQ)
        note_constant(program, assumed);
}

void spin_find_assumed_values(struct builder *builder) {
    struct program *program = builder->program;
    program->assumed_values =
        ARENA_ARRAY(builder->arena, const struct expr *, program->event_count);
    find_constants(program, program->assumption);
}

static bool overlap(const struct candidate *a, const struct candidate *b) {
    return a->first_cell < b->first_cell + b->cell_count &&
           b->first_cell < a->first_cell + a->cell_count;
}

static bool may_overlap(const struct event *a, const struct event *b) {
    for (size_t i = 0; i < a->candidate_count; i++)
        for (size_t k = 0; k < b->candidate_count; k++)
            if (overlap(&a->candidates[i], &b->candidates[k]))
                return true;
    return false;
}

// Whether two events access the same cells, in every execution in which both are executed.
static bool are_at_one_place(const struct event *a, const struct event *b) {
    return a->candidate_count == 1 && b->candidate_count == 1 &&
           a->candidates[0].first_cell == b->candidates[0].first_cell &&
           a->candidates[0].cell_count == b->candidates[0].cell_count;
}

// Whether a read that is kept may take its value from a write that is left out.
static bool may_read(const struct program *program, const struct event *read,
                     const struct event *write) {
    const struct expr *assumed = program->assumed_values[read->id];
    if (!may_overlap(read, write))
        return false;
    return !are_at_one_place(read, write) || assumed == NULL ||
           (assumed->value.low == write->value->value.low &&
            assumed->value.high == write->value->value.high);
}

static bool covers(const struct event *event, unsigned cell) {
    for (size_t i = 0; i < event->candidate_count; i++)
        if (cell >= event->candidates[i].first_cell &&
            cell - event->candidates[i].first_cell < event->candidates[i].cell_count)
            return true;
    return false;
}

// Whether the test asks for the final value of something that the write touches.
static bool may_be_final(const struct program *program, const struct event *write) {
    for (unsigned id = 0; id < expr_pool_count(program->pool); id++) {
        const struct expr *expr = expr_at(program->pool, id);
        if ((expr->op == EXPR_FINAL || expr->op == EXPR_FINAL_UNDEF) && covers(write, expr->index))
            return true;
    }
    return false;
}

static bool is_unread(const struct program *program, const struct event *write) {
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].kind == EVENT_READ && may_read(program, &program->events[i], write))
            return false;
    return !may_be_final(program, write);
}

bool spin_writes_are_unread(const struct builder *builder) {
    const struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (builder->left_writes[i] && !is_unread(program, &program->events[i]))
            return false;
    return true;
}
