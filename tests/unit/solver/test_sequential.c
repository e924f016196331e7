// The simulated memory `sc` has the outcomes of interleavings: random tests of loads, stores,
// atomics and fences, against a machine that does one access after the other. Neither knows of the
// other's ways, so that axioms that are too weak or too strong show.
#include "support.h"

#include <stdlib.h>

enum { TESTS = 100, THREADS = 3, ACCESSES = 3, VARIABLES = 2, OUTCOMES = 4096, BITS = 6 };

enum action { LOAD, STORE, EXCHANGE, ADD, FENCE, ACTIONS };

struct step {
    enum action action;
    unsigned variable, value;
    const char *order;
};

struct machine {
    struct step steps[THREADS][ACCESSES];
    unsigned threads;
    unsigned memory[VARIABLES];
    unsigned registers[THREADS][ACCESSES]; // one for each access, 0 when it does not read
    unsigned at[THREADS];
    uint64_t outcomes[OUTCOMES];
    size_t outcome_count;
};

// --- Random tests ------------------------------------------------------------------------------

static struct step random_step(uint64_t *random) {
    static const char *const loads[] = {"weak", "relaxed.gpu", "acquire.cta", "acquire.sys"};
    static const char *const stores[] = {"weak", "relaxed.cta", "release.gpu", "release.sys"};
    static const char *const atoms[] = {"relaxed.cta", "acquire.gpu", "release.sys", "acq_rel.gpu"};
    static const char *const fences[] = {"acq_rel.cta", "acq_rel.gpu", "sc.gpu", "sc.sys"};
    struct step step = {.action = (enum action)random_below(random, ACTIONS)};
    if (step.action == FENCE && random_below(random, 2) == 0)
        step.action = STORE;
    step.variable = random_below(random, VARIABLES);
    step.value = 1 + random_below(random, 2);
    unsigned order = random_below(random, 4);
    step.order = step.action == LOAD    ? loads[order]
                 : step.action == STORE ? stores[order]
                 : step.action == FENCE ? fences[order]
                                        : atoms[order];
    return step;
}

static const char *step_text(struct arena *arena, const struct step *step, unsigned reg) {
    char variable = (char)('x' + step->variable);
    switch (step->action) {
    case LOAD: return arena_format(arena, "ld.%s.u32 %%r%u, [%c];", step->order, reg, variable);
    case STORE:
        return arena_format(arena, "st.%s.u32 [%c], %u;", step->order, variable, step->value);
    case FENCE: return arena_format(arena, "fence.%s;", step->order);
    default:
        return arena_format(arena, "atom.%s.%s %%r%u, [%c], %u;", step->order,
                            step->action == ADD ? "add.u32" : "exch.b32", reg, variable,
                            step->value);
    }
}

// The text of a machine's test, which shows all registers and variables.
static const char *test_text(struct arena *arena, const struct machine *machine, uint64_t *random) {
    const char *text = "PTX random\n.global .u32 x;\n.global .u32 y;\n", *shown = "x; y;";
    for (unsigned t = 0; t < machine->threads; t++) {
        text = arena_format(arena, "%sP%u@cta %u {\n", text, t, random_below(random, 2));
        for (unsigned i = 0; i < ACCESSES; i++) {
            const struct step *step = &machine->steps[t][i];
            text = arena_format(arena, "%s  %s\n", text, step_text(arena, step, i));
            if (step->action != STORE && step->action != FENCE)
                shown = arena_format(arena, "%s P%u:%%r%u;", shown, t, i);
        }
        text = arena_format(arena, "%s}\n", text);
    }
    return arena_format(arena, "%slocations [%s]\nexists (x == 0)\n", text, shown);
}

// --- Interleavings -----------------------------------------------------------------------------

// An outcome as a number: the variables, then the registers.
static uint64_t pack(const unsigned *memory, unsigned registers[THREADS][ACCESSES]) {
    uint64_t key = 0;
    for (unsigned i = 0; i < VARIABLES; i++)
        key = key << BITS | memory[i];
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned i = 0; i < ACCESSES; i++)
            key = key << (BITS - 1) | registers[t][i];
    return key;
}

static void keep(struct machine *machine) {
    uint64_t key = pack(machine->memory, machine->registers);
    for (size_t i = 0; i < machine->outcome_count; i++)
        if (machine->outcomes[i] == key)
            return;
    assert_true(machine->outcome_count < OUTCOMES);
    machine->outcomes[machine->outcome_count++] = key;
}

static void run_machine(struct machine *machine) {
    bool done = true;
    for (unsigned t = 0; t < machine->threads; t++) {
        unsigned at = machine->at[t];
        if (at == ACCESSES)
            continue;
        done = false;
        const struct step *step = &machine->steps[t][at];
        unsigned before = machine->memory[step->variable];
        if (step->action != STORE && step->action != FENCE)
            machine->registers[t][at] = before;
        if (step->action == STORE || step->action == EXCHANGE)
            machine->memory[step->variable] = step->value;
        if (step->action == ADD)
            machine->memory[step->variable] = before + step->value;
        machine->at[t]++;
        run_machine(machine);
        machine->at[t]--;
        machine->memory[step->variable] = before;
        machine->registers[t][at] = 0;
    }
    if (done)
        keep(machine);
}

// --- The solver --------------------------------------------------------------------------------

static uint64_t pack_state(const struct program *program, const struct state *state) {
    unsigned memory[VARIABLES] = {0}, registers[THREADS][ACCESSES] = {0};
    for (size_t i = 0; i < program->observed_count; i++) {
        const char *name = program->observed[i].json_name;
        unsigned value = (unsigned)state->values[i].value.low;
        unsigned thread, reg;
        if (sscanf(name, "P%u:%%r%u", &thread, &reg) == 2)
            registers[thread][reg] = value;
        else
            memory[name[0] - 'x'] = value;
    }
    return pack(memory, registers);
}

static void compare(struct solver *solver, struct machine *machine, uint64_t *random) {
    static const char *const model = "\"sc\"\ninclude \"ptx-9.1.cat\"\ninclude \"sc.cat\"\n";
    struct arena *arena = arena_new();
    const char *text = test_text(arena, machine, random);
    const struct program *program = program_of(arena, text);
    const struct outcomes *outcomes = outcomes_of(solver, arena, text, model, NULL);
    run_machine(machine);
    bool same = outcomes->complete && outcomes->state_count == machine->outcome_count;
    for (size_t i = 0; same && i < outcomes->state_count; i++) {
        uint64_t key = pack_state(program, &outcomes->states[i]);
        bool found = false;
        for (size_t j = 0; j < machine->outcome_count; j++)
            found = found || machine->outcomes[j] == key;
        same = found;
    }
    if (!same)
        fail_msg("%zu outcomes, and %zu of interleavings:\n%s", outcomes->state_count,
                 machine->outcome_count, text);
    arena_free(arena);
}

static void test_interleavings(void **state) {
    (void)state;
    uint64_t random = 4;
    struct solver *solver = solver_new();
    struct machine *machine = calloc(1, sizeof *machine);
    assert_non_null(machine);
    for (unsigned i = 0; i < TESTS; i++) {
        *machine = (struct machine){.threads = 2 + random_below(&random, THREADS - 1)};
        for (unsigned t = 0; t < machine->threads; t++)
            for (unsigned j = 0; j < ACCESSES; j++)
                machine->steps[t][j] = random_step(&random);
        compare(solver, machine, &random);
    }
    free(machine);
    solver_free(solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_interleavings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
