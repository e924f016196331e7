// Which reads decide that a thread exits and so releases a barrier, instead of coming to it or
// waiting for something (memory-model: exits and thin air).

#include "program/dependency/influence.h"
#include "program/builder.h"
#include "program/barrier/barriers.h"

#include <string.h>

struct decisions {
    struct builder *builder;
    struct influences *influences;
    bool *noted; // by event, of the exit that is looked at
    struct barrier_exit *exit;
};

static void add_read(struct decisions *decisions, unsigned read) {
    struct barrier_exit *exit = decisions->exit;
    exit->reads =
        arena_grow(decisions->builder->arena, exit->reads, exit->read_count, sizeof *exit->reads);
    exit->reads[exit->read_count++] = read;
}

static void find_reads(struct decisions *decisions, const struct expr *expr);

// A read, if it is one of the thread that exits, or those of that thread that the result of its
// bar.red, or of what its warp exchanges, comes from.
static void note_leaf(struct decisions *decisions, const struct expr *leaf) {
    const struct event *events = decisions->builder->program->events;
    bool is_known = leaf->op == EXPR_READ || leaf->op == EXPR_REDUCED;
    if (!is_known || decisions->noted[leaf->index] ||
        events[leaf->index].thread != decisions->exit->thread)
        return;
    decisions->noted[leaf->index] = true;
    if (leaf->op == EXPR_READ)
        add_read(decisions, leaf->index);
    else
        find_reads(decisions, events[leaf->index].barrier->reduced);
}

// With syntactic dependencies, all leaves decide; else those that have influence. What is open is
// left out, as a dependency would be.
static void find_reads(struct decisions *decisions, const struct expr *expr) {
    struct builder *builder = decisions->builder;
    const struct influence *influence = influence_of(decisions->influences, expr);
    for (size_t i = 0; i < influence->certain.count; i++)
        note_leaf(decisions, influence->certain.items[i]);
    for (size_t i = 0; i < influence->open.count; i++)
        if (builder->plan->options->dependencies == DEPENDENCIES_SYNTACTIC)
            note_leaf(decisions, influence->open.items[i]);
        else
            builder->ends.left_out = true;
}

void exits_find_reads(struct builder *builder) {
    struct program *program = builder->program;
    if (program->barriers.exit_count == 0 ||
        builder->plan->options->dependencies == DEPENDENCIES_NONE)
        return;
    struct arena *scratch = arena_new();
    struct decisions decisions = {.builder = builder,
                                  .influences = influences_new(scratch, builder->pool),
                                  .noted = ARENA_ARRAY(scratch, bool, program->event_count)};
    for (size_t i = 0; i < program->barriers.exit_count; i++) {
        decisions.exit = &program->barriers.exits[i];
        memset(decisions.noted, 0, program->event_count * sizeof *decisions.noted);
        find_reads(&decisions, program->barriers.exits[i].decision);
    }
    influences_free(decisions.influences);
    arena_free(scratch);
}
