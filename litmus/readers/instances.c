// Every CTA has its own instance of a .shared variable (memory-model: instances of state spaces)
// and its own barriers (PTX ISA 9.7.13.1). Threads of several CTAs that use one name do not share
// what it names. A test whose author expects them to share it most likely has a CTA with only one
// such thread.
#include "litmus/readers/threads.h"

enum { CTA_BARRIERS = 16 };

// Where threads use a name.
struct uses {
    size_t threads;           // that do
    size_t first;             // of them
    const struct span *other; // the first use in another CTA than the first thread's, or NULL
    bool alone;               // some thread is the only one of its CTA that does
};

// Returns where a thread uses the name, or NULL.
typedef const struct span *use_of(const struct thread *thread, int name);

static bool names_variable(const struct operand *operand, int variable) {
    bool named = (operand->kind == OPERAND_ADDRESS || operand->kind == OPERAND_MEMORY) &&
                 operand->variable == variable;
    for (size_t i = 0; i < operand->element_count && !named; i++)
        named = names_variable(&operand->elements[i], variable);
    return named;
}

static const struct span *use_of_variable(const struct thread *thread, int variable) {
    for (size_t i = 0; i < thread->instruction_count; i++)
        for (unsigned k = 0; k < thread->instructions[i].operand_count; k++)
            if (names_variable(&thread->instructions[i].operands[k], variable))
                return &thread->instructions[i].operands[k].span;
    return NULL;
}

// bar.{sync,arrive} a, ...    bar.red d, a, ...
static const struct span *use_of_barrier(const struct thread *thread, int barrier) {
    for (size_t i = 0; i < thread->instruction_count; i++) {
        const struct instruction *instruction = &thread->instructions[i];
        bool is_red = instruction->barrier == BARRIER_RED;
        bool is_cta = is_red || instruction->barrier == BARRIER_SYNC ||
                      instruction->barrier == BARRIER_ARRIVE;
        if (!is_cta)
            continue;
        const struct operand *number = &instruction->operands[is_red ? 1 : 0];
        if (number->kind == OPERAND_IMMEDIATE && number->immediate.high == 0 &&
            number->immediate.low == (uint64_t)barrier)
            return &number->span;
    }
    return NULL;
}

static bool is_alone(const struct test *test, size_t thread, use_of *find, int name) {
    for (size_t i = 0; i < test->thread_count; i++)
        if (i != thread && test_same_cta(&test->threads[i].place, &test->threads[thread].place) &&
            find(&test->threads[i], name))
            return false;
    return true;
}

static struct uses find_uses(const struct test *test, use_of *find, int name) {
    struct uses uses = {0};
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct thread *thread = &test->threads[i];
        const struct span *use = thread->place.host ? NULL : find(thread, name);
        if (!use)
            continue;
        if (uses.threads++ == 0)
            uses.first = i;
        else if (!uses.other && !test_same_cta(&thread->place, &test->threads[uses.first].place))
            uses.other = use;
        uses.alone = uses.alone || is_alone(test, i, find, name);
    }
    return uses;
}

// mapa asks for the instance of another CTA, and a multicast writes to it: who uses them knows.
static bool reaches_others(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            if (opcode_has(test->threads[t].instructions[i].opcode, TRAIT_REACHES) ||
                instruction_is_multicast(&test->threads[t].instructions[i]))
                return true;
    return false;
}

static void note_variables(const struct test *test, struct diagnostics *diagnostics) {
    for (size_t v = 0; v < test->variable_count && !reaches_others(test); v++) {
        const struct variable *variable = &test->variables[v];
        if (variable->space != SPACE_SHARED || variable->body != 0 || variable->is_inner)
            continue;
        struct uses uses = find_uses(test, use_of_variable, (int)v);
        if (uses.other && uses.alone)
            diag_note(diagnostics, *uses.other,
                      "every CTA has a '%s' of its own: .shared memory is not shared by threads of "
                      "different CTAs",
                      variable->name);
    }
}

static void note_barriers(const struct test *test, struct diagnostics *diagnostics) {
    for (int barrier = 0; barrier < CTA_BARRIERS; barrier++) {
        struct uses uses = find_uses(test, use_of_barrier, barrier);
        if (uses.other && uses.alone)
            diag_note(
                diagnostics, *uses.other,
                "every CTA has a barrier %d of its own: threads of different CTAs do not wait "
                "for each other there",
                barrier);
    }
}

void instances_note(const struct test *test, struct diagnostics *diagnostics) {
    if (test->dialect != DIALECT_PTX && test->dialect != DIALECT_CPP)
        return;
    note_variables(test, diagnostics);
    note_barriers(test, diagnostics);
}
