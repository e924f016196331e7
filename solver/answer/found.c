// Executions in full, for those who show them.
#include "solver/answer/found.h"

#include "litmus/source/arena.h"
#include "solver/check/execution.h"

static void decode_values(struct execution *execution, struct found_execution *found) {
    for (unsigned e = 0; e < found->n; e++) {
        const struct event *event = &found->program->events[e];
        if (event->kind != EVENT_WRITE || !execution->executes[e])
            continue;
        found->values[e] = execution_value(execution, event->access->value);
        found->undef[e] = execution_value(execution, event->access->undef).low != 0;
    }
}

// Which events are of rounds that a thread that never leaves its loop goes through again and again.
static void decode_repeats(struct arena *arena, struct encoder *encoder,
                           struct found_execution *found) {
    const struct endings *endings = found->program->endings;
    if (endings == NULL)
        return;
    found->repeats = ARENA_ARRAY(arena, bool, found->n + 1);
    for (size_t i = 0; i < endings->stay_count; i++)
        for (size_t e = endings->stays[i].middle; e < endings->stays[i].end; e++)
            found->repeats[e] =
                found->repeats[e] || encode_holds_in_model(encoder, endings->stays[i].condition);
}

// Which requests cancel the launches of CTAs (memory-model section 16).
static void decode_cancelled(struct arena *arena, struct execution *execution,
                             struct found_execution *found) {
    const struct program *program = found->program;
    found->cancelled_by = ARENA_ARRAY(arena, int, program->test->thread_count + 1);
    for (size_t t = 0; t < program->test->thread_count; t++) {
        found->cancelled_by[t] = -1;
        if (program->cancelled_by == NULL || program->cancelled_by[t] == NULL)
            continue;
        uint64_t number = execution_value(execution, program->cancelled_by[t]).low;
        for (unsigned e = 0; e < found->n && number != 0; e++)
            if (execution->executes[e] && program->events[e].kind == EVENT_ISSUE &&
                program->events[e].async->request == number)
                found->cancelled_by[t] = (int)e;
    }
}

struct found_execution *found_decode(struct arena *arena, struct encoder *encoder,
                                     const struct program *program, const struct model *model,
                                     bool ends) {
    struct execution *execution = execution_decode(arena, encoder, program);
    if (execution == NULL)
        return NULL;
    struct found_execution *found = ARENA_NEW(arena, struct found_execution);
    *found = (struct found_execution){.program = program,
                                      .n = execution->n,
                                      .executes = execution->executes,
                                      .places = execution->places,
                                      .values = execution->values,
                                      .undef = execution->undef,
                                      .sources = execution->sources,
                                      .passes = execution->passes,
                                      .phases = execution->phases};
    decode_values(execution, found);
    decode_repeats(arena, encoder, found);
    decode_cancelled(arena, execution, found);
    found->observed = ARENA_ARRAY(arena, struct bits128, program->observed_count + 1);
    for (size_t i = 0; i < program->observed_count && ends; i++)
        found->observed[i] = execution_value(execution, program->observed[i].value);
    found->facts = execution_facts(arena, execution);
    found->nodes = model_evaluate(arena, model, found->facts);
    return encode_is_readable(encoder) ? found : NULL;
}
