// Barriers of CTAs and clusters (memory-model section 6), in the interpreter of one thread.
#include "tests/oracle/thread_internal.h"

// The number, the thread count and the predicate of a barrier; NULL for those that it lacks.
struct barrier_operands {
    const struct operand *instance, *id, *count, *predicate;
};

// bar.sync a{, b}; bar.arrive a, b; bar.red d, a{, b}, p. In Dat3M's dialect an instance comes
// first.
static struct barrier_operands barrier_operands(const struct machine *machine,
                                                const struct instruction *at) {
    struct barrier_operands found = {NULL, NULL, NULL, NULL};
    unsigned first = 0, count = at->operand_count;
    if (at->barrier == BARRIER_RED) {
        found.predicate = &at->operands[--count];
        first = 1;
    }
    if (machine->memory->test->dialect == DIALECT_DAT3M && count > 0)
        found.instance = &at->operands[first++];
    if (count > first)
        found.id = &at->operands[first];
    if (count > first + 1)
        found.count = &at->operands[first + 1];
    return found;
}

// "Specifies a logical barrier resource [...] with value 0 through 15"; in a launch, a count "must
// be a multiple of the warp size", or is that of all threads of the block.
static bool is_defined(const struct machine *machine, const struct barrier_operands *operands,
                       const struct step *about) {
    const struct launch *launch = machine->memory->test->threads[machine->thread].launch;
    uint64_t all =
        launch == NULL ? 0 : (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    if (operands->id && about->id > 15)
        return false;
    if (operands->count && about->count == 0)
        return false;
    return !operands->count || launch == NULL || about->count % 32 == 0 || about->count == all;
}

static int add_barrier_step(struct machine *machine, const struct instruction *at, bool arrives) {
    struct barrier_operands operands = barrier_operands(machine, at);
    struct step about = {.id = 0};
    uint64_t sources = 0, instance = 0;
    if (operands.instance && !machine_number(machine, operands.instance, &instance))
        return -1;
    if (operands.id && !machine_number(machine, operands.id, &about.id))
        return -1;
    if (operands.count && !machine_number(machine, operands.count, &about.count))
        return -1;
    bool is_of_block =
        at->barrier == BARRIER_SYNC || at->barrier == BARRIER_ARRIVE || at->barrier == BARRIER_RED;
    if (is_of_block && !operands.instance && !is_defined(machine, &operands, &about))
        machine->path->broken |= BROKEN_MASK;
    if (operands.predicate) {
        struct content predicate = machine_source(machine, operands.predicate, 1);
        about.predicate = compute_truth(predicate.value);
        sources = predicate.sources;
    }
    int index = machine_step(machine, at, ACTION_BARRIER);
    if (index < 0)
        return -1;
    struct step *step = &machine->path->steps[index];
    step->arrives = arrives;
    step->waits = !arrives;
    step->element = !arrives;
    step->barrier = at->barrier;
    step->id = instance << 32 | about.id;
    step->counts = operands.count != NULL;
    step->count = about.count;
    step->predicate = about.predicate;
    step->sources |= arrives ? sources : 0;
    return index;
}

// barrier.cluster.wait is for the phase of the thread's latest arrival there.
static int latest_cluster_arrival(const struct path *path) {
    for (int i = (int)path->count - 1; i >= 0; i--)
        if (path->steps[i].action == ACTION_BARRIER &&
            path->steps[i].barrier == BARRIER_CLUSTER_ARRIVE)
            return i;
    return -1;
}

static void wait_at_barrier(struct machine *machine, const struct instruction *at, int arrival) {
    int index = add_barrier_step(machine, at, false);
    if (index < 0)
        return;
    struct step *step = &machine->path->steps[index];
    step->arrival = arrival;
    struct value passes, reduced;
    if (!machine_ask(machine, ASK_PASS, &passes))
        return;
    step->passes = passes.bits != 0;
    if (!step->passes) {
        machine_stop(machine, PATH_BLOCKED);
        return;
    }
    if (at->barrier != BARRIER_RED)
        return;
    if (!machine_ask(machine, ASK_REDUCED, &reduced))
        return;
    step->value = reduced;
    struct content result = {reduced, bit((unsigned)index)};
    machine_set(machine, &at->operands[0], result, TRUE_NOW);
}

void thread_barrier(struct machine *machine, const struct instruction *at) {
    int arrival = -1;
    if (at->barrier == BARRIER_CLUSTER_WAIT) {
        wait_at_barrier(machine, at, latest_cluster_arrival(machine->path));
        return;
    }
    arrival = add_barrier_step(machine, at, true);
    if (arrival >= 0 && at->barrier != BARRIER_ARRIVE && at->barrier != BARRIER_CLUSTER_ARRIVE)
        wait_at_barrier(machine, at, arrival);
}
