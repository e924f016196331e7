// Deeds of events, as the text, the tables and the pictures of explanations show them.
#include "check/text/deeds.h"

#include "litmus/source/arena.h"
#include "program/mbarrier_state.h"

// The bits from `at` on, `count` of them.
static unsigned field(uint64_t state, unsigned at, unsigned count) {
    return (unsigned)(state >> at & ((UINT64_C(1) << count) - 1));
}

struct deed_state deed_state(uint64_t state) {
    int bytes = (int)field(state, MBARRIER_TX_AT, MBARRIER_TX_BITS);
    if (bytes >= 1 << (MBARRIER_TX_BITS - 1))
        bytes -= 1 << MBARRIER_TX_BITS;
    return (struct deed_state){
        .is_there = field(state, MBARRIER_LIVE_AT, 1) != 0,
        .phase = field(state, MBARRIER_PHASE_AT, MBARRIER_PHASE_BITS),
        .pending = field(state, 0, MBARRIER_COUNT_BITS),
        .expected = field(state, MBARRIER_EXPECTED_AT, MBARRIER_COUNT_BITS),
        .bytes = bytes,
        .layout = field(state, MBARRIER_LAYOUT_AT, 1),
    };
}

const char *deed_mbarrier(struct arena *arena, uint64_t bits) {
    struct deed_state state = deed_state(bits);
    if (!state.is_there)
        return "no mbarrier";
    const char *awaited =
        state.bytes == 0 ? "" : arena_format(arena, ", %d bytes expected", state.bytes);
    return arena_format(arena, "phase %u (%u of %u arrivals pending%s%s)", state.phase,
                        state.pending, state.expected, awaited,
                        state.layout == 1 ? ", layout v1" : "");
}

static const char *numbers(struct arena *arena, const unsigned *items, unsigned count) {
    const char *text = "";
    for (unsigned i = 0; i < count; i++)
        text = arena_format(arena, "%s%s%u", text, i == 0 ? "{" : ", ", items[i]);
    return arena_format(arena, "%s}", text);
}

// The strides of a tensor that is not dense.
static const char *strides(struct arena *arena, const struct tensor *tensor) {
    const char *text = "";
    uint64_t dense = tensor->element_size;
    for (unsigned i = 1; i < tensor->rank; i++) {
        dense *= tensor->extents[i - 1];
        if (tensor->strides[i] != dense) {
            text = arena_format(arena, "%s, stride %u of %llu bytes", text, i - 1,
                                (unsigned long long)tensor->strides[i]);
        }
    }
    return text;
}

const char *deed_map(struct arena *arena, const struct program *program, uint64_t held) {
    uint64_t number = held >> PROGRAM_MAP_ADDRESS_BITS;
    uint64_t address = held & ((UINT64_C(1) << PROGRAM_MAP_ADDRESS_BITS) - 1);
    if (number == 0 || !program->memory.map_tensors)
        return NULL;
    const struct tensor *tensor = program->memory.map_tensors[number - 1];
    const char *at = arena_format(arena, "%llu", (unsigned long long)address);
    for (size_t i = 0; i < program->memory.virtual_range_count; i++) {
        const struct virtual_range *range = &program->memory.virtual_ranges[i];
        if (range->address == address)
            at = program->test->variables[range->variable].name;
    }
    return arena_format(arena, "%s, %s, %s%s", at, numbers(arena, tensor->extents, tensor->rank),
                        numbers(arena, tensor->box, tensor->rank), strides(arena, tensor));
}

static bool is_map(const struct found_execution *execution, unsigned event) {
    const struct program *program = execution->program;
    const struct candidate *place = execution->places[event];
    return place && place->offset == 0 && program->events[event].size == 8 &&
           program->test->variables[program->memory.objects[place->object].variable].tensor;
}

static const char *value_of(struct arena *arena, const struct found_execution *execution,
                            unsigned event, enum value_style style) {
    const struct event *e = &execution->program->events[event];
    char text[VALUE_TEXT_SIZE];
    if (execution->undef[event])
        return "an unknown value";
    if (e->mbarrier)
        return deed_mbarrier(arena, execution->values[event].low);
    const char *map = is_map(execution, event)
                          ? deed_map(arena, execution->program, execution->values[event].low)
                          : NULL;
    if (map)
        return map;
    return arena_format(arena, "%s",
                        value_text(text, execution->values[event], 8 * e->size, false, style));
}

// What a request to cancel a launch does; NULL where it is not known which CTA it cancels.
static const char *cancel_text(struct arena *arena, const struct found_execution *execution,
                               unsigned event) {
    const struct test *test = execution->program->test;
    const char *text = "";
    if (execution->program->events[event].async->request == 0)
        return NULL;
    for (size_t t = 0; t < test->thread_count; t++) {
        bool known = false;
        for (size_t other = 0; other < t; other++)
            known |= test_same_cta(&test->threads[other].place, &test->threads[t].place);
        if (execution->cancelled_by[t] == (int)event && !known) {
            text = arena_format(arena, "%s%sCTA %u", text, *text ? " and " : "",
                                test->threads[t].place.cta);
        }
    }
    return *text ? arena_format(arena, "cancels the launch of %s", text)
                 : "asks for the launch of a CTA to be cancelled, which fails";
}

const char *deed_text(struct arena *arena, const struct found_execution *execution, unsigned event,
                      enum value_style style) {
    const struct event *e = &execution->program->events[event];
    const struct candidate *place = execution->places[event];
    if (e->kind == EVENT_BARRIER) {
        return e->barrier->is_arrival     ? "arrives"
               : execution->passes[event] ? "waits, and goes on"
                                          : "waits for ever";
    }
    if (e->kind == EVENT_ISSUE) {
        const char *cancels = cancel_text(arena, execution, event);
        return cancels               ? cancels
               : event_is_product(e) ? "starts a product of matrices"
                                     : "starts an asynchronous operation";
    }
    if (event_is_grid_wait(e))
        return "waits for the grids that its own depends on";
    if (e->kind == EVENT_ASYNC_WAIT)
        return "waits for asynchronous operations";
    if (e->async && e->async->step == ASYNC_READ_FENCE)
        return "is the implicit proxy fence after what the operation reads";
    if (e->async && e->async->step == ASYNC_FENCE)
        return "is the implicit proxy fence after what the operation writes";
    if (event_allocates(e))
        return "allocates tensor memory";
    if (event_deallocates(e))
        return "deallocates tensor memory";
    if (e->kind == EVENT_GRID_LAUNCH)
        return "lets the grids start that depend on its own";
    if (e->kind == EVENT_PRECONDITION)
        return "takes operands for which PTX may not define it";
    if (!place || (e->kind != EVENT_READ && e->kind != EVENT_WRITE))
        return NULL;
    return arena_format(arena, "%s %s = %s", e->kind == EVENT_READ ? "reads" : "writes",
                        event_place_name(arena, execution->program, e, place),
                        value_of(arena, execution, event, style));
}

const char *deed_sources(struct arena *arena, const struct found_execution *execution,
                         const struct event_names *names, unsigned event) {
    const struct candidate *place = execution->places[event];
    const char *text = "";
    bool initial = false;
    if (execution->program->events[event].kind != EVENT_READ)
        return text;
    for (unsigned k = 0; place && k < place->cell_count; k++) {
        unsigned source = (unsigned)execution->sources[event][k];
        bool known = false;
        for (unsigned other = 0; other < k; other++)
            known = known || execution->sources[event][other] == (int)source;
        if (execution->program->events[source].kind == EVENT_INIT) {
            initial = true;
        } else if (!known) {
            text = arena_format(arena, "%s%s%s", text, *text ? " and " : " from ",
                                names->items[source]);
        }
    }
    return initial ? arena_format(arena, "%s%s", text,
                                  *text ? " and the initial value" : ", the initial value")
                   : text;
}
