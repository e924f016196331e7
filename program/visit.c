// All expressions that a program has, for those who put others in their place.

#include "program/builder.h"
#include "program/substitute.h"

void program_visit_if(expr_visitor *visit, void *context, const struct expr **expr) {
    if (*expr != NULL)
        visit(context, expr);
}

static void visit_list(expr_visitor *visit, void *context, struct dependency_list *list) {
    for (size_t i = 0; i < list->count; i++)
        visit(context, &list->items[i].condition);
}

static void visit_barrier(expr_visitor *visit, void *context, struct event_barrier *barrier) {
    const struct expr **all[] = {
        &barrier->id,        &barrier->count,        &barrier->rank,
        &barrier->predicate, &barrier->result,       &barrier->predicate_undef,
        &barrier->reduced,   &barrier->result_undef, &barrier->reduced_undef};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        program_visit_if(visit, context, all[i]);
}

static void visit_mbarrier(expr_visitor *visit, void *context, struct event_mbarrier *mbarrier) {
    visit(context, &mbarrier->phase);
    program_visit_if(visit, context, &mbarrier->passed);
    visit(context, &mbarrier->undefined);
    visit_list(visit, context, &mbarrier->phases);
    visit_list(visit, context, &mbarrier->waited);
    visit_list(visit, context, &mbarrier->states);
}

void program_visit_event(expr_visitor *visit, void *context, struct event *event) {
    visit(context, &event->executes);
    program_visit_if(visit, context, &event->address);
    for (size_t i = 0; i < event->candidate_count; i++)
        visit(context, &event->candidates[i].condition);
    visit_list(visit, context, &event->addr);
    visit_list(visit, context, &event->data);
    visit_list(visit, context, &event->ctrl);
    visit_list(visit, context, &event->passed);
    visit_list(visit, context, &event->outlives);
    visit_list(visit, context, &event->underway);
    visit_list(visit, context, &event->allocations);
    program_visit_if(visit, context, &event->broken);
    if (event->columns != NULL)
        visit(context, &event->columns->first);
    if (event->access != NULL) {
        visit(context, &event->access->value);
        visit(context, &event->access->undef);
    }
    if (event->barrier != NULL)
        visit_barrier(visit, context, event->barrier);
    if (event->mbarrier != NULL)
        visit_mbarrier(visit, context, event->mbarrier);
    if (event->async != NULL) {
        program_visit_if(visit, context, &event->async->group);
        program_visit_if(visit, context, &event->async->undefined);
        program_visit_if(visit, context, &event->async->failed);
        visit_list(visit, context, &event->async->done);
    }
}

static void visit_endings(expr_visitor *visit, void *context, struct program *program) {
    struct endings *endings = program->endings;
    for (size_t i = 0; i < program->test->thread_count; i++) {
        visit(context, &endings->starts[i]);
        visit(context, &endings->starved[i]);
        if (endings->ends != NULL && endings->ends != program->thread_ends)
            visit(context, &endings->ends[i]);
    }
    for (size_t i = 0; i < endings->stay_count; i++)
        visit(context, &endings->stays[i].condition);
    visit(context, &endings->beyond);
}

void program_visit_rest(expr_visitor *visit, void *context, struct program *program) {
    for (size_t i = 0; i < program->observed_count; i++) {
        visit(context, &program->observed[i].value);
        visit(context, &program->observed[i].undef);
    }
    for (size_t i = 0; i < program->barriers.exit_count; i++) {
        visit(context, &program->barriers.exits[i].condition);
        program_visit_if(visit, context, &program->barriers.exits[i].decision);
    }
    for (size_t i = 0; program->thread_ends != NULL && i < program->test->thread_count; i++)
        program_visit_if(visit, context, &program->thread_ends[i]);
    for (size_t i = 0; program->cancelled_by != NULL && i < program->test->thread_count; i++)
        program_visit_if(visit, context, &program->cancelled_by[i]);
    visit(context, &program->condition);
    visit(context, &program->filter);
    visit(context, &program->assumption);
    visit(context, &program->given);
    visit(context, &program->relies);
    visit(context, &program->limits.bound_reached);
    visit(context, &program->limits.out_of_bounds);
    visit(context, &program->limits.trapped);
    if (program->endings != NULL)
        visit_endings(visit, context, program);
}
