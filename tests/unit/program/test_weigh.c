// Dependencies of whole threads against the definition, word by word (memory-model: semantic
// dependencies).
//
// Random threads without loops are run here by an interpreter of their own, under all values of
// their loads (which they mask to two bits). An access must depend on a load just if changing what
// only the load returns makes a difference to the access. And what it depends on
// under given values must determine it: so no value comes out of thin air when the rest is
// arbitrary.

#include "tests/unit/program/program_fixture.h"

#include "litmus/source/diagnostics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum {
    REGISTERS = 5,
    PREDICATES = 3,
    LOADS = 4,
    STEPS = 22,
    VALUES = 1 << (2 * LOADS), // of all loads together
};

enum action { LOAD, STORE, STORE_AT, COMPUTE, CHOOSE, COMPARE, SKIP, LEAVE, ACTIONS };

// A step without effect, as when its guard does not hold.
struct step {
    enum action action;
    int guard; // of PREDICATES, or -1
    bool negated;
    unsigned op, to, a, b, count;
    bool has_constant;
    unsigned constant;
    unsigned load;  // LOAD: which one
    size_t pc;      // of the access among the thread's instructions
    size_t skip_to; // SKIP: the step to go on with
};

struct thread_text {
    struct step steps[STEPS];
    size_t count;
    unsigned loads;
    char text[8192];
    size_t length, pc;
};

// --- Making a thread ---------------------------------------------------------------------------

static unsigned next(unsigned *random, unsigned bound) {
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 8) % bound;
}

static struct step random_step(unsigned *random, const struct thread_text *thread) {
    static const enum action likely[] = {LOAD,    LOAD,    STORE,  STORE,   STORE_AT,
                                         COMPUTE, COMPUTE, CHOOSE, COMPARE, COMPARE,
                                         COMPARE, SKIP,    SKIP,   LEAVE};
    enum { LIKELY = sizeof likely / sizeof *likely };
    struct step step = {.action = likely[next(random, LIKELY)],
                        .guard = (int)next(random, 2 * PREDICATES),
                        .negated = next(random, 2),
                        .op = next(random, 6),
                        .to = next(random, REGISTERS),
                        .a = next(random, REGISTERS),
                        .b = next(random, REGISTERS),
                        .count = 1 + next(random, 4),
                        .has_constant = next(random, 2),
                        .constant = next(random, 4)};
    bool needs_guard = step.action == SKIP || step.action == LEAVE;
    if (step.guard >= PREDICATES)
        step.guard = needs_guard ? step.guard - PREDICATES : -1;
    if (step.action == LOAD && thread->loads == LOADS)
        step.action = COMPUTE;
    if (step.action == LEAVE && next(random, 3) != 0)
        step.action = STORE;
    return step;
}

__attribute__((format(printf, 2, 3))) static void emit(struct thread_text *thread,
                                                       const char *format, ...) {
    va_list args;
    va_start(args, format);
    size_t room = sizeof thread->text - thread->length;
    int length = vsnprintf(thread->text + thread->length, room, format, args);
    va_end(args);
    assert_true(length >= 0 && (size_t)length < room);
    thread->length += (size_t)length;
}

// One instruction under the step's guard.
__attribute__((format(printf, 3, 4))) static void
instruction(struct thread_text *thread, const struct step *step, const char *format, ...) {
    char body[128];
    va_list args;
    va_start(args, format);
    vsnprintf(body, sizeof body, format, args);
    va_end(args);
    if (step->guard >= 0)
        emit(thread, "@%s%%p%d ", step->negated ? "!" : "", step->guard);
    emit(thread, "%s;\n", body);
    thread->pc++;
}

static const char *second_operand(const struct step *step, char *text) {
    if (step->has_constant)
        sprintf(text, "%u", step->constant);
    else
        sprintf(text, "%%r%u", step->b);
    return text;
}

static void write_step(struct thread_text *thread, struct step *step) {
    static const char *const operators[] = {"add.u32", "sub.u32", "mul.lo.u32",
                                            "and.b32", "or.b32",  "xor.b32"};
    static const char *const comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    char b[16];
    second_operand(step, b);
    switch (step->action) {
    case LOAD:
        step->pc = thread->pc;
        step->load = thread->loads++;
        instruction(thread, step, "ld.relaxed.gpu.global.u32 %%r%u, [x%u]", step->to, step->load);
        instruction(thread, step, "and.b32 %%r%u, %%r%u, 3", step->to, step->to);
        break;
    case STORE:
        step->pc = thread->pc;
        instruction(thread, step, "st.relaxed.gpu.global.u32 [y], %s", b);
        break;
    case STORE_AT:
        emit(thread, "and.b32 %%r9, %%r%u, 1;\nmul.wide.u32 %%rd1, %%r9, 4;\n", step->a);
        emit(thread, "add.u64 %%rd1, %%rd0, %%rd1;\n");
        thread->pc += 3;
        step->pc = thread->pc;
        instruction(thread, step, "st.relaxed.gpu.global.u32 [%%rd1], %s", b);
        break;
    case COMPUTE:
        instruction(thread, step, "%s %%r%u, %%r%u, %s", operators[step->op], step->to, step->a, b);
        break;
    case CHOOSE:
        instruction(thread, step, "selp.u32 %%r%u, %%r%u, %s, %%p%u", step->to, step->a, b,
                    step->op % PREDICATES);
        break;
    case COMPARE:
        instruction(thread, step, "setp.%s.u32 %%p%u, %%r%u, %s", comparisons[step->op],
                    step->to % PREDICATES, step->a, b);
        break;
    case SKIP: instruction(thread, step, "bra L%zu", step->skip_to); break;
    default: instruction(thread, step, "exit"); break;
    }
}

static void make_thread(struct thread_text *thread, unsigned *random) {
    *thread = (struct thread_text){.count = 8 + next(random, STEPS - 8)};
    emit(thread, "PTX t\n.global .u32 y; .global .u32 z[2];\n");
    for (unsigned i = 0; i < LOADS; i++)
        emit(thread, ".global .u32 x%u;\n", i);
    emit(thread, "P0@cta 0 {\n.reg .b32 %%r<10>; .reg .b64 %%rd<2>; .reg .pred %%p<4>;\n");
    emit(thread, "mov.u64 %%rd0, z;\n");
    for (unsigned i = 0; i < REGISTERS; i++)
        emit(thread, "mov.u32 %%r%u, %u;\n", i, i);
    for (unsigned i = 0; i < PREDICATES; i++)
        emit(thread, "setp.eq.u32 %%p%u, %%r0, %u;\n", i, i);
    thread->pc = 1 + REGISTERS + PREDICATES;
    for (size_t i = 0; i < thread->count; i++) {
        struct step *step = &thread->steps[i];
        *step = random_step(random, thread);
        if (i < 2 || i == 4) // most of what follows shall have something to depend on
            *step = (struct step){.action = LOAD, .guard = -1, .to = (unsigned)i};
        if (i == 2 || i == 3)
            *step = (struct step){.action = COMPARE,
                                  .guard = -1,
                                  .to = (unsigned)i,
                                  .op = step->op,
                                  .a = (unsigned)i - 2,
                                  .b = step->b,
                                  .has_constant = step->has_constant,
                                  .constant = step->constant};
        size_t target = i + 1 + step->count;
        step->skip_to = target < thread->count ? target : thread->count;
        emit(thread, "L%zu:\n", i);
        write_step(thread, step);
    }
    emit(thread, "L%zu:\nst.relaxed.gpu.global.u32 [y], %%r1;\n}\nexists (y == 1)\n",
         thread->count);
}

// --- Running it --------------------------------------------------------------------------------

// What became of an access.
struct effect {
    bool executed;
    unsigned place, value;
};

static bool same_effect(struct effect a, struct effect b) {
    return a.executed == b.executed && a.place == b.place && a.value == b.value;
}

static unsigned apply(unsigned op, unsigned a, unsigned b) {
    switch (op) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a & b;
    case 4: return a | b;
    default: return a ^ b;
    }
}

static bool compare(unsigned comparison, unsigned a, unsigned b) {
    switch (comparison) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    default: return a >= b;
    }
}

static unsigned load_value(unsigned values, unsigned load) {
    return values >> (2 * load) & 3;
}

// Runs the thread where its loads return `values`; the effects are by step.
static void run(const struct thread_text *thread, unsigned values, struct effect *effects) {
    unsigned r[REGISTERS] = {0, 1, 2, 3, 4};
    bool p[PREDICATES] = {true, false, false};
    memset(effects, 0, (thread->count + 1) * sizeof *effects);
    size_t at = 0;
    while (at < thread->count) {
        const struct step *step = &thread->steps[at];
        unsigned a = r[step->a], b = step->has_constant ? step->constant : r[step->b];
        bool goes = step->guard < 0 || p[step->guard] != step->negated;
        size_t index = at++;
        if (!goes)
            continue;
        switch (step->action) {
        case LOAD:
            r[step->to] = load_value(values, step->load);
            effects[index].executed = true;
            break;
        case STORE: effects[index] = (struct effect){true, 0, b}; break;
        case STORE_AT: effects[index] = (struct effect){true, 1 + (a & 1), b}; break;
        case COMPUTE: r[step->to] = apply(step->op, a, b); break;
        case CHOOSE: r[step->to] = p[step->op % PREDICATES] ? a : b; break;
        case COMPARE: p[step->to % PREDICATES] = compare(step->op, a, b); break;
        case SKIP: at = step->skip_to; break;
        default: return;
        }
    }
    effects[thread->count] = (struct effect){true, 0, r[1]};
}

// --- Comparing ---------------------------------------------------------------------------------

// A thread, its program, and its effects under all values of its loads.
struct comparison {
    struct thread_text thread;
    struct program_fixture *fixture;
    struct effect effects[VALUES][STEPS + 1];
    const struct event *loads[LOADS]; // NULL where it is never reached
    size_t last_pc;
};

static const struct event *event_at(const struct comparison *c, size_t pc) {
    const struct program *program = c->fixture->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].instruction == &c->fixture->test->threads[0].instructions[pc])
            return &program->events[i];
    return NULL;
}

// Whether an access depends on a read where its conditions are as in `values`; ~0: in any case.
static bool depends(struct comparison *c, const struct event *event, const struct event *read,
                    unsigned values) {
    const struct dependency_list *lists[] = {&event->addr, &event->data, &event->ctrl};
    for (unsigned k = 0; values != ~0u && k < LOADS; k++)
        if (c->loads[k] != NULL)
            c->fixture->reads[c->loads[k]->id] = load_value(values, k);
    for (unsigned list = 0; list < 3; list++)
        for (size_t i = 0; i < lists[list]->count; i++)
            if (lists[list]->items[i].event == read->id &&
                (values == ~0u || fixture_value(c->fixture, lists[list]->items[i].condition)))
                return true;
    return false;
}

static bool makes_a_difference(const struct comparison *c, size_t step, unsigned load) {
    for (unsigned v = 0; v < VALUES; v++)
        if (!same_effect(c->effects[v][step], c->effects[v & ~(3u << (2 * load))][step]))
            return true;
    return false;
}

// The bits of what the access depends on under these values.
static unsigned dependency_mask(struct comparison *c, const struct event *event, unsigned values) {
    unsigned mask = 0;
    for (unsigned k = 0; k < LOADS; k++)
        if (c->loads[k] != NULL && depends(c, event, c->loads[k], values))
            mask |= 3u << (2 * k);
    return mask;
}

static void check_determined(struct comparison *c, size_t step, const struct event *event) {
    unsigned first[VALUES]; // by values with all but the mask's bits 0: a mask of its own
    for (unsigned v = 0; v < VALUES; v++)
        first[v] = dependency_mask(c, event, v);
    for (unsigned v = 0; v < VALUES; v++)
        for (unsigned w = 0; w < VALUES; w++)
            if (((v ^ w) & first[v]) == 0 && !same_effect(c->effects[v][step], c->effects[w][step]))
                fail_msg("%s\nstep %zu: values %x and %x with dependencies %x", c->thread.text,
                         step, v, w, first[v]);
}

struct totals {
    unsigned dependent, independent, hidden;
};

static void check_step(struct comparison *c, size_t step, size_t pc, bool written,
                       struct totals *totals) {
    const struct event *event = event_at(c, pc);
    if (event == NULL)
        return;
    for (unsigned k = 0; k < c->thread.loads; k++) {
        if (c->loads[k] == NULL || c->loads[k]->id >= event->id)
            continue;
        bool wanted = makes_a_difference(c, step, k);
        bool found = depends(c, event, c->loads[k], ~0u);
        if (written ? wanted && !found : wanted != found)
            fail_msg("%s\nstep %zu, load %u: %s", c->thread.text, step, k,
                     wanted ? "depends" : "does not depend");
        totals->dependent += wanted;
        totals->independent += !wanted;
        totals->hidden += found && !wanted;
    }
    check_determined(c, step, event);
}

static void check_thread(struct comparison *c, bool written, struct totals *totals) {
    const struct thread_text *thread = &c->thread;
    c->fixture = written ? fixture_build_written(thread->text) : fixture_build(thread->text);
    for (size_t i = 0; i < thread->count; i++)
        if (thread->steps[i].action == LOAD)
            c->loads[thread->steps[i].load] = event_at(c, thread->steps[i].pc);
    for (size_t i = 0; i < thread->count; i++)
        if (thread->steps[i].action <= STORE_AT)
            check_step(c, i, thread->steps[i].pc, written, totals);
    check_step(c, thread->count, thread->pc, written, totals);
    fixture_free(c->fixture);
}

static struct totals check_threads(unsigned seed, unsigned count, bool written) {
    static struct comparison c;
    struct totals totals = {0};
    unsigned random = seed;
    for (unsigned i = 0; i < count; i++) {
        memset(&c, 0, sizeof c);
        make_thread(&c.thread, &random);
        for (unsigned v = 0; v < VALUES; v++)
            run(&c.thread, v, c.effects[v]);
        check_thread(&c, written, &totals);
    }
    return totals;
}

static void dependencies_are_what_makes_a_difference(void **state) {
    (void)state;
    struct totals totals = check_threads(42, 600, false);
    assert_int_equal(totals.hidden, 0);
    assert_true(totals.dependent > 1500 && totals.independent > 5000);
}

// As written they are not fewer, and determine as much.
static void dependencies_as_written_cover_them(void **state) {
    (void)state;
    struct totals totals = check_threads(7, 200, true);
    assert_true(totals.hidden > 400 && totals.dependent > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependencies_are_what_makes_a_difference),
        cmocka_unit_test(dependencies_as_written_cover_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
