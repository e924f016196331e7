// Races by name: which pairs of instructions may race, each with an execution that shows it
// (memory-model.md section 7).

#include "solver/run.h"

#include "litmus/source/arena.h"
#include "solver/execution.h"

// --- Witnesses ---------------------------------------------------------------------------------

static void add_source(struct arena *arena, struct witness_event *event, unsigned source) {
    for (size_t i = 0; i < event->source_count; i++)
        if (event->sources[i] == source)
            return;
    event->sources = arena_grow(arena, event->sources, event->source_count, sizeof *event->sources);
    event->sources[event->source_count++] = source;
}

// `scratch` holds the execution, `run->arena` what is kept of it.
static void add_event(struct run *run, struct witness *witness, struct execution *execution,
                      unsigned e) {
    const struct event *event = &run->program->events[e];
    bool read = event->kind == EVENT_READ;
    if (!execution->executes[e] || (!read && event->kind != EVENT_WRITE))
        return;
    struct witness_event shown = {.event = e};
    shown.value =
        read ? execution->values[e] : execution_value(execution, run->encoder, event->value);
    shown.undef = read ? execution->undef[e]
                       : execution_value(execution, run->encoder, event->undef).low != 0;
    const struct candidate *place = execution->places[e];
    for (unsigned k = 0; read && place != NULL && k < place->cell_count; k++)
        add_source(run->arena, &shown, (unsigned)execution->sources[e][k]);
    witness->events =
        arena_grow(run->arena, witness->events, witness->count, sizeof *witness->events);
    witness->events[witness->count++] = shown;
}

// What happens in the last model.
static const struct witness *decode_witness(struct run *run) {
    struct arena *scratch = arena_new();
    struct witness *witness = ARENA_NEW(run->arena, struct witness);
    struct execution *execution = execution_decode(scratch, run->encoder, run->program);
    for (unsigned e = 0; e < execution->n; e++)
        add_event(run, witness, execution, e);
    arena_free(scratch);
    return witness;
}

// --- Pairs -------------------------------------------------------------------------------------

static bool is_pair_of(const struct run *run, const struct race *race, unsigned a, unsigned b) {
    const struct event *events = run->program->events;
    const struct instruction *x = events[a].instruction, *y = events[b].instruction;
    const struct instruction *p = events[race->events[0]].instruction;
    const struct instruction *q = events[race->events[1]].instruction;
    return (x == p && y == q) || (x == q && y == p);
}

// Whether a pair of instructions is listed under this flag already.
static bool is_known(const struct run *run, const char *flag, unsigned a, unsigned b) {
    for (size_t i = 0; i < run->outcomes->race_count; i++)
        if (run->outcomes->races[i].flag == flag && is_pair_of(run, &run->outcomes->races[i], a, b))
            return true;
    return false;
}

static bool find_race(struct run *run, const struct model_axiom *axiom, unsigned a, unsigned b) {
    literal pair = encode_axiom_pair(run->encoder, axiom, a, b);
    literal assumptions[] = {pair, run->bounded, run->complete, run->inside};
    struct outcomes *outcomes = run->outcomes;
    if (pair == LITERAL_FALSE || is_known(run, axiom->name, a, b))
        return false;
    enum answer answer = run_check(run, assumptions, 4, axiom, true);
    if (answer == ANSWER_UNKNOWN) {
        run_undecided(run);
        outcomes->races_cut = true;
    }
    if (answer != ANSWER_SAT)
        return false;
    outcomes->races =
        arena_grow(run->arena, outcomes->races, outcomes->race_count, sizeof *outcomes->races);
    outcomes->races[outcomes->race_count++] =
        (struct race){.flag = axiom->name, .events = {a, b}, .witness = decode_witness(run)};
    return true;
}

void run_find_races(struct run *run, const struct model_axiom *axiom, bool all) {
    if (axiom->kind != AXIOM_EMPTY || run->model->nodes[axiom->node].is_set)
        return;
    for (unsigned a = 0; a < run->program->event_count; a++)
        for (unsigned b = 0; b < run->program->event_count; b++)
            if (run->program->events[a].instruction != NULL &&
                run->program->events[b].instruction != NULL && find_race(run, axiom, a, b) && !all)
                return;
}
