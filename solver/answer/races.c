// Races by name: which pairs of instructions may race, each with an execution that shows it
// (memory-model section 7).

#include "solver/answer/run.h"
#include "solver/backend/literals.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/check/execution.h"

#include <assert.h>
#include <stdlib.h>

// --- Witnesses ---------------------------------------------------------------------------------

static void add_source(struct arena *arena, struct witness_event *event, unsigned source) {
    for (size_t i = 0; i < event->source_count; i++)
        if (event->sources[i] == source)
            return;
    ARENA_APPEND(arena, event->sources, event->source_count, source);
}

// `scratch` holds the execution, `run->arena` what is kept of it.
static void add_event(struct solver_run *run, struct witness *witness, struct execution *execution,
                      unsigned e) {
    assert(e < execution->n);
    const struct event *event = &run->program->events[e];
    bool read = event->kind == EVENT_READ;
    if (!execution->executes[e] || (!read && event->kind != EVENT_WRITE))
        return;
    struct witness_event shown = {.event = e};
    shown.value = read ? execution->values[e] : execution_value(execution, event->access->value);
    shown.undef =
        read ? execution->undef[e] : execution_value(execution, event->access->undef).low != 0;
    const struct candidate *place = execution->places[e];
    for (unsigned k = 0; read && place != NULL && k < place->cell_count; k++)
        add_source(run->arena, &shown, (unsigned)execution->sources[e][k]);
    ARENA_APPEND(run->arena, witness->events, witness->count, shown);
}

// --- The same witness every time ---------------------------------------------------------------

// What the execution to be shown must satisfy.
struct race_choice {
    struct solver_run *run;
    const struct model_axiom *axiom;
    struct literals assumptions;
};

// Lets a cell of a read come from the first write that it can come from, given what was chosen
// before.
static bool choose_source(struct race_choice *choice, unsigned read, unsigned cell) {
    struct solver_run *run = choice->run;
    struct literals *assumed = &choice->assumptions;
    int now = encode_source_in_model(run->encoder, read, cell);
    for (int source = 0; source <= now; source++) {
        literal taken = encode_source(run->encoder, read, cell, (unsigned)source);
        if (taken == LITERAL_FALSE)
            continue;
        literals_add(assumed, taken);
        if (source == now)
            return true;
        enum truth found = run_ask(run, assumed->at, assumed->count, choice->axiom, true);
        if (found != TRUTH_NO)
            return found == TRUTH_YES;
        assumed->count--;
        // The model of the last check that had one was lost: make it again.
        if (run_ask(run, assumed->at, assumed->count, choice->axiom, true) != TRUTH_YES)
            return false;
    }
    return true;
}

// Which execution the solver finds depends on its version and on what it solved before; this makes
// the reads of the one that is shown a matter of the test alone. False when it cannot.
static bool choose_witness(struct solver_run *run, const struct model_axiom *axiom,
                           const literal *assumptions, size_t count) {
    assert(assumptions != NULL || count == 0);
    const struct program *program = run->program;
    struct race_choice choice = {.run = run, .axiom = axiom};
    for (size_t i = 0; i < count; i++)
        literals_add(&choice.assumptions, assumptions[i]);
    bool found = true;
    for (unsigned e = 0; found && e < program->event_count; e++)
        for (unsigned cell = 0; found && cell < program->memory.cell_count; cell++)
            if (program->events[e].kind == EVENT_READ &&
                encode_source_in_model(run->encoder, e, cell) >= 0)
                found = choose_source(&choice, e, cell);
    free(choice.assumptions.at);
    return found;
}

// What happens in the last model; NULL when it could not be read completely.
static const struct witness *decode_witness(struct solver_run *run) {
    struct arena *scratch = arena_new();
    struct witness *witness = ARENA_NEW(run->arena, struct witness);
    struct execution *execution = execution_decode(scratch, run->encoder, run->program);
    for (unsigned e = 0; execution != NULL && e < execution->n; e++)
        add_event(run, witness, execution, e);
    arena_free(scratch);
    return encode_is_readable(run->encoder) ? witness : NULL;
}

// --- Pairs -------------------------------------------------------------------------------------

static bool is_same_place(const struct event *a, const struct event *b) {
    return a->thread == b->thread && a->instruction == b->instruction;
}

static bool is_pair_of(const struct solver_run *run, const struct race *race, unsigned a,
                       unsigned b) {
    const struct event *events = run->program->events;
    const struct event *p = &events[race->events[0]], *q = &events[race->events[1]];
    return (is_same_place(&events[a], p) && is_same_place(&events[b], q)) ||
           (is_same_place(&events[a], q) && is_same_place(&events[b], p));
}

// Whether a pair of instructions is listed under this flag already.
static bool is_known(const struct solver_run *run, size_t flag, unsigned a, unsigned b) {
    for (size_t i = 0; i < run->outcomes->race_count; i++)
        if (run->outcomes->races[i].flag == flag && is_pair_of(run, &run->outcomes->races[i], a, b))
            return true;
    return false;
}

static bool find_race(struct solver_run *run, const struct model_axiom *axiom, size_t flag,
                      unsigned a, unsigned b) {
    struct outcomes *outcomes = run->outcomes;
    if (is_known(run, flag, a, b))
        return false;
    literal literals[] = {encode_axiom_pair(run->encoder, axiom, a, b), run->bounded, run->flag_end,
                          run->inside};
    enum truth found = run_ask(run, literals, 4, axiom, true);
    const struct witness *witness = NULL;
    if (found == TRUTH_YES && choose_witness(run, axiom, literals, 4))
        witness = decode_witness(run);
    outcomes->races_cut |= found != TRUTH_NO && witness == NULL;
    if (witness == NULL)
        return false;
    ARENA_APPEND(run->arena, outcomes->races, outcomes->race_count,
                 (struct race){.flag = flag, .events = {a, b}, .witness = witness});
    return true;
}

void run_find_races(struct solver_run *run, const struct model_axiom *axiom, size_t flag,
                    bool all) {
    if (axiom->kind != AXIOM_EMPTY || run->model->nodes[axiom->node].is_set)
        return;
    for (unsigned a = 0; a < run->program->event_count; a++)
        for (unsigned b = 0; b < run->program->event_count; b++)
            if (run->program->events[a].instruction != NULL &&
                run->program->events[b].instruction != NULL && find_race(run, axiom, flag, a, b) &&
                !all)
                return;
}
