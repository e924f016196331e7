// Puts expressions in the place of others in all that a builder has: events, registers, what
// becomes of threads.

#include "program/builder.h"
#include "program/substitute.h"
#include "program/thread/values.h"

#include <assert.h>

struct substitution {
    struct builder *builder;
    struct expr_replacements *replacements;
};

void substitute_in(struct expr_replacements *replacements, const struct expr **expr) {
    if (*expr != NULL)
        *expr = expr_replace(replacements, *expr);
}

static void visit(void *context, const struct expr **expr) {
    const struct substitution *s = context;
    substitute_in(s->replacements, expr);
}

static void in_list(struct substitution *s, struct dependency_list *list) {
    struct dependency *items = ARENA_ARRAY(s->builder->arena, struct dependency, list->count);
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct dependency item = list->items[i];
        visit(s, &item.condition);
        if (!expr_is_false(item.condition))
            items[count++] = item;
    }
    *list = (struct dependency_list){items, count};
}

// What an event itself defines stays: the value of a read, the result of a wait.
static void in_event(struct substitution *s, struct event *event) {
    struct event_barrier *barrier = event->barrier;
    struct event_access access = event->access == NULL ? (struct event_access){0} : *event->access;
    struct event_barrier before = barrier == NULL ? (struct event_barrier){0} : *barrier;
    in_list(s, &event->addr);
    in_list(s, &event->data);
    in_list(s, &event->ctrl);
    program_visit_event(visit, s, event);
    if (event->kind == EVENT_READ)
        *event->access = access;
    if (barrier == NULL)
        return;
    in_list(s, &barrier->given);
    visit(s, &barrier->lane);
    barrier->result = before.result;
    barrier->result_undef = before.result_undef;
}

static void in_registers(struct substitution *s, int thread, struct value *registers) {
    for (size_t i = 0; registers != NULL && i < s->builder->test->threads[thread].register_count;
         i++) {
        visit(s, &registers[i].bits);
        visit(s, &registers[i].undef);
    }
}

void substitute_everywhere(struct builder *builder, struct expr_replacements *replacements,
                           struct value **final_registers) {
    struct program *program = builder->program;
    struct substitution s = {builder, replacements};
    assert(builder->known.written_reaches != builder->reaches);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        in_event(&s, &program->events[i]);
        visit(&s, &builder->loops.left[i]);
        visit(&s, &builder->reaches[i]);
    }
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        visit(&s, &builder->ends.exits[t]);
        visit(&s, &builder->ends.ends[t]);
        visit(&s, &builder->loops.leaves[t]);
        in_registers(&s, (int)t, final_registers[t]);
    }
}

void substitute_in_rest(struct builder *builder, struct expr_replacements *replacements) {
    struct substitution s = {builder, replacements};
    program_visit_rest(visit, &s, builder->program);
}
