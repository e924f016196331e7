// Names of events: the thread, and the how manieth of its instructions with events it is.
#include "explain/events.h"

#include "litmus/source/arena.h"

#include <string.h>

// Whether two events, the second after the first, are of one execution of one instruction.
static bool is_one_instruction(const struct event *a, const struct event *b) {
    if (a->thread != b->thread || a->instruction != b->instruction || a->instruction == NULL)
        return false;
    if (a->position == b->position || event_is_detached(b))
        return true;
    bool atomic = a->kind == EVENT_READ && a->access->rmw == (int)b->id;
    bool barrier = a->kind == EVENT_BARRIER && b->kind == EVENT_BARRIER && a->barrier->is_arrival &&
                   b->barrier->is_wait;
    return atomic || barrier;
}

static const char *part_name(const struct event *event) {
    switch (event->kind) {
    case EVENT_READ: return "read";
    case EVENT_WRITE: return "write";
    case EVENT_BARRIER: return event->barrier->is_arrival ? "arrive" : "wait";
    case EVENT_ISSUE: return "issue";
    case EVENT_PROXY_FENCE: return "fence";
    default: return "part";
    }
}

// Names the events from `first` to before `end`, which are of one instruction.
static void name_group(struct arena *arena, const struct program *program,
                       struct event_names *names, unsigned first, unsigned end, unsigned number) {
    const struct event *events = program->events;
    const char *stem =
        arena_format(arena, "P%u:%u", program->test->threads[events[first].thread].number, number);
    for (unsigned e = first; e < end; e++) {
        unsigned alike = 0, before = 0;
        for (unsigned other = first; other < end; other++) {
            bool same = strcmp(part_name(&events[e]), part_name(&events[other])) == 0;
            alike += same;
            before += same && other < e;
        }
        if (end == first + 1)
            names->items[e] = stem;
        else if (alike == end - first)
            names->items[e] = arena_format(arena, "%s.%u", stem, before);
        else if (alike == 1)
            names->items[e] = arena_format(arena, "%s.%s", stem, part_name(&events[e]));
        else
            names->items[e] = arena_format(arena, "%s.%s%u", stem, part_name(&events[e]), before);
    }
}

static const char *initial_name(struct arena *arena, const struct program *program,
                                const struct event *event) {
    const struct object *object = &program->memory.objects[event->candidates[0].object];
    if (object->instance < 0)
        return arena_format(arena, "init:%s", object->name);
    return arena_format(arena, "init:%s of P%u", object->name,
                        program->test->threads[object->instance].number);
}

static const char **thread_names(struct arena *arena, const struct test *test) {
    const char **names = ARENA_ARRAY(arena, const char *, test->thread_count + 1);
    for (size_t t = 0; t < test->thread_count; t++)
        names[t] = arena_format(arena, "P%u", test->threads[t].number);
    return names;
}

struct event_names event_names_new(struct arena *arena, const struct program *program) {
    struct event_names names = {ARENA_ARRAY(arena, const char *, program->event_count),
                                program->event_count, thread_names(arena, program->test)};
    unsigned number = 0, end;
    int thread = -1;
    for (unsigned e = 0; e < program->event_count; e = end) {
        const struct event *event = &program->events[e];
        end = e + 1;
        if (event->thread < 0) {
            names.items[e] = initial_name(arena, program, event);
            continue;
        }
        while (end < program->event_count &&
               is_one_instruction(&program->events[end - 1], &program->events[end]))
            end++;
        number = event->thread == thread ? number + 1 : 0;
        thread = event->thread;
        name_group(arena, program, &names, e, end, number);
    }
    return names;
}

int event_names_find(const struct event_names *names, const char *name) {
    for (size_t e = 0; e < names->count; e++)
        if (strcmp(names->items[e], name) == 0)
            return (int)e;
    return -1;
}

const char *event_place_name(struct arena *arena, const struct program *program,
                             const struct event *event, const struct candidate *place) {
    const struct virtual_range *range = &program->memory.virtual_ranges[place->range];
    const struct variable *variable = &program->test->variables[range->variable];
    unsigned size = scalar_type_bits(variable->type) / 8;
    if (event->kind == EVENT_INIT || (!variable->is_array && event->size == size))
        return variable->name;
    if (size != 0 && event->size == size && place->offset % size == 0)
        return arena_format(arena, "%s[%llu]", variable->name,
                            (unsigned long long)(place->offset / size));
    return arena_format(arena, "%u byte%s of %s from byte %llu on", event->size,
                        event->size == 1 ? "" : "s", variable->name,
                        (unsigned long long)place->offset);
}
